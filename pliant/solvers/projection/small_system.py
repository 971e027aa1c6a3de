"""A symmetric positive definite system of three equations."""

from ..._jit import kernel


@kernel
def solve3(s, b):
    """x of s x = b, s = (xx, yy, zz, xy, xz, yz), by cofactors: a chain of projections waits for divisions."""
    xx, yy, zz, xy, xz, yz = s
    a, b1, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    t = 1.0 / (xx * a + xy * b1 + xz * c)
    return (
        t * (a * b[0] + b1 * b[1] + c * b[2]),
        t * (b1 * b[0] + d * b[1] + e * b[2]),
        t * (c * b[0] + e * b[1] + f * b[2]),
    )
