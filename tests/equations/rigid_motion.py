"""Random rigid frames and their motion, for Jacobians against finite differences."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

STEP = 1e-5
"""Of central differences [s]."""


class Frame(NamedTuple):
    """A moving rigid body: centre [m], orientation, velocity [m/s], angular velocity [rad/s], world frame."""

    x: np.ndarray
    turn: Rotation
    v: np.ndarray
    w: np.ndarray

    def at(self, t: float) -> "Frame":
        """The body `t` [s] later, moving steadily."""
        return self._replace(x=self.x + t * self.v, turn=Rotation.from_rotvec(t * self.w) * self.turn)

    def axes(self) -> tuple:
        """Its axes x, y, z, world frame."""
        return tuple(vector(c) for c in self.turn.as_matrix().T)

    def quaternion(self) -> tuple:
        """(w, x, y, z)"""
        return vector(self.turn.as_quat(scalar_first=True))


def random_frame(rng, turn: Rotation | None = None) -> Frame:
    """A body somewhere, moving somehow."""
    return Frame(rng.normal(size=3), Rotation.random(rng=rng) if turn is None else turn, rng.normal(size=3), rng.normal(size=3))


def vector(a) -> tuple:
    """A tuple of floats, as kernels take it."""
    return tuple(float(c) for c in a)


def difference(value, size: float, speed: float) -> tuple[float, float]:
    """(rate at t = 0 of value(t) by central differences, bound of its error).

    `size` bounds the value and `speed` [1/s] its logarithmic rates: |d3 value / dt3| <= size speed^3.
    """
    rate = (value(STEP) - value(-STEP)) / (2.0 * STEP)
    return rate, STEP**2 / 6.0 * size * speed**3 + 8.0 * np.finfo(float).eps * size / STEP
