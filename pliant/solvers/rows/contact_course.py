"""Where a contact goes within a step: what turns alike takes it round, what rolls takes it along.

A contact is found once a step. What sticks goes round with what it lies on: were its point to stay, the speed of the surface
below would be that of where it was, and the way along that tangent leads outwards by r w^2 dt / 2 in a second. What is round
takes no contact round by its spin: those of balls, wheels and capsules go as contact_core.py says. A vertex turns with its
body, also before it touches: along the tangent at which a wheel of many sides sets out it would come down in half the time.

What meets pushes both bodies at one point, wherever they are then. Levers to two points, d apart as the surfaces were when they
were found, make of a push F and its reaction a couple d x F, which would turn free bodies out of nothing.
"""

from ..._jit import kernel, stage
from ...couple.ports import answer, load_at, store_at
from ...math.quat import from_rotation_vector, qmul, rotate, unrotate
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, sub
from ...model.bodies import Motion
from ...model.rows import (
    AHEAD,
    APPROACH,
    ASIDE,
    CLOCK,
    FRAME,
    FROM_CLOCK,
    FROM_GAP,
    GAP,
    IMPULSE,
    LEVER_A,
    LEVER_B,
    LIGHTNESS,
    SLIDES,
    SLIP,
    SPIN_RATE,
    STANDS,
    TURN_A,
    TURN_B,
    UNTIL,
    VELOCITY,
    ContactWork,
)
from .contact import SLOP
from .contact_core import CORES, follow, reach_of, shortest_turn, turn_axles
from .contact_pair import ZERO, Pair, load_pair, mixed, place_rows_of, speeds_at, store_pair

STRAYS = 1e-5
"""A contact is placed anew where its surfaces would be so much faster or slower [m/s]."""
VERTEX_STRAYS = 1e-3
"""The same of a vertex on ground that does not turn [m/s]: friction carries it nowhere."""
STILL, STALE = 1e-3, 1e-3
"""What has turned by less in a step [rad] answers as before; so does what answers by so little [-] otherwise."""
COMES = 0.25
"""Surfaces that near each other at more of the speeds that are theirs [-], and by more than the slop, rather meet than roll:
their bodies will not turn as before."""


@kernel
def take_along(k, ports, motion, work, h, linked, loose):
    """Place contact `k`, if its surfaces touch or it is a vertex, where it is in the middle of a substep `h` [s] that begins;
    between two that move, on joints (`linked`), where these are; one of `loose` bodies that comes, where these are too.
    Writes: work at `k`

    Joints push where the bodies are when a substep begins. Were contacts to push where they will be, what they do to two bodies
    would no longer turn both by as much against each other: links that motors press together would be turned by that, the
    more the harder. So there a contact only reckons what its speed will be.
    """
    table, stands = work.table, linked and both_move(k, work)
    table[k, FROM_CLOCK] = table[k, CLOCK]
    if loose and table[k, GAP] > SLOP and push_at_one_point(k, ports, motion, work):
        return
    place_at(k, ports, motion, work, table[k, CLOCK] + (0.0 if stands else 0.5 * h))
    if stands:
        note_ahead(k, motion, work, 0.5 * h)


@kernel
def both_move(k, work):
    """Whether contact `k` is between two bodies that move."""
    return min(work.table[k, LIGHTNESS], work.table[k, LIGHTNESS + 1]) > 0.0


@stage
def note_ahead(k: int, motion: Motion, work: ContactWork, span: float) -> None:
    """Let contact `k` reckon its speed a `span` [s] ahead, if it touches and that matters. Writes: work.course"""
    work.course[k, AHEAD] = span if work.table[k, GAP] <= SLOP else 0.0
    if norm(strays_of(k, load_pair(motion, work.body[k, 0], work.body[k, 1]), work)) < STRAYS:
        work.course[k, AHEAD] = 0.0


