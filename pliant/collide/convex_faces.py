"""Contact points between a face of one shape and the face or line that the other one turns to it."""

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, neg, sub
from .clip import clip_polygon, clip_segment, four_of
from .convex_features import as_polygon, face_corners, feature_corners
from .convex_points import EXTRA, emit, face_code
from .support import core_radius


@kernel
def _within(polygon, number, here, count, normal, offset, radius, margin):
    """Move to slot 0 the corners no farther from the face than `margin`; their number and the smallest separation."""
    kept, smallest = 0, 1e300
    for i in range(count):
        p = (polygon[here, i, 0], polygon[here, i, 1], polygon[here, i, 2])
        gap = dot(p, normal) - offset - radius
        if gap <= margin:
            polygon[0, kept, 0], polygon[0, kept, 1], polygon[0, kept, 2] = p
            polygon[0, kept, 3] = gap
            number[0, kept, 0] = number[here, i, 0]
            smallest = min(smallest, gap)
            kept += 1
    return kept, smallest


@kernel
def _emit_corner(work, count, i, normal, radius, face, second):
    """Write corner `i` of slot 0 as a contact point; the face with the outward `normal` belongs to b if `second`."""
    polygon = work.polygon
    p, gap = (polygon[0, i, 0], polygon[0, i, 1], polygon[0, i, 2]), polygon[0, i, 3]
    middle = add_scaled(p, -radius - 0.5 * gap, normal)
    code = face_code(work.polygon_number[0, i, 0], face, second)
    return emit(work, count, middle, neg(normal) if second else normal, gap, code)


@kernel
def clipped_face(shape, hulls, frame, face, normal, offset, other, other_hulls, other_frame, second, margin, work):
    """Points of `other` before the face of `shape`, at most four; their number and the smallest separation [m]."""
    sides = face_corners(shape, hulls, frame, face, work.reference, work.reference_number)
    count = _load_other(other, other_hulls, other_frame, normal, work)
    here = 0
    if count == 2:
        count = clip_segment(work.reference, work.reference_number, sides, normal, work.polygon, work.polygon_number)
    else:
        here, count = clip_polygon(
            work.reference, work.reference_number, sides, normal, work.polygon, work.polygon_number, count
        )
    radius = core_radius(other)
    count, smallest = _within(work.polygon, work.polygon_number, here, count, normal, offset, radius, margin)
    points = 0
    if count <= 4:
        for i in range(count):
            points = _emit_corner(work, points, i, normal, radius, face, second)
        return points, smallest
    a, b, c, d = four_of(work.polygon[0], count, normal)
    points = _emit_corner(work, points, a, normal, radius, face, second)
    points = _emit_corner(work, points, b, normal, radius, face, second)
    points = _emit_corner(work, points, c, normal, radius, face, second)
    return _emit_corner(work, points, d, normal, radius, face, second), smallest


@kernel
def _load_other(other, other_hulls, other_frame, normal, work):
    """Put the feature of `other` that faces against `normal` into slot 0 of the clipper; its number of corners."""
    count = feature_corners(other, other_hulls, other_frame, neg(normal), work.incident, work.incident_number)
    as_polygon(work.incident, work.incident_number, count, work.polygon, work.polygon_number)
    return count


@kernel
def with_deepest(work, count, smallest, position, normal, separation):
    """Add the deepest point where clipping lost it, as between a rim and a cap; the new number of points."""
    if count > 0 and smallest <= separation + 1e-3 * abs(separation):
        return count
    for i in range(count):
        e = sub((work.position[i, 0], work.position[i, 1], work.position[i, 2]), position)
        if dot(e, e) <= separation * separation:
            # One of the points is already about there: it takes the true separation.
            work.separation[i] = min(work.separation[i], separation)
            return count
    return emit(work, count, position, normal, separation, EXTRA)
