"""Projections on strain and volume: in the set, and nearest. Oracle: the set's definition, SciPy's constrained minimum."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pliant.equations.elastic.strain_projection import clamped
from pliant.equations.elastic.volume_projection import with_area, with_product

EPS = np.finfo(float).eps


def test_clamping_is_the_nearest_value_in_range():
    for s in np.linspace(-2, 3, 41):
        assert clamped(s, 0.9, 1.2) == np.clip(s, 0.9, 1.2)


def sets_of_three():
    """Singular values of all sorts: near rest, stretched, flattened, collapsed, inverted, all equal."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        s = np.sort(np.exp(rng.normal(scale=0.4, size=3)))[::-1]
        yield s * [1, 1, rng.choice([1, -1, 0])]
    yield from np.array([[1, 1, 1], [1.2, 1.2, 1.2], [0.5, 0.5, 0.5], [0, 0, 0], [5, 1e-3, -1e-4], [100, 1, 0.01], [3, 3, 3.0]])


@pytest.mark.parametrize("c", [0.8, 1.0, 1.3])
def test_volume_is_met_and_stationary(c):
    """product d = c, all d > 0, and d (d - s) is one number: the condition of a nearest point."""
    for s in sets_of_three():
        d = np.array(with_product(tuple(s), c))
        assert (d > 0).all()
        assert abs(np.prod(d) / c - 1.0) < 1e-12
        m = d * (d - s)
        assert np.ptp(m) < 1e-10 * (1.0 + np.abs(m).max() + s[0] ** 2)


@pytest.mark.parametrize("c", [0.8, 1.0, 1.3])
def test_volume_is_nearest(c):
    """SciPy's best of several starts on the surface exp(a), exp(b), c exp(-a - b) is not nearer."""
    for s in list(sets_of_three())[:20]:
        mine = np.sum((np.array(with_product(tuple(s), c)) - s) ** 2)

        def distance(y, s=s):
            return np.sum((np.array([np.exp(y[0]), np.exp(y[1]), c * np.exp(-y[0] - y[1])]) - s) ** 2)

        found = min(minimize(distance, start).fun for start in ((0.0, 0.0), (0.5, 0.5), (0.5, -0.5)))
        assert mine <= found + 1e-7 * (1.0 + found)


def test_area_is_met_and_stationary():
    rng = np.random.default_rng(6)
    some = np.sort(np.exp(rng.normal(scale=0.5, size=(40, 2))), axis=1)[:, ::-1]
    pairs = [*some, (1.0, 0.0), (0.0, 0.0), (2.0, 2.0), (3.0, 3.0)]
    for s in pairs:
        for c in (0.7, 1.0, 1.5):
            d = np.array(with_area(*s, c))
            assert (d > 0).all() and abs(np.prod(d) / c - 1.0) < 1e-12
            assert np.ptp(d * (d - s)) < 1e-10 * (1.0 + s[0] ** 2)


def test_what_has_the_right_volume_stays():
    for s in ((1.0, 1.0, 1.0), (2.0, 1.0, 0.5), (1.25, 1.0, 0.8)):
        np.testing.assert_allclose(with_product(s, 1.0), s, rtol=1e3 * EPS)
