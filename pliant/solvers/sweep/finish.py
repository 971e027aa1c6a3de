"""Ends a substep of a rope of impulses, after the movers have moved: drift leaves the positions, never the velocities.

These are the split impulses of the paper, taken where the rope has come to: pseudo-velocities that exist for the length
of this file. ERP is the fraction of an error that one substep takes away.
"""

from ..._jit import kernel
from ...equations.rod.alignment import misalignment
from ...math.quat import axes, from_rotation_vector, load4, qmul, qnormalize, store4
from ...math.vec3 import add_at, add_scaled, neg, scale
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
from ..projection.carrier import place_carried, shift_end
from ..projection.columns import load_at
from ..projection.finish import carry_spin, place_elements
from .begin import factor
from .solve import sweep

ERP = 0.8


@kernel
def finish_sweep(ropes, work, bodies, motion, k, h):
    """Writes: positions, orientations and angular velocities of rope k, work.row"""
    carry_spin(ropes, bodies, motion, k, h)
    place_carried(ropes, motion, k)
    factor(ropes, work, bodies, motion, k)
    close_directions(ropes, work, bodies, motion, k)
    factor(ropes, work, bodies, motion, k)
    close_lengths(ropes, work, bodies, motion, k)
    place_elements(ropes, motion, k)


@kernel
def close_lengths(ropes, work, bodies, motion, k):
    """A p* = -ERP G. Writes: positions of points of rope k, work.row"""
    table, first = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE]
    elements = ropes.rope[k, POINTS] - 1
    for row in range(first, first + elements):
        distance = 1.0 / table[row, NEARNESS] if table[row, NEARNESS] > 0.0 else 0.0
        table[row, SOLVED] = -ERP * (distance - ropes.row[row, LENGTH])
    sweep(table, first, elements)
    for i in range(elements):
        push = scale(table[first + i, SOLVED], load_at(table, first + i, DIRECTION))
        shift_apart(bodies.inverse_mass, motion.position, ropes.rope[k, POINT] + i, push)
        if i == 0 or i == elements - 1:
            shift_carriers(ropes, bodies, motion, k, i, push)


@kernel
def shift_apart(inverse_mass, position, left, push):
    """Moves two neighbouring points apart as `push` [kg m] says; held ones stay. Writes: their positions"""
    add_at(position, left, scale(-inverse_mass[left], push))
    add_at(position, left + 1, scale(inverse_mass[left + 1], push))


@kernel
def shift_carriers(ropes, bodies, motion, k, i, push):
    """The same for the carriers of the ends that element i touches. Writes: where they and their points are"""
    if i == 0 and ropes.carrier[k, 0] >= 0:
        shift_end(ropes, bodies, motion, k, 0, neg(push))
    if i == ropes.rope[k, POINTS] - 2 and ropes.carrier[k, 1] >= 0:
        shift_end(ropes, bodies, motion, k, 1, push)


@kernel
def close_directions(ropes, work, bodies, motion, k):
    """Writes: positions of points and orientations of rope k"""
    table, first = work.row, ropes.rope[k, ROW] + ropes.rope[k, BEFORE]
    for i in range(ropes.rope[k, POINTS] - 1):
        row, e = first + i, ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE] + i
        q = load4(motion.quaternion, e)
        d1, d2, d3 = axes(q)
        x, y = misalignment(load_at(table, row, DIRECTION), d1, d2, d3)
        a, b, c = load_at(table, row, ANSWER)
        x, y = -ERP * (a * x + c * y), -ERP * (c * x + b * y)
        push = add_scaled(scale(x, load_at(table, row, ASIDE)), y, load_at(table, row, ASIDE + 3))
        shift_apart(bodies.inverse_mass, motion.position, ropes.rope[k, POINT] + i, push)
        if i == 0 or i == ropes.rope[k, POINTS] - 2:
            shift_carriers(ropes, bodies, motion, k, i, push)
        spin = add_scaled(scale(bodies.inverse_inertia[e, 0] * y, load_at(table, row, ACROSS)),
                          -bodies.inverse_inertia[e, 1] * x, load_at(table, row, ACROSS + 3))
        store4(motion.quaternion, e, qnormalize(qmul(from_rotation_vector(spin), q)))
