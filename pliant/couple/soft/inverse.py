"""The inverse of how rows answer each other, where many of them bear much more than their vertices weigh.

With A of all blocks and bodies that answer, J of the rows that push and a small evenness e of each of them,

    (J A^-1 J^T + e)^-1 = (1 - J (A + J^T J / e)^-1 J^T / e) / e

so that one sparse factor in place of a dense matrix solves a step of Newton's method on contacts but for how friction follows
the normal. Contacts that slip, s along the slip, push along the normal and, softer, across s (cone_residual.py has G):

    G K_t x + d (1 - G) x = y   across s:   K_t x + e x = y / g,   e = d (1 - g) / g,   g the share that G keeps across s
    along s:   d (x_s - mu x_n) = y_s

Solids are long or flat more often than not: sorted along their length their matrices are bands. Bodies stand beside the band.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import block_diag, csr_matrix

from ...equations.contact.cone_residual import OPEN, SLIPS
from ...math.sorted_band import SortedBand
from ...model.soft_matrix import RowTable
from ...solvers.rows.many_contacts import ConeRows
from .body import SoftBody
from .ranks import along_axis

RIGID = 1e-9
"""Added to how a body answers, as a share [-]: joints may leave it ways in which it does not move."""
FAINT = 1e-3
"""Share of G across a slip below which that row is taken to be free [-]."""
OTHERS = 0.02
"""Share of contacts that may do otherwise than when the factor was made [-]: making it takes as long as some ten products."""

FITS = 6
"""Calls within a step of Newton's method above which the factor does not fit any more, and is made anew."""

WORTH = 10
"""Products that take as long as making the factor."""

Piece = tuple[SoftBody, slice, np.ndarray]


