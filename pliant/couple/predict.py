"""How bodies move in an implicit substep: where it starts from, what they do before rows act, and where they come to."""

from math import sqrt

from .._jit import kernel, merged
from ..equations.rigid.levered_push import stiffness_of, torque_of, turned_levers
from ..math.quat import from_rotation_vector, load4, qmul, qnormalize, rotate, store4, third_axis, unrotate
from ..math.sym3 import load6, store6, sym_mul, turned_diagonal
from ..math.vec3 import add_scaled, dot, load, mul, scale, store, sub
from ..model.bodies import (
    DRIVEN,
    OWN,
    PAST_MOMENTUM,
    PAST_POSITION,
    PAST_PUSH,
    PAST_SPIN,
    PAST_STEP,
    PAST_TURN,
    PAST_VELOCITY,
    TURNS,
)
from ..model.rows import AROUND_AXIS, BORNE, FIRST_WAY, FROM, FROM_TURN, GIVEN, MOMENTUM, PUSHED_ASIDE, TURNED
from ..solvers.chain.factor import begin_link, stiffen
from ..solvers.tree.factor import begin_body
from ..solvers.tree.heft import add_heft
from .move import levers, push_on, pushed
from .ports import load_at, store_at


@merged
def predict(movers, islands, i, h, b, gravity, drag, led, out):
    """Where the substep starts from, what forces from outside give, velocities to guess with, and where those lead.

    `out`: how those that tumble on no joints set out is noted (soft/loose.py).

    Writes: movers.start, motion
    """
    bodies, motion, push, start, past = movers.bodies, movers.motion, movers.push, movers.start.table, movers.history.table
    step = b * h
    keep = 1.0 / (1.0 + step * drag)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        x, q = load(motion.position, k), load4(motion.quaternion, k)
        v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
        if bodies.kind[k] == DRIVEN:
            x = add_scaled(x, h - step, v)
            q = qnormalize(qmul(from_rotation_vector(scale(h - step, w)), q))
            store_from(start, k, x, q, v, (0.0, 0.0, 0.0))
            move_body(movers, k, step)
            continue
        if led and bodies.tree[k] >= 0:
            follow_lead(movers, k, x, q, h)
            move_body(movers, k, step)
            continue
        torque, axis = load(push.torque, k), third_axis(q)
        around, spin = dot(w, axis), momentum_of(bodies, k, q, w)
        shove, (force, twist) = add_scaled(gravity, bodies.inverse_mass[k], load(push.force, k)), newly_pushed(push, k, q, past)
        store_at(start, k, TURNED, spin)  # for `remember`
        if b < 1.0:
            before, early = load_at(past, k, PAST_VELOCITY), load_at(past, k, PAST_SPIN)
            x = sub(scale(4.0 / 3.0, x), scale(1.0 / 3.0, load_at(past, k, PAST_POSITION)))
            q = looking_back(q, past, k)
            spin = sub(scale(4.0 / 3.0, spin), scale(1.0 / 3.0, load_at(past, k, PAST_MOMENTUM)))
            store(motion.velocity, k, sub(scale(2.0, v), before))
            store(motion.angular_velocity, k, sub(scale(2.0, w), early))
            v = sub(scale(4.0 / 3.0, v), scale(1.0 / 3.0, before))
            p = (past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2], past[k, PAST_TURN + 3])
            around = (4.0 * around - dot(early, third_axis(p))) / 3.0
        start[k, AROUND_AXIS] = keep * around + step * bodies.inverse_inertia[k, 2] * dot(torque, axis)
        start[k, PUSHED_ASIDE] = push.turning[k, TURNS]
        store_from(start, k, x, q, add_scaled(scale(keep, v), step, shove), add_scaled(scale(keep, spin), step, torque))
        if dot(force, force) + dot(twist, twist) > 0.0:
            add_share(start, k, GIVEN, (h - step) * bodies.inverse_mass[k], force)
            add_share(start, k, MOMENTUM, h - step, twist)
            start[k, AROUND_AXIS] += (h - step) * bodies.inverse_inertia[k, 2] * dot(twist, axis)
        if out and tumbles(bodies, k):
            store(motion.angular_velocity, k, load_at(start, k, FIRST_WAY + 3))
            store_at(start, k, MOMENTUM, add_scaled(load_at(start, k, FIRST_WAY + 6), step, torque))
        move_body(movers, k, step)


