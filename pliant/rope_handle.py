"""What `world[rope]`, `world[attachment]` and `world[pin]` give: copies of the last whole step; assigning teleports."""

from typing import NamedTuple

import numpy as np

from .handles import Handle
from .model.joints import ROD
from .model.rods import BEND, GAP_LAW, REST, SLIDING, STRETCH
from .scene.errors import fail


class RopeEnergy(NamedTuple):
    """Energies [J]: kinetic and of gravity for each element, elastic for each point, the two ends included."""

    kinetic: np.ndarray
    gravity: np.ndarray
    elastic: np.ndarray


class Reaction(NamedTuple):
    """What holds an end does to the rope, mean over the last step, world frame."""

    force: np.ndarray
    """[N] (3,)"""
    torque: np.ndarray
    """About the end [N m] (3,)."""


class HoldHandle(Handle):
    """An attachment or a pin."""

    def _reaction(self) -> Reaction:
        engine, j = self._world._engine, self._number
        force, torque = engine.state.joints.force[j].copy(), engine.state.joints.torque[j].copy()
        joints = engine.model.joints
        if joints.kind[j] != ROD:
            return Reaction(force, torque)
        torque = _moments(joints, engine.state, np.array([j]))[0]
        held = self._world._index["held"][self.name]
        return Reaction(force, torque) if joints.body[j, 1] == held else Reaction(-force, -torque)

    @property
    def force(self) -> np.ndarray:
        """On what is held [N] (3,), mean over the last step, world frame."""
        return self._reaction().force

    @property
    def torque(self) -> np.ndarray:
        """On what is held, about where it is held [N m] (3,), mean over the last step, world frame; zero for a ball."""
        return self._reaction().torque


