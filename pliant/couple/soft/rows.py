"""Sweeps over the rows between soft things and what they touch or hang on, for one island at a time."""

from ..._jit import bind, entry, kernel
from ...math.vec3 import dot, load, store
from ...model.bodies import DRIVEN
from ...model.islands import Islands, Outcome
from ...model.sets import Movers, Softwork
from ...model.soft_contacts import ARM, DISTANCE, IMPULSES, TIE_ARM
from ...model.soft_things import VERTEX
from ...solvers.rows.pressed_vertex import find_below, find_through, pass_push, pass_rub
from ...solvers.rows.soft_contact import (
    advance_soft_contact,
    begin_soft_contact,
    gap_speed,
    keep_soft_contact,
    parting,
    place_soft_contact,
    point_speed,
    prepare_soft_contact,
    push_sides,
    soft_impulse,
    solve_soft_contact,
    sum_soft_contact,
)
from ...solvers.rows.soft_follow import follow_soft_contact
from ...solvers.rows.soft_glide import glide_soft_contact
from ...solvers.rows.squeezed import LAYERS, find_held, soften
from ...solvers.rows.tie import place_tie, prepare_tie, push_tie, solve_tie, sum_tie, turn_tie
from ..ports import load_at

NAMED, PUSHED = 1, 2
"""Marks of movers that rows name, and that they are likely to push."""


class SoftRowSet:
    """The rows of all islands, their arrays bound once."""

    def __init__(self, movers: Movers, softwork: Softwork, islands: Islands, outcome: Outcome) -> None:
        self.place = bind(place_soft_rows, movers, softwork, islands)
        self.turn = bind(turn_ties, movers, softwork, islands)
        self.mark = bind(mark_pushed, movers, softwork, islands)
        self.prepare = bind(prepare_soft_rows, movers, softwork, islands)
        self.start = bind(start_soft_rows, movers, softwork, islands)
        self.sweep = bind(sweep_soft_rows, movers, softwork, islands)
        self.move = bind(move_soft_rows, movers, softwork, islands)
        self.finish = bind(finish_soft_rows, movers, softwork, islands, outcome)


@entry
def place_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, i: int, fresh: bool, h: float) -> float:
    """Levers and gaps at the start of a substep of `h` [s], in a `fresh` step also what was kept; returns the largest angle
    [rad] that a normal has turned by.

    Writes: softwork.work, .state.force, .contacts: .normal and .position of what is round, .weight too of reliefs that roll
    """
    turned = 0.0
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        place_tie(softwork.ties, islands.tie[m], movers.bodies, movers.motion, softwork.work)
        if fresh:
            store(softwork.state.force, islands.tie[m], (0.0, 0.0, 0.0))
    if fresh:
        find_pressed(movers, softwork, islands, i)
        find_squeezed(movers, softwork, islands, i)
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        if fresh:
            begin_soft_contact(softwork.contacts, islands.touch[m], softwork.work)
        glide_soft_contact(softwork.contacts, islands.touch[m], movers.motion, softwork.work, h)
        turned = max(turned, follow_soft_contact(softwork.contacts, islands.touch[m], softwork.shapes, movers.motion,
                                                 softwork.work, h))
        place_soft_contact(softwork.contacts, islands.touch[m], movers.bodies, movers.motion, softwork.work)
    return turned


@kernel
def find_pressed(movers, softwork, islands, i):
    """Which contacts push through vertices, and what lies below these. Writes: softwork.work"""
    contacts, work, first, last = softwork.contacts, softwork.work, islands.first_touch[i], islands.first_touch[i + 1]
    for m in range(first, last):
        if contacts.mover[islands.touch[m], 3] >= 0:
            work.below[contacts.mover[islands.touch[m], 3]] = -1
    for m in range(first, last):
        find_below(contacts, islands.touch[m], movers.bodies, work)
    for m in range(first, last):
        find_through(contacts, islands.touch[m], movers.bodies, work)


@kernel
def find_squeezed(movers, softwork, islands, i):
    """What is squeezed between firm bodies, one of them driven, and how much contacts give way for it. Writes: softwork.work"""
    contacts, work, first, last = softwork.contacts, softwork.work, islands.first_touch[i], islands.first_touch[i + 1]
    for m in range(first, last):
        for c in range(6):
            if contacts.mover[islands.touch[m], c] >= 0:
                work.held[contacts.mover[islands.touch[m], c]] = work.squeezed[contacts.mover[islands.touch[m], c]] = 0
    for _ in range(LAYERS):
        for m in range(first, last):
            find_held(contacts, islands.touch[m], movers.bodies, work)
    for m in range(first, last):
        soften(contacts, islands.touch[m], movers.bodies, work)


@entry
def turn_ties(movers: Movers, softwork: Softwork, islands: Islands, i: int, h: float, pulls: bool) -> None:
    """Levers and gaps of ties where bodies end a substep of `h` [s] by their velocities now; `pulls`: they have pulled.

    Writes: softwork.work
    """
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        turn_tie(softwork.ties, islands.tie[m], movers.bodies, movers.motion, movers.start.table, softwork.state, softwork.work,
                 h, pulls)


