"""The three rows of a contact (normal, two tangents) and the two bodies they push.

They share a point: the velocities of both bodies are read once for all three, and pushed at once.
"""

from typing import NamedTuple

from ..._jit import kernel, merged
from ...collide.plane import FIRST_ON_RIM
from ...collide.ridges import FIRST_RIDGE
from ...couple.ports import answer, load_at, store_at
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, perpendicular, scale, store, sub
from ...model.rows import (
    AHEAD,
    APPROACH,
    ASIDE,
    BEFORE,
    CLOCK,
    FRAME,
    FRICTION,
    FROM_CLOCK,
    FROM_GAP,
    FROM_SLIP,
    GAP,
    HEFT,
    IMPULSE,
    LEVER_A,
    LEVER_B,
    LIGHTNESS,
    MIXED,
    RESTITUTION,
    SLIP,
    STANDS,
    TOTAL,
    TURN_A,
    TURN_B,
    UNTIL,
    YIELD,
)
from ...model.shapes import BOX, CYLINDER, FIELD, HULL, PLANE
from .contact_core import find_cores

ZERO = (0.0, 0.0, 0.0)
ROUND = 1e-6
"""Contacts of a ball lie below it to so much of its radius [-]."""
STRAIGHT = 0.1
"""What turns by less of its speed [-] comes straight."""


@kernel
def prepare_contact(contacts, k, shapes, ports, motion, work):
    """Contact `k` for a whole step, in which it goes as contact_course.py says. Writes: work at `k`"""
    s_a, s_b = contacts.shape[k, 0], contacts.shape[k, 1]
    a, b = shapes.body[s_a], shapes.body[s_b]
    point, n, table = load(contacts.position, k), load(contacts.normal, k), work.table
    apart = load(contacts.apart, k)
    mid_a = sub(add_scaled(point, -0.5, apart), load(motion.position, a))
    mid_b = sub(add_scaled(point, 0.5, apart), load(motion.position, b))
    vertex = side_of_point(shapes, s_a, s_b, contacts.feature[k])
    r_a, r_b = touching_levers(contacts, k, ports, motion, a, b, vertex, mid_a, mid_b, n)
    t = perpendicular(n)
    s = cross(n, t)
    if vertex < 0:
        wide = 0.5 * contacts.separation[k] if contacts.until[k] == 0.0 else 0.0
        vertex = find_cores(work.core, k, shapes, s_a, s_b, motion, n, contacts.feature[k],
                            wide + dot(n, sub(r_a, mid_a)), wide - dot(n, sub(r_b, mid_b)))
    work.body[k, 0], work.body[k, 1], work.body[k, 2] = a, b, vertex
    place_rows_of(table, k, ports, a, b, r_a, r_b, n, t, s)
    table[k, CLOCK] = table[k, FROM_CLOCK] = 0.0
    table[k, STANDS] = contacts.until[k]
    table[k, LIGHTNESS], table[k, LIGHTNESS + 1] = ports.inverse_mass[a], ports.inverse_mass[b]
    kept, crept = load(contacts.friction_impulse, k), load(contacts.slip, k)
    store_at(table, k, IMPULSE, (contacts.impulse[k], dot(kept, t), dot(kept, s)))
    store_at(table, k, TOTAL, ZERO)
    work.course[k, AHEAD], work.course[k, UNTIL] = 0.0, contacts.until[k]
    store_at(work.course, k, ASIDE, ZERO)
    table[k, SLIP], table[k, SLIP + 1] = dot(crept, t), dot(crept, s)
    table[k, GAP] = contacts.separation[k]
    table[k, FRICTION] = max(shapes.friction[s_a], shapes.friction[s_b])
    table[k, RESTITUTION] = max(shapes.restitution[s_a], shapes.restitution[s_b])