@kernel
def strays_of(k, pair, work):
    """By how much the speeds of contact `k` will differ, by the way that work.course says, from those where it is (3) [m/s]."""
    table, span = work.table, work.course[k, AHEAD]
    if span == 0.0:
        return ZERO
    way, r_a, r_b = sub(pair.v_b, pair.v_a), load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    n, t, s = load_at(table, k, FRAME), load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    to_a, to_b, q = course_of(k, work, pair.w_a, pair.w_b, way, span)
    now = sub(add(way, cross(pair.w_b, r_b)), cross(pair.w_a, r_a))
    then = unrotate(q, sub(add(way, cross(pair.w_b, to_b)), cross(pair.w_a, to_a)))
    change = sub(then, now)
    return dot(n, change), dot(t, change), dot(s, change)


@kernel
def course_of(k, work, w_a, w_b, way, span):
    """(levers [m], turn of the frame) of contact `k` a `span` [s] later, of bodies as fast as this [m/s and rad/s]."""
    table, n, number = work.table, load_at(work.table, k, FRAME), work.body[k, 2]
    r_a, r_b = load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    if number < CORES:
        q = from_rotation_vector(scale(span, both_turn(table, k, w_a, w_b)))
        return rotate(q, r_a), rotate(q, r_b), q
    q_a, q_b = from_rotation_vector(scale(span, w_a)), from_rotation_vector(scale(span, w_b))
    to_a, to_b, m = follow(work.core, k, number, q_a, q_b, n, r_a, r_b, scale(span, way))
    about = from_rotation_vector(scale(span * shared(dot(w_a, n), dot(w_b, n)), n))
    return to_a, to_b, qmul(shortest_turn(n, m), about)


@kernel
def advance_contact(k, motion, work, h, few):
    """How gap and creep change in the substep, by the velocities that moved the bodies. Writes: work"""
    table = work.table
    speed, along, across = speeds_at(table, k, load_pair(motion, work.body[k, 0], work.body[k, 1]))
    table[k, GAP] += h * speed
    table[k, CLOCK] = table[k, FROM_CLOCK] + h
    if table[k, IMPULSE] > 0.0 and not (few and table[k, SLIDES] > 0.0):
        table[k, SLIP] += h * along
        table[k, SLIP + 1] += h * across
    else:
        table[k, SLIP], table[k, SLIP + 1] = 0.0, 0.0


@kernel
def stray(k, motion, work, h):
    """What gap and creep change by where speeds are reckoned ahead. Writes: work"""
    table = work.table
    speed, along, across = strays_of(k, load_pair(motion, work.body[k, 0], work.body[k, 1]), work)
    table[k, GAP] += h * speed
    if table[k, IMPULSE] > 0.0 and table[k, SLIDES] == 0.0:
        table[k, SLIP] += h * along
        table[k, SLIP + 1] += h * across


@kernel
def take_to_the_end(k, ports, motion, work):
    """Place contact `k` between bodies where it is when a substep has moved them: what joints hold is as fast as there, and
    would rub on what is as fast as halfway. What it has pushed stays as it was, and what has rubbed goes on from there: turned
    along rollers would rub askew. Writes: work at `k`"""
    table = work.table
    work.course[k, AHEAD] = 0.0
    if not 0 <= work.body[k, 2] < CORES:
        x, y, z = load_at(table, k, IMPULSE)
        pushed, rubbed = mixed(table, k, FRAME, x, y, z), mixed(table, k, FRAME, 0.0, y, z)
        place_at(k, ports, motion, work, table[k, CLOCK])
        y, z = dot(rubbed, load_at(table, k, FRAME + 3)), dot(rubbed, load_at(table, k, FRAME + 6))
        store_at(table, k, IMPULSE, (x, y, z))
        store_at(work.course, k, ASIDE, sub(pushed, mixed(table, k, FRAME, x, y, z)))


