"""The equations of Newton's method for contacts of which few slip, by a factor of those that pushed when it was made.

Each contact i asks for alpha_i (K x)_i + beta_i x_i = r_i: where it sticks alpha = 1, beta = 0; where it is open alpha = 0,
beta = d; where it slips cone_residual.py says both. K stays the same while blocks answer alike, and with it the Cholesky factor
of K_AA, A the contacts that pushed when it was made. Those of A that do not stick now, S, have speeds z that are not known;
those that push now but did not then, C, have impulses that the factor does not know. With H = K_AA^-1, Q = H K_AC,

    x_A = H (y + z) - Q x_C,   (K x)_C = Q^T (y + z) + (K_CC - K_CA Q) x_C,   y = r of those that stick, else 0

leaves a system as large as S and C. Its solution is exact: nothing of the factor is old but who was in it.

Check: tests/soft/test_active_factor.py
"""

from typing import Annotated, NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from ..._jit import bind, entry, merged
from ...equations.contact.cone_residual import OPEN, SLIPS, STICKS
from ...model.schema import Array, allocate, index, real
from .cones import Cones, Friction, Square

MOST = 0.4
"""Contacts, of those that push, up to which S and C pay [-]: a factor of all takes 1 / MOST^3 times as long."""


class Border(NamedTuple):
    """What stands beside the factor."""

    columns: Annotated[Array, real("k k", "kg, -", "columns of H, of Q for contacts that are not in the factor, as rows")]
    place: Annotated[Array, index("n", "of a contact among those in the factor, -1: it is not")]
    who: Annotated[Array, index("n", "S, then C")]
    moved: Annotated[Array, real("n 3", "m/s", "what open contacts that are not in the factor do to the speeds")]
    given: Annotated[Array, real("k", "m/s", "y")]
    found: Annotated[Array, real("k", "N s", "H y")]
    small: Annotated[Array, real("k k", "-, 1/kg", "the system of z and x_C")]
    right: Annotated[Array, real("k", "m/s, N s", "its right side, then its solution")]


@entry
def fill_border(matrix: Square, own: Friction, friction: Friction, state: Cones, border: Border, s: int, c: int,
                inside: int) -> None:
    """The system of `s` contacts of S and `c` of C beside a factor of `inside` contacts. Writes: border.small, .right"""
    for i in range(s + c):
        q = border.who[i]
        alpha, beta = _ways(state, own, friction, q)
        for j in range(s + c):
            for b in range(3):
                speed, push = _answers(matrix, border, i, j, b, s, inside)
                _store(border.small, 3 * i, 3 * j + b, _sum(_apply(alpha, speed), _apply(beta, push)))
        known = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if i < s:
            at = 3 * border.place[q]
            known = known[0], (border.found[at], border.found[at + 1], border.found[at + 2])
        else:
            x, y, z = 0.0, 0.0, 0.0
            for k in range(3 * inside):
                x += border.columns[3 * q, k] * border.given[k]
                y += border.columns[3 * q + 1, k] * border.given[k]
                z += border.columns[3 * q + 2, k] * border.given[k]
            known = (x, y, z), known[1]
        speed = known[0][0] + border.moved[q, 0], known[0][1] + border.moved[q, 1], known[0][2] + border.moved[q, 2]
        gone = _sum(_apply(alpha, speed), _apply(beta, known[1]))
        for a in range(3):
            border.right[3 * i + a] = -state.off[q, a] - gone[a]


@entry
def take_border(state: Cones, border: Border, s: int, c: int, inside: int) -> None:
    """The step of all contacts by z and x_C in `border.right`. Writes: border.found, state.step"""
    for i in range(s + c):
        q = border.who[i]
        for b in range(3):
            x = border.right[3 * i + b] if i < s else -border.right[3 * i + b]
            for k in range(3 * inside):
                border.found[k] += x * border.columns[3 * q + b, k]
            if i >= s:
                state.step[q, b] = -x
    for r in range(len(border.place)):
        if border.place[r] >= 0:
            for b in range(3):
                state.step[r, b] = border.found[3 * border.place[r] + b]


@merged
def _answers(matrix, border, i, j, b, s, inside):
    """What unknown `b` of the `j`-th contact of S and C does to the speeds and impulses of the `i`-th, of one kind each."""
    q, p, unit = border.who[i], border.who[j], (1.0 if b == 0 else 0.0, 1.0 if b == 1 else 0.0, 1.0 if b == 2 else 0.0)
    unit = unit if i == j else (0.0, 0.0, 0.0)
    if i < s:
        at, way = 3 * border.place[q], 1.0 if j < s else -1.0
        row = border.columns[3 * p + b]
        return unit, (way * row[at], way * row[at + 1], way * row[at + 2])
    if j < s:
        at = 3 * border.place[p] + b
        return (border.columns[3 * q, at], border.columns[3 * q + 1, at], border.columns[3 * q + 2, at]), unit
    x, y, z = matrix[3 * q, 3 * p + b], matrix[3 * q + 1, 3 * p + b], matrix[3 * q + 2, 3 * p + b]
    for r in range(len(border.place)):
        if border.place[r] >= 0:
            for a in range(3):
                k = border.columns[3 * p + b, 3 * border.place[r] + a]
                x -= matrix[3 * q, 3 * r + a] * k
                y -= matrix[3 * q + 1, 3 * r + a] * k
                z -= matrix[3 * q + 2, 3 * r + a] * k
    return (x, y, z), unit


