"""Rows with bounds, as one equation, against all ways in which each of them may be at a bound or between them."""

from itertools import product

import numpy as np
import pytest

from pliant.equations.rigid.boxed_residual import boxed_residual, is_inside


def solution(answers, asked, low, high):
    """Impulses of rows with bounds, found among all 3^n ways, and which of them lie inside."""
    n = len(asked)
    for way in product((0, 1, 2), repeat=n):
        inside = np.array([w == 1 for w in way])
        x = np.where(np.array(way) == 0, low, high)
        held = answers[np.ix_(inside, ~inside)] @ x[~inside]
        x[inside] = np.linalg.solve(answers[np.ix_(inside, inside)], -asked[inside] - held)
        u = answers @ x + asked
        fits = [low[k] < x[k] < high[k] if way[k] == 1 else (u[k] >= 0.0 if way[k] == 0 else u[k] <= 0.0) for k in range(n)]
        if all(fits):
            return x, u, inside
    raise AssertionError("a positive definite system has one")


@pytest.mark.parametrize("seed", range(8))
def test_it_is_zero_where_the_rows_are_met_and_nowhere_near(seed):
    """Oracle: the solution by enumeration; F is zero there, and not where any one impulse is another."""
    rng = np.random.default_rng(seed)
    n = 4
    root = rng.normal(size=(n, n))
    answers, asked = root @ root.T + 0.1 * np.eye(n), 3.0 * rng.normal(size=n)
    low, high = -rng.uniform(0.1, 1.0, n), rng.uniform(0.1, 1.0, n)
    x, u, inside = solution(answers, asked, low, high)
    for k in range(n):
        own = answers[k, k]
        assert abs(boxed_residual(own, low[k], high[k], u[k], x[k])) < 1e-12
        assert is_inside(own, low[k], high[k], u[k], x[k]) == inside[k]
    for k in range(n):
        other = x.copy()
        other[k] = rng.uniform(low[k], high[k])
        speeds = answers @ other + asked
        off = max(abs(boxed_residual(answers[m, m], low[m], high[m], speeds[m], other[m])) for m in range(n))
        assert off > 1e-6 * abs(other[k] - x[k])
