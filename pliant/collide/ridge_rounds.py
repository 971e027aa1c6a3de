"""Corners and edges of a height field against what is round: spheres, capsules and cylinders."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add, add_scaled, cross, dot, norm, normalize, scale, sub
from ..model.shapes import CAPSULE, CYLINDER, SPHERE

STANDING = 0.7
"""Height of the axis' unit vector above which a cylinder meets edges with its cap, seen along the axis."""


@kernel
def corner_and_round(p, kind, centre, axis, size):
    """Gap [m] between a point and a sphere, capsule or cylinder, and the direction into the shape.

    A cylinder is met on its side or on its caps; what its rims only look past is left to edges and triangles.
    """
    d = sub(centre, p)
    along = dot(d, axis)
    if kind == SPHERE:
        return norm(d) - size[0], normalize(d)
    if kind == CAPSULE:
        d = add_scaled(d, -min(max(along, -size[1]), size[1]), axis)
        return norm(d) - size[0], normalize(d)
    out = add_scaled(d, -along, axis)
    side, cap = norm(out) - size[0], abs(along) - size[1]
    if side > 0.0 and cap > 0.0:
        return 1e300, axis
    if cap > side:
        return cap, scale(1.0 if along > 0.0 else -1.0, axis)
    return side, normalize(out)


@kernel
def edge_and_round(k, p, e, length, kind, centre, axis, size):
    """The k-th point of a sphere, capsule or cylinder that an edge may meet: where along the edge [m], the gap [m] and
    the direction into the shape. Points 1 and 2 are for edges that run along the axis."""
    d = sub(p, centre)
    on_axis, skew = dot(d, axis), dot(e, axis)
    low, high = 0.0, length
    target = centre
    t = -dot(d, e)
    if kind == CAPSULE and k > 0:
        target = add_scaled(centre, size[1] if k == 1 else -size[1], axis)
        t = dot(e, sub(target, p))
    elif kind != SPHERE:
        # where the two lines come nearest, within the part of the edge beside the axis
        t = (on_axis * skew - dot(d, e)) / max(1.0 - skew * skew, 1e-12)
        if abs(skew) > 1e-12:
            a, b = (-size[1] - on_axis) / skew, (size[1] - on_axis) / skew
            low, high = max(low, min(a, b)), min(high, max(a, b))
        elif abs(on_axis) > size[1]:
            return t, 1e300, axis
        t = min(max(t, low), high) if k == 0 else (low if k == 1 else high)
        target = add_scaled(centre, on_axis + t * skew, axis)
    elif k > 0:
        return t, 1e300, axis
    if low > high or t <= 0.0 or t >= length:
        return t, 1e300, axis  # its ends are corners, and looked at as such
    away = sub(target, add_scaled(p, t, e))
    gap, inner = norm(away) - size[0], normalize(away)
    if kind != CYLINDER or (low < t < high):
        return t, gap, inner
    if abs(axis[2]) > STANDING:
        return t, 1e300, axis  # see `edge_and_cap`
    # at a rim both touch along their tangents: the normal is at right angles to the edge and to the rim
    normal = normalize(cross(e, cross(axis, inner)))
    share = dot(normal, inner)
    if abs(share) < 0.1:
        return t, 1e300, axis
    return t, gap * abs(share), scale(1.0 if share > 0.0 else -1.0, normal)


@kernel
def edge_and_cap(k, p, e, length, centre, axis, size):
    """Where an edge leaves the lower cap of a standing cylinder, in one way (k = 1) or the other (2), seen along its
    axis: where along the edge [m], the gap [m] and the direction into the shape."""
    middle = add_scaled(centre, -size[1] if axis[2] > 0.0 else size[1], axis)
    d = sub(p, middle)
    d, along = add_scaled(d, -dot(d, axis), axis), add_scaled(e, -dot(e, axis), axis)
    a, b = dot(along, along), dot(along, d)
    root = b * b - a * (dot(d, d) - size[0] * size[0])
    if a < 0.01 or root <= 0.0:
        return 0.0, 1e300, axis
    t = (-b - sqrt(root) if k == 1 else -b + sqrt(root)) / a
    if t <= 0.0 or t >= length:
        return t, 1e300, axis
    out = add_scaled(d, t, along)
    normal = cross(e, cross(axis, out))
    if dot(normal, normal) < 1e-4 * size[0] * size[0]:
        return t, 1e300, axis  # along the rim: left to the triangles
    normal = scale(1.0 if normal[2] > 0.0 else -1.0, normalize(normal))
    return t, dot(normal, sub(add(middle, out), p)), normal
