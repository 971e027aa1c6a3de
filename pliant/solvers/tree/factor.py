"""The factors of a tree of joints, made anew where the bodies have come to."""

from ..._jit import kernel
from ...equations.rigid.tree_elimination import cholesky
from ...math.quat import load4
from ...math.sym3 import turned_diagonal
from ...math.vec3 import load
from ...model.rows import INNER


@kernel
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


@kernel
def fold_joint(joints, j, ports, rows, work, tree):
    """Fold joint `j` and all beyond it into its inner body. Writes: tree at its bodies and at `j`"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.count[j], 6 * j
    sign = 1.0 if side == 1 else -1.0
    cholesky(tree.body, b, 6)
    for r in range(count):
        solve_half(tree.body, b, rows.table, first + r, side, sign, tree.row)
    for r in range(count):
        for s in range(r + 1):
            x = 0.0
            for c in range(6):
                x += tree.row[first + r, c] * tree.row[first + s, c]
            tree.joint[j, 6 * r + s] = x
    cholesky(tree.joint, j, count)
    if ports.inverse_mass[a] == 0.0:
        return
    for r in range(count):
        inner_row(tree, j, first, r, rows.table, side, -sign)
    for c in range(6):
        for d in range(c + 1):
            x = 0.0
            for r in range(count):
                x += tree.row[first + r, INNER + c] * tree.row[first + r, INNER + d]
            tree.body[a, 6 * c + d] += x


@kernel
def jacobian_entry(jacobian, k, side, c):
    """Entry c of 6 of row `k` on the first (0) or second (1) body, without the first body's sign."""
    return jacobian[k, c] if c < 3 else jacobian[k, 3 * side + c]


@kernel
def solve_half(mass, b, jacobian, k, side, sign, out):
    """Row `k` of Y^T: L^-1 J_b^T. Writes: out at `k`"""
    for c in range(6):
        x = sign * jacobian_entry(jacobian, k, side, c)
        for t in range(c):
            x -= mass[b, 6 * c + t] * out[k, t]
        out[k, c] = x * mass[b, 7 * c]


@kernel
def inner_row(tree, j, first, r, jacobian, side, sign):
    """Row `r` of P = C^-1 J_a. Writes: tree.row at first + r"""
    for c in range(6):
        x = sign * jacobian_entry(jacobian, first + r, 1 - side, c)
        for t in range(r):
            x -= tree.joint[j, 6 * r + t] * tree.row[first + t, INNER + c]
        tree.row[first + r, INNER + c] = x * tree.joint[j, 7 * r]
