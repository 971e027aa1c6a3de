"""Contact points of any two convex shapes: nearest points, or the shortest way apart, then the features that face."""

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, neg, norm
from ..model.shapes import CYLINDER, SPHERE
from .convex_faces import clipped_face, with_deepest
from .convex_features import facing, supporting_edge
from .convex_points import SINGLE, emit_from
from .gjk import FAR, TOUCHING, gjk
from .penetration import penetration
from .round import shared_line
from .support import HERE, core_radius, support, support_inside

PREFER = 0.02
"""Part of the depth by which a face may be worse than the shortest way apart and still be chosen, against flicker."""
LEVEL = 1e-6
"""The same as a part of the smaller shape's size."""


@kernel
def nearest(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work):
    """Whether the shapes are within `margin`, their separation [m], normal from a to b, and point of a's core."""
    radii = core_radius(shape_a) + core_radius(shape_b)
    state, distance, normal, point = gjk(shape_a, hulls_a, shape_b, hulls_b, frame, margin + radii, work.simplex)
    if state == FAR:
        return False, 0.0, normal, point
    if state == TOUCHING:
        depth, normal, point = penetration(shape_a, hulls_a, shape_b, hulls_b, frame, point, work)
        distance = -depth
    separation = distance - radii
    return separation <= margin, separation, normal, point


@kernel
def _face_before(shape, hulls, frame, other, other_hulls, other_frame, d):
    """The face that looks along `d`: its number, normal, offset, and the separation [m] of the other shape from it."""
    face, n, offset = facing(shape, hulls, frame, d)
    if face < 0:
        return face, n, offset, -1e300
    q = support(other, other_hulls, other_frame, neg(n))
    return face, n, offset, dot(n, q) - offset - core_radius(other)


@kernel
def _size(shape, hulls, d):
    """A length of the shape's own size [m]."""
    return norm(support_inside(shape, hulls, d)) + core_radius(shape)


@kernel
def _edges(shape_a, hulls_a, shape_b, hulls_b, frame, normal, margin, work):
    """Points on the line that an edge or side of each share, 0 when they share none."""
    a0, a1 = supporting_edge(shape_a, hulls_a, HERE, normal, work.reference, work.reference_number)
    b0, b1 = supporting_edge(shape_b, hulls_b, frame, neg(normal), work.reference, work.reference_number)
    return shared_line(a0, a1, core_radius(shape_a), b0, b1, core_radius(shape_b), normal, margin, work)


@kernel
def spread(shape_a, hulls_a, shape_b, hulls_b, frame, separation, normal, point, margin, work):
    """Write the points of the features around the nearest ones; their number."""
    face_a, fa, offset_a, apart_a = _face_before(shape_a, hulls_a, HERE, shape_b, hulls_b, frame, normal)
    face_b, fb, offset_b, apart_b = _face_before(shape_b, hulls_b, frame, shape_a, hulls_a, HERE, neg(normal))
    small = min(_size(shape_a, hulls_a, normal), _size(shape_b, hulls_b, fb))
    allowed = PREFER * max(-separation, 0.0) + LEVEL * small
    by_a, by_b = apart_a >= separation - allowed, apart_b >= separation - allowed
    middle = add_scaled(point, core_radius(shape_a) + 0.5 * separation, normal)
    # A cap clips as a polygon around it: where there is a choice, the true polygon clips.
    prefer_a = apart_a >= apart_b - allowed and not (by_b and shape_a[0] == CYLINDER and shape_b[0] != CYLINDER)
    if by_a and (prefer_a or not by_b):
        count, smallest = clipped_face(
            shape_a, hulls_a, HERE, face_a, fa, offset_a, shape_b, hulls_b, frame, False, margin, work
        )
        return with_deepest(work, count, smallest, middle, fa, separation)
    if by_b:
        count, smallest = clipped_face(
            shape_b, hulls_b, frame, face_b, fb, offset_b, shape_a, hulls_a, HERE, True, margin, work
        )
        return with_deepest(work, count, smallest, middle, neg(fb), separation)
    count = _edges(shape_a, hulls_a, shape_b, hulls_b, frame, normal, margin, work)
    if count == 2:
        smallest = min(work.separation[0], work.separation[1])
        return with_deepest(work, count, smallest, middle, normal, separation)
    return emit_from(work, 0, point, core_radius(shape_a), normal, separation, SINGLE)


@kernel
def general_manifold(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work):
    """Points between two convex shapes in the frame of a, where b stands in `frame`; their number."""
    near, separation, normal, point = nearest(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)
    if not near:
        return 0
    if shape_a[0] == SPHERE:
        return emit_from(work, 0, point, core_radius(shape_a), normal, separation, SINGLE)
    return spread(shape_a, hulls_a, shape_b, hulls_b, frame, separation, normal, point, margin, work)
