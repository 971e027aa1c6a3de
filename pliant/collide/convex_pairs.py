"""Contacts of every pair of bounded convex shapes."""

from .._jit import entry, kernel
from ..math.vec3 import add_scaled, load, scale, store, sub
from ..model.bodies import Motion
from ..model.contacts import Contacts
from ..model.shapes import Hulls, Shapes
from .convex import convex_manifold
from .meeting import ADVANCES, MET, gap_at_start, place_at, until_met
from .narrow_work import NarrowWork
from .pairs import CONVEX
from .passing import LEVEL, passes_by
from .persist import emit
from .work import Extents, Pairs, Places


@entry
def touch_convex(shapes: Shapes, hulls: Hulls, motion: Motion, extents: Extents, places: Places, pairs: Pairs, fresh: Contacts,
                 narrow: NarrowWork, dt: float) -> int:
    """Contacts found so far, with those of convex pairs that may meet within `dt` [s].

    Writes: fresh, narrow, pairs.begin, pairs.number
    """
    for k in range(pairs.count[0]):
        if pairs.family[k] != CONVEX:
            continue
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        pairs.begin[k] = fresh.count[0]
        met, there, points = MET * min(extents.slop[i], extents.slop[j]), 0.0, 0
        for _ in range(ADVANCES):
            place, turned = place_at(shapes, motion, places, i, there, dt)
            other, other_turned = place_at(shapes, motion, places, j, there, dt)
            points = convex_manifold(
                shapes.kind[i], place, turned, load(shapes.size, i), shapes.data[i], hulls,
                shapes.kind[j], other, other_turned, load(shapes.size, j), shapes.data[j], hulls,
                pairs.margin[k], narrow,
            )  # fmt: skip
            if there == 0.0 and points > 0 and is_ahead(narrow, points) and passes_by(
                    shapes, hulls, extents, places, narrow, i, j, dt):
                points = 0
            further = until_met(narrow, points, places, i, j, met, dt)
            if further == 0.0 or there == 1.0:
                break
            there = min(there + further, 1.0)
        for point in range(points):
            emit_at(shapes, motion, fresh, narrow, i, j, point, there * dt)
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
    return fresh.count[0]


@kernel
def emit_at(shapes, motion, fresh, narrow, i, j, point, time):
    """Append a `point` that was found where shapes `i` and `j` will be after a `time` [s]. Writes: fresh"""
    position, normal, separation = load(narrow.position, point), load(narrow.normal, point), narrow.separation[point]
    if time == 0.0:
        emit(fresh, (i, j), narrow.feature[point], position, normal, separation)
        return
    a, b, k = shapes.body[i], shapes.body[j], fresh.count[0]
    v_a, v_b = load(motion.velocity, a), load(motion.velocity, b)
    middle = add_scaled(add_scaled(position, -0.5 * time, v_a), -0.5 * time, v_b)
    emit(fresh, (i, j), narrow.feature[point], middle, normal, gap_at_start(motion, a, b, position, normal, separation, time))
    if k < fresh.separation.shape[0]:
        store(fresh.apart, k, scale(time, sub(v_a, v_b)))
        fresh.until[k] = time


@kernel
def is_ahead(narrow, points):
    """Whether none of the points found is more than level yet."""
    least = narrow.separation[0]
    for k in range(1, points):
        least = min(least, narrow.separation[k])
    return least > -LEVEL
