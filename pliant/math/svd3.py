"""Singular values of 3 x 3 and 3 x 2 matrices by one-sided Jacobi rotations: F = U diag(s) V^T.

Columns of B = F V are turned in pairs, with V, until they are at right angles to each other; then their lengths are the
singular values and their directions U. Rotating by the smaller angle, a handful of sweeps over the three pairs reach
rounding, cells that are rotated, squeezed, flat or inverted alike; of two columns one rotation is enough.

Entries below 1e-70 count as zero: their fourth powers are not numbers any more.

U and V are proper rotations, s1 >= s2 >= |s3|, and s3 is negative where F turns things inside out. Directions that F
does not determine (flat, a line, a point) are chosen, never divided by zero.

The same thing is here twice: on tuples, and for LANES matrices side by side in a row of scratch, where every step is one
loop without branches that the compiler turns into vector instructions. Number k of lane `l` lies at k * LANES + l:

    0 … 8     F, then B = F V, then U, row by row          9 … 17   V, row by row
    18 … 20   singular values                              21       how far from right angles the columns still are
"""

from math import sqrt

from .._jit import kernel
from .vec3 import cross, dot, perpendicular, scale, sub

LANES = 64
SIGMA = 18 * LANES
SKEW = 21 * LANES
SVD_ROWS = 22
MOST_SWEEPS = 12
SQUARE = 1e-15
"""Columns whose product is below this, of all columns' squares, are at right angles."""
FLAT = 1e-14
"""A column shorter than this part of the longest has no direction of its own."""


@kernel
def rotation(a, b, c):
    """Cosine and sine that turn two columns to right angles: |p|^2 = a, |q|^2 = b, 2 p.q = c."""
    d = b - a
    long = abs(d) + sqrt(d * d + c * c) + 1e-150
    inverse = 1.0 / sqrt(long * long + c * c)
    return long * inverse, (c if d >= 0.0 else -c) * inverse


@kernel
def turn(p, q, cosine, sine):
    """The columns `p`, `q` turned."""
    return sub(scale(cosine, p), scale(sine, q)), (
        sine * p[0] + cosine * q[0], sine * p[1] + cosine * q[1], sine * p[2] + cosine * q[2])


@kernel
def svd3(F):
    """U and V as tuples of columns, s = (s1, s2, s3), of `F` given by columns."""
    b0, b1, b2 = F
    v0, v1, v2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    for _ in range(MOST_SWEEPS):
        skew = 0.0
        for pair in range(3):
            p, q, vp, vq = b0, b1, v0, v1
            if pair == 1:
                p, q, vp, vq = b0, b2, v0, v2
            elif pair == 2:
                p, q, vp, vq = b1, b2, v1, v2
            a, b, c = dot(p, p), dot(q, q), 2.0 * dot(p, q)
            skew = max(skew, abs(c) / (a + b + 1e-300))
            cosine, sine = rotation(a, b, c)
            p, q = turn(p, q, cosine, sine)
            vp, vq = turn(vp, vq, cosine, sine)
            if pair == 0:
                b0, b1, v0, v1 = p, q, vp, vq
            elif pair == 1:
                b0, b2, v0, v2 = p, q, vp, vq
            else:
                b1, b2, v1, v2 = p, q, vp, vq
        if skew < SQUARE:
            break
    b0, b1, v0, v1 = ordered(b0, b1, v0, v1)
    b0, b2, v0, v2 = ordered(b0, b2, v0, v2)
    b1, b2, v1, v2 = ordered(b1, b2, v1, v2)
    u0, u1 = directions(b0, b1)
    u2 = cross(u0, u1)
    return (u0, u1, u2), (dot(b0, u0), dot(b1, u1), dot(b2, u2)), (v0, v1, v2)


@kernel
def ordered(p, q, vp, vq):
    """The longer column first; a change of sign keeps V a proper rotation."""
    if dot(p, p) < dot(q, q):
        return q, scale(-1.0, p), vq, scale(-1.0, vp)
    return p, q, vp, vq


@kernel
def directions(p, q):
    """Unit vectors at right angles along the longer column `p` and the shorter `q`."""
    length = sqrt(dot(p, p))
    u = scale(1.0 / length, p) if length > 1e-150 else (1.0, 0.0, 0.0)
    rest = sub(q, scale(dot(q, u), u))
    short = sqrt(dot(rest, rest))
    return u, (scale(1.0 / short, rest) if short > FLAT * length and short > 1e-150 else perpendicular(u))


