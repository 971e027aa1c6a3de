"""Shapes on a flat triangle, a hull of two faces without inside, as a height field hands them over."""

import numpy as np
import pytest
from convex_calls import CUBE, STILL, Solid, manifold

from pliant._jit import kernel
from pliant.collide.gjk import APART, FAR, TOUCHING, gjk_of_point
from pliant.math.vec3 import load
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


@kernel
def _from_origin(corner, limit):
    a, b, c = load(corner, 0), load(corner, 1), load(corner, 2)
    return gjk_of_point(a, b, c, limit)


@pytest.mark.parametrize("flat", [1.0, 1e-3])
def test_a_point_and_a_triangle(flat):
    """Oracle: p is the point of a triangle nearest to the origin if it lies in it and no corner x has p.(x - p) < 0.

    Tolerance: rounding of products of numbers of order 1, in a triangle `flat` times as wide as long over that.
    """
    rng, seen = np.random.default_rng(0), set()
    for _ in range(1000):
        corner = rng.normal(size=(3, 3)) * (1.0, 1.0, flat) + rng.normal(size=3)
        state, distance, normal, point = _from_origin(corner, 10.0)
        p = distance * np.array(normal)
        assert state == APART and point == (0.0, 0.0, 0.0)
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-15)
        assert (corner - p) @ p == pytest.approx(np.maximum((corner - p) @ p, 0.0), abs=1e-13 / flat)
        weight = np.linalg.lstsq(np.vstack([corner.T, np.ones(3)]), [*p, 1.0], rcond=None)[0]
        assert weight @ corner == pytest.approx(p, abs=1e-13 / flat) and weight.min() > -1e-12 / flat
        seen.add(int((weight > 1e-9).sum()))
        assert _from_origin(corner, 0.999 * distance)[0] == FAR
        assert _from_origin(corner - p, 10.0)[0] == TOUCHING
    assert seen == {1, 2, 3}