@merged
def follow_lead(movers, k, x, q, h):
    """A body at x, q that joints have led (swing.py) begins with what these and forces from outside gave it: all that pushes it
    now comes after. Writes: movers.start, velocities"""
    motion, push, start = movers.motion, movers.push, movers.start.table
    v = load_at(start, k, FIRST_WAY)
    store(motion.velocity, k, v)
    store(motion.angular_velocity, k, load_at(start, k, FIRST_WAY + 3))
    store_from(start, k, x, q, add_scaled(v, h * movers.bodies.inverse_mass[k], load(push.force, k)),
               add_scaled(load_at(start, k, FIRST_WAY + 6), h, load(push.torque, k)))
    start[k, PUSHED_ASIDE] = 0.0


@kernel
def tumbles(bodies, k):
    """Whether body `k` hangs on no joint, and turns otherwise than by one angular velocity."""
    x, y, z = load(bodies.inertia, k)
    free = bodies.link[k] == 0 and bodies.tree[k] < 0 and bodies.kind[k] != DRIVEN
    return free and min(x, y, z) > 0.0 and max(x, y, z) > min(x, y, z)


@kernel
def add_share(table, k, first, share, x):
    """Writes: three numbers of `table` at `k`, `share` of `x` more"""
    for c in range(3):
        table[k, first + c] += share * x[c]


@kernel
def newly_pushed(push, k, q, past):
    """Force and torque from outside on body `k`, less those of the substep before.

    BDF2 gives a body 2/3 h F, and a third of what it gave before goes on: h F once that has lasted, less when a push begins
    and more when it has ended. A third of h times the change makes it h F in every substep, so that a push gives its impulse.
    """
    force, torque = push_on(push, k, q) if pushed(push, k) else ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return sub(force, load_at(past, k, PAST_PUSH)), sub(torque, load_at(past, k, PAST_PUSH + 3))


@merged
def momentum_of(bodies, k, q, w):
    """Angular momentum [kg m2/s] of body `k` turned by `q`, world frame; a link is round."""
    if bodies.link[k] == 1:
        d, across = third_axis(q), bodies.inertia[k, 0]
        return add_scaled(scale(across, w), (bodies.inertia[k, 2] - across) * dot(w, d), d)
    return rotate(q, mul(load(bodies.inertia, k), unrotate(q, w)))


@kernel
def looking_back(q, past, k):
    """(4 q_n - q_n-1) / 3, the two taken with the same sign, made unit."""
    p0, p1, p2, p3 = past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2], past[k, PAST_TURN + 3]
    sign = 1.0 if q[0] * p0 + q[1] * p1 + q[2] * p2 + q[3] * p3 >= 0.0 else -1.0
    return qnormalize((4.0 * q[0] - sign * p0, 4.0 * q[1] - sign * p1, 4.0 * q[2] - sign * p2, 4.0 * q[3] - sign * p3))


@kernel
def store_from(start, k, x, q, v, momentum):
    """Writes: start at `k`"""
    store_at(start, k, FROM, x)
    start[k, FROM_TURN] = q[0]
    start[k, FROM_TURN + 1] = q[1]
    start[k, FROM_TURN + 2] = q[2]
    start[k, FROM_TURN + 3] = q[3]
    store_at(start, k, GIVEN, v)
    store_at(start, k, MOMENTUM, momentum)


