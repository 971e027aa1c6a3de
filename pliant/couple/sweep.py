"""Sweeps over the rows of an island: blocks at once, rows one after another, until no velocity changes any more."""

from math import inf

from .._jit import kernel, merged, stage
from ..model.islands import Islands, Outcome
from ..model.joints import SPRING
from ..model.rows import BOUND, SWEPT
from ..model.sets import Sets
from ..solvers.rows.contact import bound_frictions, sweep_contacts
from ..solvers.rows.contact_course import take_along
from ..solvers.rows.contact_pair import meet, warm_start_contact
from ..solvers.rows.drive import displace_before, solve_drive, warm_start_drive
from ..solvers.rows.few_contacts import settle_few
from ..solvers.rows.few_drives import is_bounded
from ..solvers.rows.heavy_contacts import settle_heavy
from ..solvers.rows.joint import warm_start_joint
from ..solvers.rows.spring import solve_spring, warm_start_spring
from ..solvers.rows.who_is_few import are_few
from ..solvers.tree.drives import aim_drives, check_drives, share_drives
from .drive_system import follow_reactions, settle_drives
from .joints_at_once import sweep_joints
from .prepare import factor_trees, has_joints, is_exact
from .together import settle_together
from .ways import SETTLINGS, way_of

ROUNDS = 4
"""How often a sweep solves trees and checks the drives that they take."""
FACTORINGS = 60
"""So many times drives that leave a bound are taken into trees; then they only leave them, and the sweeps do the rest."""
FOLLOWED, HALVED = 8, 32
"""In so many sweeps friction follows the reaction of its joint, by half of how that changes until so many, where it goes round
in circles; then it stays what it is. What sweeps beside ropes have not settled by the first is solved at once."""
FIXED = 2
"""In so many last turns in which drives are solved at once it does not follow it either: what is left then is solved."""
SCATTERED = 10.0
"""Springs that are so many times further off than they were were scattered by drives that change sides, and are swept on."""
OPEN = 0.01
"""Beside driven joints sweeps go on, if they have the patience, while they change a speed by more [m/s or rad/s]: servos of
light links, whose joints hand on what they push, come nearer by a fifth in each, beside soft things by no other way."""
SETTLED = 1e-5
"""Those that are found less far off [m/s] are settled."""


@kernel
def sweep(sets, islands, outcome, i, h, iterations, tolerance, relaxed):
    """Visit all rows until no velocity changes by more than `tolerance` [m/s or rad/s], or `iterations` times.

    Contacts alone are swept here: to call a stage takes as long as to visit some twenty of them. Writes: as `sweep_rows`
    """
    movers, linkage, drivetrain, springwork, touch = sets
    if has_joints(islands, i) or islands.first_spring[i] < islands.first_spring[i + 1] or (
            islands.first_drive[i] < islands.first_drive[i + 1]):
        sweep_rows(sets, islands, outcome, i, h, iterations, tolerance, relaxed)
        return
    residual, few, heavy = 0.0, are_few(movers, linkage.joints, touch.work.body, islands, i, 0), outcome.heavy[i] == 1
    for _ in range(iterations):
        residual = sweep_contacts(touch, movers.motion, islands, i, h, relaxed, few or heavy)
        outcome.iterations[i] += 1
        if residual < tolerance:
            break
    if few and not residual < SETTLED:
        for turn in range(SETTLINGS):
            off, residual = settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, movers.motion,
                                       islands, i, h, relaxed, tolerance, turn == 0, -1, 0)
            if off < SETTLED:
                break
    if heavy and not residual < SETTLED:
        residual = settle_heavy(movers, touch, islands, i, h, relaxed)
    outcome.residual[i] = max(outcome.residual[i], residual)


@stage
def sweep_rows(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, iterations: int, tolerance: float,
               relaxed: bool) -> None:
    """The same for rows of all kinds. Writes: impulses, velocities, outcome"""
    movers, linkage, drivetrain, springwork, touch = sets
    way = way_of(sets, islands, i, iterations, outcome.stiff[i])
    motion, residual, stale, fresh, known, together, asked = movers.motion, 0.0, True, FACTORINGS, -1, way.together, False
    turns, least, scattered = way.iterations + way.settlings, inf, False
    for turn in range(turns + way.patience):
        if turn >= turns and not (scattered or residual > OPEN):
            break
        follow = 1.0 if turn < FOLLOWED else 0.5 if turn < HALVED and not way.touched else 0.0
        residual, swept, left, at_once, found = 0.0, 0.0, 0.0, turn >= way.iterations and not scattered, False
        if at_once:
            together = together or (way.bounded and known != fresh and known >= 0)
            if together:
                if turn < turns - FIXED:
                    follow_reactions(linkage, drivetrain, islands, i, h, relaxed)
                off, left = settle_together(sets, islands, i, h, relaxed, tolerance, not asked)
                stale = asked = True
            else:
                off, left = settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, motion,
                                       islands, i, h, relaxed, tolerance, known != fresh, -1, 0)
            residual, known, found = off, fresh, off < (SETTLED if way.touched else tolerance)
            least, scattered = min(least, off), off > SCATTERED * least
        elif way.sprung:
            residual = max(residual, sweep_springs(springwork, motion, islands, i, relaxed))
        if way.driven:
            swept = sweep_drives(drivetrain, linkage.joints, linkage.state, motion, islands, i, h, relaxed, follow,
                                 at_once, at_once and together)
        if not at_once:
            residual = max(residual, sweep_contacts(touch, motion, islands, i, h, relaxed, way.few))
        if relaxed and not way.few and turn == way.iterations - 1:
            bound_frictions(touch, motion, islands, i)
        change, settled, stale, fresh = sweep_jointed(sets, way, islands, i, h, tolerance, stale, fresh, relaxed, follow)
        found = found and settled and known == fresh  # else drives have changed sides, which contacts do not know yet
        residual = max(left, swept) if found else max(residual, swept, change)  # what joints change by answers contacts
        outcome.iterations[i] += 1
        if way.alone and settled:
            residual = 0.0
        if way.hard and turn == FOLLOWED and residual >= tolerance:
            settle_drives(sets, islands, i, h, tolerance, relaxed)
        if (residual < tolerance and not way.ahead) or found:  # joints are solved after the last push, which rows may not feel
            break
    if relaxed and not way.few and residual < tolerance:  # it ended before its last turn
        bound_frictions(touch, motion, islands, i)
    outcome.residual[i] = max(outcome.residual[i], residual)


