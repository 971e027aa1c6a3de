"""Newton's method on the cones of a few contacts whose answers to each other are known.

Equations: equations/contact/cone_residual.py, the contacts that do not push eliminated before each step, which is shortened
where it leads away. Steps that lead nowhere are taken as leaps, since contacts open and slip in leaps; what these do not find
is tried again by damped steps, as contacts that say nearly the same make the others too long. Contacts that say the same, as
those of one face, leave open what each bears: all yield a little, as matter does, and so share it evenly.
"""

from math import inf

from ..._jit import kernel
from ...couple.ports import answers_of, load_at, store_at
from ...equations.contact.cone_residual import SLIPS, cone_residual, cone_state
from ...equations.contact.coulomb import within_disc
from ...equations.contact.dense_elimination import eliminate
from ...math.vec3 import add, add_scaled, dot, load, sub
from ...model.rows import (
    BEFORE,
    BEST,
    CHOSEN,
    FRAME,
    FRICTION,
    IMPULSE,
    LEVER_B,
    OFF,
    OWN,
    SLIDES,
    SLIP,
    STEP,
    SWAYED,
    TRIAL,
    YIELD,
    YIELDS,
    U,
)
from .contact import CREEP_BACK, FLUSH, bias_of, push_of
from .contact_pair import ZERO, load_pair, pushed_at, speeds_at, store_pair
from .few_equations import assemble, sway, take_step
from .few_springs import feel, first_row, follow, followed, note_lacks
from .held_fast import is_held

NEWTON_STEPS = 6
"""At most."""
SHORTEST = 0.05
"""A step that would have to be shorter to come nearer is taken all the same [-]: active sets change in leaps."""
MISSED = 1e-5
"""What leaps leave further off [m/s] is tried again in damped steps."""
DAMPED = 1e-6
"""Those that lead nowhere are damped by so much of what contacts answer, and more [-]."""
EVEN = 3e-5
"""How much contacts yield to what they bear, in shares of what the heaviest body of an island does [-]."""
LEVEL, YIELDED = 1e-3, 1e-5
"""The same along normals once the bodies have moved [-], by the second at most [m/s], where no springs feel that speed: were it
less, what is held at two corners and turns about them would part from the others by rounding, and go on turning."""
TINY = 1e-300
DEAF = 1e-9
"""What answers less along its normal than so much of what the two bodies would alone [-] is held by joints, as a wheel whose
level arm cannot rise. Any load would do nothing there but grow: it yields as the bodies would, and nothing pushes it out."""
CLOSE = 1e-3
"""Speeds are brought so much nearer [-] than others ask for: what tells equal contacts apart is small."""


@kernel
def solve_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, close, drivetrain, joints):
    """Impulses of the chosen contacts by Newton's method, and along rows of `springs`; returns how far off they were [m/s].

    Writes: touch, springwork.system, velocities

    At first steps that lead nowhere are taken all the same, in leaps; from the best of these on they are damped.
    """
    few, first, count = touch.few, islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints)
    start = measure(touch, islands, i, 0.0)[1]
    keep_best(few.state, first, count)
    if start >= CLOSE * close:
        best = descend(touch, islands, i, CLOSE * close, start, False)
        if not best < MISSED:
            begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints)
            go_to_best(few, first, count, first_row(islands, i))
            descend(touch, islands, i, CLOSE * close, best, True)
    push_few(touch, motion, islands, i, springs)
    return max(start, follow(springwork, touch, motion, islands, i, springs))


@kernel
def descend(touch, islands, i, close, best, damped):
    """Steps until contacts are less than `close` [m/s] off, the `best` so far kept; returns how far that is off [m/s].

    Writes: touch.few
    """
    few, first, count = touch.few, islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    square, left = measure(touch, islands, i, 0.0)
    for _ in range(NEWTON_STEPS):
        length, after, left = step_towards(touch, islands, i, 0.0, square)
        damping = DAMPED
        while damped and length < SHORTEST and damping <= 1.0:
            length, after, left = step_towards(touch, islands, i, damping, square)
            damping *= 100.0
        if not after < inf or (damped and length < SHORTEST):  # none leads nearer
            break
        square = after
        go(few.state, first, count, length)
        if left < best:
            best = left
            keep_best(few.state, first, count)
        if left < close:
            break
    return best


@kernel
def step_towards(touch, islands, i, damping, square):
    """A step, each contact yielding to it by `damping` times what it answers; returns (how much of it comes nearer, `measure`).

    Writes: touch.few
    """
    few, first, count = touch.few, islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    measure(touch, islands, i, 0.0)
    pushing = assemble(touch, islands, i, damping)
    eliminate(few.system, 3 * first, 3 * pushing)
    take_step(few, first, count, first_row(islands, i))
    length = 1.0
    after, left = measure(touch, islands, i, length)
    while after > (1.0 - 1e-4 * length) ** 2 * square and length >= SHORTEST:
        length *= 0.5
        after, left = measure(touch, islands, i, length)
    return length, after, left


