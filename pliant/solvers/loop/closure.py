"""Joints that close loops: their rows, how they answer each other through the trees, and their impulses."""

from math import sqrt
from typing import Annotated

from ..._jit import kernel, stage
from ...couple.ports import load_at, row_speed, write_row
from ...equations.rigid.loop_closure import factor, row_of, solve
from ...math.vec3 import add_scaled, cross, dot, perpendicular
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.joints import ROD
from ...model.ports import Ports
from ...model.rods import ALONG, GAP_LAW, KAPPA, LAG, RATE, RAW_BEND, RAW_GAP, SOFT, STRETCH
from ...model.rows import AIM, AIMING, ANSWERING, ARM_A, ARM_B, GIVES, PUSH, RESPONSE
from ...model.schema import Array, index
from ...model.sets import Linkage
from ..chain.place import aside, lever
from ..tree.forest import forget_answers, pass_trees, take_answers

FASTEST = 5e5
"""Where loops are closed beside ropes they give way as a spring does, by which all that hangs together would swing so fast
[rad/s].

Ropes that do not stretch and lie straight between holds cannot move across at first order: pulls would have to be infinite, and
Newton's method halves what it misses each time, at best. With such a spring they are finite, a thousand times the weight or so,
and gaps F / k: 4e-11 m under the weight of it all, 0.1 um where a net is drawn flat.
"""
HARDER = FASTEST * FASTEST / 20.0
"""That stiffness over the mass of an anvil [1/s2], see compile/trees.py."""
ROUNDING = 1e-12
"""What a row that closes a loop beside ropes gives way by at least, in shares of what it answers by itself [-]."""
Parts = Annotated[Array, index("n", "part of each body in a tree of joints, as `Bodies` has it")]


@kernel
def loops_of(joints, islands, i):
    """(first of an island's joints that close loops in its list, how many there are)."""
    m = islands.first_joint[i + 1]
    while m > islands.first_joint[i] and joints.outer[islands.joint[m - 1]] < 0:
        m -= 1
    return m, islands.first_joint[i + 1] - m


@kernel
def first_loop(joints, tree):
    """The first joint that closes a loop."""
    return joints.kind.shape[0] - tree.loop.shape[0] // 6


@kernel
def give_rows(joints, j, rows, work, count, h):
    """Let rows of a joint that closes a loop, or holds as a spring, give way, and by no less than is lost in rounding.

    Writes: work at `j`
    """
    stiff = h * h * hardness(joints, j)
    for r in range(count):
        work.table[j, GIVES + r] = 1.0 / stiff + ROUNDING * rows.table[6 * j + r, RESPONSE] if stiff > 0.0 else 0.0


@kernel
def hardness(joints, j):
    """Stiffness [N/m or N m/rad] of a joint that gives way, 0 if it is rigid."""
    return joints.spring[j] if joints.outer[j] >= 0 else HARDER * joints.anvil[j]


@kernel
def given_way(work, impulse, j, h):
    """How far a joint that closes a loop, or holds as a spring, has given way [m or rad]."""
    squares = 0.0
    for r in range(work.count[j]):
        squares += (work.table[j, GIVES + r] * impulse[j, r]) ** 2
    return h * sqrt(squares)


@kernel
def rod_rows(joints, j, rods, ports, rod_work, rows, work, h):
    """Rows of a rod that closes a loop, beside those of joints. Writes: rows 6j to 6j + 5, work at `j`"""
    k, a, b, zero = joints.rod[j], joints.body[j, 0], joints.body[j, 1], (0.0, 0.0, 0.0)
    table, give = rod_work.table, rod_work.give
    r_a, r_b = lever(joints, j, table, 0), lever(joints, j, table, 1)
    c_a, c_b, along, soft = zero, zero, zero, rods[k, GAP_LAW] == SOFT
    d = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    if soft:
        along, c_a, c_b = load_at(give, k, ALONG), aside(joints, j, give, 0), aside(joints, j, give, 1)
        side = perpendicular(along)
        d = (side, cross(along, side), along)
    for r in range(3):
        n = d[r]
        arm_a, arm_b = add_scaled(cross(r_a, n), dot(along, n), c_a), add_scaled(cross(r_b, n), dot(along, n), c_b)
        write_row(rows, 6 * j + r, ports, a, b, n, arm_a, arm_b)
        work.table[j, AIM + r] = dot(n, load_at(table, k, RAW_GAP))
        work.table[j, GIVES + r] = 1.0 / (h * (h + rods[k, LAG]) * rods[k, STRETCH + r]) if soft else 0.0
    if not soft:
        give_rows(joints, j, rows, work, 3, h)
    count = 3
    if table[k, KAPPA] + table[k, KAPPA + 1] + table[k, KAPPA + 2] > 0.0:
        count = 6
        for r in range(3):
            kappa = table[k, KAPPA + r]
            arm = load_at(table, k, RATE + 3 * r) if kappa > 0.0 else zero
            write_row(rows, 6 * j + 3 + r, ports, a, b, zero, arm, arm)
            work.table[j, AIM + 3 + r] = table[k, RAW_BEND + r] if kappa > 0.0 else 0.0
            work.table[j, GIVES + 3 + r] = 1.0 / kappa if kappa > 0.0 else 1.0
    work.count[j] = count


