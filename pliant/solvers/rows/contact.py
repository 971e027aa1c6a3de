"""Contacts: a normal that only pushes, softly and beforehand, and friction within Coulomb's disc.

A contact is three rows (normal, two tangents) at one point, solved together: the velocities of its two bodies are read
once, what friction does to the normal's speed is reckoned from the rows' answers, and all is pushed at once. Most of the
time of a heap is spent here.
"""

from typing import NamedTuple

from ..._jit import kernel, merged
from ...couple.ports import answer, load_at, store_at
from ...equations.contact.coulomb import within_disc
from ...equations.contact.restitution import rebound_speed
from ...equations.rigid.soft_constraint import softness_by_frequency
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, perpendicular, scale, store, sub
from ...model.rows import (
    APPROACH,
    BEFORE,
    FRAME,
    FRICTION,
    GAP,
    HEFT,
    IMPULSE,
    LEVER_A,
    LEVER_B,
    LIGHTNESS,
    MIXED,
    RESTITUTION,
    SLIDES,
    SLIP,
    TOTAL,
    TURN_A,
    TURN_B,
    YIELD,
)

PUSH_SPEED = 3.0
"""Largest speed [m/s] at which a penetration is pushed out."""
DAMPING_RATIO = 10.0
"""Of the spring that pushes a penetration out [-]."""
RATE = 0.25
"""Frequency of that spring, as a share of the substeps' [-]."""
SLOP = 2e-4
"""Penetration [m] that is left alone, so that resting contacts do not come and go and heaps calm down."""
CREEP_BACK = 0.2
"""Share of a sticking contact's creep that a substep takes back [-]."""
ZERO = (0.0, 0.0, 0.0)


class Push(NamedTuple):
    """How penetrations are pushed out in a sweep."""

    rate: float
    """Share of a penetration that goes in a second [1/s]."""
    ease: float
    """Share of a rigid contact's impulse that a soft one takes [-]."""


@kernel
def push_of(h, relaxed):
    """Softly, over a substep `h` [s], or not at all (`relaxed`): velocities alone."""
    if relaxed:
        return Push(0.0, 1.0)
    soft = softness_by_frequency(RATE / h, DAMPING_RATIO, 1.0, h)
    return Push(soft.beta / h, 1.0 / (1.0 + soft.gamma))


@kernel
def prepare_contact(contacts, k, shapes, ports, motion, work):
    """Contact `k` for a whole step: its point and frame stay, its gap changes. Writes: work at `k`"""
    s_a, s_b = contacts.shape[k, 0], contacts.shape[k, 1]
    a, b = shapes.body[s_a], shapes.body[s_b]
    point, n, table = load(contacts.position, k), load(contacts.normal, k), work.table
    r_a, r_b = sub(point, load(motion.position, a)), sub(point, load(motion.position, b))
    t = perpendicular(n)
    s = cross(n, t)
    work.body[k, 0], work.body[k, 1] = a, b
    store_at(table, k, LEVER_A, r_a)
    store_at(table, k, LEVER_B, r_b)
    prepare_axis(table, k, 0, ports, a, b, n, r_a, r_b)
    prepare_axis(table, k, 1, ports, a, b, t, r_a, r_b)
    prepare_axis(table, k, 2, ports, a, b, s, r_a, r_b)
    turned_a, turned_b = cross(r_a, n), cross(r_b, n)
    for r in range(2):  # what a push along a tangent does to the speed along the normal: the linear parts are at right angles
        turn_a, turn_b = load_at(table, k, TURN_A + 3 * r + 3), load_at(table, k, TURN_B + 3 * r + 3)
        table[k, MIXED + r] = dot(turned_b, turn_b) - dot(turned_a, turn_a)
    table[k, LIGHTNESS], table[k, LIGHTNESS + 1] = ports.inverse_mass[a], ports.inverse_mass[b]
    kept, crept = load(contacts.friction_impulse, k), load(contacts.slip, k)
    store_at(table, k, IMPULSE, (contacts.impulse[k], dot(kept, t), dot(kept, s)))
    store_at(table, k, TOTAL, (0.0, 0.0, 0.0))
    table[k, SLIP], table[k, SLIP + 1] = dot(crept, t), dot(crept, s)
    table[k, GAP] = contacts.separation[k]
    table[k, FRICTION] = max(shapes.friction[s_a], shapes.friction[s_b])
    table[k, RESTITUTION] = max(shapes.restitution[s_a], shapes.restitution[s_b])


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
    """Note the speed with which the surfaces meet, and what softness is counted from. Writes: work

    Of `few` contacts, which are solved to the end, it is the impulse of the substep before; sweeps that are not would keep
    their errors alive by that.
    """
    work.table[k, BEFORE] = work.table[k, IMPULSE] if few else 0.0
    work.table[k, APPROACH] = speeds_at(work.table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))[0]


