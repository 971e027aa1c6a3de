"""How deep points lie inside shapes and closed surfaces, many points at once."""

import numpy as np
from numpy.typing import NDArray

from ..scene.shape import Box, Capsule, Cylinder, Mesh, Sphere
from .hulls import load_mesh

PAIRS = 200_000
"""Of a point and a triangle that are looked at at once; they bound the memory that it takes."""


def depth_in_shape(shape: Box | Sphere | Capsule | Cylinder | Mesh, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """How deep points (n, 3) [m] of a shape's own frame lie inside it (n,) [m]; negative outside; of a mesh in its hull."""
    x, y, z = np.abs(points).T
    if isinstance(shape, Box):
        return np.minimum(np.minimum(0.5 * shape.x - x, 0.5 * shape.y - y), 0.5 * shape.z - z)
    if isinstance(shape, Sphere):
        return shape.radius - np.linalg.norm(points, axis=1)
    if isinstance(shape, Mesh):
        planes = load_mesh(shape.source, shape.scale, may_be_open=True).hull.planes
        return (planes[:, 3] - points @ planes[:, :3].T).min(axis=1)
    aside = np.hypot(x, y)
    if isinstance(shape, Capsule):
        return shape.radius - np.hypot(aside, np.maximum(z - 0.5 * shape.length, 0.0))
    return np.minimum(shape.radius - aside, 0.5 * shape.length - z)


def depth_in_surface(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same of points (n, 3) [m] and a closed surface of triangles (m, 3, 3) [m], turned outwards; 0 outside."""
    edge = np.roll(corners, -1, axis=1) - corners
    normal = np.cross(edge[:, 0], edge[:, 1])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    inward, square = np.cross(normal[:, None], edge), np.maximum(np.einsum("fki,fki->fk", edge, edge), 1e-300)
    at_once, found = max(1, PAIRS // len(corners)), [np.zeros(0)]
    for first in range(0, len(points), at_once):
        d = points[first:first + at_once, None, None] - corners
        share = np.clip(np.einsum("pfki,fki->pfk", d, edge) / square, 0.0, 1.0)
        rim = np.linalg.norm(d - share[..., None] * edge, axis=3).min(axis=2)
        over = (np.einsum("pfki,fki->pfk", d, inward) >= 0.0).all(axis=2)
        away = np.where(over, np.abs(np.einsum("pfi,fi->pf", d[:, :, 0], normal)), rim).min(axis=1)
        found.append(np.where(_turns(d) > 0.5, away, 0.0))
    return np.concatenate(found)


def _turns(d: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often a surface goes round points (p,) [-], from the ways (p, f, 3, 3) [m] from its corners to them: the angles under
    which they see its triangles, as a share of 4 pi. About 1 inside, 0 outside."""
    a, b, c = -d[:, :, 0], -d[:, :, 1], -d[:, :, 2]
    la, lb, lc = (np.linalg.norm(one, axis=2) for one in (a, b, c))
    ab, bc, ca = (np.einsum("pfi,pfi->pf", one, two) for one, two in ((a, b), (b, c), (c, a)))
    volume = np.einsum("pfi,pfi->pf", a, np.cross(b, c))
    return np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb).sum(axis=1) / (2.0 * np.pi)
