"""Contacts of every pair of bounded convex shapes."""

from .._jit import entry
from ..math.quat import load4
from ..math.vec3 import load
from ..model.contacts import Contacts
from ..model.shapes import Hulls, Shapes
from .convex import convex_manifold
from .narrow_work import NarrowWork
from .pairs import CONVEX
from .persist import emit
from .work import Pairs, Places


@entry
def touch_convex(
    shapes: Shapes, hulls: Hulls, places: Places, pairs: Pairs, fresh: Contacts, narrow: NarrowWork
) -> int:
    """Contacts found so far, with those of convex pairs. Writes: fresh, narrow, pairs.begin, pairs.number"""
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
        for point in range(points):
            position, normal = load(narrow.position, point), load(narrow.normal, point)
            emit(fresh, (i, j), narrow.feature[point], position, normal, narrow.separation[point])
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
    return fresh.count[0]
