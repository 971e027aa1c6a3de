"""Bend and twist: response and turns against the matrix G, itself checked by finite differences (test_rod_darboux_vector)."""

import numpy as np
from rigid_motion import random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rod.bend_twist import bend_twist_response, turns_by_bend_twist
from pliant.equations.rod.darboux_vector import rate_matrix, relative

EPS = np.finfo(float).eps


def test_response_and_turns_follow_from_g():
    """A = G (I_left^-1 + I_right^-1) G^T; impulses turn the elements by -+ I^-1 G^T P, each told in its own axes."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        left = random_frame(rng)
        right = random_frame(rng, left.turn * Rotation.from_rotvec(rng.uniform(-1.2, 1.2, size=3)))
        p = relative(left.quaternion(), right.quaternion())
        G = np.array(rate_matrix(p, left.quaternion()))
        a, b, P = rng.uniform(0.5, 2.0, size=3), rng.uniform(0.5, 2.0, size=3), rng.normal(size=3)
        L, R = left.turn.as_matrix(), right.turn.as_matrix()
        inverse_a, inverse_b = L @ np.diag(a) @ L.T, R @ np.diag(b) @ R.T
        s = bend_twist_response(p, vector(a), vector(b))
        got = np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])
        np.testing.assert_allclose(got, G @ (inverse_a + inverse_b) @ G.T, atol=200 * EPS)
        turn_left, turn_right = turns_by_bend_twist(p, vector(P), vector(a), vector(b))
        np.testing.assert_allclose(L @ turn_left, -inverse_a @ G.T @ P, atol=200 * EPS * np.linalg.norm(P))
        np.testing.assert_allclose(R @ turn_right, inverse_b @ G.T @ P, atol=200 * EPS * np.linalg.norm(P))
