"""One step of the world: a table of contents."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from ..collide.detect import detect
from ..collide.persist import grow
from ..collide.work import collide_work
from ..model.arena import pack
from ..model.model import Model, State, sets_of, workspace
from .implicit import solve_implicit
from .islands import find_islands
from .measure import Measures, begin, measure
from .substep import solve_islands

TOLERANCE = 1e-6
"""A sweep that changes no velocity by more [m/s or rad/s] is the last."""

WORTH_SHARING = 64
"""Fewer moving bodies than this are solved in one thread: waking a second one takes longer."""


class Engine:
    """A model, its state, and the scratch that a step needs."""

    def __init__(self, model: Model, state: State, threads: int) -> None:
        self.model = model
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.adopt(state)
        begin(model.joints, model.coordinates, self.state.coordinates, self.work.coordinate_rows, model.drives,
              self.state.drives, model.springs, self.state.springs, self.work.spring_rows, self.work.spring_law,
              self.work.ports, self.state.motion)

    def adopt(self, state: State) -> None:
        """Take over a state, with scratch for it."""
        self.buffer, self.state = pack(state)
        self.before = self.buffer.copy()
        capacity = len(state.contacts.separation)
        self.work = workspace(self.model, capacity)
        self.sets = sets_of(self.model, self.state, self.work)
        self.collide = collide_work(self.model.shapes, self.model.hulls, self.model.fields, capacity)

    def step(self, dt: float, substeps: int, iterations: int) -> int:
        """Advance the state by `dt` [s]; returns the number of islands."""
        self._find_contacts(dt)
        m, s, w = self.model, self.state, self.work
        count = find_islands(m.bodies, m.shapes, m.joints, m.coordinates, m.drives, m.springs, s.contacts, w.islands)
        settings = (dt, substeps, iterations, TOLERANCE, m.gravity, m.drag)
        groups = (*self.sets, m.shapes, s.contacts, w.islands, w.outcome)
        self._share(count, lambda first, last: solve_islands(*groups, first, last, *settings))
        self._share(count, lambda first, last: solve_implicit(*groups, first, last, *settings))
        return count

    def measure(self) -> Measures:
        """What there is to say of the state and the last step."""
        m, s, w = self.model, self.state, self.work
        return Measures(*measure(m.bodies, s.motion, m.springs, s.springs, m.drives, s.drives, m.joints, m.rods, s.contacts,
                                 w.islands, w.outcome, m.gravity))

    def keep(self) -> None:
        """Remember the state as the last good one."""
        np.copyto(self.before, self.buffer)

    def go_back(self) -> None:
        """Return to the last good state."""
        np.copyto(self.buffer, self.before)

    def _find_contacts(self, dt: float) -> None:
        m = self.model
        while True:
            s = self.state
            found = detect(m.bodies, m.shapes, m.hulls, m.fields, m.excluded, s.motion, s.contacts, self.collide, dt)
            capacity = len(s.contacts.separation)
            if found <= capacity:
                return
            self.adopt(s._replace(contacts=grow(s.contacts, max(2 * capacity, found))))

    def _share(self, count: int, solve) -> None:
        """Hand ranges of islands of about equal size to the threads; the result does not depend on how."""
        if self.pool is None or count < 2 or self.work.islands.first_body[count] < WORTH_SHARING:
            solve(0, count)
            return
        first = self.work.islands.first_body
        ends = [int(np.searchsorted(first[:count + 1], first[count] * k / self.threads)) for k in range(self.threads + 1)]
        ranges = [(a, b) for a, b in pairwise(ends) if b > a]
        list(self.pool.map(lambda r: solve(*r), ranges))
