"""What `world[rope]` and its holders give where the rope is a chain of links (method "direct")."""

import numpy as np

from ..equations.rod.mean_axis import FOLDED
from ..equations.rod.twist_angle import darboux_twist, strains_of
from ..model.joints import ROD
from ..model.rods import AXIS, BEND, REST, STRETCH
from .handle import world_points
from .rod_readings import material_moments, relative, side_of, slides, torque_on
from .rope import HoldHandle, Reaction, RopeEnergy, RopeHandle
from .rope_ends import RopeEnds


class JointHoldHandle(HoldHandle):
    """An attachment or a pin that is a joint."""

    def _reaction(self) -> Reaction:
        engine, j = self._world._engine, self._number
        force, torque = engine.state.joints.force[j].copy(), engine.state.joints.torque[j].copy()
        joints = engine.model.joints
        if joints.kind[j] != ROD:
            return Reaction(force, torque)
        holder = self._holder()
        sign = 1.0 if joints.body[j, holder] == self._held() else -1.0
        on_holder = torque_on(engine.model, engine.state, j, holder)
        return Reaction(sign * (2 * holder - 1) * force, sign * on_holder)

    def _holder(self) -> int:
        """On which side of the rod what holds a rope's end is: outside of it."""
        return int(any(name.endswith(".end") for name, k in self._world._index["end"].items() if k == self._number))

    def _held(self) -> int:
        return self._world._index["held"][self.name]

    @property
    def position(self) -> np.ndarray:
        """Where it is held [m] (3,), world frame; of a pin that slides, where the end is."""
        model, j = self._world._engine.model, self._number
        side = 1 - self._holder() if slides(model, j) else self._holder()
        anchor = (model.joints.anchor_a, model.joints.anchor_b)[side][j]
        return world_points(self._world, [model.joints.body[j, side]], [anchor])[0]


class DirectRopeHandle(RopeHandle):
    """A chain of links and rods."""

    def _first_element(self) -> int:
        return self._number.first

    def _masses(self) -> np.ndarray:
        return self._world._engine.model.bodies.mass[self._elements]

    def _ends(self, offset: float) -> np.ndarray:
        """Points of the links, `offset` lengths from their centres."""
        motion = self._world._engine.state.motion
        return motion.position[self._elements] + offset * self._number.lengths[:, None] * self._frames()[:, :, 2]

    def _joined(self) -> RopeEnds:
        return RopeEnds(self._world, self.thing, self._number)

    def _points(self) -> np.ndarray:
        left, right = self._ends(-0.5), self._ends(0.5)
        joined = self._joined()
        if self.thing.closed:
            return 0.5 * (left + np.roll(right, 1, axis=0)) + joined.given()
        points = np.vstack([left[:1], 0.5 * (right[:-1] + left[1:]), right[-1:]]) + joined.given()
        for word, k in (("start", 0), ("end", -1)):
            place = joined.held_at(word)
            points[k] = points[k] + joined.give(word) if place is None else place
        return points

    def _put(self, points: np.ndarray, turns: np.ndarray) -> None:
        """Its links are its points."""
        self._joined().check_move(points, 0.5 * np.add(*self._sides(points)), turns)

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
        held, zero = self._joined().holds(), np.zeros((1, *inner.shape[1:]))
        first = of_joint(np.array([held["start"]])) if "start" in held else zero
        last = of_joint(np.array([held["end"]])) if "end" in held else zero
        return np.concatenate([first, inner, last])

    def _forces(self) -> np.ndarray:
        """What pulls each element along and across in its middle, its axes [N] (n - 1, 3): half its weight is on each side."""
        own = -self._world._engine.state.joints.own
        left, right = (self._at_points(lambda j, c=c: own[j, c:c + 3]) for c in (3, 0))  # of elements on its right and left
        others = self._joined().beyond_middles()
        if self.thing.closed:
            right = np.roll(right, -1, axis=0)
        else:
            left, right = left[:-1], right[1:]
            others[0] -= 0.5 * self._joined().pull("start", False).force
            others[-1] += 0.5 * self._joined().pull("end", False).force
        return 0.5 * (left + right) + np.einsum("nkc,nk->nc", self._frames(), others)

    def _moment(self) -> np.ndarray:
        engine = self._world._engine
        points = self._at_points(lambda j: -material_moments(engine.model.joints, engine.state, j))
        for word, k, sign in (("start", 0, -1.0), ("end", -1, 1.0)):
            if not self.thing.closed and word not in self._joined().holds():
                points[k] = sign * self._joined().pull(word).torque @ self._frames()[k]
        return points

    def _darboux(self) -> np.ndarray:
        """Bending and twisting per length at each point [1/m] (n, 3)."""
        model, state = self._world._engine.model, self._world._engine.state

        def turned(j) -> np.ndarray:
            turns, rest = strains_of(relative(model.joints, state, j)), model.rods.table[model.joints.rod[j], REST:REST + 3]
            turns[:, 2] += darboux_twist(rest) - rest[:, 2]  # without load as given
            return turns

        return self._at_points(turned) / self._spans()[:, None]

    def _spans(self) -> np.ndarray:
        """Length of rope that bends at each point [m] (n,)."""
        half = 0.5 * self._number.lengths
        if self.thing.closed:
            return half + np.roll(half, 1)
        joined = self._joined()
        return np.concatenate([[joined.span("start")], half[:-1] + half[1:], [joined.span("end")]])

    def _energy(self) -> RopeEnergy:
        engine = self._world._engine
        bodies, motion, k = engine.model.bodies, engine.state.motion, self._elements
        spin = np.einsum("nkc,nk->nc", self._frames(), motion.angular_velocity[k])
        kinetic = 0.5 * bodies.mass[k] * (motion.velocity[k] ** 2).sum(1) + 0.5 * (bodies.inertia[k] * spin**2).sum(1)
        gravity = -bodies.mass[k] * (motion.position[k] @ np.array(engine.model.gravity))
        elastic = self._shared(self._at_points(lambda j: elastic_energy(engine.model, engine.state, j)))
        return RopeEnergy(kinetic, gravity, elastic)

    def _reaction(self, word: str) -> Reaction:
        return self._joined().reaction(word)


def elastic_energy(model, state, j) -> np.ndarray:
    """Of rods `j` [J]: of bending and twisting, and of the gap where it stretches."""
    joints, motion = model.joints, state.motion
    rods = model.rods.table[joints.rod[j]]
    bend = strains_of(relative(joints, state, j)) - rods[:, REST:REST + 3]
    (x_a, r_a, d_a), (x_b, r_b, d_b) = (side_of(joints, motion, j, side) for side in range(2))
    gap = x_b + r_b - x_a - r_a
    mean = rods[:, AXIS, None] * d_a + (1.0 - rods[:, AXIS, None]) * d_b
    length = np.linalg.norm(mean, axis=1)
    along = (gap * mean).sum(1) / np.where(length < FOLDED, (length**2 + FOLDED**2) / (2.0 * FOLDED), length)
    stretch = rods[:, STRETCH] * ((gap**2).sum(1) - along**2) + rods[:, STRETCH + 2] * along**2
    return 0.5 * (rods[:, BEND:BEND + 3] * bend**2).sum(1) + 0.5 * stretch
