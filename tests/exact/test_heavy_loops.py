"""Slider-cranks whose slider is 30 to 1000 times as heavy as their rods, through their dead points: driven, free and weak."""

from math import asin, cos, pi, sin

import numpy as np
import pytest
from energy import EnergyGuard
from oracle_tools import about

import pliant as pl

THROW, ROD, THICK, BLOCK = 0.1, 0.3, 0.02, 0.05  # [m]


def places(theta: float) -> np.ndarray:
    """(x, z, angle) of crank, rod and slider, one a row, for the crank at `theta` [rad]."""
    lean = asin(-THROW * sin(theta) / ROD)
    x, z = THROW * cos(theta), THROW * sin(theta)
    return np.array(((0.5 * x, 0.5 * z, theta), (x + 0.5 * ROD * cos(lean), 0.5 * z, lean), (x + ROD * cos(lean), 0.0, 0.0)))


def rates(theta: float) -> np.ndarray:
    """Their derivatives by theta, by central differences."""
    return (places(theta + 1e-5) - places(theta - 1e-5)) / 2e-5


def crank(rods: float, slider: float, motor=None, theta: float = 1.0, speed: float = 0.0, gravity=(0, 0, -9.81), **options):
    """A world in the x-z plane; angles grow about -y. The crank starts at `theta` [rad] with `speed` [rad/s]."""
    scene, axis = pl.Scene(gravity=gravity), (0, -1, 0)
    shapes = (pl.Box(THROW, THICK, THICK), pl.Box(ROD, THICK, THICK), pl.Box(BLOCK, BLOCK, BLOCK))
    for name, shape, mass, (x, z, angle), (u, w, turn) in zip(("crank", "rod", "slider"), shapes, (rods, rods, slider),
                                                              places(theta), speed * rates(theta), strict=True):
        scene.add(pl.Body(name, shape, mass=mass, position=(x, 0, z), quaternion=about(axis, angle), velocity=(u, 0, w),
                          angular_velocity=(0, -turn, 0), collide=False))
    wrist = (places(theta)[2, 0], 0, 0)
    scene.add(pl.Revolute("drive", pl.WORLD, "crank", anchor=(0, 0, 0), axis=axis, motor=motor))
    scene.add(pl.Revolute("pin", "crank", "rod", anchor=(THROW * cos(theta), 0, THROW * sin(theta)), axis=axis))
    scene.add(pl.Revolute("wrist", "rod", "slider", anchor=wrist, axis=axis))
    scene.add(pl.Prismatic("bore", pl.WORLD, "slider", anchor=wrist, axis=(1, 0, 0)))
    return pl.World(scene, threads=1, **options)


def inertia(theta: float, rods: float, slider: float) -> float:
    """What the crank's turning has to move [kg m2]."""
    u = rates(theta)
    turning = rods * (np.array((THROW, ROD)) ** 2 + THICK**2) / 12
    return rods * (u[:2, :2] ** 2).sum() + slider * (u[2, :2] ** 2).sum() + turning @ u[:2, 2] ** 2


@pytest.mark.parametrize("effort", [100.0, 1e5])
@pytest.mark.parametrize("rods, slider", [(0.1, 20.0), (0.1, 50.0), (0.1, 100.0), (1.0, 30.0), (1.0, 100.0), (1.0, 1000.0)])
def test_heavy_sliders_are_driven_without_gain(rods, slider, effort):
    """Oracle: conservation, the motor's work counted, by the helper, 2 s; no more than 5 % of the largest kinetic energy is
    lost. The motor gives no more than its effort, and where that suffices the speed is held to rounding, n h eps of it."""
    world = crank(rods, slider, pl.VelocityMotor(20.0, effort))
    guard = EnergyGuard(world)
    for _ in range(120):
        assert world.step().drift <= 1e-5
        guard(world)
        assert abs(world["drive"].effort) <= effort * (1 + 1e-9)
        if effort > 1e4:
            assert world["drive"].rate == pytest.approx(20.0, rel=1e-6)
    now = world.energy()
    assert now.total - now.work - guard.start >= -0.05 * guard.kinetic
    assert world["drive"].angle > 2 * pi, "it goes through its dead points"


@pytest.mark.parametrize("rods, slider", [(0.1, 50.0), (1.0, 100.0), (1.0, 1000.0)])
def test_a_motor_that_never_gets_there_gives_its_torque(rods, slider):
    """Oracle: W = torque x angle, and E - E(0) = W, to 2 % of the largest kinetic energy in 3 s, against weight along the bore:
    it swings, for the torque does not lift the slider, and gains nothing."""
    torque = 0.2 * slider * 9.81 * THROW
    world = crank(rods, slider, pl.VelocityMotor(1e6, torque), gravity=(9.81, 0, 0))
    guard, top = EnergyGuard(world), 0.0
    for _ in range(180):
        world.step()
        guard(world)
        top = max(top, abs(world["drive"].angle))
        assert world["drive"].effort == pytest.approx(torque, rel=1e-9)
        assert world.energy().work == pytest.approx(torque * world["drive"].angle, abs=0.02 * guard.kinetic)
    assert top < 2 * pi, "it does not go round"
    assert world.energy().total - guard.start == pytest.approx(torque * world["drive"].angle, abs=0.02 * guard.kinetic)


@pytest.mark.parametrize("rods, slider", [(1.0, 30.0), (1.0, 100.0), (1.0, 1000.0)])
def test_free_heavy_sliders_turn_as_their_inertia_says(rods, slider):
    """Oracle: one degree of freedom, w = sqrt(2 E / I(theta)), t = integral of d theta / w, two turns without weight.

    Substeps count as steady within 1e-5 of the kinetic energy; 1 % in energy is 0.5 % in time.
    """
    start = 1.0
    energy = 0.5 * inertia(start, rods, slider) * 5.0**2
    angles = np.linspace(start, start + 4 * pi, 40001)
    pace = np.sqrt(np.array([inertia(a, rods, slider) for a in angles]) / (2 * energy))
    times = np.concatenate(([0.0], np.cumsum(0.5 * (pace[1:] + pace[:-1]) * np.diff(angles))))
    world = crank(rods, slider, theta=start, speed=5.0, gravity=(0, 0, 0))
    while world.time < times[-1]:
        world.step()
        assert world.energy().total == pytest.approx(energy, rel=0.01)
        if world.time < times[-1]:
            there = np.interp(world.time, times, angles) - start
            late = np.interp(0.995 * world.time, times, angles) - start, np.interp(1.005 * world.time, times, angles) - start
            assert late[0] - 1e-6 <= world["drive"].angle <= late[1] + 1e-6, there


@pytest.mark.parametrize("slider", [100.0, 1000.0])
def test_a_motor_starts_from_a_dead_point(slider):
    """Oracle: conservation by the helper; the speed is there after a step, and held. At the dead point only the rods answer."""
    world = crank(1.0, slider, pl.VelocityMotor(20.0, 1e6), theta=0.0)
    guard = EnergyGuard(world)
    for _ in range(60):
        world.step()
        guard(world)
        assert world["drive"].rate == pytest.approx(20.0, rel=1e-6)