@entry
def mark_pushed(movers: Movers, softwork: Softwork, islands: Islands, i: int, h: float) -> None:
    """Mark the first movers of contacts and what ties hold, and what is tied, touched or would come through in `h` [s].

    Writes: softwork.work.mark
    """
    contacts, work, mark = softwork.contacts, softwork.work, softwork.work.mark
    for m in range(mark.shape[0]):
        mark[m] = 0
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        k = islands.touch[m]
        speed = dot(load(contacts.normal, k), parting(contacts, k, movers.bodies, movers.motion, load_at(work.contact, k, ARM)))
        near = work.contact[k, DISTANCE] + h * speed < 0.0 or work.contact[k, IMPULSES] > 0.0
        mark[contacts.mover[k, 0]] = max(mark[contacts.mover[k, 0]], NAMED)
        for c in range(6 if near else 0):
            if contacts.mover[k, c] >= 0:
                mark[contacts.mover[k, c]] = PUSHED
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        for c in range(2):
            mark[softwork.ties.mover[islands.tie[m], c]] = PUSHED


@entry
def prepare_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, i: int) -> None:
    """Responses, by the answers of the movers. Writes: softwork.work"""
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        prepare_tie(softwork.ties, islands.tie[m], movers.bodies, softwork.work)
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        prepare_soft_contact(softwork.contacts, islands.touch[m], movers.bodies, softwork.work)


@entry
def start_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, i: int) -> None:
    """Push by the impulses kept. Writes: velocities, softwork.work.pull"""
    ties, contacts, work = softwork.ties, softwork.contacts, softwork.work
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        k = islands.tie[m]
        push_tie(ties, k, movers.bodies, movers.motion, work, load(softwork.state.impulse, k))
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        k = islands.touch[m]
        push_sides(contacts, k, movers.bodies, movers.motion, work, soft_impulse(contacts, k, work))


@entry
def sweep_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, i: int, h: float, passes: int, tolerance: float,
                    relaxed: bool) -> float:
    """Visit the rows `passes` times, `relaxed` only contacts, without pushing out; returns the last change [m/s].

    Writes: impulses, velocities, pulls
    """
    bodies, motion, work = movers.bodies, movers.motion, softwork.work
    residual = 0.0
    for _ in range(passes):
        residual = 0.0
        for m in range(islands.first_tie[i], islands.first_tie[i + 1] if not relaxed else 0):
            one = solve_tie(softwork.ties, islands.tie[m], bodies, motion, softwork.state, work, h)
            residual = max(residual, one)
        for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
            k = islands.touch[m]
            if work.through[k] >= 0:
                pass_push(softwork.contacts, k, work.through[k], bodies, motion, work, h, relaxed)
                pass_rub(softwork.contacts, k, work.through[k], bodies, motion, work)
            one = solve_soft_contact(softwork.contacts, k, bodies, motion, work, h, relaxed)
            residual = max(residual, one)
        if residual < tolerance:
            break
    return residual


@entry
def move_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, i: int, h: float) -> float:
    """Gaps after `h` [s]; returns the work [J] of contacts that push out what they were put into, as walls that move do.

    Writes: softwork.work
    """
    row, pushed = softwork.work.contact, 0.0
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        k = islands.touch[m]
        pushed -= row[k, IMPULSES] * min(gap_speed(row[k, DISTANCE], softwork.contacts.slop[k], h, False), 0.0)
        advance_soft_contact(softwork.contacts, k, movers.bodies, movers.motion, softwork.work, h)
    return pushed


@entry
def finish_soft_rows(movers: Movers, softwork: Softwork, islands: Islands, outcome: Outcome, i: int, dt: float,
                     falling: float, last: bool) -> None:
    """Sums, the work of driven bodies; after the `last` substep what is kept, but for what stopped things that met faster than
    `falling` [m/s]. Writes: softwork, outcome.work"""
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        k = islands.tie[m]
        sum_tie(softwork.state, k, dt)
        a = softwork.ties.mover[k, 0]
        if movers.bodies.kind[a] == DRIVEN and movers.bodies.link[a] != VERTEX:
            speed = point_speed(movers.motion, a, load_at(softwork.work.tie, k, TIE_ARM))
            outcome.work[i] += dot(load(softwork.state.impulse, k), speed)
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        k = islands.touch[m]
        a = softwork.contacts.mover[k, 0]
        if movers.bodies.kind[a] == DRIVEN and movers.bodies.link[a] != VERTEX and softwork.work.contact[k, IMPULSES] > 0.0:
            arm, p = load_at(softwork.work.contact, k, ARM), soft_impulse(softwork.contacts, k, softwork.work)
            parts = dot(load(softwork.contacts.normal, k), parting(softwork.contacts, k, movers.bodies, movers.motion, arm))
            # where rows contradict each other nothing yields as fast as it is pressed: that part of the work nobody did
            outcome.work[i] += dot(p, point_speed(movers.motion, a, arm)) + softwork.work.contact[k, IMPULSES] * min(parts, 0.0)
        sum_soft_contact(k, softwork.work, falling)
        if last:
            keep_soft_contact(softwork.contacts, k, softwork.work, dt)
