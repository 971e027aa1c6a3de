"""Begins a substep of a projected rope: what stiffness and damping ask for; impulses count from zero."""

from math import inf

from ..._jit import kernel
from ...equations.rod.darboux_vector import bend_twist, relative
from ...equations.rod.stretch_shear import chord_in_element, stretch_shear
from ...math.quat import load4
from ...math.vec3 import load, sub
from ...model.point_ropes import (
    AIM,
    AIM_BEND,
    BEFORE,
    BEND,
    ELEMENT,
    ELEMENTS,
    LENGTH,
    LIGHT,
    POINT,
    POINTS,
    REST,
    ROW,
    SHEAR,
    SOFT_BEND,
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPAN,
    SPIN,
    STRETCH,
)
from .carrier import clamp_frame, end_light, place_carried, turning_light
from .columns import store_at

SLACK = 1e30
"""Compliance over a step [1/(N m s)] of what does not resist."""


@kernel
def begin_projection(ropes, state, work, bodies, motion, k, h):
    """Writes: state.impulse, work.row of rope k; where its carried ends are"""
    rope, first = ropes.rope, ropes.rope[k, ROW]
    place_carried(ropes, motion, k)
    for j in range(rope[k, ELEMENTS]):
        work.row[first + j, SPIN] = inf  # no angular velocity equals this: the orientation ahead is made in the first pass
        work.row[first + j, SPAN] = ropes.row[first + j, LENGTH]
        store_at(work.row, first + j, LIGHT, load(bodies.inverse_inertia, rope[k, ELEMENT] + j))
        for c in range(6):
            state.impulse[first + j, c] = 0.0
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            soften_element(ropes, work, motion, k, j, h)
            if lightness(ropes, bodies, k, j - rope[k, BEFORE]) == 0.0:
                work.row[first + j, SOFT_STRETCH] = SLACK  # between two held points length is as it is
        if j + 1 < rope[k, ELEMENTS]:
            soften_joint(ropes, work, motion, k, j, h)
    lighten_frames(ropes, work, bodies, k)


@kernel
def lightness(ropes, bodies, k, i):
    """Answers [1/kg] of the two points of element i together."""
    point, last = ropes.rope[k, POINT] + i, ropes.rope[k, POINTS] - 2
    left = end_light(ropes, bodies, k, 0) if i == 0 else bodies.inverse_mass[point]
    return left + (end_light(ropes, bodies, k, 1) if i == last else bodies.inverse_mass[point + 1])


@kernel
def lighten_frames(ropes, work, bodies, k):
    """The frame of a clamp answers no more than its carrier does about its lightest axis. Writes: work.row"""
    for end in range(2):
        body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
        if body >= 0 and frame >= 0:
            light = turning_light(bodies, body)
            store_at(work.row, ropes.rope[k, ROW] + frame - ropes.rope[k, ELEMENT], LIGHT, (light, light, light))


@kernel
def soften_element(ropes, work, motion, k, j, h):
    """Compliance over the step, and what damping aims at: e + T de/dt with de/dt = (e - e_before) / h. Writes: work.row"""
    row = ropes.rope[k, ROW] + j
    left = ropes.rope[k, POINT] + j - ropes.rope[k, BEFORE]
    q = load4(motion.quaternion, ropes.rope[k, ELEMENT] + j)
    length, time = ropes.row[row, LENGTH], h + ropes.damping[k]
    strain = stretch_shear(chord_in_element(q, sub(load(motion.position, left + 1), load(motion.position, left))), length)
    keep = ropes.damping[k] / time
    soft_shear, soft_stretch = length / ropes.row[row, SHEAR], length / ropes.row[row, STRETCH]
    work.row[row, SOFT_SHEAR] = soft_shear / time
    work.row[row, SOFT_STRETCH] = soft_stretch / time
    work.row[row, AIM] = keep * strain[0] if soft_shear > 0.0 else 0.0
    work.row[row, AIM + 1] = keep * strain[1] if soft_shear > 0.0 else 0.0
    work.row[row, AIM + 2] = keep * strain[2] if soft_stretch > 0.0 else 0.0


@kernel
def soften_joint(ropes, work, motion, k, j, h):
    """The same for bending and twisting. Writes: work.row"""
    row, left = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
    strain = bend_twist(relative(load4(motion.quaternion, left), load4(motion.quaternion, left + 1)))
    time = h + ropes.damping[k]
    keep = ropes.damping[k] / time
    for c in range(3):
        stiffness, rest = ropes.row[row, BEND + c], ropes.row[row, REST + c]
        work.row[row, SOFT_BEND + c] = 1.0 / (stiffness * time) if stiffness > 0.0 else SLACK
        work.row[row, AIM_BEND + c] = rest + keep * (strain[c] - rest) if stiffness < inf else rest

