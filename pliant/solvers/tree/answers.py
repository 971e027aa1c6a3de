"""How rows of contacts answer each other through trees of joints: all of them climb to the root together.

Equation: equations/rigid/tree_answers.py. Each row has two sides, one for each of its bodies, that climb by themselves.
"""

from ..._jit import kernel
from ...equations.rigid.tree_answers import common_answer
from ...equations.rigid.tree_elimination import add6, dot6, forward, halfway6, row6, store_row6
from ...model.rows import AT, CLIMBER, HALF_BODY, HALF_JOINT, INNER, OUTER

NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def enter_tree(climbers, q, side, body, impulse):
    """Let side `side` of row `q` start at `body` with an impulse (6) on it, or nowhere (-1). Writes: climbers at `q`"""
    climbers[q, AT + side] = body
    store_row6(climbers, q, CLIMBER + 6 * side, impulse)
    store_row6(climbers, q, HALF_JOINT + 6 * side, NONE)


@kernel
def climb_trees(linkage, part, ports, islands, i, climbers, matrix, first, size):
    """Let rows `first` to `first + size` climb all trees of island `i`. Writes: climbers, matrix (adds to it)"""
    joints = linkage.joints
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        side = joints.outer[j]
        b, a = joints.body[j, side], joints.body[j, 1 - side]
        if halve(climbers, first, size, b, linkage.tree):
            pass_joint(climbers, first, size, b, j, linkage.tree, linkage.work.taken[j])
            add_common(climbers, matrix, first, size, b)
            move_on(climbers, first, size, b, a if ports.inverse_mass[a] > 0.0 else -1, j, linkage.tree, linkage.work.taken[j])
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if part[k] == 1 and halve(climbers, first, size, k, linkage.tree):
            for q in range(first, first + size):
                for side in range(2):
                    store_row6(climbers, q, HALF_JOINT + 6 * side, NONE)
            add_common(climbers, matrix, first, size, k)


@kernel
def halve(climbers, first, size, b, tree):
    """z of all that have come to body `b`; whether any has. Writes: climbers"""
    found = False
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                store_row6(climbers, q, HALF_BODY + 6 * side, halfway6(tree.body, b, row6(climbers, q, CLIMBER + 6 * side)))
                found = True
    return found


@kernel
def pass_joint(climbers, first, size, b, j, tree, count):
    """c of all that have come to body `b`, at its joint `j` towards the root. Writes: climbers"""
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                z, at = row6(climbers, q, HALF_BODY + 6 * side), HALF_JOINT + 6 * side
                store_row6(climbers, q, at, NONE)
                for r in range(count):
                    climbers[q, at + r] = -dot6(row6(tree.row, 6 * j + r, OUTER), z)
                forward(tree.joint, j, count, climbers, q, at)


@kernel
def add_common(climbers, matrix, first, size, b):
    """Writes: matrix"""
    for q in range(size):
        for side in range(2):
            if climbers[first + q, AT + side] != b:
                continue
            z, c = row6(climbers, first + q, HALF_BODY + 6 * side), row6(climbers, first + q, HALF_JOINT + 6 * side)
            for s in range(size):
                for other in range(2):
                    if climbers[first + s, AT + other] == b:
                        y = row6(climbers, first + s, HALF_BODY + 6 * other)
                        d = row6(climbers, first + s, HALF_JOINT + 6 * other)
                        matrix[first + q, s] += common_answer(z, y, c, d)


@kernel
def move_on(climbers, first, size, b, a, j, tree, count):
    """From body `b` to the inner body `a`, -1 if that does not move. Writes: climbers"""
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                f = NONE
                if a >= 0:
                    for r in range(count):
                        f = add6(f, climbers[q, HALF_JOINT + 6 * side + r], row6(tree.row, 6 * j + r, INNER))
                climbers[q, AT + side] = a
                store_row6(climbers, q, CLIMBER + 6 * side, f)
