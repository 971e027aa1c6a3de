"""What air does to a cloth or solid in a substep: drag of the wind by the velocities at its end, and pressure inside.

Drag is J = h k u, with u at the end of the substep (equations/elastic/air_drag.py), which depends on all that holds the cloth.
It is found along with the iterations, of each face of mass m from the one before and the velocities that this has led to:

    J := h k / (1 + h k/m) (u + J/m)        begun with h k u of the velocities before

What nothing holds answers by J/m, and the second J is right; what is held does not answer, and the first is right already. What
answers by something between, 0 <= du/dJ <= 1/m, comes nearer by h k / (1 + h k/m) (1/m - du/dJ) < 1 with each iteration.
"""

import numpy as np

from ...model.soft_things import SoftThing
from ...solvers.soft.air import blow, swell
from ...solvers.soft.block import SoftBlock

RELIEF = 1e-3
"""Error of a patch's volume, as a share of the relief's own [-]."""


class Air:
    """Around one thing, and in it."""

    def __init__(self, thing: SoftThing, block: SoftBlock) -> None:
        self._thing, self._block, self._wind, self._h = thing, block, None, 0.0
        self._push = np.zeros((len(thing.faces), 3))
        self.gust = self.swell = self._before = np.zeros((len(thing.mass), 3))
        """Impulses of wind and of pressure on vertices in the substep [N s] (n, 3)."""

    def drags(self, wind) -> bool:
        """Whether `wind` [m/s] or None does anything to it."""
        return wind is not None and bool(self._thing.face_mass.any())

    def start(self, wind, before: np.ndarray, h: float) -> np.ndarray:
        """Begin a substep of `h` [s] from velocities `before`; impulses [N s] (n, 3) of air on what nothing holds."""
        self._wind, self._before, self._h = wind if self.drags(wind) else None, before, h
        self._push[:] = 0.0
        self.gust, self.swell = self._blown(False), self._filled()
        return self.gust + self.swell

    def again(self, held: bool) -> np.ndarray | float:
        """By how much [N s] (n, 3) impulses are others by the velocities now, or if they stay as they were (`held`)."""
        if self._wind is None or not self._block.keeps_inertia:
            return 0.0
        last, self.gust = self.gust, self._blown(held)
        return self.gust - last

    def _blown(self, held: bool) -> np.ndarray:
        impulse, thing, block = np.zeros_like(self._before), self._thing, self._block
        if self._wind is not None:
            blow(thing.faces, thing.face_mass, block.position, self._before, block.velocity, self._push, impulse, self._wind,
                 self._h, held)
        return impulse

    def _filled(self) -> np.ndarray:
        impulse, thing, block = np.zeros_like(self._before), self._thing, self._block
        if thing.pressure == 0.0:
            return impulse
        if thing.patches is not None:
            from ...patch.measure import volume_and_gradient

            return self._h * thing.pressure * volume_and_gradient(thing.patches, block.position, RELIEF)[1]
        swell(thing.faces, block.position, impulse, thing.pressure, self._h)
        return impulse
