"""Few contacts and the bounded drives of their joints, solved together: neither knows what it bears without the other."""

from .._jit import kernel, stage
from ..model.islands import Islands
from ..model.joints import SPRING
from ..model.rows import AHEAD, BOUND, MOST_DRIVES, SWEPT
from ..model.sets import Sets
from ..solvers.rows.few_contacts import choose_few, settle_few
from ..solvers.rows.few_drives import is_bounded, let_out, list_bounded
from ..solvers.rows.few_ropes import has_rods
from ..solvers.tree.drives import enter_drives
from .prepare import factor_trees


@stage
def settle_together(sets: Sets, islands: Islands, i: int, h: float, relaxed: bool, tolerance: float, anew: bool) -> tuple:
    """Solve few contacts and all bounded drives at once; those that are inside their bounds then go into the trees again.

    How they answer each other is asked `anew`, or if contacts take part that did not: it does not depend on which drives trees
    hold now. Returns how far off they were and are [m/s]. Writes: as settle_few, drivetrain, factors
    """
    movers, linkage, drivetrain, springwork, touch = sets
    bounded = list_bounded(drivetrain, linkage.joints, touch, islands, i)
    fresh = choose_few(touch, movers.motion, islands, i, h, relaxed, anew)
    if fresh:
        let_out(drivetrain, touch, islands, i, bounded)
        factor_trees(movers, linkage, drivetrain, islands, i)
    off, left = settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, movers.motion, islands, i,
                           h, relaxed, tolerance, fresh, -1, bounded)
    if enter_drives(drivetrain, linkage, islands, i) or fresh:
        factor_trees(movers, linkage, drivetrain, islands, i)
    return off, left


@kernel
def may_go_together(sets, islands, i):
    """Whether the scratch has room for all drives of an island; beside soft things and ropes they are not in trees, and all are
    met in other ways."""
    if islands.first_tie[i] < islands.first_tie[i + 1] or islands.first_touch[i] < islands.first_touch[i + 1] or (
            has_rods(sets.linkage.joints, islands, i)):
        return False
    return islands.first_drive[i + 1] - islands.first_drive[i] <= MOST_DRIVES and (
        islands.first_spring[i] == islands.first_spring[i + 1]) and not (
        has_swept_coils(sets.drivetrain, islands, i))


@kernel
def has_swept_bounds(sets, islands, i):
    """Whether trees have no room for drives of an island that contacts may be met together with."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        found |= sets.drivetrain.law.table[k, BOUND] == SWEPT and is_bounded(sets.drivetrain, sets.linkage.joints, k)
    return found


@kernel
def has_swept_coils(drivetrain, islands, i):
    """Whether joints of an island have springs that no tree takes, as those which close loops."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        found |= drivetrain.drives.law[k] == SPRING and drivetrain.law.table[k, BOUND] == SWEPT
    return found


@kernel
def looks_ahead(course, islands, i):
    """Whether contacts of an island reckon with speeds that sweeps do not know."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        found |= course[islands.contact[m], AHEAD] > 0.0
    return found
