"""Points where an endless plane and a convex shape touch.

Curved shapes give their exact deepest points: a wheel rolls on the two ends of its lowest generator, wherever they are
on its rim, and stands on four points of its rim that turn with it. All points lie on the true surface, so nothing bumps
when some of them come or go.
"""

from math import sqrt

from .._jit import entry, kernel
from ..math.quat import axes, load4, rotate, unrotate
from ..math.vec3 import add, add_scaled, cross, dot, load, neg, norm, scale, sub
from ..model.contacts import Contacts
from ..model.shapes import BOX, CAPSULE, HULL, PLANE, SPHERE, Hulls, Shapes
from .pairs import WITH_PLANE
from .persist import emit
from .work import Pairs, Places

UPRIGHT = 1e-4
"""Tilt of a standing cylinder [rad] below which its four turning points stand for the deepest one."""

SAME_POINT = 0.9995
"""Cosine of the angle on the rim within which the point that is deepest now stands for those of the whole step."""

FIRST_ON_RIM = 2
"""Features of a cylinder from here on are points of its rim that turn with it; those before are where it is deepest."""

STILL = 1e-3
"""A hull that turns by less than this [rad] in a step touches with the vertices that are low now."""

ALL_VERTICES = 8
"""A hull with more vertices near the plane than these touches it with four of them."""


@entry
def touch_planes(shapes: Shapes, hulls: Hulls, places: Places, pairs: Pairs, fresh: Contacts) -> int:
    """Contacts found so far, with those of planes. Writes: fresh, pairs.begin, pairs.number"""
    for k in range(pairs.count[0]):
        if pairs.family[k] != WITH_PLANE:
            continue
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        pairs.begin[k] = fresh.count[0]
        if shapes.kind[i] == PLANE:
            touch_plane(shapes, hulls, places, i, j, False, pairs.margin[k], fresh)
        else:
            touch_plane(shapes, hulls, places, j, i, True, pairs.margin[k], fresh)
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
    return fresh.count[0]


@kernel
def touch_plane(shapes, hulls, places, plane, other, plane_is_second, margin, fresh):
    """Contacts of the plane `plane` with the convex shape `other`. Writes: fresh"""
    normal = axes(load4(places.quaternion, plane))[2]
    offset = dot(normal, load(places.position, plane))
    kind = shapes.kind[other]
    centre = load(places.position, other)
    quaternion = load4(places.quaternion, other)
    size = load(shapes.size, other)
    turn = sub(load(places.turn, other), load(places.turn, plane))
    ids = (other, plane) if plane_is_second else (plane, other)
    if kind == BOX:
        _box(normal, offset, centre, axes(quaternion), size, margin, ids, plane_is_second, fresh)
    elif kind == HULL:
        _hull(
            normal, offset, centre, quaternion, hulls, shapes.data[other], margin, turn, ids, plane_is_second, fresh
        )
    else:
        frame = axes(quaternion)
        first, last = round_points(kind, frame, normal, turn)
        for k in range(first, last):
            feature, point = round_point(kind, k, centre, frame, size, normal, turn)
            _emit(fresh, ids, feature, point, normal, offset, margin, plane_is_second)


@kernel
def _emit(fresh, ids, feature, point, normal, offset, margin, plane_is_second):
    separation = dot(normal, point) - offset
    if separation < margin:
        midway = add_scaled(point, -0.5 * separation, normal)
        emit(fresh, ids, feature, midway, neg(normal) if plane_is_second else normal, separation)


@kernel
def round_points(kind, frame, normal, turn):
    """Which points (first, last + 1) of a sphere, capsule or cylinder that turns by `turn` [rad] in the step may touch a
    plane of this normal."""
    if kind == SPHERE:
        return 0, 1
    along = abs(dot(normal, frame[2]))
    if kind == CAPSULE or along < 0.5:
        return 0, 2
    now, later = _across(frame, normal), _across(frame, _seen_later(normal, turn, 1.0))
    wanders = dot(now, later) < SAME_POINT * norm(now) * norm(later)
    return 2 if norm(now) < UPRIGHT else 0, 8 if wanders else 6


@kernel
def round_point(kind, k, centre, frame, size, normal, turn):
    """Feature and place of the k-th of these points, deepest along `normal`; 6 and 7 will be so after half the turn and
    after all of it, as a rim that wobbles touches ever further along."""
    if kind == SPHERE:
        return 0, add_scaled(centre, -size[0], normal)
    end = 1.0 if k == 0 else -1.0
    if kind == CAPSULE:
        return k, add_scaled(add_scaled(centre, end * size[1], frame[2]), -size[0], normal)
    low = -1.0 if dot(normal, frame[2]) > 0.0 else 1.0
    if 2 <= k < 6:
        side = frame[0] if k < 4 else frame[1]
        reach = size[0] if k % 2 == 0 else -size[0]
        rim = add_scaled(add_scaled(centre, low * size[1], frame[2]), reach, side)
        return k if low > 0.0 else k + 4, rim
    if k < 2:
        return k, _on_rim(centre, frame, size, end, _across(frame, normal))
    share = 0.5 if k == 6 else 1.0
    return k + 4, _on_rim(centre, frame, size, low, _across(frame, _seen_later(normal, turn, share)))


