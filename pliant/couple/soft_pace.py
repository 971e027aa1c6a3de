"""How many substeps islands with cloth and solids take: more for a while where sweeps have left much open, or energy came.

Iterations of a stiff sheet that turns over an edge come slowly, and what they leave open is energy that nobody brought in. In
half the time it turns half as far, and resists a quarter as much.
"""

import numpy as np

from ..model.soft_contacts import SoftContacts, TieState
from ..model.soft_things import SoftState

LOOSE = 0.03
"""Sweeps that still change a velocity by more [m/s] at last ask for twice the substeps. A cotton sheet of 4 cm cells over a
table's edge leaves 0.05 to 0.16 in one substep, up to 0.09 in two, 0.015 in four; of 2 cm cells on a ball 0.015 in one."""
MOST = 4
"""Times as many substeps as planned, at most."""
HOLD, QUIET = 5, 1.0 / 3.0
"""Steps in a row that leave open less than this share of it [-], after which half as many are tried: these leave some three
times as much, and the factor of a block is made anew with every change."""


class Pace:
    """How many times the planned substeps each thing takes, which is state, as of all islands."""

    def take(self, state: SoftState, contacts: SoftContacts, ties: TieState) -> None:
        """Follow the arrays of another state."""
        self._table, self._contacts, self._ties = state.pace, contacts, ties

    def of(self, numbers: list[int]) -> int:
        """Times as many as planned, of an island with these things."""
        return int(self._table[numbers, 0].max())

    def hasten(self, numbers: list[int]) -> None:
        """Take twice as many. Writes: state.pace"""
        self._table[numbers] = 2 * self.of(numbers), HOLD

    def settle(self, numbers: list[int], speed: float, keeps: bool, touch: np.ndarray, tie: np.ndarray) -> None:
        """Say how many the next step takes, after sweeps that left `speed` [m/s]; `keeps`: it may be more than planned.

        Writes: state.pace, and the impulses kept of these contacts and ties, which are of one substep
        """
        now, left = self.of(numbers), int(self._table[numbers, 1].max())
        wanted = 2 * now if speed > LOOSE else now // 2 if left == 0 else now
        following = min(max(wanted, 1), MOST) if keeps else 1
        self._table[numbers] = following, HOLD if speed > QUIET * LOOSE or following != now else max(left - 1, 0)
        if following != now:
            self._contacts.impulse[touch] *= now / following
            self._ties.impulse[tie] *= now / following
