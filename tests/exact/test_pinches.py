"""What motors pinch between links is not thrown: energy less work does not rise, whatever shapes touch and however hard."""

from math import atan2, cos, pi, sin

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

ALONG_X = (0.5**0.5, 0, 0.5**0.5, 0)
"""Turns the axis of a shape into that direction."""


def elbow(ball: pl.Sphere | pl.Box | pl.Cylinder, mass: float, place: float, motors: tuple, links: tuple,
          substeps: int) -> pl.World:
    """Two links of 0.4 m on hinges, with a `ball` over the elbow, `place` [m] along, that they close on by their `motors`."""
    scene = pl.Scene()
    for name, one, x in (("lower", links[0], 0.2), ("upper", links[1], 0.6)):
        scene.add(pl.Body(name, pl.Capsule(0.04, 0.22), mass=one, position=(x, 0, 0), quaternion=ALONG_X))
    scene.add(pl.Revolute("shoulder", pl.WORLD, "lower", axis=(0, 1, 0), motor=motors[0]))
    scene.add(pl.Revolute("elbow", "lower", "upper", anchor=(0.4, 0, 0), axis=(0, 1, 0), motor=motors[1]))
    scene.add(pl.Body("ball", ball, mass=mass, position=(0.4 + place, 0, 0.1)))
    return pl.World(scene, substeps=substeps, threads=1)


@pytest.mark.parametrize("substeps", [8, 16, 32])
def test_a_ball_in_an_elbow_is_not_thrown(substeps):
    """Oracle: conservation, by what is allowed everywhere. Pushed at midway, against joints where they start, it gained as much
    as it had: 6.5, 2.2 and 0.8 J."""
    world = elbow(pl.Sphere(0.055), 0.5, 0.0, (pl.VelocityMotor(1.0, 40.0), None), (1.0, 3.0), substeps)
    guard = EnergyGuard(world)
    for _ in range(60):
        world.step()
        guard(world)


@pytest.mark.parametrize("seed", range(24))
def test_pinches_at_random_gain_nothing(seed):
    """Oracle: conservation. One motor or two, 3 to 300 N m, a ball, a box or a roller."""
    rng = np.random.default_rng([20261119, seed])
    size, two = rng.uniform(0.03, 0.055), rng.random() < 0.5
    ball = (pl.Sphere(size), pl.Box(2 * size, 2 * size, 2 * size), pl.Cylinder(size, 2 * size))[rng.integers(3)]
    motors = [pl.VelocityMotor(sign * rng.uniform(0.5, 4.0), 10 ** rng.uniform(0.5, 2.5)) for sign in (1.0, -1.0)]
    world = elbow(ball, 10 ** rng.uniform(-1, 0.5), rng.uniform(-0.06, 0.06), (motors[0], motors[1] if two else None),
                  tuple(10 ** rng.uniform(-0.3, 0.7, 2)), 8)
    guard = EnergyGuard(world)
    for _ in range(75):
        world.step()
        guard(world)




@pytest.mark.parametrize("substeps", [4, 8, 16])
def test_what_is_pinched_goes_round_without_gain(substeps):
    """Oracle: conservation. Nothing weighs, and what turns as one keeps one energy: the motor that pinches with 150 N m does no
    work but for what its contacts sink, which only takes. Pushed at midway each step gained 0.045 J at 4 substeps."""
    half = atan2(0.089, 0.25)  # of the angle between the links: less than friction of 0.6 holds
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("lower", pl.Capsule(0.04, 0.22), mass=0.5, position=(0.2, 0, 0), quaternion=ALONG_X, friction=0.6))
    turned, way = 0.25 * pi - half, (-cos(2.0 * half), 0.0, sin(2.0 * half))
    scene.add(pl.Body("upper", pl.Capsule(0.04, 0.22), mass=1.6, position=(0.4 + 0.2 * way[0], 0, 0.2 * way[2]),
                      quaternion=(cos(turned), 0, -sin(turned), 0), friction=0.6))
    scene.add(pl.Body("ball", pl.Sphere(0.049), mass=0.5, position=(0.15, 0, 0.089)))
    scene.add(pl.Revolute("shoulder", pl.WORLD, "lower", axis=(0, 1, 0), motor=pl.VelocityMotor(4.0, 60.0)))
    scene.add(pl.Revolute("elbow", "lower", "upper", anchor=(0.4, 0, 0), axis=(0, 1, 0), motor=pl.VelocityMotor(-1.0, 150.0)))
    world = pl.World(scene, substeps=substeps, threads=1)
    world.run(0.5)
    now = world.energy()
    least, kinetic = now.total - now.work, now.kinetic
    assert world["shoulder"].rate == pytest.approx(4.0, abs=1e-3) and world["elbow"].rate == pytest.approx(0.0, abs=1e-2)
    for _ in range(60):
        now = world.step().energy
        assert now.total - now.work < least + 1e-3 * kinetic
        least = min(least, now.total - now.work)
