"""Ends a substep of a rope of impulses, after the movers have moved: drift leaves the positions, never the velocities.

These are the split impulses of the paper, taken where the rope has come to: pseudo-velocities that exist for the length
of this file. ERP is the fraction of an error that one substep takes away.
"""

from ..._jit import kernel
from ...equations.rod.alignment import misalignment
from ...math.quat import axes, from_rotation_vector, load4, qmul, qnormalize, store4
from ...math.vec3 import add_at, add_scaled, scale
from ...model.point_ropes import (
    ACROSS,
    ANSWER,
    ASIDE,
    BEFORE,
    DIRECTION,
    ELEMENT,
    LENGTH,
    NEARNESS,
    POINT,
    POINTS,
    ROW,
    SOLVED,
)
from ..projection.columns import load_at
from ..projection.finish import carry_spin, place_elements
from .begin import factor
from .solve import sweep

ERP = 0.8


@kernel
def finish_sweep(ropes, work, bodies, motion, k, h):
    """Writes: positions, orientations and angular velocities of rope k, work.row"""
    carry_spin(ropes, bodies, motion, k, h)
    factor(ropes, work, bodies, motion, k)
    close_directions(ropes, work, bodies, motion, k)
    factor(ropes, work, bodies, motion, k)
    close_lengths(ropes, work, bodies, motion, k)
    place_elements(ropes, motion, k)


@kernel
def close_lengths(ropes, work, bodies, motion, k):
    """A p* = -ERP G. Writes: positions of points of rope k, work.row"""
    table, first, point = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    elements = ropes.rope[k, POINTS] - 1
    for row in range(first, first + elements):
        distance = 1.0 / table[row, NEARNESS] if table[row, NEARNESS] > 0.0 else 0.0
        table[row, SOLVED] = -ERP * (distance - ropes.row[row, LENGTH])
    sweep(table, first, elements)
    for i in range(elements):
        left, push = point + i, scale(table[first + i, SOLVED], load_at(table, first + i, DIRECTION))
        add_at(motion.position, left, scale(-bodies.inverse_mass[left], push))
        add_at(motion.position, left + 1, scale(bodies.inverse_mass[left + 1], push))


@kernel
def close_directions(ropes, work, bodies, motion, k):
    """Writes: positions of points and orientations of rope k"""
    table, first, point = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    for i in range(ropes.rope[k, POINTS] - 1):
        row, left, e = first + i, point + i, ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE] + i
        q = load4(motion.quaternion, e)
        d1, d2, d3 = axes(q)
        x, y = misalignment(load_at(table, row, DIRECTION), d1, d2, d3)
        a, b, c = load_at(table, row, ANSWER)
        x, y = -ERP * (a * x + c * y), -ERP * (c * x + b * y)
        push = add_scaled(scale(x, load_at(table, row, ASIDE)), y, load_at(table, row, ASIDE + 3))
        add_at(motion.position, left, scale(-bodies.inverse_mass[left], push))
        add_at(motion.position, left + 1, scale(bodies.inverse_mass[left + 1], push))
        spin = add_scaled(scale(bodies.inverse_inertia[e, 0] * y, load_at(table, row, ACROSS)),
                          -bodies.inverse_inertia[e, 1] * x, load_at(table, row, ACROSS + 3))
        store4(motion.quaternion, e, qnormalize(qmul(from_rotation_vector(spin), q)))
