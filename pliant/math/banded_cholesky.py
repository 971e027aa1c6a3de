"""Symmetric positive definite matrices of one sparse pattern: ordered once, factorised often, as bands.

A long thin mesh has a narrow band, in the order of its vertices or in that of Cuthill and McKee. What is known of the pattern,
the order and the place of every entry in the band, is found once; a new matrix then costs its numbers alone.
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided
from scipy.linalg import cholesky_banded
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dpbtrs
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import reverse_cuthill_mckee

CHUNK = 96
"""Rows of the factor that are taken together where parts of an inverse are found."""


class BandedPattern:
    """Order and band of a pattern."""

    def __init__(self, indptr: np.ndarray, indices: np.ndarray) -> None:
        size = len(indptr) - 1
        row = np.repeat(np.arange(size), np.diff(indptr))
        matrix = csr_matrix((np.ones(len(indices)), indices, indptr), shape=(size, size))
        self._order, self.width = np.arange(size), int(np.abs(row - indices).max(initial=0))
        """Which row comes where; numbers below the diagonal."""
        other = reverse_cuthill_mckee(matrix, symmetric_mode=True).astype(np.int64)
        place = np.empty(size, np.int64)
        place[other] = np.arange(size)
        width = int(np.abs(place[row] - place[indices]).max(initial=0))
        if width < self.width:
            self._order, self.width = other, width
        place[self._order] = np.arange(size)
        below = place[row] - place[indices]
        self._lower = np.flatnonzero(below >= 0)
        self._at = (below[self._lower], place[indices][self._lower])

    def factor(self, data: np.ndarray) -> "BandedFactor":
        """Of the matrix with these entries, in the pattern's order; LinAlgError where it is not definite."""
        band = np.zeros((self.width + 1, len(self._order)), order="F")
        band[self._at] = data[self._lower]
        return BandedFactor(self._order, cholesky_banded(band, lower=True, overwrite_ab=True, check_finite=False))


class BandedFactor:
    """One matrix, factorised."""

    def __init__(self, order: np.ndarray, band: np.ndarray) -> None:
        self._order, self._band = order, band
        self._part_of, self._part = np.zeros(0, np.int64), np.zeros((0, 0))

    def solve(self, right: np.ndarray) -> np.ndarray:
        """x of A x = right, both (n,) or (n, k)."""
        out = np.empty_like(right)
        out[self._order] = dpbtrs(self._band, right[self._order], lower=1)[0]
        return out

    def part(self, places: np.ndarray) -> np.ndarray:
        """Rows and columns `places` (k,) of A^-1 (k, k); the last ones are kept."""
        if not np.array_equal(places, self._part_of):
            self._part_of, self._part = places.copy(), self._products(places)
        return self._part

    def _products(self, places: np.ndarray) -> np.ndarray:
        """The same, found: with L y = e for the unit vectors e of all places, the products of all y.

        Those that come later in the order have no y before, and are left out there.
        """
        size, count = len(self._order), len(places)
        place = np.empty(size, np.int64)
        place[self._order] = np.arange(size)
        column = np.argsort(place[places], kind="stable")
        at = place[places][column]
        y, products = np.zeros((size, count), order="F"), np.zeros((count, count), order="F")
        y[at, np.arange(count)] = 1.0
        for first in range(0, size, CHUNK):
            last = min(first + CHUNK, size)
            begun = int(np.searchsorted(at, last))
            if begun:
                within, below = self._under(first, last)
                some = dtrsm(1.0, within, y[first:last, :begun], lower=1)
                y[last:last + len(below), :begun] -= below @ some
                products[:begun, :begun] = dsyrk(1.0, some, 1.0, products[:begun, :begun], trans=1, lower=1)
        out = np.empty_like(products)
        out[np.ix_(column, column)] = np.tril(products) + np.tril(products, -1).T
        return out

    def _under(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns `first` to `last` of L: the triangle on the diagonal, and what is below it as far as the band reaches."""
        size, width = len(self._order), len(self._band) - 1
        count, end = last - first, min(last + width, size)
        step = self._band.itemsize
        whole = as_strided(self._band[:, first:], (end - first, count), (step, width * step))
        row, column = np.arange(end - first)[:, None], np.arange(count)
        near = (row >= column) & (row - column <= width)
        dense = np.where(near, whole, 0.0)
        return np.asfortranarray(dense[:count]), dense[count:]
