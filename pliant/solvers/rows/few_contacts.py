"""Few contacts of one island, solved at once: within Coulomb's cones, as their bodies answer through all of their joints.

Sweeps take long where a light body bears a heavy one, where a finger on a joint holds what it does not know to be held, or
where something falls flat and every corner waits for the others. So what sweeps leave of few contacts, up to MOST_FEW where
masses differ, is solved to the end (few_newton.py).
"""

from math import inf
from typing import Annotated

from ..._jit import kernel, stage
from ...couple.ports import load_at
from ...math.vec3 import cross, scale
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.joints import ROD
from ...model.ports import Ports
from ...model.rows import CHOSEN, FRAME, IMPULSE, LEVER_A, LEVER_B, LIGHTNESS, MOST_FEW, TURN_A, TURN_B
from ...model.schema import Array, index
from ...model.sets import Linkage, Touch
from ..tree.answers import climb_trees, enter_tree
from .contact import bias_of, push_of
from .contact_pair import ZERO, Pair, load_pair, speeds_at
from .few_newton import solve_few

FEW = 8
"""So many contacts are solved at once in any case; up to MOST_FEW where sweeps would take too long, as masses differ."""
HEAVY = 8.0
"""Masses differ if the heaviest of an island is more than so many times the lightest [-]."""
MOST_LINKED = 8
"""So many joints at most: solving contacts at once takes that much longer."""
NEAR = 0.02
"""A contact that parts more slowly [m/s] takes part, though it does not push."""

Parts = Annotated[Array, index("n", "part of each body in a tree of joints, as `Bodies` has it")]


@kernel
def are_few(joints, ports, islands, i):
    """Whether the contacts of an island may be solved at once: few, and on few joints of trees; vehicles are swept."""
    count, links = islands.first_contact[i + 1] - islands.first_contact[i], islands.first_joint[i + 1] - islands.first_joint[i]
    if count == 0 or count > MOST_FEW or links > MOST_LINKED:
        return False
    if islands.first_spring[i] < islands.first_spring[i + 1] or (count > FEW and not is_uneven(ports, islands, i)):
        return False
    plain = True
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        plain &= joints.kind[j] != ROD and joints.outer[j] >= 0
    return plain


@kernel
def is_uneven(ports, islands, i):
    """Whether the heaviest body of an island has more than HEAVY times the mass of the lightest."""
    least, most = inf, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        inverse = ports.inverse_mass[islands.body[m]]
        if inverse > 0.0:
            least, most = min(least, inverse), max(most, inverse)
    return most > HEAVY * least


@stage
def settle_few(linkage: Linkage, touch: Touch, part: Parts, ports: Ports, motion: Motion, islands: Islands, i: int, h: float,
               relaxed: bool, close: float, anew: bool) -> float:
    """Solve the contacts of an island at once, to `close` [m/s]; returns how far off they were [m/s].

    `anew` if its joints answer otherwise than when this was last called. Writes: touch, velocities of the bodies pushed, whose
    joints then have to be solved, scratch
    """
    if choose_few(touch, motion, islands, i, h, relaxed, anew):
        answer_few(linkage, touch, part, ports, islands, i)
    return solve_few(touch, ports, motion, islands, i, h, relaxed, close)


@kernel
def choose_few(touch, motion, islands, i, h, relaxed, anew):
    """Let those contacts take part that push, or would have to; returns whether any is new. Writes: touch.few.state

    Where no joints have to be asked all of them do: those of one face then share what they bear.
    """
    all_of_them = islands.first_joint[i] == islands.first_joint[i + 1]
    table, state, body, push, found = touch.work.table, touch.few.state, touch.work.body, push_of(h, relaxed), anew
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        chosen = all_of_them or table[k, IMPULSE] > 0.0 or (
            speeds_at(table, k, load_pair(motion, body[k, 0], body[k, 1]))[0] + bias_of(table, k, h, push)[0] < NEAR)
        if anew:
            state[m, CHOSEN] = 1.0 if chosen else 0.0
        elif chosen and state[m, CHOSEN] == 0.0:
            state[m, CHOSEN] = 1.0
            found = True
    return found


@kernel
def answer_few(linkage, touch, part, ports, islands, i):
    """How the speeds along contacts of an island answer impulses along each of them. Writes: touch.few.matrix, scratch"""
    table, matrix, state, body = touch.work.table, touch.few.matrix, touch.few.state, touch.work.body
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    jointed = islands.first_joint[i] < islands.first_joint[i + 1]
    for q in range(3 * count):
        at, k, r = 3 * first + q, islands.contact[first + q // 3], q % 3
        a, b, e, chosen = body[k, 0], body[k, 1], load_at(table, k, FRAME + 3 * r), state[first + q // 3, CHOSEN] > 0.0
        if jointed:
            arm_a, arm_b = cross(load_at(table, k, LEVER_A), e), cross(load_at(table, k, LEVER_B), e)
            enter_tree(touch.few.climbers, at, 0, a if chosen and in_tree(part, ports, a) else -1,
                       (-e[0], -e[1], -e[2], -arm_a[0], -arm_a[1], -arm_a[2]))
            enter_tree(touch.few.climbers, at, 1, b if chosen and in_tree(part, ports, b) else -1, (*e, *arm_b))
        if chosen:
            own = Pair(scale(-table[k, LIGHTNESS], e), load_at(table, k, TURN_A + 3 * r),
                       scale(table[k, LIGHTNESS + 1], e), load_at(table, k, TURN_B + 3 * r))
            for p in range(count):
                other = islands.contact[first + p]
                v_a, w_a = answer_of(part, body[other, 0], a, b, own)
                v_b, w_b = answer_of(part, body[other, 1], a, b, own)
                row = 3 * (first + p)
                matrix[row, q], matrix[row + 1, q], matrix[row + 2, q] = speeds_at(table, other, Pair(v_a, w_a, v_b, w_b))
    if jointed:
        climb_trees(linkage, part, ports, islands, i, touch.few.climbers, matrix, 3 * first, 3 * count)


@kernel
def in_tree(part, ports, k):
    """Whether body `k` moves as part of a tree."""
    return part[k] >= 0 and ports.inverse_mass[k] > 0.0


@kernel
def answer_of(part, k, a, b, own):
    """How velocities of body `k`, if it is in no tree, answer: as bodies `a` and `b` by themselves."""
    if part[k] < 0 and k == a:
        return own.v_a, own.w_a
    if part[k] < 0 and k == b:
        return own.v_b, own.w_b
    return ZERO, ZERO
