"""Volume constraint: the nearest singular values whose product lies in a range.

For a cell the volume is s1 s2 s3 of what it was, with s1 >= s2 >= |s3|. Where that is outside [low, high], the nearest
d = (d1, d2, d3) with product c (the end of the range) satisfies d_i - s_i = m / d_i for one number m, so

    d_i (d_i - s_i) = m,      d_1 = (s_1 + sqrt(s_1^2 + 4 m)) / 2,   d_2 likewise

d3 is the unknown: m = d3 (d3 - s3) >= -s3^2 / 4 keeps both roots real, and every d3 > 0 gives d1, d2 > 0, so an inverted cell
finds its way back. What is left is one equation,  g(log d3) = log(d1 d2 d3 / c) = 0, with

    g' = 1 + m' (a1 + a2),    m' = d3 (2 d3 - s3),  a_i = 1 / (d_i q_i),  q_i = 2 d_i - s_i
    g" = d3 (4 d3 - s3) (a1 + a2) - m'^2 (a1^2 (1 + 2 d1/q1) + a2^2 (1 + 2 d2/q2))

because dd_i/dm = 1/q_i. g' is between 1 and 3 wherever d3 >= s3 / 2. Newton's step z = -g/g', times 1 - z g"/(2 g') for the
curvature, is of third order; so is log r ~ 2 (r - 1)/(r + 1) and exp z ~ (2 + z)/(2 - z), with which steps are bounded far
away and d3 stays positive. For the area of a triangle there is no d1.

Source: [PaperD] equation 4, volume of cells
Check: tests/equations/test_elastic_projection.py
"""

from math import sqrt

from ..._jit import kernel, merged

MOST_STEPS = 30
CLOSE = 1e-5
"""A step below this leaves an error of its cube."""


@merged
def partner(s, m):
    """d >= s/2 with d (d - s) = m, and 2 d - s."""
    square = s * s + 4.0 * m
    root = sqrt(square if square > 1e-60 else 1e-60)
    return 0.5 * (s + root), root


@merged
def volume_guess(s1, s2, s3, c):
    """A positive d3 to start from: by Newton's first step in m from m = 0, where d = s."""
    volume = s1 * s2 * s3
    a, b, e = s1 * s2, s2 * s3, s3 * s1
    d3 = partner(s3, (c - volume) * volume / (a * a + b * b + e * e + 1e-30))[0]
    return d3 if s3 > 0.1 else 0.1


@merged
def area_guess(s1, s2, c):
    """A positive d2 to start from, likewise."""
    area = s1 * s2
    d2 = partner(s2, (c - area) * area / (s1 * s1 + s2 * s2 + 1e-30))[0]
    return d2 if s2 > 0.1 else 0.1


@merged
def moved(d, product, c, slope, curve):
    """d after one step, and the size of the step, from the product so far, g' and g"."""
    safe = slope if slope > 0.3 else 0.3
    below = 1.0 / ((c + product) * safe)
    z = 2.0 * (c - product) * below
    bent = 1.0 - 0.5 * z * curve * (c + product) * below
    bent = 1.5 if bent > 1.5 else bent
    z *= 0.5 if bent < 0.5 else bent
    z = 1.8 if z > 1.8 else z
    z = -1.8 if z < -1.8 else z
    return d * (2.0 + z) / (2.0 - z), abs(z)


@merged
def volume_step(s1, s2, s3, d3, c):
    """The next d3, and the size of the step."""
    m = d3 * (d3 - s3)
    d1, q1 = partner(s1, m)
    d2, q2 = partner(s2, m)
    e1, e2, rise = d1 * q1, d2 * q2, d3 * (2.0 * d3 - s3)
    both = 1.0 / (e1 * e2)
    a1, a2 = e2 * both, e1 * both
    curve = d3 * (4.0 * d3 - s3) * (a1 + a2) - rise * rise * (
        a1 * a1 * (1.0 + 2.0 * d1 * d1 * a1) + a2 * a2 * (1.0 + 2.0 * d2 * d2 * a2))
    return moved(d3, d1 * d2 * d3, c, 1.0 + rise * (a1 + a2), curve)


@merged
def area_step(s1, s2, d2, c):
    """The same for two singular values, s1 >= s2 >= 0."""
    d1, q1 = partner(s1, d2 * (d2 - s2))
    a1, rise = 1.0 / (d1 * q1), d2 * (2.0 * d2 - s2)
    curve = d2 * (4.0 * d2 - s2) * a1 - rise * rise * a1 * a1 * (1.0 + 2.0 * d1 * d1 * a1)
    return moved(d2, d1 * d2, c, 1.0 + rise * a1, curve)


@kernel
def with_product(s, c):
    """The singular values next to `s` = (s1, s2, s3) whose product is `c` > 0."""
    d3 = volume_guess(s[0], s[1], s[2], c)
    for _ in range(MOST_STEPS):
        d3, step = volume_step(s[0], s[1], s[2], d3, c)
        if step < CLOSE:
            break
    m = d3 * (d3 - s[2])
    return partner(s[0], m)[0], partner(s[1], m)[0], d3


@kernel
def with_area(s1, s2, c):
    """The singular values next to s1 >= s2 >= 0 whose product is `c` > 0."""
    d2 = area_guess(s1, s2, c)
    for _ in range(MOST_STEPS):
        d2, step = area_step(s1, s2, d2, c)
        if step < CLOSE:
            break
    return partner(s1, d2 * (d2 - s2))[0], d2
