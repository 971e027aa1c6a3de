"""Bend-twist strain: how far two neighbouring elements of a rope are from the bend and twist at which they rest.

    C_b = Im(conj(q) u - conj(q0) u0),   here doubled: e = 2 Im(p) - l^ u^,   p = conj(q) u       [-]

It changes by d_e = G (d_phi_right - d_phi_left) (darboux_vector.py). In the axes of the left element the response is

    A = G I_left^-1 G^T + G I_right^-1 G^T = S diag(left) S^T + S^T diag(right) S,   S = Re(p) 1 - [Im p]x

and an angular impulse P along e turns the elements by

    left   R_left  diag(left)  (-S^T P)
    right  R_right diag(right) ( S P)        since R_right^T G^T = R(p)^T S^T = S

(the columns of the two frames differ by R(p)). The sign of p is that of the shorter way: (13) compares with the rest as if
q and -q were two frames.

Source: [PaperC] equations 9, 10, 13, 17, with rotation vectors in place of quaternions
Check: tests/equations/test_rod_bend_twist.py
"""

from ..._jit import kernel
from ...math.vec3 import add, cross, mul, neg, scale, sub
from .darboux_vector import left_inverse_inertia, right_inverse_inertia


@kernel
def bend_twist_response(p, inverse_left, inverse_right):
    """A [1/(kg m2)] as (xx, yy, zz, xy, xz, yz); inverse moments of inertia along the elements' own axes."""
    a, b = left_inverse_inertia(p, inverse_left), right_inverse_inertia(p, inverse_right)
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@kernel
def turns_by_bend_twist(p, impulse, inverse_left, inverse_right):
    """Angular velocities [rad/s] of the left and the right element, each in its own axes, after `impulse` [N m s]."""
    straight, across = scale(p[0], impulse), cross((p[1], p[2], p[3]), impulse)
    return mul(inverse_left, neg(add(straight, across))), mul(inverse_right, sub(straight, across))
