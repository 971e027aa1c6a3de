"""Begins a substep of a compliant rope: what stiffness and damping ask for, and the impulses of the last substep once more."""

from math import inf

from ..._jit import kernel
from ...math.quat import load4, rotate, unrotate
from ...math.vec3 import add_at, load, norm, scale, sub
from ...model.point_ropes import (
    BEFORE,
    ELEMENT,
    ELEMENTS,
    GIVEN,
    LENGTH,
    LEVERED,
    POINT,
    POINTS,
    ROW,
    SHEAR,
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPAN,
    STRETCH,
    STRETCHING,
)
from ..projection.begin import lightness, soften_element, soften_joint
from ..projection.carrier import carried_point, end_light, follow_carriers, place_carried
from ..projection.columns import load_at, store_at
from .push import push_points
from .solve import FURTHEST
from .system import point_ahead

SLIGHT = 1e-9
"""What is rigid gives way by this part of what its points do [-]: between two held ends one impulse more moves nothing."""
GIVING = 0.1
"""The same along a rope whose ends leave it no way to keep its length: it stretches by this part of its length [-] under the
pull that brings all of it to a speed of a length a substep. A pull without bound would turn elements, where they are a little
askew, further than Newton's method can look."""
BOW = 4.0
"""Between held ends a rope keeps its length while it bows out, by its slack, no more than so many times as before [-]."""
EVEN = 1e-9
"""Of its length, what a rope may be too short and stand [-]: so much it gives way in any case."""
HELD = 1e6
"""Compliance over a step [m/(N s)] along an element between two held points: length is as it is."""


@kernel
def begin_compliant(ropes, state, work, bodies, motion, k, h):
    """Writes: velocities of rope k and of its carriers, work.row; where its carried ends are"""
    rope, first, point = ropes.rope, ropes.rope[k, ROW], ropes.rope[k, POINT] - ropes.rope[k, BEFORE]
    place_carried(ropes, motion, k)
    follow_carriers(ropes, motion, k)
    give = give_between(ropes, bodies, motion, k, h)
    for j in range(rope[k, ELEMENTS]):
        row = first + j
        work.row[row, SPAN] = ropes.row[row, LENGTH]
        store_at(work.row, row, GIVEN, hold_back(bodies, motion, rope[k, ELEMENT] + j, FURTHEST / h))
        store_at(work.row, row, LEVERED, (0.0, 0.0, 0.0))
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            soften_element(ropes, work, motion, k, j, h)
            light = lightness(ropes, bodies, k, j - rope[k, BEFORE])
            work.row[row, SOFT_SHEAR] += SLIGHT * h * light
            work.row[row, SOFT_STRETCH] += SLIGHT * h * light + give * ropes.row[row, LENGTH] if light > 0.0 else HELD
            push_points(ropes, bodies, motion, k, j, point + j, load_at(state.impulse, row, STRETCHING))
        if j + 1 < rope[k, ELEMENTS]:
            soften_joint(ropes, work, motion, k, j, h)


@kernel
def give_between(ropes, bodies, motion, k, h):
    """Compliance over a step for each metre [1/(N s)] of a rope whose held ends leave it no way to keep its length; else zero.

    They go further apart than it is long, or nearer while it is straight, so that it would have to bow out many times
    further in one step than it does. Of a rope that stretches or shears there is none. Writes: nothing
    """
    if end_light(ropes, bodies, k, 0) > 0.0 or end_light(ropes, bodies, k, 1) > 0.0:
        return 0.0
    first, point, length, mass, whole = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT], 0.0, 0.0, 0.0
    for i in range(ropes.rope[k, POINTS] - 1):
        if ropes.row[first + i, STRETCH] < inf or ropes.row[first + i, SHEAR] < inf:
            return 0.0
        length += ropes.row[first + i, LENGTH]
        mass += bodies.mass[point + i]
        whole += norm(sub(load(motion.position, point + i + 1), load(motion.position, point + i)))
    start, end = carried_point(ropes, k, 0), carried_point(ropes, k, 1)
    bowed = whole - norm(sub(load(motion.position, end), load(motion.position, start)))
    slack = length - norm(sub(point_ahead(ropes, motion, k, end, h), point_ahead(ropes, motion, k, start, h)))
    fits = bowed / BOW - EVEN * length <= slack <= BOW * bowed + EVEN * length
    return 0.0 if fits else GIVING * h / (mass * length)


@kernel
def hold_back(bodies, motion, e, most):
    """Takes from element e what it spins faster than `most` [rad/s]; returns it as an angular impulse [N m s], world axes.

    A torque on a thin element would turn it many times round before any joint answers, and Newton's method would look ahead
    from there. What is held back is asked for in the first pass, together with the answer. Writes: its angular velocity
    """
    spin, light = load(motion.angular_velocity, e), load(bodies.inverse_inertia, e)
    size = norm(spin)
    if size <= most or light[0] == 0.0 or light[1] == 0.0 or light[2] == 0.0:
        return (0.0, 0.0, 0.0)
    taken = scale(most / size - 1.0, spin)
    add_at(motion.angular_velocity, e, taken)
    q = load4(motion.quaternion, e)
    x, y, z = unrotate(q, taken)
    return rotate(q, (x / light[0], y / light[1], z / light[2]))
