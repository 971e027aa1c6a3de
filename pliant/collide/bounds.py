"""Where every shape stands, and the box of all that it can reach within the step."""

from math import sqrt

from .._jit import kernel
from ..math.quat import axes, load4, qmul, rotate, store4
from ..math.vec3 import add, cross, load, norm, scale, store, sub
from ..model.shapes import CAPSULE, CYLINDER, PLANE, SPHERE


@kernel
def place_shapes(shapes, motion, extents, places, dt):
    """Writes: places"""
    for i in range(shapes.kind.shape[0]):
        body = shapes.body[i]
        turn = load4(motion.quaternion, body)
        origin = load(motion.position, body)
        position = add(origin, rotate(turn, load(shapes.position, i)))
        quaternion = qmul(turn, load4(shapes.quaternion, i))
        store(places.position, i, position)
        store4(places.quaternion, i, quaternion)
        centre = add(position, rotate(quaternion, load(extents.centre, i)))
        spin = load(motion.angular_velocity, body)
        velocity = add(load(motion.velocity, body), cross(spin, sub(centre, origin)))
        store(places.velocity, i, velocity)
        store(places.turn, i, scale(dt, spin))
        frame = axes(quaternion)
        half = load(extents.half, i)
        kind = shapes.kind[i]
        places.sweep[i] = sweep_speed(kind, frame, half, spin)
        grow = 0.5 * extents.slop[i] + dt * (norm(velocity) + places.sweep[i])
        reach = half_lengths(kind, frame, half)
        for k in range(3):
            places.lower[i, k] = centre[k] - reach[k] - grow
            places.upper[i, k] = centre[k] + reach[k] + grow


@kernel
def half_lengths(kind, frame, half):
    """Half lengths [m] of the box along the world's axes around a shape whose own box has half lengths `half`."""
    a, b, c = frame
    if kind == SPHERE:
        return half
    if kind == CAPSULE:
        h, r = half[2] - half[0], half[0]
        return abs(c[0]) * h + r, abs(c[1]) * h + r, abs(c[2]) * h + r
    if kind == CYLINDER:
        h, r = half[2], half[0]
        return (
            abs(c[0]) * h + r * sqrt(max(0.0, 1.0 - c[0] * c[0])),
            abs(c[1]) * h + r * sqrt(max(0.0, 1.0 - c[1] * c[1])),
            abs(c[2]) * h + r * sqrt(max(0.0, 1.0 - c[2] * c[2])),
        )
    return (
        abs(a[0]) * half[0] + abs(b[0]) * half[1] + abs(c[0]) * half[2],
        abs(a[1]) * half[0] + abs(b[1]) * half[1] + abs(c[1]) * half[2],
        abs(a[2]) * half[0] + abs(b[2]) * half[1] + abs(c[2]) * half[2],
    )


@kernel
def sweep_speed(kind, frame, half, spin):
    """How much faster [m/s] than its middle any point may leave the space of the shape; spin about an axis of
    revolution carries nothing out of it."""
    if kind in (SPHERE, PLANE):
        return 0.0
    if kind in (CAPSULE, CYLINDER):
        return norm(cross(spin, frame[2])) * norm(half)
    return norm(spin) * norm(half)
