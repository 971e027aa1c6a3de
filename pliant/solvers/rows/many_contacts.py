"""Contacts and ties that all answer each other, too many for a dense system: u = u_0 + K lambda with K only as a product.

Newton's method on cone_residual.py as in dense_contacts.py, its equations solved by GMRES to a share of what is left.
"""

from typing import Annotated, NamedTuple, Protocol

import numpy as np

from ..._jit import bind, entry
from ...equations.contact.cone_residual import OPEN, SLIPS, STICKS, cone_residual, cone_state
from ...math.gmres import Product, gmres
from ...math.vec3 import add_scaled, dot, load, store
from ...model.schema import Array, allocate, index, real

FIRST_STEPS, WHOLE_STEPS, NEWTON_STEPS, KRYLOV = 3, 11, 15, 20
"""Steps of Newton's method that are shortened where F would grow, which is all that contacts at rest need; up to where they are
taken whole, as in dense_contacts.py, if those did not meet it; all of them at most, the last shortened again from the best
place so far; and products within one."""
SHARE = 0.1
"""Of what rows miss, what a step of Newton's method and what a solve may leave [-]: blocks will iterate again."""
EXACT_STEPS, EXACT_SHARE, EXACT_LEFT = 30, 1e-4, 1e-3
"""Where rows that push have an inverse: steps at most, all of them shortened; what a step of Newton's method and what a solve
may leave [-]. Contacts of a stiff pad bear thousandths of what all of them answer together: with a hundredth left of a step
chance says which of them push, stick and slip, and with a tenth left of a solve some pull, which is cut off."""
NEARLY = 0.03
"""Impulses kept from before are begun with only if they miss no more than this share of what none at all would [-]: where a
contact is gone or new Newton's method takes a dozen steps from those of the others; from none, all sticking, often one."""
EVEN = 1e-6
"""Added to K, as a share of the largest answer of a row [-]: rows that say the same share what they bear."""
SHORTEST = 0.05
"""A step that would have to be shorter to come nearer is taken all the same [-]: active sets change in leaps."""
SEEN = 5e-5
"""The evenness by which rows that contradict each other are told from others [-]."""
HELD = 3
"""The state of a tie, beside OPEN, STICKS and SLIPS."""


class Inverse(Protocol):
    """About the inverse of the equations of Newton's method."""

    def follow(self, rows: "ConeRows") -> int:
        """Take up what contacts do now; returns how many products that was worth."""

    def __call__(self, y: np.ndarray) -> np.ndarray:
        """About the impulses (r, 3) by the right side (r, 3)."""


class ConeRows(NamedTuple):
    """Blocks of three rows while they are solved: along the normal and two tangents of contacts, along axes of ties."""

    own: Annotated[Array, real("n", "1/kg", "about how the speeds of a block answer its own impulses")]
    friction: Annotated[Array, real("n", "-", "Coulomb")]
    kind: Annotated[Array, index("n", "HELD, OPEN, STICKS or SLIPS")]
    slip: Annotated[Array, real("n 5", "-", "of contacts that slip: the direction (2), G of cone_residual.py (3)")]
    speed: Annotated[Array, real("n 3", "m/s", "with the impulses as they are")]
    impulse: Annotated[Array, real("n 3", "N s", "so far")]
    off: Annotated[Array, real("n 3", "m/s", "F of cone_residual.py, of ties the speed")]
    step: Annotated[Array, real("n 3", "N s", "of Newton's method")]
    turned: Annotated[Array, real("n 3", "m/s", "what it does to the speeds")]
    given: Annotated[Array, real("n 3", "N s, m/s", "what the equations of Newton's method, or about their inverse, act on")]
    found: Annotated[Array, real("n 3", "m/s, N s", "what that gives")]


@entry
def find_off(rows: ConeRows, length: float) -> float:
    """F of all blocks after `length` of a step; returns the sum of its squares [m2/s2]. Writes: rows.off"""
    total = 0.0
    for r in range(len(rows.own)):
        off = add_scaled(load(rows.speed, r), length, load(rows.turned, r))
        if rows.kind[r] != HELD:
            x = add_scaled(load(rows.impulse, r), length, load(rows.step, r))
            off = cone_residual(rows.own[r], rows.friction[r], off, x)
        store(rows.off, r, off)
        total += dot(off, off)
    return total


