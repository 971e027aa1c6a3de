"""Rows of springs between points of bodies."""

from math import inf

from ..._jit import kernel
from ...couple.ports import push_row, row_speed, write_row
from ...equations.rigid.distance_spring import distance_row, lengthening
from ...equations.rigid.joint_rows import bow
from ...equations.rigid.soft_constraint import softness
from ...math.quat import from_rotation_vector, load4, rotate
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, norm, scale, sub
from ...model.rows import BIAS, RESPONSE
from .row import set_law, solve_row

HELD = 1e3
"""How many times what a locked spring is off counts, beside gaps of joints [-]."""


@kernel
def prepare_spring(springs, k, state, ports, motion, rows, law, h):
    """Law of spring `k` from the start of a substep. Writes: rows, law and state.deflection at `k`"""
    a, b = springs.body[k, 0], springs.body[k, 1]
    d, r_a, r_b, parting = ends_of(springs, k, motion)
    length, n, arm_a, arm_b = distance_row(d, r_a, r_b, parting)
    bowed = sub(bow(load(motion.angular_velocity, b), r_b, h), bow(load(motion.angular_velocity, a), r_a, h))
    curved = dot(n, bowed) + lengthening(length, n, parting, h)
    write_row(rows, k, ports, a, b, n, arm_a, arm_b)
    set_spring(springs, k, state, law, h, length, curved)


@kernel
def aim_spring(springs, k, state, ports, motion, rows, law, h, start):
    """Law of spring `k` from where its velocities have brought it, `start` [m] its length when the substep began.

    How it grows beyond h J V is known there, and need not be foreseen. Writes: rows, law and state.deflection at `k`
    """
    d, r_a, r_b, parting = ends_of(springs, k, motion)
    length, n, arm_a, arm_b = distance_row(d, r_a, r_b, parting)
    if dot(n, add_scaled(d, -h, parting)) < 0.0:  # its ends have passed each other: go on along the line
        length, n, arm_a, arm_b = -length, neg(n), neg(arm_a), neg(arm_b)
    arm_a, arm_b = turned_back(motion, springs.body[k, 0], h, arm_a), turned_back(motion, springs.body[k, 1], h, arm_b)
    write_row(rows, k, ports, springs.body[k, 0], springs.body[k, 1], n, arm_a, arm_b)
    set_spring(springs, k, state, law, h, start, length - start - h * dot(n, parting))


@kernel
def turned_back(motion, b, h, arm):
    """An arm of body `b` as it lay to the body a time `h` [s] before, from when the inertia is that answers it.

    The rate about it stays what it is, since the body turned about its own angular velocity; and a pull at the axis of a thin
    rod does not turn that about its axis, where a thousandth of other inertias would let it spin.

    Check: tests/exact/test_springs_on_axes.py
    """
    return rotate(from_rotation_vector(scale(-h, load(motion.angular_velocity, b))), arm)


@kernel
def lay_spring(springs, k, ports, motion, rows):
    """The row of spring `k` as it lies now. Writes: rows at `k`"""
    d, r_a, r_b, parting = ends_of(springs, k, motion)
    _, n, arm_a, arm_b = distance_row(d, r_a, r_b, parting)
    write_row(rows, k, ports, springs.body[k, 0], springs.body[k, 1], n, arm_a, arm_b)


@kernel
def resistance(springs, k, ports, motion, rows, h):
    """How many times more [-] spring `k` resists what moves its ends than that does itself in a substep `h` [s].

    Writes: rows
    """
    lay_spring(springs, k, ports, motion, rows)
    return rows.table[k, RESPONSE] / softness(springs.stiffness[k], springs.damping[k], h).gamma


@kernel
def set_spring(springs, k, state, law, h, start, curved):
    """The law of a spring of length `start` [m] that grows by `curved` [m] beyond h J V. Writes: law, state.deflection"""
    soft = softness(springs.stiffness[k], springs.damping[k], h)
    state.deflection[k] = start - springs.rest_length[k]
    bias = (soft.beta * state.deflection[k] + curved) / h
    set_law(law, k, bias, bias, soft.gamma, -inf, inf)


@kernel
def ends_of(springs, k, motion):
    """From one end to the other [m], the levers of the ends [m], and the velocity at which they part [m/s]."""
    a, b = springs.body[k, 0], springs.body[k, 1]
    r_a = rotate(load4(motion.quaternion, a), load(springs.anchor_a, k))
    r_b = rotate(load4(motion.quaternion, b), load(springs.anchor_b, k))
    d = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    v_a = add(load(motion.velocity, a), cross(load(motion.angular_velocity, a), r_a))
    v_b = add(load(motion.velocity, b), cross(load(motion.angular_velocity, b), r_b))
    return d, r_a, r_b, sub(v_b, v_a)


@kernel
def spring_length(springs, k, motion):
    """[m]"""
    d, _, _, _ = ends_of(springs, k, motion)
    return norm(d)


LOCKED = 0.8
"""Share of what moves a spring's ends that its damper takes away in a substep, from which on it counts as locked [-]: below,
what it holds is gone within a few substeps, as in the struts of a vehicle."""


@kernel
def locked_gap(springs, k, state, rows, law, motion, h, length):
    """How far a spring of this `length` is from what its row gave it, as far as its damper locks it, as a gap of joints [m].

    Joints close in the next substep what they gape, and springs are pulled back; a damper would hold it for ever, and the
    energy of a spring drawn by it: it counts HELD times.
    """
    soft, response = softness(springs.stiffness[k], springs.damping[k], h), rows.table[k, RESPONSE]
    locked = (1.0 - soft.beta) * response / (response + soft.gamma)
    if locked < LOCKED:
        return 0.0
    curved = h * law.table[k, BIAS] - soft.beta * state.deflection[k]
    said = springs.rest_length[k] + state.deflection[k] + curved
    said += h * row_speed(rows, k, motion, springs.body[k, 0], springs.body[k, 1])
    return HELD * locked * abs(length - abs(said))


@kernel
def length_before(springs, k, motion, h):
    """Length [m] a time `h` before, gone back along the tangent: that at which a rate J V would have brought it here."""
    d, _, _, parting = ends_of(springs, k, motion)
    return abs(norm(d) - h * dot(d, parting) / max(norm(d), 1e-9))


@kernel
def warm_start_spring(springs, k, state, motion, rows):
    """Writes: velocities"""
    push_row(rows, k, motion, springs.body[k, 0], springs.body[k, 1], state.impulse[k])


@kernel
def solve_spring(springs, k, state, motion, rows, law, relaxed):
    """Writes: state.impulse, velocities; returns |d lambda| response."""
    return solve_row(rows, k, law, k, state.impulse, motion, springs.body[k, 0], springs.body[k, 1], relaxed)
