"""Balls and cylinders roll down slopes as the rolling condition has them, on a plane and on terrain."""

from math import cos, sin

import numpy as np
import pytest
from oracle_tools import G, about, slope

import pliant as pl

RADIUS = 0.2  # [m]
SHAPES = {
    "ball": (pl.Sphere(RADIUS), (1.0, 0, 0, 0), 0.4),
    "cylinder": (pl.Cylinder(RADIUS, 0.3), about((1, 0, 0), np.pi / 2), 0.5),
    "capsule": (pl.Capsule(RADIUS, 0.3), about((1, 0, 0), np.pi / 2), None),
}


def share(name: str) -> float:
    """I / m r^2 about the rolling axis; a capsule is a cylinder and a ball, weighed by volume."""
    shape, _, known = SHAPES[name]
    if known is not None:
        return known
    straight, caps = shape.length, 4.0 / 3.0 * RADIUS
    return (0.5 * straight + 0.4 * caps) / (straight + caps)


def rolling(name: str, alpha: float, field: bool, mu: float = 0.8) -> pl.World:
    """At rest on a slope that falls along x."""
    normal, _, q = slope(alpha)
    shape, lying, _ = SHAPES[name]
    scene = pl.Scene()
    if field:
        terrain = pl.HeightField(np.zeros((33, 5)), size=(32.0, 8.0))
        scene.add(pl.Body("base", terrain, fixed=True, quaternion=q, friction=mu))
    else:
        scene.add(pl.Ground(friction=mu, normal=tuple(normal)))
    scene.add(pl.Body("roller", shape, mass=2.0, position=tuple(RADIUS * normal), quaternion=lying, friction=0.0))
    return pl.World(scene)


@pytest.mark.parametrize("field", [False, True], ids=["plane", "field"])
@pytest.mark.parametrize("name", SHAPES)
def test_rolling_down_a_slope(name, field):
    """Oracle: a = g sin(alpha) / (1 + I / m r^2), and no slip: v = w r."""
    alpha = 0.2
    _, down, _ = slope(alpha)
    world = rolling(name, alpha, field)
    world.run(0.5)
    before = world["roller"].velocity @ down
    world.run(1.5)
    velocity = world["roller"].velocity
    exact = G * sin(alpha) / (1 + share(name))
    assert (velocity @ down - before) / 1.5 == pytest.approx(exact, rel=0.01)
    assert world["roller"].angular_velocity[1] * RADIUS == pytest.approx(velocity @ down, rel=0.01)
    assert abs(velocity[1]) < 0.01 * abs(velocity @ down)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_ball_slips_where_friction_does_not_suffice(factor):
    """Oracle: rolling needs mu >= tan(alpha) / (1 + m r^2 / I) = 2/7 tan(alpha); below that it slides at g (sin - mu cos)."""
    alpha = 0.5
    mu = factor * np.tan(alpha) * 2 / 7
    _, down, _ = slope(alpha)
    world = rolling("ball", alpha, False, mu)
    world.run(1.0)
    exact = G * (sin(alpha) - mu * cos(alpha)) if factor < 1 else G * sin(alpha) / 1.4
    assert world["roller"].velocity @ down == pytest.approx(exact, rel=0.01)


def test_a_ball_rolls_on_along_the_level():
    """Oracle: conservation; without rolling resistance nothing is lost in five seconds of a plain, 1 % allowed."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("roller", pl.Sphere(RADIUS), mass=2.0, position=(0, 0, RADIUS), velocity=(2, 0, 0),
                      angular_velocity=(0, 2 / RADIUS, 0)))
    world = pl.World(scene)
    world.run(5.0)
    assert world["roller"].velocity[0] == pytest.approx(2.0, rel=0.01)
    assert world["roller"].position[0] == pytest.approx(10.0, rel=0.01)


def test_a_sliding_ball_begins_to_roll():
    """Oracle: thrown without spin it ends rolling at 5/7 of its speed (momentum about the point of contact)."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.3))
    scene.add(pl.Body("roller", pl.Sphere(RADIUS), mass=2.0, position=(0, 0, RADIUS), velocity=(2, 0, 0), friction=0.0))
    world = pl.World(scene)
    world.run(2.0)
    assert world["roller"].velocity[0] == pytest.approx(2.0 * 5 / 7, rel=0.01)
