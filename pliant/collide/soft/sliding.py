"""By which face of a body a vertex of cloth or a solid is met: what slides over a surface is not stopped by its vertices.

A vertex just ahead of a box that slides over a flat slab is nearest to its front, though it will come below its bottom. But
the surface goes on from the vertex to the box, where it is nearer still: along the front's normal the vertex is nothing to
run against. Along the bottom's the surface goes on nowhere, and by that it is met. So another face counts where

    the vertex goes along it rather than to it, and lies on it, moved out of it, as it passes the nearest one's plane, and
    it keeps the vertex out, or level, at the start of the step and at its end, or
    the surface goes on towards the nearest face clearly more than towards this one, which the vertex is hardly behind.

What comes there in the next step alone needs no contact yet: its speed would be taken for what is too near then. A step in the
surface is no such thing: its upper rim goes on to nothing that comes against it.
"""

from math import sqrt

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, dot, load, norm, scale
from ...model.shapes import BOX, CYLINDER, HULL
from ..passing import ASKEW, LEVEL, NEARER
from ..support import turn_out
from .point_shape import FAR, point_to_shape

LEADS, CLEARLY = 0.5, 0.3
"""Cosine between an edge at a vertex and a way above which the surface goes on that way [-]; by how much more so than another
way, to tell."""
SOON = 2.0
"""Steps within which a vertex that comes to lie on a face is not met by another [-]."""
SLIDES = 0.5
"""How fast something comes to a face that it slides on, as a share of how fast it comes to another, at most [-]."""
STAYS = 0.2
"""Share of the slop within which what is beside a face lies on it [-]."""


@kernel
def goes_on(position, skin, v, towards):
    """How much a surface goes on from vertex `v` `towards` somewhere: the largest cosine of its edges [-]."""
    x, most = load(position, v), -1.0
    for r in range(skin.first_ring[v], skin.first_ring[v + 1]):
        y = load(position, skin.ring[r])
        along = (y[0] - x[0], y[1] - x[1], y[2] - x[2])
        most = max(most, dot(along, towards) / max(norm(along), 1e-300))
    return most


@kernel
def faces_of(hulls, kind, data):
    """First and last number, plus one, of the faces of a shape that a point may be met by."""
    if kind == HULL:
        return hulls.first_face[data], hulls.first_face[data + 1]
    return 0, 3 if kind == BOX else (2 if kind == CYLINDER else 0)


@kernel
def over_face(hulls, kind, size, f, p):
    """How far [m] a point is above face `f` of a shape, and that face's normal; of round faces and opposite ones, where and
    which the point is nearer to. In the shape's frame."""
    if kind == HULL:
        n = load(hulls.plane, f)
        return dot(n, p) - hulls.plane[f, 3], n
    if kind == BOX or f == 1:
        c, half = (f, size[f]) if kind == BOX else (2, size[1])
        sign = 1.0 if p[c] >= 0.0 else -1.0
        return abs(p[c]) - half, (sign if c == 0 else 0.0, sign if c == 1 else 0.0, sign if c == 2 else 0.0)
    across = max(sqrt(p[0] * p[0] + p[1] * p[1]), 1e-300)
    return across - size[0], (p[0] / across, p[1] / across, 0.0)


@kernel
def met_by(shapes, hulls, fields, motion, surfaces, skin, i, frame, k, v, p, way, distance, out):
    """Distance [m] and normal of the face of shape `i` by which vertex `v` of thing `k` is met, at `p`; of the nearest point if
    that is as good; FAR: by none as yet. `way` [m]: where the vertex goes in the step, as seen from the shape, in whose frame
    all of this is."""
    kind, size, offset, slop = int(shapes.kind[i]), load(shapes.size, i), surfaces.offset[k], skin.slop[k]
    first, last = faces_of(hulls, kind, shapes.data[i])
    nearer = -dot(way, out)
    if first == last or nearer < NEARER or distance - offset > SOON * nearer:
        return distance, out
    share = (max(distance - offset, 0.0) + STAYS * slop) / nearer
    ahead, best, normal, least = goes_on(motion.position, skin, v, scale(-1.0, turn_out(frame, out))), distance, out, -1e300
    for f in range(first, last):
        height, n = over_face(hulls, kind, size, f, p)
        gap, end = height - offset, height - offset + min(share, SOON) * dot(way, n)
        if dot(n, out) > ASKEW or gap <= least or gap < -slop or -dot(way, n) > SLIDES * nearer:
            continue
        along = goes_on(motion.position, skin, v, scale(-1.0, turn_out(frame, n)))
        if not (along < ahead - CLEARLY or (min(gap, end) >= -LEVEL and along < LEADS)):
            continue
        on = add_scaled(add(p, scale(min(share, SOON), way)), -end - offset, n)
        beside, _ = point_to_shape(kind, size, int(shapes.data[i]), hulls, fields, on, 1e150)
        if beside <= STAYS * slop + offset:
            best, normal, least = height if distance - offset <= nearer else FAR, n, gap
    return best, normal
