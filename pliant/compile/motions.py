"""Prescribed motions: where a driven body is at a time."""

from itertools import pairwise

import numpy as np

from ..model.bodies import HASTENED, STEERED
from ..scene.errors import fail
from ..scene.pose import Pose, from_rotation_vector, inverted, product

STEADY = 1e-9
"""A speed that changes in a step by less of itself [-] is steady: rounding."""
SMOOTH = 0.02
"""A motion is smooth if it strays from its parabola by no more of a dt^2 [-]: a sine of w dt = 1 does by 0.008, a kink by 0.03
and more."""


class Driver:
    """Gives the pose of one driven body, in its solver's frame, at any time."""

    def __init__(self, body: int, thing) -> None:
        self.body, self.thing, self.motion = body, getattr(thing, "pin", thing), thing.motion
        self.start = Pose(thing.position, thing.quaternion)
        self._tables = {} if callable(self.motion.times) else {
            name: _curve(self.motion, getattr(self.motion, name)) for name in ("positions", "rotations")
            if getattr(self.motion, name) is not None}

    def pose(self, time: float) -> Pose:
        """World pose at `time` [s]: offset and turn from the start, both in world axes."""
        if callable(self.motion.times):
            try:
                offset, turn = self.motion.times(time)
                offset, turn = np.asarray(offset, float).reshape(3), np.asarray(turn, float).reshape(4)
            except (TypeError, ValueError):
                raise fail(self.thing, "its motion's function must return (offset (3,), quaternion (4,)).") from None
            if not (np.isfinite(offset).all() and np.isfinite(turn).all() and 0.9 < np.linalg.norm(turn) < 1.1):
                raise fail(self.thing, f"at t = {time:g} s its motion's function returned {offset}, {turn}; "
                                       "the offset must be finite and the quaternion unit.")
            turn = tuple((turn / np.linalg.norm(turn)).tolist())
        else:
            time = self._within(time)
            offset = self._tables["positions"](time) if "positions" in self._tables else np.zeros(3)
            turn = from_rotation_vector(self._tables["rotations"](time) if "rotations" in self._tables else np.zeros(3))
        x, y, z = (float(p + d) for p, d in zip(self.start.position, offset, strict=True))
        return Pose((x, y, z), product(turn, self.start.quaternion))

    def drive(self, motion, given, time: float, dt: float) -> None:
        """Put the body where it is at `time` [s], on a parabola to where it will be half of `dt` [s] and `dt` later.

        Where a quarter of `dt` later is not on that, as after a kink, it goes straight. Writes: motion, given
        """
        half = 0.5 * dt
        poses = self.pose(time), self.pose(time + half), self.pose(time + dt)
        first, second = (self._way(time + k * half, half, *poses[k:k + 2]) / half for k in range(2))
        mean, change = 0.5 * (first + second), (second - first) / half
        change[np.abs(change) * dt < STEADY * np.abs(mean).max()] = 0.0
        if change.any():
            quarter = self._way(time, 0.5 * half, poses[0], self.pose(time + 0.5 * half))
            bent = quarter - 0.5 * half * (mean - 0.75 * half * change)
            change[np.abs(bent) > SMOOTH * np.abs(change) * dt**2] = 0.0
        motion.position[self.body], motion.quaternion[self.body] = poses[0].position, poses[0].quaternion
        motion.velocity[self.body], motion.angular_velocity[self.body] = mean[:3], mean[3:]
        given[self.body, STEERED:STEERED + 6], given[self.body, HASTENED:HASTENED + 6] = mean - half * change, change

    def _way(self, time: float, span: float, here: Pose, there: Pose) -> np.ndarray:
        """Way [m] and turn [rad] (6) through `span` [s] from `time` [s] on."""
        return np.concatenate((np.subtract(there.position, here.position), self._turned(time, span, here, there)))

    def _turned(self, time: float, span: float, here: Pose, there: Pose) -> np.ndarray:
        """Rotation vector [rad] through `span` [s], world frame, also of many turns: summed over pieces of about a radian.

        What a function does between two times it must be asked for: four turns a step are told.
        """
        pieces = 4 if callable(self.motion.times) else 1
        if "rotations" in self._tables:
            first, last = (self._tables["rotations"](self._within(t)) for t in (time, time + span))
            pieces = 1 + min(int(np.linalg.norm(last - first)), 10_000)
        if pieces == 1:
            return turning(here.quaternion, there.quaternion)
        between = [self.pose(time + span * k / pieces) for k in range(1, pieces)]
        return sum((turning(a.quaternion, b.quaternion) for a, b in pairwise([here, *between, there])), np.zeros(3))

    def arrive(self, motion, time: float) -> None:
        """Put the body where it is at `time` [s]. Writes: motion"""
        motion.position[self.body], motion.quaternion[self.body] = self.pose(time)

    def _within(self, time: float) -> float:
        first, last = float(self.motion.times[0]), float(self.motion.times[-1])
        if self.motion.loop and time > last:
            return first + (time - first) % (last - first)
        return min(max(time, first), last)


def _curve(motion, table):
    """A function of time through the rows of a table: straight, or cubic splines at rest at their ends.

    Two rows alike are a pause: it stays there, and a spline of its own leads to it and from it. One through all would swing.
    """
    if motion.smooth:
        from scipy.interpolate import CubicSpline, PPoly

        times, pauses = motion.times, np.flatnonzero((np.diff(table, axis=0) == 0.0).all(axis=1))
        ends = [0, *(k + side for k in pauses.tolist() for side in (0, 1)), len(times) - 1]
        parts = [CubicSpline(times[a:b + 1], table[a:b + 1], bc_type="clamped").c for a, b in pairwise(ends) if b > a]
        return PPoly(np.concatenate(parts, axis=1), times)
    return lambda t: np.array([np.interp(t, motion.times, table[:, k]) for k in range(3)])


def turning(here, there) -> np.ndarray:
    """Rotation vector [rad] from one orientation to another, the short way, world frame."""
    w, *imaginary = product(there, inverted(here))
    v = np.array(imaginary) * (-1.0 if w < 0.0 else 1.0)
    length = np.linalg.norm(v)
    return 2.0 * v if length < 1e-12 else v * (2.0 * np.arctan2(length, abs(w)) / length)
