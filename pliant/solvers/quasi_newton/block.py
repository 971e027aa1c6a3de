"""The quasi-Newton block: the steps of local/global, bent by what the last of them taught of the true curvature.

L-BFGS with the constant factor, scaled, as its first guess: an iteration costs one projection and one solve as local/global
does, and two passes over a short memory. A step that would raise the energy is shortened.
"""

from concurrent.futures import Executor

import numpy as np

from ..._jit import bind
from ...model.schema import allocate
from ...model.soft import Pins, SoftModel
from ..projective.block import Projective
from .memory import WIDTH, Memory, aim, arrive, go, learn

MEMORY = 8
"""Steps remembered: with five stiff bars take half as many iterations more, with twelve no fewer."""
SHORTEST = 1e-3
"""A step shortened beyond this is given up for one of local/global."""
ROUNDING = 1e-13
"""Energies this close, relatively, are the same."""


class QuasiNewton(Projective):
    """L-BFGS on the constant factor."""

    def __init__(self, model: SoftModel, position: np.ndarray, velocity: np.ndarray, pins: Pins | None = None,
                 pool: Executor | None = None) -> None:
        self._memory = allocate(Memory, len(position), m=MEMORY + 1, d=position.size, r=1, w=WIDTH)
        self._plain = np.zeros(position.shape)
        for large in (self._memory.taken, self._memory.shorter, self._memory.next, self._plain):
            large.fill(0.0)  # lest the first steps wait for the pages
        super().__init__(model, position, velocity, pins, pool)
        self._fresh, self._least = False, 0.0

    def follow(self, position: np.ndarray, velocity: np.ndarray) -> None:
        """Read and write these arrays from now on [m], [m/s] (n, 3)."""
        super().follow(position, velocity)
        memory, w = self._memory, self.work
        plain, force, place = (a.reshape(-1) for a in (self._plain, w.right, w.place))
        self._learn, self._aim_by = bind(learn, memory, plain), bind(aim, memory, force, place, plain)
        self._go = bind(go, memory, place)
        self._arrive = bind(arrive, memory, force, place, *(a.reshape(-1) for a in (w.start, w.written, velocity)))

    def begin(self, h: float) -> None:
        """Start a step; nothing is remembered from the last."""
        super().begin(h)
        self.forget()

    def iterate(self) -> float:
        """One step along the L-BFGS direction, shortened where the energy would rise."""
        if self.take_up() > 0.0 or not self._fresh:
            self._learn_now()
            self._memory.scale[0] = 1.0  # rows believe in answers by the constant matrix: larger ones make them overshoot
            self.forces()
            self._least = self.total_energy()
        energy, slope = self._least, self._aim()
        if slope <= 0.0:
            self.forget()
            slope = self._aim()
        length = self._search(slope, energy)
        if length == 0.0:
            self._try(0.0)
            self.forget()
            self._aim()
            length = 1.0
            self._try(length)
        self._fresh = True
        return self._arrive(length, self.h)

    def iterate_held(self) -> float:
        """A step of local/global: what is remembered of curvature says nothing of how rows will answer."""
        self.forget()
        return super().iterate()

    def change_pins(self) -> None:
        """Forces and what was learnt no longer hold."""
        super().change_pins()
        mass = self.model.vertices.mass
        held = self.pins.weight.any() or (mass == 0.0).any()
        self._memory.heft[:] = 0.0 if held else mass / mass.sum()
        self.forget()

    def shift(self, change: np.ndarray) -> None:
        """Let inertia lead elsewhere, by `change` [m] (n, 3): forces are others, what was learnt of curvature holds."""
        super().shift(change)
        self._fresh = False

    def forget(self) -> None:
        """Nothing is remembered."""
        self._memory.ring[:] = 0
        self._fresh = False

    def _aim(self) -> float:
        """The step of L-BFGS, by that of local/global; returns how steeply the energy falls along it [J]."""
        if self.enclosure:  # which changes the constant matrix: steps solved with another one say nothing
            self._learn_now()
        self.solve(self.work.right, self._plain)
        return float(self._aim_by())

    def _learn_now(self) -> None:
        """Learn from the last step before the forces change otherwise, by a solve of its own."""
        if self._memory.ring[2]:
            self.solve(self._memory.bent.reshape(-1, 3), self._plain)
            self._learn()

    def _try(self, length: float) -> None:
        """To the place `length` steps from the start; leaves forces and the energy there."""
        self._go(length)
        self.forces()
        self._least = self.total_energy()

    def _search(self, slope: float, energy: float) -> float:
        """The longest of the steps 1, 1/2, 1/4 … that lowers the energy enough; 0 if none does. Leaves forces there."""
        length = 1.0
        while length >= SHORTEST:
            self._try(length)
            if self._least <= energy - 1e-4 * length * slope + ROUNDING * abs(energy):
                return length
            length *= 0.5
        return 0.0


class Guided(QuasiNewton):
    """Local/global with rows; L-BFGS on the same factor where none act.

    Local/global takes turning for straining: a cotton sheet of 5 cm cells that hangs by an edge falls at half its rate in ten
    iterations. L-BFGS takes as many to fall as Newton's method has it. Rows are swept better with steps of one kind.
    """

    def iterate(self) -> float:
        """A step of local/global."""
        return Projective.iterate(self)

    def iterate_alone(self) -> float:
        """A step of L-BFGS."""
        return QuasiNewton.iterate(self)
