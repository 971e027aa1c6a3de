"""A substep of one island with cloth and solids: its blocks, the bodies that carry them, and the rows between, in turn.

Each iteration solves the bodies and every soft block with the impulses of the rows between them, then those rows: as the
blocks truly answer, by a matrix where rows are few (soft_exact.py), by products where they are many and of solids alone
(soft_many.py), so that every iteration is the least of the blocks' quadratic models under all rows. Many rows where there is
cloth, and rows that contradict each other, are swept, and a vertex answers as its block does when all vertices that rows act on
are pushed together, which is never too little; a last sweep takes vertices by their mass alone, so that what touches does not
sink in, and every impulse is momentum.
"""

from typing import NamedTuple

import numpy as np

from ..model.islands import Islands, Outcome
from ..model.sets import Linkage, Movers, Softwork
from ..model.soft_contacts import IMPULSES
from ..model.soft_things import VERTEX
from ..solvers.projective.strained import AWAY, SLOW
from ..solvers.rows.dense_contacts import CONTRARY
from .carriers import Carriers
from .soft_body import SoftBody
from .soft_exact import ExactRows
from .soft_heft import Heft
from .soft_many import ManyRows
from .soft_rows import NAMED, PUSHED, SoftRowSet

CLOSE_TOUCHED = 1e-6
"""Iterations that change no velocity by more [m/s] are the last of a substep where there are rows."""
PATIENCE, RESTLESS = 4, 5e-3
"""Where rows still change velocities by more [m/s] after the iterations asked for, so many times as many may be taken [-]:
the last sweep would store in cells what was never balanced."""
NEARLY, PAYS = 8e-3, 0.9
"""Below the first [m/s] they are only taken while the last half of the iterations asked for has left no more of the change than
this [-]: what neighbours of one sheet push against each other comes so slowly that more of them gain little. Above it they
are all taken: a sheet of 50 x 50 that fell on a ball rose by 0.7 J where slow ones were stopped at 0.03 m/s, by 0.08 J so."""
CLOSE_ROWS, FIRST_ROWS, CLOSE_SHARE = 1e-7, 1e-4, 0.01
"""How near [m/s] rows that are solved exactly come: at last, in the first iteration, and after one as a share of what it has
changed [-]."""
PASSES, LAST_PASSES = 2, 32
"""Sweeps of an iteration, and of the last one at most: with 8 the sheet of `drape` sank 6.2 mm into its ball, so 1.8 to 3.4."""
LITTLE, BORNE = 2e-2, 40.0
"""Where sweeps are only tried: what the last of them may change at most [m/s], a landing pot 0.1 and more; and what contacts
may bear whose push does not go through (pressed_vertex.py), as a multiple of what the vertices they push weigh [-]. A body on a
sheet lay for 20 s at 45 and 90; at 180 what its contacts bear wandered until it sank, after 2 s."""
AT_FIRST = 4
"""Iterations within which the second derivative of what is tied is made anew: later ones wait for the bodies that hold it, and
for a tyre of 288 vertices, 96 of them tied, every new one takes 20 ms."""
FRAMED, STRAINED, PLAIN = range(3)
"""Manners in which stiff solids are solved: in frames of their own, by their second derivative, by local/global."""


class How(NamedTuple):
    """How bodies are taken through a substep of `h` [s]."""

    h: float
    iterations: int
    tolerance: float
    gravity: tuple
    drag: float