class RopeHandle(Handle):
    """A rope of n points and n - 1 elements (n of a ring)."""

    @property
    def _links(self) -> slice:
        return slice(self._number.first, self._number.first + len(self._number.lengths))

    def _frames(self) -> np.ndarray:
        return _matrices(self._world._engine.state.motion.quaternion[self._links])

    def _ends(self, offset: float) -> np.ndarray:
        """Points of the links, `offset` lengths from their centres."""
        motion = self._world._engine.state.motion
        return motion.position[self._links] + offset * self._number.lengths[:, None] * self._frames()[:, :, 2]

    def _holds(self) -> dict[str, int]:
        """Joints that hold the ends, by "start" and "end"."""
        return {word: self._world._index["end"][key] for word in ("start", "end")
                if (key := f"{self.name}.{word}") in self._world._index["end"]}

    @property
    def positions(self) -> np.ndarray:
        """Of its points [m] (n, 3), world frame."""
        left, right = self._ends(-0.5), self._ends(0.5)
        if self.thing.closed:
            return 0.5 * (left + np.roll(right, 1, axis=0))
        points = np.vstack([left[:1], 0.5 * (right[:-1] + left[1:]), right[-1:]])
        joints = self._world._engine.model.joints
        for word, j in self._holds().items():
            if self._world._engine.model.rods.table[joints.rod[j], GAP_LAW] >= SLIDING:
                continue
            side = 0 if word == "start" else 1
            anchor = (joints.anchor_a, joints.anchor_b)[side][j]
            points[0 if word == "start" else -1] = self._world._points([joints.body[j, side]], [anchor])[0]
        return points

    @positions.setter
    def positions(self, value) -> None:
        points = self._table("positions", value, (self.thing.count, 3))
        motion = self._world._engine.state.motion
        ends = np.roll(points, -1, axis=0) if self.thing.closed else points[1:]
        begins = points[:len(ends)]
        along = ends - begins
        size = np.linalg.norm(along, axis=1)
        if (size < 1e-12).any():
            raise fail(self.thing, "positions has points that coincide; they must lie apart.")
        before = self._frames()[:, :, 2]
        for k, (old, new) in enumerate(zip(before, along / size[:, None], strict=True)):
            motion.quaternion[self._links.start + k] = _swung(motion.quaternion[self._links.start + k], old, new)
        motion.position[self._links] = 0.5 * (begins + ends)
        self._world._disturb()

    @property
    def quaternions(self) -> np.ndarray:
        """Of its elements, material axes to world (n - 1, 4)."""
        return self._world._engine.state.motion.quaternion[self._links].copy()

    @property
    def velocities(self) -> np.ndarray:
        """Of its points [m/s] (n, 3), world frame."""
        motion = self._world._engine.state.motion
        v, w = motion.velocity[self._links], motion.angular_velocity[self._links]
        arm = 0.5 * self._number.lengths[:, None] * self._frames()[:, :, 2]
        left, right = v - np.cross(w, arm), v + np.cross(w, arm)
        if self.thing.closed:
            return 0.5 * (left + np.roll(right, 1, axis=0))
        return np.vstack([left[:1], 0.5 * (right[:-1] + left[1:]), right[-1:]])

    @velocities.setter
    def velocities(self, value) -> None:
        points = self._table("velocities", value, (self.thing.count, 3))
        motion = self._world._engine.state.motion
        ends = np.roll(points, -1, axis=0) if self.thing.closed else points[1:]
        begins = points[:len(ends)]
        axis = self._frames()[:, :, 2]
        motion.velocity[self._links] = 0.5 * (begins + ends)
        spin = np.einsum("nk,nk->n", motion.angular_velocity[self._links], axis)[:, None] * axis
        motion.angular_velocity[self._links] = np.cross(axis, (ends - begins) / self._number.lengths[:, None]) + spin
        self._world._disturb()

    @property
    def angular_velocities(self) -> np.ndarray:
        """Of its elements [rad/s] (n - 1, 3), world frame."""
        return self._world._engine.state.motion.angular_velocity[self._links].copy()

    @angular_velocities.setter
    def angular_velocities(self, value) -> None:
        elements = len(self._number.lengths)
        self._world._engine.state.motion.angular_velocity[self._links] = self._table("angular_velocities", value, (elements, 3))
        self._world._disturb()

    def _table(self, field: str, value, shape: tuple[int, int]) -> np.ndarray:
        table = np.array(value, float)
        if table.shape != shape or not np.isfinite(table).all():
            raise fail(self.thing, f"{field} has shape {table.shape}; it must be {shape}, all finite.")
        return table

    def _at_points(self, of_joint) -> np.ndarray:
        """Values of the joints between elements and at held ends, zero at free ends, in the order of the points."""
        inner = of_joint(np.array(self._number.joints, int))
        if self.thing.closed:
            return np.roll(inner, 1, axis=0)
        held, zero = self._holds(), np.zeros((1, *inner.shape[1:]))
        first = of_joint(np.array([held["start"]])) if "start" in held else zero
        last = of_joint(np.array([held["end"]])) if "end" in held else zero
        return np.concatenate([first, inner, last])

    def _forces(self) -> np.ndarray:
        """What pulls each element along and across, its axes [N] (n - 1, 3): the mean of its two ends."""
        points = self._at_points(lambda j: -self._world._engine.state.joints.force[j])
        before, after = (points, np.roll(points, -1, axis=0)) if self.thing.closed else (points[:-1], points[1:])
        return np.einsum("nkc,nk->nc", self._frames(), 0.5 * (before + after))

    @property
    def tension(self) -> np.ndarray:
        """Along each element [N] (n - 1,), mean over the last step; negative: pressed."""
        return self._forces()[:, 2]

    @property
    def shear_force(self) -> np.ndarray:
        """Across each element, along its d1 and d2 [N] (n - 1, 2), mean over the last step."""
        return self._forces()[:, :2]

    def _moment(self) -> np.ndarray:
        engine = self._world._engine
        return self._at_points(lambda j: -_material_moments(engine.model.joints, engine.state, j))

    @property
    def bending_moment(self) -> np.ndarray:
        """At each point about d1 and d2 of the element before it [N m] (n, 2), mean over the last step."""
        return self._moment()[:, :2]

    @property
    def twisting_moment(self) -> np.ndarray:
        """At each point about d3 [N m] (n,), mean over the last step."""
        return self._moment()[:, 2]

    def _darboux(self) -> np.ndarray:
        """Bending and twisting per length at each point [1/m] (n, 3)."""
        engine = self._world._engine
        turns = self._at_points(lambda j: _relative(engine.model.joints, engine.state, j)[:, 1:] * 2.0)
        return turns / self._spans()[:, None]

    def _spans(self) -> np.ndarray:
        """Length of rope that bends at each point [m] (n,)."""
        half = 0.5 * self._number.lengths
        if self.thing.closed:
            return half + np.roll(half, 1)
        return np.concatenate([half[:1], half[:-1] + half[1:], half[-1:]])

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
    def length(self) -> float:
        """From point to point [m]."""
        points = self.positions
        total = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        return float(total + (np.linalg.norm(points[-1] - points[0]) if self.thing.closed else 0.0))

    @property
    def energy(self) -> RopeEnergy:
        """Of its elements and points."""
        engine = self._world._engine
        bodies, motion, k = engine.model.bodies, engine.state.motion, self._links
        spin = np.einsum("nkc,nk->nc", self._frames(), motion.angular_velocity[k])
        kinetic = 0.5 * bodies.mass[k] * (motion.velocity[k] ** 2).sum(1) + 0.5 * (bodies.inertia[k] * spin**2).sum(1)
        gravity = -bodies.mass[k] * (motion.position[k] @ np.array(engine.model.gravity))
        return RopeEnergy(kinetic, gravity, self._at_points(lambda j: elastic_energy(engine.model, engine.state, j)))

    @property
    def start(self) -> Reaction:
        """What holds its start does to it."""
        return self._reaction("start", 1.0)

    @property
    def end(self) -> Reaction:
        """What holds its end does to it."""
        return self._reaction("end", -1.0)

    def _reaction(self, word: str, sign: float) -> Reaction:
        held, engine = self._holds(), self._world._engine
        if word not in held:
            return Reaction(np.zeros(3), np.zeros(3))
        j = np.array([held[word]])
        return Reaction(sign * engine.state.joints.force[j[0]], sign * _moments(engine.model.joints, engine.state, j)[0])


