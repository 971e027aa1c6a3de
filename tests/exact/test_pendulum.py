"""A pendulum swings with the period of the elliptic integral, at second order, and pulls as hard as it should."""

from math import cos, log2, pi, radians, sin, sqrt

import numpy as np
import pytest
from oracle_tools import G
from scipy.interpolate import make_interp_spline
from scipy.special import ellipk

import pliant as pl

LENGTH, MASS, MOMENT = 1.0, 2.0, 1e-5  # [m, kg, kg m2]


def pendulum(alpha: float, dt: float, joint=pl.Revolute, substeps=1) -> pl.World:
    """A bob on a massless rod, let go at `alpha` [rad] from the vertical."""
    scene = pl.Scene()
    at = (LENGTH * sin(alpha), 0.0, -LENGTH * cos(alpha))
    scene.add(pl.Body("bob", pl.Sphere(0.01), mass=MASS, inertia=(MOMENT,) * 3, position=at))
    scene.add(joint("pivot", pl.WORLD, "bob", anchor=(0, 0, 0), axis=(0, -1, 0)))
    return pl.World(scene, dt=dt, substeps=substeps)


def exact_period(alpha: float) -> float:
    """4 sqrt(I / m g l) K(sin(alpha / 2)) [s]."""
    return 4.0 * sqrt((MASS * LENGTH**2 + MOMENT) / (MASS * G * LENGTH)) * ellipk(sin(0.5 * alpha) ** 2)


def period(alpha: float, dt: float, swings: int = 3) -> float:
    """Mean time [s] between passages of the lowest point in one direction, from positions alone."""
    world = pendulum(alpha, dt)
    x = []
    for _ in range(round((swings + 0.8) * exact_period(alpha) / dt)):
        world.step()
        x.append(world["bob"].position[0])
    times = dt * np.arange(1, len(x) + 1)
    down = [k for k in range(1, len(x)) if x[k - 1] > 0.0 >= x[k]]
    passages = []
    for k in (down[0], down[swings]):
        near = slice(k - 3, k + 3)
        # x falls steadily here: time as a quintic of x, error (speed dt)^6
        passages.append(float(make_interp_spline(np.array(x[near])[::-1], times[near][::-1], k=5)(0.0)))
    return (passages[1] - passages[0]) / swings


def allowed_error(exact: float, dt: float) -> float:
    """[s]; leapfrog's period is short by (w h)^2 / 24, ninefold at 90 degrees, where forces vary three times as fast."""
    return 9.0 * exact * (2 * pi / exact * dt) ** 2 / 24


@pytest.mark.parametrize("degrees,dt", [(1.0, 1 / 100), (90.0, 1 / 800)])
def test_period_converges_at_second_order(degrees, dt):
    """Oracle: the complete elliptic integral; order from a step and its half.

    At 90 degrees the steps are fine enough that the solver hardly ever halves one by itself, which would hide the order.
    """
    alpha = radians(degrees)
    exact = exact_period(alpha)
    coarse, fine = (abs(period(alpha, h) - exact) for h in (dt, dt / 2))
    assert log2(coarse / fine) >= 1.9
    assert fine < allowed_error(exact, dt / 2)


def test_a_coarse_step_swings_in_time_as_well():
    """Oracle: the elliptic integral, at 90 degrees and 1/50 s in one substep."""
    exact = exact_period(radians(90.0))
    assert abs(period(radians(90.0), 1 / 50) - exact) < allowed_error(exact, 1 / 50)


@pytest.mark.parametrize("joint", [pl.Revolute, pl.Spherical])
@pytest.mark.parametrize("degrees", [10.0, 60.0, 90.0])
def test_bob_pulls_with_its_weight_and_the_centripetal_force(degrees, joint):
    """Oracle: at the angle theta the rod pulls with m g (3 cos theta - 2 cos alpha), at the bottom m g (3 - 2 cos alpha)."""
    alpha, dt = radians(degrees), 1 / 1000
    world = pendulum(alpha, dt, joint)
    pulls = []
    for _ in range(round(0.6 * exact_period(alpha) / dt)):
        before = world["bob"].position
        world.step()
        middle = 0.5 * (before + world["bob"].position)
        theta = np.arctan2(middle[0], -middle[2])
        force = world["pivot"].force
        pulls.append(np.linalg.norm(force))
        # The force is a mean over the step and the speed is known to half a step: d(pull) = 3 m g sin(theta) w dt.
        w = sqrt(max(0.0, 2 * G / LENGTH * (cos(theta) - cos(alpha))))
        allowed = 3 * MASS * G * (abs(sin(theta)) * w + G / LENGTH * dt) * dt + 1e-5 * MASS * G
        along = force @ -middle / LENGTH
        assert abs(along - MASS * G * (3 * cos(theta) - 2 * cos(alpha))) < allowed
    at_bottom = MASS * G * (3 - 2 * cos(alpha))
    fastest = 2 * G / LENGTH * (1 - cos(alpha))
    assert abs(max(pulls) - at_bottom) < MASS * G * (3 * (fastest + G / LENGTH) * dt**2 + 2e-5)


def test_energy_is_kept_over_many_swings():
    """Oracle: conservation. Velocities stand half a step before positions: E swings by m g v h / 2, and does not drift."""
    alpha, dt = radians(90.0), 1 / 60
    world = pendulum(alpha, dt, substeps="auto")
    start = world.energy().total
    swing = MASS * G * sqrt(2 * G * LENGTH) * dt / world.substeps / 2
    energies = []
    for _ in range(round(60.0 / dt)):
        world.step()
        energies.append(world.energy().total - start)
    assert max(map(abs, energies)) < 2.0 * swing
    first, last = np.mean(energies[:600]), np.mean(energies[-600:])
    assert abs(last - first) < 0.05 * swing