@kernel
def factor_loops(linkage, part, ports, motion, islands, i):
    """How the loops' rows answer each other, factored. Writes: linkage.tree.loop, scratch"""
    tail, count = loops_of(linkage.joints, islands, i)
    if count > 0:
        factor_closure(linkage, part, ports, motion, islands, i, tail, count)


@stage
def factor_closure(linkage: Linkage, part: Parts, ports: Ports, motion: Motion, islands: Islands, i: int, tail: int,
                   count: int) -> None:
    """The same for the `count` joints from `tail` on. Writes: linkage.tree.loop, scratch"""
    joints, rows, work, tree, joint = linkage.joints, linkage.rows, linkage.work, linkage.tree, islands.joint
    W, first, q = tree.loop, first_loop(joints, tree), 0
    at = W.shape[1] - 1
    for m in range(tail, tail + count):
        j = joint[m]
        for r in range(work.count[j]):
            alone, gives = row_of(joint, tail, first, q), work.table[j, GIVES + r]
            stiff = joints.anvil[j] > 0.0 and (r < 3 or joints.kind[j] != ROD)  # then it gives way by what is needed already
            W[alone, at] = gives if stiff else rows.table[6 * j + r, RESPONSE] + gives
            push_bodies(joints, j, rows, 6 * j + r, ports, tree, 1.0)
            pass_trees(linkage, part, ports, motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
            s = 0
            for n in range(tail, tail + count):
                for k in range(6 * joint[n], 6 * joint[n] + work.count[joint[n]]):
                    W[row_of(joint, tail, first, s), q] = answer_speed(joints, joint[n], rows, k, ports, tree)
                    s += 1
            W[alone, q] += gives
            forget_answers(part, tree, islands, i)
            q += 1
    factor(W, joint, tail, first, q)


@kernel
def solve_loops(linkage, part, ports, motion, impulse, islands, i, mode):
    """Close all loops of an island, its trees holding; returns the largest |d lambda| response.

    Writes: impulses, velocities, scratch
    """
    joints, rows, work, tree = linkage.joints, linkage.rows, linkage.work, linkage.tree
    tail, count = loops_of(joints, islands, i)
    if count == 0:
        return 0.0
    W, first, largest, q = tree.loop, first_loop(joints, tree), 0.0, 0
    at = W.shape[1] - 1
    for m in range(tail, tail + count):
        j = islands.joint[m]
        for r in range(work.count[j]):
            gives = work.table[j, GIVES + r]
            x = -row_speed(rows, 6 * j + r, motion, joints.body[j, 0], joints.body[j, 1]) - gives * linkage.state.impulse[j, r]
            if mode == AIMING or gives > 0.0:
                x -= work.table[j, AIM + r]
            W[row_of(islands.joint, tail, first, q), at] = x
            q += 1
    solve(W, islands.joint, tail, first, q)
    q = 0
    for m in range(tail, tail + count):
        j = islands.joint[m]
        for r in range(work.count[j]):
            p = W[row_of(islands.joint, tail, first, q), at]
            if work.table[j, GIVES + r] > 0.0:
                linkage.state.impulse[j, r] += p
            else:
                impulse[j, r] += p
            largest = max(largest, abs(p) * rows.table[6 * j + r, RESPONSE])
            push_bodies(joints, j, rows, 6 * j + r, ports, tree, p)
            q += 1
    pass_trees(linkage, part, ports, motion, impulse, islands, i, ANSWERING, 1.0)
    take_answers(part, motion, tree, islands, i)
    return largest


@kernel
def push_bodies(joints, j, rows, k, ports, tree, p):
    """Impulse `p` along row `k` on both bodies of joint `j`. Writes: tree.body"""
    a, b, n = joints.body[j, 0], joints.body[j, 1], load_at(rows.table, k, 0)
    arm_a, arm_b = load_at(rows.table, k, ARM_A), load_at(rows.table, k, ARM_B)
    for c in range(3):
        if ports.inverse_mass[a] > 0.0:
            tree.body[a, PUSH + c] -= p * n[c]
            tree.body[a, PUSH + 3 + c] -= p * arm_a[c]
        if ports.inverse_mass[b] > 0.0:
            tree.body[b, PUSH + c] += p * n[c]
            tree.body[b, PUSH + 3 + c] += p * arm_b[c]


@kernel
def answer_speed(joints, j, rows, k, ports, tree):
    """Speed along row `k` of joint `j` of the answers in tree.body."""
    a, b, n = joints.body[j, 0], joints.body[j, 1], load_at(rows.table, k, 0)
    speed = 0.0
    if ports.inverse_mass[a] > 0.0:
        speed -= dot(n, load_at(tree.body, a, PUSH)) + dot(load_at(rows.table, k, ARM_A), load_at(tree.body, a, PUSH + 3))
    if ports.inverse_mass[b] > 0.0:
        speed += dot(n, load_at(tree.body, b, PUSH)) + dot(load_at(rows.table, k, ARM_B), load_at(tree.body, b, PUSH + 3))
    return speed