@merged
def begin_mover(movers, k, tree, step):
    """Inertia of body `k` where it is, nothing folded in yet. Writes: movers.ports, tree.body at `k`"""
    bodies, motion = movers.bodies, movers.motion
    if bodies.link[k] == 1:
        begin_link(bodies, k, motion, movers.ports, tree.body)
    else:
        inertia = turned_diagonal(load4(motion.quaternion, k), load(bodies.inverse_inertia, k))
        store6(movers.ports.inverse_inertia, k, inertia)
    if bodies.tree[k] >= 0:
        if bodies.link[k] == 0:
            begin_body(bodies, k, motion, tree)
        if tree.body[k, BORNE] > 0.0:
            add_heft(tree.body, k)
        if movers.push.turning[k, TURNS] > 0.0:
            stiffness = stiffness_of(turned_levers(load4(motion.quaternion, k), levers(movers.push.turning, k)))
            stiffen(tree.body, k, step * step, stiffness)


@merged
def move_from(movers, islands, i, step):
    """Move all bodies by their velocities from where the substep starts.

    Returns how far links have turned at most [rad], against where they were before this call and in the whole substep.
    Writes: motion.position, .quaternion
    """
    largest, fastest = 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        away, speed = move_body(movers, islands.body[m], step)
        if not away <= largest:
            largest = away  # also when it is not a number
        fastest = max(fastest, speed)
    return 2.0 * sqrt(largest), step * sqrt(fastest)


@merged
def move_body(movers, k, step):
    """Of body `k`; returns how far a link turns, as the square of half the angle, and the square of how fast.

    Writes: motion.position, .quaternion
    """
    motion, start = movers.motion, movers.start.table
    w = load(motion.angular_velocity, k)
    store(motion.position, k, add_scaled(load_at(start, k, FROM), step, load(motion.velocity, k)))
    q = (start[k, FROM_TURN], start[k, FROM_TURN + 1], start[k, FROM_TURN + 2], start[k, FROM_TURN + 3])
    q, p = qnormalize(qmul(from_rotation_vector(scale(step, w)), q)), load4(motion.quaternion, k)
    store4(motion.quaternion, k, q)
    if movers.bodies.link[k] != 1:
        return 0.0, 0.0
    return (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 + (q[2] - p[2]) ** 2 + (q[3] - p[3]) ** 2, dot(w, w)


@merged
def loose_speeds(movers, k, step):
    """Velocity [m/s] and angular velocity [rad/s] of body `k` before any row acts; its inertia has been placed."""
    motion, start, turning = movers.motion, movers.start.table, movers.push.turning
    v, momentum = load_at(start, k, GIVEN), load_at(start, k, MOMENTUM)
    if turning[k, TURNS] > 0.0:
        q = load4(motion.quaternion, k)
        v = add_scaled(v, step * movers.ports.inverse_mass[k], rotate(q, load_at(turning, k, OWN)))
        momentum = add_scaled(momentum, step, rotate(q, load_at(turning, k, OWN + 3)))
        momentum = add_scaled(momentum, step, torque_of(turned_levers(q, levers(turning, k))))
    if movers.bodies.link[k] == 1:
        return v, link_spin(movers.bodies, k, motion, start, momentum)
    return v, sym_mul(load6(movers.ports.inverse_inertia, k), momentum)


@merged
def link_spin(bodies, k, motion, start, momentum):
    """Angular velocity [rad/s] of a link before its rods act, with the momentum given.

    A round body keeps its spin about its own axis, which therefore is carried along as a number: taken from the momentum,
    it would be the small difference of large numbers, more so the thinner the rope.
    """
    d = third_axis(load4(motion.quaternion, k))
    given = load_at(start, k, MOMENTUM)
    axial = start[k, AROUND_AXIS] + bodies.inverse_inertia[k, 2] * dot(sub(momentum, given), d)
    s = bodies.inverse_inertia[k, 0]
    return add_scaled(scale(s, momentum), axial - s * dot(momentum, d), d)


@kernel
def remember(movers, islands, i, h):
    """The start of the substep becomes what the next one looks back to; `h` = 0: nothing does. Writes: movers.history"""
    start, past = movers.start.table, movers.history.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(PAST_STEP):
            past[k, c] = start[k, c]
        past[k, PAST_STEP] = h
        force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if pushed(movers.push, k):
            force, torque = push_on(movers.push, k, load4(movers.motion.quaternion, k))
        store_at(past, k, PAST_PUSH, force)
        store_at(past, k, PAST_PUSH + 3, torque)