@kernel
def warm_start_contact(k, motion, work):
    """Writes: velocities"""
    a, b = work.body[k, 0], work.body[k, 1]
    x, y, z = load_at(work.table, k, IMPULSE)
    store_pair(motion, a, b, pushed_at(work.table, k, load_pair(motion, a, b), x, y, z))


@merged
def bias_of(table, k, h, push):
    """What the normal row of contact `k` asks for beside its speed [m/s], and which share of a rigid impulse it takes [-].

    A gap may close within the substep; a penetration is pushed out softly. Where the softness is counted from the impulse
    before, what bears a load at rest bears it with no penetration beyond the slop, however light it is.
    """
    gap = table[k, GAP]
    if gap > 0.0:
        return gap / h, 1.0
    return max(push.rate * min(gap + SLOP, 0.0), -PUSH_SPEED), push.ease


@merged
def solve_contact(table, k, pair, h, push, back, few):
    """Friction, then the normal; (velocities after, |d lambda| response). Writes: table at `k`

    `push` says how penetrations are pushed out, `back` which share of a creep is taken back in a second [1/s]. The creep of one
    of `few` contacts is forgotten where the substep ends sliding, else in any sweep that slides: they may all be far off.
    """
    x, y, z = load_at(table, k, IMPULSE)
    speed, along, across = speeds_at(table, k, pair)
    new_y, new_z, slips = within_disc(y - (along + back * table[k, SLIP]) * table[k, HEFT + 1],
                                      z - (across + back * table[k, SLIP + 1]) * table[k, HEFT + 2], table[k, FRICTION] * x)
    table[k, SLIDES] = 1.0 if slips else 0.0
    if slips and not few:
        table[k, SLIP], table[k, SLIP + 1] = 0.0, 0.0
    d_y, d_z = new_y - y, new_z - z
    speed += table[k, MIXED] * d_y + table[k, MIXED + 1] * d_z
    bias, ease = bias_of(table, k, h, push)
    new_x = max(ease * (x - (speed + bias) * table[k, HEFT]) + (1.0 - ease) * table[k, BEFORE], 0.0)
    d_x = new_x - x
    store_at(table, k, IMPULSE, (new_x, new_y, new_z))
    change = max(abs(d_x) * table[k, YIELD], abs(d_y) * table[k, YIELD + 1], abs(d_z) * table[k, YIELD + 2])
    return pushed_at(table, k, pair, d_x, d_y, d_z), change


@kernel
def sweep_contacts(touch, motion, islands, i, h, relaxed, few):
    """Visit the contacts of an island; returns the largest |d lambda| response. Writes: touch.work, velocities

    Contacts of one pair of bodies follow each other: its velocities are read and written once for all of them.
    """
    residual, push, back = 0.0, push_of(h, relaxed), 0.0 if relaxed else CREEP_BACK / h
    table, body, a, b = touch.work.table, touch.work.body, -1, -1
    pair = Pair(ZERO, ZERO, ZERO, ZERO)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        if body[k, 0] != a or body[k, 1] != b:
            if a >= 0:
                store_pair(motion, a, b, pair)
            a, b = body[k, 0], body[k, 1]
            pair = load_pair(motion, a, b)
        pair, change = solve_contact(table, k, pair, h, push, back, few)
        residual = max(residual, change)
    if a >= 0:
        store_pair(motion, a, b, pair)
    return residual


