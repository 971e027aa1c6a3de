"""What a projected rope says of itself: forces and moments by its impulses, bend and twist, energy."""

from math import inf

from ..._jit import entry, kernel
from ...equations.rod.darboux_vector import bend_twist, moment_of, relative
from ...equations.rod.stretch_shear import chord_in_element, stretch_shear
from ...math.quat import load4, unrotate
from ...math.vec3 import add_scaled, load, norm, sub
from ...model.bodies import Motion
from ...model.point_ropes import (
    BEFORE,
    BEND,
    BENDING,
    BETWEEN,
    ELEMENT,
    ELEMENTS,
    KIND,
    LENGTH,
    MOMENT,
    POINT,
    POINTS,
    POSITION,
    REST,
    ROW,
    SHEAR,
    SHEAR_FORCE,
    STRETCH,
    STRETCHING,
    TENSION,
    PointRopeReadings,
    PointRopes,
)
from .columns import load_at, store_at


@kernel
def note_projection(ropes, state, motion, k, dt):
    """What a substep adds to the means of a step `dt` [s]. Writes: state.mean of rope k"""
    table, impulse = state.mean, state.impulse
    for j in range(ropes.rope[k, ELEMENTS]):
        row = ropes.rope[k, ROW] + j
        x, y, z = unrotate(load4(motion.quaternion, ropes.rope[k, ELEMENT] + j), load_at(impulse, row, STRETCHING))
        table[row, TENSION] -= z / dt
        table[row, SHEAR_FORCE] -= x / dt
        table[row, SHEAR_FORCE + 1] -= y / dt
        m = load_at(impulse, row, BENDING)
        if ropes.rope[k, KIND] == POSITION and j + 1 < ropes.rope[k, ELEMENTS]:
            left = ropes.rope[k, ELEMENT] + j
            q = load4(motion.quaternion, left)
            m = moment_of(relative(q, load4(motion.quaternion, left + 1)), q, m)
        store_at(table, row, MOMENT, add_scaled(load_at(table, row, MOMENT), -1.0 / dt, m))


@kernel
def read_bends(ropes, motion, readings, k):
    """Writes: readings.row of rope k"""
    for j in range(ropes.rope[k, ELEMENTS] - 1):
        row, left = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
        u = bend_twist(relative(load4(motion.quaternion, left), load4(motion.quaternion, left + 1)))
        between = ropes.row[row, BETWEEN]
        store_at(readings.row, row, 0, (u[0] / between, u[1] / between, u[2] / between))


@kernel
def elastic_energy(ropes, motion, k):
    """Energy [J] of all that is neither rigid nor without stiffness in rope k."""
    energy, rope = 0.0, ropes.rope
    for j in range(rope[k, ELEMENTS]):
        row, e, left = rope[k, ROW] + j, rope[k, ELEMENT] + j, rope[k, POINT] + j - rope[k, BEFORE]
        q, length = load4(motion.quaternion, e), ropes.row[row, LENGTH]
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            chord = sub(load(motion.position, left + 1), load(motion.position, left))
            x, y, z = stretch_shear(chord_in_element(q, chord), length)
            if ropes.row[row, SHEAR] < inf:
                energy += 0.5 * ropes.row[row, SHEAR] / length * (x * x + y * y)
            if ropes.row[row, STRETCH] < inf:
                energy += 0.5 * ropes.row[row, STRETCH] / length * z * z
        if j + 1 < rope[k, ELEMENTS]:
            strain = sub(bend_twist(relative(q, load4(motion.quaternion, e + 1))), load_at(ropes.row, row, REST))
            for c in range(3):
                if ropes.row[row, BEND + c] < inf:
                    energy += 0.5 * ropes.row[row, BEND + c] * strain[c] * strain[c]
    return energy


@kernel
def largest_stretch(ropes, motion, k):
    """How much an element of rope k that should not stretch is longer or shorter than it should be, at most [-]."""
    first, point, worst = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT], 0.0
    for i in range(ropes.rope[k, POINTS] - 1):
        if ropes.row[first + i, STRETCH] == inf:
            chord = norm(sub(load(motion.position, point + i + 1), load(motion.position, point + i)))
            worst = max(worst, abs(chord / ropes.row[first + i, LENGTH] - 1.0))
    return worst


@entry
def read_where(ropes: PointRopes, motion: Motion, readings: PointRopeReadings, k: int) -> float:
    """How a rope bends and twists; returns its elastic energy [J]. Writes: readings of rope k"""
    read_bends(ropes, motion, readings, k)
    return elastic_energy(ropes, motion, k)
