"""Soft solids on height fields. Oracle: a solid that falls gains no energy, and is nowhere deeper in than contacts may sink."""

import numpy as np
import pytest
from energy import SLOP, never_gains

import pliant as pl

ALONG = np.linspace(-2.0, 2.0, 41)
HILLS = 0.08 * np.sin(3.0 * ALONG)[:, None] * np.cos(2.0 * ALONG)


@pytest.mark.parametrize(("height", "substeps"), [(0.3, "auto"), (0.22, "auto"), (0.3, 8)])
def test_a_jelly_on_hills_is_pushed_out_where_it_is_in(height, substeps):
    """A corner of the field that was just inside its lower side was also taken to be 9 to 10 cm behind its upright faces: that
    pushed it for a step, by 0.8 to 1.4 J."""
    scene = pl.Scene()
    scene.add(pl.Body("hills", pl.HeightField(HILLS, (4, 4)), fixed=True, friction=0.6))
    scene.add(pl.Solid("jelly", pl.Box(0.4, 0.3, 0.2), spacing=0.1, material="jelly", position=(0.1, 0.2, height)))
    world = pl.World(scene, threads=1, substeps=substeps)
    reports = never_gains(world, 60, 1e-6 * world.energy().gravity)
    assert max(report.penetration for report in reports) < SLOP