@kernel
def bound_frictions(touch, motion, islands, i):
    """Friction once more, now within the normal impulses that the last sweep found after it.

    It may fall or rise to its bound: to cut it alone would leave what slides too little. Writes: touch.work, velocities
    """
    table = touch.work.table
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        a, b = touch.work.body[k, 0], touch.work.body[k, 1]
        pair = load_pair(motion, a, b)
        x, y, z = load_at(table, k, IMPULSE)
        _, along, across = speeds_at(table, k, pair)
        new_y, new_z, _ = within_disc(y - along * table[k, HEFT + 1], z - across * table[k, HEFT + 2], table[k, FRICTION] * x)
        store_pair(motion, a, b, pushed_at(table, k, pair, 0.0, new_y - y, new_z - z))
        table[k, IMPULSE + 1], table[k, IMPULSE + 2] = new_y, new_z


@kernel
def advance_contact(k, motion, work, h, few):
    """How gap and creep change in the substep, by the velocities that moved the bodies. Writes: work"""
    table = work.table
    speed, along, across = speeds_at(table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))
    table[k, GAP] += h * speed
    if table[k, IMPULSE] > 0.0 and not (few and table[k, SLIDES] > 0.0):
        table[k, SLIP] += h * along
        table[k, SLIP + 1] += h * across
    else:
        table[k, SLIP], table[k, SLIP + 1] = 0.0, 0.0


TOUCHING = 1e-6
"""Gap [m] below which surfaces that do not press have met all the same, as where others bear it all."""


@kernel
def rebounds(k, work, threshold):
    """Speed [m/s] of restitution with which surfaces part that met fast enough, else 0."""
    if work.table[k, RESTITUTION] == 0.0 or (work.table[k, IMPULSE] == 0.0 and work.table[k, GAP] > TOUCHING):
        return 0.0
    return rebound_speed(work.table[k, APPROACH], work.table[k, RESTITUTION], threshold)


@kernel
def bounce_contact(k, motion, work, wanted):
    """Part with at least the speed `wanted` [m/s], by a push alone; returns |d lambda| response. Writes: work, velocities"""
    a, b, kept = work.body[k, 0], work.body[k, 1], work.table[k, IMPULSE]
    pair = load_pair(motion, a, b)
    missing = wanted - speeds_at(work.table, k, pair)[0]
    new = max(kept + missing * work.table[k, HEFT], 0.0)
    store_pair(motion, a, b, pushed_at(work.table, k, pair, new - kept, 0.0, 0.0))
    work.table[k, IMPULSE] = new
    return abs(new - kept) / work.table[k, HEFT]


@kernel
def work_on(k, motion, work, side):
    """Work [J] that body `side` of contact `k` does through it: 0 the first, 1 the second."""
    table, i = work.table, work.body[k, side]
    lever = load_at(table, k, LEVER_A if side == 0 else LEVER_B)
    v = add(load(motion.velocity, i), cross(load(motion.angular_velocity, i), lever))
    done = 0.0
    for r in range(3):
        done += table[k, IMPULSE + r] * dot(load_at(table, k, FRAME + 3 * r), v)
    return done if side == 0 else -done


@kernel
def sum_contact(k, work, bounced):
    """Add to the sum over the step; an impact is over and not a guess for the next substep. Writes: work"""
    for r in range(3):
        work.table[k, TOTAL + r] += work.table[k, IMPULSE + r]
        if bounced:
            work.table[k, IMPULSE + r] = 0.0


@kernel
def keep_contact(contacts, k, work, dt):
    """Keep impulses and creep for the next step. Writes: contacts.impulse, .friction_impulse, .slip, .separation, .force"""
    table = work.table
    n, t, s = load_at(table, k, FRAME), load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    contacts.impulse[k] = table[k, IMPULSE]
    contacts.separation[k] = table[k, GAP]
    store(contacts.friction_impulse, k, add_scaled(scale(table[k, IMPULSE + 1], t), table[k, IMPULSE + 2], s))
    push = add_scaled(scale(table[k, TOTAL], n), table[k, TOTAL + 1], t)
    store(contacts.force, k, scale(1.0 / dt, add_scaled(push, table[k, TOTAL + 2], s)))
    store(contacts.slip, k, add_scaled(scale(table[k, SLIP], t), table[k, SLIP + 1], s))
