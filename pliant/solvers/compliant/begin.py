"""Begins a substep of a compliant rope: what stiffness and damping ask for, and the impulses of the last substep once more."""

from ..._jit import kernel
from ...model.point_ropes import (
    BEFORE,
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
        store_at(work.row, row, GIVEN, (0.0, 0.0, 0.0))
        store_at(work.row, row, LEVERED, (0.0, 0.0, 0.0))
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            soften_element(ropes, work, motion, k, j, h)
            light = lightness(ropes, bodies, k, j - rope[k, BEFORE])
            work.row[row, SOFT_SHEAR] += SLIGHT * h * light
            work.row[row, SOFT_STRETCH] += SLIGHT * h * light if light > 0.0 else HELD
            push_points(ropes, bodies, motion, k, j, point + j, load_at(state.impulse, row, STRETCHING))
        if j + 1 < rope[k, ELEMENTS]:
            soften_joint(ropes, work, motion, k, j, h)
