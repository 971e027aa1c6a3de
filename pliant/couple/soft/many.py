"""Rows of islands in which solids touch at many vertices, solved with what these truly answer, as exact.py does for few.

How rows answer each other is known as a product alone: impulses along rows become impulses on vertices and bodies, every
block answers them with its constant factor, and the speeds along rows are read off. Its inverse is about what the touched
vertices resist each other, exactly so where few of a thing are touched and all of them stick (FETI's two preconditioners).
"""

import numpy as np

from ..._jit import bind, entry, foresee
from ...math.vec3 import add, add_scaled, cross, dot, load, scale, store, sub
from ...model.islands import Islands
from ...model.schema import allocate
from ...model.sets import Movers, Softwork
from ...model.soft_matrix import RowProducts, RowTable
from ...solvers.rows.many_contacts import EVEN, ManyContacts, eased_rows, find_off, find_states, newton_rows
from ...solvers.rows.soft_contact import answer_of
from ..ports import load_at, store_at
from .body import SoftBody
from .exact import VERY_STIFF, ListedRows
from .inverse import RowInverse
from .pressed import cloth_of, pressed

FEW_PORTS = 160
"""Touched vertices of a thing up to which the inverse of their answers is made."""
LABOUR = 300
"""Products of a substep, or as many as vertices are touched, after which every solve of its rows takes one step of Newton's
method at most: a pad of 1323 vertices that a weight of 500 kg fell on was given up with 300, and lay still with 600."""

PATIENT = 2
"""How many times as many where rows have an inverse: given up, stiff solids are never solved."""
MOST_BODIES = 16
"""Bodies that an inverse is made with at most."""
MOST_PRESSED, MOST_VERTICES = 800, 1500
"""Contacts and vertices of islands with cloth up to which they are solved at once where it is pressed."""
EVEN_INVERSE = 1e-4
"""Evenness of rows between soft things that have an inverse [-]: their vertices lie on each other's triangles and bear the same
twice, and what they bear against each other would wander."""


class ManyRows(ListedRows):
    """Many rows, with products in place of a matrix."""

    def __init__(self, movers: Movers, softwork: Softwork, islands: Islands) -> None:
        super().__init__(movers, softwork, islands)
        for one in (find_off, find_states, newton_rows, eased_rows):
            foresee(one)
        self._spent = 0
        """Products of this substep so far."""

    stiff = VERY_STIFF
    """Less stiff ones do as well without, in a third of the time: pads of 1323 vertices under 500 kg up to 2.5 times that."""

    def frames(self, things: list[SoftBody]) -> bool:
        """Where all of them are very stiff solids that few bodies touch: then rows have an inverse."""
        return len(self.bodies) <= MOST_BODIES and all(
            one.block.stiffer >= self.stiff and one.block.seen is not None and not one.grabbed for one in things)

    def takes(self, touch: np.ndarray, tie: np.ndarray, things: list[SoftBody]) -> bool:
        """Rows of solids, and of cloth that is pressed between others: else sweeps do well, and bear contradictions better."""
        cloth = cloth_of(things)
        self.tries = len(cloth) == len(things)
        if not cloth:
            return True
        small = len(touch) <= MOST_PRESSED and sum(len(one.thing.mass) for one in things) <= MOST_VERTICES
        return small and all(one.thing.method == "projective" for one in things) and (
            pressed(self._movers, self._softwork.contacts, touch, cloth))

    def place(self, i: int, first: bool) -> None:
        """Levers and directions, at `first` of a substep."""
        super().place(i, first)
        self._spent = 0 if first else self._spent

    def _find_answers(self, things: list[SoftBody]) -> None:
        self._pieces = self.pieces(things)
        self._whole = [np.zeros((len(one.thing.mass), 3)) for one, _, _ in self._pieces]
        self._resist = [one.block.resisting(vertices, FEW_PORTS) for one, _, vertices in self._pieces]
        blocks, work, table, rows = self._blocks, self._products, self._table, slice(self._blocks)
        work.impulse[:len(self._ports)] = 1.0
        self._blocks_answer()
        own = np.zeros(len(self._ports) + 1)  # the last: of no port
        for one, mine, vertices in self._pieces:
            own[mine] = one.block.alone(vertices) + work.velocity[mine].mean(axis=1) / len(vertices)
        squares = np.where(table.port[rows] >= 0, table.share[rows], 0.0) ** 2
        soft = squares.sum(axis=1)
        self._find_own(blocks)
        whole = (squares * own[table.port[rows]]).sum(axis=1) + work.turned[rows, 0]
        self._scale = np.where(soft > 0.0, 1.0 / np.maximum(soft, 1e-12), 0.0)[:, None]
        self._rigid = np.where(soft > 0.0, 0.0, 1.0 / np.maximum(whole, 1e-12))[:, None]
        inverts = self._inverts()
        even = EVEN_INVERSE if inverts and (table.body[rows] < 0).any() else EVEN
        self._contacts = ManyContacts(self._answer, self._ease, whole, table.friction[rows], self._ties, table.speed[rows],
                                      table.impulse[rows], even)
        if inverts:
            self._contacts.inverse = RowInverse(table, blocks, self._pieces, self._softwork.work.response, self.bodies,
                                                even * float(whole.max(initial=0.0)))

    def _inverts(self) -> bool:
        """Whether rows have an inverse: of very stiff solids, and of cloth that is pressed."""
        if not self._pieces or self._ties or len(self.bodies) > MOST_BODIES:
            return False
        return all(one.block.turn is not None for one, _, _ in self._pieces) or any(
            not len(one.thing.model.cells.vertex) for one, _, _ in self._pieces)

    def solve(self, h: float, relaxed: bool, close: float) -> float:
        """Meet all rows as the blocks answer; `relaxed` without pushing out; returns how much they contradict each other [m/s].

        Writes: impulses, pulls, velocities of bodies
        """
        table, ties, blocks = self._table, self._ties, self._blocks
        self._read(ties, blocks, h, relaxed)
        impulse = table.impulse[:blocks]
        impulse[:ties] = 0.0
        before, used = impulse.copy(), self._contacts.products
        labour = max(LABOUR, len(self._ports)) * (1 if self._contacts.inverse is None else PATIENT)
        contrary = self._contacts.solve(close, labour - self._spent, self._spent == 0)
        self._spent += self._contacts.products - used
        table.change[:blocks] = impulse - before
        self._push(ties, blocks)
        return contrary

    def _answer(self, push: np.ndarray) -> np.ndarray:
        """Speeds along rows that impulses along rows make [m/s] (r, 3)."""
        work, blocks = self._products, self._blocks
        work.push[:blocks] = push
        self._gather(blocks, len(self._ports))
        self._blocks_answer()
        self._look(blocks, True)
        return work.turned[:blocks].copy()

    def _blocks_answer(self) -> None:
        work = self._products
        for (one, mine, vertices), whole in zip(self._pieces, self._whole, strict=True):
            whole[vertices] = work.impulse[mine]
            work.velocity[mine] = one.block.answer_to(whole)[vertices]

    def _ease(self, speed: np.ndarray) -> np.ndarray:
        """About the impulses along rows that make these speeds [N s] (r, 3)."""
        work, blocks = self._products, self._blocks
        np.multiply(speed, self._scale, out=work.push[:blocks])
        self._gather(blocks, len(self._ports))
        for (_, mine, _), resist in zip(self._pieces, self._resist, strict=True):
            work.velocity[mine] = resist(work.impulse[mine])
        self._look(blocks, False)
        return work.turned[:blocks] * self._scale + speed * self._rigid

    def _bind(self, room: int) -> None:
        super()._bind(room)
        self._products = allocate(RowProducts, p=room, r=room, b=len(self._port_of))
        self._gather = bind(gather_rows, self._table, self._products)
        self._look = bind(look_rows, self._softwork, self._table, self._products)
        self._find_own = bind(body_answers, self._softwork, self._table, self._products)


