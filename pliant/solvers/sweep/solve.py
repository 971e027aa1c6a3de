"""Sweeps of a rope of impulses: directions one after another, then lengths all at once by the sweep of Thomas.

Pushing points aside disturbs the lengths, (16) against (8): every call ends with the lengths, so that these hold to rounding
whenever the calls stop, and calls go on until nothing changes.
"""

from ..._jit import kernel
from ...equations.rod.alignment import rates
from ...math.vec3 import add_at, add_scaled, dot, load, neg, norm, scale, sub
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
from ..projection.carrier import follow_carriers, push_end
from ..projection.columns import load_at


@kernel
def solve_sweep(ropes, state, work, bodies, motion, k, h):
    """Directions, then lengths; returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse"""
    follow_carriers(ropes, motion, k)
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
    for i in (0, elements - 1):
        if elements > 1 or i == 0:
            push_carriers(ropes, bodies, motion, k, i, scale(table[first + i, SOLVED], load_at(table, first + i, DIRECTION)))
    return change


@kernel
def push_carriers(ropes, bodies, motion, k, i, push):
    """`push` [N s] on the second point of element i, its opposite on the first, where these are carried.

    Carried points are held, so that a push on them does nothing by itself. Writes: velocities of carriers and their points
    """
    if i == 0 and ropes.carrier[k, 0] >= 0:
        push_end(ropes, bodies, motion, k, 0, neg(push))
    if i == ropes.rope[k, POINTS] - 2 and ropes.carrier[k, 1] >= 0:
        push_end(ropes, bodies, motion, k, 1, push)


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
    e, last, change = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE], ropes.rope[k, POINTS] - 2, 0.0
    for i in range(last + 1):
        row = first + i
        x, y = missing(table, motion.velocity, motion.angular_velocity, row, point + i, e + i)
        state.impulse[row, 0] += x
        state.impulse[row, 1] += y
        push, spin = align(table, bodies.inverse_mass, bodies.inverse_inertia, motion.velocity, motion.angular_velocity,
                           row, point + i, e + i, x, y)
        if i == 0 or i == last:
            push_carriers(ropes, bodies, motion, k, i, push)
        lightest = max(bodies.inverse_mass[point + i], bodies.inverse_mass[point + i + 1])
        change = max(change, max(lightest * norm(push), norm(spin) * ropes.row[row, LENGTH]))
    return change


@kernel
def missing(table, velocity, angular_velocity, row, left, e):
    """Impulses [N m s] along the two directions of an element that bring their rates to zero."""
    x, y = rates(load_at(table, row, ASIDE), load_at(table, row, ASIDE + 3), load_at(table, row, ACROSS),
                 load_at(table, row, ACROSS + 3), load(velocity, left), load(velocity, left + 1), load(angular_velocity, e))
    a, b, c = load_at(table, row, ANSWER)
    return -(a * x + c * y), -(c * x + b * y)


@kernel
def align(table, inverse_mass, inverse_inertia, velocity, angular_velocity, row, left, e, x, y):
    """Impulses `x`, `y` [N m s] along the two directions of element e.

    Returns (push on its second point [N s], change of its angular velocity [rad/s]). Writes: velocities of its points, its
    angular velocity
    """
    push = add_scaled(scale(x, load_at(table, row, ASIDE)), y, load_at(table, row, ASIDE + 3))
    add_at(velocity, left, scale(-inverse_mass[left], push))
    add_at(velocity, left + 1, scale(inverse_mass[left + 1], push))
    d1, d2 = load_at(table, row, ACROSS), load_at(table, row, ACROSS + 3)
    spin = add_scaled(scale(inverse_inertia[e, 0] * y, d1), -inverse_inertia[e, 1] * x, d2)
    add_at(angular_velocity, e, spin)
    return push, spin
