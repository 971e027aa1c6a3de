"""What happened in a step, in words: latches, what broke, what took hold or was let go, what goes on by another method."""

from typing import TYPE_CHECKING

import numpy as np

from ..couple.events import break_events, hold_at_start, latch_events, slowed_events
from ..handles.contact_list import presses
from ..scene.body import Body

if TYPE_CHECKING:
    from ..world import World


class Happenings:
    """What is looked for after every step of a world."""

    def __init__(self, world: "World") -> None:
        index, model, state = world._index, world._engine.model, world._engine.state
        self._latches = index["latch"]
        self._fragile = {name: (int(k), thing.break_force) for name, k in index["body"].items()
                         if isinstance(thing := world._things[name], Body) and np.isfinite(thing.break_force)}
        self._slowed = {name: one.first for name, one in index["soft"].items()
                        if model.soft[one.number].method == "quasi-newton"}
        self._noted: list[str] = []  # since the last step
        hold_at_start(self._latches, model.drives, state, world.dt)

    def note(self, sentence: str) -> None:
        """What a program did between two steps, for the report of the coming one."""
        self._noted.append(sentence)

    def forget(self) -> None:
        """Nothing was done since the last step."""
        self._noted = []

    def gather(self, world: "World") -> list[str]:
        """All that happened in the last step. Writes: state of latches and of what breaks"""
        engine, found = world._engine, self._noted
        self._noted = []
        if self._latches:
            found += latch_events(self._latches, engine.model.drives, engine.state, world.dt, world.dt / world.substeps)
        if self._fragile:
            found += break_events(self._fragile, engine.state.damage.broken, presses(world.contacts))
        return found + slowed_events(self._slowed, engine.work.islands) if self._slowed else found
