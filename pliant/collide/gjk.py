"""Distance between two convex cores by walking a simplex of their difference towards the origin (GJK)."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add_scaled, cross, dot, load, neg, scale, sub
from .support import HERE, support, support_inside

FAR, APART, TOUCHING = 0, 1, 2
ROUNDS = 64
CONVERGED = 1e-12
"""Relative: the squared length may exceed its lower bound by so much."""
NOTHING = 1e-9
"""A distance of so little of the shapes' size has no direction: `penetration` takes over."""


@kernel
def segment_weights(a, b):
    """Weights of a and b at the point of the segment nearest to the origin."""
    ab = sub(b, a)
    length = dot(ab, ab)
    t = -dot(a, ab)
    if t <= 0.0 or length < 1e-300:
        return 1.0, 0.0
    if t >= length:
        return 0.0, 1.0
    t /= length
    return 1.0 - t, t


@kernel
def triangle_weights(a, b, c):
    """Weights of the corners at the point of the triangle nearest to the origin, by the region it lies in."""
    ab, ac = sub(b, a), sub(c, a)
    d1, d2 = -dot(ab, a), -dot(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3, d4 = -dot(ab, b), -dot(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    n = cross(ab, ac)
    wc, wb, wa = dot(n, cross(a, b)), dot(n, cross(c, a)), dot(n, cross(b, c))
    if wc <= 0.0 and d1 >= 0.0 and d3 <= 0.0 and d1 - d3 > 0.0:
        t = d1 / (d1 - d3)
        return 1.0 - t, t, 0.0
    if wb <= 0.0 and d2 >= 0.0 and d6 <= 0.0 and d2 - d6 > 0.0:
        t = d2 / (d2 - d6)
        return 1.0 - t, 0.0, t
    if wa <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0 and (d4 - d3) + (d5 - d6) > 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 0.0, 1.0 - t, t
    total = wa + wb + wc
    if not total > 0.0:
        return 1.0, 0.0, 0.0
    return wa / total, wb / total, wc / total


@kernel
def _triangle_point(a, b, c, u, v, w):
    """The weighted point; in the inside of the triangle along its normal, which keeps the direction exact."""
    if u > 0.0 and v > 0.0 and w > 0.0:
        n = cross(sub(b, a), sub(c, a))
        return scale(dot(n, a) / dot(n, n), n)
    return (
        u * a[0] + v * b[0] + w * c[0],
        u * a[1] + v * b[1] + w * c[1],
        u * a[2] + v * b[2] + w * c[2],
    )


@kernel
def _nearest_in_tetrahedron(simplex):
    """Weights at the point nearest to the origin; all four positive when the origin is inside."""
    inside = True
    best, nearest = 1e300, (1.0, 0.0, 0.0, 0.0)
    for k in range(4):
        i, j, m = (k + 1) & 3, (k + 2) & 3, (k + 3) & 3
        a, b, c, other = load(simplex, i), load(simplex, j), load(simplex, m), load(simplex, k)
        n = cross(sub(b, a), sub(c, a))
        height, origin = dot(n, sub(other, a)), -dot(n, a)
        size = sqrt(dot(n, n)) * sqrt(dot(sub(other, a), sub(other, a)))
        if height * origin > 0.0 and abs(height) > 1e-12 * size:
            continue
        inside = False
        u, v, w = triangle_weights(a, b, c)
        p = _triangle_point(a, b, c, u, v, w)
        if dot(p, p) < best:
            best = dot(p, p)
            if k == 0:
                nearest = (0.0, u, v, w)
            elif k == 1:
                nearest = (w, 0.0, u, v)
            elif k == 2:
                nearest = (v, w, 0.0, u)
            else:
                nearest = (u, v, w, 0.0)
    if inside:
        return 0.25, 0.25, 0.25, 0.25
    return nearest


@kernel
def _nearest(simplex, count):
    """Keep the corners that carry the point nearest to the origin; their number and that point."""
    wa, wb, wc, wd = 1.0, 0.0, 0.0, 0.0
    if count == 2:
        wa, wb = segment_weights(load(simplex, 0), load(simplex, 1))
    elif count == 3:
        wa, wb, wc = triangle_weights(load(simplex, 0), load(simplex, 1), load(simplex, 2))
    elif count == 4:
        wa, wb, wc, wd = _nearest_in_tetrahedron(simplex)
    weights = (wa, wb, wc, wd)
    kept = 0
    for i in range(count):
        if weights[i] > 0.0:
            for j in range(6):
                simplex[kept, j] = simplex[i, j]
            simplex[kept, 6] = weights[i]
            kept += 1
    if kept == 3:
        p = _triangle_point(
            load(simplex, 0), load(simplex, 1), load(simplex, 2), simplex[0, 6], simplex[1, 6], simplex[2, 6]
        )
        return kept, p
    p = (0.0, 0.0, 0.0)
    for i in range(kept):
        p = add_scaled(p, simplex[i, 6], load(simplex, i))
    return kept, p


@kernel
def _witness(simplex, count):
    """The point of a's core that belongs to the nearest point."""
    p = (0.0, 0.0, 0.0)
    for i in range(count):
        p = add_scaled(p, simplex[i, 6], (simplex[i, 3], simplex[i, 4], simplex[i, 5]))
    return p


@kernel
def _known(simplex, count, w):
    """Whether the simplex already holds w."""
    known = False
    for i in range(count):
        known = known or (simplex[i, 0] == w[0] and simplex[i, 1] == w[1] and simplex[i, 2] == w[2])
    return known


@kernel
def gjk(shape_a, vertex_a, shape_b, vertex_b, frame, limit, simplex):
    """State (FAR beyond `limit`, APART, TOUCHING), distance [m], unit normal from a to b, nearest point of a's core.

    Everything is in the frame of a, where b stands in `frame`. The simplex is overwritten.
    """
    v = neg(frame[0]) if dot(frame[0], frame[0]) > 0.0 else (1.0, 0.0, 0.0)
    vv, largest, count = dot(v, v), 0.0, 0
    first = True
    point = (0.0, 0.0, 0.0)
    for _ in range(ROUNDS):
        d = neg(v)
        a = support_inside(shape_a, vertex_a, d)
        w = sub(a, support(shape_b, vertex_b, frame, v))
        vw = dot(v, w)
        if vw > 0.0 and vw * vw > limit * limit * vv:
            return FAR, 0.0, HERE[3], point
        if not first and (vv - vw <= CONVERGED * vv or _known(simplex, count, w)):
            break
        largest = max(largest, dot(w, w))
        simplex[count, 0], simplex[count, 1], simplex[count, 2] = w
        simplex[count, 3], simplex[count, 4], simplex[count, 5] = a
        count, nearer = _nearest(simplex, count + 1)
        nn = dot(nearer, nearer)
        if count == 4 or nn <= NOTHING * NOTHING * largest:
            return TOUCHING, 0.0, HERE[3], _witness(simplex, count)
        if not first and nn >= vv:
            break
        v, vv, first = nearer, nn, False
        point = _witness(simplex, count)
    distance = sqrt(vv)
    if distance > limit:
        return FAR, 0.0, HERE[3], point
    return APART, distance, scale(-1.0 / distance, v), point


@kernel
def gjk_of_point(a, b, c, limit):
    """The same of a core that is a point, in its own frame, and a triangle, which needs no walk: its nearest point says all."""
    u, v, w = triangle_weights(a, b, c)
    nearest, point = _triangle_point(a, b, c, u, v, w), (0.0, 0.0, 0.0)
    square, largest = dot(nearest, nearest), max(dot(a, a), dot(b, b), dot(c, c))
    if square <= NOTHING * NOTHING * largest:
        return TOUCHING, 0.0, HERE[3], point
    distance = sqrt(square)
    if distance > limit:
        return FAR, 0.0, HERE[3], point
    return APART, distance, scale(1.0 / distance, nearest), point