@kernel
def touching_levers(contacts, k, ports, motion, a, b, vertex, r_a, r_b, n):
    """Levers [m] of contact `k`, of those amid its gap: where one body stands the other one's are at its surface."""
    if vertex == 1 and ports.inverse_mass[a] == 0.0:
        r_b = add_scaled(r_b, 0.5 * contacts.separation[k], n)
    elif vertex == 0 and ports.inverse_mass[b] == 0.0:
        r_a = add_scaled(r_a, -0.5 * contacts.separation[k], n)
    elif contacts.until[k] > 0.0:
        pass
    elif contacts.separation[k] > 0.0 and ports.inverse_mass[a] == 0.0:
        r_b = touching_lever(motion, b, r_b, n, 0.5 * contacts.separation[k])
    elif contacts.separation[k] > 0.0 and ports.inverse_mass[b] == 0.0:
        r_a = touching_lever(motion, a, r_a, n, -0.5 * contacts.separation[k])
    return r_a, r_b


@kernel
def touching_lever(motion, k, r, n, wide):
    """Lever [m] at which body `k` will touch what stands, `wide` [m] along `n` from where the contact lies amid the gap.

    It touches with its surface, if it is a ball or comes without turning much; what swings comes round.
    """
    v, w, aside = load(motion.velocity, k), load(motion.angular_velocity, k), cross(r, n)
    if dot(aside, aside) < ROUND**2 * dot(r, r) or dot(w, w) * dot(r, r) < STRAIGHT**2 * dot(v, v):
        return add_scaled(r, wide, n)
    return r


@kernel
def side_of_point(shapes, s_a, s_b, feature):
    """Which of two shapes touches ground with a vertex, or a point of its rim that turns with it: 0 or 1; -1 if neither."""
    on_a, on_b = is_ground(shapes.kind[s_a]), is_ground(shapes.kind[s_b])
    if on_a == on_b or feature >= FIRST_RIDGE:
        return -1
    kind, which = shapes.kind[s_b] if on_a else shapes.kind[s_a], 1 if on_a else 0
    if kind == BOX or kind == HULL or (kind == CYLINDER and feature >= FIRST_ON_RIM):
        return which
    return -1


@kernel
def is_ground(kind):
    """Whether a shape is a plane or a field."""
    return kind == PLANE or kind == FIELD


@kernel
def place_rows_of(table, k, ports, a, b, r_a, r_b, n, t, s):
    """The rows of contact `k` along `n`, `t` and `s`, at `r_a` and `r_b` [m] from its bodies. Writes: table at `k`"""
    store_at(table, k, LEVER_A, r_a)
    store_at(table, k, LEVER_B, r_b)
    prepare_axis(table, k, 0, ports, a, b, n, r_a, r_b)
    prepare_axis(table, k, 1, ports, a, b, t, r_a, r_b)
    prepare_axis(table, k, 2, ports, a, b, s, r_a, r_b)
    turned_a, turned_b = cross(r_a, n), cross(r_b, n)
    for r in range(2):  # what a push along a tangent does to the speed along the normal: the linear parts are at right angles
        turn_a, turn_b = load_at(table, k, TURN_A + 3 * r + 3), load_at(table, k, TURN_B + 3 * r + 3)
        table[k, MIXED + r] = dot(turned_b, turn_b) - dot(turned_a, turn_a)


@kernel
def prepare_axis(table, k, r, ports, a, b, e, r_a, r_b):
    """Row `r` of contact `k`, along `e`. Writes: table at `k`"""
    arm_a, arm_b = cross(r_a, e), cross(r_b, e)
    v_a, w_a = answer(ports, a, neg(e), neg(arm_a))
    v_b, w_b = answer(ports, b, e, arm_b)
    store_at(table, k, FRAME + 3 * r, e)
    store_at(table, k, TURN_A + 3 * r, w_a)
    store_at(table, k, TURN_B + 3 * r, w_b)
    table[k, YIELD + r] = dot(e, sub(v_b, v_a)) + dot(arm_b, w_b) - dot(arm_a, w_a)
    table[k, HEFT + r] = 1.0 / table[k, YIELD + r]


