"""Warnings of direct ropes that were stopped since no step could be found, or turn further than their elements can tell."""

from math import degrees, pi

import numpy as np

from ..compile.point_ropes import PointRopeIndex
from ..compile.rope_layout import enough_points
from ..handles.rod_readings import relative
from ..handles.rope import matrices, products
from ..model.joints import ROD
from ..model.rods import BEND, REST
from ..solvers.chain.measure import BENT

QUARTER = 0.5
"""sin^2 of half a quarter turn: where a joint bears most [-]."""
OVER = 0.25
"""What ends that warning [-]."""
EARLY = 0.146
"""The same of an eighth of a turn: from there on it counts how far a joint will twist in the coming step [-]."""


class DirectWatch:
    """Says once, with time and place, what goes wrong, and goes on saying so until it is over."""

    def __init__(self, scene, ropes: dict) -> None:
        """`ropes`: where the ropes of a scene lie in the arrays, by their names."""
        self._ropes = {name: (scene[name], rope) for name, rope in ropes.items() if not isinstance(rope, PointRopeIndex)}
        self._said: dict[tuple[str, str], str] = {}

    def __call__(self, engine, fold: float, time: float, dt: float) -> tuple[str, ...]:
        """Warnings after a step of `dt` that ended at `time` [s]; `fold`: the largest of all rods, see `rod_fold`."""
        if not self._ropes:
            return ()
        if engine.work.outcome.stopped.any() or self._said:
            for name, (_, rope) in self._ropes.items():
                self._stopped(name, engine.work, engine.work.islands.label[rope.first], time)
        if fold > EARLY or self._said:
            folds, angles = folds_of(engine, dt)
            for name, (thing, rope) in self._ropes.items():
                self._fold(name, thing, rope, engine.model.joints, folds, angles, time)
        return tuple(self._said.values())

    def _stopped(self, name: str, work, island: int, time: float) -> None:
        stopped = bool(island >= 0 and work.outcome.stopped[island] == 1)
        self._judge((name, "stopped"), stopped, not stopped, lambda: (
            f"Rope '{name}' could not be solved at t = {time:.6g} s; it was stopped, with all that hangs on it: take smaller "
            "steps"))

    def _fold(self, name: str, thing, rope, joints, folds, angles, time: float) -> None:
        mine = np.flatnonzero(((joints.body >= rope.first) & (joints.body < rope.first + len(rope.lengths))).any(axis=1))
        if not len(mine):
            return
        j = int(mine[np.argmax(folds[mine])])
        where = f" at {float(np.cumsum(rope.lengths)[rope.joints.index(j)]):.4g} m" if j in rope.joints else " where it is held"
        enough = enough_points(len(rope.lengths) * angles[j], thing.closed)
        self._judge((name, "fold"), folds[j] > QUARTER, folds[j] < OVER, lambda: (
            f"At t = {time:.6g} s Rope '{name}' turns by {degrees(angles[j]):.0f} degrees from one element to the next{where}; "
            f"it bears most at 90, twisted at 120, and jumps beyond 180: give it {enough} points or more"))

    def _judge(self, key: tuple[str, str], wrong: bool, over: bool, say) -> None:
        """Keep what was said first until it is over."""
        if wrong and key not in self._said:
            self._said[key] = say()
        elif over and not wrong:
            self._said.pop(key, None)


def folds_of(engine, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """(sin^2 of half the angle that counts, that angle [rad]) of every joint; zero of all that are no rods. See `rod_fold`.

    Beyond an eighth of a turn a twist counts as far as it goes on in the coming step of `dt` [s]: a joint that passes its
    quarter snaps through within a step, its links being light, and has lost a turn when the step ends.
    """
    model, joints, motion = engine.model, engine.model.joints, engine.state.motion
    folds = np.zeros(len(joints.kind))
    rods = np.flatnonzero(joints.kind == ROD)
    table, (left, right) = model.rods.table[joints.rod[rods]], joints.body[rods].T
    p = relative(joints, engine.state, rods)
    bent = np.abs(table[:, REST:REST + 2]).sum(1) >= BENT
    part = np.minimum(np.where(bent, (p[:, 1:] ** 2).sum(1), p[:, 3] ** 2), 1.0)
    axes = matrices(products(motion.quaternion[left], joints.frame_a[rods]))[:, :, 2]
    growing = np.sign(p[:, 3]) * ((motion.angular_velocity[right] - motion.angular_velocity[left]) * axes).sum(1)
    coming = np.where(~bent & (part > EARLY), dt * np.maximum(growing, 0.0), 0.0)
    angles = np.minimum(2.0 * np.arcsin(np.sqrt(part)) + coming, pi)
    folds[rods] = np.where(table[:, BEND] + table[:, BEND + 2] > 0.0, np.sin(0.5 * angles) ** 2, 0.0)
    return folds, 2.0 * np.arcsin(np.sqrt(folds))
