"""Many contacts between heavy and light bodies, at once: Newton's method on the velocities of the bodies.

A contact that yields by c [1/kg] to what it bears gives the impulses

    x = max(0, -(u_n + a) / c)        y = -(u_t + s) / c, no longer than mu x        a, s what it asks for beside its speeds u

which are slopes of a convex potential of the velocities while mu x stands still; with the kinetic energy of what they change,

    F(v) = |v - v_0|^2_M / 2 + x_0 . u(v) + sum of the potentials        v_0, x_0 velocities and impulses at the beginning

is least where all are met. Its second derivative joins bodies that touch: a block of 6 x 6 for each pair. Bodies are sorted
by how many contacts they have, so that light ones under a heavy one are eliminated before it, and each row begins at the first
of its neighbours. Steps are shortened until F falls; bounds of friction follow after each.
"""

from math import sqrt

from ..._jit import kernel, stage
from ...couple.ports import answers_of, load_at, store_at
from ...equations.contact.coulomb import within_disc
from ...math.quat import load4
from ...math.sym3 import sym_mul, turned_diagonal
from ...math.vec3 import add_scaled, dot, load, norm, sub
from ...model.islands import Islands
from ...model.rows import (
    BEFORE,
    FRICTION,
    IMPULSE,
    MOST_FREE,
    OFF,
    SLIDES,
    SLIP,
    STEP,
    TRIAL,
    YIELD,
    U,
)
from ...model.sets import Movers, Touch
from .contact import CREEP_BACK, FLUSH, bias_of, push_of
from .contact_pair import ZERO, Pair, load_pair, pushed_at, speeds_at, store_pair
from .few_begin import EVEN
from .few_springs import first_row
from .heavy_matrix import BEGINS, FIRST, MANY, PLACE, SLOPE, TRIED, WHO, WIDTH, add_contact, begin_row, factor, placed, solve

UNEVEN = 100.0
"""From such a ratio of masses on [-]: below, sweeps do well enough, and heaps of many sizes are cheaper by them."""
MOST_HEAVY = 64
"""So many bodies at most."""
ROUNDS, STEPS, SHORTEST = 12, 8, 1e-3
"""Rounds at most, steps of Newton's method in each, and the shortest share of one that is tried [-]."""
MEETING, TUMBLING = 0.3, 0.5
"""Islands in which something meets faster [m/s], or turns faster [rad/s], are swept: friction that changes sides all over is
not found so, and what tumbles does not rest on anything."""
SOFTEST, HARDEST = 0.1, 1e-3
"""By which share of what they answer contacts yield, in the first round and from the third on [-]."""
MISSED = 1e-3
"""What all rounds leave further off [m/s] stays as it was swept."""
MET, SETTLED = 1e-7, 2e-6
"""A step that changes no velocity by more [m/s or rad/s] is the last, and a round that leaves contacts less far off [m/s]."""
LABOUR = 3e6
"""Multiplications that one factor may take."""


@kernel
def are_heavy(movers, touch, islands, i):
    """Whether the contacts of an island are solved so: more than few, between free bodies of very different masses at rest, or
    nearly so."""
    count = islands.first_joint[i + 1] - islands.first_joint[i] + islands.first_spring[i + 1] - islands.first_spring[i]
    count += islands.first_drive[i + 1] - islands.first_drive[i] + islands.first_rope[i + 1] - islands.first_rope[i]
    count += islands.first_tie[i + 1] - islands.first_tie[i] + islands.first_touch[i + 1] - islands.first_touch[i]
    return count == 0 and islands.first_contact[i + 1] - islands.first_contact[i] > MOST_FREE and (
        islands.first_body[i + 1] - islands.first_body[i] <= MOST_HEAVY) and differs(movers.ports, islands, i) and (
        is_calm(movers.motion, touch.work, islands, i))


@kernel
def differs(ports, islands, i):
    """Whether the heaviest body of an island has more than UNEVEN times the mass of the lightest."""
    least, most = answers_of(ports, islands, i)
    return most > UNEVEN * least


@kernel
def is_calm(motion, work, islands, i):
    """Whether nothing in an island meets or turns fast."""
    calm = True
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        calm &= norm(load(motion.angular_velocity, islands.body[m])) < TUMBLING
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        calm &= abs(speeds_at(work.table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))[0]) < MEETING
    return calm


