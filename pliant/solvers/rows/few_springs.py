"""Springs beside few contacts: they follow every push at once, so that contacts, friction and springs are met together.

A spring is soft and knows no bounds, so its rows (many_springs.py) go out of the equations of the contacts. With the speeds

    u = u_0 + K_cc x + K_cs y,        r + K_sc x + (K_ss + gamma) y = 0        x, y [N s] what impulses change by

along contacts and springs, r [m/s] what springs lack before that, the contacts answer each other as K_cc - Y K_sc and begin at
u_0 - Y r, where Y = K_cs (K_ss + gamma)^-1; what is found of x gives y.
"""

from ..._jit import kernel
from ...couple.ports import load_at, push_row, row_speed
from ...equations.contact.dense_elimination import invert
from ...math.vec3 import dot, neg, sub
from ...model.joints import SPRING
from ...model.rows import (
    ANSWER,
    ARM_A,
    ARM_B,
    ASKS,
    BIAS,
    BODY_A,
    BODY_B,
    BOUND,
    CHOSEN,
    GAMMA,
    HOLDS_BY,
    LACKS,
    OF_SPRING,
    RESPONSE,
    STEPS_BY,
    SWEPT,
    YIELDS_BY,
)
from ..tree.answers import enter_tree
from .contact_pair import Pair, answer_of, in_tree
from .many_springs import ALIKE, copy_row, keep_law, system_row


@kernel
def first_row(islands, i):
    """Where the rows of an island begin in the scratch of few contacts: three of each contact, then those of springs and
    drives."""
    return 3 * islands.first_contact[i] + system_row(islands, i)


@kernel
def contact_rows(islands, i):
    """How many rows the contacts of an island have."""
    return 3 * (islands.first_contact[i + 1] - islands.first_contact[i])


@kernel
def copy_springs(springwork, drivetrain, joints, islands, i):
    """One row along each spring as it stands alone, and of each spring of a joint that no tree takes; returns their number.

    Writes: springwork.system
    """
    first, law, table, r = islands.first_spring[i], springwork.law.table, springwork.system.table, system_row(islands, i)
    for m in range(first, islands.first_spring[i + 1]):
        k = islands.spring[m]
        copy_row(springwork.rows.table, k, table, r)
        keep_law(table, r, law[k, BIAS], law[k, GAMMA], springwork.state.impulse[k], k, springwork.springs.body[k, 0],
                 springwork.springs.body[k, 1])
        r += 1
    law = drivetrain.law.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drivetrain.drives.law[k] == SPRING and law[k, BOUND] == SWEPT:
            c = drivetrain.drives.coordinate[k]
            j = drivetrain.coordinates.joint[c]
            copy_row(drivetrain.rows.table, c, table, r)
            keep_law(table, r, law[k, BIAS], law[k, GAMMA], drivetrain.state.impulse[k], -1 - k, joints.body[j, 0],
                     joints.body[j, 1])
            r += 1
    return r - system_row(islands, i)


@kernel
def take_drives(springwork, drivetrain, islands, i, count):
    """Take the steps of drives among `count` rows that were copied. Writes: drivetrain.state.impulse"""
    table, first = springwork.system.table, system_row(islands, i)
    for r in range(first + islands.first_spring[i + 1] - islands.first_spring[i], first + count):
        drivetrain.state.impulse[-1 - int(table[r, OF_SPRING])] = table[r, HOLDS_BY] + table[r, STEPS_BY]


@kernel
def answer_springs(springwork, part, islands, i, count, matrix, q, a, b, own):
    """How speeds along springs answer row `q`, which moves bodies `a` and `b` by their `own` answer. Writes: matrix"""
    table, top = springwork.system.table, first_row(islands, i) + contact_rows(islands, i)
    for s in range(count):
        r = system_row(islands, i) + s
        v_a, w_a = answer_of(part, int(table[r, BODY_A]), a, b, own)
        v_b, w_b = answer_of(part, int(table[r, BODY_B]), a, b, own)
        matrix[top + s, q] = dot(load_at(table, r, 0), sub(v_b, v_a)) + dot(load_at(table, r, ARM_B), w_b) - (
            dot(load_at(table, r, ARM_A), w_a))


