"""A four-bar linkage, a closed loop of joints, follows its closed-form position analysis over many turns."""

from math import acos, atan2, cos, hypot, pi, sin

import numpy as np
import pytest
from oracle_tools import about

import pliant as pl

CRANK, COUPLER, ROCKER, BASE = 0.10, 0.30, 0.25, 0.30  # [m]; Grashof: 0.1 + 0.3 < 0.25 + 0.3, the crank turns all round
WIDTH = 0.02


def analysis(theta: float) -> tuple[float, float]:
    """Angles [rad] of coupler and rocker for the crank at `theta`, open assembly: two circles cross where they meet.

    The diagonal from the crank pin to the rocker's pivot has length d; the law of cosines gives the coupler's angle to it.
    """
    x, y = CRANK * cos(theta), CRANK * sin(theta)
    dx, dy = BASE - x, -y
    d = hypot(dx, dy)
    coupler = atan2(dy, dx) + acos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    px, py = x + COUPLER * cos(coupler), y + COUPLER * sin(coupler)
    return coupler, atan2(py, px - BASE)


def bar(name: str, length: float, start: tuple[float, float], angle: float) -> pl.Body:
    """A bar in the x-z plane from `start` along `angle`."""
    x, z = start[0] + 0.5 * length * cos(angle), start[1] + 0.5 * length * sin(angle)
    return pl.Body(name, pl.Box(length, WIDTH, WIDTH), density=2700.0, position=(x, 0, z),
                   quaternion=about((0, -1, 0), angle), collide=False)


def linkage(target: float, **options) -> pl.World:
    """The linkage with a motor on the crank; angles grow about -y, so that x to z is positive."""
    theta = 0.5
    coupler, rocker = analysis(theta)
    pin = (CRANK * cos(theta), CRANK * sin(theta))
    knee = (pin[0] + COUPLER * cos(coupler), pin[1] + COUPLER * sin(coupler))
    scene = pl.Scene()
    scene.add(bar("crank", CRANK, (0, 0), theta))
    scene.add(bar("coupler", COUPLER, pin, coupler))
    scene.add(bar("rocker", ROCKER, (BASE, 0), rocker))
    joint = {"axis": (0, -1, 0)}
    motor = pl.VelocityMotor(target, max_effort=50.0)
    scene.add(pl.Revolute("drive", pl.WORLD, "crank", anchor=(0, 0, 0), motor=motor, **joint))
    scene.add(pl.Revolute("pin", "crank", "coupler", anchor=(pin[0], 0, pin[1]), **joint))
    scene.add(pl.Revolute("knee", "coupler", "rocker", anchor=(knee[0], 0, knee[1]), **joint))
    scene.add(pl.Revolute("pivot", pl.WORLD, "rocker", anchor=(BASE, 0, 0), **joint))
    return pl.World(scene, **options)


def angle_of(world: pl.World, name: str) -> float:
    """Of a bar in the x-z plane [rad]."""
    q = world[name].quaternion
    return 2 * atan2(-q[2], q[0])


def gap(world: pl.World) -> float:
    """Largest distance [m] between the two halves of a joint."""
    return max(np.linalg.norm(a - b) for a, b in (world[j].anchors for j in ("drive", "pin", "knee", "pivot")))


def wrapped(angle: float) -> float:
    return (angle + pi) % (2 * pi) - pi


@pytest.mark.parametrize("speed", [2.0, 20.0])
def test_linkage_follows_the_position_analysis(speed):
    """Oracle: the closed form at the crank's own angle. Four gaps of 0.1 mm turn the shorter bar by 4e-4 / 0.25 rad at most."""
    world = linkage(speed)
    for _ in range(round(4 * 2 * pi / speed / world.dt)):
        world.step()
        assert gap(world) <= 1e-4
        coupler, rocker = analysis(angle_of(world, "crank"))
        assert abs(wrapped(angle_of(world, "coupler") - coupler)) < 4e-4 / ROCKER
        assert abs(wrapped(angle_of(world, "rocker") - rocker)) < 4e-4 / ROCKER
        assert abs(world["knee"].anchors[0, 1]) < 1e-6, "it stays in its plane"
    assert world["drive"].angle > 3.9 * 2 * pi, "and the motor has turned it"


def test_free_linkage_keeps_its_energy():
    """Oracle: conservation, without motor and friction, over ten seconds of falling and swinging.

    E swings by m g v h / 2 because velocities stand half a substep before positions; nothing may come from nowhere.
    """
    world = linkage(0.0)
    scene = pl.Scene()
    for thing in world.scene:
        scene.add(thing.replace(motor=None) if thing.name == "drive" else thing)
    world = pl.World(scene)
    start, mass, h = world.energy().total, sum(world[n].mass for n in world.body_names), world.dt / world.substeps
    fastest, worst = 0.0, 0.0
    for _ in range(600):
        now = world.step().energy
        fastest = max(fastest, now.kinetic)
        swing = 0.5 * mass * 9.81 * (2 * fastest / mass) ** 0.5 * h
        worst = max(worst, now.total - start)
        assert now.total - start < 1e-3 * fastest + 2 * swing
        assert gap(world) <= 1e-4
    assert world.energy().total > start - 0.1 * fastest, "it has not been damped away either"


MOTORS = {"speed": pl.VelocityMotor(5.0, 25.0), "voltage": pl.DCMotor(12.0, 0.05, 0.05, 0.5, 24.0, gear=50.0, inertia=1e-5),
          "position": pl.PositionMotor(3.0, 50.0, 1.0)}


@pytest.mark.parametrize("joint", ["drive", "knee", "pivot"])
@pytest.mark.parametrize("motor", MOTORS)
def test_a_motor_that_jams_puts_nothing_in(motor, joint):
    """Oracle: conservation, the motor's work counted, 2 s. On knee and pivot it drives the crank to a dead point.

    E swings by m g v h / 2 because velocities stand half a substep before positions; nothing may come from nowhere.
    """
    scene = pl.Scene()
    for thing in linkage(0.0).scene:
        if isinstance(thing, pl.Revolute):
            thing = thing.replace(motor=MOTORS[motor] if thing.name == joint else None)
        scene.add(thing)
    world = pl.World(scene, threads=1)
    start, mass, h = world.energy().total, sum(world[n].mass for n in world.body_names), world.dt / world.substeps
    fastest = 0.0
    for _ in range(120):
        now = world.step().energy
        fastest = max(fastest, now.kinetic)
        swing = 0.5 * mass * 9.81 * (2 * fastest / mass) ** 0.5 * h
        assert now.total - now.work - start < 1e-3 * fastest + 2 * swing
        assert gap(world) <= 1e-4
