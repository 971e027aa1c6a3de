"""Sheets of 0.55 kg between the ground and what is 18 or 180 times as heavy. Oracle: weights, the sheet's thickness, energy."""

import numpy as np
import pytest

import pliant as pl
from pliant.couple.soft import swept

GRAVITY, THICK = 9.81, 0.004


def pressed(heavy) -> pl.World:
    """A sheet of 11 x 11 vertices on the ground, and something heavy 2 mm above it."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(0.3, 0.3, 0.03), thickness=THICK, material="cotton", position=(0.0, 0.0, 0.0025)))
    scene.add(heavy)
    return pl.World(scene, threads=1)


def check(world: pl.World, mass: float, low, steps: int) -> None:
    """The heavy thing, `low` its lowest point [m], comes to rest on the sheet; nothing gains, nothing is stopped."""
    start, sheet = world.energy().total, world["sheet"]
    for _ in range(steps):
        report = world.step()
        assert not report.warnings
        assert world.energy().total <= start + 1e-9
    assert len(world.contacts.a) > 100  # too many for a dense system
    assert low() == pytest.approx(THICK, abs=2e-5)
    assert sheet.positions[:, 2].min() == pytest.approx(0.5 * THICK, abs=2e-5)
    assert world["heavy"].contact_force[2] == pytest.approx(mass * GRAVITY, rel=1e-2)
    assert sheet.contact_force[2] == pytest.approx(sheet.mass * GRAVITY, rel=1e-2)
    assert np.abs(sheet.velocities).max() < 1e-4


@pytest.mark.parametrize("mass", [10.0, 100.0])
def test_a_body_lies_on_a_sheet(mass):
    world = pressed(pl.Body("heavy", pl.Box(0.2, 0.2, 0.2), mass=mass, position=(0.0, 0.0, 0.106)))
    check(world, mass, lambda: world["heavy"].position[2] - 0.1, 40)


def test_a_solid_lies_on_a_sheet():
    world = pressed(pl.Solid("heavy", pl.Box(0.2, 0.2, 0.2), spacing=0.05, position=(0.0, 0.0, 0.106),
                             material=pl.Material(1250.0, 1e6, poisson=0.3)))
    check(world, 10.0, lambda: world["heavy"].positions[:, 2].min(), 40)


def laid(plates: int) -> pl.World:
    """A fixed table, a cotton sheet of 231 vertices that hangs over one of its edges, and plates on it, 1 mm above."""
    scene = pl.Scene()
    scene.add(pl.Body("table", pl.Box(1.0, 0.7, 0.04), position=(0.0, 0.0, 0.38), fixed=True))
    scene.add(pl.Cloth("sheet", pl.Sheet(1.2, 0.6, 0.06), thickness=0.002, position=(0.1, 0.0, 0.4015)))
    for k, place in enumerate([(-0.3, -0.1), (-0.3, 0.15), (0.2, 0.0)][:plates]):
        scene.add(pl.Body(f"plate {k}", pl.Cylinder(0.08, 0.03), mass=0.4, position=(*place, 0.4185)))
    return pl.World(scene, threads=1)


def test_plates_on_a_laid_table():
    """Oracle: weights to 1e-3, and the sheet's thickness to a hundredth of it; nothing gains more than a twentieth of what the
    edge that hangs down falls with, a twelfth of the sheet by 0.1 m. The plates are so light that rows are swept."""
    world, left = laid(3), []
    for _ in range(90):
        report = world.step()
        left.append(report.energy.total - report.energy.work)
        assert not report.warnings
    fallen = world["sheet"].mass / 12.0 * GRAVITY * 0.1
    assert np.maximum(np.diff(left), 0.0).sum() < 0.05 * fallen
    for k in range(3):
        plate = world[f"plate {k}"]
        assert plate.contact_force[2] == pytest.approx(0.4 * GRAVITY, rel=1e-3)
        assert plate.position[2] == pytest.approx(0.402 + 0.015, abs=2e-5)
        assert np.abs(plate.velocity).max() < 1e-4


def test_sweeps_that_are_refused_leave_no_trace(monkeypatch):
    """Oracle: a world in which sweeps are never tried, to the bit."""
    ends = []
    for name, value in [("BORNE", -1.0), ("LITTLE", 0.0)]:
        with monkeypatch.context() as changed:
            changed.setattr(swept, name, value)
            world = laid(2)
            for _ in range(4):
                world.step()
            ends.append(world["sheet"].positions)
    np.testing.assert_array_equal(*ends)
