"""Closed loops at speed: a slider-crank and a four-bar linkage stay closed, follow their geometry, and keep their energy."""

from math import asin, cos, sin, sqrt

import numpy as np
import pytest
from energy import SHARE, EnergyGuard
from oracle_tools import about
from test_four_bar import BASE, COUPLER, CRANK, ROCKER, analysis, angle_of, gap, linkage

import pliant as pl

THROW, ROD = 0.1, 0.3  # [m]
START = 0.4  # [rad]
AIMED = 1e-5
"""A substep that leaves a larger gap [m] is taken again in halves: what joints may gape by."""
SECONDS = 3.0


def crank_slider(theta: float) -> dict[str, tuple[float, float, float]]:
    """(x, z, angle) of crank, rod and piston for the crank at `theta` [rad]."""
    lean = asin(-THROW * sin(theta) / ROD)
    pin = (THROW * cos(theta), THROW * sin(theta))
    return {"crank": (0.5 * pin[0], 0.5 * pin[1], theta),
            "rod": (pin[0] + 0.5 * ROD * cos(lean), 0.5 * pin[1], lean),
            "piston": (pin[0] + ROD * cos(lean), 0.0, 0.0)}


def four_bar(theta: float) -> dict[str, tuple[float, float, float]]:
    """(x, z, angle) of the bars of the linkage."""
    coupler, rocker = analysis(theta)
    x, z = CRANK * cos(theta), CRANK * sin(theta)
    return {"crank": (0.5 * x, 0.5 * z, theta),
            "coupler": (x + 0.5 * COUPLER * cos(coupler), z + 0.5 * COUPLER * sin(coupler), coupler),
            "rocker": (BASE + 0.5 * ROCKER * cos(rocker), 0.5 * ROCKER * sin(rocker), rocker)}


def going(places, theta: float, speed: float) -> dict[str, dict]:
    """Velocities of all parts for the crank at `speed` [rad/s], by central differences of the geometry."""
    step = 1e-5
    before, after = places(theta - step), places(theta + step)
    rates = {name: speed * np.subtract(after[name], before[name]) / (2 * step) for name in before}
    return {name: {"velocity": (x, 0, z), "angular_velocity": (0, -turn, 0)} for name, (x, z, turn) in rates.items()}


def slider_crank(speed: float, driven: bool) -> pl.World:
    """In the x-z plane, gravity along -z; angles grow about -y, so that x to z is positive."""
    scene, axis, motion = pl.Scene(), (0, -1, 0), going(crank_slider, START, speed)
    shapes = {"crank": pl.Box(THROW, 0.02, 0.02), "rod": pl.Box(ROD, 0.02, 0.02), "piston": pl.Box(0.06, 0.06, 0.06)}
    for mass, (name, (x, z, angle)) in zip((0.5, 0.3, 0.4), crank_slider(START).items(), strict=True):
        scene.add(pl.Body(name, shapes[name], mass=mass, position=(x, 0, z), quaternion=about(axis, angle), collide=False,
                          **motion[name]))
    motor = pl.VelocityMotor(speed, max_effort=500.0) if driven else None
    wrist = (crank_slider(START)["piston"][0], 0, 0)
    scene.add(pl.Revolute("drive", pl.WORLD, "crank", anchor=(0, 0, 0), axis=axis, motor=motor))
    scene.add(pl.Revolute("pin", "crank", "rod", anchor=(THROW * cos(START), 0, THROW * sin(START)), axis=axis))
    scene.add(pl.Revolute("wrist", "rod", "piston", anchor=wrist, axis=axis))
    scene.add(pl.Prismatic("bore", pl.WORLD, "piston", anchor=wrist, axis=(1, 0, 0)))
    return pl.World(scene, threads=1)


def free_slider_crank(speed: float) -> pl.World:
    """The slider-crank without its motor."""
    return slider_crank(speed, False)


