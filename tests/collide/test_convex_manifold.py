"""The contact points of shapes that rest on each other: where, how many, and the same ones from step to step."""

import numpy as np
import pytest
from convex_calls import CUBE, KINDS, PAIRS, STILL, Solid, manifold, random_quaternion, random_solid, rotation

from pliant.collide.convex_general import PREFER
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, HULL

TABLE, LYING = Solid(BOX, (5, 5, 0.5)), np.array([1.0, 1.0, 0.0, 0.0])
RESTING = {
    "box": (Solid(BOX, (0.4, 0.3, 0.2)), 0.2, STILL, [(x, y) for x in (-0.4, 0.4) for y in (-0.3, 0.3)]),
    "hull": (Solid(HULL, points=CUBE * 0.3), 0.3, STILL, [(x, y) for x in (-0.3, 0.3) for y in (-0.3, 0.3)]),
    "cylinder on its cap": (Solid(CYLINDER, (0.3, 0.5)), 0.5, STILL, [(0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)]),
    "cylinder on its side": (Solid(CYLINDER, (0.3, 0.5)), 0.3, LYING, [(0, 0.5), (0, -0.5)]),
    "capsule on its side": (Solid(CAPSULE, (0.3, 0.5)), 0.3, LYING, [(0, 0.5), (0, -0.5)]),
}


@pytest.mark.parametrize("name", RESTING)
@pytest.mark.parametrize("gap", [-1e-3, -1e-9, 0.0, 1e-9, 1e-3])
def test_points_of_resting_shapes(name, gap):
    """Oracle: the corners by hand, midway in the gap; tolerance: rounding."""
    solid, height, turn, corners = RESTING[name]
    p, n, s, f = manifold(TABLE.at((0, 0, 0)), solid.at((0, 0, 0.5 + height + gap), turn), 0.01)
    assert len(p) == len(corners) == len(set(f))
    assert n == pytest.approx(np.tile((0.0, 0.0, 1.0), (len(p), 1)), abs=1e-15)
    assert s == pytest.approx(np.full(len(p), gap), abs=1e-14)
    assert p[:, 2] == pytest.approx(0.5 + gap / 2, abs=1e-14)
    found = np.array(sorted(map(tuple, p[:, :2].round(9) + 0.0)))
    assert found == pytest.approx(np.array(sorted(corners)), abs=1e-9)


@pytest.mark.parametrize("name", RESTING)
def test_codes_stay_while_the_shape_trembles(name):
    """Oracle: the codes themselves, over 200 jitters of 1e-6 m and 1e-6 rad in every direction."""
    random = np.random.default_rng(3)
    solid, height, turn, _ = RESTING[name]
    still = None
    for _ in range(200):
        q = turn / np.linalg.norm(turn) + np.array([0, *random.uniform(-1, 1, 3)]) * 5e-7
        centre = np.array([0.1, 0.2, 0.5 + height - 1e-5]) + random.uniform(-1, 1, 3) * 1e-6
        _, _, s, f = manifold(TABLE.at((0, 0, 0)), solid.at(centre, q), 0.01)
        still = set(f) if still is None else still
        assert set(f) == still and len(f) == len(still)
        assert np.all(np.abs(s + 1e-5) < 3e-6)


ON_ROUND = {  # shapes with a flat underside 0.2 below the middle that reaches 0.4 to both sides, at any turn or not
    "box": (Solid(BOX, (0.4, 0.3, 0.2)), False),
    "hull": (Solid(HULL, points=CUBE * (0.4, 0.3, 0.2)), False),
    "cylinder": (Solid(CYLINDER, (0.4, 0.2)), True),
}


@pytest.mark.parametrize("name", ON_ROUND)
@pytest.mark.parametrize("below", [CAPSULE, CYLINDER])
@pytest.mark.parametrize("radius", [0.3, 5e-4])
@pytest.mark.parametrize("tilt", [0.0, 1e-7, 1e-5, 1e-4, -1e-4, 1e-3, 0.01, -0.03, 0.08])
def test_a_tilted_face_on_a_round_side_touches_at_both_ends(name, below, radius, tilt):
    """Oracle: heights of the two lower edges, which cross the line at right angles, over the round side.

    Within the preference for faces (2 % of the depth) the normal may be the face's, off by less than the tilt; then the
    gap at the height of the line's own distance D is D (1 - cos) off. The polygon around a cap reaches 2 % beyond it.
    """
    solid, is_cap = ON_ROUND[name]
    line = Solid(below, (radius, 1.0)).at((0.1, 0, 0), (1, 0, 1, 0))
    for gap in (-1e-3, -1e-6, 1e-6, 1e-3):
        low, high = gap, gap + 0.8 * abs(np.sin(tilt))
        centre = radius + 0.5 * (low + high) + 0.2 * np.cos(tilt)
        other = solid.at((0, 0.0 if is_cap else 0.01, centre), (np.cos(tilt / 2), 0, np.sin(tilt / 2), 0))
        p, n, s, f = manifold(line, other, 0.1)
        assert len(p) == len(set(f)) == 2
        assert n == pytest.approx(np.tile((0.0, 0.0, 1.0), (2, 1)), abs=min(abs(tilt), 2e-3) + 1e-6)
        beyond = 0.02 * 0.8 * abs(tilt) if is_cap else 0.0
        preferred = 0.02 * abs(gap) + 2e-6
        assert s.min() == pytest.approx(low, abs=preferred)
        assert s.max() == pytest.approx(high, abs=preferred + beyond + 0.5 * tilt**2 * abs(high))
        edges = np.array([-0.4, 0.4]) * np.cos(tilt) - 0.2 * np.sin(tilt)
        assert np.sort(p[:, 0]) == pytest.approx(edges, abs=(0.011 if is_cap else 1e-9) + 2.0 * abs(tilt) * abs(s).max())


