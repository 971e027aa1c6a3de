"""How few contacts, springs and drives answer each other where direct ropes hang on their bodies: each row by a pass over all
trees."""

from typing import Annotated

from ..._jit import kernel, stage
from ...couple.ports import load_at
from ...math.vec3 import cross, dot, neg, sub
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.joints import ROD
from ...model.ports import Ports
from ...model.rows import ANSWERING, ARM_A, ARM_B, BODY_A, BODY_B, CHOSEN, DRIVE, FRAME, LEVER_A, LEVER_B, PUSH
from ...model.schema import Array, index
from ...model.sets import Drivetrain, Linkage, Springwork, Touch
from ..tree.forest import forget_answers, pass_trees
from .contact_pair import ZERO, in_tree
from .few_drives import bodies_of
from .few_springs import contact_rows, first_row
from .many_springs import system_row

Parts = Annotated[Array, index("n", "part of each body in a tree of joints, as `Bodies` has it")]


@kernel
def has_rods(joints, islands, i):
    """Whether an island holds links of ropes."""
    found = False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        found |= joints.kind[islands.joint[m]] == ROD
    return found


@stage
def answer_by_passes(linkage: Linkage, springwork: Springwork, touch: Touch, part: Parts, ports: Ports, motion: Motion,
                     islands: Islands, i: int, springs: int, drivetrain: Drivetrain, bounded: int) -> None:
    """Answers of bodies in trees to all rows, added to those of bodies by themselves. Writes: touch.few.matrix, scratch"""
    tree, matrix, top = linkage.tree, touch.few.matrix, first_row(islands, i)
    size = contact_rows(islands, i)
    count = size + springs + bounded
    for q in range(count):
        if not takes_part(touch, islands, i, size, q):
            continue
        a, b, n, arm_a, arm_b = row_at(linkage, touch, springwork, drivetrain, islands, i, size, springs, q)
        push(tree, part, ports, a, neg(n), neg(arm_a))
        push(tree, part, ports, b, n, arm_b)
        pass_trees(linkage, part, ports, motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
        for p in range(count):
            if takes_part(touch, islands, i, size, p):
                row = row_at(linkage, touch, springwork, drivetrain, islands, i, size, springs, p)
                matrix[top + p, q] += answered_along(tree, part, ports, row)
        forget_answers(part, tree, islands, i)


@kernel
def takes_part(touch, islands, i, size, q):
    """Whether row `q` of an island is of a spring, a drive or a contact that was chosen."""
    return q >= size or touch.few.state[islands.first_contact[i] + q // 3, CHOSEN] > 0.0


@kernel
def row_at(linkage, touch, springwork, drivetrain, islands, i, size, springs, q):
    """(bodies a and b, n, arm_a, arm_b) of row `q` of an island."""
    if q < size:
        k, work = islands.contact[islands.first_contact[i] + q // 3], touch.work
        n = load_at(work.table, k, FRAME + 3 * (q % 3))
        return (int(work.body[k, 0]), int(work.body[k, 1]), n, cross(load_at(work.table, k, LEVER_A), n),
                cross(load_at(work.table, k, LEVER_B), n))
    if q >= size + springs:
        k = int(touch.few.drives[islands.first_drive[i] + q - size - springs, DRIVE])
        c, a, b = bodies_of(drivetrain, linkage.joints, k)
        rows = drivetrain.rows.table
        return int(a), int(b), load_at(rows, c, 0), load_at(rows, c, ARM_A), load_at(rows, c, ARM_B)
    table, r = springwork.system.table, system_row(islands, i) + q - size
    return (int(table[r, BODY_A]), int(table[r, BODY_B]), load_at(table, r, 0), load_at(table, r, ARM_A),
            load_at(table, r, ARM_B))


@kernel
def push(tree, part, ports, k, force, torque):
    """Writes: tree.body at `k`, if that moves in a tree"""
    if in_tree(part, ports, k):
        for c in range(3):
            tree.body[k, PUSH + c] += force[c]
            tree.body[k, PUSH + 3 + c] += torque[c]


@kernel
def answered_along(tree, part, ports, row):
    """Speed [m/s] along a row, as `row_at` has it, of bodies as their trees answer."""
    a, b, n, arm_a, arm_b = row
    v_a, w_a = answer_in(tree, part, ports, a)
    v_b, w_b = answer_in(tree, part, ports, b)
    return dot(n, sub(v_b, v_a)) + dot(arm_b, w_b) - dot(arm_a, w_a)


@kernel
def answer_in(tree, part, ports, k):
    """Velocities [m/s, rad/s] of body `k` as its tree answers."""
    if in_tree(part, ports, k):
        return load_at(tree.body, k, PUSH), load_at(tree.body, k, PUSH + 3)
    return ZERO, ZERO
