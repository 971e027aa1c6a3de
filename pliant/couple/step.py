"""One step of the world: a table of contents."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from .._jit import bind, foresee
from .._jit_ahead import make_ready
from ..collide.ahead import overlaps_ahead
from ..collide.detect import Detector
from ..collide.pairs import CONVEX, WITH_FIELD
from ..collide.persist import grow
from ..collide.sinking import sinks_ahead
from ..collide.soft.detect import SoftDetector, passing_of
from ..collide.soft.fine import fine_of
from ..collide.soft.persist import Fresh
from ..collide.soft.persist import grow as grow_soft
from ..collide.soft.relief import relief_of
from ..collide.soft.work import Skin
from ..collide.turns import largest_turn, slowest_turn
from ..collide.work import collide_work
from ..model.arena import pack
from ..model.bodies import FIXED
from ..model.model import Model, State, cordage_of, sets_of, workspace
from ..model.point_ropes import POINT
from .implicit import solve_implicit
from .islands import find_islands
from .measure import Measures, begin, measure
from .parts import advance_in, parts_of
from .points import PointSolver
from .soft.again import take_again
from .substep import solve_islands
from .sudden import AGAIN, Sudden

TOLERANCE = 1e-6
"""A sweep that changes no velocity by more [m/s or rad/s] is the last."""

WORTH_SHARING = 64
"""Fewer moving bodies than this are solved in one thread: waking a second one takes longer."""


def _soft_solver(model: Model, state: State, pool: ThreadPoolExecutor | None):
    from .soft.solver import SoftSolver  # a third of a second, with SciPy's sparse matrices, that other scenes need not wait

    return SoftSolver(model, state, pool)


class Mixture(Exception):
    """An island holds a rope of points, and a direct rope or a soft thing."""

    def __init__(self, point: int, link: int) -> None:
        super().__init__(point, link)
        self.point, self.link = point, link


class Engine:
    """A model, its state, and the scratch that a step needs; `ready`: all that it may call is compiled and loaded."""

    def __init__(self, model: Model, state: State, threads: int, ready: bool = True) -> None:
        self.model = model
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._rest = state.motion.position.copy()
        self._marks = np.zeros((2, len(self._rest)), np.int32)
        self._turns, self.overlaps = self._marks
        self._sudden = Sudden(model)
        self._in_parts = False
        patches = [one.patches for one in model.soft]
        self._relief, self._small = relief_of(model.surfaces, patches), fine_of(model.surfaces, patches, self._rest)
        self._skin: Skin | None = None
        self.soft = _soft_solver(model, state, self.pool) if model.soft else None
        self._mixed = len(model.point_ropes.rope) > 0 and (len(model.rods.table) > 0 or self.soft is not None)
        self.adopt(state)
        if ready:
            foresee(begin)
            make_ready()
        begin(model.joints, model.coordinates, self.state.coordinates, self.work.coordinate_rows, model.drives,
              self.state.drives, self.state.sprung, self.state.springs, self.work.spring_rows, self.work.spring_law,
              self.work.ports, self.state.motion)

    def adopt(self, state: State) -> None:
        """Take over a state, with scratch for it."""
        self.buffer, self.state = pack(state)
        self.before = self.buffer.copy()
        self._start = pack(state) if self.soft is not None else (self.buffer, self.state)
        self.work = workspace(self.model, self.state)
        self._bind(len(state.contacts.separation))

    def _bind(self, capacity: int) -> None:
        """Give the kernels their arrays, once for as long as these live."""
        m, s, w = self.model, self.state, self.work
        scratch = collide_work(m.shapes, m.hulls, m.fields, capacity)
        self._detect = Detector(m.bodies, m.shapes, m.hulls, m.fields, m.excluded, s.motion, s.contacts, scratch)
        self.find_islands = bind(find_islands, m.bodies, m.shapes, m.joints, m.coordinates, m.drives, s.sprung,
                                  m.point_ropes, s.contacts, m.surfaces, s.tied, s.ties, s.soft_contacts, w.islands)
        groups = (sets_of(m, s, w), m.shapes, s.contacts, w.islands, w.outcome)
        self._solvers = []
        if ((m.bodies.link == 0) & (m.bodies.kind != FIXED)).any():
            self._solvers.append(bind(solve_islands, *groups))
        if len(m.rods.table):
            self._solvers.append(bind(solve_implicit, *groups))
        if len(m.point_ropes.rope):
            self._solvers.append(PointSolver(*groups, cordage_of(m, s, w)))
        if self.soft is not None:
            self.soft.take(s, w)
            self.tell_detector()
        self._largest_turn = bind(largest_turn, m.shapes, scratch.extents, s.motion, s.contacts, self._turns,
                                  likely=not self._detect.idle)
        self._overlaps_ahead = bind(overlaps_ahead, m.bodies, m.shapes, m.hulls, s.motion, scratch.extents, scratch.places,
                                    scratch.pairs, scratch.fresh, scratch.narrow, self.overlaps, likely=self._detect.meets)
        self._falls = self._detect.falls and bool((m.bodies.tree[m.shapes.body[scratch.tree.order]] < 0).any())
        self._sinks_ahead = bind(sinks_ahead, m.bodies, m.shapes, m.hulls, m.fields, s.motion, scratch.extents, scratch.places,
                                 scratch.pairs, scratch.fresh, scratch.field, self.overlaps, likely=self._falls)
        self._safe_turn = slowest_turn(m.shapes, scratch.extents)
        self._sudden.bind(m, s, w, scratch, meet=not self._detect.idle)
        self._measure = bind(measure, m.bodies, s.motion, s.sprung, s.springs, m.drives, s.drives, s.coordinates, m.joints,
                             m.rods, m.point_ropes, s.contacts, w.islands, w.outcome)

    def tell_detector(self) -> None:
        """Let vertices pass the bodies that hold them, and no others: to be called when an attachment has let go or begun."""
        m, s = self.model, self.state
        passing = passing_of(m.excluded, s.tied, s.ties)
        self._detect_soft = SoftDetector(m.bodies, m.shapes, m.hulls, m.fields, m.surfaces, s.motion, s.soft_contacts, passing,
                                         self._rest, self._relief, s.soft.stilled, self._small, self._skin)
        self._skin = self._detect_soft.skin

    def coordinates_now(self) -> np.ndarray:
        """Values of all coordinates of joints [m or rad] as bodies lie, also where something was moved. Writes: scratch"""
        m, s, w = self.model, self.state, self.work
        values, rates = s.coordinates.value.copy(), s.coordinates.rate.copy()
        begin(m.joints, m.coordinates, s.coordinates._replace(value=values, rate=rates), w.coordinate_rows, m.drives,
              s.drives._replace(deflection=s.drives.deflection.copy()), s.sprung,
              s.springs._replace(deflection=s.springs.deflection.copy()), w.spring_rows, w.spring_law, w.ports, s.motion)
        return values

    def step(self, *settings) -> None:
        """Advance the state by dt [s], in so many substeps and iterations (`settings`), islands with soft things as they are
        planned; again from the start where something was met that no contact foresaw."""
        start = self._sudden.set_out(self)
        self._take(*settings)
        for _ in range(AGAIN):
            if start is None or not self._sudden.looks(self, settings[0]):
                break
            start.return_to(self)
            self._take(*settings)

    def _take(self, dt: float, substeps: int, iterations: int) -> None:
        """Advance by `dt` [s], islands whole or in parts; those with soft things in more substeps where they gain energy."""
        self._in_parts = False
        self.find_all(dt)
        if self.soft is not None:
            self._take_soft(self.soft, dt, substeps, iterations)
            return
        parts = self._parts_of(dt)
        if parts is None:
            self.advance(dt, substeps, iterations)
        else:
            self._sudden.note_islands()
            advance_in(parts, self, dt, substeps, iterations)
            self._in_parts = True

    def _take_soft(self, soft, *settings) -> None:
        start, state = self._start
        np.copyto(start, self.buffer)
        self.advance(*settings)
        if soft.gained:
            take_again(self, soft, start, *settings)
        soft.stop(state.motion)

    def _parts_of(self, dt: float) -> np.ndarray | None:
        """In how many parts bodies (b) are to be advanced; None if all go whole."""
        if not (self._detect.count[WITH_FIELD] or self.state.contacts.count[0]):
            return None
        self._marks.fill(1)
        most = max(self._largest_turn(self._safe_turn / dt, dt), self.overlap(dt))
        if max(most, self._sudden.ask(self.overlaps)) == 1:
            return None
        self.find_islands()
        parts = parts_of(self.work.islands, self._turns, self.overlaps)
        return parts if parts.max() > 1 else None

    def overlap(self, dt: float) -> int:
        """In how many parts a step `dt` [s] is to be taken, at most, so that what was just found does not overlap by much.

        Writes: overlaps
        """
        count = self._detect.count
        return max(self._sinks_ahead(dt) if count[WITH_FIELD] and self._falls else 1,
                   self._overlaps_ahead(dt) if count[CONVEX] else 1)

    def advance(self, dt: float, substeps: int, iterations: int) -> None:
        """All islands, with the contacts that were found, by `dt` [s]."""
        count = self.find_islands()
        if self._mixed:
            self._check_mixtures()
        settings = (iterations, TOLERANCE, self.model.gravity, self.model.drag)
        for solve in self._solvers:
            self._share(count, solve, (dt, substeps, *settings))
        if self.soft is not None:
            self.soft(dt, *settings)

    def solve(self, islands: list[int], dt: float, substeps: int, iterations: int) -> None:
        """Advance some islands of a world without soft things by `dt` [s]."""
        if self._mixed:
            self._check_mixtures()
        ends = np.flatnonzero(np.diff(islands) != 1) + 1  # those in a row go in one call
        for solve in self._solvers:
            for row in np.split(np.array(islands), ends) if islands else ():
                solve(int(row[0]), int(row[-1]) + 1, dt, substeps, iterations, TOLERANCE, self.model.gravity, self.model.drag)

    def _check_mixtures(self) -> None:
        """Bodies that touch may join ropes and soft things that no solver takes together."""
        label, points = self.work.islands.label, self.model.point_ropes.rope[:, POINT]
        links = np.flatnonzero(self.model.bodies.link)  # of direct ropes, and vertices
        both = np.intersect1d(label[points], label[links])
        if len(both):
            raise Mixture(int(points[label[points] == both[0]][0]), int(links[label[links] == both[0]][0]))

    def measure(self) -> Measures:
        """What there is to say of the state and the last step."""
        figures = Measures(*self._measure(self.model.gravity))
        return figures if self.soft is None else self.soft.add_to(figures)

    def keep(self) -> None:
        """Remember the state as the last good one."""
        np.copyto(self.before, self.buffer)

    def go_back(self) -> None:
        """Return to the last good state."""
        np.copyto(self.buffer, self.before)

    def begin_again(self, start: tuple[np.ndarray, State]) -> None:
        """Return to a packed state, as it was before contacts may have needed more room."""
        if len(start[0]) == len(self.buffer):
            np.copyto(self.buffer, start[0])
        else:
            self.adopt(start[1])

    def find_all(self, dt: float) -> None:
        """The contacts of a step of `dt` [s], with those that it turned out to need."""
        self._sudden.make_room(self)
        self.find_contacts(dt)
        self._sudden.add_to(self.state)

    @property
    def in_parts(self) -> bool:
        """Whether islands were advanced in parts in the last step."""
        return self._in_parts

    def seek(self, dt: float) -> int:
        """Number of contacts within `dt` [s] as bodies move now; the state's stay as they are."""
        return self._detect.seek(dt)

    def seek_soft(self, dt: float) -> Fresh:
        """Contacts of soft things with others, likewise, with their number, even if there is no room for so many."""
        return self._detect_soft.seek(dt)

    def crossed(self) -> list[tuple[int, np.ndarray]]:
        """Soft things of which an edge led through triangles of their own where the last step began, and where it is [m]."""
        crossed, edge = self._detect_soft.crossed, self._detect_soft.edge
        return [(int(k), self.state.motion.position[edge[crossed[k]]].mean(axis=0)) for k in np.flatnonzero(crossed >= 0)]

    @property
    def soft_slop(self) -> np.ndarray:
        """Gap [m] below which each soft thing gets contacts at rest."""
        return self._detect_soft.slop

    def find_contacts(self, dt: float) -> None:
        """Of all that may touch within `dt` [s]."""
        if self.soft is not None and len(self.model.surfaces.node):
            while (found := self._detect_soft(dt)) > (capacity := len(self.state.soft_contacts.separation)):
                self.adopt(self.state._replace(soft_contacts=grow_soft(self.state.soft_contacts, max(2 * capacity, found))))
        self.find_contacts_of_bodies(dt)

    def find_contacts_of_bodies(self, dt: float) -> None:
        """Of bodies alone, with each other and with the ground."""
        while (found := self._detect(dt)) > (capacity := len(self.state.contacts.separation)):
            self.adopt(self.state._replace(contacts=grow(self.state.contacts, max(2 * capacity, found))))

    def _share(self, count: int, solve, settings: tuple) -> None:
        """Hand ranges of islands of about equal size to the threads; the result does not depend on how."""
        if self.pool is None or count < 2 or self.work.islands.first_body[count] < WORTH_SHARING:
            solve(0, count, *settings)
            return
        first = self.work.islands.first_body
        ends = [int(np.searchsorted(first[:count + 1], first[count] * k / self.threads)) for k in range(self.threads + 1)]
        ranges = [(a, b) for a, b in pairwise(ends) if b > a]
        list(self.pool.map(lambda r: solve(*r, *settings), ranges))
