"""Where the camera starts, and how the picture follows a body."""

from itertools import product

import numpy as np

from ..scene.body import Body
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.spring import Spring
from .geometry import shape_mesh
from .turns import rotate

FIELD_OF_VIEW = np.radians(42.0)
"""Vertical."""
VIEW_FROM = np.array([0.62, -1.0, 0.42]) / np.linalg.norm([0.62, -1.0, 0.42])
"""Direction from what is looked at to the camera: from the front, the right and above."""
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
ASPECT = 1.25
"""Width over height of the picture that is fitted; most pages are wider."""
MARGIN = 1.3
EASE = 0.25
"""[s]; time in which the picture catches up with the body it follows."""


def frame(world) -> tuple[np.ndarray, np.ndarray]:
    """Position and point looked at (3,) [m] that show all moving bodies, springs, ropes, cloth and solids, or all bodies if
    nothing moves."""
    bodies = {thing.name: thing for thing in world.scene.flat() if isinstance(thing, Body)}
    ropes = [reach(world, thing) for thing in world.scene.flat() if isinstance(thing, Rope)]
    ropes += [world[thing.name].ends for thing in world.scene.flat() if isinstance(thing, Spring)]
    ropes += [world[thing.name].positions for thing in world.scene.flat() if isinstance(thing, Soft)]
    shown = [b for b in bodies.values() if not b.fixed] or ([] if ropes else list(bodies.values()))
    if shown:
        corners = np.array([box_corners(body.shape) for body in shown])
        row = {name: i for i, name in enumerate(world.body_names)}
        rows = [row[body.name] for body in shown]
        positions, quaternions = (np.asarray(a)[rows].repeat(8, axis=0) for a in world.body_poses())
        ropes.append(positions + rotate(quaternions, corners.reshape(-1, 3)))
    points = np.concatenate(ropes) if ropes else np.array([(-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)])
    low, high = points.min(axis=0), points.max(axis=0)
    target = 0.5 * (low + high)
    return target + VIEW_FROM * distance_to_fit(0.5 * (high - low)), target


def reach(world, rope: Rope) -> np.ndarray:
    """Points (n, 3) [m] that a rope lies on or is about to reach: held by one end it will hang, and swing if by a ball."""
    points = world[rope.name].positions
    holds = {str(getattr(hold, field, "")): hold for hold in world.scene.flat() for field in ("what", "a", "b")}
    held = [(k, holds[place.name]) for k, place in ((0, rope.start), (-1, rope.end)) if place.name in holds]
    if len(held) != 1 or not any(world.scene.gravity):
        return points
    at, down = points[held[0][0]], np.array(world.scene.gravity) / np.linalg.norm(world.scene.gravity)
    length = world[rope.name].length
    swung = [at - 0.4 * length * down] if held[0][1].clamp else at - 0.7 * (points - at)
    return np.concatenate([points, [at + length * down], swung])


def distance_to_fit(half: np.ndarray) -> float:
    """How far along VIEW_FROM the camera sees all corners of a box of half lengths (3,) [m], with a margin."""
    right = np.cross((0.0, 0.0, 1.0), VIEW_FROM)
    right /= np.linalg.norm(right)
    corners = CORNERS * np.maximum(half, 1e-3)
    height, width = np.abs(corners @ np.cross(VIEW_FROM, right)), np.abs(corners @ right)
    slope = np.tan(0.5 * FIELD_OF_VIEW)
    return float((corners @ VIEW_FROM + MARGIN * np.maximum(height, width / ASPECT) / slope).max())


def box_corners(shape) -> np.ndarray:
    """Corners (8, 3) [m] of a box about a body's shape, body's frame."""
    if isinstance(shape, tuple):
        own = np.concatenate([box_corners(part.shape) for part in shape])
        positions = np.array([part.position for part in shape]).repeat(8, axis=0)
        points = positions + rotate(np.array([part.quaternion for part in shape]).repeat(8, axis=0), own)
    else:
        points = np.asarray(shape_mesh(shape).vertices)
    return np.where(CORNERS > 0.0, points.max(axis=0), points.min(axis=0))


def followed_body(world) -> tuple[str | None, bool]:
    """The first body of the first robot, else the first that can move, else None; and whether it is a robot's."""
    for thing in world.scene:
        if hasattr(thing, "parts"):
            for part in thing.parts():
                if isinstance(part, Body) and not part.fixed:
                    return part.name, True
    return next((t.name for t in world.scene.flat() if isinstance(t, Body) and not t.fixed), None), False


class Follow:
    """Moves the stage against a body's motion, so that it stays in the picture and the hand is free to turn that."""

    def __init__(self, world) -> None:
        self.body, self.on = followed_body(world)
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
