"""Coordinates of joints against finite differences along rigid motions, SciPy's rotations, and many turns."""

import numpy as np
import pytest
from rigid_motion import difference, random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rigid.joint_coordinates import (
    cross_angles,
    rotation_rate_row,
    rotation_vector,
    swing_angle,
    twist_angle,
    unwrap,
    wrap,
)
from pliant.math.quat import conj, qmul

EPS = np.finfo(float).eps
Z = np.array([0.0, 0.0, 1.0])


def pair(rng, turn: Rotation):
    """Two moving frames, the second turned by `turn` in the first."""
    a = random_frame(rng)
    return a, random_frame(rng, a.turn * turn)


def relative(a, b) -> tuple:
    return qmul(conj(a.quaternion()), b.quaternion())


def speed(a, b) -> float:
    return float(np.linalg.norm(a.w) + np.linalg.norm(b.w))


@pytest.mark.parametrize("angle", [0.0, 1.0, -2.0, 3.1])
def test_twist_in_a_closed_hinge(angle):
    """The angle is the one turned, and its rate (w_b - w_a).z_a."""
    rng = np.random.default_rng(6)
    a, b = pair(rng, Rotation.from_rotvec(angle * Z))
    assert abs(twist_angle(relative(a, b)) - angle) <= 16 * EPS
    measured, error = difference(lambda t: twist_angle(relative(a.at(t), b.at(t))), np.pi, speed(a, b))
    assert abs(np.dot(b.w - a.w, a.axes()[2]) - measured) <= error


def test_both_angles_of_a_cross():
    """q_b = q_a turned by phi about z_a, then by psi about x_b; rates along z_a and x_b."""
    rng = np.random.default_rng(7)

    def angles(t, a, b):
        (x_a, y_a, z_a), (x_b, _, z_b) = a.at(t).axes(), b.at(t).axes()
        return cross_angles(x_a, y_a, z_a, x_b, z_b)

    for _ in range(20):
        phi, psi = rng.uniform(-3, 3), rng.uniform(-1.3, 1.3)
        a, b = pair(rng, Rotation.from_euler("ZX", [phi, psi]))
        np.testing.assert_allclose(angles(0.0, a, b), (phi, psi), atol=16 * EPS)
        for k, axis in ((0, a.axes()[2]), (1, b.axes()[0])):
            measured, error = difference(lambda t, a=a, b=b, k=k: angles(t, a, b)[k], np.pi, speed(a, b) / np.cos(psi))
            assert abs(np.dot(b.w - a.w, axis) - measured) <= error


@pytest.mark.parametrize("angle", [0.0, 1e-10, 5e-5, 2e-4, 0.3, 2.0, 3.0])
def test_rotation_vector_and_its_rate(angle):
    """Equal to SciPy's, and its rate to the rows of the inverse left Jacobian, on both sides of every switch."""
    rng = np.random.default_rng(8)
    axis = rng.normal(size=3)
    f = angle * axis / np.linalg.norm(axis)
    a, b = pair(rng, Rotation.from_rotvec(f))
    p = relative(a, b)
    for sign in (1.0, -1.0):  # q and -q are one turn
        np.testing.assert_allclose(rotation_vector(tuple(sign * c for c in p)), f, atol=32 * EPS)
    w = a.turn.inv().apply(b.w - a.w)  # parent's frame
    for k in range(3):
        arm = rotation_rate_row(vector(f), vector(np.eye(3)[k]))
        measured, error = difference(lambda t, k=k: rotation_vector(relative(a.at(t), b.at(t)))[k], np.pi,
                                     speed(a, b) / (1.0 - angle / (2.0 * np.pi)))
        assert abs(np.dot(arm, w) - measured) <= error


def test_swing_and_its_rate():
    """Angle between the two z axes; it grows about the axis given."""
    rng = np.random.default_rng(9)
    for _ in range(20):
        a, b = random_frame(rng), random_frame(rng)
        angle, axis = swing_angle(a.axes()[2], b.axes()[2])
        assert abs(np.cos(angle) - np.dot(a.axes()[2], b.axes()[2])) <= 8 * EPS
        measured, error = difference(lambda t, a=a, b=b: swing_angle(a.at(t).axes()[2], b.at(t).axes()[2])[0], np.pi,
                                     speed(a, b) / np.sin(angle))
        assert abs(np.dot(b.w - a.w, axis) - measured) <= error


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_swing_of_axes_in_line(sign):
    """Parallel axes swing by 0, opposite ones by pi, about some unit axis."""
    angle, axis = swing_angle((0.0, 0.0, 1.0), (0.0, 0.0, sign))
    assert angle == (0.0 if sign > 0 else np.pi) and abs(np.linalg.norm(axis) - 1.0) <= EPS


def test_wrap_over_many_turns():
    """wrap(x + 2 pi n) = x for x in (-pi, pi], to the rounding of the sum."""
    rng = np.random.default_rng(10)
    for turns in (-1000, -3, -1, 0, 1, 2, 77):
        for x in rng.uniform(-3.1415, 3.1415, 20):
            assert abs(wrap(x + 2.0 * np.pi * turns) - x) <= 4 * EPS * (abs(x) + 2.0 * np.pi * abs(turns))
    assert wrap(np.pi) == np.pi and wrap(-np.pi) == np.pi and wrap(0.0) == 0.0


def test_unwrap_remembers_every_turn():
    """A walk of steps below half a turn, seen modulo a turn, is followed over dozens of turns either way."""
    rng = np.random.default_rng(11)
    for drift in (2.5, -2.5, 0.0):
        angle, kept = 0.4, 0.4
        for _ in range(200):
            angle += drift + rng.uniform(-0.6, 0.6)
            q = (np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle))
            kept = unwrap(twist_angle(q), kept)
        assert abs(angle) > 50 * 2.0 * np.pi or drift == 0.0
        assert abs(kept - angle) <= 200 * 8 * EPS * (1.0 + abs(angle))