@kernel
def place_at(k, ports, motion, work, time):
    """Place contact `k` where it is at a `time` [s] of the step. Writes: work at `k`"""
    table, a, b, number = work.table, work.body[k, 0], work.body[k, 1], work.body[k, 2]
    if table[k, GAP] > SLOP and not 0 <= number < CORES:
        return
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    way, span = sub(load(motion.velocity, b), load(motion.velocity, a)), time - table[k, STANDS]
    if number >= CORES:
        if time < work.course[k, UNTIL]:  # what meets elsewhere later is not met where that would be by now
            return
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
    table[k, STANDS] = time
    place_rows_of(table, k, ports, work.body[k, 0], work.body[k, 1], to_a, to_b, rotate(q, n), rotate(q, t), rotate(q, s))


@kernel
def answer_anew(k, ports, motion, start, work, loose):
    """Let the rows of contact `k` be answered as its bodies have turned when a substep ends. Writes: work at `k`

    Answered as when the step began, pushes gave spinning boxes another spin than they have, and with it energy. What meets is
    pushed where its bodies, if they are `loose`, are now, and parts by the speed that this point of them came with.
    Writes: velocities
    """
    table, a, b = work.table, work.body[k, 0], work.body[k, 1]
    if loose and table[k, FROM_GAP] > SLOP and push_again(k, ports, motion, work):
        came = Pair(load_at(start, a, VELOCITY), load_at(start, a, SPIN_RATE), load_at(start, b, VELOCITY),
                    load_at(start, b, SPIN_RATE))
        table[k, APPROACH] = speeds_at(table, k, came)[0]
        return
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    if max(dot(w_a, w_a), dot(w_b, w_b)) * table[k, CLOCK] ** 2 < STILL * STILL:
        return
    n, r_a, r_b = load_at(table, k, FRAME), load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    if answers_anew(ports, a, cross(n, r_a), load_at(table, k, TURN_A)) or (
            answers_anew(ports, b, cross(r_b, n), load_at(table, k, TURN_B))):
        place_rows_of(table, k, ports, a, b, r_a, r_b, n, load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6))


@kernel
def push_again(k, ports, motion, work):
    """Push at one point, as `push_at_one_point` says, what contact `k` has pushed before; whether it does.

    Were it to take that back along another normal than it gave it, it would push aside, or pull, by what is between the two.
    Writes: work at `k`, velocities
    """
    table, a, b = work.table, work.body[k, 0], work.body[k, 1]
    x, y, z = load_at(table, k, IMPULSE)
    first, r_a, r_b = mixed(table, k, FRAME, x, y, z), load_at(table, k, LEVER_A), load_at(table, k, LEVER_B)
    if not push_at_one_point(k, ports, motion, work):
        return False
    push = mixed(table, k, FRAME, x, y, z)
    more = sub(push, first)
    v_a, w_a = answer(ports, a, more, sub(cross(load_at(table, k, LEVER_A), push), cross(r_a, first)))
    v_b, w_b = answer(ports, b, more, sub(cross(load_at(table, k, LEVER_B), push), cross(r_b, first)))
    pair = load_pair(motion, a, b)
    store_pair(motion, a, b, Pair(sub(pair.v_a, v_a), sub(pair.w_a, w_a), add(pair.v_b, v_b), add(pair.w_b, w_b)))
    return True


@kernel
def push_at_one_point(k, ports, motion, work):
    """Turn contact `k` to now, and let both levers end amid where they do, if these are further than the slop apart; whether
    they are. What stands needs none, and those of lines and points go as contact_core.py says. Writes: work at `k`"""
    table, a, b = work.table, work.body[k, 0], work.body[k, 1]
    if not both_move(k, work) or work.body[k, 2] >= 0:
        return False
    together = both_turn(table, k, load(motion.angular_velocity, a), load(motion.angular_velocity, b))
    q = from_rotation_vector(scale(table[k, CLOCK] - table[k, STANDS], together))
    to_a, to_b = rotate(q, load_at(table, k, LEVER_A)), rotate(q, load_at(table, k, LEVER_B))
    apart = sub(add(load(motion.position, b), to_b), add(load(motion.position, a), to_a))
    if dot(apart, apart) < SLOP * SLOP:
        return False
    place_turned(k, ports, work, add_scaled(to_a, 0.5, apart), add_scaled(to_b, -0.5, apart), q, table[k, CLOCK])
    return True


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
