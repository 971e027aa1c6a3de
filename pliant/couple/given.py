"""What driven bodies give to others in a substep, and the work that they do there."""

from .._jit import kernel
from ..equations.rigid.carried_impulse import carried_impulse, jolt_way
from ..math.vec3 import add, dot, load, scale, sub
from ..model.bodies import BORNE_BY, DRIVEN, KNOWN, LAST, OWED, PAST_SPIN, PAST_VELOCITY, SPED
from ..model.rows import ARM_A, ARM_B
from .ports import load_at, store_at

KINK = 0.01
"""Square of the share of its speed by which a driven body's may change from substep to substep before that is a jolt [-]."""


@kernel
def begin_giving(movers, islands, i, b):
    """What driven bodies gave before, as far as it goes on in this substep. Writes: movers.history.given"""
    given = movers.history.given
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] == DRIVEN:
            for c in range(6):
                given[k, c] = carried_impulse(given[k, c], 0.0, b)


@kernel
def give(given, k, force, torque):
    """Writes: given at body `k`"""
    for c in range(3):
        given[k, c] += force[c]
        given[k, 3 + c] += torque[c]


@kernel
def give_row(movers, rows, r, impulse, a, b):
    """What driven bodies give through row `r` between bodies `a` and `b`. Writes: movers.history.given"""
    kind, given, n = movers.bodies.kind, movers.history.given, load_at(rows.table, r, 0)
    if kind[a] == DRIVEN:
        give(given, a, scale(impulse, n), scale(impulse, load_at(rows.table, r, ARM_A)))
    if kind[b] == DRIVEN:
        give(given, b, scale(-impulse, n), scale(-impulse, load_at(rows.table, r, ARM_B)))


@kernel
def given_work(movers, islands, i, b):
    """Work [J] of driven bodies in a substep, through which they move steadily. Writes: movers.history.given (speeds)"""
    work = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if movers.bodies.kind[islands.body[m]] == DRIVEN:
            work += work_of(movers, islands.body[m], b)
    return work


@kernel
def work_of(movers, k, b):
    """Of driven body `k`. Writes: movers.history.given at `k` (speeds)"""
    given, work = movers.history.given, 0.0
    v, w = felt_speeds(movers, k, b)
    if b == 0.0:
        return dot(load_at(given, k, 0), v) + dot(load_at(given, k, 3), w)
    for c in range(3):
        work += 0.5 * (given[k, c] * (v[c] + given[k, SPED + c]) + given[k, 3 + c] * (w[c] + given[k, SPED + 3 + c]))
        given[k, SPED + c], given[k, SPED + 3 + c] = v[c], w[c]
    return work


@kernel
def felt_speeds(movers, k, b):
    """Speeds [m/s, rad/s] that what hangs on driven body `k` takes: in BDF2 (3 u_n - u_n-1)/2, from its places."""
    v, w, past = load(movers.motion.velocity, k), load(movers.motion.angular_velocity, k), movers.history.table
    if 0.0 < b < 1.0:
        v = sub(scale(1.5, v), scale(0.5, load_at(past, k, PAST_VELOCITY)))
        w = sub(scale(1.5, w), scale(0.5, load_at(past, k, PAST_SPIN)))
    return v, w


@kernel
def jolted_work(movers, islands, i, h, b):
    """(Work [J] that jolts of driven bodies do on what they bear, whether there is one); before `finish_rows`.

    As long as nobody knows what they bear it is owed, see `note_borne`. Writes: movers.history.given (last speeds, owed ways)
    """
    work, jolted = 0.0, False
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] == DRIVEN:
            v, w = felt_speeds(movers, k, b)
            along, shifted = jolt_of(movers.history.given, k, 0, load(movers.motion.velocity, k), v, h, b)
            around, turned = jolt_of(movers.history.given, k, 3, load(movers.motion.angular_velocity, k), w, h, b)
            work, jolted = work + along + around, jolted or shifted or turned
    return work, jolted


@kernel
def jolt_of(given, k, first, speed, felt, h, b):
    """The same of driven body `k`, in three columns from the `first`. Writes: given"""
    before, work = load_at(given, k, LAST + first), 0.0
    if b == 1.0 and is_kink(before, speed):
        way = jolt_way(before, speed, h)
        if given[k, KNOWN] == 1.0:
            work = dot(load_at(given, k, BORNE_BY + first), way)
        else:
            store_at(given, k, OWED + first, add(load_at(given, k, OWED + first), way))
    store_at(given, k, LAST + first, speed)
    return work, is_kink(load_at(given, k, SPED + first), felt)


@kernel
def is_kink(before, after):
    """Whether a driven body is jolted from one speed to another."""
    change = sub(after, before)
    return dot(change, change) > KINK * (dot(before, before) + dot(after, after))


@kernel
def note_borne(movers, islands, i, h):
    """What driven bodies bear, after the `finish_rows` of a substep without a jolt; returns the work [J] owed of earlier ones.

    Writes: movers.history.given
    """
    given, work = movers.history.given, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] == DRIVEN:
            given[k, KNOWN] = 1.0
            for c in range(6):
                given[k, BORNE_BY + c] = given[k, c] / h
                work += given[k, BORNE_BY + c] * given[k, OWED + c]
                given[k, OWED + c] = 0.0
    return work
