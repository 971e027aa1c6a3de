"""Paper A's rope: its own data, its step limit, and what statics and conservation say of it."""

from math import pi

import numpy as np
import pytest
from point_rope import CURVATURE, GRAVITY, Laid, lay, straight

from pliant.equations.rod.section_stiffness import section_stiffness, twist_step_limit
from pliant.model.point_ropes import IMPULSE, MOMENT, TENSION

EPS = np.finfo(float).eps
LENGTH, RADIUS, DENSITY, YOUNG, SHEAR = 2.8, 0.015, 1200.0, 0.05e6, 0.1e6
MASS = DENSITY * pi * RADIUS**2 * LENGTH
STEP = 0.015
"""The largest step that the paper takes [s]."""


def rope(points: int, direction=(0.0, 0.0, -1.0), **given) -> Laid:
    """The rope of the paper, held at its first point."""
    stiffness = section_stiffness(YOUNG, SHEAR, RADIUS)
    given = {"pinned": (0,), **given}
    return lay(IMPULSE, straight(points, LENGTH, direction), mass=MASS, radius=RADIUS, bend=stiffness.bend,
               twist=stiffness.twist, **given)


def moved_gently(laid: Laid, seconds: float) -> tuple[float, float]:
    """Its held end moves at up to 0.36 m/s, its first element is nudged; returns (largest stretch, largest spin [rad/s])."""
    rng, stretch, spin = np.random.default_rng(1), 0.0, 0.0
    for i in range(int(seconds / STEP)):
        t = i * STEP
        laid.motion.velocity[laid.points.start] = 0.3 * np.cos(t), 0.2 * np.sin(0.7 * t), 0.0
        laid.motion.angular_velocity[laid.elements.start] += 1e-3 * rng.normal(size=3)
        laid.advance(STEP, 1, 50, 1e-5)
        stretch, spin = max(stretch, abs(laid.stretch)), max(spin, np.abs(laid.motion.angular_velocity).max())
    return stretch, spin


def test_fifteen_points_hold_the_papers_step():
    """60 s at 15 ms, hung and gently moved: stretch below 1 %, and the second half minute no wilder than twice the first."""
    assert twist_step_limit(LENGTH / 14, SHEAR, DENSITY) > STEP
    laid = rope(15)
    (stretch, spin), (later_stretch, later_spin) = moved_gently(laid, 30.0), moved_gently(laid, 30.0)
    assert max(stretch, later_stretch) < 0.01
    assert later_spin < 2.0 * spin


def test_twice_as_many_points_blow_up_at_the_same_step():
    """29 points halve the element, and the step is beyond l / sqrt(G / rho) = 10.95 ms: nudges of 1e-3 rad/s grow wild."""
    assert twist_step_limit(LENGTH / 28, SHEAR, DENSITY) < STEP
    assert moved_gently(rope(29), 10.0)[1] > 1000.0


def test_the_limit_of_the_step_is_where_the_equation_says():
    """A nudge in twist decays or swings below the limit and grows above it, 3 % to either side."""
    limit = twist_step_limit(LENGTH / 14, SHEAR, DENSITY)
    for factor, grows in ((0.97, False), (1.03, True)):
        laid = rope(15)
        laid.motion.angular_velocity[laid.elements] = 1e-3 * np.array([[0.0, 0.0, (-1.0) ** i] for i in range(14)])
        laid.advance(factor * limit, 400, 10, 1e-9)
        assert (np.abs(laid.motion.angular_velocity).max() > 1.0) == grows


@pytest.mark.parametrize(("h", "most"), [(0.015, 0.01), (0.005, 0.002), (0.001, 0.0002)])
def test_a_violent_swing_stretches_less_with_smaller_steps(h, most):
    """Let go horizontal: what a step lengthens, d = (h w)^2 / 2 an element, is mostly taken back in the same step (ERP 0.8).

    So the whole rope stays below `most`. The worst element, of which a report's stretch speaks, whips round with the tip at
    w = 30 to 70 rad/s: e = 0.2 (e + d) leaves a quarter of d, to the next order in h w.
    """
    laid, stretch, worst, rate = rope(15, (1.0, 0.0, 0.0)), 0.0, 0.0, 0.0
    for _ in range(int(3.0 / h)):
        laid.advance(h, 1, 50, 1e-5)
        stretch = max(stretch, abs(laid.stretch))
        if laid.worst > worst:
            worst = laid.worst
            along, apart = np.diff(laid.x, axis=0), np.diff(laid.motion.velocity[laid.points], axis=0)
            rate = (np.linalg.norm(np.cross(along, apart), axis=1) / (along * along).sum(1)).max()
    print(f"| {1e3 * h:g} ms | whole rope {100 * stretch:.2g} % | worst element {100 * worst:.2g} % |")
    assert stretch < most
    assert stretch < worst < 0.25 * 0.5 * (h * rate) ** 2 * (1.0 + h * rate)


