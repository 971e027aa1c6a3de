"""One exact solve of all joints of a tree: leaves to root, and back."""

from ..._jit import kernel
from ...couple.ports import row_speed
from ...equations.rigid.tree_elimination import backward, forward
from ...model.rows import AIM, INNER, MISSING, PUSH, RESPONSE


@kernel
def gather_joint(joints, j, ports, motion, rows, work, tree, relaxed):
    """What the rows of joint `j` lack, folded into its inner body. Writes: tree.body at both bodies, work at `j`"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.count[j], 6 * j
    forward(tree.body, b, 6, tree.body, b, PUSH)
    for r in range(count):
        x = -row_speed(rows, first + r, motion, joints.body[j, 0], joints.body[j, 1])
        if not relaxed:
            x -= work.table[j, AIM + r]
        for c in range(6):
            x -= tree.row[first + r, c] * tree.body[b, PUSH + c]
        work.table[j, MISSING + r] = x
    forward(tree.joint, j, count, work.table, j, MISSING)
    if ports.inverse_mass[a] > 0.0:
        for c in range(6):
            x = 0.0
            for r in range(count):
                x += tree.row[first + r, INNER + c] * work.table[j, MISSING + r]
            tree.body[a, PUSH + c] += x


@kernel
def answer_root(k, tree):
    """The root's own answer. Writes: tree.body at `k`"""
    forward(tree.body, k, 6, tree.body, k, PUSH)
    backward(tree.body, k, 6, tree.body, k, PUSH)


@kernel
def scatter_joint(joints, j, ports, rows, work, tree, impulse):
    """Impulses of joint `j` and the answer of its outer body; returns the largest |d lambda| response. Writes: impulse, tree.body"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.count[j], 6 * j
    if ports.inverse_mass[a] > 0.0:
        for r in range(count):
            x = work.table[j, MISSING + r]
            for c in range(6):
                x -= tree.row[first + r, INNER + c] * tree.body[a, PUSH + c]
            work.table[j, MISSING + r] = x
    backward(tree.joint, j, count, work.table, j, MISSING)
    largest = 0.0
    for r in range(count):
        p = work.table[j, MISSING + r]
        impulse[j, r] += p
        largest = max(largest, abs(p) * rows.table[first + r, RESPONSE])
        for c in range(6):
            tree.body[b, PUSH + c] += tree.row[first + r, c] * p
    backward(tree.body, b, 6, tree.body, b, PUSH)
    return largest


@kernel
def take_answer(k, motion, tree):
    """Writes: velocities, tree.body back to zero at `k`"""
    for c in range(3):
        motion.velocity[k, c] += tree.body[k, PUSH + c]
        motion.angular_velocity[k, c] += tree.body[k, PUSH + 3 + c]
    for c in range(6):
        tree.body[k, PUSH + c] = 0.0
