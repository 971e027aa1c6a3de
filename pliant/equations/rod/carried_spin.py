"""Carried spin: the angular velocity of an element after it turned, its angular momentum kept.

Euler's equation I dw/dt = tau - w x I w (paper A, 4; paper C, 14b) says that the momentum L = R diag(I) R^T w stays while
the element turns. Over a step by the rotation vector h w, R' = exp(h w) R, keeping L gives

    w' = R' diag(I)^-1 R'^T exp(-h w) R' diag(I) R'^T w

where R^T w = R'^T w was used: the axis of a turn is not moved by it. The papers add -w x I w as an explicit torque, which
feeds a fast spin; kept this way |L| is exact and the energy stays between |L|^2 / (2 I_max) and |L|^2 / (2 I_min).

Source: [PaperA] equations 4, 6, with the momentum kept in place of an explicit torque
Check: tests/equations/test_rod_carried_spin.py
"""

from ..._jit import kernel
from ...math.quat import from_rotation_vector, rotate, unrotate
from ...math.vec3 import mul, scale


@kernel
def carried_spin(q, w, inverse_inertia, h):
    """Angular velocity [rad/s, world axes] for the orientation `q` after a turn by h `w`; a held element keeps `w`."""
    if inverse_inertia[0] == 0.0 or inverse_inertia[1] == 0.0 or inverse_inertia[2] == 0.0:
        return w
    x, y, z = unrotate(q, w)
    L = rotate(q, (x / inverse_inertia[0], y / inverse_inertia[1], z / inverse_inertia[2]))
    L = rotate(from_rotation_vector(scale(-h, w)), L)
    return rotate(q, mul(inverse_inertia, unrotate(q, L)))
