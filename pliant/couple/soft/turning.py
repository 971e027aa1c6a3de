"""Soft things that turn, with the bodies that they are tied to, by implicit Euler in the frame that turns with them.

Implicit Euler has one velocity a substep, that of the way: x1 = x0 + h c. Of what turns at w by R = exp(h w), r1 = R r0, that
way is not along the velocity w x r at either end, and c, taken for the next start, loses a share (w h)^2 of the angular
momentum. So velocities are kept as they are at the ends of substeps, and c begins where a rigid body would go, under the
centrifugal force of the turning frame,

    c* = v0 + (R - 1) r0 / h - w x r0 - h w x (w x R r0)        v1 = c + w x r1 - (1 - R^T) r1 / h

with r from the centre of mass of all that turns together, or from what holds it. What moves as a rigid body then comes to
c = (R - 1) r0 / h and v1 = w x r1 exactly, under the forces that hold it together; all else changes by h^2, less than implicit
Euler errs by. The changes, times masses, add up to zero about a centre of mass: momentum stays.
"""

from typing import NamedTuple

import numpy as np

from ...model.bodies import Motion
from .rigid_motion import around, momenta, turned_by

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
        ahead = turned_by(arm, h * rate)
        out = (ahead - arm) / h - around(rate, arm) - h * around(rate, around(rate, ahead))
        self.out = members.free[:, None] * out[:len(one)]
        """What c* has more than v0 [m/s] (n, 3)."""

    def home(self) -> np.ndarray:
        """What v1 has more than c [m/s] (n, 3), where the substep has led."""
        place = self._places()
        arm = place - self._mass @ place / self._mass.sum()
        home = around(self._rate, arm) - (arm - turned_by(arm, -self._h * self._rate)) / self._h
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
