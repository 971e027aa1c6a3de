"""Cloth between driven bodies and what stands still, with less room than it is thick: no energy from nothing, nothing flies."""

from math import sqrt

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

LYING = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
"""A capsule along y."""
THICK = 0.003


def fastest(world: pl.World, seconds: float) -> tuple[float, float, float]:
    """Run under the guard of energy; the largest speed of a vertex, that of their mean square [m/s], and how deep the sheet has
    fallen [m]."""
    guard, speed, mean = EnergyGuard(world), 0.0, 0.0
    world.on_step(guard)
    sheet = world["sheet"]
    top = sheet.positions[:, 2].max()
    for _ in range(round(seconds / world.dt)):
        report = world.step()
        assert not report.warnings
        speeds = np.linalg.norm(sheet.velocities, axis=1)
        speed, mean = max(speed, float(speeds.max())), max(mean, float(np.sqrt((speeds**2).mean())))
    return speed, mean, float(top - sheet.positions[:, 2].min())


def ironed(gap: float, speed: float, friction: float, cell: float) -> pl.Scene:
    """A sheet on the ground, a capsule that does not turn driven over it."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(0.8, 0.8, cell), thickness=THICK, friction=friction, position=(0, 0, THICK)))
    scene.add(pl.Body("bar", pl.Capsule(0.03, 1.2), mass=1.0, friction=friction, position=(-0.7, 0, 0.03 + gap),
                      quaternion=LYING, motion=pl.Motion([0, 1.2 / speed], [(0, 0, 0), (1.2, 0, 0)])))
    return scene


@pytest.mark.parametrize(("gap", "speed", "friction", "cell"), [
    (0.002, 0.6, 0.5, 0.04), (0.0025, 0.6, 0.5, 0.04), (0.0029, 0.6, 0.5, 0.04), (0.002, 0.6, 0.0, 0.04),
    (0.0028, 0.6, 0.5, 0.08), (0.002, 0.2, 0.5, 0.08), (0.002, 0.2, 0.5, 0.04), (0.002, 2.0, 0.5, 0.08),
    (0.002, 2.0, 0.0, 0.08), (0.002, 2.0, 0.5, 0.04)])
def test_a_capsule_driven_over_a_sheet(gap, speed, friction, cell):
    """Oracles: energy less work does not rise (1e10 J before); what a wall hits at u goes on at 2 u at most, even elastic."""
    world = pl.World(ironed(gap, speed, friction, cell), threads=1)
    assert fastest(world, 1.2 / speed)[0] < 2.0 * speed


@pytest.mark.parametrize("substeps", [1, 4])
def test_substeps_change_nothing_of_that(substeps):
    """Oracles: as above."""
    world = pl.World(ironed(0.002, 0.6, 0.5, 0.04), threads=1, substeps=substeps)
    assert fastest(world, 2.0)[0] < 2.0 * 0.6


@pytest.mark.parametrize("gap", [0.0025, 0.002, 0.001])
def test_a_sheet_drawn_through_a_mangle(gap):
    """Two driven rollers. Oracles: energy less work; in the mean square no faster than the rollers and a fall by as far as the
    sheet has come down (its end swings like a whip: that one alone may go faster)."""
    scene, radius, rate, times = pl.Scene(), 0.05, 5.0, np.linspace(0.0, 1.0, 101)
    scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.4, 0.04), thickness=THICK, position=(-0.25, 0, 1.0)))
    for name, side in (("lower", -1), ("upper", 1)):
        scene.add(pl.Body(name, pl.Capsule(radius, 0.8), mass=1.0, position=(0, 0, 1.0 + side * (radius + 0.5 * gap)),
                          quaternion=LYING, motion=pl.Motion(list(times), rotations=[(0, -side * rate * t, 0) for t in times],
                                                             positions=[(0, 0, 0)] * len(times))))
    _, mean, fallen = fastest(pl.World(scene, threads=1), 1.0)
    assert mean < sqrt((radius * rate) ** 2 + 2.0 * 9.81 * fallen)


def test_a_sheet_pushed_to_a_wall():
    """A capsule half a millimetre above the ground. Oracles: energy less work; four times the capsule's speed, since what
    buckles between it and the wall is thrown by both sides, each as elastic."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.6, 0.04), thickness=THICK, position=(0, 0, 0.0016)))
    scene.add(pl.Body("wall", pl.Box(0.1, 1.5, 0.5), fixed=True, position=(0.45, 0, 0.25)))
    scene.add(pl.Body("bar", pl.Capsule(0.03, 1.2), mass=1.0, position=(-0.4, 0, 0.0305), quaternion=LYING,
                      motion=pl.Motion([0, 1.5], [(0, 0, 0), (0.7, 0, 0)])))
    assert fastest(pl.World(scene, threads=1), 1.5)[0] < 4.0 * 0.7 / 1.5


@pytest.mark.parametrize("gap", [0.002, 0.004, 0.005])
def test_two_sheets_under_a_capsule(gap):
    """What holds a sheet holds the one on it. Oracles: energy less work; four times the capsule's speed, since what it throws
    at twice that may throw the upper sheet, as elastic."""
    scene = ironed(gap, 0.6, 0.5, 0.04)
    scene.add(pl.Cloth("upper", pl.Sheet(0.8, 0.8, 0.05), thickness=THICK, position=(0.01, 0, 2.1 * THICK)))
    assert fastest(pl.World(scene, threads=1), 2.0)[0] < 4.0 * 0.6


@pytest.mark.parametrize("room", [0.002, 0.004])
def test_a_vice_holds_what_it_squeezes(room):
    """Oracle: Coulomb. Jaws with friction 1 that lift a sheet of 4 mm, squeezed or just touched, keep what lies in them:
    it creeps by less than half a cell."""
    scene = pl.Scene()
    scene.add(pl.Cloth("sheet", pl.Sheet(0.5, 0.5, 0.03), thickness=0.004, material=pl.Material(300, 1e5, poisson=0.3),
                       position=(0, 0, 0.5)))
    for name, side in (("lower", -1), ("upper", 1)):
        close = -side * (0.02 - 0.5 * room)
        scene.add(pl.Body(name, pl.Box(0.1, 0.1, 0.02), position=(0.2, 0, 0.5 + 0.03 * side), friction=1.0,
                          motion=pl.Motion([0, 0.2, 1.5], [(0, 0, 0), (0, 0, close), (0, 0, close + 0.3)])))
    world = pl.World(scene, threads=1)
    sheet = world["sheet"]
    guard, start = EnergyGuard(world), sheet.positions
    world.on_step(guard)
    held = (np.abs(start[:, 0] - 0.2) < 0.05) & (np.abs(start[:, 1]) < 0.05)
    world.run(0.5)
    gripped = sheet.positions[held]
    world.run(1.0)
    crept = sheet.positions[held] - gripped
    assert np.abs(crept[:, :2].mean(axis=0)).max() < 0.5 * 0.03
    assert sheet.positions[held, 2].mean() == pytest.approx(0.8, abs=0.004)
