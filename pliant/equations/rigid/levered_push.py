"""Levered push: a force that acts beside the centre turns the body as the lever turns, and how stiff that is.

Forces F_i, fixed in the world, act at levers R r_i of a body. With Q = sum r_i F_i^T, r_i in the body's frame, their
torque is

    sum R r_i x F_i = axial(R Q),   axial(P) = (P_yz - P_zy, P_zx - P_xz, P_xy - P_yx)

so nine numbers stand for any number of forces, and the torque follows the body within a step. A small turn d_phi changes
it by (R Q - tr(R Q) 1) d_phi: a stiffness tr(R Q) 1 - sym(R Q) against turning where forces pull outwards. For one force
it has the eigenvalues F.r and (F.r +- |F| |r|) / 2: negative ones too. With P = R Q, t its trace and D the part of sym(P)
without trace, no eigenvalue of sym(P) lies above t / 3 + sqrt(2/3) |D|, so that

    s 1 - sym(P),   s = max(t, t / 3 + sqrt(2/3) |D|)

is never negative for any number of forces: what Newton's method may take for it.

Source: [PaperB] section 2 (forces and their moments); the form with Q is ours
Check: tests/equations/test_levered_push.py
"""

from math import sqrt

from ..._jit import kernel
from ...math.mat3 import mat_mul, transpose
from ...math.quat import axes


@kernel
def turned_levers(q, Q):
    """R Q for the body's orientation `q` and the nine numbers of Q, as three rows [N m]."""
    return mat_mul(transpose(axes(q)), Q)


@kernel
def torque_of(P):
    """axial(P) [N m]."""
    return P[1][2] - P[2][1], P[2][0] - P[0][2], P[0][1] - P[1][0]


@kernel
def stiffness_of(P):
    """What Newton's method takes for the stiffness against turning [N m/rad], (xx, yy, zz, xy, xz, yz)."""
    t = P[0][0] + P[1][1] + P[2][2]
    xy, xz, yz = 0.5 * (P[0][1] + P[1][0]), 0.5 * (P[0][2] + P[2][0]), 0.5 * (P[1][2] + P[2][1])
    x, y, z = P[0][0] - t / 3.0, P[1][1] - t / 3.0, P[2][2] - t / 3.0
    size = sqrt(x * x + y * y + z * z + 2.0 * (xy * xy + xz * xz + yz * yz))
    s = max(t, t / 3.0 + sqrt(2.0 / 3.0) * size)
    return s - P[0][0], s - P[1][1], s - P[2][2], -xy, -xz, -yz
