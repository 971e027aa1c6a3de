"""The farthest point of a convex shape in a direction, and frames as tuples (origin, x, y, z).

A sphere is its centre and a capsule its segment, each with a radius around it (`core_radius`): distances between the
cores are cheaper and better conditioned than between the surfaces. A shape is the tuple (kind, size, first vertex,
last vertex, first face, last face), the last four for rows of the hulls' arrays.
"""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add, add_scaled, dot, scale, sub
from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE

HERE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""The frame in which everything is computed: that of the first shape."""


@kernel
def turn_out(frame, v):
    """A direction given in `frame`, seen from outside it."""
    return add_scaled(add_scaled(scale(v[0], frame[1]), v[1], frame[2]), v[2], frame[3])


@kernel
def turn_in(frame, v):
    """A direction given outside `frame`, seen from inside it."""
    return dot(frame[1], v), dot(frame[2], v), dot(frame[3], v)


@kernel
def move_out(frame, p):
    """A point given in `frame`, seen from outside it."""
    return add(frame[0], turn_out(frame, p))


@kernel
def move_in(frame, p):
    """A point given outside `frame`, seen from inside it."""
    return turn_in(frame, sub(p, frame[0]))


@kernel
def core_radius(shape):
    """Thickness around the core [m]."""
    if shape[0] == SPHERE or shape[0] == CAPSULE:
        return shape[1][0]
    return 0.0


@kernel
def _hull_vertex(vertex, first, last, d):
    """The hull's vertex farthest along `d`: the first of several."""
    best, best_height = first, -1e300
    for i in range(first, last):
        height = vertex[i, 0] * d[0] + vertex[i, 1] * d[1] + vertex[i, 2] * d[2]
        if height > best_height:
            best, best_height = i, height
    return vertex[best, 0], vertex[best, 1], vertex[best, 2]


@kernel
def support_inside(shape, vertex, d):
    """The point of the core farthest along `d`, both in the shape's frame; `d` need not be a unit vector."""
    kind, size = shape[0], shape[1]
    if kind == BOX:
        return (
            size[0] if d[0] >= 0.0 else -size[0],
            size[1] if d[1] >= 0.0 else -size[1],
            size[2] if d[2] >= 0.0 else -size[2],
        )
    if kind == HULL:
        return _hull_vertex(vertex, shape[2], shape[3], d)
    if kind == CYLINDER:
        across = sqrt(d[0] * d[0] + d[1] * d[1])
        z = size[1] if d[2] >= 0.0 else -size[1]
        # Straight along the axis every point of the cap will do: one on the rim, so that polytopes get their width.
        if across <= 1e-12 * abs(d[2]) or across < 1e-300:
            return size[0], 0.0, z
        return size[0] * d[0] / across, size[0] * d[1] / across, z
    if kind == CAPSULE:
        return 0.0, 0.0, size[1] if d[2] >= 0.0 else -size[1]
    return 0.0, 0.0, 0.0


@kernel
def support(shape, vertex, frame, d):
    """The point of the core of a shape in `frame` farthest along `d`, seen from outside."""
    return move_out(frame, support_inside(shape, vertex, turn_in(frame, d)))
