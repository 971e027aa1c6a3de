"""Bending constraint: the angle between two triangles that share an edge, with a rest angle of its own.

Let the edge run from x0 to x1, with x2 and x3 the tips of the triangles left and right of it, and cot_a, cot_b the
cotangents of a triangle's angles at x0 and x1. The sum over both triangles of

    (cot_a + cot_b) tip  -  cot_b x0  -  cot_a x1

is |e| times the unit vector in the triangle's plane from the edge to the tip; it is linear in the corners while cotangents
are taken at rest. So y = sum k_a x_a has, as long as the triangles keep their shape, the length 2 |e| sin(angle / 2) and
points along the mean normal, to the side to which the triangles are folded. Constraint: y has the length it had at rest,

    target = r y / |y|,   r = 2 |e| sin(rest / 2) with its sign

with the sign of y taken against the mean normal n of the triangles, x0 x1 x2 and x1 x0 x3 going round. The coefficients k sum
to zero and so do the forces. What an angle costs is a matter of all edges together: bending_moment.py.

Source: [PaperD] bending angles between base triangles; [Bergou2006] the linear form of y
Check: tests/equations/test_elastic_bending.py
"""

import numpy as np

from ..._jit import kernel
from ...math.vec3 import add, cross, dot, norm, scale, sub


def inner_edges(triangles: np.ndarray) -> np.ndarray:
    """Corners (x0, x1, x2, x3) (e, 4) of all edges that two triangles share, going opposite ways along it."""
    sides: dict[tuple[int, int], int] = {}
    found = []
    for a, b, c in triangles.tolist():
        for i, j, tip in ((a, b, c), (b, c, a), (c, a, b)):
            if (j, i) in sides:
                found.append((j, i, sides.pop((j, i)), tip))
            else:
                sides[i, j] = tip
    return np.array(found, np.int64).reshape(-1, 4)


def bend_coefficients(rest: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """k [-] (e, 4)."""
    x0, x1 = rest[edges[:, 0]], rest[edges[:, 1]]
    k = np.zeros((len(edges), 4))
    for side in (2, 3):
        tip = rest[edges[:, side]]
        twice = np.linalg.norm(np.cross(x1 - x0, tip - x0), axis=1)
        cot_a = np.einsum("ei,ei->e", x1 - x0, tip - x0) / twice
        cot_b = np.einsum("ei,ei->e", x0 - x1, tip - x1) / twice
        k[:, 0] -= cot_b
        k[:, 1] -= cot_a
        k[:, side] += cot_a + cot_b
    return k


def rest_length(rest: np.ndarray, edges: np.ndarray, k: np.ndarray) -> np.ndarray:
    """r [m] (e,) of the shape at rest, with its sign."""
    y = np.einsum("ea,eai->ei", k, rest[edges])
    x0, x1, x2, x3 = (rest[edges[:, a]] for a in range(4))
    normal = np.cross(x1 - x0, x2 - x0) + np.cross(x3 - x0, x1 - x0)
    return np.linalg.norm(y, axis=1) * np.where(np.einsum("ei,ei->e", y, normal) < 0.0, -1.0, 1.0)


def rest_length_of_angle(rest: np.ndarray, edges: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """r [m] (e,) of a rest `angle` [rad] (e,); positive where the tips stand up on the side of the normals."""
    return 2.0 * np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1) * np.sin(0.5 * angle)


@kernel
def bend_target(y, x0, x1, x2, x3, r):
    """The vector that `y` is to be, for the rest length `r` [m]."""
    if r == 0.0:
        return 0.0, 0.0, 0.0
    e = sub(x1, x0)
    normal = add(cross(e, sub(x2, x0)), cross(sub(x3, x0), e))
    length = norm(y)
    if length > 1e-12 * abs(r):
        return scale((-r if dot(y, normal) < 0.0 else r) / length, y)
    return scale(r / (norm(normal) + 1e-300), normal)
