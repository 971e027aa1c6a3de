"""The substeps of an island: kick, sweep the rows to their goals, move, relax.

A substep solves the rows so that joints close, limits hold and contacts part at the end of it, moves the bodies by the
velocities found, and sweeps once more where they have come to, for velocities alone. For joints that is the scheme of
Andersen's RATTLE: second order, and a pendulum keeps its energy; for contacts it is the relaxation of a soft step, by
which correcting a position leaves no speed behind.

Forces from outside act before the move, as the implicit Euler scheme of springs and contacts has it; on free bodies and
joints, also those with drives, half of them act after it, and half of what drives give, which makes the whole
second order: a free body follows its parabola exactly.

Joints that still gape where the bodies have come to, and limits that are missed there, are aimed at again, from the start of
the substep; if that does not close them, or a tree of joints has gained or lost energy, or springs have gained any, the substep
is taken again in halves. One that cannot be halved any more gives up what it has gained; if it cannot, or tears joints, as of
bars that lie exactly straight, the bodies stand where they were.
"""

from math import inf

from .._jit import entry, kernel, merged, stage
from ..math.vec3 import norm
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.sets import Drivetrain, Linkage, Movers, Sets
from ..model.shapes import Shapes
from ..solvers.rows.drive import bound_motors, yield_to_limits
from ..solvers.rows.drive_halves import begin_half, go_on, note_halfway, note_speeds, note_starts
from ..solvers.rows.drive_way import aim_ways, stop_at_limits
from ..solvers.rows.few_ropes import has_rods
from ..solvers.rows.many_springs import keep_pulls, note_pulls
from ..solvers.tree.drives import add_up, enter_drives
from .bear import bear
from .bounce import bounce_linked, note_rebounds
from .finish import finish_contacts, note_reactions, note_rows
from .manner import GAPING, SHUT, Manner, Settings, Substep, first_ticks, has_loops, least_ticks, manner_of
from .move import (
    answer_contacts,
    energy_of,
    has_driven,
    keep_start,
    kick,
    lift_work,
    move,
    move_contacts,
    push_work,
    steer,
    turn_back,
    turn_contacts,
)
from .prepare import aim_again, doubled, enter_island, factor_trees, halved, has_joints, place, place_joints, prepare_soft
from .spring_energy import UNWATCHED
from .spring_newton import settle_touching, swing_springs
from .sweep import meet_contacts, sweep, warm_start, warm_start_joints
from .verdict import TORN, judge, stand_still
from .ways import is_stiff
from .weigh import carry, closing_work, weigh

SWUNG, SHAKEN = 1e-4, 1e-3
"""Springs that pull another way where the bodies have come to are swept again if that makes such a speed [m/s]; where
something touches, the second, since a sweep of contacts leaves as much."""
CLOSINGS = 10
"""How often a substep aims at its joints."""
WRENCHED, DRIFTED, WIDER = 1e-3, 3e-5, 1.001
"""Joints that gape further [m or rad] in the finest substep are wrenched: all stands. The second of what is driven and touches
nothing, and so much wider than before [-]: motors that contradict each other in a loop opened one by 1e-5 m in each substep."""


