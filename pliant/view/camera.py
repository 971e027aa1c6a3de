"""Where the camera stands to see all that moves."""

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


class Outline:
    """What the camera is to show: all moving bodies, springs, ropes, cloth and solids, or all bodies if nothing moves."""

    def __init__(self, world) -> None:
        self._world, things = world, list(world.scene.flat())
        self._lines = [thing for thing in things if isinstance(thing, (Rope, Spring, Soft))]
        bodies = [thing for thing in things if isinstance(thing, Body)]
        shown = [body for body in bodies if not body.fixed] or ([] if self._lines else bodies)
        row = {name: i for i, name in enumerate(world.body_names)}
        self._rows = np.array([row[body.name] for body in shown], int).repeat(8)
        self._corners = np.array([box_corners(body.shape) for body in shown]).reshape(-1, 3)
        sizes = [8] * len(shown) + [len(ends) for ends in self._ends()]
        self.owner = np.arange(len(sizes)).repeat(sizes) if sizes else np.zeros(2, int)
        """Number of the thing that each of the points belongs to."""

    def points(self, positions: np.ndarray, quaternions: np.ndarray) -> np.ndarray:
        """Points (n, 3) [m] around it as it is now; positions (n, 3) [m] and quaternions (n, 4) of all bodies."""
        ends = self._ends()
        return np.concatenate([positions[self._rows] + rotate(quaternions[self._rows], self._corners), *ends]) \
            if len(self._rows) or ends else np.array([(-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)])

    def _ends(self) -> list[np.ndarray]:
        """Of springs, ropes, cloth and solids, their points [m] (n, 3) each."""
        return [self._world[thing.name].ends if isinstance(thing, Spring) else self._world[thing.name].positions
                for thing in self._lines]


def frame(world) -> tuple[np.ndarray, np.ndarray]:
    """Position and point looked at (3,) [m] that show what moves, and where ropes are about to swing."""
    points = Outline(world).points(*(np.asarray(a) for a in world.body_poses()))
    return fitted(np.concatenate([points, *(reach(world, thing) for thing in world.scene.flat() if isinstance(thing, Rope))]))


def fitted(points: np.ndarray, back: np.ndarray = VIEW_FROM, fov: float = FIELD_OF_VIEW,
           aspect: float = ASPECT) -> tuple[np.ndarray, np.ndarray]:
    """Position and point looked at (3,) [m] of a camera that sees points (n, 3) [m], in the unit direction `back` from them."""
    low, high = points.min(axis=0), points.max(axis=0)
    target = 0.5 * (low + high)
    return target + back * distance_to_fit(0.5 * (high - low), back, fov, aspect), target


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


def distance_to_fit(half: np.ndarray, back: np.ndarray, fov: float, aspect: float) -> float:
    """How far along `back` the camera sees all corners of a box of half lengths (3,) [m], with a margin."""
    right = np.cross((0.0, 0.0, 1.0), back)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    corners = CORNERS * np.maximum(half, 1e-3)
    height, width = np.abs(corners @ np.cross(back, right)), np.abs(corners @ right)
    return float((corners @ back + MARGIN * np.maximum(height, width / aspect) / np.tan(0.5 * fov)).max())


def box_corners(shape) -> np.ndarray:
    """Corners (8, 3) [m] of a box about a body's shape, body's frame."""
    if isinstance(shape, tuple):
        own = np.concatenate([box_corners(part.shape) for part in shape])
        positions = np.array([part.position for part in shape]).repeat(8, axis=0)
        points = positions + rotate(np.array([part.quaternion for part in shape]).repeat(8, axis=0), own)
    else:
        points = np.asarray(shape_mesh(shape).vertices)
    return np.where(CORNERS > 0.0, points.max(axis=0), points.min(axis=0))
