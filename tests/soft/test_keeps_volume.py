"""Blocks of the preset "near-incompressible", squeezed by a fifth, keep their volume. Oracles: half a percent, Hooke's law."""

import pytest

import pliant as pl

SIDE, WAY = 0.1, 0.02
DOWN = pl.Motion([0.0, 0.5], [(0, 0, 0), (0, 0, -WAY)])
BULK = 1e5 / (3.0 * (1.0 - 2.0 * 0.499))


def block(spacing: float) -> pl.Solid:
    return pl.Solid("block", pl.Box(SIDE, SIDE, SIDE), spacing=spacing, material="near-incompressible", friction=0.8)


def glued(spacing: float) -> tuple[pl.Scene, str]:
    """Between plates that hold all of its ends."""
    scene = pl.Scene(gravity=(0, 0, 0))
    soft = scene.add(block(spacing))
    scene.pin(soft.vertices(lambda x: x[:, 2] < -0.499 * SIDE), name="table")
    scene.pin(soft.vertices(lambda x: x[:, 2] > 0.499 * SIDE), name="press", motion=DOWN)
    return scene, "press"


def touched(spacing: float) -> tuple[pl.Scene, str]:
    """Between bodies, on which it may slip."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(block(spacing))
    for name, z, motion in (("table", -1, None), ("press", 1, DOWN)):
        place = (0.0, 0.0, z * (0.5 * SIDE + 0.01))
        scene.add(pl.Body(name, pl.Box(0.4, 0.4, 0.02), fixed=motion is None, motion=motion, position=place, friction=0.8))
    return scene, "press"


@pytest.mark.parametrize(("made", "spacing"), [(glued, 0.05), (glued, 0.025), (glued, 0.0125), (touched, 0.025)])
def test_a_squeezed_block_keeps_its_volume_within_half_a_percent(made, spacing):
    """All the way down, however coarse; at rest to what Hooke's law gives for the force as a pressure on all sides, at most."""
    scene, press = made(spacing)
    world = pl.World(scene, threads=1)
    before, losses = world["block"].volume, []
    for _ in range(60):
        world.step()
        losses.append(1.0 - world["block"].volume / before)
    assert max(losses) < 0.005 and min(losses) > -0.005
    force = world[press].force if made is glued else world[press].contact_force
    assert 0.0 < losses[-1] < abs(force[2]) * (SIDE - WAY) / before / BULK
