"""The quasi-Newton block: the steps of local/global, bent by what the last of them taught of the true curvature.

L-BFGS with the constant factor as its first guess: an iteration costs one projection and one solve as local/global does,
and some inner products. A step that would raise the energy is shortened.
"""

from concurrent.futures import Executor

import numpy as np

from ...model.schema import allocate
from ...model.soft import Pins, SoftModel
from ..projective.block import Projective
from .memory import Memory, bend, inner_product, remember, unbend

MEMORY = 8
"""Steps remembered."""
SHORTEST = 1e-3
"""A step shortened beyond this is given up for one of local/global."""
ROUNDING = 1e-13
"""Energies this close, relatively, are the same."""


class QuasiNewton(Projective):
    """L-BFGS on the constant factor."""

    def __init__(self, model: SoftModel, position: np.ndarray, velocity: np.ndarray, pins: Pins | None = None,
                 pool: Executor | None = None) -> None:
        super().__init__(model, position, velocity, pins, pool)
        self._memory = allocate(Memory, m=MEMORY, d=position.size)
        self._fresh = False

    def begin(self, h: float) -> None:
        """Start a step; nothing is remembered from the last."""
        super().begin(h)
        self._forget()

    def iterate(self) -> float:
        """One step along the L-BFGS direction, shortened where the energy would rise."""
        if self.take_up() > 0.0 or not self._fresh:
            self.forces()
        right, start, energy = self.work.right.copy(), self.work.place.copy(), self.total_energy()
        direction = self._direction(right)
        if inner_product(direction, right) <= 0.0:
            self._forget()
            direction = self.factor.solve(right)
        step = self._search(start, direction, right, energy)
        if step == 0.0:
            self._forget()
            direction, step = self.factor.solve(right), 1.0
            self.work.place[:] = start + direction
            self.forces()
        remember(self._memory, step, direction, right, self.work.right)
        self._fresh = True
        self.work.place[:] = start
        return self.move(step * direction)

    def change_pins(self) -> None:
        """Forces and what was learnt no longer hold."""
        super().change_pins()
        self._forget()

    def _forget(self) -> None:
        self._memory.ring[:] = 0
        self._fresh = False

    def _direction(self, right: np.ndarray) -> np.ndarray:
        """The two loops of L-BFGS, around one solve."""
        bent = right.copy()
        unbend(self._memory, bent)
        out = self.factor.solve(bent)
        bend(self._memory, out)
        return out

    def _search(self, start: np.ndarray, direction: np.ndarray, right: np.ndarray, energy: float) -> float:
        """The longest of the steps 1, 1/2, 1/4 … that lowers the energy enough; 0 if none does. Leaves forces there."""
        step, slope = 1.0, inner_product(direction, right)
        while step >= SHORTEST:
            np.add(start, step * direction, out=self.work.place)
            self.forces()
            if self.total_energy() <= energy - 1e-4 * step * slope + ROUNDING * abs(energy):
                return step
            step *= 0.5
        return 0.0
