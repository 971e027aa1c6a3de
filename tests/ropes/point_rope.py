"""Ropes of points and elements laid out by hand, for tests of the solvers of papers A and C."""

from typing import NamedTuple

import numpy as np
from alone import advance, note_alone
from scipy.spatial.transform import Rotation

from pliant.equations.rod.section_stiffness import section_inertia
from pliant.model.bodies import Bodies, Motion, Push
from pliant.model.point_ropes import (
    BEFORE,
    BEND,
    BETWEEN,
    ELEMENT,
    ELEMENTS,
    KIND,
    LENGTH,
    POINT,
    POINTS,
    REST,
    SHEAR,
    STRETCH,
    PointRopeReadings,
    PointRopes,
    PointRopeState,
    PointRopeWork,
)
from pliant.model.schema import allocate
from pliant.solvers.projection.read import read_where

CURVATURE = 6
"""Where bend and twist begin in what `read` gives."""
GRAVITY = (0.0, 0.0, -9.81)


class Laid(NamedTuple):
    """One rope and everything that a step of it takes."""

    ropes: PointRopes
    state: PointRopeState
    work: PointRopeWork
    bodies: Bodies
    motion: Motion
    push: Push

    @property
    def points(self) -> slice:
        first = self.ropes.rope[0, POINT]
        return slice(first, first + self.ropes.rope[0, POINTS])

    @property
    def elements(self) -> slice:
        """Those between points, without the frames of clamps."""
        first = self.ropes.rope[0, ELEMENT] + self.ropes.rope[0, BEFORE]
        return slice(first, first + self.ropes.rope[0, POINTS] - 1)

    @property
    def x(self) -> np.ndarray:
        return self.motion.position[self.points]

    @property
    def stretch(self) -> float:
        """Length over rest length, less one."""
        rest = self.ropes.row[:, LENGTH].sum()
        return np.linalg.norm(np.diff(self.x, axis=0), axis=1).sum() / rest - 1.0

    @property
    def worst(self) -> float:
        """Largest change of an element's length, of that length: what a report calls its stretch."""
        rest = self.ropes.row[:, LENGTH]
        return float(np.abs(np.linalg.norm(np.diff(self.x, axis=0), axis=1) / rest[rest > 0.0] - 1.0).max())

    def advance(self, h: float, steps: int, passes: int, tolerance: float = 0.0, gravity=GRAVITY, drag: float = 0.0) -> int:
        """`steps` of `h` [s] by its own method; returns the passes made."""
        return advance(*self, 0, gravity, drag, h, steps, passes, tolerance)

    def read(self, h: float) -> tuple[np.ndarray, float]:
        """Readings (elements, 9) after a step of `h` [s], and the elastic energy [J]."""
        note_alone(self.ropes, self.state, self.motion, 0, h)
        readings = allocate(PointRopeReadings, r=len(self.ropes.row))
        energy = read_where(self.ropes, self.motion, readings, 0)
        return np.hstack([self.state.mean, readings.row]), energy

    def momentum(self) -> np.ndarray:
        """Linear momentum [N s] of its points and of what carries them."""
        return self.bodies.mass @ self.motion.velocity

    def carry(self, end: int, body: int, mass: float, inertia: float, anchor) -> None:
        """Let a ball of `mass` [kg] and `inertia` [kg m2], mover `body`, carry an end at `anchor` [m] from its centre."""
        point = (self.points.start, self.points.stop - 1)[end]
        self.bodies.mass[[body, point]] = mass, 0.0
        self.bodies.inverse_mass[[body, point]] = 1.0 / mass, 0.0
        self.bodies.inertia[body], self.bodies.inverse_inertia[body] = inertia, 1.0 / inertia
        self.motion.position[body] = self.motion.position[point] - np.asarray(anchor)
        self.ropes.carrier[0, end], self.ropes.hold[0, 7 * end:7 * end + 3] = body, anchor
        first = self.ropes.rope[0, ELEMENT]
        frame = (first, first + self.ropes.rope[0, ELEMENTS] - 1)[end]
        self.ropes.hold[0, 7 * end + 3:7 * end + 7] = self.motion.quaternion[frame]