@entry
def solve_islands(sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                  dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
    """Advance islands `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those islands"""
    linkage, settings = sets.linkage, Settings(dt, substeps, iterations, tolerance, gravity, drag)
    for i in range(first, last):
        if not (has_rods(linkage.joints, islands, i) or islands.first_rope[i] < islands.first_rope[i + 1]):
            enter_island(sets, shapes, contacts, islands, outcome, i)
            solve_island(sets, contacts, islands, outcome, i, settings)


@merged
def solve_island(sets, contacts, islands, outcome, i, settings):
    """Advance one island, in substeps as long as what becomes of them lets them be. Writes: as `solve_islands`"""
    movers, dt, gravity = sets.movers, settings.dt, settings.gravity
    outcome.stiff[i] = 1 if is_stiff(sets.springwork, movers, islands, i, dt / settings.substeps) else 0
    manner = manner_of(movers, sets.linkage, sets.drivetrain.drives, sets.touch, islands, i, settings.iterations,
                       outcome.stiff[i])
    outcome.heavy[i] = 1 if manner.heavy else 0
    left, ticks, fresh, calm, apart, stood = settings.substeps * manner.parts, manner.parts, True, True, 0.0, 0
    tick = dt / left
    if manner.driven and manner.looped:
        ticks = first_ticks(movers, islands, i, manner, dt / settings.substeps)
    while left > 0:
        least = least_ticks(manner, outcome.substeps[i], settings.substeps)
        calm = calm or ticks < least
        longer = 2 if calm and ticks < manner.parts and left > ticks and (left - ticks) % (2 * ticks) == 0 else 1
        substep = Substep(ticks * tick, energy_of(movers, islands, i, gravity), ticks <= least, longer)
        steer(movers, islands, i, dt - left * tick + 0.5 * substep.h)
        rest = left // ticks if stood > 0 else 1  # from rest it would stand again
        kept, calm, fresh, apart, strayed = attempt(sets, islands, outcome, i, manner, settings, substep, calm, fresh, apart,
                                                    rest)
        if not kept:
            ticks, fresh = halved(sets, islands, i, ticks), True
            continue
        left = left - rest * ticks if fresh else left - ticks
        stood = 1 if fresh and not manner.sprung else 0
        if stood > 0:
            outcome.unruly[i] = max(outcome.unruly[i], outcome.residual[i])
        outcome.drift[i] = max(outcome.drift[i], apart)
        pushed = push_work(movers, islands, i, substep.h)
        outcome.work[i] += pushed + strayed
        energy = inf if manner.sprung else substep.energy + pushed
        finish_contacts(sets.touch, contacts, movers, islands, outcome, i, grazing(settings), dt, left == 0,
                        manner.parts / ticks, has_joints(islands, i), gravity, energy)
        outcome.substeps[i] += 1
        if longer == 2:
            ticks = doubled(sets, islands, i, ticks)
    if fresh and has_joints(islands, i):  # the last substep stood: coordinates are where the bodies are
        place_joints(movers, sets.linkage, sets.drivetrain, islands, i, tick, 0.0)


@kernel
def grazing(settings):
    """Surfaces that meet more slowly [m/s] do not bounce: in a step weight brings them to that."""
    return 2.0 * settings.dt * norm(settings.gravity)


@merged
def attempt(sets, islands, outcome, i, manner, settings, substep, calm, fresh, apart, rest):
    """Take one substep, which stands for `rest` of them if the bodies stand in it.

    Returns whether it is kept, whether it was `calm`, whether bodies are to be placed anew (`fresh`), how far joints stand
    `apart` now [m], and `strayed_work` [J]. Writes: motion, impulses, scratch, outcome
    """
    apart, stored = set_out(sets, islands, i, substep.h, manner, settings, fresh, apart)
    gap, off, met = aim(sets, islands, outcome, i, substep.h, manner, settings)
    closed, steady, fresh, finest = gap < manner.gaping and off < GAPING, True, False, substep.finest
    drift, lifted, strayed, outcome.slowed[i] = 0.0, 0.0, 0.0, 0
    torn = max(DRIFTED, WIDER * apart) if manner.driven else max(WRENCHED, TORN * apart)
    if finest and not manner.free and not gap < torn and abs(substep.energy) < inf:
        fresh = give_up(sets, islands, outcome, i, settings, substep, stored, gap)
    if not fresh and (closed or finest):
        sweeps = 0 if met and not manner.touched else settings.iterations
        drift, lifted = arrive(sets, islands, outcome, i, manner, settings, substep, closed, sweeps, stored != UNWATCHED)
        steady, calm, fresh = judge(sets, islands, outcome, i, manner, settings, substep, lifted, gap, apart)
    if (finest or (closed and steady)) and (manner.sprung or has_joints(islands, i)):
        shut = max(apart - drift, 0.0)
        lifted += closing_work(sets, islands, i, settings.gravity, shut, substep.h) if stored != UNWATCHED else 0.0
        kept, easy, fresh, strayed = end_rows(sets, islands, outcome, i, manner, settings, substep, stored, lifted, fresh, rest)
        steady, calm = steady and kept, calm and easy
    return finest or (closed and steady), calm, fresh, apart if fresh else drift, strayed


@merged
def give_up(sets, islands, outcome, i, settings, substep, stored, gap):
    """The finest substep, whose joints gape all the same: the bodies stand where they were, or go along with what is driven.

    Returns whether they do. Writes: motion, impulses, scratch, outcome
    """
    if stored != UNWATCHED and has_driven(sets.movers, islands, i):
        return carry(sets, islands, outcome, i, substep.h, settings.gravity, substep.energy + stored, gap / substep.h)
    return stand_still(sets, islands, outcome, i, gap, substep.h)


@merged
def end_rows(sets, islands, outcome, i, manner, settings, substep, stored, lifted, fresh, rest):
    """Weigh what springs have made of a substep, and note what rows did in it, if it is kept or the finest.

    Returns whether it is kept, whether that was easy, whether bodies were put where they have to be placed anew (`fresh`), and
    `strayed_work` [J]. Writes: motion, impulses, as note_rows
    """
    kept, easy, strayed = True, True, 0.0
    if stored != UNWATCHED and not fresh:
        kept, easy, fresh = weigh(sets, islands, outcome, i, settings.gravity, substep, stored, lifted)
    if kept or substep.finest:
        dt = settings.dt / rest if fresh else settings.dt
        if fresh or outcome.slowed[i] == 1:
            bear(sets, islands, i, substep.h, dt, settings.gravity, settings.drag, fresh)
        strayed = note_rows(sets, islands, outcome, i, substep.h, dt, 0.0, manner.implicit, not fresh)
    return kept, easy, fresh, strayed


@stage
def set_out(sets: Sets, islands: Islands, i: int, h: float, manner: Manner, settings: Settings, fresh: bool,
            apart: float) -> tuple:
    """Start a substep: forces from outside, laws of springs and drives, factors, and the impulses of the substep before.

    Places the joints where that is not done yet (`fresh`), and returns how far they stand `apart` [m], and what springs hold
    [J] or UNWATCHED. Writes: all scratch, velocities
    """
    movers, linkage, drivetrain, springwork, touch = sets
    keep_start(movers, islands, i)
    if fresh:
        apart = place(movers, linkage, drivetrain, islands, i, h, 0.0)
    note_starts(drivetrain, linkage.joints, movers.motion, islands, i, not manner.implicit)
    linked = has_joints(islands, i)
    meet_contacts(touch, movers.ports, movers.motion, islands, i, h, manner.few, manner.few and linked, not linked)
    kick(movers, islands, i, settings.gravity, settings.drag, h if manner.implicit else 0.5 * h)
    stored = prepare_soft(drivetrain, springwork, movers, islands, i, h)
    driven = islands.first_drive[i] < islands.first_drive[i + 1]
    if (driven and set_drives(movers, linkage, drivetrain, islands, i, h, manner)) or fresh:
        factor_trees(movers, linkage, drivetrain, islands, i)
    warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
    return apart, stored


@stage
def set_drives(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, islands: Islands, i: int, h: float,
               manner: Manner) -> bool:
    """Bounds of drives at the start of a substep; returns whether trees take others. Writes: drivetrain.law, .lean, impulses"""
    if manner.touched or has_loops(linkage.joints, movers.ports, islands, i):
        bound_motors(movers, linkage.joints, drivetrain, islands, i, h)
    if not manner.implicit:
        begin_half(drivetrain, islands, i)
    return enter_drives(drivetrain, linkage, islands, i)


@stage
def push_again(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, islands: Islands, i: int, h: float,
               settings: Settings) -> None:
    """The second half of forces from outside and of drives. Writes: velocities, drivetrain.law, .lean"""
    note_speeds(drivetrain, linkage.joints, movers.motion, islands, i)
    kick(movers, islands, i, settings.gravity, settings.drag, 0.5 * h)
    go_on(drivetrain, linkage.joints, movers.motion, islands, i)
    stop_at_limits(drivetrain, islands, i)
    yield_to_limits(drivetrain.drives, drivetrain.law.table, islands, i)
    add_up(drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, islands, i)


@stage
def aim(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, manner: Manner, settings: Settings) -> tuple:
    """Sweep and move, from the start of the substep, until joints close, and limits are met, where that leads.

    Unless that is implicit, rows push for half of the substep.

    Returns the largest gap [m or rad], by how much a limit is missed [m or rad], and whether springs were solved at once, which
    leaves nothing but contacts to relax.
    Writes: impulses, motion, scratch, outcome
    """
    movers, linkage, springwork = sets.movers, sets.linkage, sets.springwork
    tolerance, touched = settings.tolerance, manner.touched
    gap, off, before, calm = 1.0, 0.0, 1.0, SHAKEN if touched else SWUNG
    closed, shut = (GAPING, GAPING) if touched else (manner.shut, SHUT)
    known, met, swings = outcome.residual[i], False, inf
    for _ in range(CLOSINGS):
        turn_back(movers, islands, i)
        outcome.residual[i] = 0.0
        sweep(sets, islands, outcome, i, h if manner.implicit else 0.5 * h, manner.aimed, tolerance, False)
        move(movers, islands, i, h)
        gap = aim_again(linkage.joints, linkage.work, movers.motion, islands, i, h)
        if manner.driven or manner.limited:
            off = aim_ways(sets.drivetrain, linkage.joints, movers.motion, islands, i, h, not manner.implicit)
        swung = 0.0
        if manner.sprung:
            swung, locked, met = swing_springs(movers, springwork, islands, outcome, i, h, closed, tolerance, manner.alone,
                                               touched, settings.gravity, settings.drag)
            if met and touched:
                outcome.residual[i] = settle_touching(sets, islands, outcome, i, h, tolerance, settings.gravity, settings.drag)
                locked = h * outcome.residual[i]  # by which they miss where they lead
            gap = max(gap, locked)
        known = max(known, outcome.residual[i])
        most = max(gap, off)
        if met or (gap < closed and off < shut and swung < calm) or not most < 2.0 * max(before, closed) or (
                swung > 0.0 and not swung < swings):
            break
        before, swings = most, swung
    outcome.residual[i] = known
    return gap, off, met


@stage
def arrive(sets: Sets, islands: Islands, outcome: Outcome, i: int, manner: Manner, settings: Settings, substep: Substep,
           closed: bool, sweeps: int, weighed: bool) -> tuple:
    """The rest of the forces, and a sweep for velocities alone, where the bodies have come to.

    On joints they bounce then, if they met faster than `grazing` [m/s], with no more energy than the substep began with. Joints
    are placed for the next one, by what it took if they `closed`; returns their largest gap [m], and what contacts lift [J],
    where masses are uneven or springs are `weighed` beside contacts. Writes: impulses, velocities, scratch, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    h, gravity, touched, watched = substep.h, settings.gravity, manner.touched, manner.uneven or (manner.touched and weighed)
    if islands.first_drive[i] < islands.first_drive[i + 1]:
        note_halfway(drivetrain, linkage.joints, movers.motion, islands, i)
    note_reactions(linkage, drivetrain, islands, i)
    lifted = lift_work(touch, movers.motion, islands, i, h) if watched else 0.0
    if manner.sprung and touched:
        note_pulls(springwork, islands, i)
    move_contacts(touch, movers.motion, islands, i, h, manner.few)
    drift = place(movers, linkage, drivetrain, islands, i, substep.longer * h, substep.longer**2 if closed else 0.0)
    linked = has_joints(islands, i)
    if linked:
        turn_contacts(touch, movers.ports, movers.motion, islands, i)
    answer_contacts(touch, movers, islands, i, not linked)
    if manner.driven:
        push_again(movers, linkage, drivetrain, islands, i, h, settings)
    elif not manner.implicit:
        kick(movers, islands, i, gravity, settings.drag, 0.5 * h)
    factor_trees(movers, linkage, drivetrain, islands, i)
    warm_start_joints(linkage.joints, linkage.state.relaxed, linkage.rows, linkage.work, movers.motion, islands, i)
    if sweeps > 0:
        sweep(sets, islands, outcome, i, h, sweeps, settings.tolerance, True)
    if touched and linked and note_rebounds(touch.work, islands, i, grazing(settings)):
        bounce_linked(sets, islands, i, h, manner.few, settings.tolerance, gravity, inf if manner.sprung else substep.energy)
    if manner.sprung and touched:
        keep_pulls(springwork, islands, i)
    return drift, lifted
