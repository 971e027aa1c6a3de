"""The quasi-Newton block: the steps of local/global, bent by what the last of them taught of the true curvature.

L-BFGS with the constant factor as its first guess: an iteration costs one projection and one solve as local/global does,
and some inner products. A step that would raise the energy is shortened.
"""

from collections import deque

import numpy as np

from ..projective.block import Projective

MEMORY = 8
"""Steps remembered."""
SHORTEST = 1e-3
"""A step shortened beyond this is given up for one of local/global."""
ROUNDING = 1e-13
"""Energies this close, relatively, are the same."""


class QuasiNewton(Projective):
    """L-BFGS on the constant factor."""

    def begin(self, h: float) -> None:
        """Start a step; nothing is remembered from the last."""
        super().begin(h)
        self._past: deque = deque(maxlen=MEMORY)
        self._fresh = False

    def iterate(self) -> float:
        """One step along the L-BFGS direction, shortened where the energy would rise."""
        if self.take_up() > 0.0 or not self._fresh:
            self.forces()
        right, start = self.work.right.copy(), self.work.place.copy()
        energy = self.total_energy()
        direction = self._direction(right)
        if _dot(direction, right) <= 0.0:
            self._past.clear()
            direction = self.factor.solve(right)
        step = self._search(start, direction, right, energy)
        if step == 0.0:
            self._past.clear()
            direction, step = self.factor.solve(right), 1.0
            self.work.place[:] = start + direction
            self.forces()
        taken, bent = step * direction, right - self.work.right
        if _dot(taken, bent) > 1e-14 * np.sqrt(_dot(taken, taken) * _dot(bent, bent)):
            self._past.append((taken, bent, 1.0 / _dot(taken, bent)))
        self._fresh = True
        self.work.place[:] = start
        return self.move(taken)

    def change_pins(self) -> None:
        """Forces and what was learnt no longer hold."""
        super().change_pins()
        self._fresh = False
        self._past = deque(maxlen=MEMORY)

    def _direction(self, right: np.ndarray) -> np.ndarray:
        """The two loops of L-BFGS, around one solve."""
        q, alphas = right.copy(), []
        for taken, bent, rho in reversed(self._past):
            alpha = rho * _dot(taken, q)
            q -= alpha * bent
            alphas.append(alpha)
        out = self.factor.solve(q)
        for (taken, bent, rho), alpha in zip(self._past, reversed(alphas), strict=True):
            out += (alpha - rho * _dot(bent, out)) * taken
        return out

    def _search(self, start: np.ndarray, direction: np.ndarray, right: np.ndarray, energy: float) -> float:
        """The longest of the steps 1, 1/2, 1/4 … that lowers the energy enough; 0 if none does. Leaves forces there."""
        step, slope = 1.0, _dot(direction, right)
        while step >= SHORTEST:
            self.work.place[:] = start + step * direction
            self.forces()
            if self.total_energy() <= energy - 1e-4 * step * slope + ROUNDING * abs(energy):
                return step
            step *= 0.5
        return 0.0


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    """Inner product in a fixed order, whatever the number of threads."""
    return float(np.sum(a * b))
