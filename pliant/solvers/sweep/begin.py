"""Begins a substep of a rope of impulses: explicit bending and twisting, the matrices of lengths and directions, warm start."""

from ..._jit import kernel
from ...equations.rod.alignment import aside, inverse_response
from ...equations.rod.bend_twist_torque import torque_on_left
from ...equations.rod.inextensibility import above, direction, eliminate
from ...math.quat import axes, load4, rotate, unrotate
from ...math.vec3 import add_at, load, mul, neg, scale, sub
from ...model.point_ropes import (
    ACROSS,
    ANSWER,
    ASIDE,
    BEFORE,
    BEND,
    DIRECTION,
    ELEMENT,
    ELEMENTS,
    NEARNESS,
    PIVOT,
    POINT,
    POINTS,
    REST,
    ROW,
    STRETCHING,
    UPPER,
)
from ..projection.begin import lightness
from ..projection.carrier import follow_carriers, is_carried, light_along, place_carried, turn_body
from ..projection.columns import load_at, store_at
from .solve import align, push_carriers


@kernel
def begin_sweep(ropes, state, work, bodies, motion, k, h):
    """Writes: velocities of rope k, state.impulse, work.row"""
    place_carried(ropes, motion, k)
    follow_carriers(ropes, motion, k)
    bend_and_twist(ropes, bodies, motion, k, h)
    factor(ropes, work, bodies, motion, k)
    start_warm(ropes, state, work, bodies, motion, k)


@kernel
def start_warm(ropes, state, work, bodies, motion, k):
    """The alignment impulses of the last substep act once more; tension counts from zero. Writes: velocities, state.impulse"""
    first, point = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    e = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE]
    for i in range(ropes.rope[k, POINTS] - 1):
        row = first + i
        state.impulse[row, STRETCHING + 2] = 0.0
        push, _ = align(work.row, bodies.inverse_mass, bodies.inverse_inertia, motion.velocity, motion.angular_velocity, row,
                        point + i, e + i, state.impulse[row, 0], state.impulse[row, 1])
        if i == 0 or i == ropes.rope[k, POINTS] - 2:
            push_carriers(ropes, bodies, motion, k, i, push)


@kernel
def bend_and_twist(ropes, bodies, motion, k, h):
    """Torques between neighbouring elements act for `h` [s]. Writes: angular velocities of rope k

    Dampers see the spins before any torque has acted, so that neither end of the rope is the first.
    """
    after = load(motion.angular_velocity, ropes.rope[k, ELEMENT])
    for j in range(ropes.rope[k, ELEMENTS] - 1):
        left, row = ropes.rope[k, ELEMENT] + j, ropes.rope[k, ROW] + j
        before, after = after, load(motion.angular_velocity, left + 1)
        q_left, q_right = load4(motion.quaternion, left), load4(motion.quaternion, left + 1)
        torque = torque_on_left(q_left, q_right, sub(after, before), load_at(ropes.row, row, BEND),
                                load_at(ropes.row, row, REST), ropes.damping[k])
        twist = scale(h, torque)
        turn_by(bodies.inverse_inertia, motion.angular_velocity, left, q_left, twist)
        turn_by(bodies.inverse_inertia, motion.angular_velocity, left + 1, q_right, neg(twist))
        if j == 0 and is_carried(ropes, k, left):
            turn_body(bodies, motion, ropes.carrier[k, 0], twist)
        if j == ropes.rope[k, ELEMENTS] - 2 and is_carried(ropes, k, left + 1):
            turn_body(bodies, motion, ropes.carrier[k, 1], neg(twist))
    follow_carriers(ropes, motion, k)


@kernel
def turn_by(inverse_inertia, angular_velocity, e, q, impulse):
    """Angular `impulse` [N m s, world axes] on element e, which does nothing to a held one. Writes: its angular velocity"""
    add_at(angular_velocity, e, rotate(q, mul(load(inverse_inertia, e), unrotate(q, impulse))))


@kernel
def factor(ropes, work, bodies, motion, k):
    """Matrices of lengths and directions where the rope is now. Writes: work.row"""
    table, light = work.row, bodies.inverse_mass
    first, point = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    e = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE]
    for i in range(ropes.rope[k, POINTS] - 1):
        row, left = first + i, point + i
        right_end = i == ropes.rope[k, POINTS] - 2
        n, distance = direction(load(motion.position, left), load(motion.position, left + 1))
        upper, reduced = 0.0, 0.0
        if i > 0:
            upper = above(load_at(table, row - 1, DIRECTION), n, light[left])
            reduced = upper * table[row - 1, PIVOT]
            table[row - 1, UPPER] = upper
        store_at(table, row, DIRECTION, n)
        table[row, NEARNESS] = 1.0 / distance if distance > 0.0 else 0.0
        before = light_along(ropes, bodies, motion, k, 0, n) if i == 0 else light[left]
        after = light_along(ropes, bodies, motion, k, 1, n) if right_end else light[left + 1]
        table[row, PIVOT] = eliminate(before, after, upper, reduced)
        table[row, UPPER] = 0.0
        d1, d2, _ = axes(load4(motion.quaternion, e + i))
        a1, a2 = aside(n, d1, table[row, NEARNESS]), aside(n, d2, table[row, NEARNESS])
        store_at(table, row, ASIDE, a1)
        store_at(table, row, ASIDE + 3, a2)
        store_at(table, row, ACROSS, d1)
        store_at(table, row, ACROSS + 3, d2)
        both = lightness(ropes, bodies, k, i) if i == 0 or right_end else light[left] + light[left + 1]
        store_at(table, row, ANSWER, inverse_response(a1, a2, both, load(bodies.inverse_inertia, e + i)))
