"""Ropes whose ends are carried by bodies: loads, towing, momentum, and a pendulum in torsion, by all three methods."""

from math import pi, sqrt

import numpy as np
import pytest
from point_rope import Laid, lay, straight

from pliant.model.point_ropes import COMPLIANT, IMPULSE, POSITION, TENSION

EPS = np.finfo(float).eps
KINDS = [IMPULSE, POSITION, COMPLIANT]


def rope(kind: int, direction, **given) -> Laid:
    """Paper A's rope of 15 points."""
    return lay(kind, straight(15, 2.8, direction), mass=2.375, radius=0.015, bend=2e-3, twist=8e-3, **given)


def test_a_rope_of_impulses_carries_a_heavy_load_as_if_it_were_nothing():
    """40 kg under a rope of 2.4 kg, 6 passes of 5 ms: it hangs still, tension is the weight below, to SLACK and rounding."""
    laid = rope(IMPULSE, (0.0, 0.0, -1.0), pinned=(0,))
    laid.carry(1, 1, 40.0, 0.8, (0.0, 0.0, 0.1))
    laid.advance(5e-3, 400, 6)
    readings, _ = laid.read(5e-3)
    below = 9.81 * (40.0 + np.cumsum(laid.bodies.mass[laid.points][::-1])[::-1][1:])
    np.testing.assert_allclose(readings[:, TENSION], below, rtol=1e-7)
    assert np.abs(laid.motion.velocity).max() < 1e-6 and abs(laid.stretch) < 1e-7


def test_a_taut_rope_of_impulses_needs_a_step_below_that_of_its_waves():
    """Neighbours swing across a tension T at 2 sqrt(T / (m l)), so that h < sqrt(m l / T): a nudge stays or grows, 5 % off."""
    for factor, grows in ((0.95, False), (1.05, True)):
        laid = rope(IMPULSE, (0.0, 0.0, -1.0), pinned=(0,))
        laid.carry(1, 1, 40.0, 0.8, (0.0, 0.0, 0.1))
        tension = 9.81 * (40.0 + 2.375 / 2.0)  # half way up; it is 3 % more or less at the ends
        laid.motion.velocity[laid.points][1:-1, 0] = 1e-4 * (-1.0) ** np.arange(13)
        laid.advance(factor * sqrt(2.375 / 14.0 * 0.2 / tension), 600, 6)
        assert (np.abs(laid.motion.velocity).max() > 1e-2) == grows


@pytest.mark.parametrize(("kind", "passes", "most"), [(IMPULSE, 6, 1e-4), (POSITION, 40, 1e-2), (COMPLIANT, 40, 1e-2)])
def test_a_cart_is_towed_at_the_speed_of_the_robot(kind, passes, most):
    """A driven end pulls 40 kg at 0.25 m/s2 up to 0.5 m/s: taut while it pulls, the cart's momentum is the rope's pull.

    The pull adds up to M v exactly, whatever the passes leave undone in the rope itself; stretch is bounded for each method.
    """
    laid = rope(kind, (1.0, 0.0, 0.0), pinned=(0,))
    laid.carry(1, 1, 40.0, 0.8, (-0.1, 0.0, 0.0))
    pulled, stretch, h = 0.0, 0.0, 5e-3
    for i in range(400):
        laid.motion.velocity[laid.points.start] = (-0.25 * i * h, 0.0, 0.0)
        laid.advance(h, 1, passes, gravity=(0.0, 0.0, 0.0))
        pulled -= laid.read(h)[0][-1, TENSION] * h
        stretch = max(stretch, abs(laid.stretch))
    assert 40.0 * laid.motion.velocity[1, 0] == pytest.approx(pulled, rel=1e-9)
    assert laid.motion.velocity[1, 0] == pytest.approx(-0.5, rel=0.05)
    assert stretch < most


@pytest.mark.parametrize("kind", KINDS)
def test_two_bodies_and_their_rope_keep_their_momentum(kind):
    """Bodies thrown apart on a slack rope, off centre: linear momentum of all to rounding."""
    x = straight(15, 2.8)
    x[:, 2] = 0.3 * np.sin(np.linspace(0.0, pi, 15))
    laid = lay(kind, x, mass=2.375, radius=0.015, bend=2e-3, twist=8e-3)
    laid.carry(0, 1, 5.0, 0.1, (0.1, 0.05, 0.0))
    laid.carry(1, 2, 20.0, 0.4, (-0.1, 0.0, 0.05))
    laid.motion.velocity[1:3] = (-1.0, 0.2, 0.0), (0.5, 0.0, 0.3)
    before = laid.momentum()
    made = laid.advance(2e-3, 500, 6, gravity=(0.0, 0.0, 0.0))
    assert np.abs(laid.momentum() - before).max() <= EPS * 60.0 * made  # 60 N s: more than all momenta, without their signs
    assert np.linalg.norm(laid.x[0] - laid.motion.position[1]) == pytest.approx(np.linalg.norm((0.1, 0.05, 0.0)), rel=1e-12)


@pytest.mark.parametrize(("kind", "h", "passes"), [(IMPULSE, 5e-4, 6), (COMPLIANT, 1e-3, 60)])
def test_a_ball_on_a_clamped_rope_swings_in_torsion(kind, h, passes):
    """Period 2 pi sqrt((I + I_rope / 3) L / GJ), the far end clamped to the world; a zero is found to half a step.

    A straight rope of 11 points twists as its length does; strain 2 sin(a / 2) instead of a is a^2 / 24 off, a = 0.014.
    """
    laid = lay(kind, straight(11, 1.0), mass=0.1, radius=0.025, bend=0.1, twist=0.5, clamp_start=True, clamp_end=True,
               pinned=(0,))
    laid.carry(1, 1, 2.0, 0.01, (-0.05, 0.0, 0.0))
    laid.motion.angular_velocity[1] = (1.0, 0.0, 0.0)
    period = 2.0 * pi * sqrt((0.01 + 0.5 * 0.1 * 0.025**2 / 3.0) / 0.5)
    zeros, before = [], 1.0
    for i in range(int(1.8 * period / h)):
        laid.advance(h, 1, passes, gravity=(0.0, 0.0, 0.0))
        now = laid.motion.angular_velocity[1, 0]
        if now * before < 0.0:
            zeros.append((i + before / (before - now)) * h)
        before = now
    assert 2.0 * (zeros[1] - zeros[0]) == pytest.approx(period, abs=2.0 * h)