@stage
def settle_heavy(movers: Movers, touch: Touch, islands: Islands, i: int, h: float, relaxed: bool) -> float:
    """Solve the contacts of an island; returns how far off they are left [m/s], 0 if they are met.

    Writes: touch, velocities, movers.start.tried (scratch)
    """
    yields, tried, rho, off = EVEN * answers_of(movers.ports, islands, i)[0], movers.start.tried, SOFTEST, 1.0
    if not sort_bodies(movers, touch, islands, i):
        return 1.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store_at(tried, k, TRIED, load(movers.motion.velocity, k))
        store_at(tried, k, TRIED + 3, load(movers.motion.angular_velocity, k))
        store_at(tried, k, SLOPE, ZERO)
        store_at(tried, k, SLOPE + 3, ZERO)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        store_at(touch.few.state, m, TRIAL, load_at(touch.work.table, islands.contact[m], IMPULSE))
    for _ in range(ROUNDS):
        note_asked(touch, islands, i, h, relaxed, yields, rho)
        for _ in range(STEPS):
            find_slope(movers, touch, islands, i)
            least, share = potential(movers, touch, islands, i, 0.0), 1.0
            factor(tried, touch.few.matrix, islands, i)
            change = solve(tried, touch.few.matrix, islands, i)
            while not potential(movers, touch, islands, i, share) <= least + 1e-12 * abs(least) and share > SHORTEST:
                share *= 0.5
            go(tried, islands, i, share)
            if change < MET:
                break
        off = note_found(movers, touch, islands, i, rho)
        if off < SETTLED:
            break
        rho = max(0.1 * rho, HARDEST)
    if off < MISSED:
        push_found(movers, touch, islands, i)
    return 0.0 if off < SETTLED else off


@kernel
def sort_bodies(movers, touch, islands, i):
    """Order of the bodies, and where their rows begin; whether the scratch holds them. Writes: movers.start.tried"""
    tried, body, first, count = movers.start.tried, touch.work.body, islands.first_body[i], 0
    for m in range(first, islands.first_body[i + 1]):
        tried[islands.body[m], MANY] = 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        for side in range(2):
            tried[body[islands.contact[m], side], MANY] += 1.0
    for m in range(first, islands.first_body[i + 1]):
        k = islands.body[m]
        tried[k, PLACE] = -1.0
        if movers.bodies.inverse_mass[k] > 0.0:
            at = count
            while at > 0 and tried[int(tried[islands.body[first + at - 1], WHO]), MANY] > tried[k, MANY]:
                tried[islands.body[first + at], WHO] = tried[islands.body[first + at - 1], WHO]
                at -= 1
            tried[islands.body[first + at], WHO] = k
            count += 1
    for p in range(count):
        k = int(tried[islands.body[first + p], WHO])
        tried[k, PLACE] = tried[k, FIRST] = p
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        a, b = body[islands.contact[m], 0], body[islands.contact[m], 1]
        p, q = placed(movers, a), placed(movers, b)
        if p >= 0.0 and q >= 0.0:
            late, early = (a, q) if p > q else (b, p)
            tried[late, FIRST] = min(tried[late, FIRST], early)
    used, labour = 0.0, 0.0
    for p in range(count):
        k = int(tried[islands.body[first + p], WHO])
        tried[k, BEGINS] = used
        wide = 6.0 * (p + 1.0 - tried[k, FIRST])
        used += 6.0 * wide
        labour += 3.0 * wide * wide
    return used <= 3.0 * WIDTH * (islands.first_contact[i + 1] - islands.first_contact[i]) and labour <= LABOUR


@kernel
def note_asked(touch, islands, i, h, relaxed, yields, rho):
    """What contacts ask for beside their speeds, how the normal yields, the bound of friction. Writes: touch.few.state"""
    table, state, push, back = touch.work.table, touch.few.state, push_of(h, relaxed), 0.0 if relaxed else CREEP_BACK / h
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        bias, ease = bias_of(table, k, h, push, FLUSH)
        gamma = table[k, YIELD] * (1.0 / ease - 1.0)
        x, y, z = load_at(state, m, TRIAL)
        more = rho * table[k, YIELD]
        store_at(state, m, U, (bias - gamma * table[k, BEFORE] - more * x, back * table[k, SLIP] - more * y,
                               back * table[k, SLIP + 1] - more * z))
        store_at(state, m, STEP, (gamma + yields + more, table[k, FRICTION] * x, yields + more))


@kernel
def tried_pair(movers, body, k, share):
    """Velocities of the two bodies of contact `k` that are tried, a `share` of the step beyond."""
    tried, motion = movers.start.tried, movers.motion
    pair = load_pair(motion, body[k, 0], body[k, 1])
    v_a, w_a, v_b, w_b = pair.v_a, pair.w_a, pair.v_b, pair.w_b
    if placed(movers, body[k, 0]) >= 0.0:
        a = body[k, 0]
        v_a = add_scaled(load_at(tried, a, TRIED), share, load_at(tried, a, SLOPE))
        w_a = add_scaled(load_at(tried, a, TRIED + 3), share, load_at(tried, a, SLOPE + 3))
    if placed(movers, body[k, 1]) >= 0.0:
        b = body[k, 1]
        v_b = add_scaled(load_at(tried, b, TRIED), share, load_at(tried, b, SLOPE))
        w_b = add_scaled(load_at(tried, b, TRIED + 3), share, load_at(tried, b, SLOPE + 3))
    return Pair(v_a, w_a, v_b, w_b)


