"""Newton's method on the cones of a few contacts whose answers to each other are known.

Equations: equations/contact/cone_residual.py, the contacts that do not push eliminated before each step, which is shortened
where it leads away. Steps that lead nowhere are taken as leaps, since contacts open and slip in leaps; what these do not find
is tried again by damped steps, as contacts that say nearly the same make the others too long.
"""

from math import inf

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.contact.cone_residual import SLIPS, cone_state
from ...equations.contact.coulomb import within_disc
from ...equations.contact.dense_elimination import eliminate
from ...math.vec3 import sub
from ...model.rows import BEST, CHOSEN, FRICTION, IMPULSE, OWN, SLIDES, U
from .contact_pair import load_pair, pushed_at, store_pair
from .few_begin import begin_few, ease
from .few_drives import push_bounded
from .few_equations import assemble, take_step
from .few_springs import feel, first_row, follow
from .few_starts import keep_found, start_elsewhere
from .few_sweeps import sweep_few
from .few_trial import go, go_to_best, keep_best, measure

NEWTON_STEPS = 6
"""At most."""
IDLE = 3
"""After so many that came no nearer a whole step is taken, wherever it leads, and after as many more they end if what is left
is less than MISSED: about a bound of a drive, short ones go round for long (a doll at rest: 670 steps, so 130)."""
SHORTEST = 0.05
"""A step that would have to be shorter to come nearer is taken all the same [-]: active sets change in leaps."""
MISSED = 1e-5
"""What leaps leave further off [m/s] is tried again in damped steps."""
DAMPED = 1e-6
"""Those that lead nowhere are damped by so much of what contacts answer, and more [-]."""
EASED = (30.0, 1000.0)
"""How many times more contacts yield at first [-] where steps find nothing: those of one face then share what they bear, and
what they hold sticks, where one corner alone could bear it and let it turn about itself (a box fell by 1 mm in a gripper)."""
CLOSE, NEARLY = 1e-3, 0.1
"""Speeds are brought so much nearer [-] than others ask for: what tells equal contacts apart is small; by the second if steps
lead nowhere: about contacts that hardly slip they do in the last digits."""


@kernel
def solve_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, close, drivetrain, joints, bounded, anew):
    """Impulses of the chosen contacts by Newton's method, along rows of `springs`, and of `bounded` drives; returns how far off
    they were, and are once the joints of the bodies are solved [m/s].

    Writes: touch, springwork.system, drivetrain.state.impulse, velocities

    At first steps that lead nowhere are taken all the same, in leaps; from the best of these on they are damped; what is not
    found so is sought from where contacts that yield more would be. If not `anew` they were solved before, and joints
    have been since, which leaves a rounding: what all that did not find then is not tried again.
    """
    begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints, bounded)
    start = best = measure(touch, islands, i, 0.0, bounded)[1]
    keep_best(touch.few, islands, i, bounded)
    if start >= (CLOSE * close if anew else close):
        best = start_elsewhere(touch, islands, i, start, bounded, relaxed)
        best = descend(touch, islands, i, close, best, False, bounded)
        if anew and not best < MISSED:
            begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints, bounded)
            go_to_best(touch.few, islands, i, bounded)
            best = descend(touch, islands, i, close, best, True, bounded)
        if anew and not best < MISSED and islands.first_joint[i] < islands.first_joint[i + 1]:
            begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints, bounded)
            go_to_best(touch.few, islands, i, bounded)
            sweep_few(touch, islands, i, bounded)
            best = descend(touch, islands, i, close, best, False, bounded)
        for more in EASED:
            if anew and not best < MISSED:
                begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints, bounded)
                ease(touch.few.state, islands, i, more)
                descend(touch, islands, i, close, 0.0, True, bounded)
                ease(touch.few.state, islands, i, 1.0 / more)
                best = descend(touch, islands, i, close, best, True, bounded)
    keep_found(touch.few, islands, i, bounded, relaxed)
    push_few(touch, motion, islands, i, springs)
    push_bounded(drivetrain, joints, touch, motion, islands, i, bounded)
    return max(start, follow(springwork, touch, motion, islands, i, springs)), best


@kernel
def descend(touch, islands, i, close, best, damped, bounded):
    """Steps until contacts are much less than `close` [m/s] off, or less and steps lead nowhere, the `best` so far kept;
    returns how far that is off [m/s]. A damped step begins with less damping than the last one took.

    Writes: touch.few
    """
    square, left = measure(touch, islands, i, 0.0, bounded)
    idle, damping = 0, 0.0
    for _ in range(NEWTON_STEPS + 2 * bounded):
        damping = damping * 0.01 if damping > DAMPED else 0.0
        length, after, left = step_towards(touch, islands, i, damping, square, bounded)
        while damped and length < SHORTEST and damping < 1.0:
            damping = max(100.0 * damping, DAMPED)
            length, after, left = step_towards(touch, islands, i, damping, square, bounded)
        if not after < inf or (damped and length < SHORTEST):  # none leads nearer
            break
        if idle == IDLE:
            length = 1.0
            after, left = measure(touch, islands, i, length, bounded)
        square = after
        go(touch.few, islands, i, length, bounded)
        idle += 1
        if left < best:
            best, idle = left, 0
            keep_best(touch.few, islands, i, bounded)
        if left < CLOSE * close or (idle > 0 and best < NEARLY * close) or (idle >= 2 * IDLE and best < MISSED):
            break
    return best


@kernel
def step_towards(touch, islands, i, damping, square, bounded):
    """A step, each contact yielding to it by `damping` times what it answers; returns (how much of it comes nearer, `measure`).

    Writes: touch.few
    """
    measure(touch, islands, i, 0.0, bounded)
    size = assemble(touch, islands, i, damping, bounded)
    eliminate(touch.few.system, first_row(islands, i), size)
    take_step(touch.few, islands, i, size, bounded)
    length = 1.0
    after, left = measure(touch, islands, i, length, bounded)
    while after > (1.0 - 1e-4 * length) ** 2 * square and length >= SHORTEST:
        length *= 0.5
        after, left = measure(touch, islands, i, length, bounded)
    return length, after, left


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
