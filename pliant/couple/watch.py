"""Whether ropes of points and elements are still what they should be: whole, and no more taut than their substeps allow."""

from math import inf

from .._jit import entry, kernel
from ..math.vec3 import load, norm, sub
from ..model.bodies import Bodies, Motion
from ..model.point_ropes import (
    BEFORE,
    IMPULSE,
    KIND,
    LENGTH,
    POINT,
    POINTS,
    ROW,
    STRETCH,
    STRETCHING,
    PointRopes,
    PointRopeState,
    RopeAlarm,
)


@entry
def watch_ropes(ropes: PointRopes, state: PointRopeState, bodies: Bodies, motion: Motion, alarm: RopeAlarm, h: float) -> None:
    """After a step whose substeps took `h` [s]. Writes: alarm"""
    for k in range(ropes.rope.shape[0]):
        torn, where = worst_stretch(ropes, motion, k)
        alarm.worst[k, 0], alarm.worst[k, 1] = torn, where
        alarm.worst[k, 2], alarm.worst[k, 3] = 0.0, 0.0
        if ropes.rope[k, KIND] == IMPULSE:
            taut, where = worst_pull(ropes, state, bodies, k, h)
            alarm.worst[k, 2], alarm.worst[k, 3] = taut, where


@kernel
def worst_stretch(ropes, motion, k):
    """(Largest relative lengthening of an element of rope k that should not stretch [-], negative if it is shorter; which)."""
    first, point, worst, where = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT], 0.0, 0
    for i in range(ropes.rope[k, POINTS] - 1):
        if ropes.row[first + i, STRETCH] < inf:
            continue
        chord = norm(sub(load(motion.position, point + i + 1), load(motion.position, point + i)))
        stretch = chord / ropes.row[first + i, LENGTH] - 1.0
        if abs(stretch) > abs(worst):
            worst, where = stretch, i
    return worst, where


@kernel
def worst_pull(ropes, state, bodies, k, h):
    """(Largest pull over the largest that substeps of `h` allow, m l / h^2 [-], the element that bears it)."""
    first, point, worst, where = ropes.rope[k, ROW] + ropes.rope[k, BEFORE], ropes.rope[k, POINT], 0.0, 0
    for i in range(ropes.rope[k, POINTS] - 1):
        pull = -state.impulse[first + i, STRETCHING + 2] / h
        lightest = inf
        if i > 0:
            lightest = bodies.mass[point + i]
        if i < ropes.rope[k, POINTS] - 2:
            lightest = min(lightest, bodies.mass[point + i + 1])
        taut = pull * h * h / (lightest * ropes.row[first + i, LENGTH])
        if taut > worst:
            worst, where = taut, i
    return worst, where
