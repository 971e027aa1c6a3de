"""One pass over all trees of an island: what their rows lack is gathered leaves to root, and the answers come back."""

from ..._jit import kernel
from ...couple.ports import speeds_of
from ...model.joints import ROD
from ...model.rows import PUSH
from ..chain.solve import gather_rod, scatter_rod
from .solve import answer_root, feel_pull, gather_joint, scatter_joint, take_answer


@kernel
def pass_trees(linkage, part, ports, motion, impulse, islands, i, mode, booked):
    """Answers of all bodies in trees, left in tree.body; returns the largest |d lambda| response.

    Writes: linkage.work, .rod_work, .tree, and impulses where `booked` is 1
    """
    joints, rows, work, tree, state = linkage.joints, linkage.rows, linkage.work, linkage.tree, linkage.state
    rods, rod_work, residual = linkage.rods.table, linkage.rod_work, 0.0
    first, last = islands.first_joint[i], islands.first_joint[i + 1]
    for m in range(first, last):
        j = islands.joint[m]
        if joints.outer[j] < 0:
            last = m  # joints that close loops come last
            break
        if joints.kind[j] == ROD:
            speeds = speeds_of(motion, joints.body[j, joints.outer[j]], joints.body[j, 1 - joints.outer[j]])
            gather_rod(joints, j, rods, ports, speeds, rod_work, tree.body, state, mode)
        else:
            gather_joint(joints, j, ports, motion, rows, work, tree, state.impulse, mode)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] == 1:
            answer_root(islands.body[m], tree)
    for back in range(last - first):
        j = islands.joint[last - 1 - back]
        if joints.kind[j] == ROD:
            one = scatter_rod(joints, j, rods, ports, rod_work, tree.body, state, mode, booked)
        else:
            on = state.impulse if joints.spring[j] > 0.0 else impulse
            one = scatter_joint(joints, j, ports, rows, work, tree, on, booked)
        residual = max(residual, one)
    return residual


@kernel
def take_answers(part, motion, tree, islands, i):
    """Writes: velocities, tree.body back to no impulse"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] >= 0:
            take_answer(islands.body[m], motion, tree)


@kernel
def forget_answers(part, tree, islands, i):
    """Writes: tree.body back to no impulse"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] >= 0:
            for c in range(6):
                tree.body[islands.body[m], PUSH + c] = 0.0


@kernel
def feel_pulls(part, motion, tree, islands, i):
    """Writes: tree.body"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] >= 0:
            feel_pull(islands.body[m], motion, tree)