def test_stacked_boxes_keep_their_codes_as_one_slides():
    """Oracle: the codes themselves, while the upper box creeps by 1 mm and the same corners and edges meet."""
    box = Solid(BOX, (0.5, 0.5, 0.5))
    codes = [manifold(box.at((0, 0, 0)), box.at((0.1 + x, 0.2, 0.999)))[3] for x in np.linspace(0, 1e-3, 20)]
    assert len(codes[0]) == 4 and all(set(c) == set(codes[0]) for c in codes)


def test_edge_on_edge_is_one_point_where_they_cross():
    """Oracle: two cubes on their edges at right angles, tips sqrt(1/2) high, crossing on the z axis."""
    box, tip = Solid(BOX, (0.5, 0.5, 0.5)), np.sqrt(0.5)
    eighth = np.array([np.cos(np.pi / 8), np.sin(np.pi / 8), 0, 0])
    upper = box.at((0.1, -0.2, 2 * tip - 1e-3), eighth[[0, 2, 1, 3]])
    p, n, s, _ = manifold(box.at((0, 0, 0), eighth), upper)
    assert s == pytest.approx([-1e-3], abs=1e-14)
    assert n == pytest.approx(np.array([[0, 0, 1]]), abs=1e-14)
    assert p == pytest.approx(np.array([[0.1, 0, tip - 5e-4]]), abs=1e-14)


def test_parallel_cylinders_share_the_line_where_both_reach():
    """Oracle: the overlap of two intervals."""
    a, b = Solid(CYLINDER, (0.3, 1.0)), Solid(CYLINDER, (0.2, 1.0))
    p, _, s, _ = manifold(a.at((0, 0, 0)), b.at((0.499, 0, 0.6)))
    assert sorted(p[:, 2]) == pytest.approx([-0.4, 1.0], abs=1e-9)
    assert s == pytest.approx([-1e-3, -1e-3], abs=1e-9)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=[f"{KINDS[a]}-{KINDS[b]}" for a, b in PAIRS])
def test_swapping_turns_the_normal_round(kind_a, kind_b):
    """Oracle: symmetry. Between two kinds exact; within one the choice among faces within PREFER may differ."""
    random = np.random.default_rng(kind_a * 10 + kind_b)
    for _ in range(100):
        solid_a, solid_b = random_solid(kind_a, random), random_solid(kind_b, random)
        a = solid_a.at(random.uniform(-1, 1, 3), random_quaternion(random))
        b = solid_b.at(a[1] + random.normal(size=3), random_quaternion(random))
        p, n, s, f = manifold(a, b, 0.3)
        p2, n2, s2, f2 = manifold(b, a, 0.3)
        if kind_a != kind_b:
            assert np.array_equal(p, p2) and np.array_equal(n, -n2) and np.array_equal(s, s2) and np.array_equal(f, f2)
        elif len(s):
            assert s2.min() == pytest.approx(s.min(), abs=PREFER * abs(s.min()) + 1e-6)
            assert s.min() < 0 or n2[0] == pytest.approx(-n[0], abs=1e-4)


def clumsy_solid(kind, random):
    """Sizes from 1 mm to 100 m, boxes as thin as 1:1000, hulls with points on a grid."""
    scale = 10.0 ** random.uniform(-3, 2)
    size = scale * random.choice([1e-3, 0.01, 0.1, 1.0, 1.0], 3)
    points = (CUBE, CUBE[:7], random.normal(size=(12, 3)))[random.integers(3)] * size
    return Solid(kind, size if kind == BOX else np.maximum(size, 0.01 * scale), points)


@pytest.mark.parametrize("seed", range(6))
def test_no_pose_breaks_it(seed):
    """Oracle: what every manifold must be, in any pose: finite, unit normals, distinct codes, as when swapped."""
    random = np.random.default_rng(seed)
    turns = (STILL, np.array([1.0, 1, 0, 0]), np.array([1, 1e-9, 1e-7, 0]), random_quaternion(random))
    for _ in range(300):
        a, b = (clumsy_solid(int(kind), random) for kind in random.choice(list(KINDS), 2))
        signs = random.choice([-1.0, 0.0, 1.0], (2, 3))
        touching, anywhere = a.size * signs[0] + b.size * signs[1], random.normal(size=3) * a.size.max()
        apart = (np.zeros(3), signs[0] * 1e-9, touching, anywhere)
        turn, other = turns[random.integers(4)], turns[random.integers(4)]
        origin = random.choice([0.0, 1.0, 1e3]) * random.normal(size=3)
        here = a.at(origin, turn)
        there = b.at(origin + rotation(here[2]) @ apart[random.integers(4)], (turn, other)[random.integers(2)])
        margin = (0.0, 0.01, 1.0, 100.0)[random.integers(4)]
        p, n, s, f = manifold(here, there, margin)
        assert np.isfinite(p).all() and np.isfinite(s).all() and (s <= margin).all() and len(set(f)) == len(f) <= 5
        assert np.linalg.norm(n, axis=1) == pytest.approx(np.ones(len(n)), abs=1e-12)
        swapped = manifold(there, here, margin)[2]
        deepest = s.min() if len(s) else margin
        size = max(a.size.max(), b.size.max(), 4.0 * np.abs(a.hulls.vertex).max(), 4.0 * np.abs(b.hulls.vertex).max())
        rounding = 1e-6 * size + 1e-9 * np.abs(origin).max()
        other_deepest = swapped.min() if len(swapped) else margin
        assert other_deepest == pytest.approx(deepest, abs=rounding + 1.25 * PREFER * abs(deepest))
