"""The jellies: how far they sag against their own converged equilibrium, what volumes they keep, and that they are shaken."""

import numpy as np
import pytest
from soft.bars import settle

import pliant as pl
from pliant.solvers.quasi_newton.block import QuasiNewton

NAMES = ("firm", "wobbly", "spongy", "slack")


@pytest.fixture(scope="module")
def rested() -> pl.World:
    """The scene with a tray that stands still, and drag, after it has come to rest."""
    scene = pl.load("jelly")
    still = pl.Scene(scene.gravity, drag=8.0)
    for thing in scene:
        still.add(thing.replace(motion=None) if isinstance(thing, pl.Pin) else thing)
    world = pl.World(still, threads=1)
    world.run(6.0)
    return world


@pytest.mark.parametrize("name", NAMES)
def test_it_sags_to_its_equilibrium(rested, name):
    """Oracle: one step of the block so long that inertia does not count, iterated to the end by quasi-Newton.

    A free corner of the world's has still a speed v; with the drag of 8/s it is within v/8 s and the last iterations of it.
    """
    k = NAMES.index(name)
    soft = rested._engine.model.soft[k]
    places = rested[name].positions
    block = QuasiNewton(soft.model, places.copy(), np.zeros_like(places))
    settle(block, most=4000, close=1e-10, acceleration=(0.0, 0.0, -9.81))
    sag = rested.scene[name].placed()[:, 2] - block.position[:, 2]
    assert sag.max() > 5e-4
    left = np.linalg.norm(rested[name].velocities, axis=1).max() / 8.0
    np.testing.assert_allclose(places, block.position, rtol=0, atol=0.01 * sag.max() + 10.0 * left)


def test_weights_say_what_gives_way(rested):
    """Oracle: order. Stiff in shape sags least; stiff in volume keeps it; without resistance to volume it loses weight/2E."""
    volume = {name: rested[name].volume / (0.12 * 0.12 * 0.15) for name in NAMES}
    top = {name: 0.15 - rested[name].positions[:, 2].max() for name in NAMES}
    assert top["firm"] < top["wobbly"] < top["spongy"]
    assert 1.0 - volume["firm"] < 0.01 and 1.0 - volume["wobbly"] < 0.01
    # uniaxial: strain rho g (h - z)/E, E = 2 mu = 1e4 Pa for nu = 0; the clamped bottom holds some of it
    assert 1.0 - volume["spongy"] == pytest.approx(1000.0 * 9.81 * 0.15 / 2.0 / 1e4, rel=0.25)


def test_a_dead_zone_sags_by_its_width(rested):
    """Oracle: below a tenth nothing resists but volume, so the middle of `slack` is pressed by nearly that at least."""
    stretches = rested["slack"].stretches
    assert np.median(stretches[:, 2]) < 0.95 and stretches[:, 2].min() > 0.7


def test_the_tray_shakes_them():
    """Oracle: the pins' motion: where the tray is they are, and their tops swing on after it has stopped."""
    world = pl.World(pl.load("jelly"), threads=1)
    world.run(2.1)
    for name in NAMES:
        assert world[f"under {name}"].position[1] == pytest.approx(0.02, abs=1e-9)
        assert world["tray"].position[1] == pytest.approx(0.02, abs=1e-9)
    world.run(0.6)
    for name in NAMES:
        assert np.abs(world[name].velocities[:, 1]).max() > 1e-3
