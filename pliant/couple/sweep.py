"""Sweeps over the rows of an island: blocks at once, rows one after another, until no velocity changes any more."""

from .._jit import kernel, merged, stage
from ..model.islands import Islands, Outcome
from ..model.joints import SPRING
from ..model.rows import BOUND, SWEPT
from ..model.sets import Sets
from ..solvers.rows.contact import bound_frictions, sweep_contacts
from ..solvers.rows.contact_course import take_along
from ..solvers.rows.contact_pair import meet, warm_start_contact
from ..solvers.rows.drive import solve_drive, warm_start_drive
from ..solvers.rows.drive_halves import takes_halves
from ..solvers.rows.few_contacts import settle_few
from ..solvers.rows.few_drives import is_bounded
from ..solvers.rows.heavy_contacts import settle_heavy
from ..solvers.rows.joint import warm_start_joint
from ..solvers.rows.spring import solve_spring, warm_start_spring
from ..solvers.rows.who_is_few import are_few, are_few_beside_ropes, are_springs_few
from ..solvers.tree.drives import aim_drives, check_drives, share_drives
from .drive_system import may_settle, settle_drives
from .joints_at_once import sweep_joints
from .prepare import factor_trees, has_joints, is_exact
from .together import has_swept_bounds, has_swept_coils, looks_ahead, may_go_together, settle_together

ROUNDS = 4
"""How often a sweep solves trees and checks the drives that they take."""
FACTORINGS = 60
"""So many times drives that leave a bound are taken into trees; then they only leave them, and the sweeps do the rest."""
FOLLOWED = 8
"""In so many sweeps friction follows the reaction of its joint; then it stays what it is, and what sweeps beside ropes have not
settled by then is solved at once."""
FEW_SWEEPS = 2
"""Sweeps before few contacts are solved at once, where other rows take part."""
SETTLINGS = 2
"""How often few contacts and springs, which sweeps have left open, are solved at once and the other rows after them."""
SPRING_SETTLINGS, DRIVEN_SETTLINGS = 8, 6
"""The same of springs on joints that touch nothing: as often as motors and limits may have to change sides; and of contacts on
driven joints, which are solved together with the drives once these have changed sides."""
SETTLED = 1e-5
"""Those that are found less far off [m/s] are settled."""
PATIENCE = 25
"""An island without contacts may take so many times more sweeps: they converge, and little else stands in their way."""


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
    residual, few, heavy = 0.0, are_few(movers, linkage.joints, touch.work.body, islands, i), outcome.heavy[i] == 1
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
    motion, residual = movers.motion, 0.0
    driven, linked = islands.first_drive[i] < islands.first_drive[i + 1], is_linkage(islands, i)
    alone = has_no_anvil(linkage.joints, islands, i) and (
        linked or (driven and is_driven_tree(drivetrain, islands, i)))
    taken = driven and takes_drives(drivetrain, islands, i)
    stale, fresh = True, FACTORINGS
    impulse = linkage.state.relaxed if relaxed else linkage.state.impulse
    sprung, jointed = islands.first_spring[i] < islands.first_spring[i + 1], has_joints(islands, i)
    if not is_touched(islands, i):
        iterations *= PATIENCE
    settlings, known = settlings_of(movers, linkage, drivetrain, touch, islands, i, sprung, jointed), -1
    few, touched = settlings > 0, is_touched(islands, i)
    ahead = few and jointed and looks_ahead(touch.work.ahead, islands, i)
    bounded = few and touched and driven and may_go_together(sets, islands, i)
    together = bounded and has_swept_bounds(sets, islands, i)
    bounded = together or (bounded and taken)
    if few:
        iterations = min(iterations, FEW_SWEEPS)
        settlings = DRIVEN_SETTLINGS if bounded else settlings
    hard = (sprung or driven) and may_settle(linkage.joints, islands, i)
    for turn in range(iterations + settlings):
        residual, swept, left, at_once, found = 0.0, 0.0, 0.0, turn >= iterations, False
        if at_once:
            together = together or (bounded and known != fresh and known >= 0)
            if together:
                off, left = settle_together(sets, islands, i, h, relaxed, tolerance)
                stale = True
            else:
                off, left = settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, motion,
                                       islands, i, h, relaxed, tolerance, known != fresh, -1, 0)
            residual, known, found = off, fresh, off < (SETTLED if touched else tolerance)
        elif sprung:
            residual = max(residual, sweep_springs(springwork, motion, islands, i, relaxed))
        if driven:
            swept = sweep_drives(drivetrain, linkage.joints, linkage.state, motion, islands, i, h, relaxed, turn < FOLLOWED,
                                 at_once, at_once and together)
        if not at_once:
            residual = max(residual, sweep_contacts(touch, motion, islands, i, h, relaxed, few))
        if relaxed and not few and turn == iterations - 1:
            bound_frictions(touch, motion, islands, i)
        change, settled = 0.0, True
        if taken:
            change, settled, stale, fresh = sweep_driven(movers, linkage, drivetrain, impulse, islands, i, h, tolerance, stale,
                                                         fresh, relaxed, turn < FOLLOWED)
        elif jointed:
            change = sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, impulse, islands, i, relaxed)
        if found and settled and known == fresh:
            residual = max(left, swept)  # what joints and trees change by answers the last push of contacts
        else:
            residual = max(residual, swept, change)
        outcome.iterations[i] += 1
        if alone and settled:
            residual = 0.0
        if hard and turn == FOLLOWED and residual >= tolerance:
            settle_drives(sets, islands, i, h, tolerance, relaxed)
        if (residual < tolerance and not ahead) or found:  # joints are solved after the last push, which rows may not feel
            break
    if relaxed and not few and residual < tolerance:  # it ended before its last turn
        bound_frictions(touch, motion, islands, i)
    outcome.residual[i] = max(outcome.residual[i], residual)


