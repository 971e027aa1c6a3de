"""What the impulses of a compliant rope do to its points, its elements and the bodies that carry its ends."""

from ..._jit import kernel
from ...math.mat3 import sym_add, sym_inverse
from ...math.quat import load4, rotate, unrotate
from ...math.sym3 import sym_mul, turned_diagonal
from ...math.vec3 import add, add_at, dot, load, mul, neg, norm, scale
from ...model.point_ropes import AHEAD, BEFORE, ELEMENT, GIVEN, HOLD, LEVERED, LIGHT, POINTS, ROW, STRETCHING
from ..projection.columns import load4_at, load_at, store_at
from ..projection.turning import turned_by


@kernel
def push_points(ropes, bodies, motion, k, j, left, push):
    """`push` [N s] on the second point of element j, its opposite on the first, the mover `left`. Writes: velocities

    Carriers are pushed alone, not turned: how they turn depends on where their anchors come to (`turn_carrier`).
    """
    add_at(motion.velocity, left, scale(-bodies.inverse_mass[left], push))
    add_at(motion.velocity, left + 1, scale(bodies.inverse_mass[left + 1], push))
    if j == ropes.rope[k, BEFORE] and ropes.carrier[k, 0] >= 0:
        add_at(motion.velocity, ropes.carrier[k, 0], scale(-bodies.inverse_mass[ropes.carrier[k, 0]], push))
    if j == ropes.rope[k, BEFORE] + ropes.rope[k, POINTS] - 2 and ropes.carrier[k, 1] >= 0:
        add_at(motion.velocity, ropes.carrier[k, 1], scale(bodies.inverse_mass[ropes.carrier[k, 1]], push))


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
def turn_carrier(ropes, state, work, bodies, motion, k, end, turn, h):
    """Answer of the body that carries an end to an angular impulse `turn` [N m s], world axes. Writes: it, work.row"""
    body, row = ropes.carrier[k, end], end_row(ropes, k, end)
    light = load(bodies.inverse_inertia, body)
    if light[0] == 0.0 or light[1] == 0.0 or light[2] == 0.0:
        return
    spin = sym_mul(carrier_lightness(ropes, state, bodies, motion, k, end, h), turn)
    q = load4(motion.quaternion, body)
    x, y, z = unrotate(q, spin)
    given = rotate(q, (x / light[0], y / light[1], z / light[2]))
    store_at(work.row, row, LEVERED, add(load_at(work.row, row, LEVERED), given))
    add_at(motion.angular_velocity, body, spin)


@kernel
def carrier_lightness(ropes, state, bodies, motion, k, end, h):
    """Inverse inertia [1/(kg m2)] of the body that carries an end, world axes; a pull outwards at its anchor adds to inertia.

    A pull f at r turns the body by r x f, which changes by -(r.f) phi across r as it turns: as in `taut_lightness`.
    """
    body = ropes.carrier[k, end]
    q, light = load4(motion.quaternion, body), load(bodies.inverse_inertia, body)
    r = arm_ahead(ropes, motion, k, end, h)
    pull = h * dot(r, end_push(ropes, state, k, end))
    if light[0] == 0.0 or light[1] == 0.0 or light[2] == 0.0 or pull <= 0.0:
        return turned_diagonal(q, light)
    across = 1.0 / dot(r, r)
    more = (
        pull * (1.0 - across * r[0] * r[0]), pull * (1.0 - across * r[1] * r[1]), pull * (1.0 - across * r[2] * r[2]),
        -pull * across * r[0] * r[1], -pull * across * r[0] * r[2], -pull * across * r[1] * r[2],
    )
    return sym_inverse(sym_add(turned_diagonal(q, (1.0 / light[0], 1.0 / light[1], 1.0 / light[2])), more))


@kernel
def arm_ahead(ropes, motion, k, end, h):
    """From the centre of a carrier to its anchor [m] at the end of the step, world axes."""
    body = ropes.carrier[k, end]
    q = turned_by(load4(motion.quaternion, body), load(motion.angular_velocity, body), h)
    return rotate(q, load_at(ropes.hold, k, HOLD * end))


@kernel
def end_push(ropes, state, k, end):
    """Impulse [N s] of the rope on the point at an end, world axes."""
    push = load_at(state.impulse, end_row(ropes, k, end), STRETCHING)
    return push if end == 1 else neg(push)


@kernel
def end_row(ropes, k, end):
    """Row of the element at an end."""
    return ropes.rope[k, ROW] + ropes.rope[k, BEFORE] + (ropes.rope[k, POINTS] - 2 if end == 1 else 0)
