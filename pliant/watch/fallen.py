"""Says of a body that has fallen off the edge of a height field, with nothing below it: name, time and remedy.

Looked for now and then. Scenes with a Ground, which is endless, and those where nothing is meant to bear, are left alone.
"""

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..compile.extents import radius, reach
from ..handles.robot import robot_of
from ..scene.body import Body, Ground
from ..scene.pose import Pose
from ..scene.shape import HeightField

if TYPE_CHECKING:
    from ..world import World

EVERY = 15
"""Steps from one look to the next."""
FAR, EXTENTS = 10.0, 2.0
"""A body is far below everything beyond the first [m], and beyond so many of the scene's heights at the start [-]."""
FREE = 0.5
"""Share of the speed of a free fall from there [-] with which it falls: what is let down on a rope is slower."""


class Fallen:
    """The same text from then on, until time goes back."""

    def __init__(self, world: "World") -> None:
        self._steps, self._time, self._said = 0, 0.0, ""
        around = list(world.scene.flat())
        bodies = [one for one in around if isinstance(one, Body) and one.collide]
        fields = [one for one in bodies if isinstance(one.shape, HeightField)]
        gravity = np.array(world.scene.gravity)
        self._gravity = float(np.linalg.norm(gravity))
        self._watches = self._gravity > 0.0 and bool(fields) and not any(isinstance(one, Ground) for one in around)
        if not self._watches:
            return
        self._up, self._field, index = -gravity / self._gravity, fields[0].name, world._index["body"]
        self._free = [one.name for one in bodies if not one.fixed and one.motion is None]
        self._numbers = np.array([index[name] for name in self._free], int)
        driven = [one for one in bodies if one.motion is not None]
        self._driven = np.array([index[one.name] for one in driven], int)
        self._radii = np.array([_radius(one) for one in driven])
        heights = world._engine.state.motion.position[1:] @ self._up
        fixed = [_lowest(one, self._up) for one in bodies if one.fixed]
        self._floor = min([float(heights.min()), *fixed])
        self._far = max(FAR, EXTENTS * (float(heights.max()) - self._floor))

    def __call__(self, world: "World") -> list[str]:
        """Warnings after a step."""
        if world.time < self._time:
            self._steps, self._said = 0, ""
        self._steps, self._time = self._steps + 1, world.time
        if self._watches and not self._said and self._steps % EVERY == 0:
            self._look(world)
        return [self._said] if self._said else []

    def _look(self, world: "World") -> None:
        """Note which body is furthest below all that could bear it, if it is far."""
        motion = world._engine.state.motion
        floor = min([self._floor, *(motion.position[self._driven] @ self._up - self._radii).tolist()])
        depth = floor - motion.position[self._numbers] @ self._up
        speed = -motion.velocity[self._numbers] @ self._up
        lost = (depth > self._far) & (speed > FREE * np.sqrt(2.0 * self._gravity * np.maximum(depth, 0.0)))
        if lost.any():
            n = int(np.argmax(np.where(lost, depth, 0.0)))
            robot = robot_of(world.scene, self._free[n].partition("/")[0])
            self._said = (
                f"'{robot.name if robot else self._free[n]}' is {depth[n]:.3g} m below everything that could bear it at "
                f"t = {world.time:.6g} s and goes on falling: there is no ground below it; add a Ground or make the "
                f"HeightField of '{self._field}' larger")


def _corners(shape: HeightField) -> list[tuple[float, float, float]]:
    """Of a box about a height field, its own frame [m]."""
    (x, y), heights = shape.size, np.asarray(shape.heights)
    return list(product((-0.5 * x, 0.5 * x), (-0.5 * y, 0.5 * y), (float(heights.min()), float(heights.max()))))


def _radius(body: Body) -> float:
    """Of a ball about the origin of a body's frame that holds it, its centre of mass inside [m]."""
    if isinstance(body.shape, HeightField):
        return float(np.linalg.norm(_corners(body.shape), axis=1).max())
    return radius(body) + float(np.linalg.norm(body.center_of_mass or 0.0))


def _lowest(body: Body, up: np.ndarray) -> float:
    """How far up a fixed body begins [m]."""
    if isinstance(body.shape, HeightField):
        pose = Pose(body.position, body.quaternion)
        return min(float(np.dot(pose.point(corner), up)) for corner in _corners(body.shape))
    return reach(body, tuple(up.tolist()))[0]
