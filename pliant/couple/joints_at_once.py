"""All joints of an island at once: trees first, then the joints that close loops, which the trees answer."""

from .._jit import kernel
from ..model.rows import AIMING, RELAXING
from ..solvers.loop.closure import solve_loops
from ..solvers.tree.forest import feel_pulls, pass_trees, take_answers


@kernel
def sweep_joints(linkage, part, ports, motion, impulse, islands, i, relaxed):
    """Solve the trees at once and the joints that close loops with them; returns the largest |d lambda| response.

    Writes: impulse, velocities, linkage.work, .tree
    """
    if islands.first_joint[i] == islands.first_joint[i + 1]:
        return 0.0
    mode = RELAXING if relaxed else AIMING
    if linkage.rods.table.shape[0] > 0:
        feel_pulls(part, motion, linkage.tree, islands, i)
    residual = pass_trees(linkage, part, ports, motion, impulse, islands, i, mode, 1.0)
    take_answers(part, motion, linkage.tree, islands, i)
    return max(residual, solve_loops(linkage, part, ports, motion, impulse, islands, i, mode))
