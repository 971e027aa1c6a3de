"""Where a contact goes within a step: what turns alike takes it round, what rolls takes it along.

A contact is found once a step. What sticks goes round with what it lies on: were its point to stay, the speed of the surface
below would be that of where it was, and the way along that tangent leads outwards by r w^2 dt / 2 in a second. The contact of
what rolls stays below it, and is at another place of what it rolls on; the ends of the lowest line of a wheel turn with its
axle about the normal: were they to stay, they would seem to rise and sink as it turns, and wheels that roll in a circle
gained energy without end. A vertex turns with its body, also before it touches:
along the tangent at which a wheel of many sides sets out it would come down in half the time.
"""

from ..._jit import kernel
from ...couple.ports import answer, load_at, store_at
from ...math.quat import from_rotation_vector, rotate, unrotate
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, store, sub
from ...model.rows import CLOCK, FRAME, FROM_CLOCK, GAP, LEVER_A, LEVER_B, STANDS, TOTAL, TURN_A, TURN_B
from .contact import SLOP
from .contact_pair import ON_SIDE, ROUND, place_rows_of

FLAT = 0.1
"""Sine of the angle between the ground's normal and an axle below which a wheel rather lies than rolls."""
STRAYS = 1e-5
"""A contact is placed anew where its surfaces would be so much faster or slower [m/s]."""
VERTEX_STRAYS = 1e-3
"""The same of a vertex on ground that does not turn [m/s]: friction carries it nowhere."""
TURNED, STALE = 1e-3, 1e-3
"""What has turned by less in a step [rad] answers as before; so does what answers by so little [-] otherwise."""


@kernel
def take_along(k, ports, motion, work, h):
    """Place contact `k`, if its surfaces touch or it is a vertex, where it is in the middle of a substep `h` [s] that begins.

    Writes: work at `k`
    """
    work.table[k, FROM_CLOCK] = work.table[k, CLOCK]
    place_at(k, ports, motion, work, work.table[k, CLOCK] + 0.5 * h)


@kernel
def take_to_the_end(k, ports, motion, work):
    """Place contact `k` between bodies where it is when a substep has moved them: what joints hold is as fast as there, and
    would rub on what is as fast as halfway. Writes: work at `k`"""
    if not 0 <= work.body[k, 2] < ON_SIDE:
        place_at(k, ports, motion, work, work.table[k, CLOCK])


@kernel
def place_at(k, ports, motion, work, time):
    """Place contact `k` where it is at a `time` [s] of the step. Writes: work at `k`"""
    table, a, b = work.table, work.body[k, 0], work.body[k, 1]
    w_a, w_b, vertex = load(motion.angular_velocity, a), load(motion.angular_velocity, b), work.body[k, 2]
    if table[k, GAP] > SLOP and not 0 <= vertex < ON_SIDE:
        return
    r_a, r_b = load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    n, t, s = load_at(table, k, FRAME), load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    span = time - table[k, STANDS]
    together = w_a if vertex == 1 else w_b if vertex == 0 else both_turn(table, k, w_a, w_b)
    q, way = from_rotation_vector(scale(span, together)), sub(load(motion.velocity, b), load(motion.velocity, a))
    to_a, to_b = rotate(q, r_a), rotate(q, r_b)
    if vertex == 1:
        to_b = rotate(from_rotation_vector(scale(span, w_b)), r_b)
        to_a = add(r_a, add_scaled(sub(to_b, r_b), span, way))
    elif vertex == 0:
        to_a = rotate(from_rotation_vector(scale(span, w_a)), r_a)
        to_b = add(r_b, add_scaled(sub(to_a, r_a), -span, way))
    elif vertex == ON_SIDE + 1:
        to_b = rotate(from_rotation_vector(scale(span, wheels_round(load(work.axle, k), n, w_b))), r_b)
        to_a = add(r_a, add_scaled(sub(to_b, r_b), span, way))
    elif vertex == ON_SIDE:
        to_a = rotate(from_rotation_vector(scale(span, wheels_round(load(work.axle, k), n, w_a))), r_a)
        to_b = add(r_b, add_scaled(sub(to_a, r_a), -span, way))
    elif is_below(n, r_b):
        to_a = add_scaled(r_a, span, way)
    elif is_below(n, r_a):
        to_b = add_scaled(r_b, -span, way)
    may = VERTEX_STRAYS if 0 <= vertex < ON_SIDE and dot(together, together) == 0.0 else STRAYS
    if norm(cross(w_a, sub(to_a, r_a))) + norm(cross(w_b, sub(to_b, r_b))) < may:
        return
    table[k, STANDS] = time
    if vertex >= ON_SIDE:
        turned = from_rotation_vector(scale(span, w_b if vertex > ON_SIDE else w_a))
        store(work.axle, k, rotate(turned, load(work.axle, k)))
    x, y, z = load_at(table, k, TOTAL)
    total = unrotate(q, add_scaled(add_scaled(scale(x, n), y, t), z, s))
    store_at(table, k, TOTAL, (dot(n, total), dot(t, total), dot(s, total)))
    place_rows_of(table, k, ports, a, b, to_a, to_b, rotate(q, n), rotate(q, t), rotate(q, s))


@kernel
def answer_anew(k, ports, motion, work):
    """Let the rows of contact `k` be answered as its bodies have turned when a substep ends. Writes: work at `k`

    Answered as when the step began, pushes gave spinning boxes another spin than they have, and with it energy.
    """
    table, a, b = work.table, work.body[k, 0], work.body[k, 1]
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    if max(dot(w_a, w_a), dot(w_b, w_b)) * table[k, CLOCK] ** 2 < TURNED * TURNED:
        return
    n, r_a, r_b = load_at(table, k, FRAME), load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    if answers_anew(ports, a, cross(n, r_a), load_at(table, k, TURN_A)) or (
            answers_anew(ports, b, cross(r_b, n), load_at(table, k, TURN_B))):
        place_rows_of(table, k, ports, a, b, r_a, r_b, n, load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6))


@kernel
def answers_anew(ports, i, arm, before):
    """Whether body `i` is turned by an impulse `arm` in another way than `before`."""
    now = answer(ports, i, (0.0, 0.0, 0.0), arm)[1]
    change = sub(now, before)
    return dot(change, change) > STALE * STALE * dot(now, now)


@kernel
def wheels_round(axle, n, w):
    """The angular velocity [rad/s] by which the lowest line of a wheel goes round, of `w` that it turns by: all but its spin.

    w = yaw n + lean t + spin axle,  t at right angles to both n and the axle.
    """
    level = cross(axle, n)
    upright = dot(level, level)
    if upright < FLAT * FLAT:
        return (0.0, 0.0, 0.0)
    yaw = dot(w, sub(n, scale(dot(n, axle), axle))) / upright
    return add_scaled(scale(yaw, n), dot(w, level) / upright, level)


@kernel
def is_below(n, r):
    """Whether a contact lies below the centre of mass, where it is [m] from it along `r`: that of a ball stays there."""
    aside = cross(n, r)
    return dot(aside, aside) < ROUND * ROUND * dot(r, r)


@kernel
def both_turn(table, k, w_a, w_b):
    """The angular velocity [rad/s] that both bodies of contact `k` have, about each axis of its frame."""
    whole = (0.0, 0.0, 0.0)
    for r in range(3):
        e = load_at(table, k, FRAME + 3 * r)
        one, two = dot(w_a, e), dot(w_b, e)
        if one * two > 0.0:
            whole = add_scaled(whole, one if abs(one) < abs(two) else two, e)
    return whole
