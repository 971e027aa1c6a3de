"""The order of a solid's vertices in a band. Oracle: the layers of a grid of cubes, counted."""

import numpy as np
import pytest
from bars import bar, random_rotation

from pliant.couple.soft.ranks import along_axis, narrow_ranks


def width(rank, cells) -> int:
    """How far apart two vertices of one cell come."""
    return int(np.ptp(rank[cells], axis=1).max())


@pytest.mark.parametrize("axes", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)])
def test_a_band_holds_one_layer_and_a_row(axes):
    """Plates of 12 x 8 x 2 cubes, lying any way: 9 x 3 vertices a layer, 3 a row, and a cube reaches one further in each."""
    points, cells = bar((12, 8, 2), (0.12, 0.08, 0.02))
    rank = narrow_ranks(points[:, axes], cells)
    assert np.array_equal(np.sort(rank), np.arange(len(points)))
    assert width(rank, cells) <= 9 * 3 + 3 + 1


def test_a_bar_that_lies_askew_is_sorted_along_its_length():
    """Then x, y and z say nothing: it is as narrow as along its axis, whose layers of 4 x 4 vertices lie in any order."""
    points, cells = bar((30, 3, 3), (0.3, 0.03, 0.03))
    rank = narrow_ranks(points @ random_rotation(np.random.default_rng(0)).T, cells)
    assert width(rank, cells) <= 2 * 16 - 1
    order = np.argsort(along_axis(points), kind="stable")
    assert order[0] in np.flatnonzero(points[:, 0] < 1e-9) or order[0] in np.flatnonzero(points[:, 0] > 0.3 - 1e-9)