@merged
def settlings_of(movers, linkage, drivetrain, touch, islands, i, sprung, jointed):
    """How often contacts and springs of an island may be solved at once in a sweep, 0 if they are not few."""
    if are_few(movers, linkage.joints, touch.work.body, islands, i):
        return SETTLINGS
    if not jointed:
        return 0
    if linkage.rods.table.shape[0] > 0 and (
            are_few_beside_ropes(movers, linkage.joints, touch.work.body, islands, i)):
        return SETTLINGS
    coiled = sprung or has_swept_coils(drivetrain, islands, i)
    return SPRING_SETTLINGS if coiled and are_springs_few(linkage.joints, islands, i) else 0


@kernel
def is_linkage(islands, i):
    """Whether an island is nothing but joints."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1]:
        return False
    return islands.first_contact[i] == islands.first_contact[i + 1]


@kernel
def is_rigid(drives, islands, i):
    """Whether an island is nothing but joints and drives that push in two halves: rows that are solved exactly."""
    only = islands.first_spring[i] == islands.first_spring[i + 1] and (
        islands.first_contact[i] == islands.first_contact[i + 1])
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        only &= takes_halves(drives, islands.drive[m])
    return only


@kernel
def takes_drives(drivetrain, islands, i):
    """Whether trees take any drive of an island; beside ropes they take none."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        found |= drivetrain.law.table[islands.drive[m], BOUND] != SWEPT
    return found


@kernel
def is_driven_tree(drivetrain, islands, i):
    """Whether an island is nothing but trees and loops of joints and drives that they take, solved once these are settled."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_contact[i] < islands.first_contact[i + 1]:
        return False
    only = True
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        only &= drivetrain.law.table[islands.drive[m], BOUND] != SWEPT
    return only


@kernel
def has_no_anvil(joints, islands, i):
    """Whether trees of an island are solved exactly: nothing that does not move is stood for by a mass."""
    exact = True
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        exact &= joints.anvil[islands.joint[m]] == 0.0 or joints.outer[islands.joint[m]] < 0
    return exact


@kernel
def is_touched(islands, i):
    """Whether an island has contacts."""
    return islands.first_contact[i] < islands.first_contact[i + 1]


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
    """Returns the largest |d lambda| response; if drives `follow`, friction knows the reaction of its joint.

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
def meet_contacts(touch, ports, motion, islands, i, h, few, linked):
    """Place contacts where they go in a substep `h` [s], and note how fast surfaces meet. Writes: touch.work"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        take_along(islands.contact[m], ports, motion, touch.work, h, linked)
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
