"""Rows of islands that touch soft things at few enough vertices, solved with what these truly answer.

The columns of the inverse of every block's constant matrix say how all touched vertices answer each other. With them the
rows are one dense system: ties are eliminated from it, contacts are solved as solvers/rows/dense_contacts.py says. So every
iteration of a block ends where all its rows are met, and is the least of the block's quadratic model under them.
"""

from math import sqrt

import numpy as np

from ..._jit import bind, foresee
from ...math.definite_inverse import inverse
from ...model.islands import Islands
from ...model.schema import allocate
from ...model.sets import Movers, Softwork
from ...model.soft_matrix import RowMatrix, RowTable
from ...model.soft_things import VERTEX
from ...solvers.projective.block import OFF
from ...solvers.rows.dense_contacts import ENTRIES, EVEN, DenseContacts
from .body import SoftBody
from .matrix import add_along, fill_matrix, list_rows, push_rows, read_rows
from .pressed import cloth_of, pressed

MOST_CONTACTS, MOST_OF_STIFF, MOST_BESIDE_CLOTH, MOST_OF_CLOTH, MORE_BLOCKS = 300, 150, 100, 64, 100
"""Contacts up to which a dense system pays between solids; where all of them are so stiff that rows have an inverse; where
there is cloth too; and where there is cloth alone: it is light, so that sweeps do well. Blocks of three rows, ties among them,
may be so many more. By products four blocks of rubber, 5 and 10 cm cells in turn, took 400 ms a step at 100 to 130 contacts,
as a dense system 11; four jellies of 4 x 4 x 4 cells under a plank, at 236, 800 and 100; a box that tips off a pad of 1e8 Pa
took 460 ms by the inverse while it landed, 230 so. Cloth that is pressed (pressed.py) takes as many as solids: a ball on a
sheet on a jelly took 600 ms at 170 to 230, and seconds where products did not meet them, 40 so."""
VERY_STIFF = 1e5
"""How many times more than inertia elements resist [-] from which on many rows have an inverse (inverse.py)."""
MOST_OF_SMALL, SMALL, FIRM = 600, 400, 1e4
"""Contacts up to which it pays between solids of so many vertices in all, none of them so stiff [-]: most of the many points of
a relief that may touch do not push. A ball of 163 vertices takes 34 and 18 ms a step, by products 75 and 36; the scene
`crash-plain`, while its cars collide at 330 to 490 points, 58 and 190."""
ASIDE = 0.02
"""How far levers of ties may turn from where it was found how rows answer [rad]; less where the square of that angle times how
hard what is tied is would be above OFF: what bodies answer along levers of elsewhere looks as if ties that only strain it gave
way, and an error comes back as many times."""
STRAINED = 100.0
"""How many times more than inertia elements resist [-] from which on the second derivative of a touching solid pays; with a
relief it is round more often than not, and local/global would not let it roll."""


