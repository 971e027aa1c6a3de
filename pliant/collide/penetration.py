"""Depth and direction in which two overlapping cores come apart soonest, by an expanding polytope (EPA).

The polytope is spanned by points of the difference a - b. It need not hold the origin: the face whose plane has the
smallest signed offset is pushed out first, so a touch that is in truth a tiny gap is answered as well, with a negative
depth. Every direction that was tried bounds the depth from above; the smallest bound is what is returned, so rounding
in the polytope can cost tightness and never validity.
"""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add_scaled, cross, dot, load, neg, normalize, perpendicular, sub
from .gjk import triangle_weights
from .narrow_work import VERTICES
from .support import support, support_inside

TIGHT = 1e-10
"""Of the shapes' size: how closely the two bounds of the depth must meet."""
FLAT = 1e-11
"""Of the shapes' size: a difference thinner than this has no inside."""


_FIRST_FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))


@kernel
def _probe(shape_a, vertex_a, shape_b, vertex_b, frame, d, vertex, i):
    """Write the point of a - b farthest along `d` into row `i` and return it."""
    a = support_inside(shape_a, vertex_a, d)
    w = sub(a, support(shape_b, vertex_b, frame, neg(d)))
    vertex[i, 0], vertex[i, 1], vertex[i, 2] = w
    vertex[i, 3], vertex[i, 4], vertex[i, 5] = a
    return w


@kernel
def _add_face(vertex, face, plane, count, i, j, k, size):
    """Append the face (i, j, k); one without area gets an offset that is never the smallest."""
    face[count, 0], face[count, 1], face[count, 2] = i, j, k
    a = load(vertex, i)
    n = cross(sub(load(vertex, j), a), sub(load(vertex, k), a))
    area = sqrt(dot(n, n))
    if area <= 1e-14 * size * size:
        plane[count, 0], plane[count, 1], plane[count, 2], plane[count, 3] = 0.0, 0.0, 0.0, 1e300
    else:
        plane[count, 0], plane[count, 1], plane[count, 2] = n[0] / area, n[1] / area, n[2] / area
        plane[count, 3] = dot(n, a) / area
    return count + 1


@kernel
def _copy(vertex, to, source):
    """Writes: vertex"""
    for j in range(6):
        vertex[to, j] = vertex[source, j]


@kernel
def _widest(shape_a, vertex_a, shape_b, vertex_b, frame, vertex, low, spare):
    """Write the second of four points, far from the first; the square of how far, the way there, the largest square of all."""
    span, axis, largest = -1.0, (1.0, 0.0, 0.0), dot(low, low)
    for k in range(3):
        d = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        for _ in range(2):
            w = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, d, vertex, spare)
            largest = max(largest, dot(w, w))
            e = sub(w, low)
            if dot(e, e) > span:
                span, axis = dot(e, e), e
                _copy(vertex, 1, spare)
            d = neg(d)
    return span, axis, largest


@kernel
def _tetrahedron(shape_a, vertex_a, shape_b, vertex_b, frame, vertex):
    """Write four wide-spread points of a - b; how many of them are independent, their size, and a normal if flat."""
    spare = vertex.shape[0] - 1
    low = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, (-1.0, 0.0, 0.0), vertex, spare)
    _copy(vertex, 0, spare)
    span, axis, largest = _widest(shape_a, vertex_a, shape_b, vertex_b, frame, vertex, low, spare)
    size = sqrt(largest) + sqrt(span)
    if sqrt(span) <= FLAT * size or size < 1e-300:
        return 1, size, (0.0, 0.0, 1.0)
    axis = normalize(axis)
    side = perpendicular(axis)
    d, best, normal = side, -1.0, side
    for _ in range(4):
        w = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, d, vertex, spare)
        n = cross(axis, sub(w, low))
        if dot(n, n) > best:
            best, normal = dot(n, n), n
            _copy(vertex, 2, spare)
        d = cross(axis, d)
    if sqrt(best) <= FLAT * size:
        return 2, size, side
    normal = normalize(normal)
    d, height = normal, 0.0
    for _ in range(2):
        w = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, d, vertex, spare)
        h = dot(normal, sub(w, low))
        if abs(h) > abs(height):
            height = h
            _copy(vertex, 3, spare)
        d = neg(d)
    if abs(height) <= FLAT * size:
        return 3, size, normal
    if height > 0.0:
        # The first three points must turn counter-clockwise as seen from outside, away from the fourth.
        for j in range(6):
            vertex[1, j], vertex[2, j] = vertex[2, j], vertex[1, j]
    return 4, size, normal