class RowInverse:
    """Of one island in one step."""

    def __init__(self, table: RowTable, blocks: int, pieces: list[Piece], response: np.ndarray, bodies: np.ndarray,
                 even: float) -> None:
        """response [1/kg] (b, 36) of all movers, of which `bodies` (k,) are pushed; even [1/kg] of every row."""
        self._blocks, self._even, self._kind, self._calls = blocks, even, np.zeros(0, np.int32), 0
        matrix = csr_matrix(block_diag([one.block.resists() for one, _, _ in pieces], format="csr"))
        many = len(pieces) > 1
        key = along_axis(np.concatenate([one.block.position for one, _, _ in pieces])) if many else pieces[0][0].ranks
        self._band = SortedBand(matrix, np.repeat(key, 3))
        own = response[bodies].reshape(-1, 6, 6)
        moves = np.trace(own, axis1=1, axis2=2) > 0.0
        bodies, own = bodies[moves], own[moves]
        even_out = RIGID * np.eye(6) * np.trace(own, axis1=1, axis2=2)[:, None, None]
        self._beside = block_diag(np.linalg.inv(own + even_out)).toarray() if len(own) else np.zeros((0, 0))
        column, turn, first = np.zeros((pieces[-1][1].stop, 3), np.int64), np.zeros((pieces[-1][1].stop, 3, 3)), 0
        for one, mine, vertices in pieces:
            column[mine] = first + 3 * vertices[:, None] + np.arange(3)
            turn[mine] = np.eye(3) if one.block.turn is None else one.block.turn
            first += 3 * len(one.thing.mass)
        self._rows, self._levers = self._along(table, column, turn, first), self._of_bodies(table, bodies)

    def _along(self, table: RowTable, column: np.ndarray, turn: np.ndarray, size: int) -> csr_matrix:
        """J of all rows for the vertices (3 r, n), in the frames of solids."""
        r, c = np.nonzero(table.port[:self._blocks] >= 0)
        k, direction = table.port[r, c], table.direction[r].reshape(-1, 3, 3)
        bears = table.share[r, c][:, None, None] * direction
        tip = np.where(table.tilts[r][:, None] > 0, table.tip.reshape(-1, 6, 2)[r, c], 0.0)
        bears[:, 1:] += tip[:, :, None] * direction[:, :1]
        value = (bears @ turn[k]).ravel()
        row = np.repeat(3 * r[:, None] + np.arange(3), 3, axis=1).ravel()
        return csr_matrix((value, (row, np.tile(column[k], (1, 3)).ravel())), shape=(3 * self._blocks, size))

    def _of_bodies(self, table: RowTable, bodies: np.ndarray) -> np.ndarray:
        """J of all rows for the bodies (3 r, 6 k)."""
        out = np.zeros((self._blocks, 3, 6 * len(bodies)))
        for k, body in enumerate(bodies):
            r = np.flatnonzero(table.body[:self._blocks] == body)
            direction = table.direction[r].reshape(-1, 3, 3)
            out[r, :, 6 * k:6 * k + 3] = -direction
            out[r, :, 6 * k + 3:6 * k + 6] = -np.cross(table.arm[r][:, None], direction)
        return out.reshape(3 * self._blocks, -1)

    def follow(self, rows: ConeRows) -> int:
        """Take up what contacts do now; returns how many products that was worth."""
        self._now = rows
        fits, self._calls = self._calls <= FITS, 0
        if len(self._kind) and fits and np.count_nonzero(self._kind != rows.kind) <= OTHERS * self._blocks:
            return 0
        self._kind, self._slip = rows.kind.copy(), rows.slip.copy()
        choose, even = self._chosen()
        self._choose, self._eases = choose, 1.0 / even
        self._active, self._lever = csr_matrix(choose @ self._rows), choose @ self._levers
        weighted = csr_matrix(self._active.multiply(self._eases[:, None]))
        self._factor = self._band.factor(csr_matrix(self._active.T @ weighted))
        if len(self._beside):
            self._border = weighted.T @ self._lever
            self._answers = self._factor.solve(self._border)
            self._small = cho_factor(self._beside + self._lever.T @ (self._eases[:, None] * self._lever)
                                     - self._border.T @ self._answers, lower=True, check_finite=False)
        return WORTH

    def _chosen(self) -> tuple[csr_matrix, np.ndarray]:
        """The rows that push out of all three of each contact (k, 3 r), and the evenness of each [1/kg] (k,)."""
        slips, s, g = self._kind == SLIPS, self._slip[:, :2], self._slip[:, 2] + self._slip[:, 4]
        stuck, slid = np.flatnonzero((self._kind != OPEN) & ~slips), np.flatnonzero(slips)
        across = slid[g[slid] > FAINT]
        first = 3 * len(stuck) + len(slid)
        size = first + len(across)
        self._scale, self._across = np.ones((self._blocks, 3)), np.zeros((self._blocks, 2))
        self._across[across] = np.stack([-s[across, 1], s[across, 0]], axis=1)
        self._scale[across, 1:] = 1.0 / g[across, None]
        self._bare, self._shut = ((slips | (self._kind == OPEN)).astype(float)[:, None] for _ in range(2))
        self._shut[slips] = 0.0
        row = np.concatenate([np.arange(first), np.repeat(np.arange(first, size), 2)])
        column = np.concatenate([(3 * stuck[:, None] + np.arange(3)).ravel(), 3 * slid, (3 * across[:, None] + [1, 2]).ravel()])
        value = np.concatenate([np.ones(first), self._across[across].ravel()])
        even = np.full(size, self._even)
        even[first:] += self._now.own[across] * (1.0 - g[across]) / g[across]
        return csr_matrix((value, (row, column)), shape=(size, 3 * self._blocks)), even

    def __call__(self, y: np.ndarray) -> np.ndarray:
        """About the impulses (r, 3) of a step of Newton's method, by the right side (r, 3) of its equations.

        Directions in which the factor has no row, and contacts that push now but did not then, answer for themselves.
        """
        self._calls += 1
        rows, own = self._now, self._now.own[:, None]
        slid = np.flatnonzero(rows.kind == SLIPS)
        s, along = rows.slip[slid, :2], (rows.slip[slid, :2] * y[slid, 1:]).sum(axis=1)
        x = self._pushed(y * self._scale)
        x[:, 1:] += (y[:, 1:] - self._across * (self._across * y[:, 1:]).sum(axis=1)[:, None]) * self._bare / own
        x[:, :1] += y[:, :1] * self._shut / own
        x[slid, 1:] += (along / own[slid, 0] + rows.friction[slid] * x[slid, 0] - (s * x[slid, 1:]).sum(axis=1))[:, None] * s
        x[rows.kind == OPEN] = 0.0
        return x

    def _pushed(self, y: np.ndarray) -> np.ndarray:
        """The impulses (r, 3) of rows that push, by the speeds `y` (r, 3)."""
        right = self._eases * (self._choose @ y.ravel())
        inner = self._factor.solve(self._active.T @ right)
        speed = self._active @ inner
        if len(self._beside):
            moved = cho_solve(self._small, self._lever.T @ right - self._border.T @ inner, check_finite=False)
            speed += self._lever @ moved - self._active @ (self._answers @ moved)
        return (self._choose.T @ (right - self._eases * speed)).reshape(-1, 3)
