"""Two boxes: the fifteen axes that can separate them, then one face clipped by another, or two edges that cross."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add_scaled, cross, dot, neg, scale, sub
from .convex_faces import clipped_face
from .convex_features import box_corners
from .convex_points import SINGLE, emit
from .support import HERE

PREFER = 0.02
"""Part of the depth that an edge, or b's face, must win over a's face: below it the choice would flicker."""
LEVEL = 1e-6
"""The same as a part of the smaller box's size, for boxes that barely touch."""
ALIGNED = 0.985
"""Cosine of the angle (10 degrees) below which two edges lie in faces that all but meet. The faces then show the same
overlap by up to four points, where the edges have one, on which a box would rock."""
NEAR = 0.02
"""Boxes farther apart than this part of the smaller one's size do not touch yet: then the nearest features count."""
UNSURE = -1
"""The nearest features are not the ones the axis shows: the boxes are apart, corner before corner."""


@kernel
def _reach(size, x, y, z, n):
    """How far a box with the axes x, y, z reaches from its centre along `n` [m]."""
    return size[0] * abs(dot(x, n)) + size[1] * abs(dot(y, n)) + size[2] * abs(dot(z, n))


@kernel
def _edge_axis(size_a, size_b, frame, margin):
    """The largest separation [m] along the cross product of an edge of each, its normal from a to b, and the edges."""
    p = frame[0]
    best, normal, edge_a, edge_b = -1e300, HERE[1], -1, -1
    for i in range(3):
        for j in range(3):
            n = cross(HERE[1 + i], frame[1 + j])
            length = dot(n, n)
            if length < 1e-6:
                continue
            n = scale(1.0 / sqrt(length), n)
            at = dot(p, n)
            apart = abs(at) - _reach(size_a, HERE[1], HERE[2], HERE[3], n)
            apart -= _reach(size_b, frame[1], frame[2], frame[3], n)
            if apart > best:
                best, normal, edge_a, edge_b = apart, n if at >= 0.0 else neg(n), i, j
                if apart > margin:
                    return best, normal, edge_a, edge_b
    return best, normal, edge_a, edge_b


@kernel
def _edge_middle(size, frame, edge, n):
    """The middle of the edge along axis `edge` that lies farthest along `n`."""
    p = frame[0]
    for k in range(3):
        if k != edge:
            p = add_scaled(p, size[k] if dot(frame[1 + k], n) >= 0.0 else -size[k], frame[1 + k])
    return p


@kernel
def _edges(size_a, size_b, frame, separation, normal, edge_a, edge_b, point, feature):
    """The one point between two crossing edges; UNSURE if they cross beyond their ends while the boxes are apart."""
    a, b = _edge_middle(size_a, HERE, edge_a, normal), _edge_middle(size_b, frame, edge_b, neg(normal))
    u, v, c = HERE[1 + edge_a], frame[1 + edge_b], sub(b, a)
    uv, uc, vc = dot(u, v), dot(u, c), dot(v, c)
    s = (uc - uv * vc) / (1.0 - uv * uv)
    t = uv * s - vc
    if separation > 0.0 and (abs(s) > size_a[edge_a] or abs(t) > size_b[edge_b]):
        return UNSURE
    s = min(max(s, -size_a[edge_a]), size_a[edge_a])
    t = min(max(t, -size_b[edge_b]), size_b[edge_b])
    middle = scale(0.5, add_scaled(add_scaled(a, s, u), 1.0, add_scaled(b, t, v)))
    return emit(point, feature, 0, middle, 0.0, normal, separation, SINGLE)


@kernel
def _second_face(size_a, size_b, frame):
    """The largest separation [m] along a face normal of the second box, and which one."""
    best, axis = -1e300, 0
    for j in range(3):
        n = frame[1 + j]
        apart = abs(dot(frame[0], n)) - size_b[j] - _reach(size_a, HERE[1], HERE[2], HERE[3], n)
        if apart > best:
            best, axis = apart, j
    return best, axis


@kernel
def _first_face(size_a, size_b, frame):
    """The largest separation [m] along a face normal of the first box, and which one."""
    best, axis = -1e300, 0
    for i in range(3):
        apart = abs(frame[0][i]) - size_a[i] - _reach(size_b, frame[1], frame[2], frame[3], HERE[1 + i])
        if apart > best:
            best, axis = apart, i
    return best, axis


@kernel
def _face(
    size_a, size_b, frame, second, axis, margin, polygon, number, outline, outline_number, point, feature
):
    """Points before a face of the first box, or of the second one; their number and the smallest separation."""
    if second:
        own, own_size, other, other_size, towards = frame, size_b, HERE, size_a, neg(frame[0])
    else:
        own, own_size, other, other_size, towards = HERE, size_a, frame, size_b, frame[0]
    negative = dot(own[1 + axis], towards) < 0.0
    normal = neg(own[1 + axis]) if negative else own[1 + axis]
    face = 2 * axis + (1 if negative else 0)
    sides = box_corners(own_size, own, face, outline, outline_number)
    x, y, z = dot(other[1], normal), dot(other[2], normal), dot(other[3], normal)
    facing, toward = 0, x
    if abs(y) > abs(toward):
        facing, toward = 1, y
    if abs(z) > abs(toward):
        facing, toward = 2, z
    corners = box_corners(other_size, other, 2 * facing + (1 if toward > 0.0 else 0), polygon, number)
    offset = own_size[axis] + dot(normal, own[0])
    return clipped_face(
        polygon, number, corners, outline, outline_number, sides,
        face, normal, offset, normal, 1.0, 0.0, second, margin, point, feature,
    )  # fmt: skip


@kernel
def box_box(size_a, size_b, frame, margin, polygon, number, outline, outline_number, point, feature):
    """Points between two boxes, the first centred, the second in `frame`: their number, 0 if farther, or UNSURE."""
    apart_a, axis_a = _first_face(size_a, size_b, frame)
    if apart_a > margin:
        return 0
    apart_b, axis_b = _second_face(size_a, size_b, frame)
    if apart_b > margin:
        return 0
    apart_e, normal, edge_a, edge_b = _edge_axis(size_a, size_b, frame, margin)
    if apart_e > margin:
        return 0
    small = min(max(size_a[0], size_a[1], size_a[2]), max(size_b[0], size_b[1], size_b[2]))
    handicap = PREFER * max(-max(apart_a, apart_b, apart_e), 0.0) + LEVEL * small
    second = apart_b > apart_a + handicap
    axis, face = (axis_b, apart_b) if second else (axis_a, apart_a)
    crossed = apart_e > face + handicap
    aligned = abs(dot(normal, frame[1 + axis] if second else HERE[1 + axis])) > ALIGNED
    if crossed and not (aligned and apart_e < NEAR * small):
        return _edges(size_a, size_b, frame, apart_e, normal, edge_a, edge_b, point, feature)
    count, smallest = _face(
        size_a, size_b, frame, second, axis, margin, polygon, number, outline, outline_number, point, feature
    )
    if crossed and count == 0:
        return _edges(size_a, size_b, frame, apart_e, normal, edge_a, edge_b, point, feature)
    if count == 0 or (not crossed and face > 0.0 and smallest > face + LEVEL * small):
        return UNSURE
    return count