@kernel
def begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints):
    """Speeds as contacts ask for them, and softness and evenness for the diagonal. Writes: touch.few.state, .matrix"""
    note_lacks(springwork, touch, motion, islands, i, springs)
    table, matrix, state = touch.work.table, touch.few.matrix, touch.few.state
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    push, back, even = push_of(h, relaxed), 0.0 if relaxed else CREEP_BACK / h, EVEN * answers_of(ports, islands, i)[0]
    level = even
    if relaxed and springs == 0:
        level = max(even, min(even * LEVEL / EVEN, YIELDED / heaviest(touch, islands, i)))
    for p in range(count):
        m, at = first + p, first_row(islands, i) + 3 * p
        if state[m, CHOSEN] == 0.0:
            continue
        k = islands.contact[m]
        x, y, z = load_at(table, k, IMPULSE)
        speed, along, across = add(speeds_at(table, k, load_pair(motion, touch.work.body[k, 0], touch.work.body[k, 1])),
                                   followed(touch, islands, i, springs, p))
        bias, ease = bias_of(table, k, h, push, FLUSH)
        gamma, gives = table[k, YIELD] * (1.0 / ease - 1.0), level
        if matrix[at, 3 * p] < DEAF * table[k, YIELD]:
            point = add(load(motion.position, touch.work.body[k, 1]), load_at(table, k, LEVER_B))
            if not is_held(drivetrain, joints, motion, islands, i, point, load_at(table, k, FRAME)):
                bias, gives = max(bias, 0.0), table[k, YIELD]
        store_at(state, m, U, (speed + bias + gamma * (x - table[k, BEFORE]) + gives * x,
                               along + back * table[k, SLIP] + even * y, across + back * table[k, SLIP + 1] + even * z))
        store_at(state, m, TRIAL, (x, y, z))
        store_at(state, m, STEP, ZERO)
        store_at(state, m, SWAYED, ZERO)
        # what rigid drives hold answers nothing: it yields all the same, and drives then find that they are at a bound
        state[m, OWN] = max(matrix[at, 3 * p], matrix[at + 1, 3 * p + 1], matrix[at + 2, 3 * p + 2], 0.0) + even
        store_at(state, m, YIELDS, (gamma + gives, even, even))


@kernel
def heaviest(touch, islands, i):
    """Largest impulse along a normal that contacts of an island begin with [N s]."""
    most = TINY
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        most = max(most, touch.work.table[islands.contact[m], IMPULSE])
    return most


@kernel
def measure(touch, islands, i, length):
    """(sum of the squares of F [m2/s2], its largest entry [m/s]) after `length` of a step. Writes: touch.few.state"""
    table, state, total, largest = touch.work.table, touch.few.state, 0.0, 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if state[m, CHOSEN] == 0.0:
            continue
        u = add_scaled(load_at(state, m, U), length, load_at(state, m, SWAYED))
        x = add_scaled(load_at(state, m, TRIAL), length, load_at(state, m, STEP))
        off = cone_residual(state[m, OWN], table[islands.contact[m], FRICTION], u, x)
        store_at(state, m, OFF, off)
        total += dot(off, off)
        largest = max(largest, abs(off[0]), abs(off[1]), abs(off[2]))
    if not total < inf:
        return inf, inf  # also when it is not a number
    return total, largest


@kernel
def keep_best(state, first, count):
    """Writes: state"""
    for m in range(first, first + count):
        store_at(state, m, BEST, load_at(state, m, TRIAL))


@kernel
def go(state, first, count, length):
    """Writes: state"""
    for m in range(first, first + count):
        for r in range(3):
            state[m, TRIAL + r] += length * state[m, STEP + r]
            state[m, U + r] += length * state[m, SWAYED + r]
            state[m, STEP + r] = 0.0
            state[m, SWAYED + r] = 0.0


@kernel
def go_to_best(few, first, count, top):
    """From where `begin_few` begins. Writes: few.state"""
    for m in range(first, first + count):
        if few.state[m, CHOSEN] > 0.0:
            store_at(few.state, m, STEP, sub(load_at(few.state, m, BEST), load_at(few.state, m, TRIAL)))
    sway(few, first, count, top)
    go(few.state, first, count, 1.0)


@kernel
def push_few(touch, motion, islands, i, springs):
    """Push the bodies from the impulses that contacts had to the best ones. Writes: touch, velocities"""
    table, body, state = touch.work.table, touch.work.body, touch.few.state
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if state[m, CHOSEN] == 0.0:
            continue
        k = islands.contact[m]
        before, (x, y, z) = load_at(table, k, IMPULSE), load_at(state, m, BEST)
        x = max(x, 0.0)  # Newton's method comes from both sides
        y, z, _ = within_disc(y, z, table[k, FRICTION] * x)
        d = sub((x, y, z), before)
        feel(touch, islands, i, springs, m - islands.first_contact[i], d)
        store_at(table, k, IMPULSE, (x, y, z))
        kind = cone_state(state[m, OWN], table[k, FRICTION], load_at(state, m, U), (x, y, z))[0]
        table[k, SLIDES] = 1.0 if kind == SLIPS else 0.0
        a, b = body[k, 0], body[k, 1]
        store_pair(motion, a, b, pushed_at(table, k, load_pair(motion, a, b), d[0], d[1], d[2]))
