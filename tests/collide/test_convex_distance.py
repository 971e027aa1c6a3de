"""Distances, depths and normals of every pair of convex shapes, against coal, closed forms and their own gradient."""

import coal
import numpy as np
import pytest
from convex_calls import (
    KINDS,
    PAIRS,
    Solid,
    coal_distance,
    manifold,
    random_quaternion,
    random_solid,
    rotation,
    separation,
)

from pliant.collide.convex_box import ALIGNED
from pliant.collide.convex_general import LEVEL, PREFER
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, SPHERE

ASKED = coal.DistanceRequest().gjk_tolerance
NAMES = [f"{KINDS[a]}-{KINDS[b]}" for a, b in PAIRS]


def pose(solid_a, solid_b, random):
    """Two solids, apart or overlapping with about even odds."""
    a = solid_a.at(random.uniform(-1, 1, 3), random_quaternion(random))
    return a, solid_b.at(a[1] + random.normal(size=3) * random.uniform(0.05, 1.2), random_quaternion(random))


def inside_cylinder(a, b):
    """Whether the centre of sphere a lies in cylinder b, where coal 3.0.3 looks at its side only, never at its caps."""
    x, y, z = rotation(b[2]).T @ (a[1] - b[1])
    return np.hypot(x, y) < b[3][0] and abs(z) < b[3][1]


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=NAMES)
def test_distance_and_depth_as_coal(kind_a, kind_b):
    """Oracle: coal, to four times the gap it is asked for; a gap e in the distance d turns the normal by sqrt(2 e / d).

    The manifold may prefer a face that is deeper by PREFER, so its deepest point is held to that and no tighter; boxes also
    one aligned with the edges that are nearest, along whose normal the distance d is at most d / ALIGNED.
    """
    slanted = 1.0 / ALIGNED - 1.0 if kind_a == kind_b == BOX else 0.0
    random = np.random.default_rng(kind_a * 10 + kind_b)
    overlapping = 0
    for _ in range(200):
        solid_a, solid_b = random_solid(kind_a, random), random_solid(kind_b, random)
        a, b = pose(solid_a, solid_b, random)
        if kind_a == SPHERE and kind_b == CYLINDER and inside_cylinder(a, b):
            continue
        expected, normal = coal_distance(solid_a, a, solid_b, b, ASKED)
        found, direction = separation(a, b)
        assert found == pytest.approx(expected, abs=4 * ASKED)
        if abs(expected) > 1e-3:
            assert np.linalg.norm(direction - normal) <= 4 * np.sqrt(2 * ASKED / abs(expected))
        deepest = manifold(a, b, 10.0)[2].min()
        assert deepest == pytest.approx(found, abs=PREFER * max(-found, 0.0) + slanted * abs(found) + LEVEL)
        overlapping += expected < 0
    assert 40 < overlapping < 180


def test_sphere_in_cylinder_is_the_nearer_of_side_and_cap():
    """Oracle: closed form, min(r - rho, h - |z|) + radius; tolerance: rounding of numbers of order 1."""
    random = np.random.default_rng(0)
    sphere, cylinder = Solid(SPHERE, (0.3,)), Solid(CYLINDER, (0.5, 0.6))
    for _ in range(100):
        centre, q = random.uniform(-0.3, 0.3, 3), random_quaternion(random)
        a, b = sphere.at(rotation(q) @ centre), cylinder.at((0, 0, 0), q)
        expected = -min(0.5 - np.hypot(*centre[:2]), 0.6 - abs(centre[2])) - 0.3
        assert manifold(a, b)[2] == pytest.approx([expected], abs=1e-14)


def test_closed_forms():
    """Oracle: plane geometry by hand; tolerance: rounding."""
    ball, box, rod = Solid(SPHERE, (0.5,)), Solid(BOX, (1, 2, 3)), Solid(CAPSULE, (0.25, 1.0))
    for a, b, gap, normal, position in (
        (ball.at((0, 0, 0)), ball.at((0, 0, 1.2)), 0.2, (0, 0, 1), (0, 0, 0.6)),
        (box.at((0, 0, 0)), ball.at((1.4, 0, 0)), -0.1, (1, 0, 0), (0.95, 0, 0)),
        (box.at((0, 0, 0)), ball.at((1.3, 2.4, 0)), 0.0, (0.6, 0.8, 0), (1, 2, 0)),
        (ball.at((0, 0.9, 0)), rod.at((0, 0, 0)), 0.15, (0, -1, 0), (0, 0.325, 0)),
        (rod.at((0, 0, 0)), rod.at((0, 0, 2.6)), 0.1, (0, 0, 1), (0, 0, 1.3)),
    ):
        p, n, s, _ = manifold(a, b, 0.5)
        assert (s, n, p) == (
            pytest.approx([gap], abs=1e-15),
            pytest.approx(np.array([normal]), abs=1e-15),
            pytest.approx(np.array([position]), abs=1e-15),
        )


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=NAMES)
def test_normal_is_the_gradient_of_the_distance(kind_a, kind_b):
    """Oracle: central differences, d(distance)/d(position of b) = normal.

    Tolerance: the second derivative is at most 1/d in the distance d, the third 3/d^2, so the error is step^2/(2 d^2)
    at smooth places; where the features change within the step it is at most step/d. Search noise adds 1e-10/step.
    """
    random = np.random.default_rng(100 + kind_a * 10 + kind_b)
    step = 1e-5
    checked = 0
    while checked < 20:
        solid_a, solid_b = random_solid(kind_a, random), random_solid(kind_b, random)
        a, b = pose(solid_a, solid_b, random)
        distance, _ = separation(a, b)
        points = manifold(a, b, 10.0)
        if distance < 0.05:
            continue
        normal = points[1][np.argmin(points[2])]
        slopes = []
        for axis in np.eye(3):
            moved = [solid_b.at(b[1] + sign * step * axis, b[2]) for sign in (1, -1)]
            slopes.append((separation(a, moved[0])[0] - separation(a, moved[1])[0]) / (2 * step))
        radii = sum(s.size[0] for s in (solid_a, solid_b) if s.kind in (SPHERE, CAPSULE))
        assert np.linalg.norm(slopes - normal) <= step / min(distance, distance + radii) + 1e-5
        checked += 1
