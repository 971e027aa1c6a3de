"""Triangles of cloth and solids: points with weights, and the movers that carry them."""

import math

from ..._jit import kernel, merged
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, sub
from .persist import set_mover

MOST_AROUND = 64
"""Triangles around a vertex that are looked at, at most."""

TINY = 1e-9
"""Weights below this are none [-]."""


@kernel
def mix(a, b, c, w):
    """The mean of three vectors with weights `w`."""
    return (
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    )


@kernel
def unit_normal(a, b, c):
    """Unit normal of a triangle, counter-clockwise seen from its tip; zero if it has no area."""
    n = cross(sub(b, a), sub(c, a))
    length = norm(n)
    if length < 1e-300:
        return 0.0, 0.0, 0.0
    return scale(1.0 / length, n)


@kernel
def foot_weights(a, b, c, p):
    """Weights of the corners at the foot of `p` in the plane of a triangle; some negative where it lies outside."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(p, a)
    n = cross(ab, ac)
    twice = dot(n, n)
    if twice < 1e-300:
        return -1.0, -1.0, -1.0
    v, w = dot(cross(ap, ac), n) / twice, dot(cross(ab, ap), n) / twice
    return 1.0 - v - w, v, w


@kernel
def corners_of(array, face, f):
    """Rows of `array` at the corners of triangle `f`."""
    return load(array, face[f, 0]), load(array, face[f, 1]), load(array, face[f, 2])


@merged
def set_triangle(found, row, column, surfaces, f, w):
    """Let a side of a contact be a triangle. Writes: found"""
    for c in range(3):
        set_mover(found, row, column + c, surfaces.face[f, c], w[c])


@merged
def region(surfaces, motion, skin, leaf, f, a, b, c, w, gap, alone):
    """Whether this triangle speaks for its point that is nearest to another, `gap` [m] away, whether the surface goes on all
    around it, and the surface's outward direction there, unit inside the triangle.

    Points on an edge or at a corner are those of several triangles: the one that owns it speaks, if none has a nearer one.
    `alone`: the triangle beyond the edge is silent, so that this one speaks for it.
    """
    n = unit_normal(a, b, c)
    most, least = max(w[0], w[1], w[2]), min(w[0], w[1], w[2])
    if least > TINY:
        return True, True, n
    if most > 1.0 - TINY:
        v = surfaces.face[f, 0 if w[0] == most else (1 if w[1] == most else 2)]
        speaks = owns_node(skin.first_node, skin.node, leaf, v)
        if not speaks or not _is_nearest_around(motion.position, skin.first_ring, skin.ring, v, gap):
            return False, False, n
        n, goes_on = corner_normal(surfaces.face, motion.position, skin.beside, f, v)
        return True, goes_on, n
    corner = 0 if w[0] == least else (1 if w[1] == least else 2)
    i, j = surfaces.face[f, (corner + 1) % 3], surfaces.face[f, (corner + 2) % 3]
    if not alone and not owns_edge(surfaces.edge, skin.first_edge, skin.edge, leaf, i, j):
        return False, False, n
    third = skin.across[f, corner]
    if third < 0:
        return True, False, n
    p, q, o = load(motion.position, i), load(motion.position, j), load(motion.position, third)
    along, into = sub(q, p), sub(o, p)
    into = add_scaled(into, -dot(into, along) / max(dot(along, along), 1e-300), along)
    # Seen from the edge, as the triangle across sees it, and twice as far: one that falls between two would be in neither.
    far = dot(into, sub(add(mix(a, b, c, w), gap), p))
    return far <= 2.0 * TINY * norm(into) * max(norm(gap), norm(into)), True, add(n, unit_normal(q, p, o))


@kernel
def corner_normal(face, position, beside, first, v):
    """Unit normal of a surface at a vertex of triangle `first`, and whether its triangles close around the vertex.

    The mean of their normals by the angles that they have there: it tells inside from outside at every corner.
    """
    total, f, goes_on, x = (0.0, 0.0, 0.0), first, False, load(position, v)
    for _ in range(MOST_AROUND):
        at = 0 if face[f, 0] == v else (1 if face[f, 1] == v else 2)
        one, two = sub(load(position, face[f, (at + 1) % 3]), x), sub(load(position, face[f, (at + 2) % 3]), x)
        n = cross(one, two)
        length = norm(n)
        total = add_scaled(total, math.atan2(length, dot(one, two)) / max(length, 1e-300), n)
        f = beside[f, (at + 1) % 3]
        if f < 0 or f == first:
            goes_on = f == first
            break
    return scale(1.0 / max(norm(total), 1e-300), total), goes_on


@kernel
def _is_nearest_around(position, first_ring, ring, v, gap):
    """Whether no triangle around a vertex has a point nearer to what is `gap` [m] away from it: no edge leads there."""
    x, nearest = load(position, v), True
    for r in range(first_ring[v], first_ring[v + 1]):
        along = sub(load(position, ring[r]), x)
        nearest = nearest and dot(along, gap) <= TINY * norm(along) * max(norm(gap), norm(along))
    return nearest


@kernel
def owns_node(first, node, leaf, v):
    """Whether a vertex belongs to the triangle in a leaf."""
    owns = False
    for n in range(first[leaf], first[leaf + 1]):
        owns = owns or node[n] == v
    return owns


@kernel
def owns_edge(ends, first, edges, leaf, i, j):
    """Whether the edge between two vertices belongs to the triangle in a leaf."""
    low, high, owns = min(i, j), max(i, j), False
    for e in range(first[leaf], first[leaf + 1]):
        edge = edges[e]
        owns = owns or (ends[edge, 0] == low and ends[edge, 1] == high)
    return owns
