"""What rolls or slides in the hollows of a height field swings to and fro, and gains nothing.

The ground rises before it. Contacts are found once a step, with the ground where it will be at the end too: else it would sink
in by (curvature) v^2 dt^2 / 2 a step, and to be pushed out again would bring in m g times that.
"""

from math import atan, cos, sin

import numpy as np
import pytest
from energy import never_gains
from oracle_tools import G, about
from scipy.integrate import quad

import pliant as pl

CURVED, RADIUS, FROM = 1.0, 0.05, 0.5
"""Curvature [1/m] of the trough z = CURVED x^2 / 2, and where [m] what has this radius [m] is let go."""


def trough(shape, friction: float, cells: int, dt: float, across: bool = False, along=(0.0, 0.0, 0.0)) -> pl.World:
    """The shape, 1 kg, let go on the flank of a trough along y, or along x, just over the triangles; both go `along` [m/s]."""
    x = np.linspace(-1.0, 1.0, cells + 1)
    heights, a = 0.5 * CURVED * np.tile(x**2, (cells + 1, 1)).T, atan(CURVED * FROM)
    place, axis = (FROM - RADIUS * sin(a), 0.003, 0.5 * CURVED * FROM**2 + RADIUS * cos(a)), (1.0, 0.0, 0.0)
    place = (place[0], place[1], place[2] + CURVED * (2.0 / cells)**2 / 8.0 + 1e-4)
    if across:
        heights, place, axis = heights.T, (place[1], place[0], place[2]), (0.0, 1.0, 0.0)
    scene, goes = pl.Scene(), any(along)
    motion = pl.Motion([0.0, 10.0], [(0.0, 0.0, 0.0), tuple(10.0 * np.array(along))]) if goes else None
    scene.add(pl.Body("trough", pl.HeightField(heights, (2.0, 2.0)), fixed=not goes, motion=motion, friction=friction))
    scene.add(pl.Body("it", shape, mass=1.0, position=place, quaternion=about(axis, 0.5 * np.pi), velocity=along,
                      friction=friction))
    return pl.World(scene, dt=dt)


@pytest.mark.parametrize("shape", [pl.Sphere(RADIUS), pl.Cylinder(RADIUS, 0.2), pl.Capsule(RADIUS, 0.2)])
@pytest.mark.parametrize("friction", [0.0, 0.8])
@pytest.mark.parametrize("cells", [30, 100])
def test_what_swings_in_a_trough_gains_nothing(shape, friction, cells):
    """Oracle: conservation. Which triangle it comes to is told by its speed when the step begins. It changes by G dt at most,
    so that it may be G dt^2 further on, and as deep as a triangle is steeper than the one before."""
    for dt, across in ((1 / 60, False), (1 / 60, True), (1 / 240, False)):
        world = trough(shape, friction, cells, dt, across)
        reports = never_gains(world, round(2.0 / dt), G * (CURVED * 2.0 / cells) * G * dt**2)
        assert max(report.penetration for report in reports) < 2e-4  # the slop


def half_period(amplitude: float) -> float:
    """Time [s] from rest to rest of a ball whose point of contact swings by so much [m] without friction.

    Its middle goes along the curve at RADIUS from the parabola: where that touches at x, ds = (1 - r k) sqrt(1 + c^2 x^2) dx
    with k = c / (1 + c^2 x^2)^1.5; x = amplitude sin(u) takes away that the speed is 0 at both ends.
    """
    def height(x: float) -> float:
        return 0.5 * CURVED * x**2 + RADIUS * cos(atan(CURVED * x))

    def rate(u: float) -> float:
        x = amplitude * sin(u)
        steep = 1.0 + (CURVED * x)**2
        return amplitude * cos(u) * (1.0 - RADIUS * CURVED / steep**1.5) * steep**0.5 / (
            2.0 * G * (height(amplitude) - height(x)))**0.5

    return float(quad(rate, -0.5 * np.pi, 0.5 * np.pi)[0])


def test_a_ball_without_friction_swings_at_the_rate_of_the_curve():
    """Between two passes of the lowest place, in the time between the exact ones of the amplitudes before and after, or at most
    a step apart from them: it loses some at every triangle, and its passes are told by straight lines between steps."""
    dt = 1 / 240
    world = trough(pl.Sphere(RADIUS), 0.0, 200, dt)
    places = [world["it"].position[0]]
    for _ in range(round(2.2 / dt)):
        world.step()
        places.append(world["it"].position[0])
    x = np.array(places)
    passes = [(k + x[k] / (x[k] - x[k + 1])) * dt for k in np.flatnonzero(x[:-1] * x[1:] < 0.0)]
    exact = half_period(FROM)
    assert len(passes) == 2
    assert abs(passes[1] - passes[0] - exact) < abs(exact - half_period(0.95 * FROM)) + dt


@pytest.mark.parametrize("shape", [pl.Sphere(RADIUS), pl.Box(0.1, 0.1, 0.1)])
@pytest.mark.parametrize("along", [(2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (1.0, -1.0, 0.5)])
def test_a_trough_that_goes_along_is_as_one_at_rest(shape, along):
    """Oracle: Galileo. Rounding grows in what bounces."""
    still, moving = trough(shape, 0.0, 100, 1 / 60), trough(shape, 0.0, 100, 1 / 60, along=along)
    for _ in range(60):
        still.step()
        moving.step()
        assert np.allclose(moving["it"].position - moving.time * np.array(along), still["it"].position, rtol=0.0, atol=1e-8)
