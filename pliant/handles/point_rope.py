"""What `world[rope]` and its holders give where the rope is points and elements (methods of papers A and C)."""

import numpy as np

from ..model.point_ropes import (
    BEND,
    HOLD,
    LENGTH,
    MOMENT,
    REST,
    ROW,
    SHEAR,
    SHEAR_FORCE,
    STRETCH,
    TENSION,
    PointRopeReadings,
)
from ..model.schema import allocate
from ..scene.errors import fail
from .rope import HoldHandle, Reaction, RopeEnergy, RopeHandle, matrices, products

_MOVED = 1e-9  # [m] a teleport may part held places so far


def carried_at(engine, k: int, end: int) -> np.ndarray:
    """Where the carrier of the start (0) or end (1) of rope k has it [m] (3,), world frame."""
    ropes, motion = engine.model.point_ropes, engine.state.motion
    body = ropes.carrier[k, end]
    anchor = matrices(motion.quaternion[body:body + 1])[0] @ ropes.hold[k, HOLD * end:HOLD * end + 3]
    return np.asarray(motion.position[body] + anchor)


class GripHandle(HoldHandle):
    """An attachment or a pin by which a body, or the world, carries the end of a rope."""

    def _reaction(self) -> Reaction:
        rope, side, sign = self._number
        one = self._world[rope]._reaction("end" if side else "start")
        return Reaction(sign * one.force, sign * one.torque)

    @property
    def position(self) -> np.ndarray:
        """Where it is held [m] (3,), world frame."""
        rope, side, _ = self._number
        return self._world[rope].positions[-side].copy()


