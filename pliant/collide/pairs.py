"""Pairs of shapes that may touch within the coming step, sorted, each with its family and margin."""

from .._jit import entry, kernel
from ..math.quat import axes, load4
from ..math.vec3 import dot, load, norm, sub
from ..model.bodies import Bodies, Motion
from ..model.shapes import FIELD, PLANE, Excluded, Shapes
from .bounds import place_shapes
from .broad import add_pair, build_tree, may_touch, near_pairs
from .work import Extents, Pairs, Places, Tree

WITH_PLANE, CONVEX, WITH_FIELD = 1, 2, 3


@entry
def find_pairs(
    bodies: Bodies,
    shapes: Shapes,
    excluded: Excluded,
    motion: Motion,
    extents: Extents,
    places: Places,
    tree: Tree,
    pairs: Pairs,
    dt: float,
) -> int:
    """Number of pairs; more than the table holds means that it was too small. Writes: places, tree, pairs"""
    for k in range(5):
        pairs.count[k] = 0
    place_shapes(shapes, motion, extents, places, dt)
    build_tree(bodies, shapes, places, tree)
    near_pairs(bodies, shapes, excluded, places, tree, pairs)
    pairs_with_endless(bodies, shapes, excluded, extents, places, tree, pairs, dt)
    if pairs.count[0] <= pairs.unsorted.shape[0]:
        sort_pairs(pairs)
        describe_pairs(shapes, extents, places, pairs, dt)
    return pairs.count[0]


@kernel
def pairs_with_endless(bodies, shapes, excluded, extents, places, tree, pairs, dt):
    """Every bounded shape against every plane and field. Writes: pairs"""
    for e in range(extents.endless.shape[0]):
        j = extents.endless[e]
        frame = axes(load4(places.quaternion, j))
        grow = 0.5 * extents.slop[j] + dt * (norm(load(places.velocity, j)) + places.sweep[j])
        for k in range(tree.order.shape[0]):
            i = tree.order[k]
            pairs.count[4] += 1
            if may_touch(bodies, shapes, excluded, i, j):
                centre, half = box_in_frame(places, i, j, frame)
                if shapes.kind[j] == PLANE:
                    near = centre[2] - half[2] <= grow
                else:
                    near = (
                        abs(centre[0]) - half[0] <= 0.5 * shapes.size[j, 0] + grow
                        and abs(centre[1]) - half[1] <= 0.5 * shapes.size[j, 1] + grow
                        and centre[2] - half[2] <= extents.centre[j, 2] + extents.half[j, 2] + grow
                    )
                if near:
                    add_pair(pairs, i, j)


@kernel
def box_in_frame(places, i, j, frame):
    """Middle and half lengths [m], along the axes `frame` of shape `j`, of a box around all that shape `i` reaches."""
    low, high = load(places.lower, i), load(places.upper, i)
    middle = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])
    size = 0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2])
    d = sub(middle, load(places.position, j))
    a, b, c = frame
    return (
        (dot(a, d), dot(b, d), dot(c, d)),
        (
            abs(a[0]) * size[0] + abs(a[1]) * size[1] + abs(a[2]) * size[2],
            abs(b[0]) * size[0] + abs(b[1]) * size[1] + abs(b[2]) * size[2],
            abs(c[0]) * size[0] + abs(c[1]) * size[1] + abs(c[2]) * size[2],
        ),
    )


@kernel
def sort_pairs(pairs):
    """By first, then by second shape: two counting passes, n + p operations. Writes: pairs"""
    _pass(pairs, pairs.unsorted, pairs.shape, 1)
    _pass(pairs, pairs.shape, pairs.unsorted, 0)
    for k in range(pairs.count[0]):
        pairs.shape[k, 0] = pairs.unsorted[k, 0]
        pairs.shape[k, 1] = pairs.unsorted[k, 1]


@kernel
def _pass(pairs, source, target, column):
    """A stable counting sort by one column."""
    bucket = pairs.bucket
    for b in range(bucket.shape[0]):
        bucket[b] = 0
    for k in range(pairs.count[0]):
        bucket[source[k, column] + 1] += 1
    for b in range(1, bucket.shape[0]):
        bucket[b] += bucket[b - 1]
    for k in range(pairs.count[0]):
        at = bucket[source[k, column]]
        bucket[source[k, column]] = at + 1
        target[at, 0] = source[k, 0]
        target[at, 1] = source[k, 1]


@kernel
def describe_pairs(shapes, extents, places, pairs, dt):
    """Family and margin of every pair, and how many there are of each family. Writes: pairs"""
    for k in range(pairs.count[0]):
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        family = CONVEX
        if shapes.kind[i] == PLANE or shapes.kind[j] == PLANE:
            family = WITH_PLANE
        elif shapes.kind[i] == FIELD or shapes.kind[j] == FIELD:
            family = WITH_FIELD
        relative = norm(sub(load(places.velocity, j), load(places.velocity, i)))
        pairs.family[k] = family
        pairs.count[family] += 1
        pairs.sway[k] = min(extents.slop[i], extents.slop[j]) + dt * (places.sweep[i] + places.sweep[j])
        pairs.margin[k] = pairs.sway[k] + dt * relative
        pairs.begin[k] = 0
        pairs.number[k] = 0
