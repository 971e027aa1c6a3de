"""Torques of bending and twisting against finite differences of their energy, and against (14) of paper A with its matrices."""

import numpy as np
from rigid_motion import STEP, Frame, random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rod.bend_twist_torque import torque_on_left
from pliant.equations.rod.darboux_vector import bend_twist, rate, relative

EPS = np.finfo(float).eps
STILL = (0.0, 0.0, 0.0)


def neighbours(rng) -> tuple[Frame, Frame]:
    left = random_frame(rng)
    return left, random_frame(rng, left.turn * Rotation.from_rotvec(rng.uniform(-1.0, 1.0, size=3)))


def test_torques_are_the_slope_of_the_energy():
    """tau.axis = -dV/dphi for turns of either element about any axis; |d3V| <= 8 K (2 + |rest|)^2 bounds the difference."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        a, b = neighbours(rng)
        K, rest, axis = rng.uniform(0.5, 2.0, size=3), rng.uniform(-0.5, 0.5, size=3), rng.normal(size=3)
        axis /= np.linalg.norm(axis)

        def energy(left, right, K=K, rest=rest):
            u = np.array(bend_twist(relative(left.quaternion(), right.quaternion())))
            return 0.5 * (K * (u - rest) ** 2).sum()

        tau = np.array(torque_on_left(a.quaternion(), b.quaternion(), STILL, vector(K), vector(rest), 0.0))
        turning_a, turning_b = a._replace(w=axis), b._replace(w=axis)
        slope_a = (energy(turning_a.at(STEP), b) - energy(turning_a.at(-STEP), b)) / (2.0 * STEP)
        slope_b = (energy(a, turning_b.at(STEP)) - energy(a, turning_b.at(-STEP))) / (2.0 * STEP)
        size = 2.0 * (2.0 + np.linalg.norm(rest)) ** 2 * 3.0
        error = STEP**2 / 6.0 * 8.0 * size + 8.0 * EPS * size / STEP
        assert abs(tau @ axis + slope_a) <= error
        assert abs(-tau @ axis + slope_b) <= error


def test_they_are_equation_14_with_its_matrices_in_one_order():
    """tau_j = Q_j^T sum K (u - l^ u^) / l^ B_k q_j+1, the B_k of (12) and Q of (4) both written for (x, y, z, w)."""
    B = np.array([
        [[0, 0, 0, 1], [0, 0, 1, 0], [0, -1, 0, 0], [-1, 0, 0, 0]],
        [[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]],
        [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]],
    ], float)
    rng = np.random.default_rng(2)
    for _ in range(10):
        a, b = neighbours(rng)
        K, rest = rng.uniform(0.5, 2.0, size=3), rng.uniform(-0.5, 0.5, size=3)
        q, r = np.roll(a.quaternion(), -1), np.roll(b.quaternion(), -1)
        if q @ r < 0.0:
            r = -r
        x, y, z, w = q
        Q = np.array([[w, z, -y], [-z, w, x], [y, -x, w], [-x, -y, -z]])
        strain = np.array([2.0 * (B[k] @ q) @ r for k in range(3)]) - rest
        printed = Q.T @ sum(K[k] * strain[k] * B[k] @ r for k in range(3))
        made = torque_on_left(a.quaternion(), b.quaternion(), STILL, vector(K), vector(rest), 0.0)
        np.testing.assert_allclose(made, printed, atol=100 * EPS * K.max())


def test_damping_takes_power():
    """The damper's power on two elements is -T sum K (d(2 Im p)/dt)^2, never positive."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        a, b = neighbours(rng)
        K, T = rng.uniform(0.5, 2.0, size=3), 0.3
        p = relative(a.quaternion(), b.quaternion())
        spin = vector(b.w - a.w)
        elastic = np.array(torque_on_left(a.quaternion(), b.quaternion(), spin, vector(K), STILL, 0.0))
        both = np.array(torque_on_left(a.quaternion(), b.quaternion(), spin, vector(K), STILL, T))
        power = (both - elastic) @ (a.w - b.w)
        u = np.array(rate(p, a.quaternion(), spin))
        assert abs(power + T * (K * u * u).sum()) <= 100 * EPS * (1.0 + np.linalg.norm(spin)) ** 2 * 2.0
