"""Mean axis of two links: forces and torques through its levers against central differences of the energy."""

from math import pi

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.equations.rod.mean_axis import (
    FOLDED,
    carry,
    gap_energy,
    gap_softness,
    gap_stiffness,
    left_arm,
    mean_axis,
    right_arm,
)

STEP = 1e-5
"""Of central differences [m, rad]: their error is its square times third derivatives, and rounding over it."""
ENOUGH = 1e-8


def vec(v) -> tuple:
    return tuple(np.asarray(v, float).tolist())


def full(s) -> np.ndarray:
    return np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])


class Pair:
    """Two links, an anchor along the axis of each, as twelve small displacements away from a random place."""

    def __init__(self, rng, bend: float) -> None:
        self.q_a = Rotation.random(rng=rng)
        turn = rng.normal(size=3)
        self.q_b = self.q_a * Rotation.from_rotvec(bend * turn / np.linalg.norm(turn))
        self.r_a, self.r_b = np.array([0, 0, 0.5]), np.array([0, 0, -0.4])
        self.x_a = rng.normal(size=3)
        self.x_b = self.x_a + self.q_a.apply(self.r_a) - self.q_b.apply(self.r_b) + 0.1 * rng.normal(size=3)

    def at(self, y=None) -> tuple:
        """(gap, left axis, right axis, left lever, right lever) after moving and turning by `y` (12,)."""
        y = np.zeros(12) if y is None else y
        q_a, q_b = Rotation.from_rotvec(y[3:6]) * self.q_a, Rotation.from_rotvec(y[9:]) * self.q_b
        r_a, r_b = q_a.apply(self.r_a), q_b.apply(self.r_b)
        return self.x_b + y[6:9] + r_b - self.x_a - y[:3] - r_a, q_a.apply([0, 0, 1.0]), q_b.apply([0, 0, 1.0]), r_a, r_b


def arms(gap, d, s, d_a, d_b, share, across, along) -> tuple:
    """Of the left and of the right link."""
    return (left_arm(vec(gap), d, s, vec(d_a), share, across, along),
            right_arm(vec(gap), d, s, vec(d_b), share, across, along))


@pytest.mark.parametrize("bend", [0.0, 0.3, 2.5, pi - 0.06, pi - 0.001])
@pytest.mark.parametrize("share", [0.5, 1.0, 0.0])
@pytest.mark.parametrize("along", [0.3, 3.0, 30.0])
def test_levers_are_the_gradient_of_the_energy(bend, share, along):
    """Oracle: differences of an energy written out here, also of links folded onto each other, whose axis turns within
    FOLDED / 2: steps are that much shorter against it. And no torque spins a link about its own axis.
    """
    rng, across = np.random.default_rng(5), 3.0

    def energy(pair: Pair, y) -> float:
        gap, d_a, d_b, *_ = pair.at(y)
        d = share * d_a + (1.0 - share) * d_b
        length = np.linalg.norm(d)
        d /= length if length > FOLDED else 0.5 * (length**2 / FOLDED + FOLDED)
        return 0.5 * across * (gap @ gap - (gap @ d) ** 2) + 0.5 * along * (gap @ d) ** 2

    for _ in range(5):
        pair = Pair(rng, bend)
        gap, d_a, d_b, r_a, r_b = pair.at()
        d, s = mean_axis(vec(d_a), vec(d_b), share)
        assert gap_energy(vec(gap), d, across, along) == pytest.approx(energy(pair, np.zeros(12)), rel=1e-12)
        force = full(gap_stiffness(d, across, along)) @ gap
        (more_a, c_a), (more_b, c_b) = arms(gap, d, s, d_a, d_b, share, across, along)
        pull = np.dot(force, d)
        found = np.concatenate([-force, -np.cross(r_a + more_a, force) - pull * np.array(c_a), force,
                                np.cross(r_b + more_b, force) + pull * np.array(c_b)])
        expected = [(energy(pair, STEP * e) - energy(pair, -STEP * e)) / (2.0 * STEP) for e in np.eye(12)]
        assert np.abs(found - expected).max() <= ENOUGH * max(1.0, np.abs(expected).max()) / (1.0 if s > FOLDED else FOLDED**2)
        assert abs(found[3:6] @ d_a) <= 1e-13 and abs(found[9:] @ d_b) <= 1e-13


def test_rate_of_the_gap_seen_from_its_axis():
    """Oracle: the gap's parts along and across a frame carried along with the axis, by differences."""
    rng, share = np.random.default_rng(6), 0.5
    for _ in range(5):
        pair, speed = Pair(rng, 0.7), rng.normal(size=12)
        gap, d_a, d_b, r_a, r_b = pair.at()
        d, s = mean_axis(vec(d_a), vec(d_b), share)
        (more_a, c_a), (more_b, c_b) = arms(gap, d, s, d_a, d_b, share, 1.0, 2.0)
        left = speed[:3] + np.cross(speed[3:6], r_a + more_a) + np.dot(c_a, speed[3:6]) * np.array(d)
        right = speed[6:9] + np.cross(speed[9:], r_b + more_b) + np.dot(c_b, speed[9:]) * np.array(d)
        seen = []
        for t in (STEP, -STEP):
            moved, e_a, e_b, *_ = pair.at(t * speed)
            e, _ = mean_axis(vec(e_a), vec(e_b), share)
            seen.append(np.array(carry(e, d, vec(moved))))
        assert np.abs(right - left - (seen[0] - seen[1]) / (2.0 * STEP)).max() <= ENOUGH


def test_softness_is_the_inverse_of_stiffness_however_folded():
    """Also where d is shorter than one, and nothing blows up when links fold onto each other."""
    rng = np.random.default_rng(7)
    for fold in (0.0, 1.0, 3.1, 3.14, np.pi):
        for across, along in ((1.0, 1.0), (1e6, 1.0), (1.0, 1e6)):
            turn = Rotation.random(rng=rng)
            d, s = mean_axis(vec(turn.apply([0, 0, 1])), vec(turn.apply([np.sin(fold), 0, np.cos(fold)])), 0.5)
            product = full(gap_stiffness(d, across, along)) @ full(gap_softness(d, across, along))
            assert np.abs(product - np.eye(3)).max() <= 8e6 * np.finfo(float).eps
            assert s >= FOLDED / 2 and np.linalg.norm(d) <= 1.0 + 1e-15


def test_carrying_turns_one_axis_into_the_other():
    """A rotation: lengths and angles stay, and d becomes e."""
    rng = np.random.default_rng(8)
    for _ in range(5):
        d, e = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        matrix = np.array([carry(vec(d), vec(e), vec(v)) for v in np.eye(3)]).T
        assert np.abs(matrix @ d - e).max() <= 1e-13 and np.abs(matrix.T @ matrix - np.eye(3)).max() <= 1e-13
