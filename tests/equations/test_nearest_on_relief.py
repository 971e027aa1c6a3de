"""The nearest place of a curved surface: against spheres, whose nearest points are known, and rigid motions."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.equations.contact.nearest_on_relief import (
    CREEPS,
    EASY,
    FLAT,
    RESISTS,
    ahead,
    flattened,
    gap_change,
    most_nearer,
    rolling_share,
    slope_between,
    spin_about,
    turned_normal,
    way_over,
    way_to_nearest,
)

EPS = np.finfo(float).eps


@pytest.mark.parametrize("away", [0.4, 0.2, 0.1])
def test_points_of_a_sphere_over_a_plane_find_its_lowest_point(away):
    """Oracle: below a point at the angle a from the lowest the sphere is R sin a aside and R (1 - cos a) lower: both within the
    next order, a^3 / 2 R and a^4 / 2 R."""
    R, n, rng = 0.3, (0.0, 0.0, 1.0), np.random.default_rng(1)
    for _ in range(20):
        a, b = away * rng.uniform(0.1, 1.0), rng.uniform(0.0, 2.0 * np.pi)
        m = (np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), -np.cos(a))
        s = slope_between(m, n, n)
        x = np.array(way_to_nearest(s, 1.0 / R, away * R))
        np.testing.assert_allclose(x, -R * np.array([m[0], m[1], 0.0]), rtol=0, atol=0.5 * R * a**3)
        assert gap_change(s, tuple(x)) == pytest.approx(-R * (1.0 - np.cos(a)), rel=0, abs=0.5 * R * a**4)


def test_normals_may_look_either_way():
    """A sheet is met from both sides: the slope is the same."""
    m, other, n = (0.1, 0.2, -0.97), (0.05, 0.0, 1.0), (0.0, 0.0, 1.0)
    flipped = [tuple(-x for x in one) for one in (m, other)]
    for one in (m, flipped[0]):
        for two in (other, flipped[1]):
            assert slope_between(one, two, n) == pytest.approx((0.15, 0.2, 0.0), abs=4 * EPS)


def test_a_point_speaks_for_what_is_near():
    """Oracle: whole up to reach, back at itself at twice that, continuous; none for what is flat or hollow."""
    c, reach = 4.0, 0.05
    steeps = np.linspace(0.0, 3.0 * c * reach, 301)
    gone = [way_to_nearest((-steep, 0.0, 0.0), c, reach)[0] for steep in steeps]
    assert gone[50] == pytest.approx(0.5 * reach, rel=1e-12) and gone[100] == pytest.approx(reach, rel=1e-12)
    assert gone[200] == pytest.approx(0.0, abs=1e-12) and not np.any(gone[201:])
    assert np.abs(np.diff(gone)).max() < 3.0 * 3.0 * reach / 300
    nearer = [gap_change((-steep, 0.0, 0.0), (x, 0.0, 0.0)) for steep, x in zip(steeps, gone, strict=True)]
    assert -most_nearer(c, reach) < min(nearer) == pytest.approx(-16.0 / 27.0 * c * reach**2, rel=1e-3)
    assert way_to_nearest((-0.1, 0.0, 0.0), 0.0, reach)[0] == 0.0 and way_to_nearest((-0.1, 0.0, 0.0), -3.0, reach)[0] == 0.0


def tangents(rng, n: np.ndarray) -> np.ndarray:
    """Two of a surface (2, 3) [m], at right angles to `n`, neither to each other nor of unit length."""
    one, two = rng.normal(size=(2, 3))
    out = np.array([one, two]) - np.outer([one @ n, two @ n], n)
    return out if abs(np.cross(*out) @ n) > 0.2 else tangents(rng, n)


def test_what_bends_otherwise_along_its_tangents_is_found_at_once():
    """Oracle: z = (x - x0) B (x - x0) / 2 has the slope -B x0 at the origin and is least at x0, by x0 B x0 / 2, whatever the
    tangents; with what bends by k every way B + k in place of B; none where it is hollow some way."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        T, k = tangents(rng, n), float(rng.uniform(0.0, 3.0))
        random = rng.normal(size=(3, 3))
        B = random @ random.T + 0.1 * np.eye(3)
        x0 = T.T @ rng.normal(size=2)
        s = -(B + k * np.eye(3)) @ x0
        s -= (s @ n) * n
        form = T @ B @ T.T
        given = tuple(s), tuple(T[0]), tuple(T[1]), (form[0, 0], form[0, 1], form[1, 1]), k, tuple(n)
        close = 1e4 * EPS * np.linalg.norm(s) * np.linalg.cond(T @ (B + k * np.eye(3)) @ T.T) * max(1.0, np.abs(T).max())
        np.testing.assert_allclose(way_over(*given), x0, rtol=0, atol=close)
        assert gap_change(tuple(s), way_over(*given)) == pytest.approx(-0.5 * x0 @ (B + k * np.eye(3)) @ x0, rel=1e-6)
        assert way_over(*given[:3], (form[0, 0], 10.0 * np.trace(form), form[1, 1]), k, tuple(n)) == (0.0, 0.0, 0.0)


