"""Unit quaternions (w, x, y, z), body to world, as tuples."""

from math import atan2, cos, sin, sqrt

from .._jit import kernel


@kernel
def load4(array, i):
    return array[i, 0], array[i, 1], array[i, 2], array[i, 3]


@kernel
def store4(array, i, q):
    array[i, 0] = q[0]
    array[i, 1] = q[1]
    array[i, 2] = q[2]
    array[i, 3] = q[3]


@kernel
def qmul(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def conj(q):
    return q[0], -q[1], -q[2], -q[3]


@kernel
def qnormalize(q):
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@kernel
def rotate(q, v):
    """The vector `v` turned by `q`."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@kernel
def unrotate(q, v):
    """The vector `v` turned back by `q`."""
    return rotate(conj(q), v)


@kernel
def from_rotation_vector(r):
    """The turn about `r` by its length [rad]; of a short one by the series of sine and cosine, to the last bit or two."""
    square = 0.25 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    if square < 0.01:
        s = 0.5 - square * (1.0 / 12.0 - square * (1.0 / 240.0 - square * (1.0 / 10080.0 - square / 725760.0)))
        c = square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40320.0 - square / 3628800.0))))
        return 1.0 - c, s * r[0], s * r[1], s * r[2]
    half = sqrt(square)
    s = 0.5 * sin(half) / half
    return cos(half), s * r[0], s * r[1], s * r[2]


@kernel
def to_rotation_vector(q):
    """The rotation vector [rad] of the turn `q`, the short way."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    scale = sign * (2.0 * atan2(s, sign * q[0]) / s if s > 0.0 else 2.0)
    return scale * q[1], scale * q[2], scale * q[3]


@kernel
def axes(q):
    """The three axes d1, d2, d3 of the frame `q`: the columns of R(q)."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def third_axis(q):
    """d3 of the frame `q`."""
    w, x, y, z = q
    return 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
