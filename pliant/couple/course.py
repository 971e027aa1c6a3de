"""Velocities that Newton's method tries in a substep, the course from these to those found, and how far they are off."""

from .._jit import kernel
from ..math.vec3 import add_scaled, load, norm, store, sub
from ..model.bodies import DRIVEN
from ..model.rows import FREE, GOES, LEADS
from .ports import load_at, store_at


@kernel
def note_velocities(movers, islands, i, at):
    """Writes: movers.start at `at`"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store_at(movers.start.table, k, at, load(movers.motion.velocity, k))
        store_at(movers.start.table, k, at + 3, load(movers.motion.angular_velocity, k))


@kernel
def note_given(movers, islands, outcome, i):
    """Note velocities as rows have made them, before the first time that others are given in a substep.

    Writes: movers.start, outcome.slowed
    """
    if outcome.slowed[i] == 0:
        note_velocities(movers, islands, i, FREE)
    outcome.slowed[i] = 1


@kernel
def begin_course(movers, islands, i):
    """Try first to stand still, but for what is driven, and then to go where sweeps have led. Writes: movers.start"""
    table = movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        driven = movers.bodies.kind[k] == DRIVEN
        for c in range(6):
            table[k, LEADS + c] = table[k, FREE + c] if driven else 0.0
            table[k, GOES + c] -= table[k, LEADS + c]


@kernel
def load_velocities(movers, islands, i, at):
    """Writes: velocities, to those noted at `at`"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(movers.motion.velocity, k, load_at(movers.start.table, k, at))
        store(movers.motion.angular_velocity, k, load_at(movers.start.table, k, at + 3))


@kernel
def take_velocities(movers, islands, i, share):
    """Writes: velocities, to those tried and a `share` of the course beyond"""
    table = movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(movers.motion.velocity, k, add_scaled(load_at(table, k, LEADS), share, load_at(table, k, GOES)))
        store(movers.motion.angular_velocity, k, add_scaled(load_at(table, k, LEADS + 3), share, load_at(table, k, GOES + 3)))


@kernel
def go_on(movers, islands, i, share):
    """Let those velocities be tried. Writes: movers.start"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        for c in range(6):
            movers.start.table[islands.body[m], LEADS + c] += share * movers.start.table[islands.body[m], GOES + c]


@kernel
def note_course(movers, islands, i):
    """The course from the velocities tried to those found. Writes: movers.start"""
    note_velocities(movers, islands, i, GOES)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        for c in range(6):
            movers.start.table[islands.body[m], GOES + c] -= movers.start.table[islands.body[m], LEADS + c]


@kernel
def missed(movers, islands, i):
    """By how much velocities miss those tried [m/s or rad/s]."""
    worst, table = 0.0, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        one = max(norm(sub(load(movers.motion.velocity, k), load_at(table, k, LEADS))),
                  norm(sub(load(movers.motion.angular_velocity, k), load_at(table, k, LEADS + 3))))
        if not one <= worst:
            worst = one  # also when it is not a number
    return worst
