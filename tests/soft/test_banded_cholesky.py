"""Banded factors of matrices with one pattern, against dense ones."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_matrix

from pliant.math.banded_cholesky import BandedPattern


def chain(size: int, reach: int, shuffled: bool, random) -> csr_matrix:
    """A random definite matrix in which neighbours up to `reach` apart meet, in this order or in none."""
    i, j = (k.ravel() for k in np.meshgrid(np.arange(size), np.arange(size), indexing="ij"))
    near = (np.abs(i - j) <= reach) & (i >= j)
    i, j = i[near], j[near]
    value = np.where(i == j, 2.0 * reach + 1.0, random.uniform(-1.0, 1.0, len(i)))  # diagonally dominant
    place = random.permutation(size) if shuffled else np.arange(size)
    lower = coo_matrix((value, (place[i], place[j])), shape=(size, size)).tocsr()
    whole = csr_matrix(lower + lower.T)
    whole.setdiag(2.0 * reach + 1.0)
    whole.sort_indices()
    return whole


@pytest.mark.parametrize("shuffled", [False, True])
def test_it_solves_as_a_dense_factor_does(shuffled):
    """Oracle: NumPy's dense solution; error within n eps times the condition number."""
    random = np.random.default_rng(4)
    matrix, right = chain(60, 3, shuffled, random), random.normal(size=60)
    pattern = BandedPattern(matrix.indptr, matrix.indices)
    assert pattern.width == 3 if not shuffled else pattern.width < 20
    for scale in (1.0, 7.0):  # the same pattern with other numbers
        dense = scale * matrix.toarray()
        found, exact = pattern.factor(scale * matrix.data).solve(right), np.linalg.solve(dense, right)
        bound = 60 * np.finfo(float).eps * np.linalg.cond(dense) * np.linalg.norm(exact)
        assert np.linalg.norm(found - exact) < bound


@pytest.mark.parametrize(("size", "reach", "some"), [(60, 3, 1), (60, 3, 60), (250, 30, 40), (250, 120, 100)])
def test_parts_of_its_inverse_are_those_of_a_dense_one(size, reach, some):
    """Oracle: NumPy's inverse; places in any order, also within one chunk and with a band wider than a chunk."""
    random = np.random.default_rng(6)
    matrix, places = chain(size, reach, some < 50, random), random.permutation(size)[:some]
    found = BandedPattern(matrix.indptr, matrix.indices).factor(matrix.data)
    exact, dense = np.linalg.inv(matrix.toarray()), matrix.toarray()
    bound = size * np.finfo(float).eps * np.linalg.cond(dense) * np.linalg.norm(exact)
    for _ in range(2):  # the second time from what is kept
        assert np.abs(found.part(places) - exact[np.ix_(places, places)]).max() < bound


def test_what_is_not_definite_is_refused():
    """Oracle: a matrix with a negative eigenvalue has no such factor."""
    matrix = chain(20, 2, False, np.random.default_rng(5))
    shifted = matrix.copy()
    shifted.setdiag(matrix.diagonal() - 1.01 * np.linalg.eigvalsh(matrix.toarray())[0])
    with pytest.raises(np.linalg.LinAlgError):
        BandedPattern(shifted.indptr, shifted.indices).factor(shifted.data)
