"""Whether two shapes pass by each other within a step, though the plane of their nearest points would stop them.

What slides over a seam between two planks comes near an edge of the next one, and their nearest points say "in front". But a
face that both stay outside of keeps them apart all the same: nothing needs to be pushed.
"""

from math import sqrt

from .._jit import kernel
from ..math.quat import axes, load4, rotate
from ..math.vec3 import add, dot, load, neg, sub
from ..model.shapes import BOX, CAPSULE, CYLINDER, SPHERE

LEVEL = 3e-4
"""Surfaces that overlap by less [m] lie level: a little more than contacts at rest are left to sink."""

NEARER = 1e-5
"""What comes nearer by less in a step [m] is at rest."""
ASKEW = 1.0 - 1e-6
"""Cosine of the angle from which on a face is another than that of the nearest points."""


@kernel
def passes_by(shapes, extents, places, i, j, normal, separation, dt):
    """Whether shapes `i` and `j`, which are `separation` [m] apart along `normal` and would meet so within `dt` [s], do not."""
    way = sub(load(places.velocity, j), load(places.velocity, i))
    nearer = -dt * dot(way, normal)
    if nearer < NEARER or separation >= 2.0 * nearer:  # what just comes to it is stopped there, too
        return False
    turned, apart = dt * (places.sweep[i] + places.sweep[j]), sub(_middle(extents, places, j), _middle(extents, places, i))
    for one in (i, j):
        if shapes.kind[one] != BOX:
            continue
        for n in axes(load4(places.quaternion, one)):
            if abs(dot(n, normal)) > ASKEW:
                continue
            out = n if dot(apart, n) > 0.0 else neg(n)
            gap = dot(apart, out) - _span(shapes, extents, places, i, out) - _span(shapes, extents, places, j, out)
            if gap >= -LEVEL and gap + dt * dot(way, out) - turned >= -LEVEL:
                return True
    return False


@kernel
def _middle(extents, places, i):
    """Of the box around a shape [m], world frame."""
    return add(load(places.position, i), rotate(load4(places.quaternion, i), load(extents.centre, i)))


@kernel
def _span(shapes, extents, places, i, n):
    """How far [m] shape `i` reaches from the middle of its box along `n`, at most."""
    kind, (x, y, z), half = shapes.kind[i], axes(load4(places.quaternion, i)), load(extents.half, i)
    along = abs(dot(z, n))
    if kind == SPHERE:
        return half[0]
    if kind == CAPSULE:
        return along * (half[2] - half[0]) + half[0]
    if kind == CYLINDER:
        return along * half[2] + half[0] * sqrt(max(0.0, 1.0 - along * along))
    return abs(dot(x, n)) * half[0] + abs(dot(y, n)) * half[1] + along * half[2]
