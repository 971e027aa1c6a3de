"""What contacts do when a substep has been solved: bounce, count their work, keep what the next step starts from."""

from math import sqrt

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.contact.restitution import rebound_speed
from ...math.vec3 import add, add_scaled, cross, dot, load, scale, store
from ...model.rows import (
    APPROACH,
    ASIDE,
    BEFORE,
    CHOSEN,
    FRAME,
    GAP,
    HEFT,
    IMPULSE,
    LEVER_A,
    LEVER_B,
    REBOUND,
    RESTITUTION,
    SLIP,
    TOTAL,
    TRIAL,
    YIELD,
    U,
)
from .contact import FLUSH, bias_of
from .contact_pair import load_pair, mixed, pushed_at, speeds_at, store_pair
from .few_springs import first_row

PARTINGS, PARTED = 200, 1e-10
"""Sweeps of few contacts that part at once, at most, and the change of speed [m/s] that ends them."""
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
def note_meeting(touch, motion, islands, i):
    """Let the chosen ones of few contacts that shall part do so by the speeds at which they would meet where their bodies have
    come to, had none pushed: those of the start belong to levers of the start. Writes: touch.work"""
    table, state, matrix, body = touch.work.table, touch.few.state, touch.few.matrix, touch.work.body
    first, last, top = islands.first_contact[i], islands.first_contact[i + 1], first_row(islands, i)
    for m in range(first, last):
        k = islands.contact[m]
        if state[m, CHOSEN] > 0.0 and table[k, REBOUND] > 0.0:
            speed = speeds_at(table, k, load_pair(motion, body[k, 0], body[k, 1]))[0]
            for q in range(3 * (last - first)):
                speed -= matrix[top + 3 * (m - first), q] * table[islands.contact[first + q // 3], IMPULSE + q % 3]
            table[k, REBOUND] = max(-table[k, RESTITUTION] * speed, 0.0)


@kernel
def part_few(touch, motion, islands, i):
    """The same of the chosen ones of few contacts at once, as they answer each other; returns the largest change [m/s].

    Writes: touch, velocities
    """
    table, state, matrix, body = touch.work.table, touch.few.state, touch.few.matrix, touch.work.body
    first, last, top, worst = islands.first_contact[i], islands.first_contact[i + 1], first_row(islands, i), 0.0
    for m in range(first, last):
        k = islands.contact[m]
        state[m, U] = speeds_at(table, k, load_pair(motion, body[k, 0], body[k, 1]))[0] - table[k, REBOUND]
        state[m, TRIAL] = table[k, IMPULSE]
    for _ in range(PARTINGS):
        change = 0.0
        for p in range(last - first):
            own = matrix[top + 3 * p, 3 * p]
            if state[first + p, CHOSEN] > 0.0 and own > 0.0:
                extra = max(-state[first + p, U] / own, -state[first + p, TRIAL])
                state[first + p, TRIAL] += extra
                for q in range(last - first):
                    state[first + q, U] += matrix[top + 3 * q, 3 * p] * extra
                change = max(change, abs(extra) * own)
        worst = max(worst, change)
        if change < PARTED:
            break
    for m in range(first, last):
        k = islands.contact[m]
        if state[m, CHOSEN] > 0.0:
            extra = state[m, TRIAL] - table[k, IMPULSE]
            table[k, IMPULSE] = state[m, TRIAL]
            pair = load_pair(motion, body[k, 0], body[k, 1])
            store_pair(motion, body[k, 0], body[k, 1], pushed_at(table, k, pair, extra, 0.0, 0.0))
    return worst


@kernel
def lifted_by(k, motion, work, h, push, back):
    """Work [J] of contact `k` as it asks for it, at the speeds of pushing out and creeping back at most; and all that it does.

    A soft contact that is relieved gives back what it took when it was loaded, by gamma of what its impulse falls.
    """
    table = work.table
    x, y, z = load_at(table, k, IMPULSE)
    speed, along, across = speeds_at(table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))
    bias, ease = bias_of(table, k, h, push, FLUSH)
    out = max(-bias, 0.0) + table[k, YIELD] * (1.0 / ease - 1.0) * max(table[k, BEFORE] - x, 0.0)
    creep = back * sqrt((y * y + z * z) * (table[k, SLIP] ** 2 + table[k, SLIP + 1] ** 2))
    aside = y * along + z * across
    return x * min(max(speed, 0.0), out) + min(max(aside, 0.0), creep), x * speed + aside


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
def sum_contact(k, work, times):
    """Add what a contact has pushed to the sum over the step, so many `times`. Writes: work"""
    x, y, z = load_at(work.table, k, IMPULSE)
    pushed = add(load_at(work.course, k, ASIDE), mixed(work.table, k, FRAME, x, y, z))
    store_at(work.table, k, TOTAL, add_scaled(load_at(work.table, k, TOTAL), times, pushed))


@kernel
def keep_contact(contacts, k, work, dt, grown):
    """Keep impulses and creep for the next step, whose first substep is `grown` times as long as the last [-].

    Writes: contacts.impulse, .friction_impulse, .slip, .separation, .force
    """
    table = work.table
    t, s = load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    contacts.impulse[k] = grown * table[k, IMPULSE]
    contacts.separation[k] = table[k, GAP]
    store(contacts.friction_impulse, k, scale(grown, add_scaled(scale(table[k, IMPULSE + 1], t), table[k, IMPULSE + 2], s)))
    store(contacts.force, k, scale(1.0 / dt, load_at(table, k, TOTAL)))
    store(contacts.slip, k, add_scaled(scale(table[k, SLIP], t), table[k, SLIP + 1], s))
