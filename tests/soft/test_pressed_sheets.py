"""Sheets of 0.55 kg between the ground and what is 18 or 180 times as heavy. Oracle: weights, the sheet's thickness, energy."""

import numpy as np
import pytest

import pliant as pl

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
