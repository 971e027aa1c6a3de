"""The Newton block, the reference: full second derivative, made definite where it must be, with a line search."""

from collections.abc import Callable

import numpy as np
from cholespy import CholeskySolverD, MatrixType
from scipy.sparse import csr_matrix

from ..soft.block import SoftBlock
from ..soft.search import shortened
from .hessian import Hessian

NEAR = 1e-2
"""Below this part of the first force the second derivative is tried as it is, which makes convergence quadratic."""
MOST_GRADIENTS = 200
NARROW = 256
"""Numbers below the diagonal up to which a band is factorised faster than by an order that is sought anew for each matrix."""


class Newton(SoftBlock):
    """Newton's method."""

    carries_examples = False

    def hold(self) -> None:
        """Other vertices than before have no mass, and are held."""
        super().hold()
        self._hessian = Hessian(self)

    def begin(self, h: float) -> None:
        """Start a step."""
        super().begin(h)
        self._hessian = getattr(self, "_hessian", None) or Hessian(self)
        self._first = 0.0

    def iterate(self) -> float:
        """One Newton step, shortened until the energy falls."""
        self.take_up()
        right = self.forces().copy()
        size = float(np.abs(right).max())
        self._first = self._first or size
        direction = self._direction(right, size < NEAR * self._first)
        return self.move(shortened(self, right, direction) * direction)

    def _direction(self, right: np.ndarray, near: bool) -> np.ndarray:
        if near:
            try:
                return self._solve(right, definite=False)
            except ValueError:
                self._first *= 0.1  # not definite: mend it, and do not ask again before much has changed
        return self._solve(right, definite=True)

    def _solve(self, right: np.ndarray, definite: bool) -> np.ndarray:
        matrix = self._hessian.at(self.work.place, self.h, definite)
        nearly = self._factor(matrix)
        if not self.moments and not self.enclosure:
            return nearly(right.ravel()).reshape(right.shape)

        def whole(v: np.ndarray) -> np.ndarray:
            out = matrix @ v
            out -= self._hessian.too_much(v) if self.moments else 0.0
            return out + self.enclosure.times(v.reshape(-1, 3)).ravel() if self.enclosure else out

        found = conjugate(whole, nearly, right.ravel())
        return found.reshape(right.shape)

    def _factor(self, matrix: csr_matrix) -> Callable[[np.ndarray], np.ndarray]:
        """What solves with `matrix`: as a band where that is narrow, of which all but the numbers is known beforehand."""
        if self._hessian.band.width <= NARROW:
            return self._hessian.band.factor(matrix.data).solve
        solver = CholeskySolverD(matrix.shape[0], matrix.indptr, matrix.indices, matrix.data, MatrixType.CSR)

        def solve(force: np.ndarray) -> np.ndarray:
            out = np.empty((len(force), 1))
            solver.solve(np.ascontiguousarray(force.reshape(-1, 1)), out)
            return out.ravel()

        return solve


def conjugate(matrix: Callable, nearly: Callable, right: np.ndarray) -> np.ndarray:
    """Conjugate gradients to rounding; `nearly` the inverse of a matrix like this one. Not definite: ValueError."""
    found, rest = np.zeros_like(right), right.copy()
    along = better = nearly(rest)
    product = first = float(rest @ better)
    for _ in range(MOST_GRADIENTS):
        if product <= 1e-28 * first:
            break
        pushed = matrix(along)
        curve = float(along @ pushed)
        if curve <= 0.0:
            raise ValueError("not definite")
        found += product / curve * along
        rest -= product / curve * pushed
        better = nearly(rest)
        last, product = product, float(rest @ better)
        along = better + product / last * along
    return found
