"""Contact points between two convex shapes: spheres, capsules, boxes, cylinders and hulls, in any pair."""

import numpy as np

from .._jit import kernel, stage
from ..math.quat import axes, conj, qmul, rotate
from ..math.vec3 import add, neg, store, sub
from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE, Hulls
from .convex_box import UNSURE, box_box
from .convex_general import nearest, spread
from .convex_points import SINGLE, emit
from .narrow_work import NarrowWork
from .round import capsule_capsule, point_in_hull, point_to_box, point_to_cylinder, point_to_segment
from .support import HERE, core_radius, move_in, turn_out

Shape = tuple[int, tuple, int, int, int, int]
"""Kind, size, and where the vertices and faces of a hull begin and end."""
Frame = tuple[tuple, tuple, tuple, tuple]
"""Origin and axes."""


@kernel
def _to_sphere(shape, plane, frame):
    """Signed distance [m] of a sphere's centre to a shape in `frame`, normal towards it, whether that is exact."""
    kind, size = shape[0], shape[1]
    centre = move_in(frame, HERE[0])
    exact = True
    if kind == BOX:
        distance, out = point_to_box(centre, size)
    elif kind == CYLINDER:
        distance, out = point_to_cylinder(centre, size[0], size[1])
    elif kind == HULL:
        distance, out = point_in_hull(centre, plane, shape[4], shape[5])
        exact = distance <= 0.0
    else:
        distance, out = point_to_segment(centre, size[1] if kind == CAPSULE else 0.0)
        distance -= size[0]
    return distance, neg(turn_out(frame, out)), exact


@kernel
def _closed_form(shape_a, shape_b, plane_b, frame, margin, work):
    """Points of the pairs that need no search; their number, or UNSURE for a pair that does."""
    kind_a, kind_b = shape_a[0], shape_b[0]
    point, feature = work.point, work.feature
    if kind_a == SPHERE:
        distance, normal, exact = _to_sphere(shape_b, plane_b, frame)
        separation = distance - shape_a[1][0]
        if separation > margin:
            return 0
        if not exact:
            return UNSURE
        return emit(point, feature, 0, HERE[0], shape_a[1][0] + 0.5 * separation, normal, separation, SINGLE)
    if kind_a == CAPSULE and kind_b == CAPSULE:
        return capsule_capsule(shape_a[1], frame, shape_b[1], margin, point, feature)
    if kind_a == BOX and kind_b == BOX:
        return box_box(
            shape_a[1], shape_b[1], frame, margin,
            work.polygon, work.number, work.outline, work.outline_number, point, feature,
        )  # fmt: skip
    return UNSURE


@stage
def searched(shape_a: Shape, hulls_a: Hulls, shape_b: Shape, hulls_b: Hulls, frame: Frame, margin: float,
             work: NarrowWork) -> int:
    """Points of any pair, from the nearest points or the shortest way apart; their number. Writes: work"""
    near, separation, normal, core = nearest(
        shape_a, hulls_a.vertex, shape_b, hulls_b.vertex, frame, margin,
        work.simplex, work.vertex, work.face, work.plane, work.horizon,
    )  # fmt: skip
    if not near:
        return 0
    if shape_a[0] == SPHERE:
        reach = core_radius(shape_a) + 0.5 * separation
        return emit(work.point, work.feature, 0, core, reach, normal, separation, SINGLE)
    return spread(
        shape_a, hulls_a, shape_b, hulls_b, frame, separation, normal, core, margin,
        work.polygon, work.number, work.outline, work.outline_number, work.point, work.feature,
    )  # fmt: skip


@kernel
def _shape(kind, size, data, hulls):
    """The tuple that stands for a shape in this phase."""
    if kind == HULL:
        first, last = np.int64(hulls.first_vertex[data]), np.int64(hulls.first_vertex[data + 1])
        return np.int64(kind), size, first, last, np.int64(hulls.first_face[data]), np.int64(hulls.first_face[data + 1])
    return np.int64(kind), size, np.int64(0), np.int64(0), np.int64(0), np.int64(0)


@kernel
def _to_world(point, count, position, quaternion, turned, out_position, out_normal, out_separation):
    """Carry the points from the frame of the first shape to the world; `turned`: that shape is b."""
    for i in range(count):
        store(out_position, i, add(position, rotate(quaternion, (point[i, 0], point[i, 1], point[i, 2]))))
        n = rotate(quaternion, (point[i, 4], point[i, 5], point[i, 6]))
        store(out_normal, i, neg(n) if turned else n)
        out_separation[i] = point[i, 3]


@kernel
def convex_manifold(
    kind_a, position_a, quaternion_a, size_a, data_a, hulls_a,
    kind_b, position_b, quaternion_b, size_b, data_b, hulls_b,
    margin, work,
):  # fmt: skip
    """Write the contact points of two convex shapes into `work`; their number, 0 when farther apart than `margin` [m].

    Poses of the shapes' frames in the world as tuples, sizes as in `Shapes`, data: the number of a hull in the hulls
    of that shape. Points lie midway between the surfaces, normals lead from a to b, separations are negative where
    the shapes overlap; points up to `margin` apart are handed back, at most five.
    """
    shape_a, shape_b = _shape(kind_a, size_a, data_a, hulls_a), _shape(kind_b, size_b, data_b, hulls_b)
    turned = shape_a[0] > shape_b[0]
    if turned:
        shape_a, shape_b = shape_b, shape_a
        position_a, position_b = position_b, position_a
        quaternion_a, quaternion_b = quaternion_b, quaternion_a
    back = conj(quaternion_a)
    x, y, z = axes(qmul(back, quaternion_b))
    frame = (rotate(back, sub(position_b, position_a)), x, y, z)
    plane = hulls_a.plane if turned else hulls_b.plane
    count = _closed_form(shape_a, shape_b, plane, frame, margin, work)
    if count == UNSURE:
        # The groups change places only here: doing so costs more than two spheres.
        if turned:
            hulls_a, hulls_b = hulls_b, hulls_a
        count = searched(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)
    _to_world(work.point, count, position_a, quaternion_a, turned, work.position, work.normal, work.separation)
    return count
