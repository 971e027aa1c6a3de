"""The quasi-Newton block: the steps of local/global, bent by what the last of them taught of the true curvature.

L-BFGS with the constant factor as its first guess: an iteration costs one projection and one solve as local/global does,
and some inner products. A step that would raise the energy is shortened.
"""

from concurrent.futures import Executor

import numpy as np

from ..._jit import bind
from ...model.schema import allocate
from ...model.soft import Pins, SoftModel
from ..projective.block import Projective
from .memory import Memory, bend, remember, unbend

MEMORY = 8
"""Steps remembered: with five stiff bars take a third more iterations, mild ones as many."""
SHORTEST = 1e-3
"""A step shortened beyond this is given up for one of local/global."""
ROUNDING = 1e-13
"""Energies this close, relatively, are the same."""


class QuasiNewton(Projective):
    """L-BFGS on the constant factor."""

    def __init__(self, model: SoftModel, position: np.ndarray, velocity: np.ndarray, pins: Pins | None = None,
                 pool: Executor | None = None) -> None:
        super().__init__(model, position, velocity, pins, pool)
        memory = self._memory = allocate(Memory, m=MEMORY, d=position.size)
        self._start, self._right, self._bent, self._step = (np.zeros(position.shape) for _ in range(4))
        step, right = self._step.reshape(-1), self._right.reshape(-1)
        self._unbend, self._bend = bind(unbend, memory, self._bent.reshape(-1)), bind(bend, memory, step, right)
        self._remember = bind(remember, memory, step, right, self.work.right.reshape(-1))
        self._fresh, self._least = False, 0.0

    def begin(self, h: float) -> None:
        """Start a step; nothing is remembered from the last."""
        super().begin(h)
        self.forget()

    def iterate(self) -> float:
        """One step along the L-BFGS direction, shortened where the energy would rise."""
        if self.take_up() > 0.0 or not self._fresh:
            self.forces()
            self._least = self.total_energy()
        self._right[:], self._start[:], energy = self.work.right, self.work.place, self._least
        slope = self._aim()
        if slope <= 0.0:
            self.forget()
            slope = self._aim()
        length = self._search(slope, energy)
        if length == 0.0:
            self.forget()
            self._go(0.0)
            self._aim()
            length = 1.0
            self._go(length)
            self._least = self.total_energy()
        self._remember(length)
        self._fresh = True
        self.work.place[:] = self._start
        return self.move(self._step if length == 1.0 else length * self._step)

    def iterate_held(self) -> float:
        """A step of local/global: what is remembered of curvature says nothing of how rows will answer."""
        self.forget()
        return super().iterate()

    def change_pins(self) -> None:
        """Forces and what was learnt no longer hold."""
        super().change_pins()
        self.forget()

    def forget(self) -> None:
        """Nothing is remembered."""
        self._memory.ring[:] = 0
        self._fresh = False

    def _aim(self) -> float:
        """The two loops of L-BFGS, around one solve; returns how steeply the energy falls along the step [J]."""
        self._bent[:] = self._right
        self._unbend()
        self.solve(self._bent, self._step)
        return float(self._bend())

    def _go(self, length: float) -> None:
        """To the place `length` steps from the start; leaves forces there."""
        np.multiply(self._step, length, out=self.work.place)
        np.add(self.work.place, self._start, out=self.work.place)
        self.forces()

    def _search(self, slope: float, energy: float) -> float:
        """The longest of the steps 1, 1/2, 1/4 … that lowers the energy enough; 0 if none does. Leaves forces there."""
        length = 1.0
        while length >= SHORTEST:
            self._go(length)
            self._least = self.total_energy()
            if self._least <= energy - 1e-4 * length * slope + ROUNDING * abs(energy):
                return length
            length *= 0.5
        return 0.0
