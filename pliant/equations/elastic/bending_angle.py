"""Bending constraint: the angle between two triangles that share an edge, with a rest angle of its own.

Let the edge run from x0 to x1, with x2 and x3 the tips of the triangles left and right of it, and cot_a, cot_b the
cotangents of a triangle's angles at x0 and x1. The sum over both triangles of

    (cot_a + cot_b) tip  -  cot_b x0  -  cot_a x1

is |e| times the unit vector in the triangle's plane from the edge to the tip; it is linear in the corners while cotangents
are taken at rest. So y = sum k_a x_a has, as long as the triangles keep their shape, the length 2 |e| sin(angle / 2) and
points along the mean normal, to the side to which the triangles are folded. Constraint: y has the length it had at rest,

    target = r y / |y|,   r = 2 |e| sin(rest / 2) with its sign,   potential  w/2 |y - target|^2

with the sign of y taken against the mean normal n of the triangles, x0 x1 x2 and x1 x0 x3 going round. A flat rest (r = 0)
makes the potential quadratic. The coefficients k sum to zero and so do the forces.

Angles of edges alone cannot tell a saddle from a bowl as a plate would: equilateral triangles make a plate of Poisson's ratio
-1/3 in bending, whatever the material, so a narrow strip of them is 8/9 as stiff as the plate.

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


def bend_coefficients(rest: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """k [-] (e, 4) and the sum of the two areas [m2] (e,)."""
    x0, x1 = rest[edges[:, 0]], rest[edges[:, 1]]
    k = np.zeros((len(edges), 4))
    area = np.zeros(len(edges))
    for side in (2, 3):
        tip = rest[edges[:, side]]
        twice = np.linalg.norm(np.cross(x1 - x0, tip - x0), axis=1)
        cot_a = np.einsum("ei,ei->e", x1 - x0, tip - x0) / twice
        cot_b = np.einsum("ei,ei->e", x0 - x1, tip - x1) / twice
        k[:, 0] -= cot_b
        k[:, 1] -= cot_a
        k[:, side] += cot_a + cot_b
        area += 0.5 * twice
    return k, area


def rest_length(rest: np.ndarray, edges: np.ndarray, k: np.ndarray) -> np.ndarray:
    """r [m] (e,) of the shape at rest, with its sign."""
    y = np.einsum("ea,eai->ei", k, rest[edges])
    x0, x1, x2, x3 = (rest[edges[:, a]] for a in range(4))
    normal = np.cross(x1 - x0, x2 - x0) + np.cross(x3 - x0, x1 - x0)
    return np.linalg.norm(y, axis=1) * np.where(np.einsum("ei,ei->e", y, normal) < 0.0, -1.0, 1.0)


def rest_length_of_angle(rest: np.ndarray, edges: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """r [m] (e,) of a rest `angle` [rad] (e,); positive where the tips stand up on the side of the normals."""
    return 2.0 * np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1) * np.sin(0.5 * angle)


def bend_calibration(rest: np.ndarray, edges: np.ndarray, k: np.ndarray, both_areas: np.ndarray) -> float:
    """What 3 D / (A1 + A2) has to be multiplied by, for this mesh, so that bending costs D/2 (curvature)^2 per area.

    On a surface of small curvature H the linear form takes the value y = H : B / 2 with B = sum k_a X_a X_a^T, the two
    triangles laid flat. For a cylinder about any direction in the plane, H = c d d^T, the mean of y^2 over d is
    c^2 (2 |B|^2 + (tr B)^2) / 32. The factor makes the sum over all edges right for the mean direction: 1/3 for equilateral
    triangles, where all directions are alike; for squares cut in two, single directions are then off by up to a fifth.
    """
    if not len(edges):
        return 1.0
    x0, along = rest[edges[:, 0]], rest[edges[:, 1]] - rest[edges[:, 0]]
    length = np.linalg.norm(along, axis=1)
    flat = np.zeros((len(edges), 4, 2))
    flat[:, 1, 0] = length
    for side, sign in ((2, 1.0), (3, -1.0)):
        tip = rest[edges[:, side]] - x0
        flat[:, side, 0] = np.einsum("ei,ei->e", tip, along) / length
        flat[:, side, 1] = sign * np.linalg.norm(np.cross(along, tip), axis=1) / length
    b = np.einsum("ea,eai,eaj->eij", k, flat, flat)
    mean = (2.0 * np.sum(b * b, axis=(1, 2)) + np.trace(b, axis1=1, axis2=2) ** 2) / 32.0
    return float(np.sum(both_areas / 3.0) / np.sum(3.0 / both_areas * mean))


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
