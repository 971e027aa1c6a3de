"""A jelly pressed to a quarter of its height: cells in its corners come to no volume at all, and it lies still. Oracles: the
work of the plate covers the energy in every step, force and volume at rest are those of four times shorter steps."""

import numpy as np
import pytest

import pliant as pl

HEIGHT = 0.2


def pressed(dt: float) -> tuple[pl.World, float]:
    """After 2 s, of which a driven plate comes down for 1 s; and what energy less work has risen by in all [J]."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.5))
    scene.add(pl.Solid("jelly", pl.Box(0.2, 0.2, HEIGHT), spacing=0.05, material="jelly", position=(0, 0, 0.5 * HEIGHT + 1e-4)))
    down = (0, 0, -0.75 * HEIGHT - 5e-4)
    scene.add(pl.Body("plate", pl.Box(0.8, 0.8, 0.02), position=(0, 0, HEIGHT + 0.0105),
                      motion=pl.Motion([0, 1, 2], [(0, 0, 0), down, down], smooth=True)))
    world = pl.World(scene, dt=dt, threads=1)
    over, rise = np.inf, 0.0
    for _ in range(round(2.0 / dt)):
        energy = world.step().energy
        rise, over = rise + max(0.0, energy.total - energy.work - over), energy.total - energy.work
    return world, rise


def test_a_jelly_between_plates_does_not_jump():
    """Before, 350 J came and went while all cells around a flat one gave up their volume and took it up again."""
    world, rise = pressed(1.0 / 60.0)
    assert rise < 1e-6 * world.energy().total
    assert np.abs(world["jelly"].velocities).max() < 1e-3
    finer, _ = pressed(1.0 / 240.0)
    assert world["plate"].contact_force[2] == pytest.approx(finer["plate"].contact_force[2], rel=2e-3)
    assert world["jelly"].volume == pytest.approx(finer["jelly"].volume, rel=1e-3)


def test_a_jelly_that_starts_flat_rises():
    """All cells without volume: it finds its shape again, none of them inside out, whichever way up."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Solid("jelly", pl.Box(0.2, 0.2, 0.1), spacing=0.05, material="jelly", collide=False))
    world = pl.World(scene, threads=1)
    volume, place = world["jelly"].volume, world["jelly"].positions
    place[:, 2] *= 1e-9
    world["jelly"].positions = place
    world.run(3.0)
    assert world["jelly"].volume == pytest.approx(volume, rel=1e-3)
    assert np.abs(world["jelly"].stretches - 1.0).max() < 1e-2
