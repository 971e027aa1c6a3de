"""Spin carried along: angular momentum kept to rounding, and Euler's equation to first order."""

import numpy as np
from rigid_motion import random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rod.carried_spin import carried_spin

EPS = np.finfo(float).eps


def turned(frame, h: float):
    """Quaternion after a turn by the rotation vector h w."""
    return vector((Rotation.from_rotvec(h * frame.w) * frame.turn).as_quat(scalar_first=True))


def test_angular_momentum_is_kept():
    rng = np.random.default_rng(1)
    for _ in range(20):
        frame, inertia = random_frame(rng), rng.uniform(0.5, 2.0, size=3)
        q = turned(frame, 0.1)
        w = np.array(carried_spin(q, vector(frame.w), vector(1.0 / inertia), 0.1))
        R, S = frame.turn.as_matrix(), Rotation.from_quat(q, scalar_first=True).as_matrix()
        before, after = R @ np.diag(inertia) @ R.T @ frame.w, S @ np.diag(inertia) @ S.T @ w
        np.testing.assert_allclose(after, before, atol=200 * EPS * np.linalg.norm(before))


def test_it_follows_the_equation_of_euler():
    """(w' - w) / h -> -I^-1 (w x I w): halving h halves the error, within a tenth."""
    rng = np.random.default_rng(2)
    frame, inertia = random_frame(rng), np.array((1.0, 1.3, 2.0))
    R = frame.turn.as_matrix()
    world = R @ np.diag(inertia) @ R.T
    euler = -np.linalg.solve(world, np.cross(frame.w, world @ frame.w))
    errors = []
    for h in (2e-3, 1e-3):
        w = np.array(carried_spin(turned(frame, h), vector(frame.w), vector(1.0 / inertia), h))
        errors.append(np.linalg.norm((w - frame.w) / h - euler))
    assert 1.8 <= errors[0] / errors[1] <= 2.2


def test_a_held_element_keeps_its_velocity():
    assert carried_spin((1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3), (0.0, 0.0, 0.0), 0.1) == (0.1, 0.2, 0.3)