class Pair(NamedTuple):
    """Velocities of the two bodies of a contact."""

    v_a: tuple[float, float, float]
    w_a: tuple[float, float, float]
    v_b: tuple[float, float, float]
    w_b: tuple[float, float, float]


@merged
def load_pair(motion, a, b):
    """Velocities [m/s, rad/s] of bodies `a` and `b`."""
    return Pair(load(motion.velocity, a), load(motion.angular_velocity, a),
                load(motion.velocity, b), load(motion.angular_velocity, b))


@merged
def store_pair(motion, a, b, pair):
    """Writes: velocities"""
    store(motion.velocity, a, pair.v_a)
    store(motion.angular_velocity, a, pair.w_a)
    store(motion.velocity, b, pair.v_b)
    store(motion.angular_velocity, b, pair.w_b)


@merged
def speeds_at(table, k, pair):
    """J V of the three rows of contact `k` [m/s]."""
    v_a = add(pair.v_a, cross(pair.w_a, load_at(table, k, LEVER_A)))
    v_b = add(pair.v_b, cross(pair.w_b, load_at(table, k, LEVER_B)))
    u = sub(v_b, v_a)
    return dot(load_at(table, k, FRAME), u), dot(load_at(table, k, FRAME + 3), u), dot(load_at(table, k, FRAME + 6), u)


@merged
def pushed_at(table, k, pair, x, y, z):
    """The velocities after the impulses of the three rows of contact `k` [N s]."""
    along = mixed(table, k, FRAME, x, y, z)
    return Pair(add_scaled(pair.v_a, -table[k, LIGHTNESS], along), add(pair.w_a, mixed(table, k, TURN_A, x, y, z)),
                add_scaled(pair.v_b, table[k, LIGHTNESS + 1], along), add(pair.w_b, mixed(table, k, TURN_B, x, y, z)))


@merged
def mixed(table, k, c, x, y, z):
    """Sum of the three vectors from column `c`, times x, y and z."""
    return add_scaled(add_scaled(scale(x, load_at(table, k, c)), y, load_at(table, k, c + 3)), z, load_at(table, k, c + 6))


@kernel
def meet(k, motion, work, few):
    """Note the speed with which the surfaces meet, where they are, and what softness is counted from. Writes: work

    Of `few` contacts, which are solved to the end, it is the impulse of the substep before; sweeps that are not would keep
    their errors alive by that.
    """
    table = work.table
    table[k, BEFORE] = table[k, IMPULSE] if few else 0.0
    table[k, FROM_GAP], table[k, FROM_SLIP], table[k, FROM_SLIP + 1] = table[k, GAP], table[k, SLIP], table[k, SLIP + 1]
    work.table[k, APPROACH] = speeds_at(work.table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))[0]


@kernel
def in_tree(part, ports, k):
    """Whether body `k` moves as part of a tree."""
    return part[k] >= 0 and ports.inverse_mass[k] > 0.0


@kernel
def answer_of(part, k, a, b, own):
    """How velocities of body `k`, if it is in no tree, answer: as bodies `a` and `b` by themselves."""
    if part[k] < 0 and k == a:
        return own.v_a, own.w_a
    if part[k] < 0 and k == b:
        return own.v_b, own.w_b
    return ZERO, ZERO


@kernel
def warm_start_contact(k, motion, work):
    """Writes: velocities"""
    a, b = work.body[k, 0], work.body[k, 1]
    x, y, z = load_at(work.table, k, IMPULSE)
    store_pair(motion, a, b, pushed_at(work.table, k, load_pair(motion, a, b), x, y, z))


@kernel
def step_back(k, work):
    """Gap, creep and clock as they were when the substep began. Writes: work"""
    table = work.table
    table[k, GAP], table[k, SLIP], table[k, SLIP + 1] = table[k, FROM_GAP], table[k, FROM_SLIP], table[k, FROM_SLIP + 1]
    table[k, CLOCK] = table[k, FROM_CLOCK]
    store_at(work.course, k, ASIDE, ZERO)
