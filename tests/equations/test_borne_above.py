"""A force over a triangle and its corners: force, moment and work against vectors and finite differences."""

import numpy as np
import pytest

from pliant.equations.contact.borne_above import STEEP, tilts_above, tipped

EPS = np.finfo(float).eps


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def draw(rng, leaning: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Corners (3, 3) [m] of a triangle that is not thin, a normal that leans by at most so much, weights and a height [m]."""
    corner = rng.normal(size=(3, 3))
    across = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    while np.linalg.norm(across) < 0.5:
        corner = rng.normal(size=(3, 3))
        across = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    n = unit(unit(across) + leaning * unit(np.cross(across, rng.normal(size=3)))) * rng.choice([-1.0, 1.0])
    w = rng.dirichlet(np.ones(3))
    return corner, n, w, float(rng.uniform(-1.0, 1.0))


def tilts(corner: np.ndarray, n: np.ndarray, s: float) -> np.ndarray:
    return np.array(tilts_above(*(tuple(x) for x in corner.tolist()), tuple(n.tolist()), s))


def borne(corner, n, w, s, F) -> np.ndarray:
    return np.array([tipped(w[c], tuple(one), tuple(n), tuple(F)) for c, one in enumerate(tilts(corner, n, s))])


@pytest.mark.parametrize("leaning", [0.0, 0.7, 2.0])
def test_corners_bear_the_force_and_its_moment(leaning):
    """Oracle: the force F and P x F, to roundings of what the corners bear at their places."""
    rng = np.random.default_rng(int(10 * leaning))
    assert 1.0 / np.hypot(1.0, leaning) > STEEP
    for _ in range(200):
        corner, n, w, s = draw(rng, leaning)
        F = rng.normal(size=3)
        part, point = borne(corner, n, w, s, F), w @ corner + s * n
        size = 64 * EPS * (np.abs(part).sum() + np.linalg.norm(F)) * (1.0 + np.abs(corner).max())
        np.testing.assert_allclose(part.sum(axis=0), F, rtol=0, atol=size)
        np.testing.assert_allclose(np.cross(corner, part).sum(axis=0), np.cross(point, F), rtol=0, atol=size)


def test_a_push_along_the_normal_is_shared_by_the_weights():
    rng = np.random.default_rng(1)
    for _ in range(100):
        corner, n, w, s = draw(rng, rng.uniform(0.0, 3.0))
        np.testing.assert_allclose(borne(corner, n, w, s, n), w[:, None] * n, rtol=0, atol=256 * EPS)


def test_the_point_moves_as_the_triangle_turns_and_with_the_same_work():
    """Oracles: for a rigid motion v + w x x the speed of the point itself; for any, the work of what the corners bear."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        corner, n, w, s = draw(rng, rng.uniform(0.0, 1.5))
        L, v, turn = tilts(corner, n, s), rng.normal(size=3), rng.normal(size=3)
        moved = v + np.cross(turn, corner)
        u = w @ moved + (moved @ n) @ L
        np.testing.assert_allclose(u - (u @ n) * n, (lambda x: x - (x @ n) * n)(v + np.cross(turn, w @ corner + s * n)),
                                   rtol=0, atol=512 * EPS * (1.0 + np.abs(L).max()))
        F, moved = rng.normal(size=3), rng.normal(size=(3, 3))
        u = w @ moved + (moved @ n) @ L
        assert (borne(corner, n, w, s, F) * moved).sum() == pytest.approx(F @ u, rel=0, abs=64 * EPS * (1.0 + np.abs(L).max()))


def test_levers_are_bounded_and_nothing_comes_of_no_area():
    """Oracle: |L| <= s |g| (1 + 1 / STEEP), where the triangle stands on edge to the contact too."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        corner, n, _, s = draw(rng, 10.0 ** rng.uniform(0.0, 6.0))
        across = np.cross(corner[1] - corner[0], corner[2] - corner[0])
        steepest = np.linalg.norm(np.roll(corner, -1, axis=0) - corner, axis=1).max() / np.linalg.norm(across)
        L = tilts(corner, n, s)
        assert np.linalg.norm(L, axis=1).max() <= abs(s) * steepest * (1.0 + 1.0 / STEEP) * (1.0 + 16 * EPS)
        np.testing.assert_allclose(L @ n, 0.0, rtol=0, atol=64 * EPS * np.abs(L).max())
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert not tilts(flat, np.array([0.0, 0, 1]), 0.3).any()
