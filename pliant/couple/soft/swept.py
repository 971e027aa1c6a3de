"""Substeps of cloth and solids whose rows are swept: many rows where there is cloth, and rows that contradict each other.

A vertex answers as its block does when all vertices that rows act on are pushed together, which is never too little; a last
sweep takes vertices by their mass alone, so that what touches does not sink in, and every impulse is momentum.
"""

import numpy as np

from ...model.soft_contacts import IMPULSES
from ...model.soft_things import VERTEX
from .body import SoftBody
from .common import CLOSE_TOUCHED, CommonSubstep, How
from .rows import NAMED, PUSHED

PATIENCE, RESTLESS = 4, 5e-3
"""Where rows still change velocities by more [m/s] after the iterations asked for, so many times as many may be taken [-]:
the last sweep would store in cells what was never balanced."""
NEARLY, PAYS = 8e-3, 0.9
"""Below the first [m/s] they are only taken while the last half of the iterations asked for has left no more of the change than
this [-]: what neighbours of one sheet push against each other comes so slowly that more of them gain little. Above it they
are all taken: a sheet of 50 x 50 that fell on a ball rose by 0.7 J where slow ones were stopped at 0.03 m/s, by 0.08 J so."""
PASSES, LAST_PASSES = 2, 32
"""Sweeps of an iteration, and of the last one at most: with 8 the sheet of `drape` sank 6.2 mm into its ball, so 1.8 to 3.4."""
LITTLE, BORNE = 5e-2, 40.0
"""Where sweeps are only tried: what the last of them may change at most [m/s], as much as rows solved together may miss
(dense_contacts.py: CONTRARY), a landing pot 0.1 and more; and what contacts may bear whose push does not go through
(pressed_vertex.py), as a multiple of what the vertices they push weigh [-]. A body on a sheet lay for 20 s at 45 and 90; at 180
what its contacts bear wandered until it sank, after 2 s."""
WANDERS = 30
"""Steps that a contact has lived before what it bears may have wandered, a quarter of those after which that body sank: what
rolls on leaves its contacts long before."""


class SweptSubstep(CommonSubstep):
    """Those of rows that are swept."""

    def swept(self, i: int, things: list[SoftBody], how: How, tried: bool = False) -> bool:
        """With rows that are swept; `tried`: only where contacts bear little, and if the last of them leaves less than LITTLE.

        Returns False where that is not so, and everything is as it was before.
        """
        if tried and not self._bears_little(i, how):
            return False
        kept = [array[mine].copy() for array, mine in self._kept(i)] if tried else []
        bodies = self._stand(i, things, how.h)
        change = self._sweep_blocks(i, things, bodies, how)
        for one in things:
            one.balance(self.row.pull[one.thing.movers, :3])
            self.row.answer[one.thing.movers] = one.thing.model.vertices.inverse_mass
        self.rows.prepare(i)
        left = self.rows.sweep(i, how.h, LAST_PASSES, how.tolerance, False)
        if tried and not (left < LITTLE and self._bears_little(i, how)):
            self._start_again(i, things, kept[0], how.h)
            for (array, mine), before in zip(self._kept(i), kept, strict=True):
                array[mine] = before
            return False
        self.heft.weigh_alone(self.row.answer, how.h)
        self._carry(i, how)
        self._arrive(i, things, how, change)
        while not self.carriers.answer_relaxed(i, lambda: self.rows.sweep(i, how.h, LAST_PASSES, how.tolerance, True)):
            self.carriers.answer(i, bodies)
            self.rows.prepare(i)
        return True

    def _bears_little(self, i: int, how: How) -> bool:
        """Whether no contact of island `i` with what moves would give the vertices that it pushes more speed than BORNE
        substeps of gravity, but for young ones and those whose push goes through them to what bears it."""
        touch = self.islands.touch[self.islands.first_touch[i]:self.islands.first_touch[i + 1]]
        contacts = self.softwork.contacts
        touch = touch[(self.row.through[touch] < 0) & (self._inverse_mass[contacts.mover[touch, 0]] > 0.0)]
        touch = touch[contacts.age[touch] > WANDERS]
        mover, share = contacts.mover[touch], contacts.weight[touch]
        answer = np.where(self._link[mover] == VERTEX, share**2 * self._inverse_mass[mover], 0.0).sum(axis=1)
        speed = float((answer * self.row.contact[touch, IMPULSES]).max(initial=0.0))
        return speed <= BORNE * how.h * float(np.linalg.norm(how.gravity))

    def _sweep_blocks(self, i: int, things: list[SoftBody], bodies: np.ndarray, how: How) -> float:
        """Iterations of all blocks with sweeps of rows between, on `bodies` among others; returns the last change [m/s]."""
        rows, h, change = self.rows, how.h, np.inf
        most = max(one.thing.iterations for one in things)
        changes = np.full(PATIENCE * most, np.inf)
        for k in range(PATIENCE * most):
            if k == 0 or not self.heft.groups:
                self.carriers.solve(i, *how)
            if k == 0 or self.carriers.drives_change(i):
                self.carriers.answer(i, bodies)
                rows.prepare(i)
            if k == 0:
                self.heft.weigh_alone(self.row.answer, h)
            changes[k] = change = max(change, *(one.iterate() for one in things))
            calm = change < RESTLESS or (change < NEARLY and change > PAYS * changes[k - max(most // 2, 1)])
            if change < CLOSE_TOUCHED or (k >= most - 1 and calm) or k == PATIENCE * most - 1:
                break
            if self.heft.groups:
                self._carry(i, how)
                self.carriers.answer(i, bodies)
                rows.prepare(i)
            change = rows.sweep(i, h, PASSES, how.tolerance, False)
        return change

    def _stand(self, i: int, things: list[SoftBody], h: float) -> np.ndarray:
        """Begin the iterations that are swept; returns the bodies that rows have.

        The vertices that rows are likely to push, those tied, that touched, that would come through, answer as their block
        does when all of them are pushed together.
        """
        self.rows.turn(i, h, False)
        self.rows.mark(i, h)
        pushed, mine = np.flatnonzero(self.row.mark == PUSHED), (self._link != VERTEX) & (self.islands.label == i)
        for one in things:
            own = pushed - one.thing.first
            one.block.answer_together(own[(own >= 0) & (own < len(one.thing.mass))])
            self.row.answer[one.thing.movers] = one.block.work.answer
        bodies = np.flatnonzero((self.row.mark >= NAMED) & mine)
        if any(one.thing.method == "position" for one in things):
            self.forget(i)
        self.rows.start(i)
        for one in things:
            one.stand(h)
        return bodies
