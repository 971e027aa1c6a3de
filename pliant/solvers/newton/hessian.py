"""The full second derivative of a step's energy, in a pattern that stays."""

from typing import Annotated

import numpy as np
from scipy.sparse import csr_matrix

from ..._jit import bind, entry, merged
from ...equations.elastic.deformation_gradient import corner_gradients
from ...equations.elastic.distance_hessian import derivatives, frame_values, hessian
from ...equations.elastic.strain_projection import clamped
from ...equations.elastic.volume_projection import with_area, with_product
from ...math.banded_cholesky import BandedPattern
from ...math.svd3 import LANES, svd3, svd32
from ...math.vec3 import add, add_scaled, cross, dot, load, scale, sub
from ...model.schema import Array, real
from ...model.soft import Elements, Points
from ..soft.block import corners_of, table_of
from ..soft.cells import corner_of
from ..soft.examples import gradient_of
from ..soft.groups import group_parts

Found = Annotated[Array, real("e 24", "-", "U (9) and V (9), column by column, s (3), s of the right volume (3)")]

Values = Annotated[Array, real("e 27", "N/m, …", "three matrices of 3 x 3, those of `frame_values`")]
Blocks = Annotated[Array, real("e 144", "N/m", "second derivatives by the places of the corners: corner, axis, corner, axis")]


@entry
def cell_blocks(cells: Elements, found: Found, values: Values, out: Blocks) -> None:
    """Second derivatives of all cells, from what they are in their singular frames. Writes: out

    With g_a the gradient of corner a and c = V^T g_a, d = V^T g_b, the block of a and b is U M U^T, M_ij = f_ij c_i d_j + what
    joins T_ij with T_ji times c_j d_i, and on the diagonal what T_ik has for itself times c_k d_k.
    """
    for e in range(found.shape[0]):
        b, k = e // LANES, e % LANES
        u = load_three(found, e, 0)
        w1, w2 = across(found, e, corner_of(cells.table, b, k)), across(found, e, corner_of(cells.table, b, 3 * LANES + k))
        w3 = across(found, e, corner_of(cells.table, b, 6 * LANES + k))
        w = (scale(-1.0, add(w1, add(w2, w3))), w1, w2, w3)
        for p in range(4):
            for q in range(p, 4):
                t0, t1 = row_of(values, e, 0, w[p], w[q], u), row_of(values, e, 1, w[p], w[q], u)
                t2 = row_of(values, e, 2, w[p], w[q], u)
                for x in range(3):
                    for y in range(3):
                        one = u[0][x] * t0[y] + u[1][x] * t1[y] + u[2][x] * t2[y]
                        out[e, 12 * (3 * p + x) + 3 * q + y] = one
                        out[e, 12 * (3 * q + y) + 3 * p + x] = one


@merged
def load_three(array, e, c):
    """Three vectors, from column `c` on."""
    return ((array[e, c], array[e, c + 1], array[e, c + 2]), (array[e, c + 3], array[e, c + 4], array[e, c + 5]),
            (array[e, c + 6], array[e, c + 7], array[e, c + 8]))


@merged
def across(found, e, g):
    """V^T g."""
    v = load_three(found, e, 9)
    return dot(v[0], g), dot(v[1], g), dot(v[2], g)


@merged
def row_of(values, e, i, c, d, u):
    """Row `i` of M, times U^T."""
    out = (0.0, 0.0, 0.0)
    for j in range(3):
        m = values[e, 3 * i + j] * c[i] * d[j]
        if j == i:
            for k in range(3):
                m += values[e, 9 + 3 * i + k] * c[k] * d[k]
        else:
            m += values[e, 18 + 3 * i + j] * c[j] * d[i]
        out = add_scaled(out, m, u[j])
    return out


