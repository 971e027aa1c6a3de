"""Vectors of R^3 as tuples: they live in registers and read like the papers."""

from math import sqrt

from .._jit import kernel


@kernel
def load(array, i):
    return array[i, 0], array[i, 1], array[i, 2]


@kernel
def store(array, i, v):
    array[i, 0] = v[0]
    array[i, 1] = v[1]
    array[i, 2] = v[2]


@kernel
def add_at(array, i, v):
    array[i, 0] += v[0]
    array[i, 1] += v[1]
    array[i, 2] += v[2]


@kernel
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def neg(a):
    return -a[0], -a[1], -a[2]


@kernel
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@kernel
def add_scaled(a, s, b):
    """a + s b"""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@kernel
def mul(a, b):
    """Component by component."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def norm(a):
    return sqrt(dot(a, a))


@kernel
def normalize(a):
    """Unit vector along `a`; (0, 0, 1) for a vector too short to have a direction."""
    length = norm(a)
    if length < 1e-300:
        return 0.0, 0.0, 1.0
    return a[0] / length, a[1] / length, a[2] / length


@kernel
def perpendicular(n):
    """A unit vector at right angles to the unit vector `n`, the same for the same `n`."""
    if abs(n[0]) < 0.57735:
        return normalize((0.0, n[2], -n[1]))
    return normalize((n[1], -n[0], 0.0))
