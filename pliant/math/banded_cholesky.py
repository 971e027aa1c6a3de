"""Symmetric positive definite matrices of one sparse pattern: ordered once, factorised often, as bands.

A long thin mesh has a narrow band, in the order of its vertices or in that of Cuthill and McKee. What is known of the pattern,
the order and the place of every entry in the band, is found once; a new matrix then costs its numbers alone.
"""

import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import reverse_cuthill_mckee


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

    def solve(self, right: np.ndarray) -> np.ndarray:
        """x of A x = right, both (n,) or (n, k)."""
        out = np.empty_like(right)
        out[self._order] = cho_solve_banded((self._band, True), right[self._order], check_finite=False)
        return out
