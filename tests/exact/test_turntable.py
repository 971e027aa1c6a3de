"""What lies or rolls on something that turns goes round with it: contacts go along within a step."""

from math import cos, cosh, hypot, pi, sin, sinh, sqrt

import numpy as np
import pytest

import pliant as pl

RATE, START = 2.5, 2.0
"""Of the table [rad/s], and the time it takes to reach that [s]."""
RADIUS, ROLLING = 0.05, 3.0
"""Of the ball [m], and the rate of the table it rolls on [rad/s]."""


def turning(angle) -> pl.Motion:
    """About z by `angle(t)` [rad]."""
    return pl.Motion(lambda t: ((0.0, 0.0, 0.0), (cos(0.5 * angle(t)), 0.0, 0.0, sin(0.5 * angle(t)))))


def spun_up(t: float) -> float:
    """Angle [rad] of a table that starts gently."""
    return 0.5 * RATE / START * t * t if t < START else RATE * (t - 0.5 * START)


@pytest.mark.parametrize("substeps", [1, 8, 32])
@pytest.mark.parametrize("driven", [True, False])
def test_a_box_stays_where_it_lies(substeps, driven):
    """Oracle: w^2 r = 1.9 m/s2 is half of what friction of 0.4 holds, so that it stays, and what it presses with is w^2 r
    inwards. It may creep by what a substep strays from the circle, r (w h)^2 / 8, in each: 4e-7 m at 60 Hz, 0.3 mm in 12 s."""
    scene = pl.Scene()
    table = {"motion": turning(spun_up)} if driven else {"mass": 500.0}
    scene.add(pl.Body("table", pl.Cylinder(2.0, 0.1), friction=0.4, **table))
    if not driven:
        scene.add(pl.Revolute("axle", pl.WORLD, "table", axis=(0, 0, 1), motor=pl.VelocityMotor(RATE, 1e3)))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.05), mass=1.0, position=(0.3, 0, 0.075), friction=0.3))
    world = pl.World(scene, substeps=substeps)
    world.run(12.0)
    x, y, _ = world["box"].position
    assert hypot(x, y) == pytest.approx(0.3, abs=3e-4)
    inwards = -(world["box"].contact_force @ np.array([x, y, 0.0])) / hypot(x, y)
    assert inwards == pytest.approx(RATE**2 * 0.3, rel=0.01)


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_a_ball_rolls_in_a_circle(dt):
    """Oracle: a ball that rolls on a table that turns at W goes round at 2/7 W about a point that stands still."""
    scene, speed = pl.Scene(), 0.5
    scene.add(pl.Body("table", pl.Cylinder(5.0, 0.1), friction=0.9, motion=turning(lambda t: ROLLING * t)))
    spin = ((ROLLING - speed) / RADIUS, 0.0, 0.0)
    scene.add(pl.Body("ball", pl.Sphere(RADIUS), mass=1.0, position=(1, 0, 0.05 + RADIUS), velocity=(0, speed, 0),
                      angular_velocity=spin))
    world, size = pl.World(scene, dt=dt), speed / (2 / 7 * ROLLING)
    for _ in range(round(2 * pi / (2 / 7 * ROLLING) / dt)):
        world.step()
        x, y, _ = world["ball"].position
        assert hypot(x - (1.0 - size), y) == pytest.approx(size, rel=1e-6)


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
@pytest.mark.parametrize(("shape", "share"), [(pl.Sphere(RADIUS), 0.4), (pl.Cylinder(RADIUS, 0.2), 0.5)], ids=["ball", "wheel"])
def test_it_rolls_on_a_plank_that_turns_about_the_level(shape, share, dt):
    """Oracle: (1 + I / m r^2) x'' = W^2 x + g sin(W t) along the plank, to first order in the substep, x'' h t / 2; it stays on
    it to a tenth of the slop: the normal turns with the plank, not with what rolls (at 60 Hz a wheel rose by 0.4 mm)."""
    rate, start, speed, seconds, g = 0.8, -0.2, 0.5, 1.0, 9.81
    scene = pl.Scene()
    scene.add(pl.Body("plank", pl.Box(6, 2, 0.2), friction=0.9, motion=pl.Motion(lambda t: (
        (-0.1 * sin(rate * t), 0.0, -0.1 * cos(rate * t)), (cos(0.5 * rate * t), 0.0, sin(0.5 * rate * t), 0.0)))))
    scene.add(pl.Body("it", shape, mass=1.0, position=(start, 0, RADIUS), quaternion=(sqrt(0.5), -sqrt(0.5), 0, 0),
                      friction=0.9, velocity=(speed + RADIUS * rate, 0, -start * rate),
                      angular_velocity=(0, speed / RADIUS + rate, 0)))
    world, c = pl.World(scene, dt=dt, substeps=8), 1.0 / (1.0 + share)
    world.run(seconds)
    k, swing, angle = sqrt(c) * rate, -c / (1.0 + c) * g / rate**2, rate * seconds
    way = swing * sin(angle) + (speed - swing * rate) / k * sinh(k * seconds) + start * cosh(k * seconds)
    x, _, z = world["it"].position
    gains = c * (rate**2 * way + g * sin(angle))
    assert x * cos(angle) - z * sin(angle) == pytest.approx(way, abs=0.5 * gains * dt / 8 * seconds)
    assert x * sin(angle) + z * cos(angle) == pytest.approx(RADIUS, abs=2e-5)
