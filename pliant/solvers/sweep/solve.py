"""Sweeps of a rope of impulses: directions one after another, then lengths all at once by the sweep of Thomas.

Pushing points aside disturbs the lengths, (16) against (8): every call ends with the lengths, so that these hold to rounding
whenever the calls stop, and calls go on until nothing changes.
"""

from ..._jit import kernel
from ...equations.rod.alignment import rates
from ...math.vec3 import add_at, add_scaled, dot, load, norm, scale, sub
from ...model.point_ropes import (
    ACROSS,
    ANSWER,
    ASIDE,
    BEFORE,
    DIRECTION,
    ELEMENT,
    LENGTH,
    PIVOT,
    POINT,
    POINTS,
    ROW,
    SOLVED,
    STRETCHING,
    UPPER,
)
from ..projection.columns import load_at


@kernel
def solve_sweep(ropes, state, work, bodies, motion, k, h):
    """Directions, then lengths; returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse"""
    change = align_all(ropes, state, work, bodies, motion, k)
    return max(change, keep_lengths(ropes, state, work, bodies, motion, k))


@kernel
def keep_lengths(ropes, state, work, bodies, motion, k):
    """A p = -J V. Returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse"""
    table, first, point = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    elements = ropes.rope[k, POINTS] - 1
    for i in range(elements):
        v = sub(load(motion.velocity, point + i + 1), load(motion.velocity, point + i))
        table[first + i, SOLVED] = -dot(load_at(table, first + i, DIRECTION), v)
    sweep(table, first, elements)
    change = 0.0
    for i in range(elements):
        p, left = table[first + i, SOLVED], point + i
        push = scale(p, load_at(table, first + i, DIRECTION))
        add_at(motion.velocity, left, scale(-bodies.inverse_mass[left], push))
        add_at(motion.velocity, left + 1, scale(bodies.inverse_mass[left + 1], push))
        state.impulse[first + i, STRETCHING + 2] += p
        change = max(change, max(bodies.inverse_mass[left], bodies.inverse_mass[left + 1]) * abs(p))
    return change


@kernel
def sweep(table, first, elements):
    """Thomas: solves A x = b in place, b and x in the column SOLVED. Writes: table"""
    for i in range(1, elements):
        row = first + i
        table[row, SOLVED] -= table[row - 1, UPPER] * table[row - 1, PIVOT] * table[row - 1, SOLVED]
    after = 0.0
    for i in range(elements - 1, -1, -1):
        row = first + i
        after = table[row, PIVOT] * (table[row, SOLVED] - table[row, UPPER] * after)
        table[row, SOLVED] = after


@kernel
def align_all(ropes, state, work, bodies, motion, k):
    """One pass over the directions; returns the largest change of a velocity [m/s]. Writes: velocities, state.impulse"""
    table, first, point = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    e, change = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE], 0.0
    for i in range(ropes.rope[k, POINTS] - 1):
        row, left = first + i, point + i
        x, y = rates(load_at(table, row, ASIDE), load_at(table, row, ASIDE + 3), load_at(table, row, ACROSS),
                     load_at(table, row, ACROSS + 3), load(motion.velocity, left), load(motion.velocity, left + 1),
                     load(motion.angular_velocity, e + i))
        a, b, c = load_at(table, row, ANSWER)
        x, y = -(a * x + c * y), -(c * x + b * y)
        state.impulse[row, 0] += x
        state.impulse[row, 1] += y
        change = max(change, align(ropes, work, bodies, motion, k, i, x, y))
    return change


@kernel
def align(ropes, work, bodies, motion, k, i, x, y):
    """Impulses `x`, `y` [N m s] along the two directions of element i; returns how much they change [m/s].

    Writes: velocities of its points, its angular velocity
    """
    table, row, left = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE] + i, ropes.rope[k, POINT] + i
    e = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE] + i
    push = add_scaled(scale(x, load_at(table, row, ASIDE)), y, load_at(table, row, ASIDE + 3))
    add_at(motion.velocity, left, scale(-bodies.inverse_mass[left], push))
    add_at(motion.velocity, left + 1, scale(bodies.inverse_mass[left + 1], push))
    d1, d2 = load_at(table, row, ACROSS), load_at(table, row, ACROSS + 3)
    spin = add_scaled(scale(bodies.inverse_inertia[e, 0] * y, d1), -bodies.inverse_inertia[e, 1] * x, d2)
    add_at(motion.angular_velocity, e, spin)
    lightest = max(bodies.inverse_mass[left], bodies.inverse_mass[left + 1])
    return max(lightest * norm(push), norm(spin) * ropes.row[row, LENGTH])