@entry
def gather_rows(table: RowTable, products: RowProducts, blocks: int, ports: int) -> None:
    """What impulses along rows are on ports and bodies. Writes: products.impulse, .pull"""
    for p in range(ports):
        store(products.impulse, p, (0.0, 0.0, 0.0))
    for r in range(blocks):
        if table.body[r] >= 0:
            store_at(products.pull, table.body[r], 0, (0.0, 0.0, 0.0))
            store_at(products.pull, table.body[r], 3, (0.0, 0.0, 0.0))
    for r in range(blocks):
        n = load_at(table.direction, r, 0)
        p = scale(products.push[r, 0], n)
        p = add_scaled(p, products.push[r, 1], load_at(table.direction, r, 3))
        p = add_scaled(p, products.push[r, 2], load_at(table.direction, r, 6))
        for c in range(6):
            k = table.port[r, c]
            if k >= 0:
                one = add_scaled(load(products.impulse, k), table.share[r, c], p)
                if table.tilts[r]:
                    tip = table.tip[r, 2 * c] * products.push[r, 1] + table.tip[r, 2 * c + 1] * products.push[r, 2]
                    one = add_scaled(one, tip, n)
                store(products.impulse, k, one)
        m = table.body[r]
        if m >= 0:
            store_at(products.pull, m, 0, sub(load_at(products.pull, m, 0), p))
            store_at(products.pull, m, 3, sub(load_at(products.pull, m, 3), cross(load(table.arm, r), p)))


@entry
def look_rows(softwork: Softwork, table: RowTable, products: RowProducts, blocks: int, bodies: bool) -> None:
    """Speeds along rows from velocities of ports, and of `bodies` by their pulls. Writes: products.turned"""
    for r in range(blocks):
        u, m, n = (0.0, 0.0, 0.0), table.body[r], load_at(table.direction, r, 0)
        t, s = 0.0, 0.0
        for c in range(6):
            if table.port[r, c] >= 0:
                v = load(products.velocity, table.port[r, c])
                u = add_scaled(u, table.share[r, c], v)
                if table.tilts[r]:
                    t, s = t + table.tip[r, 2 * c] * dot(n, v), s + table.tip[r, 2 * c + 1] * dot(n, v)
        if bodies and m >= 0:
            v, w = answer_of(softwork.work.response, m, load_at(products.pull, m, 0), load_at(products.pull, m, 3))
            u = sub(u, add(v, cross(w, load(table.arm, r))))
        for a in range(3):
            products.turned[r, a] = dot(u, load_at(table.direction, r, 3 * a)) + (t if a == 1 else (s if a == 2 else 0.0))


@entry
def body_answers(softwork: Softwork, table: RowTable, products: RowProducts, blocks: int) -> None:
    """The most that the body of each block answers along one of its rows [1/kg]. Writes: products.turned"""
    for r in range(blocks):
        most, m, arm = 0.0, table.body[r], load(table.arm, r)
        for a in range(3):
            d = load_at(table.direction, r, 3 * a)
            if m >= 0:
                v, w = answer_of(softwork.work.response, m, d, cross(arm, d))
                most = max(most, dot(d, add(v, cross(w, arm))))
        products.turned[r, 0] = most
