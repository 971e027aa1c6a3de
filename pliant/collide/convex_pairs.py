"""Contacts of every pair of bounded convex shapes."""

from .._jit import entry, kernel
from ..math.quat import load4
from ..math.vec3 import load
from ..model.contacts import Contacts
from ..model.shapes import Hulls, Shapes
from .convex import convex_manifold
from .narrow_work import NarrowWork
from .pairs import CONVEX
from .passing import LEVEL, passes_by
from .persist import emit
from .work import Extents, Pairs, Places


@entry
def touch_convex(
    shapes: Shapes, hulls: Hulls, extents: Extents, places: Places, pairs: Pairs, fresh: Contacts, narrow: NarrowWork, dt: float
) -> int:
    """Contacts found so far, with those of convex pairs that may meet within `dt` [s].

    Writes: fresh, narrow, pairs.begin, pairs.number
    """
    for k in range(pairs.count[0]):
        if pairs.family[k] != CONVEX:
            continue
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        pairs.begin[k] = fresh.count[0]
        points = convex_manifold(
            shapes.kind[i], load(places.position, i), load4(places.quaternion, i), load(shapes.size, i), shapes.data[i],
            hulls,
            shapes.kind[j], load(places.position, j), load4(places.quaternion, j), load(shapes.size, j), shapes.data[j],
            hulls,
            pairs.margin[k], narrow,
        )  # fmt: skip
        if points > 0 and is_ahead(narrow, points) and passes_by(
                shapes, extents, places, i, j, load(narrow.normal, 0), narrow.separation[0], dt):
            points = 0
        for point in range(points):
            position, normal = load(narrow.position, point), load(narrow.normal, point)
            emit(fresh, (i, j), narrow.feature[point], position, normal, narrow.separation[point])
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
    return fresh.count[0]


@kernel
def is_ahead(narrow, points):
    """Whether none of the points found is more than level yet."""
    least = narrow.separation[0]
    for k in range(1, points):
        least = min(least, narrow.separation[k])
    return least > -LEVEL
