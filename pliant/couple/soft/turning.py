"""Soft things that turn, with the bodies that they are tied to, by implicit Euler in the frame that turns with them.

Where their ways begin and what their velocities are at the end: equations/rigid/turning_frame.py.
"""

from typing import NamedTuple

import numpy as np

from ...equations.rigid.point_masses import momenta
from ...equations.rigid.turning_frame import way_ahead, way_home
from ...model.bodies import Motion

SLOWEST, ROLLING, FASTEST = 1e-5, 5e-3, 1.0
"""Angles [rad] of a substep below which turning is left alone, also of what something touches, which may tremble; and beyond
which nobody can tell where it leads."""
FIRM = 1e6
"""How many times the mass of all that turns a place has that is held from outside [-]."""


class Members(NamedTuple):
    """What turns together."""

    mover: np.ndarray
    """Numbers of vertices and bodies (n,)."""
    mass: np.ndarray
    """Of each [kg] (n,); FIRM times that of all where it is held."""
    free: np.ndarray
    """Whether it is not held (n,)."""
    spin: np.ndarray
    """Principal moments of inertia [kg m2] (n, 3); vertices: 0."""
    held: np.ndarray
    """Places that hold it from outside, at rest [m] (k, 3), each as firm."""


class Turning:
    """How they turn in a substep."""

    def __init__(self, members: Members, motion: Motion, h: float) -> None:
        self._members, self._motion, self._h = members, motion, h
        one, still = members.mover, np.zeros_like(members.held)
        weight = FIRM * members.mass[members.free].sum()
        self._mass = np.concatenate([members.mass, np.full(len(still), weight)])
        bodies = members.spin.any(axis=1)
        arm, _, rate = momenta(self._places(), np.concatenate([motion.velocity[one], still]), self._mass,
                               _turned(motion.quaternion[one[bodies]], members.spin[bodies]),
                               motion.angular_velocity[one[bodies]])
        self._rate, self.angle = rate, h * float(np.linalg.norm(rate))
        """By which it turns [rad]."""
        self.out = members.free[:, None] * way_ahead(arm, rate, h)[:len(one)]
        """What c* has more than v0 [m/s] (n, 3)."""

    def home(self) -> np.ndarray:
        """What v1 has more than c [m/s] (n, 3), where the substep has led."""
        place = self._places()
        arm = place - self._mass @ place / self._mass.sum()
        home = way_home(arm, self._rate, self._h)
        return self._members.free[:, None] * home[:len(self._members.mover)]

    def _places(self) -> np.ndarray:
        return np.concatenate([self._motion.position[self._members.mover], self._members.held])


def _turned(quaternion: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """Inertia [kg m2] (n, 3, 3), world frame, of principal moments (n, 3) turned by quaternions (n, 4)."""
    if not len(moments):
        return np.zeros((0, 3, 3))
    w, v = quaternion[:, 0, None], quaternion[:, 1:]
    axes = [e + 2.0 * w * np.cross(v, e) + 2.0 * np.cross(v, np.cross(v, e)) for e in np.eye(3)]
    return sum((moments[:, k, None, None] * axes[k][:, :, None] * axes[k][:, None, :] for k in range(3)),
               np.zeros((len(moments), 3, 3)))
