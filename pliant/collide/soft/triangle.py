"""Triangles of cloth and solids: points with weights, and the movers that carry them."""

from ..._jit import kernel
from ...math.vec3 import cross, dot, load, norm, scale, sub
from .persist import set_mover


@kernel
def mix(a, b, c, w):
    """The mean of three vectors with weights `w`."""
    return (
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    )


@kernel
def unit_normal(a, b, c):
    """Unit normal of a triangle, counter-clockwise seen from its tip; zero if it has no area."""
    n = cross(sub(b, a), sub(c, a))
    length = norm(n)
    if length < 1e-300:
        return 0.0, 0.0, 0.0
    return scale(1.0 / length, n)


@kernel
def foot_weights(a, b, c, p):
    """Weights of the corners at the foot of `p` in the plane of a triangle; some negative where it lies outside."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(p, a)
    n = cross(ab, ac)
    twice = dot(n, n)
    if twice < 1e-300:
        return -1.0, -1.0, -1.0
    v, w = dot(cross(ap, ac), n) / twice, dot(cross(ab, ap), n) / twice
    return 1.0 - v - w, v, w


@kernel
def corners_of(array, surfaces, f):
    """Rows of `array` at the corners of triangle `f`."""
    return load(array, surfaces.face[f, 0]), load(array, surfaces.face[f, 1]), load(array, surfaces.face[f, 2])


@kernel
def set_triangle(found, row, column, surfaces, f, w):
    """Let a side of a contact be a triangle. Writes: found"""
    if row >= 0:
        for c in range(3):
            set_mover(found, row, column + c, surfaces.face[f, c], w[c])


@kernel
def owned_by(surfaces, skin, leaf, f, w):
    """Whether a point of the triangle in a leaf is the leaf's own: not at a corner, and on no edge that another one has.

    Two triangles that share an edge both have the points on it; one of them speaks for both.
    """
    if max(w[0], w[1], w[2]) > 1.0 - 1e-9:
        return False
    for c in range(3):
        if w[c] < 1e-9:
            one, other = surfaces.face[f, (c + 1) % 3], surfaces.face[f, (c + 2) % 3]
            low, high, owned = min(one, other), max(one, other), False
            for e in range(skin.first_edge[leaf], skin.first_edge[leaf + 1]):
                edge = skin.edge[e]
                owned = owned or (surfaces.edge[edge, 0] == low and surfaces.edge[edge, 1] == high)
            return owned
    return True
