"""The least of a quadratic form over numbers that are not negative. Oracles: its own conditions; SciPy's NNLS."""

import numpy as np
import pytest
from scipy.optimize import nnls

from pliant.math.nonnegative import least_nonnegative


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_least(seed):
    """With matrix A^T A and slope -A^T b it is the least of |A x - b|, which is one if A has full rank; from any start."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 60))
    given, b = rng.normal(size=(count + 5, count)), rng.normal(size=count + 5)
    matrix, slope = given.T @ given, -given.T @ b
    slack = 1e-9 * np.linalg.cond(matrix)
    for start in (np.zeros(count), rng.uniform(0.0, 3.0, count), rng.normal(size=count)):
        x = least_nonnegative(matrix, slope, start, 1e-12)
        pull = matrix @ x + slope
        assert x.min() >= 0.0 and pull.min() >= -slack and np.abs(x * pull).max() < slack
        np.testing.assert_allclose(x, nnls(given, b)[0], rtol=0, atol=slack)


def test_contacts_that_say_the_same_are_met():
    """Every column twice, and a share on the diagonal, as contacts have it: still the conditions hold."""
    rng = np.random.default_rng(1)
    given = np.repeat(rng.normal(size=(30, 20)), 2, axis=1)
    matrix, slope = given.T @ given + 1e-4 * np.eye(40), rng.normal(size=40)
    x = least_nonnegative(matrix, slope, np.ones(40), 1e-12)
    pull = matrix @ x + slope
    assert x.min() >= 0.0 and pull.min() >= -1e-7 and np.abs(x * pull).max() < 1e-7 * x.max()


def test_what_is_not_a_number_ends():
    assert len(least_nonnegative(np.full((3, 3), np.nan), np.full(3, np.nan), np.ones(3), 1e-9)) == 3
    assert len(least_nonnegative(np.zeros((0, 0)), np.zeros(0), np.zeros(0), 1e-9)) == 0
