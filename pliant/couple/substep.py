"""The substeps of an island: kick, sweep the rows to their goals, move, relax.

A substep solves the rows so that joints close, limits hold and contacts part at the end of it, moves the bodies by the
velocities found, and sweeps once more where they have come to, for velocities alone. For joints that is the scheme of
Andersen's RATTLE: second order, and a pendulum keeps its energy; for contacts it is the relaxation of a soft step, by
which correcting a position leaves no speed behind.

Forces from outside act before the move, as the implicit Euler scheme of springs and contacts has it; on free bodies and
trees of joints half of them act after it, which makes the whole second order: a free body follows its parabola exactly.

Joints that still gape where the bodies have come to are aimed at again, from the start of the substep; if that does not
close them, or a tree of joints has gained or lost energy, the substep is taken again in halves. One that cannot be halved any
more gives up what it has gained; if it cannot, or tears joints, as of bars that lie exactly straight, the bodies stand where
they were.
"""

from math import inf

from .._jit import entry, kernel, merged
from ..math.vec3 import norm
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..model.shapes import Shapes
from ..solvers.rows.few_contacts import are_few
from ..solvers.tree.drives import enter_drives
from .finish import finish_contacts, finish_rows
from .move import energy_of, give_up, keep_start, kick, kinetic_of, move, move_contacts, push_work
from .prepare import (
    aim_again,
    begin_island,
    factor_trees,
    halved,
    place,
    prepare_contacts,
    prepare_inertia,
    prepare_soft,
    rescale,
    swing_springs,
)
from .sweep import has_rods, is_linkage, meet_contacts, sweep, warm_start, warm_start_joints

CLOSED = 1e-6
"""A joint whose gap [m or rad] is below this is closed; where something touches, `GAPING` will do."""
SHUT = 1e-8
"""The same of loops alone: what they gape costs energy, their force times the gap, with one sign in every substep."""
GAPING = 1e-5
"""A substep that leaves a larger gap [m or rad] is taken again in halves."""
SWUNG, SHAKEN = 1e-4, 1e-3
"""Springs that pull another way where the bodies have come to are swept again if that makes such a speed [m/s]; where
something touches, the second, since a sweep of contacts leaves as much."""
CLOSINGS = 10
"""How often a substep aims at its joints."""
STEADY = 1e-5
"""A substep of free bodies and trees whose energy changes by more, of its kinetic energy [-], is taken again in halves."""
STILL = 0.1
"""To that kinetic energy is added the weight lifted by this [m], so that what hangs still is not divided by nothing."""
AIMED = 3
"""Where something touches, the main sweeps are so many times fewer than the relaxing ones: those calm a stack."""
LONGER = 8.0
"""How many times more energy a substep of twice the length gains or loses, at second order; it is tried only if that passes."""
FINEST = 32
"""Parts that a substep is halved into at most."""
TORN = 2.0
"""One that cannot be halved any more has torn a joint if that gapes so many times more than before [-]: aiming leads away."""