@kernel
def svd32(p, q):
    """(u0, u1), (s0, s1), (cosine, sine) of the 3 x 2 matrix with columns `p`, `q`.

    V has the rows (cosine, sine) and (-sine, cosine). Both singular values are at least 0 and unordered.
    """
    cosine, sine = rotation(dot(p, p), dot(q, q), 2.0 * dot(p, q))
    b0, b1 = turn(p, q, cosine, sine)
    if dot(b0, b0) >= dot(b1, b1):
        u0, u1 = directions(b0, b1)
    else:
        u1, u0 = directions(b1, b0)
    return (u0, u1), (dot(b0, u0), dot(b1, u1)), (cosine, sine)


@kernel
def rotate_lanes(s, i):
    """One sweep: turn every pair of columns of B and V to right angles. Writes: s"""
    for k in range(LANES):
        a0, a1, a2 = s[i, k], s[i, 3 * LANES + k], s[i, 6 * LANES + k]
        b0, b1, b2 = s[i, LANES + k], s[i, 4 * LANES + k], s[i, 7 * LANES + k]
        c0, c1, c2 = s[i, 2 * LANES + k], s[i, 5 * LANES + k], s[i, 8 * LANES + k]
        u0, u1, u2 = s[i, 9 * LANES + k], s[i, 12 * LANES + k], s[i, 15 * LANES + k]
        v0, v1, v2 = s[i, 10 * LANES + k], s[i, 13 * LANES + k], s[i, 16 * LANES + k]
        w0, w1, w2 = s[i, 11 * LANES + k], s[i, 14 * LANES + k], s[i, 17 * LANES + k]
        a, b, e = a0 * a0 + a1 * a1 + a2 * a2, b0 * b0 + b1 * b1 + b2 * b2, 2.0 * (a0 * b0 + a1 * b1 + a2 * b2)
        skew, whole = abs(e), a + b + c0 * c0 + c1 * c1 + c2 * c2
        x, y = rotation(a, b, e)
        turned = abs(y)
        a0, b0, a1, b1 = x * a0 - y * b0, y * a0 + x * b0, x * a1 - y * b1, y * a1 + x * b1
        a2, b2 = x * a2 - y * b2, y * a2 + x * b2
        u0, v0, u1, v1 = x * u0 - y * v0, y * u0 + x * v0, x * u1 - y * v1, y * u1 + x * v1
        u2, v2 = x * u2 - y * v2, y * u2 + x * v2
        a, b, e = a0 * a0 + a1 * a1 + a2 * a2, c0 * c0 + c1 * c1 + c2 * c2, 2.0 * (a0 * c0 + a1 * c1 + a2 * c2)
        skew += abs(e)
        x, y = rotation(a, b, e)
        turned += abs(y)
        a0, c0, a1, c1 = x * a0 - y * c0, y * a0 + x * c0, x * a1 - y * c1, y * a1 + x * c1
        a2, c2 = x * a2 - y * c2, y * a2 + x * c2
        u0, w0, u1, w1 = x * u0 - y * w0, y * u0 + x * w0, x * u1 - y * w1, y * u1 + x * w1
        u2, w2 = x * u2 - y * w2, y * u2 + x * w2
        a, b, e = b0 * b0 + b1 * b1 + b2 * b2, c0 * c0 + c1 * c1 + c2 * c2, 2.0 * (b0 * c0 + b1 * c1 + b2 * c2)
        skew += abs(e)
        x, y = rotation(a, b, e)
        turned += abs(y)
        b0, c0, b1, c1 = x * b0 - y * c0, y * b0 + x * c0, x * b1 - y * c1, y * b1 + x * c1
        b2, c2 = x * b2 - y * c2, y * b2 + x * c2
        v0, w0, v1, w1 = x * v0 - y * w0, y * v0 + x * w0, x * v1 - y * w1, y * v1 + x * w1
        v2, w2 = x * v2 - y * w2, y * v2 + x * w2
        s[i, k], s[i, 3 * LANES + k], s[i, 6 * LANES + k] = a0, a1, a2
        s[i, LANES + k], s[i, 4 * LANES + k], s[i, 7 * LANES + k] = b0, b1, b2
        s[i, 2 * LANES + k], s[i, 5 * LANES + k], s[i, 8 * LANES + k] = c0, c1, c2
        s[i, 9 * LANES + k], s[i, 12 * LANES + k], s[i, 15 * LANES + k] = u0, u1, u2
        s[i, 10 * LANES + k], s[i, 13 * LANES + k], s[i, 16 * LANES + k] = v0, v1, v2
        s[i, 11 * LANES + k], s[i, 14 * LANES + k], s[i, 17 * LANES + k] = w0, w1, w2
        # What is left of a cosine is that times the angle turned by: below the rounding of |F|^2 there is nothing more to do.
        s[i, SKEW + k] = skew * (turned if turned < 1.0 else 1.0) - SQUARE * whole


