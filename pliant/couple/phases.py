"""The phases of a substep: bodies set out, rows are aimed at where they lead and bodies move there, bodies arrive."""

from math import inf

from .._jit import kernel, stage
from ..math.vec3 import norm
from ..model.islands import Islands, Outcome
from ..model.sets import Drivetrain, Linkage, Movers, Sets
from ..solvers.rows.drive import bound_motors, yield_to_limits
from ..solvers.rows.drive_halves import begin_half, go_on, note_halfway, note_speeds, note_starts
from ..solvers.rows.drive_way import aim_ways, stop_at_limits
from ..solvers.rows.many_springs import keep_pulls, note_pulls
from ..solvers.tree.drives import add_up, enter_drives
from .bounce import bounce_linked, note_rebounds
from .finish import note_reactions
from .manner import GAPING, SHUT, Manner, Settings, Substep, has_loops
from .move import answer_contacts, keep_start, kick, lift_work, move, move_contacts, turn_back, turn_contacts
from .prepare import aim_again, factor_trees, has_joints, place, prepare_soft
from .spring_newton import settle_touching, swing_springs
from .sweep import meet_contacts, sweep, warm_start, warm_start_joints

SWUNG, SHAKEN = 1e-4, 1e-3
"""Springs that pull another way where the bodies have come to are swept again if that makes such a speed [m/s]; where
something touches, the second, since a sweep of contacts leaves as much."""
CLOSINGS = 10
"""How often a substep aims at its joints."""


@kernel
def grazing(settings):
    """Surfaces that meet more slowly [m/s] do not bounce: in a step weight brings them to that."""
    return 2.0 * settings.dt * norm(settings.gravity)


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
    for turn in range(CLOSINGS):
        if turn > 0:
            turn_back(movers, islands, i)
        outcome.residual[i] = 0.0
        sweep(sets, islands, outcome, i, h if manner.implicit else 0.5 * h, manner.aimed, tolerance, False)
        move(movers, islands, i, h)
        gap = aim_again(linkage.joints, linkage.work, movers.motion, islands, i, h)
        if manner.limited or not touched:
            off = aim_ways(sets.drivetrain, linkage.joints, movers.motion, islands, i, h, not touched)
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