class PointRopeHandle(RopeHandle):
    """Points that have mass, and elements between them that turn."""

    def _first_element(self) -> int:
        return self._number.element

    def _masses(self) -> np.ndarray:
        return self._number.masses

    @property
    def _movers(self) -> slice:
        """Its points."""
        return slice(self._number.first, self._number.first + self.thing.count)

    @property
    def _rows(self) -> slice:
        """Rows of its elements, without the frames of clamps."""
        first = self._world._engine.model.point_ropes.rope[self._number.number, ROW] + self._number.before
        return slice(first, first + len(self._number.lengths))

    def _points(self) -> np.ndarray:
        return self._world._engine.state.motion.position[self._movers].copy()

    def _put(self, points: np.ndarray, turns: np.ndarray) -> None:
        engine, k = self._world._engine, self._number.number
        for end in np.flatnonzero(engine.model.point_ropes.carrier[k] >= 0).tolist():
            gap = float(np.linalg.norm(points[-end] - carried_at(engine, k, end)))
            if gap > _MOVED:
                raise fail(self.thing, f"positions tears its {('start', 'end')[end]} {gap:.3g} m away from where it is held; "
                                       "move what holds it first, or leave that place where it is.")
        engine.state.motion.position[self._movers] = points
        engine.state.point_ropes.impulse[self._rows] = 0.0

    def _speeds(self) -> np.ndarray:
        return self._world._engine.state.motion.velocity[self._movers].copy()

    def _set_speeds(self, points: np.ndarray) -> None:
        self._world._engine.state.motion.velocity[self._movers] = points

    @property
    def _means(self) -> np.ndarray:
        """Forces and moments of all ropes, frames of clamps included."""
        return self._world._engine.state.point_ropes.mean

    def _forces(self) -> np.ndarray:
        rows = self._means[self._rows]
        return np.column_stack([rows[:, SHEAR_FORCE:SHEAR_FORCE + 2], rows[:, TENSION]])

    def _at_points(self, table: np.ndarray) -> np.ndarray:
        """Rows of a `table` (r, 3) of the joints before and after the elements; zero where no clamp holds an end."""
        rows, clamped, out = self._rows, self._clamps(), np.zeros((self.thing.count, 3))
        out[1:-1] = table[rows.start:rows.stop - 1]
        if clamped[0]:
            out[0] = table[rows.start - 1]
        if clamped[1]:
            out[-1] = table[rows.stop - 1]
        return out

    def _clamps(self) -> tuple[bool, bool]:
        index = self._number
        return index.before == 1, len(index.movers) > index.before + len(index.points) + len(index.lengths)

    def _moment(self) -> np.ndarray:
        """(Re p + [Im p]x) m: moments along 2 Im p, turned to the axes of the element before."""
        m, (before, after) = self._at_points(self._means[:, MOMENT:MOMENT + 3]), self._clamps()
        p, held = self._turns(), slice(0 if before else 1, None if after else -1)
        m[held] = p[:, :1] * m[held] + np.cross(p[:, 1:], m[held])
        return m

    def _turns(self) -> np.ndarray:
        """p from each element to the next, frames of clamps included, Re p >= 0."""
        before, after = self._clamps()
        q = self._world._engine.state.motion.quaternion[self._elements.start - before:self._elements.stop + after]
        p = products(q[:-1] * np.array([1.0, -1.0, -1.0, -1.0]), q[1:])
        return np.where(p[:, :1] < 0.0, -p, p)

    def _darboux(self) -> np.ndarray:
        from ..solvers.projection.read import read_where

        engine = self._world._engine
        readings = allocate(PointRopeReadings, r=len(engine.model.point_ropes.row))
        read_where(engine.model.point_ropes, engine.state.motion, readings, self._number.number)
        return self._at_points(readings.row)

    def _energy(self) -> RopeEnergy:
        """Half of an element's mass moves as the point at each of its sides."""
        engine = self._world._engine
        bodies, motion, masses = engine.model.bodies, engine.state.motion, self._number.masses
        spin = np.einsum("nkc,nk->nc", self._frames(), motion.angular_velocity[self._elements])
        square, height = (self._speeds() ** 2).sum(1), self._points() @ np.array(engine.model.gravity)
        kinetic = 0.25 * masses * (square[1:] + square[:-1]) + 0.5 * (bodies.inertia[self._elements] * spin**2).sum(1)
        return RopeEnergy(kinetic, -0.5 * masses * (height[1:] + height[:-1]), self._elastic())

    def _elastic(self) -> np.ndarray:
        """Of each element [J]: its share of bending and twisting at its points, and its own stretch and shear."""
        table, (before, after) = self._world._engine.model.point_ropes.row, self._clamps()
        rows = slice(self._rows.start - before, self._rows.stop + after)
        strain = 2.0 * self._turns()[:, 1:] - table[rows, REST:REST + 3][:-1]
        bent = np.zeros(self.thing.count)
        bent[0 if before else 1:None if after else -1] = 0.5 * (table[rows, BEND:BEND + 3][:-1] * strain**2).sum(1)
        out = self._shared(bent)
        chords = np.einsum("nkc,nk->nc", self._frames(), np.diff(self._points(), axis=0))
        own = table[self._rows]
        for column, strains in ((SHEAR, chords[:, :2]), (STRETCH, chords[:, 2:] - own[:, LENGTH, None])):
            stiffness = np.where(np.isinf(own[:, column]), 0.0, own[:, column]) / own[:, LENGTH]
            out += 0.5 * stiffness * (strains**2).sum(1)
        return out

    def _reaction(self, word: str) -> Reaction:
        """Its last half element rides with its holder, which bears its weight too; what speeds it up is left out."""
        engine, side = self._world._engine, 0 if word == "start" else 1
        if engine.model.point_ropes.carrier[self._number.number, side] < 0:
            return Reaction(np.zeros(3), np.zeros(3))
        held = engine.state.point_ropes.hold[self._number.number, 6 * side:6 * side + 6]
        weight = 0.5 * self._number.masses[-side] * np.array(engine.model.gravity)
        return Reaction(held[:3] - weight, held[3:].copy())
