"""Contact points of any two convex shapes: nearest points, or the shortest way apart, then the features that face."""

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, neg, norm
from ..model.shapes import CAPSULE, CYLINDER
from .convex_box import ALIGNED, NEAR
from .convex_faces import clipped_face, with_deepest
from .convex_features import face_corners, facing, feature_corners, supporting_edge
from .convex_points import SINGLE, emit
from .gjk import FAR, TOUCHING, gjk
from .penetration import penetration
from .round import shared_line
from .support import HERE, core_radius, support, support_inside

PREFER = 0.02
"""Part of the depth by which a face may be worse than the shortest way apart and still be chosen, against flicker."""
LEVEL = 1e-6
"""The same as a part of the smaller shape's size."""
ALONG = 0.1
"""Sine of the angle below which a round side lies along a face, touching it near both ends of what they share."""


@kernel
def nearest(shape_a, vertex_a, shape_b, vertex_b, frame, margin, simplex, vertex, face, plane, horizon):
    """Whether the shapes are within `margin`, their separation [m], normal from a to b, and point of a's core.

    Everything is in the frame of a, where b stands in `frame`. Writes the simplex and the polytope.
    """
    radii = core_radius(shape_a) + core_radius(shape_b)
    state, distance, normal, point = gjk(shape_a, vertex_a, shape_b, vertex_b, frame, margin + radii, simplex)
    if state == FAR:
        return False, 0.0, normal, point
    if state == TOUCHING:
        depth, normal, point = penetration(
            shape_a, vertex_a, shape_b, vertex_b, frame, point, vertex, face, plane, horizon
        )
        distance = -depth
    separation = distance - radii
    return separation <= margin, separation, normal, point


@kernel
def _before(shape, plane, frame, other, other_vertex, other_frame, d):
    """The face that looks along `d`: its number, normal, offset, and the separation [m] of the other shape from it."""
    face, n, offset = facing(shape, plane, frame, d)
    if face < 0:
        return face, n, offset, -1e300
    q = support(other, other_vertex, other_frame, neg(n))
    return face, n, offset, dot(n, q) - offset - core_radius(other)


@kernel
def _size(shape, vertex, d):
    """A length of the shape's own size [m]."""
    return norm(support_inside(shape, vertex, d)) + core_radius(shape)


@kernel
def _lies_along(shape, frame, face, n, towards):
    """Whether the line of a capsule or cylinder turns its side to a face with the normal `n`, and that one to it."""
    if face < 0 or (shape[0] != CAPSULE and shape[0] != CYLINDER):
        return False
    return abs(dot(n, frame[3])) < ALONG and dot(n, towards) > 1.0 - ALONG * ALONG


@kernel
def _edges(shape_a, hulls_a, shape_b, hulls_b, frame, normal, margin, polygon, number, point, feature):
    """Write the points that the supporting edges of both shapes share; their number."""
    a0, a1 = supporting_edge(shape_a, hulls_a, HERE, normal, polygon, number)
    b0, b1 = supporting_edge(shape_b, hulls_b, frame, neg(normal), polygon, number)
    return shared_line(a0, a1, core_radius(shape_a), b0, b1, core_radius(shape_b), normal, margin, point, feature)


@kernel
def _lift(point, count, separation):
    """Let no point be deeper than the nearest one: the polygon around a cap reaches beyond it. Writes: point"""
    for i in range(count):
        point[i, 3] = max(point[i, 3], separation)


@kernel
def spread(
    shape_a, hulls_a, shape_b, hulls_b, frame, separation, normal, core, margin,
    polygon, number, outline, outline_number, point, feature,
):  # fmt: skip
    """Write the points of the features around the nearest ones; their number."""
    here, there = HERE, frame
    face, fa, offset, apart_a = _before(shape_a, hulls_a.plane, here, shape_b, hulls_b.vertex, there, normal)
    face_b, fb, offset_b, apart_b = _before(shape_b, hulls_b.plane, there, shape_a, hulls_a.vertex, here, neg(normal))
    small = min(_size(shape_a, hulls_a.vertex, normal), _size(shape_b, hulls_b.vertex, fb))
    allowed = PREFER * max(-separation, 0.0) + LEVEL * small
    # A rim that stands for the cap misses its deepest point by less than 1e-5 of the radius (`convex_features`).
    slack = allowed + 10.0 * LEVEL * small
    by_a, by_b = apart_a >= separation - allowed, apart_b >= separation - allowed
    lean, flat = dot(fa, normal) if apart_a >= apart_b else -dot(fb, normal), face >= 0 and face_b >= 0
    polyhedra = flat and shape_a[0] != CYLINDER and shape_b[0] != CYLINDER
    if polyhedra and not by_a and not by_b and separation < NEAR * small and lean > ALIGNED:
        # The edges that cross lie in faces that all but meet.
        by_a, by_b = apart_a >= apart_b, apart_a < apart_b
    radius_a, radius_b = core_radius(shape_a), core_radius(shape_b)
    middle = add_scaled(core, radius_a + 0.5 * separation, normal)
    line = not by_a and not by_b
    if line:
        count = _edges(shape_a, hulls_a, shape_b, hulls_b, frame, normal, margin, polygon, number, point, feature)
        if count == 2:
            return with_deepest(point, feature, count, min(point[0, 3], point[1, 3]), slack, middle, normal, separation)
        by_a = _lies_along(shape_b, there, face, fa, normal)
        by_b = _lies_along(shape_a, here, face_b, fb, neg(normal))
        if not by_a and not by_b:
            return emit(point, feature, 0, middle, 0.0, normal, separation, SINGLE)
    # A cap clips as a polygon around it: where there is a choice, the true polygon clips.
    capped = shape_a[0] == CYLINDER and shape_b[0] != CYLINDER
    second = by_b and (not by_a or capped or apart_b > apart_a + allowed)
    if second:
        face, fa, offset, radius_b = face_b, fb, offset_b, radius_a
        shape_a, shape_b, hulls_a, hulls_b = shape_b, shape_a, hulls_b, hulls_a
        here, there = there, here
        normal = neg(normal)
    # A face that tips over a round side leans on its own edge, at right angles to the line and not to the face.
    towards, share = (normal, dot(fa, normal)) if line else (fa, 1.0)
    sides = face_corners(shape_a, hulls_a, here, face, outline, outline_number)
    corners = feature_corners(shape_b, hulls_b, there, neg(fa), polygon, number)
    count, smallest = clipped_face(
        polygon, number, corners, outline, outline_number, sides,
        face, fa, offset, towards, share, radius_b, second, margin, point, feature,
    )  # fmt: skip
    if line:
        smallest, slack = max(smallest, separation), allowed
        _lift(point, count, separation)
    return with_deepest(point, feature, count, smallest, slack, middle, neg(towards) if second else towards, separation)
