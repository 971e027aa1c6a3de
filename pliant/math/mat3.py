"""3 x 3 matrices as tuples of three rows, and the inverse of symmetric ones (xx, yy, zz, xy, xz, yz)."""

from .._jit import kernel
from .vec3 import add, cross, dot, scale


@kernel
def mat_vec(m, v):
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@kernel
def turned_vec(m, v):
    """m^T v"""
    return add(add(scale(v[0], m[0]), scale(v[1], m[1])), scale(v[2], m[2]))


@kernel
def transpose(m):
    return (m[0][0], m[1][0], m[2][0]), (m[0][1], m[1][1], m[2][1]), (m[0][2], m[1][2], m[2][2])


@kernel
def mat_mul(a, b):
    return turned_vec(b, a[0]), turned_vec(b, a[1]), turned_vec(b, a[2])


@kernel
def mul_transposed(a, b):
    """a b^T"""
    return mat_vec(b, a[0]), mat_vec(b, a[1]), mat_vec(b, a[2])


@kernel
def times_cross(m, r):
    """m [r]x: its rows are those of m, each crossed with r."""
    return cross(m[0], r), cross(m[1], r), cross(m[2], r)


@kernel
def rows_of(s):
    """A symmetric matrix as three rows."""
    return (s[0], s[3], s[4]), (s[3], s[1], s[5]), (s[4], s[5], s[2])


@kernel
def weighted_square(m, d):
    """m^T diag(d) m, symmetric."""
    a, b, c = scale(d[0], m[0]), scale(d[1], m[1]), scale(d[2], m[2])
    return (
        a[0] * m[0][0] + b[0] * m[1][0] + c[0] * m[2][0],
        a[1] * m[0][1] + b[1] * m[1][1] + c[1] * m[2][1],
        a[2] * m[0][2] + b[2] * m[1][2] + c[2] * m[2][2],
        a[0] * m[0][1] + b[0] * m[1][1] + c[0] * m[2][1],
        a[0] * m[0][2] + b[0] * m[1][2] + c[0] * m[2][2],
        a[1] * m[0][2] + b[1] * m[1][2] + c[1] * m[2][2],
    )


@kernel
def sym_add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@kernel
def sym_inverse(s):
    """Inverse of a symmetric positive definite matrix, by its factors L D L^T: true also where its scales differ widely.

    Where rounding has eaten the last of them it stays positive.
    """
    xx, yy, zz, xy, xz, yz = s
    i0 = 1.0 / xx
    a, b = xy * i0, xz * i0
    i1 = 1.0 / (yy - a * xy)
    e = yz - b * xy
    c = e * i1
    i2 = 1.0 / max(zz - b * xz - c * e, 1e-14 * zz)
    p = a * c - b  # L^-1 has rows (1), (-a, 1), (p, -c, 1)
    return i0 + a * a * i1 + p * p * i2, i1 + c * c * i2, i2, -a * i1 - p * c * i2, p * i2, -c * i2
