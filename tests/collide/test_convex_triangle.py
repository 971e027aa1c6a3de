"""Shapes on a flat triangle, a hull of two faces without inside, as a height field hands them over."""

import numpy as np
import pytest
from convex_calls import CUBE, STILL, Solid, manifold

from pliant.model.schema import fill
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE, Hulls

LYING = (1.0, 1.0, 0.0, 0.0)
TRIANGLE = fill(
    Hulls,
    first_vertex=[0, 3],
    first_face=[0, 2],
    vertex=[[-2, -2, 0], [2, -2, 0], [0, 2, 0]],
    first_corner=[0, 3, 6],
    corner=[0, 1, 2, 0, 2, 1],
    plane=[[0, 0, 1, 0], [0, 0, -1, 0]],
)
RESTING = {
    "sphere": (Solid(SPHERE, (0.3,)), 0.3, STILL, 1),
    "box": (Solid(BOX, (0.2, 0.2, 0.2)), 0.2, STILL, 4),
    "capsule": (Solid(CAPSULE, (0.1, 0.3)), 0.1, LYING, 2),
    "cylinder on its cap": (Solid(CYLINDER, (0.2, 0.3)), 0.3, STILL, 4),
    "cylinder on its side": (Solid(CYLINDER, (0.2, 0.3)), 0.2, LYING, 2),
    "hull": (Solid(HULL, points=CUBE * 0.2), 0.2, STILL, 4),
}


@pytest.mark.parametrize("name", RESTING)
@pytest.mark.parametrize("gap", [0.01, 0.0, -1e-3, -0.05])
def test_points_on_a_flat_triangle(name, gap):
    """Oracle: the height of the lowest points, by hand; tolerance: rounding of numbers of order 1."""
    solid, height, turn, count = RESTING[name]
    triangle = (HULL, np.zeros(3), STILL, np.zeros(3), 0, TRIANGLE)
    p, n, s, f = manifold(triangle, solid.at((0, -0.5, height + gap), turn), 0.05)
    assert len(p) == count == len(set(f))
    assert n == pytest.approx(np.tile((0.0, 0.0, 1.0), (count, 1)), abs=1e-14)
    assert s == pytest.approx(np.full(count, gap), abs=1e-14)
    assert p[:, 2] == pytest.approx(gap / 2, abs=1e-14)
