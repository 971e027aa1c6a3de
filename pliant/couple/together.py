"""Few contacts and the bounded drives of their joints, solved together: neither knows what it bears without the other."""

from .._jit import kernel, stage
from ..model.islands import Islands
from ..model.sets import Sets
from ..solvers.rows.few_contacts import settle_few
from ..solvers.rows.few_drives import let_out
from ..solvers.tree.drives import enter_drives
from .prepare import factor_trees


@stage
def settle_together(sets: Sets, islands: Islands, i: int, h: float, relaxed: bool, tolerance: float) -> tuple:
    """Solve few contacts and all bounded drives at once; those that are inside their bounds then go into the trees again.

    Returns how far off they were and are [m/s]. Writes: as settle_few, drivetrain, factors
    """
    movers, linkage, drivetrain, springwork, touch = sets
    bounded = let_out(drivetrain, touch, islands, i)
    factor_trees(movers, linkage, drivetrain, islands, i)
    off, left = settle_few(linkage, drivetrain, springwork, touch, movers.bodies.tree, movers.ports, movers.motion, islands, i,
                           h, relaxed, tolerance, True, -1, bounded)
    enter_drives(drivetrain, linkage, islands, i)
    factor_trees(movers, linkage, drivetrain, islands, i)
    return off, left


@kernel
def looks_ahead(ahead, islands, i):
    """Whether contacts of an island reckon with speeds that sweeps do not know."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        found |= ahead[islands.contact[m]] > 0.0
    return found
