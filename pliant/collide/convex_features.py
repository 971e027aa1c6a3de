"""The faces and edges of convex shapes that look in a direction."""

from math import cos, pi, sin, sqrt

from .._jit import kernel
from ..math.vec3 import add, dot, load, neg, scale
from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL
from .clip import corner
from .convex_points import edge_code
from .narrow_work import CORNERS
from .support import move_out, turn_in, turn_out

CAP_INCIDENT, CAP_CLIPS = 8, 16
"""Corners that stand for a cylinder's cap: on its rim when it is clipped, around it when it clips."""


@kernel
def facing(shape, plane, frame, d):
    """The face that looks along `d` the most (-1: none), its outward normal and offset, seen from outside `frame`."""
    kind, size = shape[0], shape[1]
    e = turn_in(frame, d)
    face, n, offset = -1, (0.0, 0.0, 1.0), 0.0
    if kind == BOX:
        x, y, z = abs(e[0]), abs(e[1]), abs(e[2])
        axis = 0 if x >= y and x >= z else (1 if y >= z else 2)
        sign = 1.0 if e[axis] >= 0.0 else -1.0
        face, n, offset = 2 * axis + (0 if sign > 0.0 else 1), scale(sign, frame[1 + axis]), size[axis]
    elif kind == CYLINDER:
        sign = 1.0 if e[2] >= 0.0 else -1.0
        face, n, offset = 0 if sign > 0.0 else 1, scale(sign, frame[3]), size[1]
    elif kind == HULL:
        best, first = -1e300, shape[4]
        for j in range(first, shape[5]):
            height = plane[j, 0] * e[0] + plane[j, 1] * e[1] + plane[j, 2] * e[2]
            if height > best:
                best, face = height, j - first
        if face >= 0:
            n = turn_out(frame, load(plane, first + face))
            offset = plane[first + face, 3]
    return face, n, offset + dot(n, frame[0])


@kernel
def _put(polygon, number, i, p, code):
    polygon[0, i, 0], polygon[0, i, 1], polygon[0, i, 2] = p
    number[0, i, 0] = code


@kernel
def number_edges(number, count):
    """Give every edge the code of its two corners."""
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        number[0, i, 1] = edge_code(number[0, i, 0], number[0, j, 0])


@kernel
def box_corners(size, frame, face, polygon, number):
    """Four corners, counter-clockwise from outside; a corner's number has a bit for every negative coordinate."""
    axis, negative = face // 2, face % 2
    u, v = (axis + 1) % 3, (axis + 2) % 3
    centre = scale(-size[axis] if negative else size[axis], frame[1 + axis])
    du, dv = scale(size[u], frame[1 + u]), scale(size[v], frame[1 + v])
    base, count = negative << axis, 0
    for k in range(4):
        first, second = (k == 1 or k == 2), k >= 2
        if negative:
            first, second = second, first
        p = add(centre, neg(du) if first else du)
        p = add(p, neg(dv) if second else dv)
        code = base | ((1 if first else 0) << u) | ((1 if second else 0) << v)
        _put(polygon, number, k, add(frame[0], p), code)
        count += 1
    return count


@kernel
def _hull_corners(shape, hulls, frame, face, polygon, number):
    """Corners of a hull's face, evenly thinned out where there are more than fit."""
    j = shape[4] + face
    first = hulls.first_corner[j]
    total = hulls.first_corner[j + 1] - first
    step = 1 + (total - 1) // CORNERS
    count = 0
    for i in range(0, total, step):
        vertex = hulls.corner[first + i]
        _put(polygon, number, count, move_out(frame, load(hulls.vertex, vertex)), vertex - shape[2])
        count += 1
    return count


@kernel
def _cap_corners(size, frame, face, total, radius, deepest, polygon, number):
    """A ring on a cylinder's cap; the corner nearest to the direction `deepest` (in its frame) is moved there."""
    across = sqrt(deepest[0] * deepest[0] + deepest[1] * deepest[1])
    nearest, best = 0, -2.0
    z, turn = (size[1], 1.0) if face == 0 else (-size[1], -1.0)
    for i in range(total):
        angle = turn * 2.0 * pi * i / total
        c, s = cos(angle), sin(angle)
        if c * deepest[0] + s * deepest[1] > best:
            nearest, best = i, c * deepest[0] + s * deepest[1]
        _put(polygon, number, i, move_out(frame, (radius * c, radius * s, z)), total * face + i)
    if across > 1e-4:
        rim = (radius * deepest[0] / across, radius * deepest[1] / across, z)
        _put(polygon, number, nearest, move_out(frame, rim), total * face + nearest)
    return total


@kernel
def face_corners(shape, hulls, frame, face, polygon, number):
    """Write the corners of a face, seen from outside `frame`, and their codes into slot 0; how many."""
    if shape[0] == BOX:
        return box_corners(shape[1], frame, face, polygon, number)
    if shape[0] == HULL:
        return _hull_corners(shape, hulls, frame, face, polygon, number)
    around = shape[1][0] / cos(pi / CAP_CLIPS)
    return _cap_corners(shape[1], frame, face, CAP_CLIPS, around, (0.0, 0.0, 0.0), polygon, number)


@kernel
def side_line(shape, frame, d):
    """Both ends of a capsule's core, or of the line along a cylinder's side that looks along `d`."""
    size = shape[1]
    x, y = 0.0, 0.0
    if shape[0] == CYLINDER:
        e = turn_in(frame, d)
        across = sqrt(e[0] * e[0] + e[1] * e[1])
        if across > 1e-300:
            x, y = size[0] * e[0] / across, size[0] * e[1] / across
    return move_out(frame, (x, y, -size[1])), move_out(frame, (x, y, size[1]))


@kernel
def feature_corners(shape, hulls, frame, d, polygon, number):
    """Write the corners of the face, or the ends of the line, that looks along `d` the most; how many."""
    kind = shape[0]
    face, n, _ = facing(shape, hulls.plane, frame, d)
    if kind == CAPSULE or (kind == CYLINDER and dot(n, d) < 0.7):
        low, high = side_line(shape, frame, d)
        for i in range(2):
            _put(polygon, number, i, high if i == 1 else low, 64 + i)
        return 2
    if kind == CYLINDER:
        rim = turn_in(frame, d)
        return _cap_corners(shape[1], frame, face, CAP_INCIDENT, shape[1][0], rim, polygon, number)
    return face_corners(shape, hulls, frame, face, polygon, number)


@kernel
def supporting_edge(shape, hulls, frame, d, polygon, number):
    """The edge, or side line, of the shape that lies farthest along `d`: its two ends. Overwrites slot 0."""
    if shape[0] == CAPSULE or shape[0] == CYLINDER:
        return side_line(shape, frame, d)
    count = feature_corners(shape, hulls, frame, d, polygon, number)
    best, at = -1e300, 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        height = min(dot(corner(polygon, i), d), dot(corner(polygon, j), d))
        if height > best:
            best, at = height, i
    return corner(polygon, at), corner(polygon, at + 1 if at + 1 < count else 0)
