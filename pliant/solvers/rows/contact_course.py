"""Where a contact goes within a step: what turns alike takes it round, what rolls takes it along.

A contact is found once a step. What sticks goes round with what it lies on: were its point to stay, the speed of the surface
below would be that of where it was, and the way along that tangent leads outwards by r w^2 dt / 2 in a second. What is round
takes no contact round by its spin: those of balls, wheels and capsules go as contact_core.py says. A vertex turns with its
body, also before it touches: along the tangent at which a wheel of many sides sets out it would come down in half the time.
"""

from ..._jit import kernel
from ...couple.ports import answer, load_at, store_at
from ...math.quat import from_rotation_vector, qmul, rotate, unrotate
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, sub
from ...model.rows import CLOCK, FRAME, FROM_CLOCK, GAP, LEVER_A, LEVER_B, STANDS, TOTAL, TURN_A, TURN_B
from .contact import SLOP
from .contact_core import CORES, follow, reach_of, shortest_turn, turn_axles
from .contact_pair import place_rows_of

STRAYS = 1e-5
"""A contact is placed anew where its surfaces would be so much faster or slower [m/s]."""
VERTEX_STRAYS = 1e-3
"""The same of a vertex on ground that does not turn [m/s]: friction carries it nowhere."""
TURNED, STALE = 1e-3, 1e-3
"""What has turned by less in a step [rad] answers as before; so does what answers by so little [-] otherwise."""
COMES = 0.25
"""Surfaces that near each other at more of the speeds that are theirs [-], and by more than the slop, rather meet than roll:
their bodies will not turn as before."""


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
    if not 0 <= work.body[k, 2] < CORES:
        place_at(k, ports, motion, work, work.table[k, CLOCK])


@kernel
def place_at(k, ports, motion, work, time):
    """Place contact `k` where it is at a `time` [s] of the step. Writes: work at `k`"""
    table, a, b, number = work.table, work.body[k, 0], work.body[k, 1], work.body[k, 2]
    if table[k, GAP] > SLOP and not 0 <= number < CORES:
        return
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    way, span = sub(load(motion.velocity, b), load(motion.velocity, a)), time - table[k, STANDS]
    if number >= CORES:
        follow_cores(k, ports, work, w_a, w_b, way, time)
        return
    r_a, r_b = load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    together = w_a if number == 1 else w_b if number == 0 else both_turn(table, k, w_a, w_b)
    q = from_rotation_vector(scale(span, together))
    to_a, to_b = rotate(q, r_a), rotate(q, r_b)
    if number == 1:
        to_b = rotate(from_rotation_vector(scale(span, w_b)), r_b)
        to_a = add(r_a, add_scaled(sub(to_b, r_b), span, way))
    elif number == 0:
        to_a = rotate(from_rotation_vector(scale(span, w_a)), r_a)
        to_b = add(r_b, add_scaled(sub(to_a, r_a), -span, way))
    may = VERTEX_STRAYS if number >= 0 and dot(together, together) == 0.0 else STRAYS
    if norm(cross(w_a, sub(to_a, r_a))) + norm(cross(w_b, sub(to_b, r_b))) >= may:
        place_turned(k, ports, work, to_a, to_b, q, time)


@kernel
def follow_cores(k, ports, work, w_a, w_b, way, time):
    """The same of one between lines, points and faces, of bodies as fast as this [m/s and rad/s]. Writes: work at `k`"""
    table, n = work.table, load_at(work.table, k, FRAME)
    r_a, r_b, span = load_at(table, k, LEVER_A), load_at(table, k, LEVER_B), time - table[k, STANDS]
    turns_a, turns_b = cross(w_a, r_a), cross(w_b, r_b)
    slip, speeds = sub(add(way, turns_b), turns_a), norm(way) + norm(turns_a) + norm(turns_b)
    rates, comes = norm(w_a) + norm(w_b), abs(dot(n, slip))
    if abs(span) * speeds * (3.0 * rates + speeds / reach_of(work.core, k)) < STRAYS or (
            abs(span) * comes > SLOP and comes > COMES * speeds):
        return
    q_a, q_b = from_rotation_vector(scale(span, w_a)), from_rotation_vector(scale(span, w_b))
    to_a, to_b, m = follow(work.core, k, work.body[k, 2], q_a, q_b, n, r_a, r_b, scale(span, way))
    strays = norm(cross(w_a, sub(to_a, r_a))) + norm(cross(w_b, sub(to_b, r_b))) + norm(slip) * norm(sub(m, n))
    if strays < STRAYS:
        return
    turn_axles(work.core, k, q_a, q_b)
    about = from_rotation_vector(scale(span * shared(dot(w_a, n), dot(w_b, n)), n))
    place_turned(k, ports, work, to_a, to_b, qmul(shortest_turn(n, m), about), time)


@kernel
def place_turned(k, ports, work, to_a, to_b, q, time):
    """Place contact `k` at these levers [m], with its frame turned by `q`. Writes: work at `k`"""
    table = work.table
    n, t, s = load_at(table, k, FRAME), load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    x, y, z = load_at(table, k, TOTAL)
    total = unrotate(q, add_scaled(add_scaled(scale(x, n), y, t), z, s))
    store_at(table, k, TOTAL, (dot(n, total), dot(t, total), dot(s, total)))
    table[k, STANDS] = time
    place_rows_of(table, k, ports, work.body[k, 0], work.body[k, 1], to_a, to_b, rotate(q, n), rotate(q, t), rotate(q, s))


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
def both_turn(table, k, w_a, w_b):
    """The angular velocity [rad/s] that both bodies of contact `k` have, about each axis of its frame."""
    whole = (0.0, 0.0, 0.0)
    for r in range(3):
        e = load_at(table, k, FRAME + 3 * r)
        whole = add_scaled(whole, shared(dot(w_a, e), dot(w_b, e)), e)
    return whole


@kernel
def shared(one, two):
    """What two rates [rad/s] have in common."""
    if one * two <= 0.0:
        return 0.0
    return one if abs(one) < abs(two) else two