def test_the_swing_comes_to_where_the_reference_comes():
    """Tip at 1 s against the converged inextensible rope (-1.869, -1.788): the point masses' own error is 1.0 % at 50 points.

    First order in time adds h times what 5 ms to 0.25 ms change, 3.2 % in 4.75 ms.
    """
    laid, h = rope(50, (1.0, 0.0, 0.0)), 5e-4
    laid.advance(h, 2000, 50, 1e-6)
    error = np.linalg.norm(laid.x[-1][[0, 2]] - (-1.869, -1.788)) / LENGTH
    assert error < 0.010 + 0.032 * h / 4.75e-3


def test_hanging_still_its_tension_is_the_weight_below():
    """T_i = g sum of the masses below; the rope hangs straight, so nothing else moves: rounding times steps."""
    laid = rope(15)
    laid.advance(STEP, 200, 50, 1e-12)
    readings, _ = laid.read(STEP)
    below = 9.81 * np.cumsum(laid.bodies.mass[laid.points][::-1])[::-1][1:]
    np.testing.assert_allclose(readings[:, TENSION], below, rtol=1e-8)  # SLACK of 1e-9, times a few


def test_a_bent_rope_reads_its_own_curvature():
    """Elements along an arc of radius 1: u = 2 sin(a / 2) / l, moment EI u, to rounding."""
    a = 0.2 / (2.0 * 1.0)  # half the angle between two chords of 0.2 m is asin(0.1)
    turn = 2.0 * np.arcsin(a)
    angles = turn * (np.arange(14) + 0.5)
    x = np.vstack((np.zeros(3), np.cumsum(0.2 * np.column_stack((np.cos(angles), 0 * angles, np.sin(angles))), axis=0)))
    stiffness = section_stiffness(YOUNG, SHEAR, RADIUS)
    laid = lay(IMPULSE, x, mass=MASS, radius=RADIUS, bend=stiffness.bend, twist=stiffness.twist)
    readings, energy = laid.read(STEP)
    u = 2.0 * np.sin(turn / 2.0) / 0.2
    bends = np.linalg.norm(readings[:-1, CURVATURE:CURVATURE + 3], axis=1)
    np.testing.assert_allclose(bends, u, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(readings[:-1, MOMENT:MOMENT + 3], axis=1), stiffness.bend * u, rtol=1e-12)
    assert energy == pytest.approx(13 * 0.5 * stiffness.bend * 0.2 * u * u, rel=1e-12)


def test_a_free_rope_keeps_its_momentum():
    """No gravity, nothing held: linear momentum to rounding, some additions for each point and pass."""
    rng = np.random.default_rng(4)
    laid = rope(15, (1.0, 0.0, 0.0), pinned=())
    laid.motion.velocity[laid.points] = rng.normal(size=(15, 3))
    laid.motion.angular_velocity[laid.elements] = rng.normal(size=(14, 3))
    before = laid.momentum()
    made = laid.advance(2e-3, 500, 20, 1e-6, gravity=(0.0, 0.0, 0.0))
    size = np.abs(laid.bodies.mass[laid.points][:, None] * laid.motion.velocity[laid.points]).sum() + np.abs(before).sum()
    assert np.abs(laid.momentum() - before).max() <= EPS * size * made


def test_an_element_laid_backwards_turns_round():
    """n = -d3 satisfies (15) in two directions; the guard turns the element until its third axis is along the rope."""
    laid = rope(15)
    q = laid.motion.quaternion
    e = laid.elements.start + 7
    q[e] = (q[e][1] * -1.0, q[e][0], q[e][3], q[e][2] * -1.0)  # half a turn about its own first axis
    laid.advance(2e-3, 3000, 20, 1e-6, drag=3.0)
    _, x, y, _ = q[e]
    assert 1.0 - 2.0 * (x * x + y * y) < -0.999  # its third axis points down, as the rope hangs


def test_a_driven_end_keeps_the_velocity_it_is_given():
    laid = rope(15)
    laid.motion.velocity[laid.points.start] = (0.2, 0.0, 0.1)
    laid.advance(5e-3, 100, 20, 1e-6)
    np.testing.assert_allclose(laid.x[0], (0.1, 0.0, 0.05), rtol=1e-12)
    assert tuple(laid.motion.velocity[laid.points.start]) == (0.2, 0.0, 0.1)


def test_a_run_has_one_outcome():
    """Two runs of the same rope agree in every bit."""
    outcomes = []
    for _ in range(2):
        laid = rope(15, (0.8, 0.0, 0.6))
        laid.advance(5e-3, 200, 20, 1e-6, GRAVITY)
        outcomes.append(laid.motion.position.tobytes() + laid.motion.quaternion.tobytes() + laid.motion.velocity.tobytes())
    assert outcomes[0] == outcomes[1]
