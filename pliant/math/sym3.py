"""Symmetric 3 x 3 matrices as tuples (xx, yy, zz, xy, xz, yz)."""

from .._jit import kernel
from .quat import axes


@kernel
def load6(array, i):
    return array[i, 0], array[i, 1], array[i, 2], array[i, 3], array[i, 4], array[i, 5]


@kernel
def store6(array, i, s):
    array[i, 0] = s[0]
    array[i, 1] = s[1]
    array[i, 2] = s[2]
    array[i, 3] = s[3]
    array[i, 4] = s[4]
    array[i, 5] = s[5]


@kernel
def sym_mul(s, v):
    return (
        s[0] * v[0] + s[3] * v[1] + s[4] * v[2],
        s[3] * v[0] + s[1] * v[1] + s[5] * v[2],
        s[4] * v[0] + s[5] * v[1] + s[2] * v[2],
    )


@kernel
def turned_diagonal(q, d):
    """R diag(d) R^T with R = R(q)."""
    a, b, c = axes(q)
    return (
        d[0] * a[0] * a[0] + d[1] * b[0] * b[0] + d[2] * c[0] * c[0],
        d[0] * a[1] * a[1] + d[1] * b[1] * b[1] + d[2] * c[1] * c[1],
        d[0] * a[2] * a[2] + d[1] * b[2] * b[2] + d[2] * c[2] * c[2],
        d[0] * a[0] * a[1] + d[1] * b[0] * b[1] + d[2] * c[0] * c[1],
        d[0] * a[0] * a[2] + d[1] * b[0] * b[2] + d[2] * c[0] * c[2],
        d[0] * a[1] * a[2] + d[1] * b[1] * b[2] + d[2] * c[1] * c[2],
    )
