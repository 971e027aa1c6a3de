"""A sparse symmetric positive definite matrix factorised once, for many solves; and small changes of its diagonal.

The factor is CHOLMOD's (through cholespy), which can only solve. A change of diagonal entries by w at a few places E,
A' = A + E W E^T, is therefore kept beside it, in the form of a Schur complement: with the columns Z = A^-1 E,

    A'^-1 r = z - Z (W^-1 + E^T Z)^-1 E^T z,     z = A^-1 r

and with many places Z times a vector is found by a second solve instead. Columns are kept, so that a place that comes and
goes is solved for once; the small matrix is factorised anew at each change. Nothing accumulates, so a thousand changes leave
no trace.
"""

from collections import OrderedDict

import numpy as np
from cholespy import CholeskySolverD, MatrixType
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_matrix

MOST_COLUMNS = 1024
"""Columns kept at most; the one unused for longest goes first."""
TOGETHER = 16
"""Columns that are solved for at once."""
FEW = 24
"""Up to so many places a product with their columns is cheaper than a second solve."""


class SparseCholesky:
    """The factor of one matrix, and a changing diagonal beside it."""

    def __init__(self, matrix: csr_matrix, most_columns: int = MOST_COLUMNS) -> None:
        """Factorise `matrix` (n, n), symmetric positive definite; LinAlgError where rounding leaves it no longer so."""
        self._most_columns = most_columns
        matrix = csr_matrix(matrix)
        matrix.sort_indices()
        self.size = matrix.shape[0]
        try:
            self._solver = CholeskySolverD(self.size, matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32),
                                           matrix.data.astype(float), MatrixType.CSR)
        except ValueError as error:
            raise np.linalg.LinAlgError(str(error)) from None
        self._columns: OrderedDict[int, np.ndarray] = OrderedDict()
        self._part_of, self._part = np.zeros(0, np.int64), np.zeros((0, 0))
        self.added: dict[int, float] = {}
        self._rebuild()

    def solve(self, right: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """x of A' x = right, both (n, k), C-contiguous; written to `out` if that is given, which is not `right`."""
        out = np.empty_like(right) if out is None else out
        self._solver.solve(right, out)
        if self.added:
            pulled = cho_solve(self._small, out[self._places], check_finite=False)
            if len(self._places) <= FEW:
                out -= self._z @ pulled
            else:
                rest = right.copy()
                rest[self._places] -= pulled
                self._solver.solve(rest, out)
        return out

    def change(self, places: dict[int, float]) -> None:
        """Let the diagonal differ from that of the factorised matrix by these positive numbers, and by nothing elsewhere."""
        self.added = {int(k): float(w) for k, w in sorted(places.items()) if w != 0.0}
        self._rebuild()

    def columns(self, places: list[int]) -> np.ndarray:
        """Columns of A^-1, without what was added (n, k)."""
        self._find(places)
        out = np.stack([self._columns[k] for k in places], axis=1) if places else np.zeros((self.size, 0))
        self._drop()
        return out

    def _find(self, places: list[int]) -> None:
        """Solve for the columns that are not there yet, in groups of neighbours that are always the same.

        The last bits of a column depend on what it is solved with, and must not depend on what was asked for before.
        """
        for group in dict.fromkeys(k // TOGETHER for k in places if k not in self._columns):
            together = np.arange(group * TOGETHER, min((group + 1) * TOGETHER, self.size))
            unit = np.zeros((self.size, len(together)))
            unit[together, np.arange(len(together))] = 1.0
            found = np.empty_like(unit)
            self._solver.solve(unit, found)
            for j, k in enumerate(together.tolist()):
                self._columns[k] = found[:, j].copy()
        for k in places:
            self._columns.move_to_end(k)

    def _drop(self) -> None:
        """Forget what was unused for longest, where there are too many."""
        while len(self._columns) > self._most_columns:
            self._columns.popitem(last=False)

    def part(self, places: np.ndarray) -> np.ndarray:
        """Rows and columns `places` (k,) of A'^-1, with what was added (k, k)."""
        if self.added:
            return self.changed_columns(places.tolist())[places]
        if not np.array_equal(places, self._part_of):
            self._find(places.tolist())
            self._part_of, self._part = places.copy(), np.stack([self._columns[k][places] for k in places.tolist()])
            self._drop()
        return self._part

    def changed_columns(self, places: list[int]) -> np.ndarray:
        """Columns of A'^-1, with what was added (n, k)."""
        plain = self.columns(places)
        return plain - self._z @ cho_solve(self._small, plain[self._places], check_finite=False) if self.added else plain

    def _rebuild(self) -> None:
        self._places = np.array(list(self.added), np.int64)
        self._z = self.columns(list(self.added))
        if self.added:
            self._small = cho_factor(self._z[self._places] + np.diag(1.0 / np.array(list(self.added.values()))),
                                     lower=True, check_finite=False)
