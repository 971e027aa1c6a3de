"""Where two convex shapes meet that are still apart when a step begins.

The plane between their nearest points at the start is not the one in which edges and corners touch after a long way. So both
are led along their motion until they meet, by conservative advancement: over a gap g along the normal n nothing is met before

    t = g / (-n . (v_b - v_a) + s_a + s_b)        s [m/s] how much faster than its middle a shape's points may be

Their contacts are those of that pose, seen from the start: levers are those with which they will be pushed, and the gap is what
these points close at the speeds of now until then, so that rows bring them there when they get there.
"""

from .._jit import kernel
from ..math.quat import from_rotation_vector, load4, qmul, rotate
from ..math.vec3 import add, add_scaled, cross, dot, load, scale, sub

MET = 0.2
"""Shapes whose gap is less than this share of their slop have met [-]."""
ADVANCES = 16
"""How often two are led nearer, at most."""
BEYOND = 2.0
"""Steps [-] within which shapes that come nearer are led along, to the end of the first at most: a substep stops what would
meet in the next, and pushes it as it is there."""


@kernel
def place_at(shapes, motion, places, i, share, dt):
    """Place and quaternion of shape `i` after a `share` of the step `dt` [s]."""
    if share == 0.0:
        return load(places.position, i), load4(places.quaternion, i)
    body, q = shapes.body[i], from_rotation_vector(scale(share, load(places.turn, i)))
    origin = load(motion.position, body)
    moved = add_scaled(origin, share * dt, load(motion.velocity, body))
    return add(moved, rotate(q, sub(load(places.position, i), origin))), qmul(q, load4(places.quaternion, i))


@kernel
def until_met(narrow, points, places, i, j, met, dt):
    """Share of `dt` [s] in which shapes `i` and `j` surely do not meet; 0 where they are nearer than `met` [m], or far."""
    nearest = 0
    for point in range(1, points):
        if narrow.separation[point] < narrow.separation[nearest]:
            nearest = point
    gap = narrow.separation[nearest]
    if points == 0 or gap < met:
        return 0.0
    way = sub(load(places.velocity, j), load(places.velocity, i))
    closing = places.sweep[i] + places.sweep[j] - dot(load(narrow.normal, nearest), way)
    return (gap - 0.5 * met) / (dt * closing) if BEYOND * dt * closing > gap else 0.0


@kernel
def gap_at_start(motion, a, b, point, normal, separation, time):
    """Gap [m] that bodies `a` and `b`, which meet after a `time` [s] at a `point` with that `separation` [m], have to close."""
    r_a = sub(point, add_scaled(load(motion.position, a), time, load(motion.velocity, a)))
    r_b = sub(point, add_scaled(load(motion.position, b), time, load(motion.velocity, b)))
    v_a = add(load(motion.velocity, a), cross(load(motion.angular_velocity, a), r_a))
    v_b = add(load(motion.velocity, b), cross(load(motion.angular_velocity, b), r_b))
    return max(separation - time * dot(normal, sub(v_b, v_a)), min(separation, 0.0))
