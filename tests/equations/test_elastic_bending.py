"""Bending of an edge: length and direction of y, angles. Oracle: folding two rigid triangles by hand."""

import numpy as np
import pytest

from pliant.equations.elastic.bending_angle import (
    bend_coefficients,
    bend_target,
    inner_edges,
    rest_length,
    rest_length_of_angle,
)

EPS = np.finfo(float).eps
FLAT = np.array([[0.0, 0, 0], [1.3, 0, 0], [0.4, 0.9, 0], [0.7, -0.6, 0]])
EDGE = np.array([[0, 1, 2, 3]])


def folded(angle):
    """The right triangle turned about the edge so that its tip stands up by `angle` on the side of the normals (+z)."""
    x = FLAT.copy()
    x[3] = (0.7, -0.6 * np.cos(angle), 0.6 * np.sin(angle))
    return x


@pytest.mark.parametrize("angle", [-2.0, -0.5, -1e-3, 0.0, 1e-3, 0.7, 2.5])
def test_length_and_sign(angle):
    """|y| = 2 |e| sin(angle/2), towards the side of the fold."""
    k = bend_coefficients(FLAT, EDGE)
    y = k[0] @ folded(angle)
    assert np.linalg.norm(y) == pytest.approx(2 * 1.3 * abs(np.sin(angle / 2)), abs=20 * EPS)
    assert rest_length(folded(angle), EDGE, k)[0] == pytest.approx(2 * 1.3 * np.sin(angle / 2), abs=20 * EPS)
    assert rest_length_of_angle(FLAT, EDGE, np.array([angle]))[0] == pytest.approx(2 * 1.3 * np.sin(angle / 2), abs=20 * EPS)


@pytest.mark.parametrize("angle", [-2.0, -0.5, 0.0, 0.7, 2.5])
@pytest.mark.parametrize("rest", [-0.6, 0.0, 0.6])
def test_target_is_y_of_the_rest_angle_between_the_same_normals(angle, rest):
    """The target has the rest's length along the mean normal, whichever way the edge is folded now."""
    k = bend_coefficients(FLAT, EDGE)
    x = folded(angle)
    r = rest_length_of_angle(FLAT, EDGE, np.array([rest]))[0]
    found = np.array(bend_target(tuple(k[0] @ x), *map(tuple, x), r))
    normal = np.cross(x[1] - x[0], x[2] - x[0]) / (1.3 * 0.9) + np.cross(x[3] - x[0], x[1] - x[0]) / (1.3 * 0.6)
    np.testing.assert_allclose(found, r * normal / np.linalg.norm(normal), atol=50 * EPS)


def test_rigid_motion_and_shift_leave_y_alone():
    """y turns with the body and does not see where it is: the coefficients sum to zero."""
    rng = np.random.default_rng(2)
    q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    k = bend_coefficients(FLAT, EDGE)
    x = folded(0.9)
    np.testing.assert_allclose(k[0] @ (x @ q.T + [3.0, -2.0, 1.0]), q @ (k[0] @ x), atol=50 * EPS)


def test_inner_edges_of_a_tetrahedron_are_six():
    """Euler: a closed surface of 4 triangles has 6 edges, each with both its tips."""
    triangles = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    edges = inner_edges(triangles)
    assert len(edges) == 6 and all(len(set(e)) == 4 for e in edges.tolist())
    assert {frozenset(e[:2]) for e in edges.tolist()} == {frozenset((i, j)) for i in range(4) for j in range(i)}
