"""Strain and volume of a cell at once, from the singular values alone: the pull without a decomposition.

With F = U diag(s) V^T, t_i the end of the range of strain that s_i is pulled to, and c the volume wanted, the pull at F is

    P = U diag(q) V^T,   q_i = w_s (t_i - s_i) + w_v (d_i - s_i),   d_i = (s_i + √(s_i^2 + 4 m)) / 2

without the first term for an s_i inside its range; m is the number that gives d the product c (volume_projection.py). So
P = F f(C) with C = F^T F, a function of the eigenvalues l_i = s_i^2 of C,

    f(l) = w_s (t/s - 1) + w_v (ρ - 1)/2,     ρ = √(1 + 4 m / l)

and such a function of a matrix is Newton's interpolation through its eigenvalues,

    f(C) = f_1 + f_12 (C - l_1) + f_123 (C - l_1)(C - l_2)

The divided differences have no difference of eigenvalues below the line, so they hold where eigenvalues meet:

    1/s:   -1 / (s1 s2 (s1 + s2)),            (s1 + s2 + s3) / (s1 s2 s3 (s1 + s2)(s2 + s3)(s3 + s1))
    ρ:     -4 m / (l1 l2 (ρ1 + ρ2)),          4 m / (l1 l2 l3) (ρ1 + (l2 + l3 + 4 m)/(l2 ρ2 + l3 ρ3)) / ((ρ1 + ρ2)(ρ1 + ρ3))

The strain's are so where t is the same for the eigenvalues concerned, as it always is if the range is a single number. If not,
the differences are taken as they are; then the eigenvalues have to be apart.

A triangle has two singular values, the same f and no f_123.

C squares the ratio of the singular values, so this is for cells whose least one is not far below the largest: with
s3 > NARROW s1 the rounding is multiplied by 1/NARROW^2 at most. Others are decomposed (math/svd3.py):
inverted ones too, and those so wide that d_3 would be the other root, with which f has no value where eigenvalues meet.

Source: [PaperD] equation 4, strain and volume; [Higham2008] functions of matrices by divided differences
Check: tests/equations/test_elastic_pull.py
"""

from ..._jit import merged

CLOSE = 1e-3
"""Eigenvalues nearer than this share of the largest must be pulled alike [-]: rounding is divided by it."""
NARROW = 0.1
"""Least singular value over the largest [-], below which a cell is decomposed."""
WIDE = 2.0
"""Volume over the largest wanted [-], above which a cell is decomposed: the least d may then be less than half its s."""


@merged
def end_of(s, low, high):
    """The end of the range that a singular value outside is pulled to, 0 for one inside."""
    return low if s <= low else (high if s >= high else 0.0)


@merged
def straddles(l1, l2, t1, t2):
    """Whether two eigenvalues are close but pulled to different ends, or only one of them is pulled."""
    return (t1 != t2) & (l1 - l2 < CLOSE * l1)


@merged
def pull_differences(s1, s2, s3, t1, t2, t3, q1, q2, q3, strain, volume, m):
    """f_1, f_12, f_123 [N m] from s1 >= s2 >= s3 > 0, the ends t they are pulled to, q = √(s^2 + 4 m), the weights, and m."""
    s12, s23, s31 = s1 + s2, s2 + s3, s3 + s1
    whole = 1.0 / (s1 * s2 * s3)
    i1, i2, i3, i12 = whole * s2 * s3, whole * s3 * s1, whole * s1 * s2, whole * s3
    below = 1.0 / (s12 * s23 * s31)
    g1, g2 = (t1 * i1 - 1.0 if t1 > 0.0 else 0.0), (t2 * i2 - 1.0 if t2 > 0.0 else 0.0)
    g3 = t3 * i3 - 1.0 if t3 > 0.0 else 0.0
    l1, l2, l3 = s1 * s1, s2 * s2, s3 * s3
    g12 = -t1 * i12 * s23 * s31 * below if t1 == t2 else (g1 - g2) / (l1 - l2)
    g23 = -t2 * whole * s1 * s12 * s31 * below if t2 == t3 else (g2 - g3) / (l2 - l3)
    g123 = t1 * (s12 + s3) * whole * below if (t1 == t2) & (t2 == t3) else (g12 - g23) / (l1 - l3)
    r1, r2, r3 = q1 * i1, q2 * i2, q3 * i3
    r12, r13 = r1 + r2, r1 + r3
    curve = r1 + (l2 + l3 + 4.0 * m) / (s2 * q2 + s3 * q3)
    under, twice = 1.0 / (r12 * r13), 2.0 * volume * m
    return (strain * g1 + 0.5 * volume * (r1 - 1.0), strain * g12 - twice * i12 * i12 * r13 * under,
            strain * g123 + twice * whole * whole * curve * under)


@merged
def flat_differences(s1, s2, q1, q2, strain, volume, m):
    """f_1 and f_12 [N m] of a triangle, s1 >= s2 > 0, likewise."""
    whole = 1.0 / (s1 * s2)
    i1 = whole * s2
    r1 = q1 * i1
    first = strain * i1 + 0.5 * volume * (r1 - 1.0)
    return first, -strain * whole / (s1 + s2) - 2.0 * volume * m * whole * whole / (r1 + q2 * whole * s1)
