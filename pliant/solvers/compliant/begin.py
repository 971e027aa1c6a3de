"""Begins a substep of a compliant rope: what stiffness and damping ask for, and the impulses of the last substep once more."""

from ..._jit import kernel
from ...math.quat import load4, rotate, unrotate
from ...math.vec3 import add_at, load, norm, scale
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
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPAN,
    STRETCHING,
)
from ..projection.begin import lightness, soften_element, soften_joint
from ..projection.carrier import follow_carriers, place_carried
from ..projection.columns import load_at, store_at
from .push import push_points
from .solve import FURTHEST

SLIGHT = 1e-9
"""What is rigid gives way by this part of what its points do [-]: between two held ends one impulse more moves nothing."""
HELD = 1e6
"""Compliance over a step [m/(N s)] along an element between two held points: length is as it is."""


@kernel
def begin_compliant(ropes, state, work, bodies, motion, k, h):
    """Writes: velocities of rope k and of its carriers, work.row; where its carried ends are"""
    rope, first, point = ropes.rope, ropes.rope[k, ROW], ropes.rope[k, POINT] - ropes.rope[k, BEFORE]
    place_carried(ropes, motion, k)
    follow_carriers(ropes, motion, k)
    for j in range(rope[k, ELEMENTS]):
        row = first + j
        work.row[row, SPAN] = ropes.row[row, LENGTH]
        store_at(work.row, row, GIVEN, hold_back(bodies, motion, rope[k, ELEMENT] + j, FURTHEST / h))
        store_at(work.row, row, LEVERED, (0.0, 0.0, 0.0))
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            soften_element(ropes, work, motion, k, j, h)
            light = lightness(ropes, bodies, k, j - rope[k, BEFORE])
            work.row[row, SOFT_SHEAR] += SLIGHT * h * light
            work.row[row, SOFT_STRETCH] += SLIGHT * h * light if light > 0.0 else HELD
            push_points(ropes, bodies, motion, k, j, point + j, load_at(state.impulse, row, STRETCHING))
        if j + 1 < rope[k, ELEMENTS]:
            soften_joint(ropes, work, motion, k, j, h)


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
