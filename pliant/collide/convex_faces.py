"""Contact points between a face of one shape and the face or line that the other one turns to it."""

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, neg, sub
from .clip import clip_polygon, clip_segment, corner, four_of
from .convex_features import number_edges
from .convex_points import EXTRA, emit, face_code


@kernel
def _within(polygon, number, here, count, normal, offset, share, radius, margin):
    """Move to slot 0 the corners no farther from the face than `margin`; their number and the smallest separation."""
    kept, smallest = 0, 1e300
    for i in range(count):
        p = (polygon[here, i, 0], polygon[here, i, 1], polygon[here, i, 2])
        gap = share * (dot(p, normal) - offset) - radius
        if gap <= margin:
            polygon[0, kept, 0], polygon[0, kept, 1], polygon[0, kept, 2] = p
            polygon[0, kept, 3] = gap
            number[0, kept, 0] = number[here, i, 0]
            smallest = min(smallest, gap)
            kept += 1
    return kept, smallest


@kernel
def clipped_face(
    polygon, number, count, outline, outline_number, sides,
    face, normal, offset, towards, share, radius, second, margin, point, feature,
):  # fmt: skip
    """Points of the polygon in slot 0 before the face, at most four; their number and smallest separation.

    `normal`, `offset`: the plane of the face, outward; `towards`: unit, along which separations are measured, `share`
    its cosine with the face's normal; `radius`: thickness around the polygon; `second`: the face belongs to b.
    """
    here = 0
    number_edges(number, count)
    number_edges(outline_number, sides)
    if count == 2:
        count = clip_segment(polygon, number, outline, outline_number, sides, normal)
    else:
        here, count = clip_polygon(polygon, number, count, outline, outline_number, sides, normal)
    count, smallest = _within(polygon, number, here, count, normal, offset, share, radius, margin)
    a, b, c, d = 0, 1, 2, 3
    if count > 4:
        a, b, c, d = four_of(polygon, count, normal)
        count = 4
    for k in range(count):
        i = a if k == 0 else (b if k == 1 else (c if k == 2 else d))
        gap = polygon[0, i, 3]
        code = face_code(number[0, i, 0], face, second)
        foot = add_scaled(corner(polygon, i), -(gap + radius) / share, normal)
        outward, reach = (neg(towards), -0.5 * gap) if second else (towards, 0.5 * gap)
        emit(point, feature, k, foot, reach, outward, gap, code)
    return count, smallest


@kernel
def with_deepest(point, feature, count, smallest, slack, position, normal, separation):
    """Add the deepest point where clipping lost it by more than `slack` [m]; the new number of points."""
    if count > 0 and smallest <= separation + slack:
        return count
    for i in range(count):
        e = sub((point[i, 0], point[i, 1], point[i, 2]), position)
        if dot(e, e) <= separation * separation:
            # One of the points is already about there: it takes the true separation.
            point[i, 3] = min(point[i, 3], separation)
            return count
    return emit(point, feature, count, position, 0.0, normal, separation, EXTRA)
