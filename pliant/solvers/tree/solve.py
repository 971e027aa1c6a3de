"""One exact solve of all joints of a tree: leaves to root, and back."""

from ..._jit import kernel, merged
from ...couple.ports import speed_along, speeds_between
from ...equations.rigid.tree_elimination import add6, dot6, row6, solve_rows, solved6, store_row6
from ...math.sym3 import sym_mul
from ...math.vec3 import load, sub
from ...model.rows import AIM, AIMING, ANSWERING, BORNE, GIVES, INNER, MISSING, OUTER, PULLED, PUSH, RELAXING, RESPONSE, SPUN
from .heft import feel_heft, know_heft


@merged
def gather_joint(joints, j, ports, motion, rows, work, tree, impulse, mode):
    """What the rows of joint `j` lack, folded into its inner body: all, without closing, or nothing (AIMING, …).

    Rows of coordinates ask the same of their drives either way.

    Writes: tree.body at both bodies, work at `j`
    """
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.taken[j], 6 * j
    z, moves = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), ports.inverse_mass[a] > 0.0
    if ports.inverse_mass[b] > 0.0:
        z = row6(tree.body, b, PUSH)
        store_row6(tree.body, b, PUSH, solved6(tree.body, b, z))
    inner = row6(tree.body, a, PUSH)
    speeds, sprung = speeds_between(motion, joints.body[j, 0], joints.body[j, 1]), joints.spring[j] > 0.0
    for r in range(count):
        x = 0.0
        if mode != ANSWERING:
            x = -speed_along(rows, first + r, speeds)
        if mode == AIMING or (mode == RELAXING and (sprung or r >= work.count[j])):
            x -= work.table[j, AIM + r]
        if sprung and mode != ANSWERING:
            x -= work.table[j, GIVES + r] * impulse[j, r]
        x -= dot6(row6(tree.row, first + r, OUTER), z)
        work.table[j, MISSING + r] = x
        if moves:
            inner = add6(inner, x, row6(tree.row, first + r, INNER))
    if moves:
        store_row6(tree.body, a, PUSH, inner)


@kernel
def answer_root(k, tree):
    """The root's own answer. Writes: tree.body at `k`"""
    store_row6(tree.body, k, PUSH, solved6(tree.body, k, row6(tree.body, k, PUSH)))


@merged
def scatter_joint(joints, j, ports, rows, work, tree, impulse, booked):
    """Impulses of joint `j`, booked or not, and the answer of its outer body; returns the largest |d lambda| response.

    Writes: impulse, work at `j`, tree.body at the outer body
    """
    side = joints.outer[j]
    b, a, count, first = joints.body[j, side], joints.body[j, 1 - side], work.taken[j], 6 * j
    solve_rows(tree.joint, j, count, work.table, j, MISSING)
    if ports.inverse_mass[a] > 0.0:
        answer = row6(tree.body, a, PUSH)
        for r in range(count):
            work.table[j, MISSING + r] -= dot6(row6(tree.row, first + r, INNER), answer)
    moves, largest = ports.inverse_mass[b] > 0.0, 0.0
    z = row6(tree.body, b, PUSH)
    for r in range(count):
        p = work.table[j, MISSING + r]
        impulse[j, r] += booked * p
        largest = max(largest, abs(p) * rows.table[first + r, RESPONSE])
        z = add6(z, p, row6(tree.row, first + r, OUTER))
    if moves:
        store_row6(tree.body, b, PUSH, z)
    return largest


@merged
def feel_pull(k, motion, tree):
    """What the stiffness of pulling ropes makes of how else the body was turned since the last solve. Writes: tree.body"""
    if tree.body[k, BORNE] > 0.0:
        feel_heft(tree.body, k, load(motion.velocity, k), load(motion.angular_velocity, k))
    K = row6(tree.body, k, PULLED)
    if K[0] + K[1] + K[2] == 0.0:
        return
    w = sub((tree.body[k, SPUN], tree.body[k, SPUN + 1], tree.body[k, SPUN + 2]), load(motion.angular_velocity, k))
    felt = sym_mul(K, w)
    for c in range(3):
        tree.body[k, PUSH + 3 + c] += felt[c]


@merged
def take_answer(k, motion, tree):
    """Writes: velocities, tree.body back to no impulse at `k`"""
    for c in range(3):
        motion.velocity[k, c] += tree.body[k, PUSH + c]
        motion.angular_velocity[k, c] += tree.body[k, PUSH + 3 + c]
        tree.body[k, SPUN + c] = motion.angular_velocity[k, c]
    for c in range(6):
        tree.body[k, PUSH + c] = 0.0
    if tree.body[k, BORNE] > 0.0:
        know_heft(tree.body, k, load(motion.velocity, k), load(motion.angular_velocity, k))
