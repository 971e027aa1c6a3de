"""One face cut to the outline of another, with a code for every corner, and the choice of four points among many."""

from .._jit import kernel
from ..math.vec3 import add_scaled, cross, dot, norm, perpendicular, sub
from .convex_points import CLIPS, crossing_code

FLICKER = 1e-4
"""Of the manifold's width: a point must lie deeper by so much to displace the one at its usual place."""


@kernel
def _side(outline, count, k, normal):
    """Outward normal (not of unit length) of side `k` of the face that clips, and its offset."""
    j = k + 1 if k + 1 < count else 0
    a = (outline[0, k, 0], outline[0, k, 1], outline[0, k, 2])
    along = (outline[0, j, 0] - a[0], outline[0, j, 1] - a[1], outline[0, j, 2] - a[2])
    side = cross(along, normal)
    return side, dot(side, a)


@kernel
def _height(side, offset, polygon, here, i):
    return side[0] * polygon[here, i, 0] + side[1] * polygon[here, i, 1] + side[2] * polygon[here, i, 2] - offset


@kernel
def clip_polygon(polygon, number, count, outline, outline_number, sides, normal):
    """Cut the polygon in slot 0 by the sides of a face; the slot it ends in and its number of corners."""
    here = 0
    for k in range(sides):
        side, offset = _side(outline, sides, k, normal)
        clip = outline_number[0, k, 1] | CLIPS
        there, kept = 1 - here, 0
        h = _height(side, offset, polygon, here, 0)
        for i in range(count):
            j = i + 1 if i + 1 < count else 0
            h_next = _height(side, offset, polygon, here, j)
            edge = number[here, i, 1]
            if h <= 0.0:
                for m in range(3):
                    polygon[there, kept, m] = polygon[here, i, m]
                number[there, kept, 0], number[there, kept, 1] = number[here, i, 0], edge
                kept += 1
            if (h <= 0.0) != (h_next <= 0.0) and kept < polygon.shape[1] - 2:
                t = h / (h - h_next)
                for m in range(3):
                    polygon[there, kept, m] = polygon[here, i, m] + t * (polygon[here, j, m] - polygon[here, i, m])
                number[there, kept, 0] = crossing_code(edge, clip)
                number[there, kept, 1] = clip if h <= 0.0 else edge
                kept += 1
            h = h_next
        here, count = there, kept
        if count == 0:
            break
    return here, count


@kernel
def clip_segment(polygon, number, outline, outline_number, sides, normal):
    """Cut the segment in slot 0 by the sides of a face; how many ends are left: 2 or 0."""
    low, high = 0.0, 1.0
    low_code, high_code = number[0, 0, 0], number[0, 1, 0]
    edge = number[0, 0, 1]
    a = (polygon[0, 0, 0], polygon[0, 0, 1], polygon[0, 0, 2])
    d = (polygon[0, 1, 0] - a[0], polygon[0, 1, 1] - a[1], polygon[0, 1, 2] - a[2])
    for k in range(sides):
        side, offset = _side(outline, sides, k, normal)
        h, rate = dot(side, a) - offset, dot(side, d)
        if abs(rate) <= 1e-14 * norm(side) * norm(d):
            if h > 0.0:
                return 0
            continue
        t = -h / rate
        code = crossing_code(edge, outline_number[0, k, 1] | CLIPS)
        if rate > 0.0 and t < high:
            high, high_code = t, code
        elif rate < 0.0 and t > low:
            low, low_code = t, code
    if low > high:
        return 0
    p, q = add_scaled(a, low, d), add_scaled(a, high, d)
    for j in range(3):
        polygon[0, 0, j], polygon[0, 1, j] = p[j], q[j]
    number[0, 0, 0], number[0, 1, 0] = low_code, high_code
    return 2


@kernel
def corner(polygon, i):
    """Corner `i` of the polygon in slot 0."""
    return polygon[0, i, 0], polygon[0, i, 1], polygon[0, i, 2]


@kernel
def _area(polygon, i, j, k, normal):
    """Twice the signed area of a triangle of corners, seen against the normal."""
    a = corner(polygon, i)
    return dot(cross(sub(corner(polygon, j), a), sub(corner(polygon, k), a)), normal)


@kernel
def four_of(polygon, count, normal):
    """Four of the corners in slot 0 that hold as well as all: a deepest one, then the widest.

    Ties go to the first, and small differences do not count, so that the choice stays while nothing moves.
    """
    across = perpendicular(normal)
    # Indices start from `count`, not from a literal, for which Numba would compile `_area` once more.
    first, deepest, low, high = count - 1, count - 1, 1e300, -1e300
    for i in range(count):
        x = dot(corner(polygon, i), across)
        low = min(low, x)
        if x > high + 1e-6 * (high - low):
            first, high = i, x
        if polygon[0, i, 3] < polygon[0, deepest, 3]:
            deepest = i
    if polygon[0, deepest, 3] < polygon[0, first, 3] - FLICKER * (high - low):
        first = deepest
    second, best = first, -1.0
    for i in range(count):
        e = sub(corner(polygon, i), corner(polygon, first))
        if i != first and dot(e, e) > best * (1.0 + 10.0 * FLICKER):
            second, best = i, dot(e, e)
    third, best = first, -1.0
    for i in range(count):
        area = abs(_area(polygon, first, second, i, normal))
        if i != first and i != second and area > best * (1.0 + 10.0 * FLICKER):
            third, best = i, area
    turn = 1.0 if _area(polygon, first, second, third, normal) >= 0.0 else -1.0
    fourth, best = first, -1e300
    for i in range(count):
        if i != first and i != second and i != third:
            outside = -turn * _area(polygon, first, second, i, normal)
            outside = max(outside, -turn * _area(polygon, second, third, i, normal))
            outside = max(outside, -turn * _area(polygon, third, first, i, normal))
            if outside > best + 10.0 * FLICKER * abs(best):
                fourth, best = i, outside
    return first, second, third, fourth