@entry
def find_states(rows: ConeRows, fresh: bool) -> int:
    """What each contact does, and what lets those go that do not push; returns how many of these do. Writes: rows

    `fresh`: those that have not pushed yet are taken to stick.
    """
    count = 0
    for r in range(len(rows.own)):
        store(rows.step, r, (0.0, 0.0, 0.0))
        if rows.kind[r] == HELD:
            continue
        kind, s, g = cone_state(rows.own[r], rows.friction[r], load(rows.speed, r), load(rows.impulse, r))
        if fresh and kind == SLIPS and not rows.impulse[r, 0] > 0.0 and rows.friction[r] > 0.0:
            kind, g = STICKS, (1.0, 0.0, 1.0)
        rows.kind[r] = kind
        rows.slip[r, 0], rows.slip[r, 1], rows.slip[r, 2], rows.slip[r, 3], rows.slip[r, 4] = s[0], s[1], g[0], g[1], g[2]
        if kind == OPEN:
            for a in range(3):
                rows.step[r, a] = -rows.off[r, a] / rows.own[r]
                count += rows.step[r, a] != 0.0
    return count


@entry
def newton_rows(rows: ConeRows) -> None:
    """The equations of Newton's method, from the speeds `found` that the impulses `given` make. Writes: rows.found"""
    x, y, slip = rows.given, rows.found, rows.slip
    for r in range(len(rows.own)):
        if rows.kind[r] == OPEN:
            store(y, r, (0.0, 0.0, 0.0))
        elif rows.kind[r] == SLIPS:
            d, mu, xx, xy, yy = rows.own[r], rows.friction[r], slip[r, 2], slip[r, 3], slip[r, 4]
            one, other = y[r, 1] - d * x[r, 1], y[r, 2] - d * x[r, 2]
            y[r, 1] = xx * one + xy * other + d * (x[r, 1] - mu * slip[r, 0] * x[r, 0])
            y[r, 2] = xy * one + yy * other + d * (x[r, 2] - mu * slip[r, 1] * x[r, 0])


@entry
def eased_rows(rows: ConeRows, before: bool) -> None:
    """What `before` and after slipping and open contacts have no part in. Writes: rows.found"""
    x, y = rows.given, rows.found
    for r in range(len(rows.own)):
        if before:
            store(y, r, load(x, r))
        if rows.kind[r] == OPEN:
            store(y, r, (0.0, 0.0, 0.0))
        elif rows.kind[r] == SLIPS:
            y[r, 1] = 0.0 if before else x[r, 1] / rows.own[r]
            y[r, 2] = 0.0 if before else x[r, 2] / rows.own[r]