@merged
def _ways(state, own, friction, q):
    """alpha [-] and beta [1/kg] of a contact: normal; tangents by the normal (2); tangents (xx, xy, yy)."""
    d, slip = own[q], state.slip[q]
    if state.kind[q] == OPEN:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (d, 0.0, 0.0, d, 0.0, d)
    if state.kind[q] == STICKS:
        return (1.0, 0.0, 0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    mu = d * friction[q]
    return (1.0, 0.0, 0.0, slip[2], slip[3], slip[4]), (
        0.0, -mu * slip[0], -mu * slip[1], d * (1.0 - slip[2]), -d * slip[3], d * (1.0 - slip[4]))


@merged
def _apply(way, v):
    return (way[0] * v[0], way[1] * v[0] + way[3] * v[1] + way[4] * v[2], way[2] * v[0] + way[4] * v[1] + way[5] * v[2])


@merged
def _sum(u, v):
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@merged
def _store(small, row, column, v):
    """Writes: small"""
    small[row, column], small[row + 1, column], small[row + 2, column] = v


def rows_of(contacts: np.ndarray) -> np.ndarray:
    """Numbers (3 n,) of the rows of contacts (n,)."""
    return (3 * contacts[:, None] + np.arange(3)).ravel()


class ActiveFactor:
    """Of the contacts of one island, as long as `matrix` [1/kg] (3 r, 3 r) stays the same."""

    def __init__(self, matrix: np.ndarray, own: np.ndarray, friction: np.ndarray, state: Cones) -> None:
        """Arrays are read where they are: after they have changed, call `forget`. own [1/kg], friction (r,)."""
        self._matrix, self._own, self._state = matrix, own, state
        self._border = allocate(Border, n=len(own), k=3 * len(own))
        self._fill = bind(fill_border, matrix, own, friction, state, self._border)
        self._take = bind(take_border, state, self._border)
        self.forget()

    def forget(self) -> None:
        """K is another from now on."""
        self._inside, self._known = np.zeros(len(self._own), bool), np.zeros(len(self._own), bool)
        self._rows, self.labour = np.zeros(0, np.int64), 0.0
        self._border.place[:] = -1  # or the steps of contacts that are all open would be those that were found last

    def solve(self) -> bool:
        """The step by what contacts do and miss; False where too many slip for a factor to pay. Writes: state.step"""
        kind = self._state.kind
        pushes, slips = kind != OPEN, kind == SLIPS
        most = MOST * np.count_nonzero(pushes)
        special, new = self._inside & (kind != STICKS), pushes & ~self._inside
        if np.count_nonzero(special) + np.count_nonzero(new) > most:
            if np.count_nonzero(slips) > most or not self._make(pushes):
                return False
            special, new = slips, np.zeros(len(kind), bool)
        self._solve(np.flatnonzero(special), np.flatnonzero(new))
        return True

    def _make(self, pushes: np.ndarray) -> bool:
        """Factorise for these contacts (r,); whether they have a factor."""
        self._inside, self._rows = pushes.copy(), rows_of(np.flatnonzero(pushes))
        self._border.place[:] = np.where(pushes, np.cumsum(pushes) - 1, -1)
        self._known[:] = False
        self._factor, flag = dpotrf(self._matrix[np.ix_(self._rows, self._rows)], lower=1)
        self.labour += len(self._rows) ** 3 / 6
        if flag:
            self.forget()
        return not flag

    def _know(self, contacts: np.ndarray) -> None:
        """Find the columns of H for contacts (n,) inside, of Q for others, that are not known yet. Writes: border.columns"""
        new, size = contacts[~self._known[contacts]], len(self._rows)
        if len(new):
            right, inside = self._matrix[np.ix_(self._rows, rows_of(new))], np.repeat(self._inside[new], 3)
            right[:, inside] = self._rows[:, None] == rows_of(new)[inside]
            self._border.columns[rows_of(new), :size] = dpotrs(self._factor, right, lower=1)[0].T
            self._known[new] = True
            self.labour += 3 * len(new) * size**2

    def _solve(self, s: np.ndarray, c: np.ndarray) -> None:
        """Beside the factor, with S and C. Writes: state.step"""
        state, border, size = self._state, self._border, len(self._rows)
        gone = (state.kind == OPEN) & ~self._inside & (self._own > 0.0)
        state.step[:] = 0.0
        state.step[gone] = -state.off[gone] / self._own[gone, None]
        border.moved[:] = (self._matrix @ state.step.ravel()).reshape(-1, 3) if state.step.any() else 0.0
        y = -state.off - border.moved
        y[s] = 0.0
        border.given[:size] = y.ravel()[self._rows]
        if size:
            border.found[:size] = dpotrs(self._factor, border.given[:size], lower=1)[0]
        few = 3 * (len(s) + len(c))
        if few:
            border.who[:len(s)], border.who[len(s):few // 3] = s, c
            self._know(border.who[:few // 3])
            self._fill(len(s), len(c), size // 3)
            border.right[:few] = np.linalg.solve(border.small[:few, :few], border.right[:few])
            self.labour += few**3 / 3
        self._take(len(s), len(c), size // 3)
