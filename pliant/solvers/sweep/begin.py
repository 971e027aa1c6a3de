"""Begins a substep of a rope of impulses: explicit bending and twisting, the matrices of lengths and directions, warm start."""

from ..._jit import kernel
from ...equations.rod.alignment import aside, inverse_response
from ...equations.rod.bend_twist_torque import torque_on_left
from ...equations.rod.inextensibility import above, direction, eliminate
from ...math.quat import axes, load4, rotate, unrotate
from ...math.vec3 import add_at, load, mul, scale, sub
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
from ..projection.columns import load_at, store_at
from .solve import align


@kernel
def begin_sweep(ropes, state, work, bodies, motion, k, h):
    """Writes: velocities of rope k, state.impulse, work.row"""
    bend_and_twist(ropes, bodies, motion, k, h)
    factor(ropes, work, bodies, motion, k)
    first = ropes.rope[k, ROW] + ropes.rope[k, BEFORE]
    for i in range(ropes.rope[k, POINTS] - 1):
        state.impulse[first + i, STRETCHING + 2] = 0.0
        align(ropes, work, bodies, motion, k, i, state.impulse[first + i, 0], state.impulse[first + i, 1])


@kernel
def bend_and_twist(ropes, bodies, motion, k, h):
    """Torques between neighbouring elements act for `h` [s]. Writes: angular velocities of rope k"""
    for j in range(ropes.rope[k, ELEMENTS] - 1):
        left, row = ropes.rope[k, ELEMENT] + j, ropes.rope[k, ROW] + j
        q_left, q_right = load4(motion.quaternion, left), load4(motion.quaternion, left + 1)
        spin = sub(load(motion.angular_velocity, left + 1), load(motion.angular_velocity, left))
        torque = torque_on_left(q_left, q_right, spin, load_at(ropes.row, row, BEND), load_at(ropes.row, row, REST),
                                ropes.damping[k])
        turn(motion, bodies, left, q_left, scale(h, torque))
        turn(motion, bodies, left + 1, q_right, scale(-h, torque))


@kernel
def turn(motion, bodies, e, q, impulse):
    """An angular `impulse` [N m s, world axes] on element e. Writes: its angular velocity"""
    add_at(motion.angular_velocity, e, rotate(q, mul(load(bodies.inverse_inertia, e), unrotate(q, impulse))))


@kernel
def factor(ropes, work, bodies, motion, k):
    """Matrices of lengths and directions where the rope is now. Writes: work.row"""
    table, light = work.row, bodies.inverse_mass
    first, point = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    e = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE]
    for i in range(ropes.rope[k, POINTS] - 1):
        row, left = first + i, point + i
        n, distance = direction(load(motion.position, left), load(motion.position, left + 1))
        upper, reduced = 0.0, 0.0
        if i > 0:
            upper = above(load_at(table, row - 1, DIRECTION), n, light[left])
            reduced = upper * table[row - 1, PIVOT]
            table[row - 1, UPPER] = upper
        store_at(table, row, DIRECTION, n)
        table[row, NEARNESS] = 1.0 / distance if distance > 0.0 else 0.0
        table[row, PIVOT] = eliminate(light[left], light[left + 1], upper, reduced)
        table[row, UPPER] = 0.0
        d1, d2, _ = axes(load4(motion.quaternion, e + i))
        a1, a2 = aside(n, d1, table[row, NEARNESS]), aside(n, d2, table[row, NEARNESS])
        store_at(table, row, ASIDE, a1)
        store_at(table, row, ASIDE + 3, a2)
        store_at(table, row, ACROSS, d1)
        store_at(table, row, ACROSS + 3, d2)
        answer = inverse_response(a1, a2, light[left] + light[left + 1], load(bodies.inverse_inertia, e + i))
        store_at(table, row, ANSWER, answer)