class ManyContacts:
    """Contacts and ties of one island in one step; the first `ties` blocks are held along all three rows."""

    def __init__(self, answer: Product, ease: Product, own: np.ndarray, friction: np.ndarray, ties: int, speed: np.ndarray,
                 impulse: np.ndarray, even: float = EVEN) -> None:
        """answer: K (r, 3) -> (r, 3); ease: about its inverse; own [1/kg] (r,): about its diagonal; speed, impulse (r, 3)."""
        self._even = even * float(own.max(initial=0.0))
        self._answer, self._ease, self._first = answer, ease, ties
        rows = self._rows = allocate(ConeRows, len(own))._replace(speed=speed, impulse=impulse)
        rows.own[:], rows.friction[:], rows.kind[:ties] = own, friction, HELD
        self._off, self._states = bind(find_off, rows), bind(find_states, rows)
        self._turn, self._part = bind(newton_rows, rows), bind(eased_rows, rows)
        self.products = 0
        self.inverse: Inverse | None = None
        """Of the rows that push, if there is one: then evenness holds for all that they bear, not for what a solve adds alone,
        lest rows that say the same bear ever more against each other."""

    def solve(self, close: float, labour: int, first: bool = False) -> float:
        """Change impulses and speeds until contacts allow them to `close` [m/s], or to a share of what they miss now.

        `first`: impulses are those of another step, or substep.

        Once `labour` products are spent no further step is begun. Returns how much rows contradict each other [m/s]: what
        evenness would hide of the speeds that each of them makes. Writes: impulse, speed
        """
        rows, until, exact = self._rows, self.products + labour, self.inverse is not None
        rows.step[:] = rows.turned[:] = 0.0
        if exact:
            np.add(rows.speed, self._even * rows.impulse, out=rows.speed)
        squares = self._off(0.0)
        left = float(np.abs(rows.off).max(initial=0.0))
        close = max(close, (EXACT_LEFT if exact else SHARE) * left)
        if exact and left > close:
            squares = self._let_go(squares, NEARLY if first else 1.0)
            left = float(np.abs(rows.off).max())
        least, best = squares, (rows.impulse.copy(), rows.speed.copy())
        whole = range(0) if exact else range(FIRST_STEPS, WHOLE_STEPS)
        for k in range(EXACT_STEPS if exact else NEWTON_STEPS):
            if left <= close or (k and self.products >= until):
                break
            if k and k == whole.stop:
                (rows.impulse[:], rows.speed[:]), squares = best, least
                rows.step[:] = rows.turned[:] = 0.0
                self._off(0.0)
            squares = self._step(squares, k in whole, exact and k == 0)
            left = float(np.abs(rows.off).max())
            if squares < least:
                least, best = squares, (rows.impulse.copy(), rows.speed.copy())
        rows.impulse[:], rows.speed[:] = best
        self._push_only()
        self._calm()
        return SEEN * float((rows.own[:, None] * np.abs(rows.impulse)).max(initial=0.0))

    def _let_go(self, squares: float, share: float) -> float:
        """Begin without impulses unless those kept miss only a `share` [-] of what none would: one that is gone throws all off.

        Returns the squares of F, which are `squares` with the impulses kept. Writes: impulse, speed
        """
        rows = self._rows
        kept, speed = rows.impulse.copy(), rows.speed.copy()
        np.subtract(speed, self._product(kept), out=rows.speed)
        rows.impulse[:] = 0.0
        without = self._off(0.0)
        if share**2 * without < squares:
            return without
        rows.impulse[:], rows.speed[:] = kept, speed
        return self._off(0.0)

    def _push_only(self) -> None:
        """Let no contact pull: Newton's method comes from both sides. Writes: impulse, speed

        Where rows say nearly the same, and are not met yet, some push what others pull, many times what all of them bear: the
        speeds with pushes alone are others then.
        """
        rows, first = self._rows, self._first
        pulls = np.minimum(rows.impulse[first:, 0], 0.0)
        if pulls.any():
            rows.given[:] = 0.0
            rows.given[first:, 0] = -pulls
            rows.impulse[first:, 0] -= pulls
            np.add(rows.speed, self._product(rows.given), out=rows.speed)

    def _calm(self) -> None:
        """Take so much less of the impulses of contacts that they bring no energy, where they are not met. Writes: impulse

        In the model of the blocks impulses lambda do the work lambda (u_0 + u) / 2 = lambda u - lambda K lambda / 2, of which
        solved contacts have none that is positive; along s lambda it is least at s = 1 - lambda u / lambda K lambda.
        """
        rows, first = self._rows, self._first
        brought = float(np.vdot(rows.impulse[first:], rows.speed[first:]))
        if brought > 0.0:
            only = rows.impulse.copy()
            only[:first] = 0.0
            own = float(np.vdot(only, self._product(only)))
            if 2.0 * brought > own:
                rows.impulse[first:] *= max(1.0 - brought / own, 0.0) if own > 0.0 else 0.0

    def _product(self, x: np.ndarray) -> np.ndarray:
        self.products += 1
        return self._answer(x) + self._even * x

    def _step(self, before: float, whole: bool, fresh: bool) -> float:
        """One step of Newton's method, shortened where it leads away; returns the squares of F. Writes: speed, impulse

        `fresh`: contacts that have not pushed yet are taken to stick.
        """
        rows, length = self._rows, 1.0
        opened = self._states(fresh)
        right = np.where(rows.kind[:, None] == OPEN, 0.0, -rows.off)
        if opened:
            rows.given[:], rows.found[:] = 0.0, self._product(rows.step)
            self._turn()
            right -= rows.found
        ease, share = self._easing()
        step = gmres(self._operate, ease, right, KRYLOV, share)
        np.add(rows.step, step, out=rows.step)
        rows.turned[:] = self._product(rows.step)
        while (after := self._off(length)) > (1.0 - 1e-4 * length) ** 2 * before and not whole and length >= SHORTEST:
            length *= 0.5
        np.add(rows.speed, length * rows.turned, out=rows.speed)
        np.add(rows.impulse, length * rows.step, out=rows.impulse)
        return after

    def _easing(self) -> tuple[Product, float]:
        """What eases the equations of what contacts do now, and how near they are solved; an inverse whose factor rounding
        leaves undefined is given up."""
        if self.inverse is not None:
            try:
                self.products += self.inverse.follow(self._rows)
                return self.inverse, EXACT_SHARE
            except np.linalg.LinAlgError:
                self.inverse = None
        return self._eased, SHARE

    def _operate(self, x: np.ndarray) -> np.ndarray:
        rows = self._rows
        rows.given[:] = x
        rows.found[:] = self._product(x)
        self._turn()
        return rows.found

    def _eased(self, y: np.ndarray) -> np.ndarray:
        rows = self._rows
        rows.given[:] = y
        self._part(True)
        rows.found[:] = self._ease(rows.found)
        self._part(False)
        return rows.found
