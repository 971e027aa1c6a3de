"""What a step is asked about: energies, penetration, whether all is finite, and a hash of the motion."""

from math import isfinite
from typing import NamedTuple

import numpy as np

from .._jit import entry, kernel
from ..math.quat import load4, unrotate
from ..math.vec3 import dot, load, mul, norm
from ..model.bodies import DYNAMIC, Bodies, Motion
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import LIMIT_HIGH, ROD, SPRING, Coordinates, CoordinateState, Drives, DriveState, Joints
from ..model.point_ropes import PointRopes
from ..model.ports import Ports
from ..model.rods import GAP_LAW, SCALE, SOFT, Rods
from ..model.rows import Law, Rows
from ..model.springs import Springs, SpringState
from ..solvers.chain.measure import rod_energy, rod_fold, rod_gap
from ..solvers.loop.closure import hardness
from ..solvers.projection.read import elastic_energy, largest_stretch
from ..solvers.rows.contact import FLUSH
from ..solvers.rows.drive import is_limit
from ..solvers.rows.joint import coordinate_rates, joint_width, prepare_coordinates
from ..solvers.rows.spring import prepare_spring


class Measures(NamedTuple):
    """What `measure` returns."""

    kinetic: float
    gravity: float
    elastic: float
    penetration: float
    bad: int
    hash: int
    substeps: int
    iterations: int
    residual: float
    drift: float
    stretch: float
    work: float
    fold: float
    unruly: float
    overrun: float
    squeezed: float
    falling: float


@entry
def measure(bodies: Bodies, motion: Motion, springs: Springs, spring_state: SpringState, drives: Drives,
            drive_state: DriveState, coordinate_state: CoordinateState, joints: Joints, rods: Rods, ropes: PointRopes,
            contacts: Contacts, islands: Islands, outcome: Outcome, gravity: tuple) -> tuple:
    """(kinetic, gravity, elastic energy [J], penetration [m], first body that is not finite or -1, hash,
    most substeps, most iterations, largest residual [m/s or rad/s], largest gap of a joint [m], largest gap over
    an element's length [-], work [J], largest fold of a rod [-], largest speed that springs missed [m/s],
    by how much the limit of a joint is overrun at most [m or rad], what contacts that lie in each other bear, times how
    deep [J], how fast gravity does work [W])."""
    kinetic, potential, falling, bad = measure_bodies(bodies, motion, gravity)
    drift, stretch, fold, elastic = measure_joints(joints, rods, motion)
    for k in range(springs.stiffness.shape[0]):
        elastic += 0.5 * springs.stiffness[k] * spring_state.deflection[k] ** 2
    for k in range(ropes.rope.shape[0]):
        elastic += elastic_energy(ropes, motion, k)
        stretch = max(stretch, largest_stretch(ropes, motion, k))
    overrun, deepest, squeezed = 0.0, 0.0, 0.0
    for k in range(drives.law.shape[0]):
        if drives.law[k] == SPRING:
            elastic += 0.5 * drives.stiffness[k] * drive_state.deflection[k] ** 2
        elif is_limit(drives.law[k]):
            over = coordinate_state.value[drives.coordinate[k]] - drives.rest[k]
            overrun = max(overrun, over if drives.law[k] == LIMIT_HIGH else -over)
    for k in range(contacts.count[0]):
        deepest = max(deepest, -contacts.separation[k])
        squeezed += norm(load(contacts.force, k)) * max(FLUSH - contacts.separation[k], 0.0)
    substeps, iterations, residual, work, unruly = 0, 0, 0.0, 0.0, 0.0
    for i in range(islands.count[0]):
        substeps, iterations = max(substeps, outcome.substeps[i]), max(iterations, outcome.iterations[i])
        residual, drift = max(residual, outcome.residual[i]), max(drift, outcome.drift[i])
        work += outcome.work[i]
        unruly = max(unruly, outcome.unruly[i])
    return (kinetic, potential, elastic, deepest, bad, hash_motion(motion), substeps, iterations, residual, drift, stretch,
            work, fold, unruly, overrun, squeezed, falling)


@kernel
def measure_bodies(bodies, motion, gravity):
    """(kinetic energy, that of gravity [J], how fast gravity does work [W], first body that is not finite or -1)."""
    kinetic, potential, falling, bad = 0.0, 0.0, 0.0, -1
    for i in range(bodies.mass.shape[0]):
        v, w, q = load(motion.velocity, i), load(motion.angular_velocity, i), load4(motion.quaternion, i)
        spin = unrotate(q, w)
        one = 0.5 * bodies.mass[i] * dot(v, v) + 0.5 * dot(spin, mul(load(bodies.inertia, i), spin))
        height = dot(gravity, load(motion.position, i))
        if bodies.kind[i] == DYNAMIC and not isfinite(one + height) and bad < 0:
            bad = i
        kinetic += one
        potential -= bodies.mass[i] * height
        falling += bodies.mass[i] * dot(gravity, v)
    return kinetic, potential, falling, bad


@kernel
def measure_joints(joints, rods, motion):
    """(largest gap of a joint [m], largest gap over an element's length [-], largest fold of a rod [-], elastic energy [J])."""
    drift, stretch, fold, elastic = 0.0, 0.0, 0.0, 0.0
    for j in range(joints.kind.shape[0]):
        if joints.kind[j] == ROD:
            elastic += rod_energy(joints, j, rods.table, motion)
            gap = rod_gap(joints, j, rods.table, motion)
            drift = max(drift, gap if rods.table[joints.rod[j], GAP_LAW] != SOFT or joints.spring[j] > 0.0 else 0.0)
            stretch = max(stretch, gap / rods.table[joints.rod[j], SCALE])
            fold = max(fold, rod_fold(joints, j, rods.table, motion))
        elif hardness(joints, j) > 0.0:
            gap = joint_width(joints, j, motion)
            drift, elastic = max(drift, gap), elastic + 0.5 * joints.spring[j] * gap * gap
    return drift, stretch, fold, elastic


@kernel
def hash_motion(motion):
    """64 bits of the motion's bits, the same for the same bits."""
    h = np.uint64(14695981039346656037)
    h = mix(h, motion.position.view(np.uint64))
    h = mix(h, motion.quaternion.view(np.uint64))
    h = mix(h, motion.velocity.view(np.uint64))
    return mix(h, motion.angular_velocity.view(np.uint64))


@kernel
def mix(h, words):
    """Fold an array of 64-bit words into a hash."""
    for i in range(words.shape[0]):
        for j in range(words.shape[1]):
            h = (h ^ words[i, j]) * np.uint64(1099511628211)
            h ^= h >> np.uint64(29)
    return h


@entry
def begin(joints: Joints, coordinates: Coordinates, coordinate_state: CoordinateState, coordinate_rows: Rows,
          drives: Drives, drive_state: DriveState, springs: Springs, spring_state: SpringState, spring_rows: Rows,
          spring_law: Law, ports: Ports, motion: Motion) -> None:
    """Coordinates and deflections as the geometry has them. Writes: coordinate_state, deflections, scratch"""
    for j in range(joints.kind.shape[0]):
        prepare_coordinates(joints, j, coordinates, ports, motion, coordinate_rows, coordinate_state, True)
        coordinate_rates(joints, j, motion, coordinate_rows, coordinate_state)
    for k in range(drives.law.shape[0]):
        if drives.law[k] == SPRING:
            drive_state.deflection[k] = coordinate_state.value[drives.coordinate[k]] - drives.rest[k]
    for k in range(springs.stiffness.shape[0]):
        prepare_spring(springs, k, spring_state, ports, motion, spring_rows, spring_law, 1.0)
