"""One exact solve of all joints of a tree: leaves to root, and back."""

from ..._jit import kernel
from ...couple.ports import row_speed
from ...equations.rigid.tree_elimination import backward, forward


@kernel
def gather_joint(joints, j, ports, motion, rows, work, tree, relaxed):
    """What the rows of joint `j` lack, folded into its inner body. Writes: tree.push at both bodies, work.missing at `j`"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.count[j], 6 * j
    forward(tree.mass, b, 6, tree.push, b)
    for r in range(count):
        x = -row_speed(rows, first + r, motion, joints.body[j, 0], joints.body[j, 1])
        if not relaxed:
            x -= work.bias[j, r]
        for c in range(6):
            x -= tree.outer[first + r, c] * tree.push[b, c]
        work.missing[j, r] = x
    forward(tree.factor, j, count, work.missing, j)
    if ports.inverse_mass[a] > 0.0:
        for c in range(6):
            x = 0.0
            for r in range(count):
                x += tree.inner[first + r, c] * work.missing[j, r]
            tree.push[a, c] += x


@kernel
def answer_root(k, tree):
    """The root's own answer. Writes: tree.push at `k`"""
    forward(tree.mass, k, 6, tree.push, k)
    backward(tree.mass, k, 6, tree.push, k)


@kernel
def scatter_joint(joints, j, ports, rows, work, tree, impulse):
    """Impulses of joint `j` and the answer of its outer body; returns the largest |d lambda| response. Writes: impulse, tree.push"""
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.count[j], 6 * j
    if ports.inverse_mass[a] > 0.0:
        for r in range(count):
            x = work.missing[j, r]
            for c in range(6):
                x -= tree.inner[first + r, c] * tree.push[a, c]
            work.missing[j, r] = x
    backward(tree.factor, j, count, work.missing, j)
    largest = 0.0
    for r in range(count):
        p = work.missing[j, r]
        impulse[j, r] += p
        largest = max(largest, abs(p) * rows.response[first + r])
        for c in range(6):
            tree.push[b, c] += tree.outer[first + r, c] * p
    backward(tree.mass, b, 6, tree.push, b)
    return largest


@kernel
def take_answer(k, motion, tree):
    """Writes: velocities, tree.push back to zero at `k`"""
    for c in range(3):
        motion.velocity[k, c] += tree.push[k, c]
        motion.angular_velocity[k, c] += tree.push[k, 3 + c]
    for c in range(6):
        tree.push[k, c] = 0.0
