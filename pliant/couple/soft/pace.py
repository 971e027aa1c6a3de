"""How many substeps islands with cloth and solids take: more for a while where sweeps have left much open, or energy came.

Iterations of a stiff sheet that turns over an edge come slowly, and what they leave open is energy that nobody brought in. In
half the time it turns half as far, and resists a quarter as much. Each island has a plan of its own, by what is in it.
"""

import numpy as np

from ...model.bodies import DRIVEN, DYNAMIC, Bodies
from ...model.sets import Softwork
from ...model.soft_things import VERTEX

LOOSE = 0.03
"""Sweeps that still change a velocity by more [m/s] at last ask for twice the substeps. A cotton sheet of 4 cm cells over a
table's edge leaves 0.05 to 0.16 in one substep, up to 0.09 in two, 0.015 in four; of 2 cm cells on a ball 0.015 in one."""
MOST = 4
"""Times as many substeps as planned, at most."""
HOLD, QUIET = 5, 1.0 / 3.0
"""Steps in a row that leave open less than this share of it [-], after which half as many are tried: these leave some three
times as much, and the factor of a block is made anew with every change."""
WANTED, LEFT, TAKEN, SUNK = range(4)
"""Columns of the state's table."""
PROBE = 1
"""Of steps in which nothing is to be pushed out, what is left when that is tried again."""


def hardly_moved(bodies: Bodies, movers: np.ndarray, joints: int, solids: bool) -> bool:
    """Whether of `movers` nothing but soft things moves, or beside cloth alone bodies that are loose and each heavier than all
    of it.

    What is driven may pinch, and what lies on `solids` is borne by their strain: both want shorter substeps.
    """
    soft, moving = bodies.link[movers] == VERTEX, bodies.kind[movers] == DYNAMIC
    others = bodies.mass[movers[moving & ~soft]]
    if ((bodies.kind[movers] == DRIVEN) & ~soft).any():
        return False
    return not len(others) or (joints == 0 and not solids and bool(others.min() > bodies.mass[movers[moving & soft]].sum()))


class Pace:
    """How many substeps the island of each thing takes, which is state, as of all islands."""

    def take(self, softwork: Softwork, table: np.ndarray, first: np.ndarray) -> None:
        """Follow the arrays of another state; `first` (t,): movers of the first vertices of things."""
        self._table, self._first = table, first
        contacts, ties = softwork.contacts, softwork.ties
        self._kept = (contacts.impulse, contacts.mover[:, 3]), (softwork.state.impulse, ties.mover[:, 1])

    def of(self, numbers: list[int], planned: int) -> int:
        """How many an island with these things takes that is planned with so many: more for a while, if it has taken more."""
        return max(int(self._table[numbers, WANTED].max()), planned)

    def hasten(self, numbers: list[int], planned: int, times: int, sunk: bool) -> None:
        """Take twice as many, so many times; what is `sunk` is left so for a while, for pushed out it gained.

        Writes: state.pace
        """
        if times:
            self._table[numbers, :TAKEN] = 2**times * self.of(numbers, planned), HOLD
        self._table[numbers, SUNK] = PROBE + HOLD if sunk else 0.0

    def sunk(self, numbers: list[int]) -> bool:
        """Whether what has sunk in is not to be pushed out."""
        return bool(self._table[numbers, SUNK].max() > PROBE)

    def probes(self, numbers: list[int]) -> bool:
        """Whether it is pushed out again for the first time."""
        return bool(self._table[numbers, SUNK].max() == PROBE)

    def begin(self, numbers: list[int], count: int, rows: tuple[np.ndarray, np.ndarray]) -> None:
        """Begin a step in `count` substeps, with these contacts and ties.

        Writes: state.pace, and the impulses they have kept, which are of one substep
        """
        for (impulse, mover), mine in zip(self._kept, rows, strict=True):
            share = self._table[np.searchsorted(self._first, mover[mine], side="right") - 1, TAKEN] / count
            if (share != 1.0).any():
                impulse[mine] *= share[:, None]
        self._table[numbers, TAKEN] = count

    def settle(self, numbers: list[int], planned: int, speed: float, keeps: bool) -> None:
        """Say how many the next step takes, after sweeps that left `speed` [m/s]; `keeps`: it may be more than planned.

        Writes: state.pace
        """
        now, left = self.of(numbers, planned), int(self._table[numbers, LEFT].max())
        wanted = 2 * now if speed > LOOSE else now // 2 if left == 0 else now
        following = min(max(wanted, planned), MOST * planned) if keeps else planned
        busy = speed > QUIET * LOOSE or following != now or now == planned
        self._table[numbers, :TAKEN] = following, HOLD if busy else max(left - 1, 0)
        self._table[numbers, SUNK] = max(self._table[numbers, SUNK].max() - 1.0, 0.0)
