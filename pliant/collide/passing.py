"""Whether two shapes pass by each other within a step, though the plane of their nearest points would stop them.

What slides over a seam between two planks comes near an edge of the next one, and their nearest points say "in front". But a
face that both stay outside of keeps them apart all the same: nothing needs to be pushed.
"""

from math import sqrt

from .._jit import kernel
from ..math.quat import axes, load4, rotate, unrotate
from ..math.vec3 import add, dot, load, neg, sub
from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE

LEVEL = 3e-4
"""Surfaces that overlap by less [m] lie level: a little more than contacts at rest are left to sink."""

NEARER = 1e-5
"""What comes nearer by less in a step [m] is at rest."""
ASKEW = 1.0 - 1e-6
"""Cosine of the angle from which on a face is another than that of the nearest points."""


@kernel
def passes_by(shapes, hulls, extents, places, narrow, i, j, dt):
    """Whether shapes `i` and `j`, which would meet within `dt` [s] by the points just found, do not."""
    point, normal, separation = load(narrow.position, 0), load(narrow.normal, 0), narrow.separation[0]
    way = sub(load(places.velocity, j), load(places.velocity, i))
    nearer = -dt * dot(way, normal)
    if nearer < NEARER or separation >= 2.0 * nearer:  # what just comes to it is stopped there, too
        return False
    apart = sub(_middle(extents, places, j), _middle(extents, places, i))
    for one in (i, j):
        q, kind, first, last = load4(places.quaternion, one), shapes.kind[one], 0, 0
        if kind == HULL:
            first, last = hulls.first_face[shapes.data[one]], hulls.first_face[shapes.data[one] + 1]
        elif kind == BOX or kind == CYLINDER:
            first, last = 0 if kind == BOX else 2, 3
        local, near = unrotate(q, sub(point, load(places.position, one))), abs(separation) + LEVEL
        for f in range(first, last):
            if kind == HULL:
                face = load(hulls.plane, f)
                if abs(dot(face, local) - hulls.plane[f, 3]) > near:
                    continue
                n = rotate(q, face)
            else:
                n = axes(q)[f]
            if abs(dot(n, normal)) <= ASKEW and _keeps_apart(shapes, hulls, extents, places, i, j, n, apart, way, dt):
                return True
    return False


@kernel
def _keeps_apart(shapes, hulls, extents, places, i, j, n, apart, way, dt):
    """Whether a plane across `n` keeps shapes `i` and `j` level or apart in a step `dt` [s]; their middles are `apart` [m] and
    go a `way` [m/s]."""
    out, turned = n if dot(apart, n) > 0.0 else neg(n), dt * (places.sweep[i] + places.sweep[j])
    gap = dot(apart, out) - _span(shapes, hulls, extents, places, i, out) - _span(shapes, hulls, extents, places, j, neg(out))
    return gap >= -LEVEL and gap + dt * dot(way, out) - turned >= -LEVEL


@kernel
def _middle(extents, places, i):
    """Of the box around a shape [m], world frame."""
    return add(load(places.position, i), rotate(load4(places.quaternion, i), load(extents.centre, i)))


@kernel
def _span(shapes, hulls, extents, places, i, n):
    """How far [m] shape `i` reaches from the middle of its box along `n`."""
    kind, q, half = shapes.kind[i], load4(places.quaternion, i), load(extents.half, i)
    if kind == HULL:
        d, k, far = unrotate(q, n), shapes.data[i], -1e300
        for v in range(hulls.first_vertex[k], hulls.first_vertex[k + 1]):
            far = max(far, dot(d, load(hulls.vertex, v)))
        return far - dot(d, load(extents.centre, i))
    x, y, z = axes(q)
    along = abs(dot(z, n))
    if kind == SPHERE:
        return half[0]
    if kind == CAPSULE:
        return along * (half[2] - half[0]) + half[0]
    if kind == CYLINDER:
        return along * half[2] + half[0] * sqrt(max(0.0, 1.0 - along * along))
    return abs(dot(x, n)) * half[0] + abs(dot(y, n)) * half[1] + along * half[2]