def elastic_energy(model, state, j) -> np.ndarray:
    """Of rods `j` [J]: of bending and twisting, and of the gap where it stretches."""
    joints, motion = model.joints, state.motion
    rods = model.rods.table[joints.rod[j]]
    bend = 2.0 * _relative(joints, state, j)[:, 1:] - rods[:, REST:REST + 3]
    frame = _matrices(_products(motion.quaternion[joints.body[j, 0]], joints.frame_a[j]))
    r_a = np.einsum("nck,nk->nc", _matrices(motion.quaternion[joints.body[j, 0]]), joints.anchor_a[j])
    r_b = np.einsum("nck,nk->nc", _matrices(motion.quaternion[joints.body[j, 1]]), joints.anchor_b[j])
    gap = motion.position[joints.body[j, 1]] + r_b - motion.position[joints.body[j, 0]] - r_a
    along = np.einsum("nkc,nk->nc", frame, gap)
    return 0.5 * (rods[:, BEND:BEND + 3] * bend**2).sum(1) + 0.5 * (rods[:, STRETCH:STRETCH + 3] * along**2).sum(1)


def _relative(joints, state, j) -> np.ndarray:
    """p of rods `j` (n, 4), Re p >= 0."""
    q = state.motion.quaternion
    left, right = _products(q[joints.body[j, 0]], joints.frame_a[j]), _products(q[joints.body[j, 1]], joints.frame_b[j])
    p = _products(left * np.array([1.0, -1.0, -1.0, -1.0]), right)
    return np.where(p[:, :1] < 0.0, -p, p)


def _material_moments(joints, state, j) -> np.ndarray:
    """Moments of rods `j` on their right elements, axes of the left ones [N m] (n, 3): (Re p + [Im p]x) m."""
    p, m = _relative(joints, state, j), state.joints.torque[j]
    return p[:, :1] * m + np.cross(p[:, 1:], m)


def _moments(joints, state, j) -> np.ndarray:
    """The same in world axes."""
    left = _matrices(_products(state.motion.quaternion[joints.body[j, 0]], joints.frame_a[j]))
    return np.einsum("nck,nk->nc", left, _material_moments(joints, state, j))


def _products(a, b) -> np.ndarray:
    """Quaternion products, row by row."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    return np.column_stack([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw])


def _matrices(q) -> np.ndarray:
    """Rotation matrices (n, 3, 3), columns d1, d2, d3."""
    w, x, y, z = q.T
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)


def _swung(q, old, new) -> np.ndarray:
    """Orientation `q` after the shortest turn from direction `old` to `new`."""
    turn = np.array([1.0 + old @ new, *np.cross(old, new)])
    size = np.linalg.norm(turn)
    turn = np.array([0.0, 1.0, 0.0, 0.0]) if size < 1e-9 else turn / size
    return _products(turn[None], np.asarray(q)[None])[0]