@entry
def decompose_cells(cells: Elements, place: Points, out: Found) -> None:
    """Singular values of every cell, and the nearest of the right volume. Writes: out"""
    for e in range(out.shape[0]):
        b, k = e // LANES, e % LANES
        u, s, v = svd3(gradient_of(cells, place, b, k))
        wanted = clamped(s[0] * s[1] * s[2], cells.table[b, 13 * LANES + k], cells.table[b, 14 * LANES + k])
        d = with_product(s, wanted)
        for i in range(3):
            for j in range(3):
                out[e, 3 * i + j], out[e, 9 + 3 * i + j] = u[i][j], v[i][j]
            out[e, 18 + i], out[e, 21 + i] = s[i], d[i]


@entry
def decompose_triangles(triangles: Elements, place: Points, out: Found) -> None:
    """The same of every triangle: U with its normal (9), V (4), s (2), s of the right area (2). Writes: out"""
    for e in range(out.shape[0]):
        b, k = e // LANES, e % LANES
        table, vertex = triangles.table, triangles.vertex
        x0 = load(place, vertex[b, k])
        d, q = sub(load(place, vertex[b, LANES + k]), x0), sub(load(place, vertex[b, 2 * LANES + k]), x0)
        b00, b01, b10, b11 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]
        u, s, v = svd32((d[0] * b00 + q[0] * b10, d[1] * b00 + q[1] * b10, d[2] * b00 + q[2] * b10),
                        (d[0] * b01 + q[0] * b11, d[1] * b01 + q[1] * b11, d[2] * b01 + q[2] * b11))
        wanted = clamped(s[0] * s[1], table[b, 8 * LANES + k], table[b, 9 * LANES + k])
        if s[0] >= s[1]:
            near = with_area(s[0], s[1], wanted)
        else:
            large, small = with_area(s[1], s[0], wanted)
            near = small, large
        n = cross(u[0], u[1])
        for j in range(3):
            out[e, j], out[e, 3 + j], out[e, 6 + j] = u[0][j], u[1][j], n[j]
        out[e, 9], out[e, 10], out[e, 11], out[e, 12] = v[0], -v[1], v[1], v[0]
        out[e, 18], out[e, 19], out[e, 21], out[e, 22] = s[0], s[1], near[0], near[1]