class SoftSubstep:
    """The substeps of all islands, one at a time, their arrays bound once."""

    def __init__(self, movers: Movers, linkage: Linkage, softwork: Softwork, islands: Islands, outcome: Outcome,
                 carriers: Carriers) -> None:
        self.softwork, self.row, self.islands, self.carriers = softwork, softwork.work, islands, carriers
        self.heft = Heft(movers, linkage, softwork, islands)
        self.rows = SoftRowSet(movers, softwork, islands, outcome)
        self.kinds: list[ExactRows | ManyRows] = [kind(movers, softwork, islands) for kind in (ExactRows, ManyRows)]
        self._link, self._inverse_mass = movers.bodies.link, movers.bodies.inverse_mass
        self.pushed_out = 0.0
        """Work [J] of contacts that push out, since it was last set to zero."""
        self.contrary = 0.0
        """What sweeps have last changed at most [m/s], since it was last set to zero: much where rows contradict each other."""

    def exactly(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody], how: How, manner: int = FRAMED) -> bool:
        """With rows that are solved together: every iteration meets all of them as the blocks answer.

        Stiff solids are solved in their own frames; where they strain too much for that, by their
        second derivative; where that leads away, by local/global as others, which is what `manner` says.
        Returns False where rows could not be met, and everything is as it was before but for what contacts kept: forgotten.
        """
        borne, close, change, last, first = self.softwork.state.impulse[self.ties(i)], FIRST_ROWS, np.inf, np.inf, 0.0
        manner = self._hold(exact, i, things, how, manner)
        for k in range(max(one.thing.iterations for one in things)):
            before = [one.block.work.place.copy() for one in things]
            if self._meet(exact, i, things, how, k == 0, close, change > last) > CONTRARY:
                self._start_again(i, things, borne)
                return False
            last, change = change, max(
                float(np.abs(one.block.work.place - at).max()) for one, at in zip(things, before, strict=True)) / how.h
            first = first or change
            if any(one.block.strays() for one in things) or (manner == STRAINED and not change < AWAY * first):
                self._start_again(i, things, borne)
                exact.forget()
                return self.exactly(exact, i, things, how, manner + 1)
            if change < CLOSE_TOUCHED:
                break
            close = min(close, max(CLOSE_ROWS, CLOSE_SHARE * change))
            again = k % 2 and change > SLOW * last and (exact.touches_alone or k < AT_FIRST)
            if [one for one in things if one.block.turn_on() or (again and one.block.strain_on(True))]:
                exact.forget()
        self._carry(i, how)
        self._push(things)
        self._arrive(i, things, how, change)
        self._relax(exact, i, things, how.h)
        return True

    def _relax(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody], h: float) -> None:
        """Let rows leave speeds without pushing out.

        Where a drive that bodies were answered with comes to its bound by that it holds no more: from there, again.
        """
        places = [*self._kept(i), (self.row.pull, self.carriers.movers), *((self.row.pull, one.thing.movers) for one in things)]
        before = [array[mine].copy() for array, mine in places]
        if self.carriers.drives_change(i):
            self._answer_anew(exact, i, things)
        change = np.zeros_like(self.row.pull)
        exact.go_on(change)
        while not self.carriers.answer_relaxed(i, lambda: exact.solve(h, True, CLOSE_ROWS)):  # each time fewer hold
            for (array, mine), kept in zip(places, before, strict=True):
                array[mine] = kept
            self.carriers.stop_drives(i)
            self._answer_anew(exact, i, things)
            change += self.carriers.react()
            exact.go_on(change)
        for one in things:
            one.kick(self.row.pull[one.thing.movers, :3])

    def _answer_anew(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody]) -> None:
        """How rows answer now that other drives hold."""
        self._answer(exact, i, len(self.carriers.leaning) > 0, True)
        exact.fill(things)

    def _arrive(self, i: int, things: list[SoftBody], how: How, change: float) -> None:
        """Move all that island `i` holds to where its substep leads, which the last iteration `change`d by so much [m/s]."""
        for one in things:
            one.residual = max(one.residual, change)
            one.move()
        self.pushed_out += self.rows.move(i, how.h)
        self.carriers.relax(i, how.h, how.iterations, how.tolerance)

    def _hold(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody], how: How, manner: int) -> int:
        """Begin the iterations with what rows have kept; returns in which manner."""
        h = how.h
        self._turn(exact, i, h, False)
        if any(one.thing.method == "position" for one in things):
            self.forget(i)
        self.rows.start(i)
        framed = manner == FRAMED and exact.frames(things)
        if [one for one in things if one.hold(h, self.row.pull[one.thing.movers, :3], framed)]:
            exact.forget()
        if manner <= STRAINED and not any(one.block.turn is not None for one in things):
            if not exact.touches_alone:
                self.carriers.solve(i, *how)  # how what holds them turns
            manner = STRAINED if [one for one in exact.stiff_ones(things) if one.block.take_strain(True, True)] else PLAIN
            if exact.differs(things):
                exact.forget()
        if exact.turns(things) and [one for one in things if one.block.take_turns()]:
            exact.forget()
        self.heft.weigh(things, h)
        return manner

    def _meet(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody], how: How, first: bool, close: float,
              away: bool) -> float:
        """One iteration of all blocks, then of the rows; returns how much these contradict each other [m/s].

        `away`: the last one has changed more than the one before.
        """
        roped = bool(self.heft.groups)
        if first or not roped:
            self.carriers.solve(i, *how)
        if not roped:
            other = self.carriers.lets_go(i, away)
            if first or other:
                self._answer(exact, i, first, other)
            exact.fill(things)
        for one in things:
            one.iterate_held()
        if roped:
            self._carry(i, how)
            self._push(things)
            # Ropes answer as they are drawn just now, and with what they hold: a slack one alone may answer the wrong way.
            self.carriers.answer(i, exact.bodies)
            exact.forget_bodies()
            exact.fill(things)
        contrary = exact.solve(how.h, False, close)
        if contrary <= CONTRARY:
            self._push(things)
            self._turn(exact, i, how.h, True)
        return contrary

    def _turn(self, exact: ExactRows | ManyRows, i: int, h: float, pulls: bool) -> None:
        """Levers of ties where their bodies are believed to end the substep; beside ropes, where these have begun to turn."""
        if not (pulls and self.heft.groups):
            self.rows.turn(i, h, pulls)
        exact.place(i, not pulls)

    def _answer(self, exact: ExactRows | ManyRows, i: int, first: bool, other: bool) -> None:
        """How bodies answer, at `first` also by what they lie on; rows are filled anew where that is `other` than before."""
        leant = len(self.carriers.leaning) > 0
        self.carriers.answer(i, exact.bodies)
        if (first and exact.touches_alone and self.carriers.lean(i, exact.bodies)) or leant or other:
            exact.forget()

    def _push(self, things: list[SoftBody]) -> None:
        """Let blocks answer what rows have done by now."""
        for one in things:
            one.push(self.row.pull[one.thing.movers, :3])

    def _carry(self, i: int, how: How) -> None:
        """Solve the bodies, those of trees with ropes together with what is tied to them."""
        self.heft.ask()
        self.carriers.solve(i, *how)
        self.heft.book()

    def ties(self, i: int) -> np.ndarray:
        """Numbers of the ties of island `i`."""
        return self.islands.tie[self.islands.first_tie[i]:self.islands.first_tie[i + 1]]

    def _start_again(self, i: int, things: list[SoftBody], borne: np.ndarray) -> None:
        """Back to the start of the iterations of a substep, where ties had `borne` so much, without what contacts kept."""
        self.softwork.state.impulse[self.ties(i)] = borne
        self.row.pull[self.carriers.movers] = 0.0
        for one in things:
            self.row.pull[one.thing.movers] = 0.0
            one.start_again()
        self.carriers.start_again(i)
        self.rows.place(i, False)
        self.forget(i)

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
            self._start_again(i, things, kept[0])
            for (array, mine), before in zip(self._kept(i), kept, strict=True):
                array[mine] = before
            return False
        self.contrary = max(self.contrary, left)
        self.heft.weigh_alone(self.row.answer, how.h)
        self._carry(i, how)
        self._arrive(i, things, how, change)
        while not self.carriers.answer_relaxed(i, lambda: self.rows.sweep(i, how.h, LAST_PASSES, how.tolerance, True)):
            self.carriers.answer(i, bodies)
            self.rows.prepare(i)
        return True

    def _kept(self, i: int) -> list[tuple[np.ndarray, slice | np.ndarray]]:
        """Where impulses of ties and contacts of island `i` are kept: arrays, and which places of them."""
        first, last = self.islands.first_touch[i:i + 2]
        touch = self.islands.touch[first:last]
        return [(self.softwork.state.impulse, self.ties(i)), (self.row.contact[:, IMPULSES:IMPULSES + 3], touch)]

    def _bears_little(self, i: int, how: How) -> bool:
        """Whether no contact of island `i` with what moves would give the vertices that it pushes more speed than BORNE
        substeps of gravity, but for those whose push goes through them to what bears it."""
        touch = self.islands.touch[self.islands.first_touch[i]:self.islands.first_touch[i + 1]]
        touch = touch[(self.row.through[touch] < 0) & (self._inverse_mass[self.softwork.contacts.mover[touch, 0]] > 0.0)]
        mover, share = self.softwork.contacts.mover[touch], self.softwork.contacts.weight[touch]
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

    def forget(self, i: int) -> None:
        """Start without the impulses kept: position based dynamics has no forces that would balance them."""
        first, last = self.islands.first_touch[i:i + 2]
        self.row.contact[self.islands.touch[first:last], IMPULSES:IMPULSES + 3] = 0.0
