"""Restitution through joints: surfaces part with e times the speed they met with, whatever holds the bodies.

Oracle: Newton's law, v_n(after) = -e v_n(before), of the substep that meets; a body with one way to move then keeps e^2 of its
energy, whatever its contact does along the surface.
"""

from math import sqrt

import numpy as np
import pytest
from energy import EnergyGuard
from oracle_tools import G

import pliant as pl

RADIUS = 0.1  # [m]


def held(kind: str, e: float, friction: float = 0.0) -> pl.World:
    """A ball on a rail, a hinge, a ball joint or two bodies on a free hinge, above the ground; one substep a step."""
    scene = pl.Scene()
    scene.add(pl.Ground(restitution=e, friction=friction))
    ball = scene.add(pl.Body("ball", pl.Sphere(RADIUS), mass=2.0, position=(1.5, 0, 0.8), friction=friction))
    if kind == "rail":
        scene.add(pl.Prismatic("joint", pl.WORLD, ball, axis=(0, 0, 1)))
    elif kind == "hinge":
        scene.add(pl.Revolute("joint", pl.WORLD, ball, anchor=(0, 0, 1), axis=(0, 1, 0)))
    elif kind == "ball joint":
        scene.add(pl.Spherical("joint", pl.WORLD, ball, anchor=(0, 0, 1)))
    else:
        other = scene.add(pl.Body("other", pl.Sphere(RADIUS), mass=1.0, position=(2.0, 0, 0.8), velocity=(0, 0, 1),
                                  friction=friction))
        scene.add(pl.Revolute("joint", ball, other, anchor=(1.75, 0, 0.8), axis=(0, 1, 0)))
    return pl.World(scene, dt=1 / 480, substeps=1)


def first_bounce(world: pl.World) -> tuple[float, float]:
    """Normal speed [m/s] at the lowest point of the ball before and after the step that meets the ground."""
    def speed() -> float:
        lever = np.array([0.0, 0.0, -RADIUS])
        return float((world["ball"].velocity + np.cross(world["ball"].angular_velocity, lever))[2])

    for _ in range(2000):
        before = speed()
        world.step()
        if world["ball"].contact_force[2] > 0.0:
            return before, speed()
    raise AssertionError("it does not meet the ground")


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["rail", "hinge", "ball joint", "two"])
def test_newtons_law(kind, e):
    """Tolerance: a lever that turns by w h within the step changes the normal speed by as much of the other one, w h |v|; with
    e = 0 what has not met yet may close its gap in the next step: g h."""
    world = held(kind, e)
    before, after = first_bounce(world)
    v = float(np.linalg.norm(world["ball"].velocity))
    turn = float(np.linalg.norm(world["ball"].angular_velocity)) * world.dt
    if e > 0.0:
        assert after == pytest.approx(-e * before, abs=2.0 * turn * max(v, abs(before)) + 1e-6)
    else:
        world.step()
        assert before < -1.0 and abs(world["ball"].velocity[2]) < 2.0 * turn * abs(before) + G * world.dt


@pytest.mark.parametrize("friction", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("kind", ["rail", "hinge", "ball joint"])
def test_elastic_bounces_keep_the_energy(kind, friction):
    """Three bounces. Each meets up to v h above the ground, where its potential energy is m g v h more than counted; a lever
    that turns by w h changes the rate that belongs to a normal speed by as much."""
    world = held(kind, 1.0, friction)
    bounces, falling, start = 0, True, world.energy().total
    least, top = start, start
    while bounces < 4 and world.time < 6.0:
        world.step()
        now = world["ball"].velocity[2] < 0.0
        bounces += falling and not now
        falling = now
        least, top = min(least, world.energy().total), max(top, world.energy().total)
    speed = sqrt(2 * G * 0.7)
    each = 2.0 * G * speed * world.dt + 2.0 * speed**2 * (speed / 1.5 * world.dt)
    assert bounces == 4
    assert least > start - 2 * 4 * each and top < start + 2 * 4 * each, (least - start, top - start, each)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_a_free_linkage_gains_nothing(friction):
    """Oracle: conservation, by the helper, whatever bounces how often."""
    world = held("two", 1.0, friction)
    world.on_step(EnergyGuard(world))
    world.run(3.0)
