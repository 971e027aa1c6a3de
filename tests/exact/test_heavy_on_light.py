"""Heaps of boxes of 1 : 1e5, with more contacts than are solved at once, gain nothing and come to rest."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl


@pytest.mark.parametrize("seed", range(3))
def test_a_mixed_heap(seed):
    """Oracle: conservation, by the helper; what is left after 8 s, in which what was thrown aside has slid to rest and what
    stood on edge or on light bodies has come down, is slower than sweeps leave what trembles, 1 cm/s."""
    rng = np.random.default_rng(seed)
    scene = pl.Scene()
    scene.add(pl.Ground())
    for i in range(25):
        scene.add(pl.Body(f"b{i}", pl.Box(0.2, 0.2, 0.2), mass=10.0 ** rng.uniform(-2, 3),
                          position=(*rng.uniform(-0.3, 0.3, 2), 0.2 + 0.22 * i)))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(8.0)
    heavy = [name for name in world.body_names if name != "ground" and world[name].mass > 1.0]
    assert max(float(np.linalg.norm(world[name].velocity)) for name in heavy) < 1e-2
