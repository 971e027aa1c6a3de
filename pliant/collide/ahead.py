"""How far two convex shapes that meet would overlap when a step ends, in spite of their contacts.

Contacts lie where they were found. What comes fast, by an edge or a corner, pivots about it or slides past it, and then touches
elsewhere. So each such pair is led through the step by itself: to where it meets, there pushed as its contacts ask for, without
friction, and on to the end of the step. Where that leaves it too deep the step is taken in parts.
"""

from typing import NamedTuple

from .._jit import entry, kernel
from ..math.quat import from_rotation_vector, load4, qmul, rotate, unrotate
from ..math.vec3 import add, add_scaled, cross, dot, load, mul, scale, sub
from ..model.bodies import Bodies, Motion
from ..model.contacts import Contacts
from ..model.shapes import Hulls, Shapes
from .convex import convex_manifold
from .narrow_work import NarrowWork
from .pairs import CONVEX
from .turns import Marks, mark
from .work import Extents, Pairs, Places

LONG = 2.0
"""What goes less far in a step than so many times its slop is left alone [-]."""
DEEP, SHALLOW = 1.0, 0.5
"""Of their slop, by which shapes may overlap, and in parts of a step [-]."""
FINER, MOST = 4, 16
"""A step is taken in a power of so many parts, and in so many at most."""
SWEEPS = 8
"""Over the contacts of a pair."""


class Twist(NamedTuple):
    """Velocities [m/s, rad/s] of a body."""

    v: tuple[float, float, float]
    w: tuple[float, float, float]


@entry
def overlaps_ahead(bodies: Bodies, shapes: Shapes, hulls: Hulls, motion: Motion, extents: Extents, places: Places, pairs: Pairs,
                   fresh: Contacts, narrow: NarrowWork, parts: Marks, dt: float) -> int:
    """In how many parts a step `dt` [s] is to be taken, at most, so that shapes that meet do not overlap by much.

    Writes: parts of their bodies, narrow, fresh.impulse
    """
    most = 1
    for k in range(pairs.count[0]):
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        slop = min(extents.slop[i], extents.slop[j])
        if pairs.family[k] == CONVEX and pairs.number[k] > 0 and pairs.margin[k] > (1.0 + LONG) * slop:
            depth = depth_ahead(bodies, shapes, hulls, motion, places, fresh, narrow, i, j, pairs.begin[k], pairs.number[k],
                                slop, dt)
            if depth > DEEP * slop:
                most = max(most, mark(parts, shapes.body[i], shapes.body[j], min(depth / (SHALLOW * slop), MOST), FINER))
    return most


@kernel
def depth_ahead(bodies, shapes, hulls, motion, places, fresh, narrow, i, j, first, number, slop, dt):
    """How deep [m] shapes `i` and `j` will overlap; 0 if they do not, or do not meet."""
    a, b = shapes.body[i], shapes.body[j]
    one, two = Twist(load(motion.velocity, a), load(motion.angular_velocity, a)), Twist(
        load(motion.velocity, b), load(motion.angular_velocity, b))
    time = fresh.until[first]
    gap = fresh.separation[first] + time * closes(fresh, motion, first, a, b, one, two)
    for k in range(first + 1, first + number):
        gap = min(gap, fresh.separation[k] + time * closes(fresh, motion, k, a, b, one, two))
    if gap > slop:
        return 0.0
    after, later = pushed(bodies, shapes, fresh, motion, i, j, first, number, one, two, time, dt - time)
    place, turned = led(shapes, motion, places, i, one, after, time, dt - time)
    other, other_turned = led(shapes, motion, places, j, two, later, time, dt - time)
    points = convex_manifold(
        shapes.kind[i], place, turned, load(shapes.size, i), shapes.data[i], hulls,
        shapes.kind[j], other, other_turned, load(shapes.size, j), shapes.data[j], hulls,
        0.0, narrow,
    )  # fmt: skip
    depth = 0.0
    for point in range(points):
        depth = max(depth, -narrow.separation[point])
    return depth


@kernel
def levers(fresh, motion, k, a, b):
    """Levers [m] of contact `k` at bodies `a` and `b`."""
    point, apart = load(fresh.position, k), load(fresh.apart, k)
    return (sub(add_scaled(point, -0.5, apart), load(motion.position, a)),
            sub(add_scaled(point, 0.5, apart), load(motion.position, b)))


@kernel
def closes(fresh, motion, k, a, b, one, two):
    """How fast [m/s] the gap of contact `k` grows."""
    r_a, r_b = levers(fresh, motion, k, a, b)
    return dot(load(fresh.normal, k), sub(add(two.v, cross(two.w, r_b)), add(one.v, cross(one.w, r_a))))


@kernel
def pushed(bodies, shapes, fresh, motion, i, j, first, number, one, two, time, left):
    """Velocities after the pushes of the contacts of shapes `i` and `j`, which meet after a `time` and have more [s] `left`."""
    a, b = shapes.body[i], shapes.body[j]
    bounce = max(shapes.restitution[i], shapes.restitution[j])
    before, ago, total = one, two, fresh.impulse
    for k in range(first, first + number):
        total[k] = 0.0
    for _ in range(SWEEPS):
        for k in range(first, first + number):
            n, (r_a, r_b) = load(fresh.normal, k), levers(fresh, motion, k, a, b)
            meets = closes(fresh, motion, k, a, b, before, ago)
            gap = fresh.separation[k] + time * meets
            wanted = -max(gap, 0.0) / left if gap > 0.0 else max(-bounce * meets, 0.0)
            d_a, d_b = answers(bodies, motion, a, n, r_a), answers(bodies, motion, b, n, r_b)
            gives = dot(n, add(d_a.v, cross(d_a.w, r_a))) + dot(n, add(d_b.v, cross(d_b.w, r_b)))
            if gives <= 0.0:
                continue
            new = max(total[k] + (wanted - closes(fresh, motion, k, a, b, one, two)) / gives, 0.0)
            extra = new - total[k]
            total[k] = new
            one = Twist(add_scaled(one.v, -extra, d_a.v), add_scaled(one.w, -extra, d_a.w))
            two = Twist(add_scaled(two.v, extra, d_b.v), add_scaled(two.w, extra, d_b.w))
    return one, two


@kernel
def answers(bodies, motion, k, n, r):
    """How body `k` answers a push of 1 N s along `n` at the lever `r` [m]."""
    q = load4(motion.quaternion, k)
    w = rotate(q, mul(load(bodies.inverse_inertia, k), unrotate(q, cross(r, n))))
    return Twist(scale(bodies.inverse_mass[k], n), w)


@kernel
def led(shapes, motion, places, i, before, after, time, left):
    """Place and quaternion of shape `i`, moved as its body is `before` for a `time` [s] and `after` for what is `left`."""
    origin = load(motion.position, shapes.body[i])
    q = qmul(from_rotation_vector(scale(left, after.w)), from_rotation_vector(scale(time, before.w)))
    moved = add_scaled(add_scaled(origin, time, before.v), left, after.v)
    return add(moved, rotate(q, sub(load(places.position, i), origin))), qmul(q, load4(places.quaternion, i))
