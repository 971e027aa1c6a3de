"""Contact points between two convex shapes: spheres, capsules, boxes, cylinders and hulls, in any pair."""

import numpy as np

from .._jit import kernel
from ..math.quat import axes, conj, qmul, rotate
from ..math.vec3 import add, load, neg, scale, store, sub
from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE
from .convex_box import UNSURE, box_box
from .convex_general import general_manifold
from .convex_points import SINGLE, emit_from
from .round import capsule_capsule, point_in_hull, point_to_box, point_to_cylinder, point_to_segment
from .support import HERE, move_in, turn_out


@kernel
def _sphere(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work):
    """The point between a sphere and any shape."""
    kind, size, number = shape_b
    centre = move_in(frame, HERE[0])
    if kind == BOX:
        distance, out = point_to_box(centre, size)
    elif kind == CYLINDER:
        distance, out = point_to_cylinder(centre, size[0], size[1])
    elif kind == HULL:
        distance, out = point_in_hull(centre, hulls_b, number)
        if distance > 0.0:
            if distance - shape_a[1][0] > margin:
                return 0
            return general_manifold(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)
    else:
        distance, out = point_to_segment(centre, size[1] if kind == CAPSULE else 0.0)
        distance -= size[0]
    separation = distance - shape_a[1][0]
    if separation > margin:
        return 0
    return emit_from(work, 0, HERE[0], shape_a[1][0], neg(turn_out(frame, out)), separation, SINGLE)


@kernel
def _ordered(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work):
    """Points in the frame of a, for kinds in rising order; their number."""
    if shape_a[0] == SPHERE:
        return _sphere(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)
    if shape_a[0] == CAPSULE and shape_b[0] == CAPSULE:
        return capsule_capsule(shape_a[1], frame, shape_b[1], margin, work)
    if shape_a[0] == BOX and shape_b[0] == BOX:
        count = box_box(shape_a[1], shape_b[1], hulls_a, frame, margin, work)
        if count != UNSURE:
            return count
    return general_manifold(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)


@kernel
def _to_world(work, count, position, quaternion, turned):
    """Carry the points from the frame of the first shape to the world; `turned`: that shape is b."""
    for i in range(count):
        store(work.position, i, add(position, rotate(quaternion, load(work.position, i))))
        n = rotate(quaternion, load(work.normal, i))
        store(work.normal, i, scale(-1.0, n) if turned else n)


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
    shape_a, shape_b = (np.int64(kind_a), size_a, np.int64(data_a)), (np.int64(kind_b), size_b, np.int64(data_b))
    turned = shape_a[0] > shape_b[0]
    if turned:
        shape_a, shape_b = shape_b, shape_a
        hulls_a, hulls_b = hulls_b, hulls_a
        position_a, position_b = position_b, position_a
        quaternion_a, quaternion_b = quaternion_b, quaternion_a
    back = conj(quaternion_a)
    x, y, z = axes(qmul(back, quaternion_b))
    frame = (rotate(back, sub(position_b, position_a)), x, y, z)
    count = _ordered(shape_a, hulls_a, shape_b, hulls_b, frame, margin, work)
    _to_world(work, count, position_a, quaternion_a, turned)
    return count