def free_four_bar(speed: float) -> pl.World:
    """The linkage without its motor, its crank let go at `speed` [rad/s]."""
    scene, motion = pl.Scene(), going(four_bar, 0.5, speed)
    for thing in linkage(0.0).scene:
        if isinstance(thing, pl.Body):
            thing = thing.replace(**motion[thing.name])
        scene.add(thing.replace(motor=None) if thing.name == "drive" else thing)
    return pl.World(scene, threads=1)


def stroke_error(world: pl.World) -> float:
    """How far [m] the piston is from r cos a + sqrt(l^2 - r^2 sin^2 a), a the crank's own angle."""
    a = angle_of(world, "crank")
    return abs(world["piston"].position[0] - THROW * cos(a) - sqrt(ROD**2 - (THROW * sin(a)) ** 2))


@pytest.mark.parametrize("driven", [True, False], ids=["driven", "free"])
@pytest.mark.parametrize("speed", [30.0, 60.0, 100.0])
def test_a_slider_crank_stays_closed(speed, driven):
    """Oracle: the closed form of the stroke. Three gaps and the wrist's own move the piston by their sum at most,
    and by up to ROD / (ROD - THROW) more where the rod leans."""
    world = slider_crank(speed, driven)
    turned, before = 0.0, angle_of(world, "crank")
    for _ in range(round(SECONDS / world.dt)):
        assert world.step().drift <= AIMED
        assert stroke_error(world) <= 4 * AIMED * ROD / (ROD - THROW)
        now = angle_of(world, "crank")
        turned, before = turned + (now - before) % (2 * np.pi), now
        if driven:
            assert abs(world["drive"].rate - speed) <= 1e-6 * speed
    assert turned > 3.0, "it turns all round"


@pytest.mark.parametrize("speed", [30.0, 60.0, 100.0])
def test_a_four_bar_stays_closed(speed):
    """Oracle: no gap beyond what is aimed at, 3 s; joints that close the loop are no worse than the others."""
    world = free_four_bar(speed)
    for _ in range(round(SECONDS / world.dt)):
        assert world.step().drift <= AIMED
        assert gap(world) <= AIMED


@pytest.mark.parametrize("speed", [30.0, 60.0, 100.0])
def test_a_driven_slider_crank_gains_nothing(speed):
    """Oracle: conservation, the motor's work counted, 3 s: energy by the helper, and no more lost than may be gained.

    What swings within a turn does not add up: the mean of E - W in the last second is that in the first to a tenth of it.
    """
    world = slider_crank(speed, True)
    guard, off = EnergyGuard(world), []
    for _ in range(round(SECONDS / world.dt)):
        world.step()
        guard(world)
        off.append((world.energy().total - world.energy().work - guard.start) / guard.kinetic)
    first, _, last = np.array_split(np.array(off), 3)
    assert min(off) >= -SHARE
    assert abs(last.mean() - first.mean()) <= 0.1 * SHARE


@pytest.mark.parametrize("seconds", [SECONDS, pytest.param(60.0, marks=pytest.mark.soak)])
@pytest.mark.parametrize("speed", [30.0, 60.0, 100.0])
@pytest.mark.parametrize("build", [free_slider_crank, free_four_bar], ids=["slider-crank", "four-bar"])
def test_a_free_loop_gains_nothing(build, speed, seconds):
    """Energy by the helper."""
    world = build(speed)
    world.on_step(EnergyGuard(world))
    world.run(seconds)


@pytest.mark.parametrize("speed", [30.0, 60.0, 100.0])
@pytest.mark.parametrize("build", [free_slider_crank, free_four_bar], ids=["slider-crank", "four-bar"])
def test_a_free_loop_keeps_its_energy_roughly(build, speed):
    """Oracle: conservation. A substep counts as steady within 1e-5 of the kinetic energy, so n of them within n times that."""
    world = build(speed)
    start, allowed = world.energy(), 0.0
    for _ in range(round(SECONDS / world.dt)):
        report = world.step()
        allowed += 1e-5 * report.substeps * (report.energy.kinetic + 0.1 * 9.81 * sum(world[n].mass for n in world.body_names))
        assert abs(report.energy.total - start.total) <= allowed
