"""Eigenvalues of a symmetric 3 x 3 matrix in closed form, without its eigenvectors.

With q a third of the trace, B = C - q, p^2 = B:B / 6 and r = det(B/p) / 2 the eigenvalues are q + p x with

    x^3 - 3 x - 2 r = 0,     -1 <= r <= 1

For r >= 0 one root is in [√3, 2], away from the two others: a parabola gives it to 2e-3, two of Halley's steps, which are of
third order, to rounding. The others are the roots of x^2 + x1 x + x1^2 - 3. For r < 0 all signs change.

Where two eigenvalues are close, each is known only to about the root of the rounding; what a smooth symmetric function makes of
all three is not, because the polynomial that has them as its roots is right to rounding.
"""

from math import sqrt

from .._jit import merged

CURVE = 2.0 - 1.0 / 3.0 - 1.7320508075688772
"""So that the parabola √3 + r/3 + CURVE r^2 is right at r = 0, with its slope, and at r = 1."""


@merged
def isolated_root(r):
    """The root in [√3, 2] of x^3 - 3 x - 2 r, 0 <= r <= 1."""
    return nearer(nearer(1.7320508075688772 + r * (1.0 / 3.0 + CURVE * r), r), r)


@merged
def nearer(x, r):
    """One of Halley's steps to that root."""
    f, slope = x * (x * x - 3.0) - 2.0 * r, 3.0 * (x * x - 1.0)
    return x - f * slope / (slope * slope - 3.0 * x * f)


@merged
def symmetric_values(xx, yy, zz, xy, xz, yz):
    """Eigenvalues, the largest first."""
    q = (xx + yy + zz) * (1.0 / 3.0)
    a, b, c = xx - q, yy - q, zz - q
    p = sqrt((a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) * (1.0 / 6.0))
    inverse = 1.0 / (p + 1e-100)
    a, b, c, d, e, f = a * inverse, b * inverse, c * inverse, xy * inverse, xz * inverse, yz * inverse
    r = 0.5 * (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e))
    size = abs(r)
    x = isolated_root(size if size < 1.0 else 1.0)
    rest = 12.0 - 3.0 * x * x
    gap = sqrt(rest if rest > 0.0 else 0.0)
    y, z = 0.5 * (gap - x), -0.5 * (gap + x)
    up = r >= 0.0
    return q + p * (x if up else -z), q + p * (y if up else -y), q + p * (z if up else -x)
