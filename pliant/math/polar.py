"""Polar decomposition of a 3 x 3 matrix: the rotation next to it, and the stretch that is left."""

from .._jit import kernel
from .svd3 import svd3


@kernel
def rotation_of(F):
    """The proper rotation R nearest to `F`, both by columns: U V^T. An inverted F is turned back along its least axis."""
    u, _, v = svd3(F)
    return (
        _column(u, v[0][0], v[1][0], v[2][0]),
        _column(u, v[0][1], v[1][1], v[2][1]),
        _column(u, v[0][2], v[1][2], v[2][2]),
    )


@kernel
def _column(u, a, b, c):
    return (
        a * u[0][0] + b * u[1][0] + c * u[2][0],
        a * u[0][1] + b * u[1][1] + c * u[2][1],
        a * u[0][2] + b * u[1][2] + c * u[2][2],
    )
