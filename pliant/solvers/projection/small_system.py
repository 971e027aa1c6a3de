"""A symmetric positive definite system of three equations."""

from ..._jit import kernel


@kernel
def solve3(s, b):
    """x of s x = b, s = (xx, yy, zz, xy, xz, yz), by its factors L D L^T: true also where its scales differ widely."""
    xx, yy, zz, xy, xz, yz = s
    i0 = 1.0 / xx
    l1, l2 = xy * i0, xz * i0
    d1, e = yy - l1 * xy, yz - l2 * xy
    l3 = e / d1
    d2 = zz - l2 * xz - l3 * e
    y1 = b[1] - l1 * b[0]
    x2 = (b[2] - l2 * b[0] - l3 * y1) / d2
    x1 = y1 / d1 - l3 * x2
    return b[0] * i0 - l1 * x1 - l2 * x2, x1, x2