class Hessian:
    """Assembles the matrix of Newton's method."""

    def __init__(self, block) -> None:
        self.block = block
        m = block.model
        self.sets = [corners_of(m.cells), corners_of(m.triangles), corners_of(m.bends), corners_of(m.cells)[m.volumes.cell],
                     group_parts(m.groups)[0]]
        self.count = 3 * len(m.vertices.mass)
        rows, columns = [np.arange(self.count)], [np.arange(self.count)]
        for corners in self.sets:
            dof = (3 * corners[:, :, None] + np.arange(3)).reshape(len(corners), 3 * corners.shape[1])
            rows.append(np.repeat(dof, dof.shape[1], axis=1).ravel())
            columns.append(np.tile(dof, (1, dof.shape[1])).ravel())
        code = np.concatenate(rows) * self.count + np.concatenate(columns)
        unique, self.where = np.unique(code, return_inverse=True)
        self.indices = (unique % self.count).astype(np.int32)
        self.indptr = np.searchsorted(unique // self.count, np.arange(self.count + 1)).astype(np.int32)
        self.held = np.repeat(m.vertices.inverse_mass == 0.0, 3)
        free = ~self.held
        row = np.repeat(np.arange(self.count), np.diff(self.indptr))
        self.inner = free[row] & free[self.indices]
        self.band = BandedPattern(self.indptr, self.indices)
        self.diagonal = row == self.indices
        self._place, self._tables = np.zeros_like(m.vertices.rest), (table_of(m.cells), table_of(m.triangles))
        self._found = [np.zeros((len(table), 24)) for table in self._tables]
        kinds = ((decompose_cells, m.cells), (decompose_triangles, m.triangles))
        self._decompose = [bind(decompose, elements, self._place, found, likely=len(found) > 0)
                           for (decompose, elements), found in zip(kinds, self._found, strict=True)]
        self._values, self._blocks = np.zeros((len(self._found[0]), 27)), np.zeros((len(self._found[0]), 144))
        self._fill = bind(cell_blocks, m.cells, self._found[0], self._values, self._blocks, likely=len(self._found[0]) > 0)

    def at(self, place: np.ndarray, h: float, definite: bool) -> csr_matrix:
        """The matrix [N/m] (3 n, 3 n) at `place`, of bending too much; rows of held vertices are those of the unit matrix."""
        m, pins = self.block.model, self.block.pins
        self._place[:] = place
        blocks = [np.repeat(m.vertices.mass / h**2 + pins.weight, 3)]
        blocks.append(self._of(0, 3, 9, definite))
        blocks.append(self._of(1, 2, 4, definite))
        blocks.append(self._of_bends(place))
        blocks.append(self._of_patches())
        blocks.append(self._of_groups(place, definite))
        data = np.bincount(self.where, np.concatenate([b.ravel() for b in blocks]), len(self.indices))
        data = np.where(self.inner, data, np.where(self.diagonal, 1.0, 0.0))
        return csr_matrix((data, self.indices, self.indptr), shape=(self.count, self.count))

    def _of(self, kind: int, k: int, first: int, definite: bool) -> np.ndarray:
        table, found = self._tables[kind], self._found[kind]
        if not len(table):
            return np.zeros(0)
        self._decompose[kind]()
        u = found[:, :9].reshape(-1, 3, 3).swapaxes(1, 2)
        v = found[:, 9:9 + k * k].reshape(-1, k, k).swapaxes(1, 2)
        s, d = found[:, 18:18 + k], found[:, 21:21 + k]
        f, second = derivatives(s, table[:, first], table[:, first + 1], table[:, first + 2:first + 6], d)
        if k == 3:
            values = frame_values(s, f, second, definite)
            if self.block.tangle:
                some, w = self.block.tangle.work.cell, self.block.tangle.weights()[:, None, None]
                values[0][some], values[1][some], values[2][some] = w * np.eye(3), w * (1.0 - np.eye(3)), 0.0
            np.concatenate([one.reshape(-1, 9) for one in values], axis=1, out=self._values)
            self._fill()
            return self._blocks
        whole = hessian(u, s, v, f, second, definite)
        return between_corners(whole, corner_gradients(table[:, : k * k].reshape(-1, k, k)))

    def _of_groups(self, place: np.ndarray, definite: bool) -> np.ndarray:
        """Of the volumes of groups of cells."""
        groups = self.block.model.groups
        corners, g, weight = group_parts(groups)
        if not len(corners):
            return np.zeros(0)
        u, s, v = singular_frames(np.einsum("eai,eaj->eij", place[corners], g))
        ranges, d = table_of(groups)[:, 11:15], np.empty_like(s)
        nearest(s, np.clip(np.prod(s, axis=1), ranges[:, 2], ranges[:, 3]), d)
        f, second = derivatives(s, np.zeros(len(s)), weight, ranges, d)
        return between_corners(hessian(u, s, v, f, second, definite), g)

    def _of_bends(self, place: np.ndarray) -> np.ndarray:
        """w J^T J of each edge for itself, J = d(y - r n)/dx: above what the edges have together, J^T S^-1 J.

        Forces times second derivatives of n are left out: they vanish without rest angles, and where the angles are at rest.
        """
        corners, table = self.sets[2], table_of(self.block.model.bends)
        if not len(table):
            return np.zeros(0)
        self.slope = _slopes(place[corners], table[:, :4], table[:, 5])
        return np.einsum("e,eiak,eibl->eakbl", table[:, 4], self.slope, self.slope, optimize=True)

    def _of_patches(self) -> np.ndarray:
        """w g g^T along the gradient of each volume that is out of its range, where `forces` last looked."""
        m = self.block.model
        if not len(m.volumes.cell):
            return np.zeros(0)
        slope = self.block.relief.slope.reshape(-1, 3, 3)
        size = np.linalg.norm(slope, axis=(1, 2))[:, None, None]
        unit = np.divide(slope, size, out=np.zeros_like(slope), where=size > 0.0)
        gradient = corner_gradients(table_of(m.cells)[m.volumes.cell, :9].reshape(-1, 3, 3))
        g = np.einsum("ejk,eaj->eak", unit, gradient)
        return np.einsum("e,eak,ebl->eakbl", self.block.relief.volumes.weight, g, g)

    def too_much(self, v: np.ndarray) -> np.ndarray:
        """What `at` has too much of bending, times `v` (3 n,)."""
        corners, weight = self.sets[2], table_of(self.block.model.bends)[:, 4]
        turned = np.einsum("eiak,eak->ei", self.slope, v.reshape(-1, 3)[corners], optimize=True)
        rest = weight[:, None] * turned - self.block.moments[0].solve(turned)
        parts = np.einsum("eiak,ei->eak", self.slope, rest, optimize=True).reshape(-1, 3)
        out = np.stack([np.bincount(corners.ravel(), parts[:, c], len(v) // 3) for c in range(3)], axis=1).ravel()
        return np.where(self.held, 0.0, out)


def between_corners(whole: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Second derivatives by F (e, 3, k, 3, k) as those by the places of corners with gradients `g` (e, c, k)."""
    half = np.einsum("eakbl,edl->eakbd", whole, g, optimize=True)
    return np.ascontiguousarray(np.einsum("eakbd,eck->ecadb", half, g, optimize=True))


def singular_frames(f: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U, s, V of matrices (e, 3, 3), U and V proper rotations: the least singular value takes the sign."""
    u, s, v = np.linalg.svd(f)
    one, two = np.linalg.det(u) < 0.0, np.linalg.det(v) < 0.0
    u[one, :, 2] *= -1.0
    v[two, 2, :] *= -1.0
    s[one != two, 2] *= -1.0
    return u, s, np.swapaxes(v, 1, 2)


@entry
def nearest(s: Annotated[Array, real("e 3", "-", "singular values")], wanted: Annotated[Array, real("e", "-", "products")],
            out: Annotated[Array, real("e 3", "-", "those next to them with these products")]) -> None:
    """Writes: out"""
    for e in range(s.shape[0]):
        d = with_product((s[e, 0], s[e, 1], s[e, 2]), wanted[e])
        out[e, 0], out[e, 1], out[e, 2] = d


def _slopes(x: np.ndarray, k: np.ndarray, r: np.ndarray) -> np.ndarray:
    """J (e, 3, corner, 3) of edges with corners `x` (e, 4, 3), coefficients (e, 4) and lengths at rest (e,)."""
    e, b, c = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0], x[:, 3] - x[:, 0]
    out = np.einsum("ea,ij->eiaj", k, np.eye(3))
    around, lengths = [], []
    for across in (np.cross(e, b), np.cross(c, e)):
        length = np.linalg.norm(across, axis=1) + 1e-300
        around.append(across / length[:, None])
        lengths.append(length)
    u = around[0] + around[1]
    size = np.linalg.norm(u, axis=1) + 1e-300
    whole = (r / size)[:, None, None] * _flat(u / size[:, None])
    one, two = (whole @ _flat(n) / length[:, None, None] for n, length in zip(around, lengths, strict=True))
    parts = (two @ _cross(c) - one @ _cross(b), one @ _cross(e), -two @ _cross(e))  # of x1, x2, x3
    for a, part in enumerate(parts, 1):
        out[:, :, a] -= part
        out[:, :, 0] += part
    return out


def _flat(n: np.ndarray) -> np.ndarray:
    """1 - n n^T."""
    return np.eye(3) - n[:, :, None] * n[:, None, :]


def _cross(a: np.ndarray) -> np.ndarray:
    """The matrices (e, 3, 3) of a x."""
    zero = np.zeros(len(a))
    return np.stack([zero, -a[:, 2], a[:, 1], a[:, 2], zero, -a[:, 0], -a[:, 1], a[:, 0], zero], axis=1).reshape(-1, 3, 3)
