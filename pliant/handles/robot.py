"""What `world[name]` gives of a robot: where its root link is; assigning moves all its links as one piece."""

from collections.abc import Iterable

import numpy as np

from ..scene.body import Body
from ..scene.errors import unit_quaternion, vector
from ..scene.pose import inverted, product, rotation_vector
from ..scene.robot import Robot
from .handle import BodyHandle, Handle
from .joint_pose import turn_about


def robot_of(things: Iterable, name) -> Robot | None:
    """The robot of that name among things of a scene."""
    return next((one for one in things if isinstance(one, Robot) and one.name == name), None)


class RobotHandle(Handle):
    """A robot as a whole; `world["robot/link"]` and `world["robot/joint"]` give its parts."""

    def __init__(self, world, thing: Robot) -> None:
        links = [part for part in thing.parts() if isinstance(part, Body)]
        super().__init__(world, thing, [world._places[link.name].body for link in links])
        self._root = BodyHandle(world, links[0], world._places[links[0].name])

    def __getattr__(self, name: str):
        try:
            return super().__getattr__(name)
        except AttributeError as error:
            if name.startswith("_"):
                raise
            raise AttributeError(f"{error} Read the rest of its links and joints, as world['{self._root.name}'].") from None

    @property
    def position(self) -> np.ndarray:
        """Of its root link's frame [m] (3,), world frame; when set, all links move along and their joints stay as they are."""
        return self._root.position

    @position.setter
    def position(self, value) -> None:
        by = np.array(vector(self.thing, "position", value)) - self.position
        self._world._engine.state.motion.position[self._number] += by
        self._world._disturb()

    @property
    def quaternion(self) -> np.ndarray:
        """Root link's frame to world (w, x, y, z) (4,); when set, all links turn about that frame's origin, with their
        velocities."""
        return self._root.quaternion

    @quaternion.setter
    def quaternion(self, value) -> None:
        wanted, now = unit_quaternion(self.thing, "quaternion", value), tuple(self.quaternion.tolist())
        turn_about(self._world._engine.state.motion, self._number, self.position,
                   np.array(rotation_vector(product(wanted, inverted(now)))))
        self._world._disturb()
