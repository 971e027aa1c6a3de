"""What `world[name]` gives of a joint: its coordinates, their rates, what it bears; assigning to one teleports."""

import numpy as np

from ..model.joints import (
    DAMPER,
    DC_MOTOR,
    FRICTION,
    LATCH,
    LIMIT_HIGH,
    LIMIT_LOW,
    POSITION_MOTOR,
    ROTOR,
    SPRING,
    SWING,
    VELOCITY_MOTOR,
)
from ..scene.errors import fail, shown
from ..scene.joint import Spherical
from ..scene.pose import inverted, product, rotation_vector, turned
from ..scene.thing import Quaternion
from .handle import Handle, world_points
from .joint_pose import put_joint

_BALL = (2, 0, 1)
"""Axes of a ball joint's frame, of which z is its axis, by coordinate."""
_ACTS = {"motor": (VELOCITY_MOTOR, POSITION_MOTOR, DC_MOTOR), "rotor": (ROTOR,), "limits": (LIMIT_LOW, LIMIT_HIGH),
         "friction": (FRICTION,), "damping": (DAMPER,), "springs": (SPRING,), "latches": (LATCH,)}
"""Laws of drives, in words."""


class JointHandle(Handle):
    """A joint."""

    def _coordinate(self, k: int) -> int:
        """The number of coordinate k: of a ball joint that of an axis of its frame, else among all coordinates."""
        count = len(self.thing.coordinates)
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 0 <= k < count:
            has = ", ".join(f"{n} is its {word}" for n, word in enumerate(self.thing.coordinates)) or "it leaves nothing free"
            raise fail(self.thing, f"it has no coordinate {shown(k)}: {has}.")
        return _BALL[k] if self._is_ball else self._world._index["drive"][self.thing.name]["free"][k]

    @property
    def _is_ball(self) -> bool:
        return isinstance(self.thing, Spherical)

    def coordinate(self, k: int = 0) -> float:
        """Coordinate k [rad or m], unwrapped over many turns; of a ball joint that of the rotation vector, the short way."""
        if self._is_ball:
            return float(self._rotation()[self._coordinate(k)])
        return float(self._world._engine.state.coordinates.value[self._coordinate(k)])

    def rate_of(self, k: int = 0) -> float:
        """Rate of coordinate k [rad/s or m/s]."""
        if self._is_ball:
            return float(self._rotation_rate()[self._coordinate(k)])
        return float(self._world._engine.state.coordinates.rate[self._coordinate(k)])

    def _first(self, word: str) -> float:
        if word not in self.thing.coordinates:
            has = " and ".join(dict.fromkeys(self.thing.coordinates)) or "no free coordinate"
            raise fail(self.thing, f"it has no {word}; it has {has}.")
        if self._is_ball:
            return float(np.linalg.norm(self._rotation()))
        return self.coordinate(self.thing.coordinates.index(word))

    def _frames(self) -> tuple[Quaternion, Quaternion]:
        """The joint's frame to the world (w, x, y, z), as parent and child carry it."""
        m, s = self._world._engine.model.joints, self._world._engine.state.motion
        a, b = m.body[self._number]
        return (product(tuple(s.quaternion[a].tolist()), tuple(m.frame_a[self._number].tolist())),
                product(tuple(s.quaternion[b].tolist()), tuple(m.frame_b[self._number].tolist())))

    def _rotation(self) -> np.ndarray:
        """Rotation vector [rad] (3,) from where the child started, along the axes of the joint that the parent carries."""
        parent, child = self._frames()
        return np.array(rotation_vector(product(inverted(parent), child)))

    def _rotation_rate(self) -> np.ndarray:
        """How fast it changes [rad/s] (3,): the child's spin against the parent's, by the inverse of the left Jacobian."""
        spin, (a, b) = self._world._engine.state.motion.angular_velocity, self._world._engine.model.joints.body[self._number]
        f, w = self._rotation(), np.array(turned(inverted(self._frames()[0]), tuple((spin[b] - spin[a]).tolist())))
        angle = float(np.linalg.norm(f))
        c = 1.0 / 12.0 if angle < 1e-4 else 1.0 / angle**2 - 0.5 / (angle * np.tan(0.5 * angle))
        return w - 0.5 * np.cross(f, w) + c * np.cross(f, np.cross(f, w))

    @property
    def angle(self) -> float:
        """[rad], unwrapped over many turns; of a ball joint the angle turned in all."""
        return self._first("angle")

    @angle.setter
    def angle(self, value: float) -> None:
        self._put("angle", value)

    @property
    def travel(self) -> float:
        """[m]"""
        return self._first("travel")

    @travel.setter
    def travel(self, value: float) -> None:
        self._put("travel", value)

    def _put(self, word: str, value: float) -> None:
        """What hangs on the child, or where that is held on the parent, goes along."""
        if self.thing.coordinates.count(word) != 1:
            several, has = self.thing.coordinates.count(word), ", ".join(dict.fromkeys(self.thing.coordinates))
            has = f"{several} of them" if several else has or "no free coordinate"
            raise fail(self.thing, f"{word} cannot be set: it has {has}; set the positions and quaternions of its bodies.")
        k = self._coordinate(self.thing.coordinates.index(word))
        put_joint(self._world, self.thing, self._number, k, word, value)

    @property
    def rate(self) -> float:
        """Of the first coordinate [rad/s or m/s]."""
        return self.rate_of(0)

    @property
    def effort(self) -> float:
        """Of the motor [N m or N], mean over the last step; zero without one. Of a DC motor what its current gives,
        gear k_t i, of which accelerating its rotor takes a part: that is `efforts()["rotor"]`, of the other sign."""
        motor = self._world._index["drive"][self.thing.name]["motor"]
        return 0.0 if motor is None else float(self._world._engine.state.drives.effort[motor])

    def efforts(self, k: int = 0) -> dict[str, float]:
        """What acts on the child along coordinate k [N m or N], mean over the last step: of "motor", "rotor", "limits",
        "friction", "damping", "springs" and "latches". The limits of a ball joint act about the axis that it is swung about,
        whatever k."""
        engine, here = self._world._engine, self._coordinate(k)
        coordinates, drives = engine.model.coordinates, engine.model.drives
        of = coordinates.joint[drives.coordinate] == self._number
        if self._is_ball:
            kind, axis = coordinates.kind[drives.coordinate], coordinates.axis[drives.coordinate]
            of &= (kind == SWING) | (axis == here)
        else:
            of &= drives.coordinate == here
        return {word: float(engine.state.drives.effort[of & np.isin(drives.law, laws)].sum()) for word, laws in _ACTS.items()}

    @property
    def force(self) -> np.ndarray:
        """Of what the joint holds on the child [N] (3,), mean over the last step, world frame; what acts along its free
        coordinates, limits too, is in `efforts`."""
        return self._world._engine.state.joints.force[self._number].copy()

    @property
    def torque(self) -> np.ndarray:
        """Of what the joint holds on the child, about the anchor [N m] (3,), mean over the last step, world frame."""
        return self._world._engine.state.joints.torque[self._number].copy()

    @property
    def anchors(self) -> np.ndarray:
        """Where parent and child hold the joint [m] (2, 3), world frame; apart by drift, and by travel."""
        m = self._world._engine.model.joints
        return world_points(self._world, m.body[self._number], (m.anchor_a[self._number], m.anchor_b[self._number]))