def test_what_drills_is_flat_up_to_its_neighbours():
    """Oracle: by hand."""
    s, reach = (-0.1, 0.2, 0.0), 0.05
    for far in (0.5, 1.0, FLAT, 2.0, 10.0):
        x = tuple(-far * reach * np.array(s) / np.linalg.norm(s))
        assert flattened(s, x, reach) == pytest.approx(gap_change(s, x) * min(1.0, (FLAT / far) ** 2), rel=1e-12)
    c = np.linalg.norm(s) / (FLAT * reach)
    assert flattened(s, tuple(-np.array(s) / c), reach) == pytest.approx(-most_nearer(c, reach), rel=1e-12)
    assert rolling_share(0.0, 0.0) == 1.0 and rolling_share(1.0, 0.0) == 1.0
    assert rolling_share(0.0, 1.0) == pytest.approx(EASY, rel=1e-4) and rolling_share(0.2, 0.2) == pytest.approx(0.5, rel=1e-4)


def test_what_rolls_touches_ahead_by_a_share_of_its_radius():
    """Oracle: by hand; less where it hardly rolls, and nothing where it stands."""
    assert ahead((0.3, -0.4, 0.0), 5.0) == pytest.approx((0.6 * RESISTS / 5.0, -0.8 * RESISTS / 5.0, 0.0), rel=1e-4)
    assert ahead((CREEPS, 0.0, 0.0), 5.0)[0] == pytest.approx(0.5 * RESISTS / 5.0)
    assert ahead((0.0, 0.0, 0.0), 5.0) == (0.0, 0.0, 0.0)


def test_normals_turn_as_their_triangle():
    """Oracle: for a rigid motion w x m, but for what of it is across the triangle; against differences of step e to e."""
    rng, e = np.random.default_rng(2), 1e-6
    for _ in range(50):
        corner, v, w = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
        m = np.cross(corner[1] - corner[0], corner[2] - corner[0])
        if np.linalg.norm(m) < 0.5:
            continue
        m /= np.linalg.norm(m)
        given = [tuple(one) for one in (m, *corner, *(v + np.cross(w, corner)))]
        found = np.array(turned_normal(*given))
        np.testing.assert_allclose(found, np.cross(w, m), rtol=0, atol=1e3 * EPS)
        assert spin_about(*given) == pytest.approx(w @ m, abs=1e3 * EPS)
        np.testing.assert_allclose((Rotation.from_rotvec(e * w).apply(m) - m) / e, found, rtol=0, atol=e * (w @ w) + 1e-9)
    flat = [(0.0, 0.0, 1.0), (0.0, 0, 0), (1.0, 0, 0), (2.0, 0, 0), (0.0, 0, 1), (0.0, 0, 2), (1.0, 0, 0)]
    assert turned_normal(*flat) == (0.0, 0.0, 0.0)
