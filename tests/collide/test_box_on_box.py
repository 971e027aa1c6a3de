"""A box that all but lies on another is held by points around its centre, not by the one point where two edges cross."""

import numpy as np
import pytest
from convex_calls import CUBE, Solid, manifold, rotation

from pliant.model.shapes import BOX, HULL


def turn(axis, angle):
    """Quaternion (w, x, y, z) of a turn about a unit axis."""
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis))])


def product(p, q):
    """Quaternion product."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


@pytest.mark.parametrize("deep", [0.01, 1e-3, 3e-4])
@pytest.mark.parametrize(("lower", "upper"), [(BOX, BOX), (BOX, HULL), (HULL, BOX), (HULL, HULL)])
def test_points_surround_the_centre(lower, upper, deep):
    """Oracle: statics. Points that push upward can hold a weight at rest only if its centre lies in their hull: in no direction
    across are all of them on one side of it. Boxes of equal size, or meshes of these, turned at random, tilted by up to
    3 degrees or as far as the corners below are no more than ten times as `deep` [m] as one."""
    random = np.random.default_rng(8)
    half = (0.5, 0.5, 0.5)
    for _ in range(200):
        across = random.uniform(0.0, 2.0 * np.pi)
        tilt = turn((np.cos(across), np.sin(across), 0.0), random.uniform(0.0, min(np.radians(3.0), 10.0 * deep)))
        quaternion = product(tilt, turn((0.0, 0.0, 1.0), random.uniform(0.0, 2.0 * np.pi)))
        reach = np.abs(rotation(quaternion)[2]).sum() * 0.5
        low = Solid(lower, half, 0.5 * CUBE).at(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        high = Solid(upper, half, 0.5 * CUBE).at(np.array([*random.uniform(-0.1, 0.1, 2), 0.5 + reach - deep]), quaternion)
        points = manifold(low, high, 0.1)[0]
        arms = (points - high[1])[:, :2]
        directions = np.linspace(0.0, 2.0 * np.pi, 360)
        along = arms @ np.array([np.cos(directions), np.sin(directions)])
        assert along.max(axis=0).min() > 0.0