@kernel
def _on_rim(centre, frame, size, end, across):
    """The point of the rim of one end that is deepest when the ground's normal has the part `across` beside the axis."""
    return add_scaled(add_scaled(centre, end * size[1], frame[2]), -size[0] / max(norm(across), 1e-12), across)


@kernel
def _seen_later(normal, turn, share):
    """A normal as the shape, in its frame of now, sees it when it has turned by a share of `turn` [rad]."""
    return add_scaled(normal, -share, cross(turn, normal))


@kernel
def _across(frame, normal):
    """The part of `normal` at right angles to the third axis, without the cancellation of a difference."""
    return add(scale(dot(normal, frame[0]), frame[0]), scale(dot(normal, frame[1]), frame[1]))


@kernel
def _box(normal, offset, centre, frame, half, margin, ids, plane_is_second, fresh):
    """The four corners of the face that looks most towards the plane."""
    along = dot(normal, frame[0]), dot(normal, frame[1]), dot(normal, frame[2])
    face = 0
    for k in range(1, 3):
        if abs(along[k]) > abs(along[face]) + 1e-9:
            face = k
    for corner in range(8):
        down = (corner >> face) & 1
        if (down == 1) == (along[face] < 0.0):
            x = half[0] if corner & 1 else -half[0]
            y = half[1] if corner & 2 else -half[1]
            z = half[2] if corner & 4 else -half[2]
            arm = add(add(scale(x, frame[0]), scale(y, frame[1])), scale(z, frame[2]))
            _emit(fresh, ids, corner, add(centre, arm), normal, offset, margin, plane_is_second)


@kernel
def _hull(normal, offset, centre, quaternion, hulls, data, margin, turn, ids, plane_is_second, fresh):
    """All low vertices when they are few, else the deepest and three more, spread as wide as they can be where it is not much
    higher, and two that are so after half the turn of the step and two after all of it."""
    begin, end = hulls.first_vertex[data], hulls.first_vertex[data + 1]
    down = unrotate(quaternion, normal)
    low, height = 0, dot(normal, centre) - offset
    for v in range(begin, end):
        low += 1 if height + dot(down, load(hulls.vertex, v)) < margin else 0
    first, times = fresh.count[0], 1 if norm(turn) < STILL else 3
    if low <= ALL_VERTICES:
        for v in range(begin, end):
            _emit_vertex(hulls, begin, v, centre, quaternion, normal, offset, margin, ids, plane_is_second, fresh, first)
        return
    for time in range(times):
        down = unrotate(quaternion, _seen_later(normal, turn, 0.5 * time))
        one = _lowest(hulls, begin, end, down)
        two = _farthest(hulls, begin, end, down, margin, one, one, 0.0)
        for k in range(2 if time > 0 else 4):
            v = (one, two)[k] if k < 2 else _farthest(hulls, begin, end, down, margin, one, two, 5.0 - 2.0 * k)
            _emit_vertex(hulls, begin, v, centre, quaternion, normal, offset, margin, ids, plane_is_second, fresh, first)


@kernel
def _emit_vertex(hulls, begin, v, centre, quaternion, normal, offset, margin, ids, plane_is_second, fresh, first):
    """A contact of vertex `v`, unless there is one from row `first` on. Writes: fresh"""
    for k in range(first, min(fresh.count[0], fresh.separation.shape[0])):
        if fresh.feature[k] == v - begin:
            return
    point = add(centre, rotate(quaternion, load(hulls.vertex, v)))
    _emit(fresh, ids, v - begin, point, normal, offset, margin, plane_is_second)


@kernel
def _lowest(hulls, begin, end, normal):
    """The vertex of a hull that lies lowest along a normal in its frame."""
    best, height = begin, 1e300
    for v in range(begin, end):
        d = dot(normal, load(hulls.vertex, v))
        if d < height:
            best, height = v, d
    return best


@kernel
def _farthest(hulls, begin, end, normal, margin, one, two, side):
    """The vertex farthest from vertex `one`, the lowest one (side 0), or from the line one-two on the side +1 or -1 of it; to
    be higher by `margin` [m] counts against all the way from the middle to it."""
    p = load(hulls.vertex, one)
    line = sub(load(hulls.vertex, two), p)
    across = cross(normal, line)
    length = max(norm(across), 1e-12)
    steep = norm(p) / margin
    best, farthest = one, 0.0
    for v in range(begin, end):
        d = sub(load(hulls.vertex, v), p)
        rise = dot(normal, d)
        if rise < margin:
            far = side * dot(across, d) / length if side != 0.0 else sqrt(max(0.0, dot(d, d) - rise * rise))
            if far - steep * rise > farthest:
                best, farthest = v, far - steep * rise
    return best
