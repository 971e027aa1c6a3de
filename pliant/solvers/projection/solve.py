"""One pass of projections along a rope: stretch-shear of each element and bend-twist after it, from start to end.

Points are projected by their velocities, p = x + h v: pushing p by d is pushing v by d / h, so that (19) holds at any
moment and momentum is kept to rounding. Elements are projected by their orientations ahead, from which their angular
velocities follow at the end of a pass (20). Whatever other rows do to the velocities between two passes is seen.

A strain e with compliance a (zero: rigid) is projected by

    (h A + a / h) dP = -e

without regard to the impulses P before: paper C's PBD knows none, and a stiffness grows with every pass. (The paper does not
say how its stiffnesses enter; infinite ones project fully, as its equations do.) The rope that knows them is solved in
solvers/compliant.

Impulses add up in world axes: elements turn while passes go on, and the sum in their own axes would not be what points and
elements were given. What is read of a rope is these sums, what the projections did, and not what a stiffness and a bend
would say: only the first is in balance with the loads.
"""

from ..._jit import kernel
from ...equations.rod.bend_twist import bend_twist_response, turns_by_bend_twist
from ...equations.rod.darboux_vector import bend_twist, relative, torque
from ...equations.rod.stretch_shear import chord_in_element, stretch_shear, stretch_shear_response, turn_by_stretch_shear
from ...math.quat import load4, rotate
from ...math.vec3 import add, add_scaled, load, neg, norm, scale, store, sub
from ...model.point_ropes import (
    AHEAD,
    AIM,
    AIM_BEND,
    BEFORE,
    BENDING,
    ELEMENT,
    ELEMENTS,
    LIGHT,
    POINT,
    POINTS,
    ROW,
    SOFT_BEND,
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPAN,
    SPIN,
    STRETCHING,
)
from .carrier import clamp_frame, end_light, follow_carriers, is_carried, push_end, turn_body
from .columns import load4_at, load_at, store4_at, store_at
from .small_system import solve3
from .turning import nudged, rate_between, turned_by


@kernel
def solve_projection(ropes, state, work, bodies, motion, k, h):
    """One pass; returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse, work.row"""
    rope, table, impulse, light = ropes.rope, work.row, state.impulse, bodies.inverse_mass
    first, elements, point = rope[k, ROW], rope[k, ELEMENTS], rope[k, POINT] - rope[k, BEFORE]
    start, last = rope[k, BEFORE], rope[k, BEFORE] + rope[k, POINTS] - 2
    clamped, clamped_after = load_at(impulse, first, BENDING), load_at(impulse, first + max(elements - 2, 0), BENDING)
    follow_carriers(ropes, motion, k)
    look_ahead(ropes, work, motion, k, h)
    change = 0.0
    for j in range(elements):
        if start <= j <= last:
            left = end_light(ropes, bodies, k, 0) if j == start else light[point + j]
            right = end_light(ropes, bodies, k, 1) if j == last else light[point + j + 1]
            push = project_element(table, impulse, motion.position, motion.velocity, first + j, point + j, left, right, h)
            change = max(change, max(left, right) * norm(push))
            if j == start and ropes.carrier[k, 0] >= 0:
                push_end(ropes, bodies, motion, k, 0, neg(push))
            if j == last and ropes.carrier[k, 1] >= 0:
                push_end(ropes, bodies, motion, k, 1, push)
        if j < elements - 1:
            project_joint(table, impulse, first + j, h)
    turn_carriers(ropes, state, bodies, motion, k, clamped, clamped_after)
    return max(change, look_back(ropes, work, motion, k, h))


@kernel
def turn_carriers(ropes, state, bodies, motion, k, clamped, clamped_after):
    """What the joints at clamps did in this pass, since their impulses stood at `clamped`, they do to the carriers.

    Writes: angular velocities of carriers and of the frames that they carry
    """
    first, elements = ropes.rope[k, ROW], ropes.rope[k, ELEMENTS]
    for end in range(2):
        body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
        if body >= 0 and frame >= 0:
            row = first if end == 0 else first + elements - 2
            done = sub(load_at(state.impulse, row, BENDING), clamped if end == 0 else clamped_after)
            turn_body(bodies, motion, body, neg(done) if end == 0 else done)
    follow_carriers(ropes, motion, k)


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
        if load_at(work.row, row + j, LIGHT) == (0.0, 0.0, 0.0) or is_carried(ropes, k, e + j):
            continue
        w = rate_between(load4(motion.quaternion, e + j), load4_at(work.row, row + j, AHEAD), h)
        change = max(change, norm(sub(w, load_at(work.row, row + j, SPIN))) * work.row[row + j, SPAN])
        store(motion.angular_velocity, e + j, w)
        store_at(work.row, row + j, SPIN, w)
    return change


@kernel
def project_element(table, impulse, position, velocity, row, left, light_left, light_right, h):
    """Stretch and shear of the element of `row` after the point `left`; returns the push on its second point [N s].

    Writes: velocities of two points, impulse, the orientation ahead
    """
    v_left, v_right = load(velocity, left), load(velocity, left + 1)
    chord = add_scaled(sub(load(position, left + 1), load(position, left)), h, sub(v_right, v_left))
    q, light = load4_at(table, row, AHEAD), load_at(table, row, LIGHT)
    a = chord_in_element(q, chord)
    strain = sub(stretch_shear(a, table[row, SPAN]), load_at(table, row, AIM))
    P = load_at(impulse, row, STRETCHING)
    A = stretch_shear_response(a, light_left + light_right, light)
    shear, stretch = table[row, SOFT_SHEAR], table[row, SOFT_STRETCH]
    if A[0] + shear == 0.0 or A[1] + shear == 0.0 or A[2] + stretch == 0.0:
        return 0.0, 0.0, 0.0
    matrix = h * A[0] + shear, h * A[1] + shear, h * A[2] + stretch, h * A[3], h * A[4], h * A[5]
    step = solve3(matrix, neg(strain))
    push = rotate(q, step)
    store(velocity, left, add_scaled(v_left, -light_left, push))
    store(velocity, left + 1, add_scaled(v_right, light_right, push))
    store4_at(table, row, AHEAD, nudged(q, scale(h, turn_by_stretch_shear(a, step, light))))
    store_at(impulse, row, STRETCHING, add(P, push))
    return push


@kernel
def project_joint(table, impulse, row, h):
    """Bend and twist between the elements of `row` and the next. Writes: impulse, orientations ahead"""
    q_left, q_right = load4_at(table, row, AHEAD), load4_at(table, row + 1, AHEAD)
    light_left, light_right = load_at(table, row, LIGHT), load_at(table, row + 1, LIGHT)
    p = relative(q_left, q_right)
    strain = sub(bend_twist(p), load_at(table, row, AIM_BEND))
    soft = load_at(table, row, SOFT_BEND)
    A = bend_twist_response(p, light_left, light_right)
    if A[0] + soft[0] == 0.0 or A[1] + soft[1] == 0.0 or A[2] + soft[2] == 0.0:
        return
    matrix = h * A[0] + soft[0], h * A[1] + soft[1], h * A[2] + soft[2], h * A[3], h * A[4], h * A[5]
    step = solve3(matrix, neg(strain))
    turn_left, turn_right = turns_by_bend_twist(p, step, light_left, light_right)
    store4_at(table, row, AHEAD, nudged(q_left, scale(h, turn_left)))
    store4_at(table, row + 1, AHEAD, nudged(q_right, scale(h, turn_right)))
    store_at(impulse, row, BENDING, add(load_at(impulse, row, BENDING), torque(p, q_left, step)))
