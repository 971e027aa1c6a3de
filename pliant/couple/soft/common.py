"""What all substeps of islands with cloth and solids share: their arrays, how bodies are carried along, how all arrive."""

from typing import NamedTuple

import numpy as np

from ...model.islands import Islands, Outcome
from ...model.sets import Linkage, Movers, Softwork
from ...model.soft_contacts import IMPULSES, SOFTNESS
from ...solvers.rows.soft_contact import PUSH_SPEED
from .body import SoftBody
from .carriers import Carriers
from .exact import ExactRows
from .heft import Heft
from .many import ManyRows
from .rows import SoftRowSet

CLOSE_TOUCHED = 1e-6
"""Iterations that change no velocity by more [m/s] are the last of a substep where there are rows."""


class How(NamedTuple):
    """How bodies are taken through a substep of `h` [s]."""

    h: float
    iterations: int
    tolerance: float
    gravity: tuple
    drag: float


class CommonSubstep:
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

    def ties(self, i: int) -> np.ndarray:
        """Numbers of the ties of island `i`."""
        return self.islands.tie[self.islands.first_tie[i]:self.islands.first_tie[i + 1]]

    def overloads(self, i: int) -> bool:
        """Whether contacts of what is squeezed in island `i`, which only sweeps let give way, bear so much that they would
        give way faster than anything is pushed out."""
        touch = self.islands.touch[self.islands.first_touch[i]:self.islands.first_touch[i + 1]]
        return bool((self.row.contact[touch, SOFTNESS] * self.row.contact[touch, IMPULSES] > PUSH_SPEED).any())

    def _kept(self, i: int) -> list[tuple[np.ndarray, slice | np.ndarray]]:
        """Where impulses of ties and contacts of island `i` are kept: arrays, and which places of them."""
        first, last = self.islands.first_touch[i:i + 2]
        touch = self.islands.touch[first:last]
        return [(self.softwork.state.impulse, self.ties(i)), (self.row.contact[:, IMPULSES:IMPULSES + 3], touch)]

    def forget(self, i: int) -> None:
        """Start without the impulses kept: position based dynamics has no forces that would balance them."""
        first, last = self.islands.first_touch[i:i + 2]
        self.row.contact[self.islands.touch[first:last], IMPULSES:IMPULSES + 3] = 0.0

    def _start_again(self, i: int, things: list[SoftBody], borne: np.ndarray, h: float) -> None:
        """Back to the start of the iterations of a substep `h` [s], where ties had `borne` so much; contacts kept nothing."""
        self.softwork.state.impulse[self.ties(i)] = borne
        self.row.pull[self.carriers.movers] = 0.0
        for one in things:
            self.row.pull[one.thing.movers] = 0.0
            one.start_again()
        self.carriers.start_again(i)
        self.rows.place(i, False, h)
        self.forget(i)

    def _push(self, things: list[SoftBody]) -> None:
        """Let blocks answer what rows have done by now."""
        for one in things:
            one.push(self.row.pull[one.thing.movers, :3])

    def _carry(self, i: int, how: How) -> None:
        """Solve the bodies, those of trees with ropes together with what is tied to them."""
        self.heft.ask()
        self.carriers.solve(i, *how)
        self.heft.book()

    def _arrive(self, i: int, things: list[SoftBody], how: How, change: float) -> None:
        """Move all that island `i` holds to where its substep leads, which the last iteration `change`d by so much [m/s]."""
        for one in things:
            one.residual = max(one.residual, change)
            one.move()
        self.pushed_out += self.rows.move(i, how.h)
        self.carriers.relax(i, how.h, how.iterations, how.tolerance)
