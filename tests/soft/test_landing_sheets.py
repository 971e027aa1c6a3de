"""Sheets that land flat. Oracle: the closed form of an inelastic landing: all of it stops at once, with nothing strained."""

import numpy as np
import pytest
from energy import never_gains

import pliant as pl

G = 9.81


@pytest.mark.parametrize("kind", ["cotton", "rubber"])
@pytest.mark.parametrize(("spacing", "thickness", "height", "speed"), [(0.1, 0.004, 0.2, 0.0), (0.1, 0.001, 1.0, 0.0),
                                                                      (0.05, 0.002, 0.5, 5.0)])
def test_a_sheet_that_lands_flat_stays_there(kind, spacing, thickness, height, speed):
    """It was stopped in the step after, with a warning: what had stopped its fall was still taken to push. It never gains, but
    for what lifts it at 1e-6 m/s, to which iterations come, and rounding; lies at half its thickness, and is borne."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.6, spacing), thickness=thickness, material=kind, position=(0, 0, height),
                       velocity=(0, 0, -speed)))
    world = pl.World(scene, threads=1)
    sheet = world["sheet"]
    never_gains(world, 50, 1e-6 * world.dt * G * sheet.mass + 2e-9 * world.energy().total)
    assert np.abs(sheet.positions[:, 2] - 0.5 * thickness).max() < 1e-6
    assert np.abs(sheet.velocities).max() < 1e-6
    assert sheet.contact_force[2] == pytest.approx(sheet.mass * G, rel=1e-5)
