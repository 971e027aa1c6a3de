"""Bars of tetrahedral cells and sheets of triangles for the tests of soft things, as small as they can be."""

import numpy as np

_CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1))
_EVEN = ((0, 1, 2, 4), (3, 2, 1, 7), (5, 4, 7, 1), (6, 7, 4, 2), (1, 2, 4, 7))
"""The five tetrahedra of a cube; its mirror image makes those of its neighbours."""


def slices(count, length, grade) -> np.ndarray:
    """Where `length` is cut into `count` slices, each longer than the one before by the same factor."""
    ends = np.concatenate([[0.0], np.cumsum(grade ** (np.arange(count) / max(count - 1, 1)))])
    return ends / ends[-1] * length


def bar(counts, size, grade=(1.0, 1.0, 1.0)) -> tuple[np.ndarray, np.ndarray]:
    """Vertices [m] (n, 3) and cells (c, 4) of a box at the origin, cut into cubes, five cells each.

    grade: how much longer the last slice along each axis is than the first.
    """
    nx, ny, nz = counts
    xs, ys, zs = (slices(*one) for one in zip(counts, size, grade, strict=True))
    points = np.stack(np.meshgrid(xs, ys, zs, indexing="ij"), axis=-1).reshape(-1, 3)
    cells = []
    for i, j, k in np.ndindex(nx, ny, nz):
        odd = (i + j + k) % 2
        number = [((i + (1 - a if odd else a)) * (ny + 1) + j + b) * (nz + 1) + k + c for a, b, c in _CORNERS]
        for tetra in _EVEN:
            corners = [number[t] for t in tetra]
            cells.append(corners)
    cells = np.array(cells)
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    inside_out = np.linalg.det(edges) < 0.0
    cells[inside_out] = cells[inside_out][:, [0, 2, 1, 3]]
    return points, cells


def sheet(nx, ny, size) -> tuple[np.ndarray, np.ndarray]:
    """Vertices [m] (n, 3) and triangles (t, 3) of a flat rectangle in the plane z = 0."""
    points = np.stack(np.meshgrid(np.linspace(0, size[0], nx + 1), np.linspace(0, size[1], ny + 1), [0.0], indexing="ij"),
                      axis=-1).reshape(-1, 3)
    triangles = []
    for i, j in np.ndindex(nx, ny):
        a, b = i * (ny + 1) + j, (i + 1) * (ny + 1) + j
        c, d = b + 1, a + 1
        triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return points, np.array(triangles)


def equilateral(nx, ny, side) -> tuple[np.ndarray, np.ndarray]:
    """The same with rows of equilateral triangles of `side` [m], `ny` rows across."""
    points = np.array([(side * (i + 0.5 * (j % 2)), side * j * 0.75**0.5, 0.0) for i in range(nx + 1) for j in range(ny + 1)])
    triangles = []
    for i, j in np.ndindex(nx, ny):
        a, b = i * (ny + 1) + j, (i + 1) * (ny + 1) + j
        c, d = b + 1, a + 1
        triangles += [(a, b, c), (a, c, d)] if j % 2 else [(a, b, d), (b, c, d)]
    return points, np.array(triangles)


def slanted(nx, ny, size) -> tuple[np.ndarray, np.ndarray]:
    """The rectangle with all diagonals the same way."""
    i, j = (a.ravel() for a in np.indices((nx, ny)))
    a, b = i * (ny + 1) + j, (i + 1) * (ny + 1) + j
    return sheet(nx, ny, size)[0], np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)])


def scattered(nx, ny, size) -> tuple[np.ndarray, np.ndarray]:
    """The rectangle with its inner vertices moved at random by up to 0.3 of a square, but for those next to x = 0."""
    from scipy.spatial import Delaunay

    points = sheet(nx, ny, size)[0]
    square = np.array([size[0] / nx, size[1] / ny])
    inside = ((points[:, :2] > [square[0] + 1e-9, 1e-9]) & (points[:, :2] < np.array(size) - 1e-9)).all(axis=1)
    points[inside, :2] += np.random.default_rng(0).uniform(-0.3, 0.3, (int(inside.sum()), 2)) * square
    triangles = Delaunay(points[:, :2]).simplices.astype(np.int64)
    a, b = points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]]
    twice = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    triangles[twice < 0.0] = triangles[twice < 0.0][:, [0, 2, 1]]
    return points, triangles[np.abs(twice) > 1e-6 * square.prod()]


def turned(angle: float, points: np.ndarray) -> np.ndarray:
    """Points (n, 3) turned about the x axis by `angle` [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A proper rotation (3, 3)."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q * np.linalg.det(q)


def settle(block, h=1e4, most=200, close=1e-13, acceleration=(0.0, 0.0, 0.0)) -> int:
    """Find the shape at rest: one step so long that inertia does not count. Returns the iterations."""
    block.velocity[:] = 0.0
    free = block.model.vertices.inverse_mass > 0.0
    # The kick of a long step would start far away; the same force as an impulse starts from where the body is.
    block.begin(h)
    block.work.impulse[free] = h * block.model.vertices.mass[free][:, None] * np.asarray(acceleration)
    count = 1
    while block.iterate() * h >= close and count < most:
        count += 1
    block.position[:] = block.work.place
    block.velocity[:] = 0.0
    return count
