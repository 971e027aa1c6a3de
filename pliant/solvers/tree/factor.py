"""The factors of a tree of joints, made anew where the bodies have come to."""

from math import sqrt

from ..._jit import kernel, merged
from ...equations.rigid.tree_elimination import (
    add6,
    add_product,
    back6,
    dot6,
    factor6,
    halfway6,
    row6,
    store_row6,
    weighed6,
)
from ...math.quat import load4
from ...math.sym3 import turned_diagonal
from ...math.vec3 import load
from ...model.rows import ARM_A, ARM_B, GIVES, INNER, OUTER, PULLED

NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@merged
def begin_body(bodies, k, motion, tree):
    """D = M and nothing folded in yet. Writes: tree.body at `k`"""
    for c in range(36):
        tree.body[k, c] = 0.0
    for c in range(3):
        tree.body[k, 7 * c] = bodies.mass[k]
    s = turned_diagonal(load4(motion.quaternion, k), load(bodies.inertia, k))
    tree.body[k, 21] = s[0]
    tree.body[k, 28] = s[1]
    tree.body[k, 35] = s[2]
    tree.body[k, 27] = s[3]
    tree.body[k, 33] = s[4]
    tree.body[k, 34] = s[5]
    for c in range(6):
        tree.body[k, PULLED + c] = 0.0


@merged
def fold_joint(joints, j, ports, rows, work, tree):
    """Fold joint `j` and all beyond it into its inner body. Writes: tree at its bodies and at `j`"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.taken[j], 6 * j
    sign = 1.0 if side == 1 else -1.0
    moves = ports.inverse_mass[b] > 0.0
    if moves:
        factor6(tree.body, b, 6)
    for r in range(count):
        x = jacobian_on(rows.table, first + r, side, sign)
        if moves:
            y = halfway6(tree.body, b, x)
            weighed = weighed6(tree.body, b, y)
            store_row6(tree.row, first + r, OUTER, back6(tree.body, b, weighed))
        else:
            y = anvil_row(x, joints.anvil[j]) if joints.anvil[j] > 0.0 else NONE
            weighed = y
            store_row6(tree.row, first + r, OUTER, NONE)
        store_row6(tree.row, first + r, INNER, y)
        for s in range(r + 1):
            tree.joint[j, 6 * r + s] = dot6(weighed, row6(tree.row, first + s, INNER))
        if r >= work.count[j] or joints.spring[j] > 0.0:
            tree.joint[j, 7 * r] += work.table[j, GIVES + r]
    factor6(tree.joint, j, count)
    if ports.inverse_mass[a] > 0.0:
        fold_inner(tree, j, a, rows, count, 1 - side, -sign)


@merged
def fold_inner(tree, j, a, rows, count, side, sign):
    """D_a += J_a^T S^-1 J_a, and Q. Writes: tree.body at `a`, tree.row at `j`"""
    first = 6 * j
    for r in range(count):
        x = jacobian_on(rows.table, first + r, side, sign)
        for t in range(r):
            x = add6(x, -tree.joint[j, 6 * r + t], row6(tree.row, first + t, INNER))
        store_row6(tree.row, first + r, INNER, x)
        add_product(tree.body, a, x, add6(NONE, tree.joint[j, 7 * r], x))
    for back in range(count):
        r = count - 1 - back
        x = add6(NONE, tree.joint[j, 7 * r], row6(tree.row, first + r, INNER))
        for t in range(r + 1, count):
            x = add6(x, -tree.joint[j, 6 * t + r], row6(tree.row, first + t, INNER))
        store_row6(tree.row, first + r, INNER, x)


@kernel
def anvil_row(x, mass):
    """A row as something very heavy answers it, its mass at the joint itself, spread over a metre."""
    s = 1.0 / sqrt(mass)
    turns = s if x[0] == 0.0 and x[1] == 0.0 and x[2] == 0.0 else 0.0
    return s * x[0], s * x[1], s * x[2], turns * x[3], turns * x[4], turns * x[5]


@kernel
def jacobian_on(table, k, side, sign):
    """Row `k` on the first (0) or second (1) body."""
    at = ARM_A if side == 0 else ARM_B
    return (sign * table[k, 0], sign * table[k, 1], sign * table[k, 2],
            sign * table[k, at], sign * table[k, at + 1], sign * table[k, at + 2])
