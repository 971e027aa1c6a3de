"""Gauss' elimination of small systems equals LAPACK's, wherever in a table they lie."""

import numpy as np
import pytest

from pliant.equations.contact.dense_elimination import eliminate, invert

EPS = np.finfo(float).eps


def solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Through the kernel, from the third row on of a table; nothing else of it may be written."""
    n = len(b)
    table = np.full((n + 5, n + 4), 1e300)
    table[3:3 + n, :n], table[3:3 + n, n] = A, b
    eliminate(table, 3, n)
    assert (table[:3] == 1e300).all() and (table[3 + n:] == 1e300).all() and (table[:, n + 1:] == 1e300).all()
    return table[3:3 + n, n]


@pytest.mark.parametrize("n", [1, 2, 3, 12, 48])
def test_equals_lapack(n):
    """Both lose at most n times the condition number in roundings; half of the matrices have an empty diagonal."""
    rng = np.random.default_rng(n)
    for trial in range(20):
        A, b = rng.normal(size=(n, n)), rng.normal(size=n)
        if trial % 2 and n > 1:
            A[np.diag_indices(n)] = 0.0
        expected = np.linalg.solve(A, b)
        assert np.linalg.norm(solved(A, b) - expected) <= 8 * n * EPS * np.linalg.cond(A) * np.linalg.norm(expected)


def test_an_unknown_that_nothing_speaks_of_is_zero():
    A = np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 3.0]])
    assert solved(A, np.array([4.0, 0.0, 7.0])) == pytest.approx([1.0, 0.0, 2.0], abs=16 * EPS)


@pytest.mark.parametrize("n", [1, 2, 3, 12, 48])
def test_inverse_of_what_is_definite_equals_lapack(n):
    """Both lose at most some n times the condition number in roundings; nothing else of the table may be written."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        root = rng.normal(size=(n, n))
        A, table = root @ root.T + 1e-3 * np.eye(n), np.full((n + 5, n + 7), 1e300)
        table[3:3 + n, 4:4 + n] = A
        invert(table, 3, 4, n)
        expected, found = np.linalg.inv(A), table[3:3 + n, 4:4 + n].copy()
        assert np.linalg.norm(found - expected) <= 8 * n * EPS * np.linalg.cond(A) * np.linalg.norm(expected)
        table[3:3 + n, 4:4 + n] = 1e300
        assert (table == 1e300).all()
