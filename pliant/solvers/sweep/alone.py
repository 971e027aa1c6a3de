"""What the engine does to a rope and its carriers, for a rope that is alone: forces kick them, velocities move them."""

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
        kick_linear(bodies, motion, push, i, gravity, keep, h)
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        kick_angular(bodies, motion, push, e, keep, h)
    for end in range(2):
        body = ropes.carrier[k, end]
        if body >= 0 and (end == 0 or body != ropes.carrier[k, 0]):
            kick_linear(bodies, motion, push, body, gravity, keep, h)
            kick_angular(bodies, motion, push, body, keep, h)


@kernel
def kick_linear(bodies, motion, push, i, gravity, keep, h):
    """Writes: velocity of mover i"""
    if bodies.inverse_mass[i] > 0.0:
        pull = add_scaled(gravity, bodies.inverse_mass[i], load(push.force, i))
        store(motion.velocity, i, add_scaled(scale(keep, load(motion.velocity, i)), h, pull))


@kernel
def kick_angular(bodies, motion, push, i, keep, h):
    """Writes: angular velocity of mover i"""
    if bodies.inverse_inertia[i, 2] > 0.0:
        q = load4(motion.quaternion, i)
        spin = scale(h, rotate(q, mul(load(bodies.inverse_inertia, i), unrotate(q, load(push.torque, i)))))
        store(motion.angular_velocity, i, add_scaled(spin, keep, load(motion.angular_velocity, i)))


@kernel
def move_alone(ropes, motion, k, h):
    """Writes: positions and orientations of rope k and its carriers"""
    point, element = ropes.rope[k, POINT], ropes.rope[k, ELEMENT]
    for i in range(point, point + ropes.rope[k, POINTS]):
        add_at(motion.position, i, scale(h, load(motion.velocity, i)))
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        turn_alone(motion, e, h)
    for end in range(2):
        body = ropes.carrier[k, end]
        if body >= 0 and (end == 0 or body != ropes.carrier[k, 0]):
            add_at(motion.position, body, scale(h, load(motion.velocity, body)))
            turn_alone(motion, body, h)


@kernel
def turn_alone(motion, i, h):
    """Writes: orientation of mover i"""
    turn = from_rotation_vector(scale(h, load(motion.angular_velocity, i)))
    store4(motion.quaternion, i, qnormalize(qmul(turn, load4(motion.quaternion, i))))
