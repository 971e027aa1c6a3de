"""How rows of contacts answer each other through trees of joints: all of them climb to the root together.

Equation: equations/rigid/tree_answers.py. Each row has two sides, one for each of its bodies, that climb by themselves.
"""

from ..._jit import kernel
from ...equations.rigid.tree_answers import common_answer
from ...equations.rigid.tree_elimination import add6, dot6, row6, solve_rows, solved6, store_row6
from ...model.rows import ANSWERED, AT, CLIMBER, INNER, LACKING, OUTER, PUSHED

NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def enter_tree(climbers, q, side, body, impulse):
    """Let side `side` of row `q` start at `body` with an impulse (6) on it, or nowhere (-1). Writes: climbers at `q`"""
    climbers[q, AT + side] = body
    store_row6(climbers, q, CLIMBER + 6 * side, impulse)


@kernel
def climb_trees(linkage, part, ports, islands, i, climbers, matrix, first, size):
    """Let rows `first` to `first + size` climb all trees of island `i`. Writes: climbers, matrix (adds to it)"""
    joints = linkage.joints
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        side = joints.outer[j]
        if side < 0:
            break  # joints that close loops come last
        b, a = joints.body[j, side], joints.body[j, 1 - side]
        if answer_body(climbers, first, size, b, linkage.tree):
            pass_joint(climbers, first, size, b, j, linkage.tree, linkage.work.taken[j])
            add_common(climbers, matrix, first, size, b)
            move_on(climbers, first, size, b, a if ports.inverse_mass[a] > 0.0 else -1, j, linkage.tree, linkage.work.taken[j])
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if part[k] == 1 and answer_body(climbers, first, size, k, linkage.tree):
            add_common(climbers, matrix, first, size, k)


@kernel
def answer_body(climbers, first, size, b, tree):
    """D^-1 f of all that have come to body `b`, and no joint yet; whether any has. Writes: climbers"""
    found = False
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                store_row6(climbers, q, ANSWERED + 6 * side, solved6(tree.body, b, row6(climbers, q, CLIMBER + 6 * side)))
                store_row6(climbers, q, LACKING + 6 * side, NONE)
                store_row6(climbers, q, PUSHED + 6 * side, NONE)
                found = True
    return found


@kernel
def pass_joint(climbers, first, size, b, j, tree, count):
    """t and S^-1 t of all that have come to body `b`, at its joint `j` towards the root. Writes: climbers"""
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                f = row6(climbers, q, CLIMBER + 6 * side)
                for r in range(count):
                    t = -dot6(row6(tree.row, 6 * j + r, OUTER), f)
                    climbers[q, LACKING + 6 * side + r] = t
                    climbers[q, PUSHED + 6 * side + r] = t
                solve_rows(tree.joint, j, count, climbers, q, PUSHED + 6 * side)


@kernel
def add_common(climbers, matrix, first, size, b):
    """Writes: matrix, both halves"""
    for q in range(size):
        for side in range(2):
            if climbers[first + q, AT + side] != b:
                continue
            f, t = row6(climbers, first + q, CLIMBER + 6 * side), row6(climbers, first + q, LACKING + 6 * side)
            for s in range(q + 1):
                for other in range(2):
                    if climbers[first + s, AT + other] == b:
                        common = common_answer(f, row6(climbers, first + s, ANSWERED + 6 * other), t,
                                               row6(climbers, first + s, PUSHED + 6 * other))
                        matrix[first + q, s] += common
                        if s < q:
                            matrix[first + s, q] += common


@kernel
def move_on(climbers, first, size, b, a, j, tree, count):
    """From body `b` to the inner body `a`, -1 if that does not move. Writes: climbers"""
    for q in range(first, first + size):
        for side in range(2):
            if climbers[q, AT + side] == b:
                f = NONE
                if a >= 0:
                    for r in range(count):
                        f = add6(f, climbers[q, LACKING + 6 * side + r], row6(tree.row, 6 * j + r, INNER))
                climbers[q, AT + side] = a
                store_row6(climbers, q, CLIMBER + 6 * side, f)
