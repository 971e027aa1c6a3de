"""Stretch and shear against finite differences along rigid motions, the response against plain matrices."""

import numpy as np
from rigid_motion import difference, random_frame, vector

from pliant.equations.rod.stretch_shear import (
    chord_in_element,
    stretch_shear,
    stretch_shear_response,
    turn_by_stretch_shear,
)

EPS = np.finfo(float).eps


def jacobian(a, R) -> np.ndarray:
    """(3, 9) for the two points and the turn of the element, world axes."""
    x, y, z = a
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.hstack((-R.T, R.T, skew @ R.T))


def test_strain_changes_as_its_jacobian_says():
    """d_e = R^T (d_p_2 - d_p_1) + [a]x R^T d_phi by central differences, the element stretched or not."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        frame, p1, p2, v1, v2 = random_frame(rng), *rng.normal(size=(4, 3))

        def strain(t, frame=frame, p1=p1, p2=p2, v1=v1, v2=v2):
            return stretch_shear(chord_in_element(frame.at(t).quaternion(), vector(p2 + t * v2 - p1 - t * v1)), 0.3)

        J = jacobian(chord_in_element(frame.quaternion(), vector(p2 - p1)), frame.turn.as_matrix())
        want = J @ np.concatenate((v1, v2, frame.w))
        size = np.linalg.norm(p2 - p1) + np.linalg.norm(v2 - v1) + 0.3
        for k in range(3):
            measured, error = difference(lambda t, k=k: strain(t)[k], size, 1.0 + np.linalg.norm(frame.w))
            assert abs(want[k] - measured) <= error


def test_the_response_is_j_m_j_and_impulses_turn_by_j():
    """A = J M^-1 J^T built whole, and R I^-1 (P x a) = M^-1 J^T P."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        frame, a, P = random_frame(rng), vector(rng.normal(size=3)), rng.normal(size=3)
        m1, m2, inverse = *rng.uniform(0.5, 2.0, size=2), rng.uniform(0.5, 2.0, size=3)
        R = frame.turn.as_matrix()
        J = jacobian(a, R)
        M = np.zeros((9, 9))
        M[:3, :3], M[3:6, 3:6], M[6:, 6:] = m1 * np.eye(3), m2 * np.eye(3), R @ np.diag(inverse) @ R.T
        s = stretch_shear_response(a, m1 + m2, vector(inverse))
        got = np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])
        want = J @ M @ J.T
        np.testing.assert_allclose(got, want, atol=100 * EPS * np.abs(want).max())
        turn = R @ np.array(turn_by_stretch_shear(a, vector(P), vector(inverse)))
        np.testing.assert_allclose(turn, (M @ J.T @ P)[6:], atol=100 * EPS * np.linalg.norm(P) * np.linalg.norm(a) * 2.0)


def test_a_straight_element_at_its_length_is_not_strained():
    """r' = d3 where the points lie along the third axis at the rest length: zero to rounding."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        frame = random_frame(rng)
        chord = 0.3 * np.array(frame.axes()[2])
        np.testing.assert_allclose(stretch_shear(chord_in_element(frame.quaternion(), vector(chord)), 0.3), 0.0, atol=8 * EPS)