@kernel
def _toggle(horizon, count, i, j):
    """Append the directed edge (i, j), or remove its twin."""
    for k in range(count):
        if horizon[k, 0] == j and horizon[k, 1] == i:
            horizon[k, 0], horizon[k, 1] = horizon[count - 1, 0], horizon[count - 1, 1]
            return count - 1
    horizon[count, 0], horizon[count, 1] = i, j
    return count + 1


@kernel
def _insert(vertex, face, plane, horizon, faces, chosen, new, size):
    """Grow the polytope by vertex `new`, which lies beyond the face `chosen`; the new number of faces, 0 on failure."""
    w = load(vertex, new)
    edges = 0
    k = faces - 1
    while k >= 0:
        height = plane[k, 0] * w[0] + plane[k, 1] * w[1] + plane[k, 2] * w[2] - plane[k, 3]
        if k == chosen or height > 1e-13 * size:
            if edges + 3 > horizon.shape[0]:
                return 0
            edges = _toggle(horizon, edges, face[k, 0], face[k, 1])
            edges = _toggle(horizon, edges, face[k, 1], face[k, 2])
            edges = _toggle(horizon, edges, face[k, 2], face[k, 0])
            faces -= 1
            for j in range(3):
                face[k, j] = face[faces, j]
            for j in range(4):
                plane[k, j] = plane[faces, j]
        k -= 1
    if edges < 3 or faces + edges > face.shape[0]:
        return 0
    for k in range(edges):
        faces = _add_face(vertex, face, plane, faces, horizon[k, 0], horizon[k, 1], new, size)
    return faces


@kernel
def _origin_on_face(vertex, face, plane, k):
    """The point of a that belongs to the foot of the origin on face `k`."""
    i, j, m = face[k, 0], face[k, 1], face[k, 2]
    n = (plane[k, 0], plane[k, 1], plane[k, 2])
    s = -plane[k, 3]
    u, v, w = triangle_weights(
        add_scaled(load(vertex, i), s, n), add_scaled(load(vertex, j), s, n), add_scaled(load(vertex, m), s, n)
    )
    return (
        u * vertex[i, 3] + v * vertex[j, 3] + w * vertex[m, 3],
        u * vertex[i, 4] + v * vertex[j, 4] + w * vertex[m, 4],
        u * vertex[i, 5] + v * vertex[j, 5] + w * vertex[m, 5],
    )


@kernel
def _flat(shape_a, vertex_a, shape_b, vertex_b, frame, normal, vertex):
    """Depth along the direction in which the difference has no width, signed to lead from a to b."""
    if dot(normal, frame[0]) < 0.0:
        normal = neg(normal)
    w = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, normal, vertex, vertex.shape[0] - 1)
    return dot(normal, w), normal


@kernel
def penetration(shape_a, vertex_a, shape_b, vertex_b, frame, touching, vertex, face, plane, horizon):
    """Depth of the cores [m], unit normal from a to b, deepest point of a's core; all in the frame of a.

    `touching`: a point of both cores, handed back where their difference is flat. Writes the polytope.
    """
    rank, size, normal = _tetrahedron(shape_a, vertex_a, shape_b, vertex_b, frame, vertex)
    if rank < 4:
        depth, normal = _flat(shape_a, vertex_a, shape_b, vertex_b, frame, normal, vertex)
        return depth, normal, touching
    faces = 0
    for k in range(4):
        i, j, m = _FIRST_FACES[k]
        faces = _add_face(vertex, face, plane, k, i, j, m, size)
    best, best_normal, point = 1e300, normal, touching
    for new in range(4, VERTICES):
        nearest = faces - 1
        for k in range(faces - 1):
            if plane[k, 3] < plane[nearest, 3]:
                nearest = k
        offset = plane[nearest, 3]
        if offset >= best - TIGHT * size:
            break
        n = (plane[nearest, 0], plane[nearest, 1], plane[nearest, 2])
        w = _probe(shape_a, vertex_a, shape_b, vertex_b, frame, n, vertex, new)
        height = dot(n, w)
        if height < best:
            best, best_normal = height, n
            point = _origin_on_face(vertex, face, plane, nearest)
        if height - offset <= TIGHT * size:
            break
        faces = _insert(vertex, face, plane, horizon, faces, nearest, new, size)
        if faces == 0:
            break
    return best, best_normal, point
