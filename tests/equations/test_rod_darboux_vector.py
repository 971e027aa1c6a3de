"""Darboux vector against finite differences along rigid motions, and against what a helix bends and twists by."""

from math import sin

import numpy as np
from rigid_motion import Frame, difference, random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rod.darboux_vector import (
    bend_twist,
    left_inverse_inertia,
    rate,
    rate_matrix,
    relative,
    right_inverse_inertia,
    torque,
)

EPS = np.finfo(float).eps


def neighbours(rng, widest: float = 2.5) -> tuple[Frame, Frame]:
    """Two elements turned against each other by at most `widest` [rad], moving somehow."""
    left = random_frame(rng)
    axis = rng.normal(size=3)
    turn = Rotation.from_rotvec(axis / np.linalg.norm(axis) * rng.uniform(0.0, widest))
    return left, random_frame(rng, left.turn * turn)


def test_it_changes_as_g_says():
    """d(2 Im p)/dt = G (w_right - w_left) by central differences."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = neighbours(rng)
        p = relative(a.quaternion(), b.quaternion())
        G = np.array(rate_matrix(p, a.quaternion()))
        spin = b.w - a.w
        speed = np.linalg.norm(a.w) + np.linalg.norm(b.w)
        for k in range(3):
            measured, error = difference(
                lambda t, a=a, b=b, k=k: bend_twist(relative(a.at(t).quaternion(), b.at(t).quaternion()))[k], 2.0, speed)
            assert abs(G[k] @ spin - measured) <= error
        np.testing.assert_allclose(rate(p, a.quaternion(), vector(spin)), G @ spin, atol=64 * EPS * speed)
        m = rng.normal(size=3)
        np.testing.assert_allclose(torque(p, a.quaternion(), vector(m)), G.T @ m, atol=64 * EPS * np.linalg.norm(m))


def test_responses_are_g_inertia_g():
    """G I^-1 G^T by plain matrices, of the left and of the right element."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        a, b = neighbours(rng)
        p = relative(a.quaternion(), b.quaternion())
        G = np.array(rate_matrix(p, a.quaternion()))
        d = rng.uniform(0.5, 3.0, size=3)
        for frame, made in ((a, left_inverse_inertia(p, vector(d))), (b, right_inverse_inertia(p, vector(d)))):
            R = frame.turn.as_matrix()
            want = G @ R @ np.diag(d) @ R.T @ G.T
            s = np.array(made)
            got = np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])
            np.testing.assert_allclose(got, want, atol=100 * EPS * d.max())


def test_a_frame_and_its_opposite_sign_are_the_same():
    """q and -q give the same Darboux vector, exactly."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = neighbours(rng, 3.0)
        q, r = a.quaternion(), b.quaternion()
        minus = tuple(-c for c in r)
        assert relative(q, r) == relative(q, minus)
        assert relative(q, r)[0] >= 0.0


def test_a_known_bend_reads_as_twice_the_sine_of_half_its_angle():
    """2 Im(p) = 2 sin(angle / 2) axis, the axis in the left element's frame."""
    rng = np.random.default_rng(4)
    left = Rotation.random(rng=rng)
    for k in range(3):
        axis = np.eye(3)[k]
        right = left * Rotation.from_rotvec(0.7 * axis)
        u = bend_twist(relative(vector(left.as_quat(scalar_first=True)), vector(right.as_quat(scalar_first=True))))
        np.testing.assert_allclose(u, 2.0 * sin(0.35) * axis, atol=16 * EPS)