@entry
def solve_islands(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                  shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                  dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
    """Advance islands `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those islands"""
    tick = dt / (substeps * FINEST)
    for i in range(first, last):
        if has_rods(linkage.joints, islands, i) or islands.first_rope[i] < islands.first_rope[i + 1]:
            continue
        begin_island(linkage.state, drivetrain.state, springwork.state, islands, outcome, i)
        prepare_inertia(movers, islands, i)
        prepare_contacts(touch, contacts, shapes, movers.ports, movers.motion, islands, i)
        left, ticks, implicit = substeps * FINEST, FINEST, not is_linkage(islands, i)
        touched = islands.first_contact[i] < islands.first_contact[i + 1]
        aimed, fresh = (iterations + AIMED - 1) // AIMED if touched else iterations, True
        calm, apart, few = True, 0.0, are_few(linkage.joints, islands, i)
        shut = CLOSED if implicit or not has_loops(linkage.joints, movers.ports, islands, i) else SHUT
        while left > 0:
            h = ticks * tick
            early = h if implicit else 0.5 * h
            energy = energy_of(movers, islands, i, gravity)
            keep_start(movers, islands, i)
            if fresh:
                apart = place(movers, linkage, drivetrain, islands, i, h)
            meet_contacts(touch, movers.motion, islands, i, few)
            kick(movers, islands, i, gravity, drag, early)
            prepare_soft(drivetrain, springwork, movers, islands, i, h)
            if enter_drives(drivetrain, linkage, islands, i) or fresh:
                factor_trees(movers, linkage, drivetrain, islands, i)
                fresh = False
            warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
            gap = aim(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, aimed, tolerance, touched, shut)
            longer = 2 if calm and ticks < FINEST and left > ticks and (left - ticks) % (2 * ticks) == 0 else 1
            steady, drift = True, 0.0
            if gap < GAPING or ticks == 1:
                move_contacts(touch, movers.motion, islands, i, h, few)
                drift = place(movers, linkage, drivetrain, islands, i, longer * h)
                kick(movers, islands, i, gravity, drag, h - early)
                relax(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, iterations, tolerance)
                gain = energy_of(movers, islands, i, gravity) - energy - push_work(movers, islands, i, h)
                if not implicit:
                    most = STEADY * kinetic_of(movers, islands, i, STILL * norm(gravity)) if drag == 0.0 else inf
                    steady, calm = abs(gain) <= most, abs(gain) * LONGER <= most
                    torn = not gap < TORN * max(GAPING, apart)
                    if ticks == 1 and (torn or gain > most) and give_up(movers, islands, i, gain, torn):
                        rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 0.0)
                        outcome.residual[i] = max(outcome.residual[i], gap / h)
                        drift, fresh = apart, True
            if ticks > 1 and not (gap < GAPING and steady):
                ticks, fresh = halved(movers, linkage, drivetrain, springwork, touch, islands, i, ticks), True
                continue
            left, apart = left - ticks, drift
            outcome.drift[i] = max(outcome.drift[i], drift)
            outcome.work[i] += push_work(movers, islands, i, h)
            finish_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, 1.0)
            finish_contacts(touch, contacts, movers, islands, outcome, i, 2.0 * dt * norm(gravity), dt, left == 0)
            outcome.substeps[i] += 1
            if longer == 2:
                ticks *= 2
                rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 2.0)


@kernel
def has_loops(joints, ports, islands, i):
    """Whether joints of an island close loops, also by way of what does not move."""
    found = False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        found |= joints.outer[j] < 0 or ports.inverse_mass[joints.body[j, joints.outer[j]]] == 0.0
    return found


@merged
def aim(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, sweeps, tolerance, touched, shut):
    """Sweep and move, from the start of the substep, until joints close where that leads; returns their largest gap [m or rad].

    Writes: impulses, motion, scratch, outcome
    """
    gap, closed, calm = 1.0, GAPING if touched else shut, SHAKEN if touched else SWUNG
    for _ in range(CLOSINGS):
        sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, sweeps, tolerance, False)
        move(movers, islands, i, h)
        before, gap = gap, aim_again(linkage.joints, linkage.work, movers.motion, islands, i, h)
        swung, locked = swing_springs(springwork, movers, islands, i, h, closed)
        gap = max(gap, locked)
        if (gap < closed and swung < calm) or not gap < 2.0 * max(before, closed):
            break
    return gap


@merged
def relax(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, sweeps, tolerance):
    """Sweep where the bodies have come to, for velocities alone. Writes: impulses, velocities, scratch, outcome"""
    factor_trees(movers, linkage, drivetrain, islands, i)
    warm_start_joints(linkage.joints, linkage.state.relaxed, linkage.rows, linkage.work, movers.motion, islands, i)
    sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, sweeps, tolerance, True)
