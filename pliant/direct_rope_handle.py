"""What `world[rope]` and its holders give where the rope is a chain of links (method "direct")."""

import numpy as np

from .model.joints import ROD
from .model.rods import BEND, GAP_LAW, REST, RIGID_ENOUGH, SLIDING, STRETCH
from .rope_handle import HoldHandle, Reaction, RopeEnergy, RopeHandle, matrices, products


class JointHoldHandle(HoldHandle):
    """An attachment or a pin that is a joint."""

    def _reaction(self) -> Reaction:
        engine, j = self._world._engine, self._number
        force, torque = engine.state.joints.force[j].copy(), engine.state.joints.torque[j].copy()
        joints = engine.model.joints
        if joints.kind[j] != ROD:
            return Reaction(force, torque)
        torque = _moments(joints, engine.state, np.array([j]))[0]
        held = self._world._index["held"][self.name]
        return Reaction(force, torque) if joints.body[j, 1] == held else Reaction(-force, -torque)


class DirectRopeHandle(RopeHandle):
    """A chain of links and rods."""

    def _first_element(self) -> int:
        return self._number.first

    def _ends(self, offset: float) -> np.ndarray:
        """Points of the links, `offset` lengths from their centres."""
        motion = self._world._engine.state.motion
        return motion.position[self._elements] + offset * self._number.lengths[:, None] * self._frames()[:, :, 2]

    def _holds(self) -> dict[str, int]:
        """Joints that hold the ends, by "start" and "end"."""
        return {word: self._world._index["end"][key] for word in ("start", "end")
                if (key := f"{self.name}.{word}") in self._world._index["end"]}

    def _points(self) -> np.ndarray:
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

    def _put(self, points: np.ndarray) -> None:
        pass  # its links are its points

    def _speeds(self) -> np.ndarray:
        motion = self._world._engine.state.motion
        v, w = motion.velocity[self._elements], motion.angular_velocity[self._elements]
        arm = 0.5 * self._number.lengths[:, None] * self._frames()[:, :, 2]
        left, right = v - np.cross(w, arm), v + np.cross(w, arm)
        if self.thing.closed:
            return 0.5 * (left + np.roll(right, 1, axis=0))
        return np.vstack([left[:1], 0.5 * (right[:-1] + left[1:]), right[-1:]])

    def _set_speeds(self, points: np.ndarray) -> None:
        begins, ends = self._sides(points)
        self._world._engine.state.motion.velocity[self._elements] = 0.5 * (begins + ends)

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

    def _moment(self) -> np.ndarray:
        engine = self._world._engine
        return self._at_points(lambda j: -_material_moments(engine.model.joints, engine.state, j))

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

    def _energy(self) -> RopeEnergy:
        engine = self._world._engine
        bodies, motion, k = engine.model.bodies, engine.state.motion, self._elements
        spin = np.einsum("nkc,nk->nc", self._frames(), motion.angular_velocity[k])
        kinetic = 0.5 * bodies.mass[k] * (motion.velocity[k] ** 2).sum(1) + 0.5 * (bodies.inertia[k] * spin**2).sum(1)
        gravity = -bodies.mass[k] * (motion.position[k] @ np.array(engine.model.gravity))
        return RopeEnergy(kinetic, gravity, self._at_points(lambda j: elastic_energy(engine.model, engine.state, j)))

    def _reaction(self, word: str) -> Reaction:
        held, engine, sign = self._holds(), self._world._engine, 1.0 if word == "start" else -1.0
        if word not in held:
            return Reaction(np.zeros(3), np.zeros(3))
        j = np.array([held[word]])
        return Reaction(sign * engine.state.joints.force[j[0]], sign * _moments(engine.model.joints, engine.state, j)[0])


def elastic_energy(model, state, j) -> np.ndarray:
    """Of rods `j` [J]: of bending and twisting, and of the gap where it stretches."""
    joints, motion = model.joints, state.motion
    rods = model.rods.table[joints.rod[j]]
    bend = 2.0 * _relative(joints, state, j)[:, 1:] - rods[:, REST:REST + 3]
    frame = matrices(products(motion.quaternion[joints.body[j, 0]], joints.frame_a[j]))
    r_a = np.einsum("nck,nk->nc", matrices(motion.quaternion[joints.body[j, 0]]), joints.anchor_a[j])
    r_b = np.einsum("nck,nk->nc", matrices(motion.quaternion[joints.body[j, 1]]), joints.anchor_b[j])
    gap = motion.position[joints.body[j, 1]] + r_b - motion.position[joints.body[j, 0]] - r_a
    along = np.einsum("nkc,nk->nc", frame, gap)
    stretch = rods[:, STRETCH:STRETCH + 3]
    stretch = np.where(stretch < RIGID_ENOUGH, stretch, 0.0)
    return 0.5 * (rods[:, BEND:BEND + 3] * bend**2).sum(1) + 0.5 * (stretch * along**2).sum(1)


def _relative(joints, state, j) -> np.ndarray:
    """p of rods `j` (n, 4), Re p >= 0."""
    q = state.motion.quaternion
    left, right = products(q[joints.body[j, 0]], joints.frame_a[j]), products(q[joints.body[j, 1]], joints.frame_b[j])
    p = products(left * np.array([1.0, -1.0, -1.0, -1.0]), right)
    return np.where(p[:, :1] < 0.0, -p, p)


def _material_moments(joints, state, j) -> np.ndarray:
    """Moments of rods `j` on their right elements, axes of the left ones [N m] (n, 3): (Re p + [Im p]x) m."""
    p, m = _relative(joints, state, j), state.joints.torque[j]
    return p[:, :1] * m + np.cross(p[:, 1:], m)


def _moments(joints, state, j) -> np.ndarray:
    """The same in world axes."""
    left = matrices(products(state.motion.quaternion[joints.body[j, 0]], joints.frame_a[j]))
    return np.einsum("nck,nk->nc", left, _material_moments(joints, state, j))
