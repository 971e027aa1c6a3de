"""Where the camera starts, and how the picture follows a body."""

from itertools import product

import numpy as np

from ..scene.body import Body
from ..scene.shape import HeightField
from .geometry import shape_mesh

FIELD_OF_VIEW = np.radians(42.0)
"""Vertical."""
VIEW_FROM = np.array([0.62, -1.0, 0.42]) / np.linalg.norm([0.62, -1.0, 0.42])
"""Direction from what is looked at to the camera: from the front, the right and above."""
ASPECT = 1.25
"""Width over height of the picture that is fitted; most pages are wider."""
MARGIN = 1.15
EASE = 0.25
"""[s]; time in which the picture catches up with the body it follows."""


def frame(world) -> tuple[np.ndarray, np.ndarray]:
    """Position and point looked at (3,) [m] that show all moving bodies, or all bodies if none moves."""
    bodies = {thing.name: thing for thing in world.scene.flat() if isinstance(thing, Body)}
    places = dict(zip(world.body_names, world.body_poses()[0], strict=True))
    shown = [b for b in bodies.values() if not b.fixed] or list(bodies.values())
    if not shown:
        low, high = np.full(3, -1.0), np.full(3, 1.0)
    else:
        reach = np.array([bounding_radius(body.shape) for body in shown])[:, None]
        centers = np.array([places[body.name] for body in shown])
        low, high = (centers - reach).min(axis=0), (centers + reach).max(axis=0)
    target = 0.5 * (low + high)
    return target + VIEW_FROM * distance_to_fit(0.5 * (high - low)), target


def distance_to_fit(half: np.ndarray) -> float:
    """How far along VIEW_FROM the camera sees all corners of a box of half lengths (3,) [m], with a margin."""
    right = np.cross((0.0, 0.0, 1.0), VIEW_FROM)
    right /= np.linalg.norm(right)
    corners = np.array(list(product((-1.0, 1.0), repeat=3))) * np.maximum(half, 1e-3)
    height, width = np.abs(corners @ np.cross(VIEW_FROM, right)), np.abs(corners @ right)
    slope = np.tan(0.5 * FIELD_OF_VIEW)
    return float((corners @ VIEW_FROM + MARGIN * np.maximum(height, width / ASPECT) / slope).max())


def bounding_radius(shape) -> float:
    """Largest distance of a point of the shape from the body's origin [m]."""
    if isinstance(shape, tuple):
        return max(bounding_radius(part.shape) + float(np.linalg.norm(part.position)) for part in shape)
    if isinstance(shape, HeightField):
        return 0.5 * float(np.hypot(*shape.size))
    return float(np.linalg.norm(shape_mesh(shape).vertices, axis=1).max())


def followed_body(world) -> str | None:
    """The first body of the first robot, else the first that can move, else None."""
    for thing in world.scene:
        if hasattr(thing, "parts"):
            for part in thing.parts():
                if isinstance(part, Body) and not part.fixed:
                    return part.name
    return next((t.name for t in world.scene.flat() if isinstance(t, Body) and not t.fixed), None)


class Follow:
    """Moves the stage against a body's motion, so that it stays in the picture and the hand is free to turn that."""

    def __init__(self, world) -> None:
        self.body = followed_body(world)
        self.on = False
        self._row = list(world.body_names).index(self.body) if self.body is not None else 0
        self._start: np.ndarray | None = None
        self._offset = np.zeros(3)

    def turn(self, on: bool) -> None:
        """Begin to follow from where the picture is now, or stop and leave it there."""
        self.on, self._start = on, None

    def reset(self) -> None:
        """Put the stage back."""
        self._start, self._offset = None, np.zeros(3)

    def offset(self, positions: np.ndarray, seconds: float) -> np.ndarray:
        """Where the stage goes (3,) [m], `seconds` of wall time after the last call; positions (n, 3) of all bodies."""
        if self.on and self.body is not None:
            place = positions[self._row]
            if self._start is None:
                self._start = place + self._offset
            self._offset = self._offset + (self._start - place - self._offset) * (1.0 - np.exp(-seconds / EASE))
        return self._offset
