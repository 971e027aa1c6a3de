"""Rows of springs between points of bodies."""

from math import inf

from ..._jit import kernel
from ...couple.ports import push_row, write_row
from ...equations.rigid.distance_spring import distance_row, lengthening
from ...equations.rigid.joint_rows import bow
from ...equations.rigid.soft_constraint import softness
from ...math.quat import load4, rotate
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, norm, sub
from .row import set_law, solve_row


@kernel
def prepare_spring(springs, k, state, ports, motion, rows, law, h, moved):
    """Law of spring `k` from the start of a substep (`moved` 0) or from where its velocities have brought it (1).

    Writes: rows, law and state.deflection at `k`
    """
    a, b = springs.body[k, 0], springs.body[k, 1]
    r_a = rotate(load4(motion.quaternion, a), load(springs.anchor_a, k))
    r_b = rotate(load4(motion.quaternion, b), load(springs.anchor_b, k))
    d = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    v_a = add(load(motion.velocity, a), cross(load(motion.angular_velocity, a), r_a))
    v_b = add(load(motion.velocity, b), cross(load(motion.angular_velocity, b), r_b))
    parting = sub(v_b, v_a)
    length, n, arm_a, arm_b = distance_row(d, r_a, r_b, parting)
    if moved > 0.0 and dot(n, add_scaled(d, -h, parting)) < 0.0:  # its ends have passed each other: go on along the line
        length, n, arm_a, arm_b = -length, neg(n), neg(arm_a), neg(arm_b)
    bowed = sub(bow(load(motion.angular_velocity, b), r_b, h), bow(load(motion.angular_velocity, a), r_a, h))
    curved = (1.0 - moved) * (dot(n, bowed) + lengthening(length, n, parting, h))
    write_row(rows, k, ports, a, b, n, arm_a, arm_b)
    soft = softness(springs.stiffness[k], springs.damping[k], h)
    state.deflection[k] = length - springs.rest_length[k] - moved * h * dot(n, parting)
    bias = (soft.beta * state.deflection[k] + curved) / h
    set_law(law, k, bias, bias, soft.gamma, -inf, inf)


@kernel
def spring_length(springs, k, motion):
    """[m]"""
    a, b = springs.body[k, 0], springs.body[k, 1]
    r_a = rotate(load4(motion.quaternion, a), load(springs.anchor_a, k))
    r_b = rotate(load4(motion.quaternion, b), load(springs.anchor_b, k))
    return norm(sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a)))


@kernel
def warm_start_spring(springs, k, state, motion, rows):
    """Writes: velocities"""
    push_row(rows, k, motion, springs.body[k, 0], springs.body[k, 1], state.impulse[k])


@kernel
def solve_spring(springs, k, state, motion, rows, law, relaxed):
    """Writes: state.impulse, velocities; returns |d lambda| response."""
    return solve_row(rows, k, law, k, state.impulse, motion, springs.body[k, 0], springs.body[k, 1], relaxed)
