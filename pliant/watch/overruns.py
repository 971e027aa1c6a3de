"""Says of limits of joints that are overrun: which, by how much, when, and the remedy."""

from typing import TYPE_CHECKING

import numpy as np

from ..model.joints import LIMIT_HIGH, LIMIT_LOW, TRAVEL
from .tears import name_of

if TYPE_CHECKING:
    from ..world import World

OVERRUN = 1e-3
"""A limit that is overrun by more [m or rad] is told."""


class OverrunWatch:
    """Says so in every step that ends so. What was built or put beyond its limit is led back, and may be as far beyond it."""

    def __init__(self, world: "World") -> None:
        law = world._engine.model.drives.law
        self._limits = np.flatnonzero((law == LIMIT_LOW) | (law == LIMIT_HIGH))
        self._signs = np.where(law[self._limits] == LIMIT_HIGH, 1.0, -1.0)
        self.forget(world)

    def forget(self, world: "World") -> None:
        """Start from the state as it is now."""
        self._over, self._put, self._found = np.zeros(len(self._limits)), np.zeros(len(self._limits)), False
        self.moved(world)

    def moved(self, world: "World") -> None:
        """Before a step that follows on a teleport: what that has put beyond limits."""
        if len(self._limits):
            over = self._beyond(world, world._engine.coordinates_now())
            self._put, self._found = np.where((over > OVERRUN) & (self._over <= OVERRUN), over, self._put), True

    def __call__(self, world: "World", most: float) -> list[str]:
        """Warnings after a step that left a limit overrun by `most` [m or rad]."""
        if most <= OVERRUN and not self._found:
            return []
        over, self._found = self._beyond(world, world._engine.state.coordinates.value), most > OVERRUN
        self._over, self._put = over, np.where(over > OVERRUN, self._put, 0.0)
        told = over > self._put + OVERRUN
        return [self._text(world, int(k), float(over[k])) for k in np.flatnonzero(told)]

    def _beyond(self, world: "World", values: np.ndarray) -> np.ndarray:
        """By how much the coordinate of each limit (n) is beyond it [m or rad], less than zero if it is not."""
        drives = world._engine.model.drives
        return self._signs * (values[drives.coordinate[self._limits]] - drives.rest[self._limits])

    def _text(self, world: "World", k: int, over: float) -> str:
        model = world._engine.model
        c = model.drives.coordinate[self._limits[k]]
        name, unit = name_of(world, int(model.coordinates.joint[c])), "m" if model.coordinates.kind[c] == TRAVEL else "rad"
        return (f"{name} is beyond its limit by {over:.2g} {unit} at t = {world.time:.6g} s: take smaller steps or more "
                "substeps, or motors with less effort")
