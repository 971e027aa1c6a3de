"""Examples: rotations of all cells towards the blend of now, then the best blend for those rotations, then the pushes."""

import numpy as np

from ..._jit import bind, entry, kernel
from ...equations.elastic.example_blend import best_blend
from ...math.polar import rotation_of
from ...math.svd3 import LANES
from ...model.schema import allocate
from ...model.soft import Elements, ElementWork, Examples, ExampleWork, Numbers, Points, SoftModel, SoftWork
from .bends import four_corners


class Blend:
    """The blend of examples that a solid is nearest to."""

    def __init__(self, model: SoftModel, soft: SoftWork, cells: ElementWork) -> None:
        self.model, self._soft, self._cells = model, soft, cells
        count = len(model.examples.gram)
        self.work = allocate(ExampleWork, b=len(model.cells.vertex) if count else 0, r=9 * LANES, s=count)
        self.follow(np.eye(count, 1)[:, 0].copy() if count else np.zeros(0))

    def follow(self, share: np.ndarray) -> None:
        """Read and write these shares t (k,) from now on: they belong to the state, where the next step starts from."""
        m, self.share = self.model, share
        self._turn = bind(turn_cells, m.cells, m.examples, self._soft.place, share, self.work)
        self._push = bind(push_cells, m.cells, m.examples, share, self.work, self._cells, self._soft)

    def weights(self) -> np.ndarray:
        """Weights [N m] (c,) of all cells."""
        return self.model.examples.weight.ravel()[: int(self.model.cells.size[0])]

    def project(self) -> None:
        """Add the examples' pushes and energies to those of the cells."""
        self._turn()
        self.share[:] = best_blend(self.model.examples.gram, self.work.product.sum(axis=0), self.share)
        self._push()


@entry
def turn_cells(cells: Elements, examples: Examples, place: Points, share: Numbers, work: ExampleWork) -> None:
    """The rotation of every cell next to the blend of now, and its products with all examples. Writes: work"""
    for b in range(cells.vertex.shape[0]):
        for e in range(share.shape[0]):
            work.product[b, e] = 0.0
        for k in range(LANES):
            f = gradient_of(cells, place, b, k)
            s = blend_of(examples, share, b, k)
            r = rotation_of((by_stretch(f, s[0], s[3], s[4]), by_stretch(f, s[3], s[1], s[5]), by_stretch(f, s[4], s[5], s[2])))
            for i in range(3):
                for j in range(3):
                    work.turn[b, (3 * i + j) * LANES + k] = r[j][i]
            c = turned_back(r, f)
            for e in range(share.shape[0]):
                work.product[b, e] += examples.weight[b, k] * (
                    c[0] * examples.stretch[e, b, k] + c[1] * examples.stretch[e, b, LANES + k]
                    + c[2] * examples.stretch[e, b, 2 * LANES + k] + c[3] * examples.stretch[e, b, 3 * LANES + k]
                    + c[4] * examples.stretch[e, b, 4 * LANES + k] + c[5] * examples.stretch[e, b, 5 * LANES + k])


@entry
def push_cells(cells: Elements, examples: Examples, share: Numbers, work: ExampleWork, out: ElementWork,
               soft: SoftWork) -> None:
    """Pushes w (R S - F) g and energies, added to those of the cells. Writes: out, soft.inner"""
    for b in range(cells.vertex.shape[0]):
        for k in range(LANES):
            out.energy[b, k] += push_cell(cells, examples.weight[b, k], work.turn, gradient_of(cells, soft.place, b, k),
                                          blend_of(examples, share, b, k), soft.inner, b, k)


@kernel
def push_cell(cells, w, turn, f, s, inner, b, k):
    """Of one cell; returns the energy [J]. Writes: inner"""
    energy, table = 0.0, cells.table
    for i in range(3):
        r0, r1, r2 = turn[b, 3 * i * LANES + k], turn[b, (3 * i + 1) * LANES + k], turn[b, (3 * i + 2) * LANES + k]
        p0 = r0 * s[0] + r1 * s[3] + r2 * s[4] - f[0][i]
        p1 = r0 * s[3] + r1 * s[1] + r2 * s[5] - f[1][i]
        p2 = r0 * s[4] + r1 * s[5] + r2 * s[2] - f[2][i]
        energy += 0.5 * w * (p0 * p0 + p1 * p1 + p2 * p2)
        total = 0.0
        for a in range(3):
            q = w * (p0 * table[b, 3 * a * LANES + k] + p1 * table[b, (3 * a + 1) * LANES + k]
                     + p2 * table[b, (3 * a + 2) * LANES + k])
            inner[0, cells.vertex[b, (a + 1) * LANES + k], i] += q
            total += q
        inner[0, cells.vertex[b, k], i] -= total
    return energy


@kernel
def gradient_of(cells, place, b, k):
    """F of one cell, by columns."""
    x0, x1, x2, x3 = four_corners(cells, place, b, k)
    return (gradient_column(cells.table, x0, x1, x2, x3, b, k), gradient_column(cells.table, x0, x1, x2, x3, b, LANES + k),
            gradient_column(cells.table, x0, x1, x2, x3, b, 2 * LANES + k))


@kernel
def gradient_column(table, x0, x1, x2, x3, b, column):
    p, q, r = table[b, column], table[b, 3 * LANES + column], table[b, 6 * LANES + column]
    return (p * (x1[0] - x0[0]) + q * (x2[0] - x0[0]) + r * (x3[0] - x0[0]),
            p * (x1[1] - x0[1]) + q * (x2[1] - x0[1]) + r * (x3[1] - x0[1]),
            p * (x1[2] - x0[2]) + q * (x2[2] - x0[2]) + r * (x3[2] - x0[2]))


@kernel
def blend_of(examples, share, b, k):
    """S of one cell: xx yy zz xy xz yz."""
    a0 = a1 = a2 = a3 = a4 = a5 = 0.0
    for e in range(share.shape[0]):
        t = share[e]
        a0 += t * examples.stretch[e, b, k]
        a1 += t * examples.stretch[e, b, LANES + k]
        a2 += t * examples.stretch[e, b, 2 * LANES + k]
        a3 += t * examples.stretch[e, b, 3 * LANES + k]
        a4 += t * examples.stretch[e, b, 4 * LANES + k]
        a5 += t * examples.stretch[e, b, 5 * LANES + k]
    return a0, a1, a2, a3, a4, a5


@kernel
def by_stretch(f, a, b, c):
    """A column of F S: F times a column (a, b, c) of S."""
    return (a * f[0][0] + b * f[1][0] + c * f[2][0], a * f[0][1] + b * f[1][1] + c * f[2][1],
            a * f[0][2] + b * f[1][2] + c * f[2][2])


@kernel
def turned_back(r, f):
    """R^T F, its products with a symmetric matrix: xx yy zz, then xy xz yz with both halves."""
    return (
        _dot(r[0], f[0]), _dot(r[1], f[1]), _dot(r[2], f[2]),
        _dot(r[0], f[1]) + _dot(r[1], f[0]), _dot(r[0], f[2]) + _dot(r[2], f[0]), _dot(r[1], f[2]) + _dot(r[2], f[1]),
    )


@kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
