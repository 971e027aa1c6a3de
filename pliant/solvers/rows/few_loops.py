"""How few contacts, springs and drives answer each other where joints close loops: as trees do, less what closing takes.

Equation: equations/rigid/loop_closure.py. Each row of a joint that closes a loop is pushed once, and trees tell how it moves
all other rows: a loader of 64 rows and two loops takes 10 passes over its trees, not two for each row.
"""

from typing import Annotated

from ..._jit import kernel, stage
from ...equations.rigid.loop_closure import hold_row, row_of
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.ports import Ports
from ...model.rows import ANSWERING
from ...model.schema import Array, index
from ...model.sets import Drivetrain, Linkage, Springwork, Touch
from ..loop.closure import first_loop, loops_of, push_bodies
from ..tree.forest import forget_answers, pass_trees
from .few_ropes import answered_along, row_at, takes_part
from .few_springs import contact_rows, first_row

Parts = Annotated[Array, index("n", "part of each body in a tree of joints, as `Bodies` has it")]


@stage
def close_answers(linkage: Linkage, springwork: Springwork, touch: Touch, part: Parts, ports: Ports, motion: Motion,
                  islands: Islands, i: int, springs: int, drivetrain: Drivetrain, bounded: int) -> None:
    """Take from how rows answer through trees what loops hold. Writes: touch.few.matrix, scratch"""
    joints, tree, system, top = linkage.joints, linkage.tree, touch.few.system, first_row(islands, i)
    size = contact_rows(islands, i)
    count, (tail, loops) = size + springs + bounded, loops_of(joints, islands, i)
    first, s = first_loop(joints, tree), 0
    for m in range(tail, tail + loops):
        j = islands.joint[m]
        for k in range(6 * j, 6 * j + linkage.work.count[j]):
            push_bodies(joints, j, linkage.rows, k, ports, tree, 1.0)
            pass_trees(linkage, part, ports, motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
            for p in range(count):
                if takes_part(touch, islands, i, size, p):
                    row = row_at(linkage, touch, springwork, drivetrain, islands, i, size, springs, p)
                    system[top + p, s] = answered_along(tree, part, ports, row)
                    hold_row(tree.loop, row_of(islands.joint, tail, first, s), s, system, top + p)
            forget_answers(part, tree, islands, i)
            s += 1
    take_away(touch, islands, i, size, count, s)


@kernel
def take_away(touch, islands, i, size, count, held):
    """Y^T Y of `count` rows, each column of Y with `held` entries. Writes: touch.few.matrix, both halves"""
    system, matrix, top = touch.few.system, touch.few.matrix, first_row(islands, i)
    for p in range(count):
        if not takes_part(touch, islands, i, size, p):
            continue
        for q in range(p + 1):
            if takes_part(touch, islands, i, size, q):
                x = 0.0
                for s in range(held):
                    x += system[top + p, s] * system[top + q, s]
                matrix[top + p, q] -= x
                if q < p:
                    matrix[top + q, p] -= x