class ListedRows:
    """The rows of one island at a time, written down in a table."""

    stiff = np.inf
    """How many times more the elements of a solid resist than its inertia does, so that its own frame pays [-]."""
    tries = False
    """Whether sweeps are tried first, and taken where they leave little."""

    def __init__(self, movers: Movers, softwork: Softwork, islands: Islands) -> None:
        self._movers, self._softwork, self._islands = movers, softwork, islands
        self._port_of = np.full(len(movers.bodies.link), -1, np.int32)
        self._ports = np.zeros(0, np.int64)
        self._ties = self._blocks = self._touches = self._room = 0
        self._strained: list[int] = []
        self._filled_with, self._aside = np.zeros((0, 3)), ASIDE
        self._bind(32)

    def frames(self, things: list[SoftBody]) -> bool:
        """Whether solids that are seen in frames are solved in them."""
        return True

    def turns(self, things: list[SoftBody]) -> bool:
        """Whether it asks blocks how vertices answer each other, and what turns these is to be answered exactly."""
        return False

    def stiff_ones(self, things: list[SoftBody]) -> list[SoftBody]:
        """Those that may be solved by their second derivative."""
        return [one for one in things if not one.grabbed and one.block.stiff >= max(
            self.stiff, 0.0 if len(one.thing.model.volumes.cell) else STRAINED)] if self.frames(things) else []

    def takes(self, touch: np.ndarray, tie: np.ndarray, things: list[SoftBody]) -> bool:
        """Whether it is meant for these contacts and ties between these things."""
        raise NotImplementedError

    def take(self, i: int, things: list[SoftBody]) -> bool:
        """Take up the rows of island `i` in a new step, if it is meant for them."""
        lists, contacts = self._islands, self._softwork.contacts
        touch = lists.touch[lists.first_touch[i]:lists.first_touch[i + 1]]
        tie = lists.tie[lists.first_tie[i]:lists.first_tie[i + 1]]
        if not self.takes(touch, tie, things):
            return False
        found = np.unique(np.concatenate([contacts.mover[touch].ravel(), self._softwork.ties.mover[tie].ravel()]))
        found = found[found >= 0]
        free = (self._movers.bodies.link[found] == VERTEX) & (self._movers.bodies.inverse_mass[found] > 0.0)
        ports = found[free].astype(np.int64)
        bodies = found[self._movers.bodies.link[found] != VERTEX]
        self.bodies = bodies[lists.label[bodies] == i]
        """Those that rows push."""
        needed = max(len(ports), len(touch) + len(tie))
        if needed > self._room:
            self._bind(needed + needed // 4)
        self._port_of[self._ports] = -1
        self._port_of[ports] = np.arange(len(ports))
        self._ports, self._touches, self._filled = ports, len(touch), False
        return True

    @property
    def touches_alone(self) -> bool:
        """Whether nothing is tied."""
        return self._ties == 0

    def place(self, i: int, first: bool) -> None:
        """Levers and directions, at `first` of a substep and after each of its iterations."""
        self._ties = self._list(i)
        self._blocks = self._ties + self._touches
        arm, before = self._table.arm[:self._ties], self._filled_with
        if self._filled and (((arm - before) ** 2).sum(axis=-1) > self._aside**2 * (arm**2).sum(axis=-1)).any():
            self.forget()

    def fill(self, things: list[SoftBody]) -> None:
        """How rows answer each other, once bodies have said how they answer; once a step."""
        if not self._filled:
            self._filled, self._filled_with = True, self._table.arm[:self._ties].copy()
            self._strained = [one.block.made for one in things]
            self._aside = min(ASIDE, sqrt(OFF / max(1.0, *(one.block.hard for one in things))))
            self._find_answers(things)

    def go_on(self, change: np.ndarray) -> None:
        """Let ties, relaxed, go on as they did before the velocities (b, 6) of their bodies were given this `change`."""
        table, ties = self._table, self._ties
        given = np.where(table.body[:ties, None] >= 0, change[table.body[:ties]], 0.0)
        table.speed[:ties] = -given[:, :3] - np.cross(given[:, 3:], table.arm[:ties])

    def differs(self, things: list[SoftBody]) -> bool:
        """Whether some of them are solved by other second derivatives than when it was found how rows answer."""
        return self._strained != [one.block.made for one in things]

    def forget(self) -> None:
        """Blocks answer otherwise from now on."""
        self._filled = False

    def forget_bodies(self) -> None:
        """Bodies answer otherwise from now on: nothing is kept of that here."""

    def _find_answers(self, things: list[SoftBody]) -> None:
        raise NotImplementedError

    def pieces(self, things: list[SoftBody]) -> list[tuple[SoftBody, slice, np.ndarray]]:
        """Each thing that has ports: which ports are its own, and which of its vertices these are."""
        out = []
        for one in things:
            first, last = np.searchsorted(self._ports, (one.thing.first, one.thing.first + len(one.thing.mass)))
            if last > first:
                out.append((one, slice(first, last), self._ports[first:last] - one.thing.first))
        return out

    def _bind(self, room: int) -> None:
        """Room for so many ports and blocks."""
        self._room = room
        self._table = allocate(RowTable, r=room)
        movers, softwork = self._movers, self._softwork
        self._list = bind(list_rows, movers, softwork, self._islands, self._table, self._port_of)
        self._read = bind(read_rows, movers, softwork, self._table)
        self._push = bind(push_rows, movers, softwork, self._table)


class ExactRows(ListedRows):
    """Few rows, as one dense system."""

    stiff = 30.0
    _rows: RowMatrix

    def __init__(self, movers: Movers, softwork: Softwork, islands: Islands) -> None:
        super().__init__(movers, softwork, islands)
        self._contacts: DenseContacts
        self._solved: tuple[slice | None, RowTable | None] = (None, None)
        """Which rows of which table the contacts are solved by."""
        for one in ENTRIES:
            foresee(one)

    def turns(self, things: list[SoftBody]) -> bool:
        """Where some are tied, or nothing from outside bears them."""
        return self._ties > 0 or any(one.adrift for one in things)

    def takes(self, touch: np.ndarray, tie: np.ndarray, things: list[SoftBody]) -> bool:
        """Few rows."""
        cloth = cloth_of(things)
        if len(cloth) == len(things):
            return len(touch) + len(tie) <= MOST_OF_CLOTH
        most = MOST_CONTACTS
        if cloth and not (len(touch) > MOST_BESIDE_CLOTH and pressed(self._movers, self._softwork.contacts, touch, cloth)):
            most = MOST_BESIDE_CLOTH
        elif all(one.block.stiffer >= VERY_STIFF for one in things):
            most = MOST_OF_STIFF
        elif sum(len(one.thing.mass) for one in things) <= SMALL and all(one.block.stiff < FIRM for one in things):
            most = MOST_OF_SMALL
        return len(touch) <= most and len(touch) + len(tie) <= most + MORE_BLOCKS

    def forget_bodies(self) -> None:
        """Bodies answer otherwise from now on, which the matrix is to have."""
        self.forget()

    def _find_answers(self, things: list[SoftBody]) -> None:
        count, t = len(self._ports), 3 * self._ties
        gain, pieces = self._rows.gain, self.pieces(things)
        gain[:count, :count] = 0.0
        for one, mine, vertices in pieces:
            if one.block.turn is None:
                gain[mine, mine] = one.block.gains(vertices)
        self._fill(self._blocks, count)
        whole = self._rows.matrix[:3 * self._blocks, :3 * self._blocks]
        for one, mine, vertices in pieces:
            if one.block.turn is not None:
                self._add_along(mine, one.block.gains_along(vertices))
        contacts, friction = whole[t:, t:], self._table.friction[self._ties:self._blocks]
        if t:
            held = whole[:t, :t].copy()
            held[np.diag_indices(t)] += EVEN * held.diagonal().max()
            self._hold = inverse(held)
            self._across = whole[t:, :t]
            self._drawn = self._hold @ self._across.T
            contacts = contacts - self._across @ self._drawn
        rows = slice(self._ties, self._blocks)
        if self._touches and self._solved[0] == rows and self._solved[1] is self._table:
            self._contacts.renew(contacts, friction)
        elif self._touches:
            self._contacts = DenseContacts(contacts, friction, self._table.speed[rows], self._table.impulse[rows])
            self._solved = rows, self._table

    def _add_along(self, mine: slice, gain: np.ndarray) -> None:
        """Add how a block answers along all rows where x, y and z of its ports `mine` answer each other by `gain`."""
        if len(gain) > len(self._rows.along):
            self._rows = self._rows._replace(along=np.zeros((2 * len(gain), 2 * len(gain))))
            self._add = bind(add_along, self._table, self._rows)
        self._rows.along[:len(gain), :len(gain)] = gain
        self._add(self._blocks, mine.start, mine.stop)

    def solve(self, h: float, relaxed: bool, close: float) -> float:
        """Meet all rows as the blocks answer; `relaxed` without pushing out; returns the last change of contacts [m/s].

        Writes: impulses, pulls, velocities of bodies
        """
        table, ties, blocks = self._table, self._ties, self._blocks
        self._read(ties, blocks, h, relaxed)
        speed, impulse = table.speed[ties:blocks], table.impulse[ties:blocks]
        before, left = impulse.copy(), 0.0
        if ties:
            held = self._hold @ table.speed[:ties].ravel()
            speed -= (self._across @ held).reshape(-1, 3)
        if len(impulse):
            left = self._contacts.solve(close)
        table.change[ties:blocks] = impulse - before
        if ties:
            table.change[:ties] = -(held + self._drawn @ table.change[ties:blocks].ravel()).reshape(-1, 3)
        self._push(ties, blocks)
        return left

    def _bind(self, room: int) -> None:
        super()._bind(room)
        self._rows = allocate(RowMatrix, p=room, k=3 * room, a=96)
        self._fill = bind(fill_matrix, self._softwork, self._table, self._rows)
        self._add = bind(add_along, self._table, self._rows)