@kernel
def given_by(state, m, speeds):
    """(normal impulse, those of friction without a bound (2), how long these are [N s]) of contact `m` at its speeds."""
    a, s, t = load_at(state, m, U)
    yields = state[m, STEP + 2]
    x, y, z = max(-(speeds[0] + a) / state[m, STEP], 0.0), -(speeds[1] + s) / yields, -(speeds[2] + t) / yields
    return x, y, z, sqrt(y * y + z * z)


@kernel
def potential(movers, touch, islands, i, share):
    """F [J] at the velocities tried and a `share` of the step beyond."""
    tried, motion, bodies, state, energy = movers.start.tried, movers.motion, movers.bodies, touch.few.state, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if placed(movers, k) >= 0.0:
            v = sub(add_scaled(load_at(tried, k, TRIED), share, load_at(tried, k, SLOPE)), load(motion.velocity, k))
            w = add_scaled(load_at(tried, k, TRIED + 3), share, load_at(tried, k, SLOPE + 3))
            w = sub(w, load(motion.angular_velocity, k))
            inertia = turned_diagonal(load4(motion.quaternion, k), load(bodies.inertia, k))
            energy += 0.5 * bodies.mass[k] * dot(v, v) + 0.5 * dot(w, sym_mul(inertia, w))
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        speeds = speeds_at(touch.work.table, k, tried_pair(movers, touch.work.body, k, share))
        energy += dot(load_at(touch.work.table, k, IMPULSE), speeds)
        x, _, _, long = given_by(state, m, speeds)
        bound, yields = state[m, STEP + 1], state[m, STEP + 2]
        energy += 0.5 * state[m, STEP] * x * x
        energy += 0.5 * yields * long * long if long <= bound else yields * bound * (long - 0.5 * bound)
    return energy


@kernel
def find_slope(movers, touch, islands, i):
    """Slope and second derivative of F at the velocities tried, with the bounds of friction there.

    Writes: movers.start.tried, touch.few
    """
    state, table, body, top = touch.few.state, touch.work.table, touch.work.body, first_row(islands, i)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if placed(movers, islands.body[m]) >= 0.0:
            begin_row(movers, touch.few.matrix, top, islands.body[m])
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        x, y, z, long = given_by(state, m, speeds_at(table, k, tried_pair(movers, body, k, 0.0)))
        bound = table[k, FRICTION] * x
        state[m, STEP + 1] = bound
        part, over = (1.0, 0.0) if long <= bound else (bound / long, 1.0)
        store_at(state, m, OFF, (x, part * y, part * z))
        d, e = (y / long, z / long) if long > 0.0 else (1.0, 0.0)
        stiff = part / state[m, STEP + 2]
        add_contact(movers, touch, top, k, m, (1.0 / state[m, STEP] if x > 0.0 else 0.0, stiff * (1.0 - over * d * d),
                                               stiff * (1.0 - over * e * e), -stiff * over * d * e))


@kernel
def go(tried, islands, i, share):
    """Try a `share` of the step. Writes: tried"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if tried[k, PLACE] >= 0.0:
            for c in range(6):
                tried[k, TRIED + c] += share * tried[k, SLOPE + c]


@kernel
def note_found(movers, touch, islands, i, rho):
    """Take the impulses that contacts give at the velocities tried; returns how far off a round leaves them [m/s].

    Writes: touch.few.state, touch.work (which slide)
    """
    table, body, state, worst = touch.work.table, touch.work.body, touch.few.state, 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        x, y, z, _ = given_by(state, m, speeds_at(table, k, tried_pair(movers, body, k, 0.0)))
        y, z, slips = within_disc(y, z, table[k, FRICTION] * x)
        table[k, SLIDES] = 1.0 if slips else 0.0
        worst = max(worst, rho * table[k, YIELD] * norm(sub((x, y, z), load_at(state, m, TRIAL))))
        store_at(state, m, TRIAL, (x, y, z))
    return worst


@kernel
def push_found(movers, touch, islands, i):
    """Push the bodies from the impulses that contacts had to those found. Writes: touch, velocities"""
    table, body, motion = touch.work.table, touch.work.body, movers.motion
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        d = sub(load_at(touch.few.state, m, TRIAL), load_at(table, k, IMPULSE))
        store_at(table, k, IMPULSE, load_at(touch.few.state, m, TRIAL))
        pair = load_pair(motion, body[k, 0], body[k, 1])
        store_pair(motion, body[k, 0], body[k, 1], pushed_at(table, k, pair, d[0], d[1], d[2]))
