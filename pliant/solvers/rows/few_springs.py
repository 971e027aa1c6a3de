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
from ...model.rows import (
    ANSWER,
    ARM_A,
    ARM_B,
    ASKS,
    BIAS,
    CHOSEN,
    GAMMA,
    HOLDS_BY,
    LACKS,
    RESPONSE,
    STEPS_BY,
    YIELDS_BY,
)
from ..tree.answers import enter_tree
from .contact_pair import Pair, answer_of, in_tree
from .many_springs import ALIKE, copy_row, keep_law, spring_of


@kernel
def first_row(islands, i):
    """Where the rows of an island begin in the scratch of few contacts: three of each contact, then those of springs."""
    return 3 * (islands.first_contact[i] + islands.first_spring[i])


@kernel
def contact_rows(islands, i):
    """How many rows the contacts of an island have."""
    return 3 * (islands.first_contact[i + 1] - islands.first_contact[i])


@kernel
def copy_springs(springwork, islands, i):
    """One row along each spring as it stands alone; returns how many these are. Writes: springwork.system"""
    first, law = islands.first_spring[i], springwork.law.table
    for m in range(first, islands.first_spring[i + 1]):
        k, r = islands.spring[m], 3 * first + m - first
        copy_row(springwork.rows.table, k, springwork.system.table, r)
        keep_law(springwork.system.table, r, law[k, BIAS], law[k, GAMMA], springwork.state.impulse[k], k)
    return islands.first_spring[i + 1] - first


@kernel
def answer_springs(springwork, part, islands, i, count, matrix, q, a, b, own):
    """How speeds along springs answer row `q`, which moves bodies `a` and `b` by their `own` answer. Writes: matrix"""
    table, body, top = springwork.system.table, springwork.springs.body, first_row(islands, i) + contact_rows(islands, i)
    for s in range(count):
        r = 3 * islands.first_spring[i] + s
        k = spring_of(table, r)
        v_a, w_a = answer_of(part, body[k, 0], a, b, own)
        v_b, w_b = answer_of(part, body[k, 1], a, b, own)
        matrix[top + s, q] = dot(load_at(table, r, 0), sub(v_b, v_a)) + dot(load_at(table, r, ARM_B), w_b) - (
            dot(load_at(table, r, ARM_A), w_a))


@kernel
def enter_springs(springwork, touch, part, ports, islands, i, count, jointed):
    """How springs answer each other, as far as their bodies do by themselves; the rest climbs. Writes: touch.few"""
    table, body, size = springwork.system.table, springwork.springs.body, contact_rows(islands, i)
    for s in range(count):
        r, at = 3 * islands.first_spring[i] + s, first_row(islands, i) + size + s
        k = spring_of(table, r)
        a, b = body[k, 0], body[k, 1]
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
        r = 3 * islands.first_spring[i] + s
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
    table, body, base = springwork.system.table, springwork.springs.body, first_row(islands, i) + contact_rows(islands, i)
    for s in range(count):
        r = 3 * islands.first_spring[i] + s
        k = spring_of(table, r)
        speed = row_speed(springwork.system, r, motion, body[k, 0], body[k, 1])
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
    matrix, table, body, worst = touch.few.matrix, springwork.system.table, springwork.springs.body, 0.0
    size = contact_rows(islands, i)
    base = first_row(islands, i) + size
    for s in range(count):
        r, extra = 3 * islands.first_spring[i] + s, 0.0
        for t in range(count):
            extra -= matrix[base + s, size + t] * matrix[base + t, LACKS]
        k, table[r, STEPS_BY] = spring_of(table, r), extra
        push_row(springwork.system, r, motion, body[k, 0], body[k, 1], extra)
        worst = max(worst, abs(extra) * table[r, RESPONSE])
    return worst
