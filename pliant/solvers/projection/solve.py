"""One pass of projections along a rope: stretch-shear of each element and bend-twist after it, from start to end.

Points are projected by their velocities, p = x + h v: pushing p by d is pushing v by d / h, so that (19) holds at any
moment and momentum is kept to rounding. Elements are projected by their orientations ahead, from which their angular
velocities follow at the end of a pass (20). Whatever other rows do to the velocities between two passes is seen.

A strain e with compliance a (zero: rigid) shall end at e + a P / h = 0, P the impulse so far, which one pass mends by

    (h A + a / h) dP = -(e + a P / h)

That is XPBD. Paper C's PBD knows no P: it leaves the last term out, and a stiffness then grows with every pass. (The paper
does not say how its stiffnesses enter; infinite ones project fully, as its equations do.)

All passes run the same way: back and forth took two to five times as many of them. Starting warm from the last substep's
impulses, or going on along the last pass (conjugate directions), takes fewer, and gains energy where passes are too few:
neither is done.
"""

from ..._jit import kernel
from ...equations.rod.bend_twist import bend_twist_response
from ...equations.rod.darboux_vector import bend_twist, relative
from ...equations.rod.stretch_shear import chord_in_element, stretch_shear, stretch_shear_response
from ...math.quat import load4
from ...math.vec3 import add_scaled, load, norm, store, sub
from ...model.point_ropes import (
    AHEAD,
    AIM,
    AIM_BEND,
    BEFORE,
    BENDING,
    COMPLIANT,
    ELEMENT,
    ELEMENTS,
    KIND,
    LENGTH,
    POINT,
    POINTS,
    ROW,
    SOFT_BEND,
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPIN,
    STRETCHING,
)
from .columns import load4_at, load_at, store4_at, store_at
from .give import give_element, give_joint
from .small_system import solve3
from .turning import rate_between, turned_by


@kernel
def solve_projection(ropes, state, work, bodies, motion, k, h):
    """One pass; returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse, work.row"""
    rope = ropes.rope
    start, last = rope[k, BEFORE], rope[k, BEFORE] + rope[k, POINTS] - 1
    memory = 1.0 if rope[k, KIND] == COMPLIANT else 0.0
    look_ahead(ropes, work, motion, k, h)
    change = 0.0
    for j in range(rope[k, ELEMENTS]):
        if start <= j < last:
            change = max(change, project_element(ropes, state, work, bodies, motion, k, j, h, memory))
        if j < rope[k, ELEMENTS] - 1:
            project_joint(ropes, state, work, bodies, k, j, h, memory)
    return max(change, look_back(ropes, work, motion, k, h))


@kernel
def look_ahead(ropes, work, motion, k, h):
    """Orientations ahead of elements whose angular velocity was changed from outside. Writes: work.row"""
    row, e = ropes.rope[k, ROW], ropes.rope[k, ELEMENT]
    for j in range(ropes.rope[k, ELEMENTS]):
        w, known = load(motion.angular_velocity, e + j), load_at(work.row, row + j, SPIN)
        if w[0] != known[0] or w[1] != known[1] or w[2] != known[2]:
            store4_at(work.row, row + j, AHEAD, turned_by(load4(motion.quaternion, e + j), w, h))
            store_at(work.row, row + j, SPIN, w)


@kernel
def look_back(ropes, work, motion, k, h):
    """Angular velocities from orientations ahead; returns how much they changed, times the element [m/s]. Writes: them"""
    row, e, change = ropes.rope[k, ROW], ropes.rope[k, ELEMENT], 0.0
    for j in range(ropes.rope[k, ELEMENTS]):
        w = rate_between(load4(motion.quaternion, e + j), load4_at(work.row, row + j, AHEAD), h)
        change = max(change, norm(sub(w, load_at(work.row, row + j, SPIN))) * ropes.row[row + j, LENGTH])
        store(motion.angular_velocity, e + j, w)
        store_at(work.row, row + j, SPIN, w)
    return change


@kernel
def project_element(ropes, state, work, bodies, motion, k, j, h, memory):
    """Stretch and shear of element j; returns the largest change of a point's velocity [m/s]."""
    row, e, table = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j, work.row
    left = ropes.rope[k, POINT] + j - ropes.rope[k, BEFORE]
    lightest = max(bodies.inverse_mass[left], bodies.inverse_mass[left + 1])
    q, length = load4_at(table, row, AHEAD), ropes.row[row, LENGTH]
    a = chord_in_element(q, chord_ahead(motion, left, h))
    strain = sub(stretch_shear(a, length), load_at(table, row, AIM))
    P = load_at(state.impulse, row, STRETCHING)
    shear, stretch = table[row, SOFT_SHEAR], table[row, SOFT_STRETCH]
    light = bodies.inverse_mass[left] + bodies.inverse_mass[left + 1]
    A = stretch_shear_response(a, light, load(bodies.inverse_inertia, e))
    if light + stretch == 0.0 or A[0] + shear == 0.0 or A[1] + shear == 0.0:
        return 0.0
    matrix = h * A[0] + shear, h * A[1] + shear, h * A[2] + stretch, h * A[3], h * A[4], h * A[5]
    miss = (
        -strain[0] - memory * shear * P[0],
        -strain[1] - memory * shear * P[1],
        -strain[2] - memory * stretch * P[2],
    )
    step = solve3(matrix, miss)
    give_element(state, work, bodies, motion, row, left, e, q, a, step, h)
    return lightest * norm(step)


@kernel
def chord_ahead(motion, left, h):
    """From the point `left` to the next [m], `h` [s] ahead."""
    chord = sub(load(motion.position, left + 1), load(motion.position, left))
    return add_scaled(chord, h, sub(load(motion.velocity, left + 1), load(motion.velocity, left)))


@kernel
def project_joint(ropes, state, work, bodies, k, j, h, memory):
    """Bend and twist between elements j, j + 1. Writes: state.impulse, work.row"""
    row, e, table = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j, work.row
    q_left, q_right = load4_at(table, row, AHEAD), load4_at(table, row + 1, AHEAD)
    p = relative(q_left, q_right)
    strain = sub(bend_twist(p), load_at(table, row, AIM_BEND))
    P, soft = load_at(state.impulse, row, BENDING), load_at(table, row, SOFT_BEND)
    A = bend_twist_response(p, load(bodies.inverse_inertia, e), load(bodies.inverse_inertia, e + 1))
    if A[0] + soft[0] == 0.0 or A[1] + soft[1] == 0.0 or A[2] + soft[2] == 0.0:
        return
    matrix = h * A[0] + soft[0], h * A[1] + soft[1], h * A[2] + soft[2], h * A[3], h * A[4], h * A[5]
    miss = (
        -strain[0] - memory * soft[0] * P[0],
        -strain[1] - memory * soft[1] * P[1],
        -strain[2] - memory * soft[2] * P[2],
    )
    step = solve3(matrix, miss)
    give_joint(state, work, bodies, row, e, q_left, q_right, p, step, h)
