"""Cloth that has come through itself comes undone. Oracle: few edges of it lead through triangles of it."""

import numpy as np
import pytest
from crossings import crossings

import pliant as pl


@pytest.mark.parametrize("gust", [2.0, 1.98, 1.97])
def test_a_flag_in_gusts_flies_on(gust):
    """Wind that stops and blows at twice its strength in turn, every quarter of a second, crumples a flag through itself. It
    had 400 to 450 such edges from then on, at 16 times the iterations: contacts pushed both ends of each of them both ways.
    Now it has a corner left at most, 0 to 26 by the `gust` and by rounding; a tenth of what it had is too many."""
    world, tangled = pl.World(pl.load("flag"), threads=1), []
    faces = np.array(world._things["flag"].faces)
    for k in range(90):
        world.control["wind"] = 0.0 if int(4.0 * world.time) % 2 else gust
        world.step()
        tangled += [crossings(world["flag"].positions, faces)] if k % 10 == 9 else []
    assert max(tangled) > 0
    world.control["wind"] = 1.0
    world.run(2.0)
    left = []
    for k in range(30):
        assert world.step().substeps <= 2
        left += [crossings(world["flag"].positions, faces)] if k % 6 == 5 else []
    assert np.median(left) < 40
