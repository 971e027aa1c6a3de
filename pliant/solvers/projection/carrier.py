"""Carriers: bodies that carry the ends of a rope, which are solved with it.

A carried end has no mass of its own: its point rides at an anchor in its carrier, and the frame of its clamp, if it has one,
turns with it. What the rope does to them it does to the carrier. So a light rope between heavy bodies does not give way, as
it would if rows joined its light last point to the body.

How an anchor answers depends on the direction; the bound `end_light` serves where a rope is iterated (a pass then does a
little less than it could, and comes to the same end), `light_along` where it is solved at once.
"""

from ..._jit import kernel
from ...math.quat import from_rotation_vector, load4, qmul, qnormalize, rotate, store4, unrotate
from ...math.vec3 import add, add_at, cross, dot, load, mul, scale, store
from ...model.point_ropes import BEFORE, ELEMENT, ELEMENTS, HOLD, POINT, POINTS
from .columns import load4_at, load_at


@kernel
def carried_point(ropes, k, end):
    """The point at an end: 0 the first, 1 the last."""
    return ropes.rope[k, POINT] + (ropes.rope[k, POINTS] - 1 if end == 1 else 0)


@kernel
def clamp_frame(ropes, k, end):
    """The element that is the frame of the clamp at an end, -1 without one."""
    if end == 0:
        return ropes.rope[k, ELEMENT] if ropes.rope[k, BEFORE] == 1 else -1
    beyond = ropes.rope[k, BEFORE] + ropes.rope[k, POINTS] - 1
    return ropes.rope[k, ELEMENT] + beyond if beyond < ropes.rope[k, ELEMENTS] else -1


@kernel
def is_carried(ropes, k, e):
    """Whether element e is the frame of a clamp that a carrier turns."""
    first = ropes.carrier[k, 0] >= 0 and clamp_frame(ropes, k, 0) == e
    return first or (ropes.carrier[k, 1] >= 0 and clamp_frame(ropes, k, 1) == e)


@kernel
def end_light(ropes, bodies, k, end):
    """Largest answer [1/kg] of the point at an end to a push: of its carrier at the anchor, or its own."""
    body = ropes.carrier[k, end]
    if body < 0:
        return bodies.inverse_mass[carried_point(ropes, k, end)]
    anchor = load_at(ropes.hold, k, HOLD * end)
    return bodies.inverse_mass[body] + dot(anchor, anchor) * turning_light(bodies, body)


@kernel
def turning_light(bodies, body):
    """Largest answer [1/(kg m2)] of a body to a turn."""
    x, y, z = load(bodies.inverse_inertia, body)
    return max(x, max(y, z))


@kernel
def light_along(ropes, bodies, motion, k, end, n):
    """Answer [1/kg] of the point at an end along `n`."""
    body = ropes.carrier[k, end]
    if body < 0:
        return bodies.inverse_mass[carried_point(ropes, k, end)]
    q = load4(motion.quaternion, body)
    arm = cross(load_at(ropes.hold, k, HOLD * end), unrotate(q, n))
    return bodies.inverse_mass[body] + dot(arm, mul(load(bodies.inverse_inertia, body), arm))


@kernel
def place_carried(ropes, motion, k):
    """Carried points and frames go to where their carriers are. Writes: positions and orientations at the ends of rope k"""
    for end in range(2):
        body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
        if body >= 0:
            q = load4(motion.quaternion, body)
            place = add(load(motion.position, body), rotate(q, load_at(ropes.hold, k, HOLD * end)))
            store(motion.position, carried_point(ropes, k, end), place)
            if frame >= 0:
                store4(motion.quaternion, frame, qnormalize(qmul(q, load4_at(ropes.hold, k, HOLD * end + 3))))


@kernel
def follow_carriers(ropes, motion, k):
    """Carried points and frames move as their carriers do. Writes: velocities at the ends of rope k"""
    for end in range(2):
        body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
        if body >= 0:
            w = load(motion.angular_velocity, body)
            arm = rotate(load4(motion.quaternion, body), load_at(ropes.hold, k, HOLD * end))
            store(motion.velocity, carried_point(ropes, k, end), add(load(motion.velocity, body), cross(w, arm)))
            if frame >= 0:
                store(motion.angular_velocity, frame, w)


@kernel
def push_end(ropes, bodies, motion, k, end, push):
    """`push` [N s] at an end. Writes: velocities of its carrier and of its point"""
    body = ropes.carrier[k, end]
    if body < 0:
        point = carried_point(ropes, k, end)
        add_at(motion.velocity, point, scale(bodies.inverse_mass[point], push))
        return
    arm = rotate(load4(motion.quaternion, body), load_at(ropes.hold, k, HOLD * end))
    add_at(motion.velocity, body, scale(bodies.inverse_mass[body], push))
    turn_body(bodies, motion, body, cross(arm, push))
    follow_carriers(ropes, motion, k)


@kernel
def turn_body(bodies, motion, i, impulse):
    """Angular `impulse` [N m s, world axes] on mover i. Writes: its angular velocity"""
    q = load4(motion.quaternion, i)
    add_at(motion.angular_velocity, i, rotate(q, mul(load(bodies.inverse_inertia, i), unrotate(q, impulse))))


@kernel
def shift_end(ropes, bodies, motion, k, end, push):
    """Moves the point at an end, or its carrier, as an impulse `push` [kg m] would in one second. Writes: their places"""
    body = ropes.carrier[k, end]
    if body < 0:
        point = carried_point(ropes, k, end)
        add_at(motion.position, point, scale(bodies.inverse_mass[point], push))
        return
    q = load4(motion.quaternion, body)
    arm = rotate(q, load_at(ropes.hold, k, HOLD * end))
    turn = rotate(q, mul(load(bodies.inverse_inertia, body), unrotate(q, cross(arm, push))))
    add_at(motion.position, body, scale(bodies.inverse_mass[body], push))
    store4(motion.quaternion, body, qnormalize(qmul(from_rotation_vector(turn), q)))
    place_carried(ropes, motion, k)