def along(directions: np.ndarray) -> np.ndarray:
    """Quaternions (w, x, y, z) whose third axes are the unit `directions`, each turned from the last without twist."""
    frames, before = [], Rotation.identity()
    for d in directions:
        z = before.apply((0.0, 0.0, 1.0))
        axis, c = np.cross(z, d), float(z @ d)
        size = np.linalg.norm(axis)
        turn = axis / size * np.arctan2(size, c) if size > 1e-14 else np.array((0.0 if c > 0 else np.pi, 0.0, 0.0))
        before = Rotation.from_rotvec(turn) * before
        frames.append(before.as_quat(scalar_first=True))
    return np.array(frames)


def lay(kind: int, x: np.ndarray, *, mass: float, radius: float, bend: float, twist: float, stretch: float = np.inf,
        shear: float = np.inf, rest=(0.0, 0.0, 0.0), damping: float = 0.0, pinned=(), clamp_start: bool = False,
        clamp_end: bool = False, quaternions=None, movers_before: int = 3) -> Laid:
    """A rope through the points `x` (N, 3); stiffness of the section, `rest` Darboux vector [1/m].

    A clamp adds a frame that holds the direction of the first or last element where it is now; `pinned` points are held.
    """
    x = np.asarray(x, float)
    chords = np.diff(x, axis=0)
    length = np.linalg.norm(chords, axis=1)
    q = along(chords / length[:, None]) if quaternions is None else np.asarray(quaternions, float)
    before, after, n = int(clamp_start), int(clamp_end), len(x)
    full = np.concatenate([q[:1]] * before + [q] + [q[-1:]] * after)
    lengths = np.concatenate([np.zeros(before), length, np.zeros(after)])
    count, movers = len(full), n + len(full) + movers_before
    first_point, first_element = movers_before, movers_before + n

    bodies = allocate(Bodies, movers)
    shares = mass * length / length.sum()
    m = np.zeros(n)
    m[:-1] += 0.5 * shares
    m[1:] += 0.5 * shares
    bodies.mass[first_point:first_element] = m
    bodies.inverse_mass[first_point:first_element] = 1.0 / m
    for i in pinned:
        bodies.inverse_mass[first_point + (i % n)] = 0.0
    for j in range(n - 1):
        inertia = section_inertia(shares[j], radius)
        bodies.inertia[first_element + before + j] = inertia
        bodies.inverse_inertia[first_element + before + j] = 1.0 / np.array(inertia)

    motion = allocate(Motion, movers)
    motion.quaternion[:, 0] = 1.0
    motion.position[first_point:first_element] = x
    motion.quaternion[first_element:] = full
    ropes = allocate(PointRopes, 1, r=count)
    ropes.rope[0, [KIND, POINT, POINTS, ELEMENT, ELEMENTS, BEFORE]] = kind, first_point, n, first_element, count, before
    ropes.carrier[0] = -1
    ropes.hold[0, [3, 10]] = 1.0
    ropes.damping[0] = damping
    between = np.append(0.5 * (lengths[1:] + lengths[:-1]), 1.0)
    ropes.row[:, LENGTH], ropes.row[:, STRETCH], ropes.row[:, SHEAR] = lengths, stretch, shear
    ropes.row[:, BEND:BEND + 3] = np.array((bend, bend, twist)) / between[:, None]
    ropes.row[:, REST:REST + 3] = np.asarray(rest) * between[:, None]
    ropes.row[:, BETWEEN] = between
    return Laid(ropes, allocate(PointRopeState, r=count), allocate(PointRopeWork, r=count, s=6 * count), bodies, motion,
                allocate(Push, movers))


def straight(n: int, length: float, direction=(1.0, 0.0, 0.0)) -> np.ndarray:
    """Points (n, 3) along a line from the origin."""
    return np.linspace(0.0, length, n)[:, None] * np.asarray(direction)
