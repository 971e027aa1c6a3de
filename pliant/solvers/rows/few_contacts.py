"""Few contacts of one island, solved at once: within Coulomb's cones, as their bodies answer through joints and springs.

Sweeps take long where a light body bears a heavy one, where a finger on a joint holds what it does not know to be held, or
where something falls flat and every corner waits for the others. So what sweeps leave of few contacts (who_is_few.py) is solved
to the end (few_newton.py).
"""

from typing import Annotated

from ..._jit import kernel, stage
from ...couple.ports import load_at
from ...math.vec3 import cross, scale
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.ports import Ports
from ...model.rows import CHOSEN, FRAME, IMPULSE, LEVER_A, LEVER_B, LIGHTNESS, TURN_A, TURN_B
from ...model.schema import Array, index
from ...model.sets import Drivetrain, Linkage, Springwork, Touch
from ..tree.answers import climb_trees, enter_tree
from .contact import FLUSH, bias_of, push_of
from .contact_pair import Pair, answer_of, in_tree, load_pair, speeds_at
from .few_drives import enter_bounded
from .few_loops import close_answers
from .few_newton import solve_few
from .few_ropes import answer_by_passes, has_rods
from .few_springs import answer_springs, copy_springs, enter_springs, first_row, let_follow, take_drives
from .many_springs import take_impulses
from .who_is_few import has_loops

NEAR = 0.02
"""A contact that parts more slowly [m/s] takes part, though it does not push."""

Parts = Annotated[Array, index("n", "part of each body in a tree of joints, as `Bodies` has it")]


@stage
def settle_few(linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch, part: Parts, ports: Ports,
               motion: Motion, islands: Islands, i: int, h: float, relaxed: bool, close: float, anew: bool, laid: int,
               bounded: int) -> tuple:
    """Solve the contacts and springs of an island at once, to `close` [m/s]; returns how far off they were, and
    are once joints are solved [m/s].

    `anew` if its joints answer otherwise than when this was last called; `laid` how many rows of springs lie in their system,
    -1: springs pull along their own; `bounded` drives that no tree holds are solved with them (few_drives.py).
    Writes: touch, springwork.system, and without such rows .state.impulse, velocities of the bodies pushed, whose joints then
    have to be solved, scratch
    """
    count = copy_springs(springwork, drivetrain, linkage.joints, islands, i) if laid < 0 else laid
    fresh = choose_few(touch, motion, islands, i, h, relaxed, anew)
    if fresh:
        answer_few(linkage, springwork, touch, part, ports, motion, islands, i, count, drivetrain, bounded)
    off, left = solve_few(touch, springwork, ports, motion, islands, i, count, h, relaxed, close, drivetrain, linkage.joints,
                          bounded, fresh)
    if laid < 0:
        take_impulses(springwork, islands, i, count, 1.0)
        take_drives(springwork, drivetrain, islands, i, count)
    return off, left


@kernel
def choose_few(touch, motion, islands, i, h, relaxed, anew):
    """Let those contacts take part that push, or would have to; returns whether any is new. Writes: touch.few.state

    Where no joints have to be asked all of them do: those of one face then share what they bear.
    """
    all_of_them = islands.first_joint[i] == islands.first_joint[i + 1]
    table, state, body, push, found = touch.work.table, touch.few.state, touch.work.body, push_of(h, relaxed), anew
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        pushes = table[k, IMPULSE] > 0.0 or table[k, IMPULSE + 1] != 0.0 or table[k, IMPULSE + 2] != 0.0
        chosen = all_of_them or pushes or (
            speeds_at(table, k, load_pair(motion, body[k, 0], body[k, 1]))[0] + bias_of(table, k, h, push, FLUSH)[0] < NEAR)
        if anew:
            state[m, CHOSEN] = 1.0 if chosen else 0.0
        elif chosen and state[m, CHOSEN] == 0.0:
            state[m, CHOSEN] = 1.0
            found = True
    return found


@stage
def answer_few(linkage: Linkage, springwork: Springwork, touch: Touch, part: Parts, ports: Ports, motion: Motion,
               islands: Islands, i: int, springs: int, drivetrain: Drivetrain, bounded: int) -> None:
    """How the speeds along contacts of an island answer impulses along each of them, `springs` the number of their rows, or
    `bounded` that of drives.

    Writes: touch.few.matrix, scratch
    """
    top = first_row(islands, i)
    table, matrix, state, body = touch.work.table, touch.few.matrix, touch.few.state, touch.work.body
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    jointed = islands.first_joint[i] < islands.first_joint[i + 1]
    for q in range(3 * count):
        at, k, r = top + q, islands.contact[first + q // 3], q % 3
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
                row = top + 3 * p
                matrix[row, q], matrix[row + 1, q], matrix[row + 2, q] = speeds_at(table, other, Pair(v_a, w_a, v_b, w_b))
            answer_springs(springwork, part, islands, i, springs, matrix, q, a, b, own)
    enter_springs(springwork, touch, part, ports, islands, i, springs, jointed)
    enter_bounded(drivetrain, linkage.joints, touch, part, ports, islands, i, bounded)
    if jointed and has_rods(linkage.joints, islands, i):
        answer_by_passes(linkage, springwork, touch, part, ports, motion, islands, i, springs, drivetrain, bounded)
    elif jointed:
        climb_trees(linkage, part, ports, islands, i, touch.few.climbers, matrix, top, 3 * count + springs + bounded)
        if has_loops(linkage.joints, islands, i):
            close_answers(linkage, springwork, touch, part, ports, motion, islands, i, springs, drivetrain, bounded)
    if springs > 0:
        let_follow(springwork, touch, islands, i, springs)