@kernel
def enter_springs(springwork, touch, part, ports, islands, i, count, jointed):
    """How springs answer each other, as far as their bodies do by themselves; the rest climbs. Writes: touch.few"""
    table, size = springwork.system.table, contact_rows(islands, i)
    for s in range(count):
        r, at = system_row(islands, i) + s, first_row(islands, i) + size + s
        a, b = int(table[r, BODY_A]), int(table[r, BODY_B])
        own = Pair(load_at(table, r, ANSWER), load_at(table, r, ANSWER + 3), load_at(table, r, ANSWER + 6),
                   load_at(table, r, ANSWER + 9))
        answer_springs(springwork, part, islands, i, count, touch.few.matrix, size + s, a, b, own)
        if jointed:
            n, arm_a, arm_b = load_at(table, r, 0), load_at(table, r, ARM_A), load_at(table, r, ARM_B)
            enter_tree(touch.few.climbers, at, 0, a if in_tree(part, ports, a) else -1, (*neg(n), *neg(arm_a)))
            enter_tree(touch.few.climbers, at, 1, b if in_tree(part, ports, b) else -1, (*n, *arm_b))


@kernel
def let_follow(springwork, touch, islands, i, count):
    """How the chosen contacts answer each other with springs that follow them. Writes: touch.few.matrix"""
    matrix, state, table, first = touch.few.matrix, touch.few.state, springwork.system.table, islands.first_contact[i]
    top, size = first_row(islands, i), contact_rows(islands, i)
    base = top + size
    for s in range(count):
        r = system_row(islands, i) + s
        matrix[base + s, size + s] += table[r, YIELDS_BY] + ALIKE * table[r, RESPONSE]
    invert(matrix, base, size, count)
    for p in range(size):
        if state[first + p // 3, CHOSEN] == 0.0:
            continue
        for s in range(count):
            y = 0.0
            for t in range(count):
                y += matrix[base + t, p] * matrix[base + t, size + s]
            matrix[top + p, size + s] = y
        for q in range(size):
            if state[first + q // 3, CHOSEN] > 0.0:
                held = 0.0
                for s in range(count):
                    held += matrix[top + p, size + s] * matrix[base + s, q]
                matrix[top + p, q] -= held


@kernel
def note_lacks(springwork, touch, motion, islands, i, count):
    """What springs lack [m/s]. Writes: touch.few.matrix"""
    table, base = springwork.system.table, first_row(islands, i) + contact_rows(islands, i)
    for s in range(count):
        r = system_row(islands, i) + s
        speed = row_speed(springwork.system, r, motion, int(table[r, BODY_A]), int(table[r, BODY_B]))
        touch.few.matrix[base + s, LACKS] = speed + table[r, ASKS] + table[r, YIELDS_BY] * table[r, HOLDS_BY]


@kernel
def followed(touch, islands, i, count, p):
    """By how much the speeds along contact `p` of an island change (3) [m/s] when springs have what they lack."""
    matrix, size, x, y, z = touch.few.matrix, contact_rows(islands, i), 0.0, 0.0, 0.0
    at, base = first_row(islands, i) + 3 * p, first_row(islands, i) + size
    for s in range(count):
        lack = matrix[base + s, LACKS]
        x -= matrix[at, size + s] * lack
        y -= matrix[at + 1, size + s] * lack
        z -= matrix[at + 2, size + s] * lack
    return x, y, z


@kernel
def feel(touch, islands, i, count, p, change):
    """What springs lack once the impulses of contact `p` of an island `change` by (3) [N s]. Writes: touch.few.matrix"""
    matrix, base = touch.few.matrix, first_row(islands, i) + contact_rows(islands, i)
    for s in range(count):
        for b in range(3):
            matrix[base + s, LACKS] += matrix[base + s, 3 * p + b] * change[b]


@kernel
def follow(springwork, touch, motion, islands, i, count):
    """Let springs have what they lack; returns the largest |d lambda| response [m/s]. Writes: springwork.system, velocities"""
    matrix, table, worst = touch.few.matrix, springwork.system.table, 0.0
    size = contact_rows(islands, i)
    base = first_row(islands, i) + size
    for s in range(count):
        r, extra = system_row(islands, i) + s, 0.0
        for t in range(count):
            extra -= matrix[base + s, size + t] * matrix[base + t, LACKS]
        table[r, STEPS_BY] = extra
        push_row(springwork.system, r, motion, int(table[r, BODY_A]), int(table[r, BODY_B]), extra)
        worst = max(worst, abs(extra) * table[r, RESPONSE])
    return worst
