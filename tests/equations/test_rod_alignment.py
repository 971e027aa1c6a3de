"""Rows of directions against finite differences, their response against plain matrices, and the guard against turning back."""

import numpy as np
from rigid_motion import STEP, random_frame, vector

from pliant.equations.rod.alignment import aside, inverse_response, misalignment, rates

EPS = np.finfo(float).eps


def test_directions_change_as_their_rows_say():
    """d/dt (n - d3).d_k with d_k held still, by central differences.

    |d3/dt3| of n is at most 30 (u + u^2 + u^3), u = |v| / distance, of d3 at most |w|^3.
    """
    rng = np.random.default_rng(1)
    for _ in range(20):
        frame, left, right, v1, v2 = random_frame(rng), *rng.normal(size=(4, 3))
        right = left + 2.0 * np.array(frame.axes()[2]) + 0.5 * (right - left) / np.linalg.norm(right - left)

        def gap(t, frame=frame, left=left, right=right, v1=v1, v2=v2):
            chord = right + t * v2 - left - t * v1
            return chord / np.linalg.norm(chord) - np.array(frame.at(t).axes()[2])

        distance = np.linalg.norm(right - left)
        n = vector((right - left) / distance)
        d1, d2, _ = frame.axes()
        a1, a2 = aside(n, d1, 1.0 / distance), aside(n, d2, 1.0 / distance)
        got = rates(a1, a2, d1, d2, vector(v1), vector(v2), vector(frame.w))
        change = (gap(STEP) - gap(-STEP)) / (2.0 * STEP)
        u, w = np.linalg.norm(v2 - v1) / distance, np.linalg.norm(frame.w)
        error = STEP**2 / 6.0 * (30.0 * (u + u**2 + u**3) + w**3) + 16.0 * EPS / STEP
        assert np.abs(np.array(got) - (change @ d1, change @ d2)).max() <= error


def test_the_response_is_j_m_j():
    """The 2 x 2 matrix J M^-1 J^T built whole; its inverse times it is one, within its condition."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        frame = random_frame(rng)
        d1, d2, d3 = (np.array(d) for d in frame.axes())
        n = d3 + 0.4 * rng.normal(size=3)
        n /= np.linalg.norm(n)
        a1, a2 = aside(vector(n), vector(d1), 4.0), aside(vector(n), vector(d2), 4.0)
        m1, m2, inertia = *rng.uniform(0.5, 2.0, size=2), rng.uniform(10.0, 30.0, size=3)
        R = np.column_stack((d1, d2, d3))
        J = np.array([[*-np.array(a1), *a1, *-d2], [*-np.array(a2), *a2, *d1]])
        M = np.zeros((9, 9))
        M[:3, :3], M[3:6, 3:6], M[6:, 6:] = m1 * np.eye(3), m2 * np.eye(3), R @ np.diag(inertia) @ R.T
        A = J @ M @ J.T
        xx, yy, xy = inverse_response(a1, a2, m1 + m2, vector(inertia))
        np.testing.assert_allclose(np.array([[xx, xy], [xy, yy]]) @ A, np.eye(2), atol=100 * EPS * np.linalg.cond(A))


def test_an_element_that_points_backwards_is_told_to_turn():
    """c has full length wherever n.d3 < 0, in the direction of n, and is (n.d1, n.d2) elsewhere."""
    d1, d2, d3 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    assert misalignment((0.6, 0.0, 0.8), d1, d2, d3) == (0.6, 0.0)
    np.testing.assert_allclose(misalignment((0.36, 0.48, -0.8), d1, d2, d3), (0.6, 0.8), atol=4 * EPS)
    assert misalignment((0.0, 0.0, -1.0), d1, d2, d3) == (1.0, 0.0)
