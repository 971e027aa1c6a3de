"""A substep of one island with cloth and solids: its blocks, the bodies that carry them, and the rows between, in turn.

Each iteration solves the bodies and every soft block with the impulses of the rows between them, then those rows: as the
blocks truly answer, by a matrix where rows are few (exact.py), by products where they are many and of solids alone
(many.py), so that every iteration is the least of the blocks' quadratic models under all rows. Other rows are swept
(swept.py).
"""

import numpy as np

from ...solvers.projective.strained import AWAY, SLOW
from ...solvers.rows.dense_contacts import CONTRARY
from .body import SoftBody
from .common import CLOSE_TOUCHED, How
from .exact import ExactRows
from .many import ManyRows
from .swept import SweptSubstep

CLOSE_ROWS, FIRST_ROWS, CLOSE_SHARE = 1e-7, 1e-4, 0.01
"""How near [m/s] rows that are solved exactly come: at last, in the first iteration, and after one as a share of what it has
changed [-]."""
AT_FIRST = 4
"""Iterations within which the second derivative of what is tied is made anew: later ones wait for the bodies that hold it, and
for a tyre of 288 vertices, 96 of them tied, every new one takes 20 ms."""
FRAMED, STRAINED, PLAIN = range(3)
"""Manners in which stiff solids are solved: in frames of their own, by their second derivative, by local/global."""


class SoftSubstep(SweptSubstep):
    """Those of all islands: with rows that are solved together, or swept."""

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
            if self._meet(exact, i, things, how, k == 0, close, change > last) > CONTRARY or self.overloads(i):
                self._start_again(i, things, borne, how.h)
                return False
            last, change = change, max(
                float(np.abs(one.block.work.place - at).max()) for one, at in zip(things, before, strict=True)) / how.h
            first = first or change
            if any(one.block.strays() for one in things) or (manner == STRAINED and not change < AWAY * first):
                self._start_again(i, things, borne, how.h)
                exact.forget()
                return self.exactly(exact, i, things, how, manner + 1)
            if change < CLOSE_TOUCHED and (self.heft.groups or not self.carriers.drives_give_way(i, *how)):
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
        change = self.carriers.late.copy()
        exact.go_on(change)
        while not self.carriers.answer_relaxed(i, lambda: exact.solve(h, True, CLOSE_ROWS)):  # each time fewer hold
            for (array, mine), kept in zip(places, before, strict=True):
                array[mine] = kept
            self.carriers.stop_drives(i)
            self._answer_anew(exact, i, things)
            change += self.carriers.react() - self.carriers.late
            self.carriers.late[:] = 0.0
            exact.go_on(change)
        for one in things:
            one.kick(self.row.pull[one.thing.movers, :3])

    def _answer_anew(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody]) -> None:
        """How rows answer now that other drives hold."""
        self._answer(exact, i, len(self.carriers.leaning) > 0, True)
        exact.fill(things)

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