def _order_pair(p: int, q: int):
    """Puts the longer of columns `p` and `q` first, in all lanes."""
    places = tuple((k * LANES, j * LANES) for k, j in ((p, q), (3 + p, 3 + q), (6 + p, 6 + q)))
    (p0, q0), (p1, q1), (p2, q2) = places
    x0, y0, x1, y1, x2, y2 = (9 * LANES + k for pair in places for k in pair)

    @kernel
    def order_pair(s, i):
        """The longer column first, with a change of sign. Writes: s"""
        for k in range(LANES):
            a0, a1, a2 = s[i, p0 + k], s[i, p1 + k], s[i, p2 + k]
            b0, b1, b2 = s[i, q0 + k], s[i, q1 + k], s[i, q2 + k]
            v0, v1, v2 = s[i, x0 + k], s[i, x1 + k], s[i, x2 + k]
            w0, w1, w2 = s[i, y0 + k], s[i, y1 + k], s[i, y2 + k]
            longer = a0 * a0 + a1 * a1 + a2 * a2 >= b0 * b0 + b1 * b1 + b2 * b2
            s[i, p0 + k], s[i, q0 + k] = (a0 if longer else b0), (b0 if longer else -a0)
            s[i, p1 + k], s[i, q1 + k] = (a1 if longer else b1), (b1 if longer else -a1)
            s[i, p2 + k], s[i, q2 + k] = (a2 if longer else b2), (b2 if longer else -a2)
            s[i, x0 + k], s[i, y0 + k] = (v0 if longer else w0), (w0 if longer else -v0)
            s[i, x1 + k], s[i, y1 + k] = (v1 if longer else w1), (w1 if longer else -v1)
            s[i, x2 + k], s[i, y2 + k] = (v2 if longer else w2), (w2 if longer else -v2)

    return order_pair


_order_01, _order_02, _order_12 = _order_pair(0, 1), _order_pair(0, 2), _order_pair(1, 2)


@kernel
def svd3_lanes(s, i):
    """Decompose the LANES matrices F of scratch row `i`: U, singular values, V. Returns the sweeps. Writes: s"""
    for r in range(9):
        for k in range(LANES):
            s[i, (9 + r) * LANES + k] = 1.0 if r % 4 == 0 else 0.0
    sweeps, left = 0, LANES
    while left > 0 and sweeps < MOST_SWEEPS:
        rotate_lanes(s, i)
        left = 0
        for k in range(LANES):
            if s[i, SKEW + k] > 0.0:
                left += 1  # a count, because sums of whole numbers become vector instructions and maxima do not
        sweeps += 1
    _order_01(s, i)
    _order_02(s, i)
    _order_12(s, i)
    directions_lanes(s, i)
    return sweeps


@kernel
def directions_lanes(s, i):
    """U and the singular values from B = F V, its columns at right angles, the longest first. Writes: s"""
    for k in range(LANES):
        a0, a1, a2 = s[i, k], s[i, 3 * LANES + k], s[i, 6 * LANES + k]
        b0, b1, b2 = s[i, LANES + k], s[i, 4 * LANES + k], s[i, 7 * LANES + k]
        c0, c1, c2 = s[i, 2 * LANES + k], s[i, 5 * LANES + k], s[i, 8 * LANES + k]
        long = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        some = long > 1e-150
        inverse = 1.0 / (long if some else 1.0)
        a0, a1, a2 = (a0 * inverse if some else 1.0), (a1 * inverse if some else 0.0), (a2 * inverse if some else 0.0)
        along = b0 * a0 + b1 * a1 + b2 * a2
        r0, r1, r2 = b0 - along * a0, b1 - along * a1, b2 - along * a2
        short = sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        flat = (short <= FLAT * long) | (short <= 1e-150)
        # A flat cell takes any direction at right angles, from the smaller of two components to stay away from zero.
        first = abs(a0) < 0.57735
        r0 = (0.0 if first else a1) if flat else r0
        r1 = (a2 if first else -a0) if flat else r1
        r2 = (-a1 if first else 0.0) if flat else r2
        inverse = 1.0 / sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        r0, r1, r2 = r0 * inverse, r1 * inverse, r2 * inverse
        t0, t1, t2 = a1 * r2 - a2 * r1, a2 * r0 - a0 * r2, a0 * r1 - a1 * r0
        s[i, SIGMA + k] = long
        s[i, SIGMA + LANES + k] = b0 * r0 + b1 * r1 + b2 * r2
        s[i, SIGMA + 2 * LANES + k] = c0 * t0 + c1 * t1 + c2 * t2
        s[i, k], s[i, 3 * LANES + k], s[i, 6 * LANES + k] = a0, a1, a2
        s[i, LANES + k], s[i, 4 * LANES + k], s[i, 7 * LANES + k] = r0, r1, r2
        s[i, 2 * LANES + k], s[i, 5 * LANES + k], s[i, 8 * LANES + k] = t0, t1, t2
