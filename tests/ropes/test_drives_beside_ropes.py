"""Limits, friction and motors beside ropes are solved to the end: what they hold and brake is what Coulomb's law has."""

from math import exp

import numpy as np
import pytest
from oracles import G

import pliant as pl

SECONDS = 0.3
AXIS = np.array((-0.75, -0.13, -0.65)) / np.linalg.norm((-0.75, -0.13, -0.65))
SLIDES = 13.4
"""What slides [kg]."""


def linkage(rope: bool, **slide) -> pl.Scene:
    """An arm pressed on its limit by its weight bears a slide, and that a heavy end; a rope of a milligram besides."""
    scene = pl.Scene()
    for i, mass in enumerate((10.0, 2.6, SLIDES - 2.6)):
        scene.add(pl.Body(f"b{i}", pl.Box(0.3, 0.1, 0.1), mass=mass, position=(0.4 * i, 0, 3), collide=False))
    scene.add(pl.Revolute("arm", pl.WORLD, "b0", anchor=(-0.2, 0, 3), axis=(-0.2, 0.9, -0.3), limits=(-0.3, 0.0)))
    scene.add(pl.Prismatic("slide", "b0", "b1", anchor=(0.2, 0, 3), axis=AXIS, **slide))
    scene.add(pl.Fixed("end", "b1", "b2", anchor=(0.6, 0, 3)))
    if rope:
        thing = scene.add(pl.Rope("r", path=[(0, 0, 3), (0.8, 0, 3)], length=1.4, points=9, radius=1e-3, mass=1e-6, bend=1e-9,
                                  twist=1e-9, collide=False))
        scene.attach(thing.start, "b0")
        scene.attach(thing.end, "b2")
    return scene


def travel(rope: bool, h: float, **slide) -> float:
    """Way of the slide [m] when SECONDS have passed; the arm has stayed on its limit, and every step has converged."""
    world = pl.World(linkage(rope, **slide), dt=h, substeps=1, threads=1)
    while world.time < SECONDS - 0.5 * h:
        assert world.step().converged
    assert abs(world["arm"].angle) < 1e-6
    return world["slide"].travel


def slid(friction: float = 0.0, reaction_friction: float = 0.0, damping: float = 0.0) -> tuple[float, float]:
    """(way [m], acceleration at first [m/s2]) of what starts at rest: v' = a - (c/m) v, a by the weight along it and across."""
    a = -G * AXIS[2] - friction / SLIDES - reaction_friction * G * np.sqrt(1.0 - AXIS[2] ** 2)
    k = damping / SLIDES
    return (a / k * (SECONDS - (1.0 - exp(-k * SECONDS)) / k) if k > 0.0 else 0.5 * a * SECONDS**2), a


@pytest.mark.parametrize("slide", [
    {"friction": 20.0}, {"reaction_friction": 0.2}, {"friction": 5.0, "reaction_friction": 0.1, "damping": 30.0}])
def test_slides_as_coulomb_has_it(slide):
    """Oracle: the closed form. The first step is one of implicit Euler, wrong by a h^2/2 in place and as much in a speed that
    lasts; the rest is of second order: all of it below 2 a h^2. Without a rope friction that follows reactions is of implicit
    Euler throughout, a h t/2 too far at most."""
    way, a = slid(**slide)
    for h in (1 / 60, 1 / 240):
        assert abs(travel(True, h, **slide) - way) <= 2.0 * a * h * h
        assert abs(travel(False, h, **slide) - way) <= 0.55 * a * h * SECONDS


def test_motor_against_friction_beside_a_rope():
    """Oracle: a motor that is strong enough holds its speed to rounding, whatever brakes it, and is told to be that strong."""
    world = pl.World(linkage(True, friction=20.0, motor=pl.VelocityMotor(0.1, 300.0)), dt=1 / 60, threads=1)
    world.run(0.2)
    assert world["slide"].rate == pytest.approx(0.1, abs=1e-6)
    assert world["arm"].rate == pytest.approx(0.0, abs=1e-6)
    # what it pushes with: friction less the weight along the slide
    assert world["slide"].effort == pytest.approx(20.0 + SLIDES * G * AXIS[2], rel=1e-3)
