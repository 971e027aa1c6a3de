"""Deformation gradient of a linear cell or triangle: the constant matrix A S of a strain constraint.

A cell with corners x0 … x3 that were at X0 … X3 carries its inside along linearly, by

    F = D B,   D = [x1 - x0, x2 - x0, x3 - x0],   B = [X1 - X0, X2 - X0, X3 - X0]^-1

so F = sum over corners of x_a g_a^T with the rows g1, g2, g3 of B and g0 = -(g1 + g2 + g3): linear in the corners, constant
in the cell. A force that does work on F by P : dF pulls corner a with P g_a; because the g_a sum to zero, such forces do too.

A triangle lies in its own plane at rest: two axes there make X two-dimensional, B is 2 x 2 and F is 3 x 2.

    F    deformation gradient        [-]       B    inverse of the rest edges    [1/m]

Source: [PaperD] equation 4, the matrices A and S
Check: tests/equations/test_elastic_gradient.py
"""

import numpy as np


def cell_gradients(rest: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """B [1/m] (c, 3, 3) and volumes [m3] (c,), negative where a cell is inside out; B says nothing where it is zero."""
    edges = np.swapaxes(rest[cells[:, 1:]] - rest[cells[:, :1]], 1, 2)
    volume = np.linalg.det(edges) / 6.0
    edges[volume == 0.0] = np.eye(3)
    return np.linalg.inv(edges), volume


def triangle_gradients(rest: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """B [1/m] (t, 2, 2) in axes of each triangle's own, the first along its first edge, and areas [m2] (t,).

    B says nothing where the area is zero.
    """
    a, b = rest[triangles[:, 1]] - rest[triangles[:, 0]], rest[triangles[:, 2]] - rest[triangles[:, 0]]
    length = np.linalg.norm(a, axis=1)
    safe = np.where(length > 0.0, length, 1.0)
    along = np.einsum("ti,ti->t", a, b) / safe
    across = np.linalg.norm(np.cross(a, b), axis=1) / safe
    edges = np.zeros((len(triangles), 2, 2))
    edges[:, 0, 0], edges[:, 0, 1], edges[:, 1, 1] = length, along, across
    area = 0.5 * length * across
    edges[area == 0.0] = np.eye(2)
    return np.linalg.inv(edges), area


def corner_gradients(inverse: np.ndarray) -> np.ndarray:
    """g_a [1/m] of all corners (e, 4, 3) or (e, 3, 2), from B."""
    return np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