@merged
def sweep_jointed(sets, way, islands, i, h, tolerance, stale, fresh, relaxed, follow):
    """Solve joints, with the drives that trees take; returns as `sweep_driven`. Writes: as this, as `sweep_joints`"""
    movers, linkage = sets.movers, sets.linkage
    impulse = linkage.state.relaxed if relaxed else linkage.state.impulse
    if way.taken:
        return sweep_driven(movers, linkage, sets.drivetrain, impulse, islands, i, h, tolerance, stale, fresh, relaxed,
                            follow)
    change = 0.0
    if way.jointed:
        change = sweep_joints(linkage, movers.bodies.tree, movers.ports, movers.motion, impulse, islands, i, relaxed)
    return change, True, stale, fresh


@kernel
def sweep_springs(springwork, motion, islands, i, relaxed):
    """Returns the largest |d lambda| response. Writes: impulses, velocities"""
    residual = 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        change = solve_spring(springwork.springs, islands.spring[m], springwork.state, motion, springwork.rows,
                              springwork.law, relaxed)
        residual = max(residual, change)
    return residual


@kernel
def sweep_drives(drivetrain, joints, joint_state, motion, islands, i, h, relaxed, follow, met, bounded):
    """Returns the largest |d lambda| response; friction changes by the share `follow` of what the reaction of its joint does.

    Springs that are `met` with contacts already are left out, and what is `bounded`.
    Writes: impulses, bounds of friction, velocities
    """
    residual = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drivetrain.law.table[k, BOUND] == SWEPT and not (met and drivetrain.drives.law[k] == SPRING) and not (
                bounded and is_bounded(drivetrain, joints, k)):
            change = solve_drive(drivetrain, k, joints, joint_state, motion, islands, i, h, relaxed, follow)
            residual = max(residual, change)
            if change > 0.0:
                displace_before(drivetrain, islands, i, m, relaxed)
    return residual


@kernel
def sweep_driven(movers, linkage, drivetrain, impulse, islands, i, h, tolerance, stale, fresh, relaxed, follow):
    """Solve joints and the drives that trees take, until these are on the right side of their bounds or `ROUNDS` times.

    Returns the largest |d lambda| response, whether they are, whether they have to be aimed at anew, and how many times more
    drives may be taken.
    Writes: impulses, velocities, drivetrain.law, .lean, linkage.work, .rows, .tree
    """
    residual, motion, part, settled = 0.0, movers.motion, movers.bodies.tree, False
    for _ in range(ROUNDS):
        if stale:
            aim_drives(linkage, drivetrain, islands, i, relaxed)
        residual = max(residual, sweep_joints(linkage, part, movers.ports, motion, impulse, islands, i, relaxed))
        share_drives(linkage, drivetrain, motion, impulse, islands, i, relaxed)
        change, stale, moved = check_drives(drivetrain, linkage.joints, linkage.state, motion, islands, i, h, tolerance,
                                            fresh > 0, relaxed, follow)
        if moved:
            factor_trees(movers, linkage, drivetrain, islands, i)
            fresh, stale = fresh - 1, True
        settled = change < tolerance
        if settled:
            break
    return residual if settled else max(residual, change), settled, stale, fresh


@kernel
def meet_contacts(touch, ports, motion, islands, i, h, few, linked, loose):
    """Place contacts where they go in a substep `h` [s], as take_along says, and note how fast surfaces meet.

    Writes: touch.work
    """
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        take_along(islands.contact[m], ports, motion, touch.work, h, linked, loose)
        meet(islands.contact[m], motion, touch.work, few)


@kernel
def warm_start(linkage, drivetrain, springwork, touch, motion, islands, i):
    """Push all rows by the impulses they had. Writes: velocities, or impulses of joints, as `warm_start_joints`"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        warm_start_contact(islands.contact[m], motion, touch.work)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        warm_start_spring(springwork.springs, islands.spring[m], springwork.state, motion, springwork.rows)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        warm_start_drive(drivetrain.drives, islands.drive[m], drivetrain.coordinates, linkage.joints,
                         drivetrain.state, motion, drivetrain.rows)
    warm_start_joints(linkage.joints, linkage.state.impulse, linkage.rows, linkage.work, motion, islands, i)


@kernel
def warm_start_joints(joints, impulse, rows, work, motion, islands, i):
    """Push all joints by the impulses they had; where that changes nothing, let them start from none.

    Writes: velocities, or impulses
    """
    if is_exact(joints, islands, i):
        for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
            for r in range(6):
                impulse[islands.joint[m], r] = 0.0
        return
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        warm_start_joint(joints, islands.joint[m], impulse, motion, rows, work)
