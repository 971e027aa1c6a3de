"""What overlaps at the start is pushed apart within a second, gently."""

import numpy as np
import pytest

import pliant as pl

SLOP = 2e-4
"""How deep what rests may sink [m]."""
PUSH = 3.0
"""Speed [m/s] at which a penetration is pushed out at most."""


@pytest.mark.parametrize("apart", [(0.5, 0, 0), (0, 0, 0.5), (0.25, 0.1, 0.5), (0.5, 0.5, 0), (0, 0, 0)])
def test_boxes_that_overlap(apart):
    """Oracle: one side of 1 m at most has to be cleared, at up to 3 m/s. Pushing out leaves no speed: they never move as fast
    as they are pushed, they come to rest, and no higher than on each other."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    start = np.array([0, 0, 0.5])
    scene.add(pl.Body("a", pl.Box(1, 1, 1), mass=10.0, position=start))
    scene.add(pl.Body("b", pl.Box(1, 1, 1), mass=10.0, position=start + apart))
    world = pl.World(scene)
    fastest = 0.0
    for _ in range(60):
        report = world.step()
        fastest = max(fastest, *(float(np.linalg.norm(world[name].velocity)) for name in "ab"))
    assert report.penetration < 2.0 * SLOP
    assert fastest < 0.5 * PUSH
    assert max(world[name].position[2] for name in "ab") < 1.5 + 1e-3 and world.energy().kinetic < 1e-2
