"""How the picture follows a body."""

import numpy as np

from ..scene.body import Body
from ..scene.errors import SceneError, nearest, shown
from ..scene.thing import name_of

EASE = 0.25
"""[s]; time in which the picture catches up with the body it follows."""
NOTHING = "(nothing)"
MOST = 50
"""Names to choose from."""


def choices_of(world) -> dict[str, str]:
    """Bodies that can be followed, by the names of their robots or by their own; robots first."""
    robots: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for thing in world.scene:
        parts = thing.parts() if hasattr(thing, "parts") else (thing,)
        body = next((part.name for part in parts if isinstance(part, Body) and not part.fixed), None)
        if body is not None:
            (robots if hasattr(thing, "parts") else bodies)[thing.name] = body
    return {**robots, **bodies}


class Follow:
    """Moves the stage against a body's motion, so that it stays in the picture and the hand is free to turn that."""

    def __init__(self, world) -> None:
        self._bodies, self._names = choices_of(world), list(world.body_names)
        self.choices = [NOTHING, *list(self._bodies)[:MOST]]
        self.on = NOTHING
        self._start: np.ndarray | None = None
        self._offset = self._once = self._twice = np.zeros(3)
        if any(hasattr(thing, "parts") and thing.name in self._bodies for thing in world.scene):
            self.turn(True)

    def named(self, what) -> str:
        """The name of what is to be followed: a body or a robot, itself or by name; True: the first robot or body; False, None:
        nothing."""
        if what is False or what is None:
            return NOTHING
        name = next(iter(self._bodies), NOTHING) if what is True else name_of(what)
        if not isinstance(name, str) or name not in (*self._bodies, *self._names, NOTHING):
            raise SceneError(f"view: follow is {shown(name)}, which is no body of the scene. {nearest(name, self._bodies)}")
        return name

    def turn(self, what) -> None:
        """Begin to follow something from where the picture is now, or nothing and leave the picture there."""
        self.on, self._start = self.named(what), None
        if self.on not in self.choices:
            self.choices.append(self.on)

    def reset(self) -> None:
        """Put the stage back."""
        self._start, self._offset = None, np.zeros(3)

    def place(self, positions: np.ndarray) -> np.ndarray | None:
        """Where what is followed is (3,) [m], of positions (n, 3) of all bodies; None if nothing is."""
        return None if self.on == NOTHING else positions[self._names.index(self._bodies.get(self.on, self.on))]

    def offset(self, positions: np.ndarray, seconds: float) -> np.ndarray:
        """Where the stage goes (3,) [m], `seconds` of wall time after the last call; positions (n, 3) of all bodies."""
        place = self.place(positions)
        if place is not None:
            if self._start is None:
                self._start, self._once, self._twice = place + self._offset, self._offset, self._offset
            share = 1.0 - np.exp(-seconds / EASE)  # smoothed twice, so that what goes on at one speed is not lagged behind
            self._once = self._once + (self._start - place - self._once) * share
            self._twice = self._twice + (self._once - self._twice) * share
            self._offset = 2.0 * self._once - self._twice
        return self._offset
