"""What every `world[rope]` and `world[attachment]` gives: copies of the last whole step; assigning teleports."""

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from ..scene.errors import fail
from .handle import Handle


class RopeEnergy(NamedTuple):
    """Energies [J], one for each element."""

    kinetic: np.ndarray
    gravity: np.ndarray
    elastic: np.ndarray
    """Of stretch and shear, and of what bends and twists where elements meet, shared among both by their lengths."""


class Reaction(NamedTuple):
    """What holds an end, by joints and springs, does to the rope; mean over the last step, world frame."""

    force: np.ndarray
    """[N] (3,)"""
    torque: np.ndarray
    """About the end [N m] (3,)."""


class HoldHandle(Handle):
    """An attachment or a pin."""

    @abstractmethod
    def _reaction(self) -> Reaction:
        """On what is held."""

    @property
    @abstractmethod
    def position(self) -> np.ndarray:
        """Where it is held [m] (3,), world frame."""

    @property
    def force(self) -> np.ndarray:
        """On what is held [N] (3,), mean over the last step, world frame."""
        return self._reaction().force

    @property
    def torque(self) -> np.ndarray:
        """On what is held, about where it is held [N m] (3,), mean over the last step, world frame; zero for a ball."""
        return self._reaction().torque


class RopeHandle(Handle):
    """A rope of n points and n - 1 elements (n of a ring); how it is solved is up to its method."""

    @property
    def _elements(self) -> slice:
        """Movers that turn as its elements do."""
        first, count = self._first_element(), len(self._number.lengths)
        return slice(first, first + count)

    @abstractmethod
    def _first_element(self) -> int:
        """A mover."""

    @abstractmethod
    def _masses(self) -> np.ndarray:
        """Of its elements [kg] (n - 1,)."""

    @abstractmethod
    def _points(self) -> np.ndarray:
        """Of its points [m] (n, 3), world frame."""

    @abstractmethod
    def _put(self, points: np.ndarray, turns: np.ndarray) -> None:
        """Put its points there, or refuse to; its elements follow, with orientations `turns`."""

    @abstractmethod
    def _speeds(self) -> np.ndarray:
        """Of its points [m/s] (n, 3), world frame."""

    @abstractmethod
    def _set_speeds(self, points: np.ndarray) -> None:
        """Let its points move so."""

    @abstractmethod
    def _forces(self) -> np.ndarray:
        """What pulls each element along and across, its axes [N] (n - 1, 3)."""

    @abstractmethod
    def _moment(self) -> np.ndarray:
        """At each point about d1, d2 and d3 [N m] (n, 3)."""

    @abstractmethod
    def _darboux(self) -> np.ndarray:
        """Bending and twisting per length at each point [1/m] (n, 3)."""

    @abstractmethod
    def _energy(self) -> RopeEnergy:
        """Of its elements."""

    @abstractmethod
    def _reaction(self, word: str) -> Reaction:
        """What holds the "start" or "end" does to the rope."""

    def _shared(self, at_points: np.ndarray) -> np.ndarray:
        """What lies at the points (n,), shared among the elements on both sides by their lengths; an end's goes to its own."""
        lengths = self._number.lengths
        if self.thing.closed:
            after = lengths / (lengths + np.roll(lengths, 1)) * at_points
            return after + np.roll(at_points - after, -1)
        after = np.concatenate([[1.0], lengths[1:] / (lengths[1:] + lengths[:-1]), [0.0]]) * at_points
        return after[:-1] + (at_points - after)[1:]

    def _frames(self) -> np.ndarray:
        return matrices(self._world._engine.state.motion.quaternion[self._elements])

    @property
    def positions(self) -> np.ndarray:
        """Of its points [m] (n, 3), world frame."""
        return self._points()

    @positions.setter
    def positions(self, value) -> None:
        points = self._table("positions", value, (self.thing.count, 3))
        motion = self._world._engine.state.motion
        begins, ends = self._sides(points)
        along = ends - begins
        size = np.linalg.norm(along, axis=1)
        if (size < 1e-12).any():
            raise fail(self.thing, "positions has points that coincide; they must lie apart.")
        before, turns = self._frames()[:, :, 2], motion.quaternion[self._elements]
        turns = np.array([swung(*one) for one in zip(turns, before, along / size[:, None], strict=True)])
        self._put(points, turns)
        motion.quaternion[self._elements] = turns
        motion.position[self._elements] = 0.5 * (begins + ends)
        self._world._disturb()

    def _sides(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values of points at the two sides of each element."""
        ends = np.roll(points, -1, axis=0) if self.thing.closed else points[1:]
        return points[:len(ends)], ends

    @property
    def quaternions(self) -> np.ndarray:
        """Of its elements, material axes to world (n - 1, 4)."""
        return self._world._engine.state.motion.quaternion[self._elements].copy()

    @property
    def velocities(self) -> np.ndarray:
        """Of its points [m/s] (n, 3), world frame."""
        return self._speeds()

    @velocities.setter
    def velocities(self, value) -> None:
        points = self._table("velocities", value, (self.thing.count, 3))
        motion = self._world._engine.state.motion
        begins, ends = self._sides(points)
        axis = self._frames()[:, :, 2]
        spin = np.einsum("nk,nk->n", motion.angular_velocity[self._elements], axis)[:, None] * axis
        motion.angular_velocity[self._elements] = np.cross(axis, (ends - begins) / self._number.lengths[:, None]) + spin
        self._set_speeds(points)
        self._world._disturb()

    @property
    def angular_velocities(self) -> np.ndarray:
        """Of its elements [rad/s] (n - 1, 3), world frame."""
        return self._world._engine.state.motion.angular_velocity[self._elements].copy()

    @angular_velocities.setter
    def angular_velocities(self, value) -> None:
        spins = self._table("angular_velocities", value, (len(self._number.lengths), 3))
        self._world._engine.state.motion.angular_velocity[self._elements] = spins
        self._world._disturb()

    def _table(self, field: str, value, shape: tuple[int, int]) -> np.ndarray:
        try:
            table = np.array(value, float)
        except (TypeError, ValueError, OverflowError):
            raise fail(self.thing, f"{field} must be numbers of shape {shape}.") from None
        if table.shape != shape:
            raise fail(self.thing, f"{field} has shape {table.shape}; it must be {shape}.")
        if not np.isfinite(table).all():
            row = np.argmin(np.isfinite(table).all(axis=1))
            raise fail(self.thing, f"{field} has numbers that are not finite, first in row {row}.")
        return table

    @property
    def tension(self) -> np.ndarray:
        """Along each element, in its middle [N] (n - 1,), mean over the last step; negative: pressed.

        Where something pulls at the middle itself, the mean of both sides.
        """
        return self._forces()[:, 2]

    @property
    def shear_force(self) -> np.ndarray:
        """Across each element, in its middle, along its d1 and d2 [N] (n - 1, 2), mean over the last step."""
        return self._forces()[:, :2]

    @property
    def bending_moment(self) -> np.ndarray:
        """At each point about d1 and d2 of the element before it [N m] (n, 2), mean over the last step."""
        return self._moment()[:, :2]

    @property
    def twisting_moment(self) -> np.ndarray:
        """At each point about d3 [N m] (n,), mean over the last step."""
        return self._moment()[:, 2]

    @property
    def curvature(self) -> np.ndarray:
        """At each point [1/m] (n,)."""
        return np.linalg.norm(self._darboux()[:, :2], axis=1)

    @property
    def bend_radius(self) -> np.ndarray:
        """At each point [m] (n,); inf where it is straight."""
        with np.errstate(divide="ignore"):
            return 1.0 / self.curvature

    @property
    def twist(self) -> np.ndarray:
        """At each point [rad/m] (n,)."""
        return self._darboux()[:, 2]

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self._masses().sum())

    @property
    def length(self) -> float:
        """From point to point [m]."""
        points = self.positions
        total = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        return float(total + (np.linalg.norm(points[-1] - points[0]) if self.thing.closed else 0.0))

    @property
    def energy(self) -> RopeEnergy:
        """Of its elements."""
        return self._energy()

    @property
    def start(self) -> Reaction:
        """What holds its start does to it."""
        return self._reaction("start")

    @property
    def end(self) -> Reaction:
        """What holds its end does to it."""
        return self._reaction("end")


def products(a, b) -> np.ndarray:
    """Quaternion products, row by row."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    return np.column_stack([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw])


def matrices(q) -> np.ndarray:
    """Rotation matrices (n, 3, 3), columns d1, d2, d3."""
    w, x, y, z = q.T
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)


def swung(q, old, new) -> np.ndarray:
    """Orientation `q` after the shortest turn from direction `old` to `new`."""
    turn = np.array([1.0 + old @ new, *np.cross(old, new)])
    size = np.linalg.norm(turn)
    if size < 1e-9:  # half a turn, about what lies across
        across = np.cross(old, np.eye(3)[np.argmin(np.abs(old))])
        turn = np.array([0.0, *(across / np.linalg.norm(across))])
    else:
        turn /= size
    return products(turn[None], np.asarray(q)[None])[0]
