"""Which way springs pull in a substep where it matters that they turn: Newton's method to the end, also beside few contacts."""

from math import inf

from .._jit import kernel, stage
from ..math.quat import unrotate
from ..math.vec3 import dot, load, mul, norm, sub
from ..model.islands import Islands, Outcome
from ..model.rows import FREE, GOES, IMPULSE, QUATERNION, RESPONSE
from ..model.sets import Movers, Sets, Springwork
from ..solvers.rows.contact_pair import load_pair, speeds_at, warm_start_contact
from ..solvers.rows.few_contacts import settle_few
from ..solvers.rows.many_springs import (
    copy_row,
    hold_as_drawn,
    lay_rows,
    pull_of_all,
    push_all,
    solve_all,
    stored_by,
    system_row,
    take_impulses,
    unmet,
)
from ..solvers.rows.spring import aim_spring, locked_gap, spring_length
from .course import begin_course, go_on, load_velocities, missed, note_course, note_velocities, take_velocities
from .move import go_back, kick, move
from .ports import load_at, push_row

STEPS, TOUCHING_STEPS = 40, 20
"""Of Newton's method at most; where something touches, the second."""
MET, NOISE = 1e-9, 1e-13
"""Velocities that miss by less [m/s or rad/s] those which the springs make where they lead are the solution; so do velocities
that miss by less of what all springs do to them [-]: that is rounding."""
NEARER, IDLE = 0.7, 3
"""Where something touches, so many steps which do not come nearer by that share [-] are the last: contacts go round."""
SHORTEST = 1e-4
"""A step that would have to be shorter to lead downhill is not taken [-]."""
ROUNDING = 1e-14
"""The potential is not known better [-]."""

STIFF_ACROSS = 0.02
"""Below this h^2 F / (m L) [-] a spring of free bodies keeps the direction that it has at the start of a substep."""


@stage
def swing_springs(movers: Movers, springwork: Springwork, islands: Islands, outcome: Outcome, i: int, h: float, closed: float,
                  tolerance: float, alone: bool, touched: bool, gravity: tuple, drag: float) -> tuple:
    """Let springs pull the way they point where the bodies have come to; those that are `alone` are solved to the end for it,
    also where sweeps have not ended within the `tolerance` [m/s]. Of those that are `touched` it is said that they have to be.

    Returns the largest speed that changes [m/s], the gap of springs that their dampers lock [m], and whether they are solved.
    Beside joints they have to. Between free bodies it is done only where that gap is not `closed`, or where it matters: a force
    F turns a mass m at the length L as a stiffness F / L across does, which a substep takes explicitly and well while
    h^2 F / (m L) is small; left alone, no angular momentum is lost. Writes: motion, springwork, movers.start, outcome
    """
    springs, state, rows, motion, worst = springwork.springs, springwork.state, springwork.rows, movers.motion, 0.0
    gap = 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        length = spring_length(springs, k, motion)
        one = h * abs(state.impulse[k]) * rows.table[k, RESPONSE] / max(length, 1e-12)
        if not one <= worst:
            worst = one  # also when it is not a number
        gap = max(gap, locked_gap(springs, k, state, rows, springwork.law, motion, h, length))
    stiff = not worst < STIFF_ACROSS or not gap < closed
    if alone and touched:
        return 0.0, 0.0, stiff
    if alone:
        if stiff or not outcome.residual[i] < tolerance:
            outcome.residual[i] = settle_springs(movers, springwork, islands, outcome, i, h, gravity, drag)
            outcome.unruly[i] = max(outcome.unruly[i], outcome.residual[i])
            return 0.0, 0.0, True
        return 0.0, gap, False
    if stiff or islands.first_joint[i] < islands.first_joint[i + 1]:
        return turn_springs(springwork, movers, islands, i, h), gap, False
    return 0.0, gap, False


@kernel
def turn_springs(springwork, movers, islands, i, h):
    """Let springs pull the way they point where the bodies have come to; returns the largest speed that changes [m/s].

    All are aimed at the velocities that led there before any of them pulls another way: what one has changed, which may be
    10^10 m/s of a stiff one, has not moved the ends of the next. Writes: springwork.rows, .law, .system, .state.deflection,
    velocities
    """
    springs, state, rows, motion, worst = springwork.springs, springwork.state, springwork.rows, movers.motion, 0.0
    before, first = springwork.system, islands.first_spring[i]
    for m in range(first, islands.first_spring[i + 1]):
        k, r = islands.spring[m], system_row(islands, i) + m - first
        start = state.deflection[k] + springs.rest_length[k]
        copy_row(rows.table, k, before.table, r)
        aim_spring(springs, k, state, movers.ports, motion, rows, springwork.law, h, start)
    for m in range(first, islands.first_spring[i + 1]):
        k, r = islands.spring[m], system_row(islands, i) + m - first
        a, b, impulse, response = springs.body[k, 0], springs.body[k, 1], state.impulse[k], before.table[r, RESPONSE]
        push_row(before, r, motion, a, b, -impulse)
        push_row(rows, k, motion, a, b, impulse)
        turned = norm(sub(load_at(rows.table, k, 0), load_at(before.table, r, 0)))
        turned += abs(rows.table[k, RESPONSE] / response - 1.0)
        worst = max(worst, abs(impulse) * response * turned)
    return worst


