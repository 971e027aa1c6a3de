"""What presses cloth against something else, with rows that are swept. Oracles: weights, friction, thickness, energy."""

import numpy as np
import pytest

import pliant as pl
from pliant.couple.soft import swept

GRAVITY, THICK, MASS = 9.81, 0.004, 100.0


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_sweeps_alone_bear_a_heavy_body(slope, monkeypatch):
    """100 kg on a sheet of 0.55 kg, on the level and on a slope that friction holds it on. By visits in turn alone it sank by
    3.7 mm, and the sheet by 5. Oracles: weight, friction, the sheet's thickness."""
    monkeypatch.setattr(swept, "BORNE", np.inf)
    monkeypatch.setattr(swept, "LITTLE", np.inf)
    scene = pl.Scene(gravity=(GRAVITY * np.sin(slope), 0.0, -GRAVITY * np.cos(slope)))
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(0.3, 0.3, 0.03), thickness=THICK, material="cotton", position=(0.0, 0.0, 0.0025)))
    heavy = scene.add(pl.Body("heavy", pl.Box(0.2, 0.2, 0.2), mass=MASS, position=(0.0, 0.0, 0.106)))
    world = pl.World(scene, threads=1)
    for _ in range(60):
        assert not world.step().warnings
    body, sheet = world[heavy.name], world["sheet"]
    assert body.position[2] == pytest.approx(0.1 + THICK, abs=2e-5)
    assert sheet.positions[:, 2].min() == pytest.approx(0.5 * THICK, abs=2e-5)
    assert body.contact_force == pytest.approx(MASS * GRAVITY * np.array([-np.sin(slope), 0.0, np.cos(slope)]), abs=1e-3 * MASS)
    assert np.abs(body.velocity).max() < 1e-6


def test_a_pot_on_a_laid_table():
    """10 kg, 50 times as heavy as what it presses, and plates, while the sheet's edges still swing. Oracles: the pot bears
    weight, as high as the sheet is thick; all gains of 60 steps are less than a fiftieth of what the edges fall with."""
    scene = pl.Scene()
    scene.add(pl.Body("table", pl.Box(1.6, 0.8, 0.75), position=(0.0, 0.0, 0.375), fixed=True))
    scene.add(pl.Cloth("sheet", pl.Sheet(2.0, 1.2, 0.1), thickness=0.002, material="cotton", position=(0.0, 0.0, 0.7515)))
    scene.add(pl.Body("pot", pl.Cylinder(0.12, 0.2), mass=10.0, position=(0.02, 0.01, 0.855)))
    for k, place in enumerate([(-0.5, 0.1), (0.5, 0.15), (0.45, -0.2)]):
        scene.add(pl.Body(f"plate {k}", pl.Cylinder(0.12, 0.02), mass=0.4, position=(*place, 0.766)))
    world = pl.World(scene, threads=1)
    left = []
    for _ in range(60):
        report = world.step()
        left.append(report.energy.total - report.energy.work)
        assert not report.warnings
    sheet, pot = world["sheet"], world["pot"]
    assert np.abs(sheet.velocities).max() > 0.1  # the edges swing
    assert pot.contact_force[2] == pytest.approx(10.0 * GRAVITY, rel=1e-3)
    assert pot.position[2] == pytest.approx(0.752 + 0.1, abs=2e-5)
    assert np.abs(pot.velocity).max() < 1e-4
    hang = sheet.mass * (1.0 - 1.6 * 0.8 / (2.0 * 1.2))
    assert np.maximum(np.diff(left), 0.0).sum() < 0.02 * hang * GRAVITY * 0.2
    for k in range(3):
        assert world[f"plate {k}"].contact_force[2] == pytest.approx(0.4 * GRAVITY, rel=0.05)
