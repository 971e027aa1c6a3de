"""What the impulses of a compliant rope do to its points, its elements and the bodies that carry its ends."""

from ..._jit import kernel
from ...math.quat import load4, rotate, unrotate
from ...math.vec3 import add, add_at, add_scaled, load, mul, neg, norm, scale
from ...model.point_ropes import AHEAD, BEFORE, ELEMENT, GIVEN, LIGHT, POINTS, ROW
from ..projection.carrier import clamp_frame, push_end, turn_body
from ..projection.columns import load4_at, load_at, store_at


@kernel
def push_points(ropes, bodies, motion, k, j, left, push):
    """`push` [N s] on the second point of element j, its opposite on the first, the mover `left`. Writes: velocities"""
    add_at(motion.velocity, left, scale(-bodies.inverse_mass[left], push))
    add_at(motion.velocity, left + 1, scale(bodies.inverse_mass[left + 1], push))
    if j == ropes.rope[k, BEFORE] and ropes.carrier[k, 0] >= 0:
        push_end(ropes, bodies, motion, k, 0, neg(push))
    if j == ropes.rope[k, BEFORE] + ropes.rope[k, POINTS] - 2 and ropes.carrier[k, 1] >= 0:
        push_end(ropes, bodies, motion, k, 1, push)


@kernel
def turn_element(ropes, work, bodies, motion, k, j, turn, most):
    """Answer of element j to an angular impulse `turn` [N m s] in its axes ahead, at most `most` [rad/s]; returns it [rad/s].

    A taut element answers less than its inertia alone would have it: what it was given is what its inertia says, the rest
    is asked for again in the next pass. Writes: its angular velocity, work.row
    """
    row, e = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
    light = load(bodies.inverse_inertia, e)
    if light[0] == 0.0 or light[1] == 0.0 or light[2] == 0.0:
        return 0.0
    spin = rotate(load4_at(work.row, row, AHEAD), mul(load_at(work.row, row, LIGHT), turn))
    size = norm(spin)
    if size > most:
        spin = scale(most / size, spin)
    q = load4(motion.quaternion, e)
    x, y, z = unrotate(q, spin)
    given = rotate(q, (x / light[0], y / light[1], z / light[2]))
    store_at(work.row, row, GIVEN, add(load_at(work.row, row, GIVEN), given))
    add_at(motion.angular_velocity, e, spin)
    return min(size, most)


@kernel
def turn_carrier(ropes, work, bodies, motion, k, end, turn):
    """An angular impulse `turn` [N m s], world axes, on the body that carries the clamp of an end. Writes: it, work.row"""
    body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
    if body >= 0 and frame >= 0:
        row = ropes.rope[k, ROW] + frame - ropes.rope[k, ELEMENT]
        store_at(work.row, row, GIVEN, add_scaled(load_at(work.row, row, GIVEN), 1.0, turn))
        turn_body(bodies, motion, body, turn)
