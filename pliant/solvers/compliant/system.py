"""The banded system of a compliant rope: what each strain misses, and how impulses along strains change strains.

Six equations a row of the rope's tables: three of its element (stretch, shear), three of the joint behind it (bend, twist).
Frames of clamps have no element of length, the last row no joint: their equations say that nothing is missing.
"""

from ..._jit import kernel
from ...equations.rod.bend_twist import bend_twist_response
from ...equations.rod.compliant_chain import (
    congruence,
    element_on_element,
    element_on_joint,
    joint_on_element,
    joint_on_joint,
    lever,
    product_between,
    spread,
    turn_rate,
)
from ...equations.rod.darboux_vector import bend_twist, relative
from ...equations.rod.stretch_shear import chord_in_element, stretch_shear_response
from ...math.banded import RIGHT, add_block, add_diagonal
from ...math.mat3 import mat_vec, turned_vec
from ...math.vec3 import add, add_scaled, cross, load, mul, sub
from ...model.point_ropes import (
    AHEAD,
    AIM_BEND,
    ASKED,
    BEFORE,
    BENDING,
    CHORD,
    ELEMENTS,
    LIGHT,
    POINT,
    POINTS,
    ROW,
    SOFT_BEND,
    SOFT_SHEAR,
    SOFT_STRETCH,
)
from ..projection.carrier import clamp_frame
from ..projection.columns import load4_at, load_at, store_at
from .push import arm_ahead, carrier_lightness, end_row


@kernel
def assemble(ropes, state, work, bodies, motion, k, h):
    """Writes: work.system of rope k; in work.row the chords that there are in place of those aimed at"""
    table, system, rope, light = work.row, work.system, ropes.rope, bodies.inverse_mass
    first, elements, start = rope[k, ROW], rope[k, ELEMENTS], rope[k, BEFORE]
    last, point = start + rope[k, POINTS] - 2, rope[k, POINT] - start
    p_before, S_before = (1.0, 0.0, 0.0, 0.0), spread((1.0, 0.0, 0.0, 0.0))
    for j in range(elements):
        row, i = first + j, 6 * (first + j)
        clear(system, i)
        q, N = load4_at(table, row, AHEAD), load_at(table, row, LIGHT)
        a, spin = (0.0, 0.0, 0.0), mul(N, load_at(table, row, ASKED))
        if start <= j <= last:
            a = chord_ahead(ropes, motion, k, q, point + j, h)
            miss_element(table, system, row, add_scaled(a, h, cross(a, spin)))
            store_at(table, row, CHORD, a)
            add_diagonal(system, i, stretch_shear_response(a, light[point + j] + light[point + j + 1], N), h)
            if j > 0:
                add_block(system, i, i - 3, element_on_joint(S_before, N, a), h)
            if j > start:
                add_block(system, i, i - 6, element_on_element(light[point + j], p_before), h)
        else:
            rest(system, i)
        if j + 1 < elements:
            p = relative(q, load4_at(table, row + 1, AHEAD))
            S = spread(p)
            N_after = load_at(table, row + 1, LIGHT)
            turned = sub(turned_vec(S, mul(N_after, load_at(table, row + 1, ASKED))), mat_vec(S, spin))
            miss_joint(table, state.impulse, system, row, add_scaled(bend_twist(p), h, turned))
            add_diagonal(system, i + 3, bend_twist_response(p, N, N_after), h)
            if start <= j <= last:
                add_block(system, i + 3, i, joint_on_element(S, N, a), h)
            if j > 0:
                add_block(system, i + 3, i - 3, joint_on_joint(S, N, S_before), h)
            p_before, S_before = p, S
        else:
            rest(system, i + 3)
    same = 2.0 if ropes.carrier[k, 0] == ropes.carrier[k, 1] else 1.0
    for end in range(2):
        add_carrier(ropes, state, work, bodies, motion, k, end, h, h * same)


@kernel
def add_carrier(ropes, state, work, bodies, motion, k, end, step, h):
    """How the body that carries an end answers in a `step` [s], at its anchor and in its clamp, times `h`.

    Where a body carries both ends that is twice the step: one end's answer to the other is missing, and twice the answers
    bound what is missing. Writes: work.system
    """
    body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
    if body < 0:
        return
    row = end_row(ropes, k, end)
    i, light = 6 * row, bodies.inverse_mass[body]
    N = carrier_lightness(ropes, state, bodies, motion, k, end, step)
    X = lever(load4_at(work.row, row, AHEAD), arm_ahead(ropes, motion, k, end, step))
    add_diagonal(work.system, i, (light, light, light, 0.0, 0.0, 0.0), h)
    add_diagonal(work.system, i, congruence(X, N), h)
    if frame < 0:
        return
    left = row if end == 1 else row - 1
    q_left = load4_at(work.row, left, AHEAD)
    G = turn_rate(spread(relative(q_left, load4_at(work.row, left + 1, AHEAD))), q_left)
    add_diagonal(work.system, 6 * left + 3, congruence(G, N), h)
    if end == 1:
        add_block(work.system, i + 3, i, product_between(G, N, X), -h)
    else:
        add_block(work.system, i, i - 3, product_between(X, N, G), -h)


@kernel
def chord_ahead(ropes, motion, k, q, left, h):
    """Chord [m] from the point `left` to the next at the end of the step, axes of the element between them."""
    return chord_in_element(q, sub(point_ahead(ropes, motion, k, left + 1, h), point_ahead(ropes, motion, k, left, h)))


@kernel
def point_ahead(ropes, motion, k, i, h):
    """Where a point comes to [m]: by its velocity, at an anchor that turns with its carrier."""
    first = ropes.rope[k, POINT]
    end = 0 if i == first else 1 if i == first + ropes.rope[k, POINTS] - 1 else -1
    if end >= 0 and ropes.carrier[k, end] >= 0:
        body = ropes.carrier[k, end]
        centre = add_scaled(load(motion.position, body), h, load(motion.velocity, body))
        return add(centre, arm_ahead(ropes, motion, k, end, h))
    return add_scaled(load(motion.position, i), h, load(motion.velocity, i))


@kernel
def miss_element(table, system, row, a):
    """Compliance and what an element misses of the chord that it aims at. Writes: system"""
    i, aim = 6 * row, load_at(table, row, CHORD)
    for c in range(3):
        system[i + c, 0] = table[row, SOFT_SHEAR] if c < 2 else table[row, SOFT_STRETCH]
        system[i + c, RIGHT] = aim[c] - a[c]


@kernel
def miss_joint(table, impulse, system, row, e):
    """The same of the joint behind it that is bent and twisted by `e`. Writes: system"""
    i = 6 * row + 3
    for c in range(3):
        soft = table[row, SOFT_BEND + c]
        system[i + c, 0] = soft
        system[i + c, RIGHT] = table[row, AIM_BEND + c] - e[c] - soft * impulse[row, BENDING + c]


@kernel
def clear(system, i):
    """Writes: six rows of the system"""
    for r in range(i, i + 6):
        for c in range(RIGHT + 1):
            system[r, c] = 0.0


@kernel
def rest(system, i):
    """Three equations of which nothing is missing. Writes: system"""
    for r in range(i, i + 3):
        system[r, 0] = 1.0
