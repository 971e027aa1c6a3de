"""What `world[name]` gives: copies of the last whole step; assigning to a body teleports it."""

from typing import Any

import numpy as np

from ..model.joints import CATCHES, DRAWS, GONE, HOLDS
from ..scene.errors import fail, unit_quaternion, vector
from ..scene.pose import Pose, turned
from ..set_with_care import SetWithCare
from .contact_list import presses


class Handle(SetWithCare):
    """A thing of a world, by number."""

    thing: Any
    """What the scene says of it."""

    def __init__(self, world, thing, number) -> None:
        self._world, self.thing, self._number = world, thing, number

    @property
    def name(self) -> str:
        """Its name."""
        return self.thing.name

    def __repr__(self) -> str:
        return f"<{type(self.thing).__name__} '{self.thing.name}' at t = {self._world.time:g} s>"


class PlaceHandle(Handle):
    """A place that moves: a site, or a body."""

    def _pose(self) -> Pose:
        """World pose of the thing's own frame."""
        motion, place = self._world._engine.state.motion, self._number
        inner = Pose(tuple(motion.position[place.body].tolist()), tuple(motion.quaternion[place.body].tolist()))
        return inner.then(place.frame)

    @property
    def position(self) -> np.ndarray:
        """Of its own frame [m] (3,), world frame."""
        return np.array(self._pose().position)

    @property
    def quaternion(self) -> np.ndarray:
        """Own frame to world (w, x, y, z) (4,)."""
        return np.array(self._pose().quaternion)


class BodyHandle(PlaceHandle):
    """A rigid body."""

    def _place(self, pose: Pose) -> None:
        motion, place = self._world._engine.state.motion, self._number
        inner = pose.then(place.frame.inverse())
        motion.position[place.body], motion.quaternion[place.body] = inner.position, inner.quaternion
        self._world._disturb()

    @property
    def position(self) -> np.ndarray:
        """Of its own frame [m] (3,), world frame."""
        return np.array(self._pose().position)

    @position.setter
    def position(self, value) -> None:
        self._place(Pose(vector(self.thing, "position", value), self._pose().quaternion))

    @property
    def quaternion(self) -> np.ndarray:
        """Own frame to world (w, x, y, z) (4,)."""
        return np.array(self._pose().quaternion)

    @quaternion.setter
    def quaternion(self, value) -> None:
        self._place(Pose(self._pose().position, unit_quaternion(self.thing, "quaternion", value)))

    @property
    def velocity(self) -> np.ndarray:
        """Of the centre of mass [m/s] (3,), world frame."""
        return self._world._engine.state.motion.velocity[self._number.body].copy()

    @velocity.setter
    def velocity(self, value) -> None:
        self._world._engine.state.motion.velocity[self._number.body] = self._free("velocity", value)
        self._world._disturb()

    @property
    def angular_velocity(self) -> np.ndarray:
        """[rad/s] (3,), world frame."""
        return self._world._engine.state.motion.angular_velocity[self._number.body].copy()

    @angular_velocity.setter
    def angular_velocity(self, value) -> None:
        self._world._engine.state.motion.angular_velocity[self._number.body] = self._free("angular_velocity", value)
        self._world._disturb()

    def _free(self, field: str, value):
        if self.thing.fixed or self.thing.motion is not None:
            raise fail(self.thing, f"{field} cannot be set: the body is {'fixed' if self.thing.fixed else 'driven'}.")
        return vector(self.thing, field, value)

    @property
    def mass(self) -> float:
        """[kg]; zero for a body that is fixed or driven."""
        return float(self._world._engine.model.bodies.mass[self._number.body])

    @property
    def broken(self) -> bool:
        """Whether something has pressed it harder than its break_force."""
        return bool(self._world._engine.state.damage.broken[self._number.body])

    @property
    def pressed(self) -> float:
        """The largest force that one other thing bears on it with [N], all contacts with that thing together."""
        return presses(self._world.contacts).get(self.name, (0.0, ""))[0]

    @property
    def contact_force(self) -> np.ndarray:
        """Sum of all contact forces on it [N] (3,), mean over the last step, world frame."""
        contacts = self._world.contacts
        total = np.zeros(3)
        for a, b, force in zip(contacts.a, contacts.b, contacts.force, strict=True):
            total += force * ((b == self.name) - (a == self.name))
        return total


class SpringHandle(Handle):
    """A spring between points of two bodies."""

    @property
    def ends(self) -> np.ndarray:
        """Where it is fastened [m] (2, 3), world frame."""
        m = self._world._engine.model.springs
        return world_points(self._world, m.body[self._number], (m.anchor_a[self._number], m.anchor_b[self._number]))

    @property
    def length(self) -> float:
        """[m]"""
        a, b = self.ends
        return float(np.linalg.norm(b - a))

    @property
    def force(self) -> float:
        """[N], mean over the last step; positive when it pulls its ends together."""
        return -float(self._world._engine.state.springs.effort[self._number])


class JointSpringHandle(Handle):
    """A spring on a joint's coordinate."""

    @property
    def angle(self) -> float:
        """The coordinate [rad or m]."""
        m = self._world._engine.model.drives
        return float(self._world._engine.state.coordinates.value[m.coordinate[self._number]])

    length = angle

    @property
    def torque(self) -> float:
        """On the child along the coordinate [N m or N], mean over the last step."""
        return float(self._world._engine.state.drives.effort[self._number])

    force = torque


class LatchHandle(Handle):
    """A latch."""

    @property
    def engaged(self) -> bool:
        """Whether it holds."""
        return int(self._world._engine.state.drives.engaged[self._number]) in (HOLDS, CATCHES, DRAWS)

    @property
    def force(self) -> float:
        """[N m or N], mean over the last step."""
        return float(self._world._engine.state.drives.effort[self._number])

    def release(self) -> None:
        """Let go; it catches again when the joint comes back."""
        self._world._engine.state.drives.engaged[self._number] = GONE


def world_points(world, bodies, locals_) -> np.ndarray:
    """Points of bodies' solver frames (n, 3), world frame [m]."""
    motion, places = world._engine.state.motion, zip(bodies, locals_, strict=True)
    return np.array([world_point(motion.position[b], motion.quaternion[b].tolist(), p.tolist()) for b, p in places])


def world_point(position, quaternion, local) -> np.ndarray:
    """A point of a body's solver frame, world frame [m] (3,)."""
    return np.asarray(position) + np.array(turned(tuple(quaternion), tuple(local)))
