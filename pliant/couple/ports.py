"""Ports: rows ask a mover for its velocity, push it, and ask how it would answer a push; they know nothing else of it.

A free body answers by its own inverse mass. A body inside a block is answered for by the block, here the one-body block,
which answers as its body does. To rows of soft things bodies answer through their trees (soft/carriers.py) and vertices through
their factor (soft/body.py).
"""

from math import inf

from .._jit import kernel, merged
from ..math.sym3 import load6, sym_mul
from ..math.vec3 import add_scaled, dot, load, neg, scale, store, sub
from ..model.rows import ANSWER, ARM_A, ARM_B, RESPONSE


@kernel
def answer(ports, i, linear, angular):
    """Change of (velocity [m/s], angular velocity [rad/s]) of port `i` for an impulse (`linear`, `angular`)."""
    if ports.block[i] >= 0:
        return block_answer(ports, i, linear, angular)
    return body_answer(ports, i, linear, angular)


@kernel
def body_answer(ports, i, linear, angular):
    """M^-1 of one rigid body."""
    return scale(ports.inverse_mass[i], linear), sym_mul(load6(ports.inverse_inertia, i), angular)


@kernel
def block_answer(ports, i, linear, angular):
    """As the block of port `i` answers, its other members free to follow; a one-body block is its body."""
    return body_answer(ports, i, linear, angular)


@kernel
def answers_of(ports, islands, i):
    """(least, most) inverse mass [1/kg] of what moves in an island, of its heaviest and its lightest; (inf, 0) of nothing."""
    least, most = inf, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        inverse = ports.inverse_mass[islands.body[m]]
        if inverse > 0.0:
            least, most = min(least, inverse), max(most, inverse)
    return least, most


@kernel
def write_row(rows, k, ports, a, b, n, arm_a, arm_b):
    """Row `k` between ports `a` and `b`: Jacobian, the ports' answers, response. Writes: rows"""
    write_jacobian(rows, k, n, arm_a, arm_b)
    answer_row(rows, k, ports, a, b)


@kernel
def write_jacobian(rows, k, n, arm_a, arm_b):
    """Writes: rows at `k`"""
    store_at(rows.table, k, 0, n)
    store_at(rows.table, k, ARM_A, arm_a)
    store_at(rows.table, k, ARM_B, arm_b)


@kernel
def answer_row(rows, k, ports, a, b):
    """How ports `a` and `b` answer along row `k`, whose Jacobian is written. Writes: rows at `k`"""
    n, arm_a, arm_b = load_at(rows.table, k, 0), load_at(rows.table, k, ARM_A), load_at(rows.table, k, ARM_B)
    v_a, w_a = answer(ports, a, neg(n), neg(arm_a))
    v_b, w_b = answer(ports, b, n, arm_b)
    store_at(rows.table, k, ANSWER, v_a)
    store_at(rows.table, k, ANSWER + 3, w_a)
    store_at(rows.table, k, ANSWER + 6, v_b)
    store_at(rows.table, k, ANSWER + 9, w_b)
    rows.table[k, RESPONSE] = dot(n, sub(v_b, v_a)) + dot(arm_b, w_b) - dot(arm_a, w_a)


@kernel
def row_speed(rows, k, motion, a, b):
    """J V of row `k` [m/s or rad/s]."""
    return speed_along(rows, k, speeds_between(motion, a, b))


@kernel
def speeds_between(motion, a, b):
    """How fast ports `a` and `b` part [m/s], and their angular velocities [rad/s]: what all rows between them ask for."""
    return (sub(load(motion.velocity, b), load(motion.velocity, a)), load(motion.angular_velocity, a),
            load(motion.angular_velocity, b))


@kernel
def speed_along(rows, k, speeds):
    """J V of row `k` [m/s or rad/s], of what `speeds_between` found."""
    parting, w_a, w_b = speeds
    return (dot(load_at(rows.table, k, 0), parting) + dot(load_at(rows.table, k, ARM_B), w_b)
            - dot(load_at(rows.table, k, ARM_A), w_a))


@kernel
def push_row(rows, k, motion, a, b, impulse):
    """Push both ports along row `k` by `impulse` [N s or N m s]. Writes: motion.velocity, motion.angular_velocity"""
    store(motion.velocity, a, add_scaled(load(motion.velocity, a), impulse, load_at(rows.table, k, ANSWER)))
    store(motion.angular_velocity, a, add_scaled(load(motion.angular_velocity, a), impulse, load_at(rows.table, k, ANSWER + 3)))
    store(motion.velocity, b, add_scaled(load(motion.velocity, b), impulse, load_at(rows.table, k, ANSWER + 6)))
    store(motion.angular_velocity, b, add_scaled(load(motion.angular_velocity, b), impulse, load_at(rows.table, k, ANSWER + 9)))


@kernel
def load_at(array, k, c):
    return array[k, c], array[k, c + 1], array[k, c + 2]


@kernel
def store_at(array, k, c, v):
    array[k, c] = v[0]
    array[k, c + 1] = v[1]
    array[k, c + 2] = v[2]


@merged
def speeds_of(motion, a, b):
    """Velocities and angular velocities of bodies `a` and `b`."""
    return (load(motion.velocity, a), load(motion.angular_velocity, a), load(motion.velocity, b),
            load(motion.angular_velocity, b))
