"""What the engine does to the points and elements of a rope, for a rope that is alone: forces kick it, velocities move it."""

from ..._jit import kernel
from ...math.quat import from_rotation_vector, load4, qmul, qnormalize, rotate, store4, unrotate
from ...math.vec3 import add_at, add_scaled, load, mul, scale, store
from ...model.point_ropes import ELEMENT, ELEMENTS, POINT, POINTS


@kernel
def kick_alone(ropes, bodies, motion, push, k, gravity, drag, h):
    """Velocities under gravity, pushes and `drag` [1/s], for `h` [s]; what is held keeps its own. Writes: them

    Drag takes from the velocity there was, not from what forces add: a rope that hangs still carries its whole weight.
    """
    point, element, keep = ropes.rope[k, POINT], ropes.rope[k, ELEMENT], 1.0 / (1.0 + h * drag)
    for i in range(point, point + ropes.rope[k, POINTS]):
        if bodies.inverse_mass[i] > 0.0:
            pull = add_scaled(gravity, bodies.inverse_mass[i], load(push.force, i))
            store(motion.velocity, i, add_scaled(scale(keep, load(motion.velocity, i)), h, pull))
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        if bodies.inverse_inertia[e, 2] > 0.0:
            q = load4(motion.quaternion, e)
            spin = scale(h, rotate(q, mul(load(bodies.inverse_inertia, e), unrotate(q, load(push.torque, e)))))
            store(motion.angular_velocity, e, add_scaled(spin, keep, load(motion.angular_velocity, e)))


@kernel
def move_alone(ropes, motion, k, h):
    """Writes: positions and orientations of rope k"""
    point, element = ropes.rope[k, POINT], ropes.rope[k, ELEMENT]
    for i in range(point, point + ropes.rope[k, POINTS]):
        add_at(motion.position, i, scale(h, load(motion.velocity, i)))
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        turn = from_rotation_vector(scale(h, load(motion.angular_velocity, e)))
        store4(motion.quaternion, e, qnormalize(qmul(turn, load4(motion.quaternion, e))))