@kernel
def settle_springs(movers, springwork, islands, outcome, i, h, gravity, drag):
    """Solve an island of nothing but bodies and springs from the start of its substep; returns how far off it is [m/s].

    Writes: motion, movers.start, springwork, outcome
    """
    motion = movers.motion
    note_velocities(movers, islands, i, GOES)
    go_back(movers, islands, i)
    kick(movers, islands, i, gravity, drag, h)
    note_velocities(movers, islands, i, FREE)
    begin_course(movers, islands, i)
    least, first = potential(movers, springwork, islands, i, h, 0.0), potential(movers, springwork, islands, i, h, 1.0)
    if first < least:
        least = first
        go_on(movers, islands, i, 1.0)
    off = 0.0
    for _ in range(STEPS):
        outcome.iterations[i] += 1
        take_velocities(movers, islands, i, 0.0)
        move(movers, islands, i, h)
        count = lay_rows(springwork, movers, islands, i, h)
        off, noise = unmet(springwork, motion, islands, i, count), NOISE * pull_of_all(springwork, islands, i, count)
        load_velocities(movers, islands, i, FREE)
        push_all(springwork, motion, islands, i, count)
        off = max(off, missed(movers, islands, i))
        if off < MET + noise:
            return 0.0
        solve_all(springwork, motion, islands, i, count)
        note_course(movers, islands, i)
        share, after = 1.0, potential(movers, springwork, islands, i, h, 1.0)
        while not after <= least + ROUNDING * abs(least) and share > SHORTEST:
            share *= 0.5
            after = potential(movers, springwork, islands, i, h, share)
        if share <= SHORTEST:
            break
        least = after
        go_on(movers, islands, i, share)
        take_impulses(springwork, islands, i, count, share)
    take_velocities(movers, islands, i, 0.0)
    move(movers, islands, i, h)
    hold_as_drawn(springwork, motion, islands, i, h)
    return off


@stage
def settle_touching(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, tolerance: float, gravity: tuple,
                    drag: float) -> float:
    """The same of bodies, springs and few contacts; returns how far off it is [m/s].

    Each step solves contacts and springs together where the velocities tried lead. Under the impulses of contacts that it
    finds it leads downhill in the potential less their work, and is shortened until it does.
    Writes: motion, movers.start, springwork, touch, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    motion, off, nearest, idle = movers.motion, 0.0, inf, 0
    note_velocities(movers, islands, i, GOES)
    go_back(movers, islands, i)
    kick(movers, islands, i, gravity, drag, h)
    note_velocities(movers, islands, i, FREE)
    begin_course(movers, islands, i)
    if merit(movers, springwork, touch, islands, i, h, 1.0) < merit(movers, springwork, touch, islands, i, h, 0.0):
        go_on(movers, islands, i, 1.0)
    for _ in range(TOUCHING_STEPS):
        outcome.iterations[i] += 1
        take_velocities(movers, islands, i, 0.0)
        move(movers, islands, i, h)
        count = lay_rows(springwork, movers, islands, i, h)
        load_velocities(movers, islands, i, FREE)
        for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
            warm_start_contact(islands.contact[m], motion, touch.work)
        push_all(springwork, motion, islands, i, count)
        settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, motion, islands, i, h, False,
                   tolerance, True, count, 0)
        off = missed(movers, islands, i)
        nearest, idle = (off, 0) if off < NEARER * nearest else (nearest, idle + 1)
        note_course(movers, islands, i)
        least, share = merit(movers, springwork, touch, islands, i, h, 0.0), 1.0
        after = merit(movers, springwork, touch, islands, i, h, 1.0)
        while not after <= least + ROUNDING * abs(least) and share > SHORTEST:
            share *= 0.5
            after = merit(movers, springwork, touch, islands, i, h, share)
        if share <= SHORTEST:
            break
        go_on(movers, islands, i, share)
        take_impulses(springwork, islands, i, count, share)
        if off < tolerance:
            off = 0.0
        if off < tolerance or idle == IDLE:
            break
    take_velocities(movers, islands, i, 0.0)
    move(movers, islands, i, h)
    lay_rows(springwork, movers, islands, i, h)
    return off


@kernel
def merit(movers, springwork, touch, islands, i, h, share):
    """`potential` less what the impulses of contacts do at those velocities [J]. Writes: motion, .start"""
    energy, table = potential(movers, springwork, islands, i, h, share), touch.work.table
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        pair = load_pair(movers.motion, touch.work.body[k, 0], touch.work.body[k, 1])
        energy -= dot(load_at(table, k, IMPULSE), speeds_at(table, k, pair))
    return energy


@kernel
def potential(movers, springwork, islands, i, h, share):
    """Incremental potential [J] where velocities a `share` of the course beyond those tried lead. Writes: motion, .start"""
    take_velocities(movers, islands, i, share)
    move(movers, islands, i, h)
    bodies, motion, start = movers.bodies, movers.motion, movers.start.table
    energy = stored_by(springwork, motion, islands, i, h)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        v = sub(load(motion.velocity, k), load_at(start, k, FREE))
        w = sub(load(motion.angular_velocity, k), load_at(start, k, FREE + 3))
        turned = (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2], start[k, QUATERNION + 3])
        spin = unrotate(turned, w)
        energy += 0.5 * bodies.mass[k] * dot(v, v) + 0.5 * dot(spin, mul(load(bodies.inertia, k), spin))
    return energy
