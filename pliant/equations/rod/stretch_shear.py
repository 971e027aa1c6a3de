"""Stretch-shear strain: how far an element of a rope is from its length along its own third axis.

    Gamma = r' - d3,   C_s = (p_2 - p_1) / l - R(q) e3

Here it is multiplied by l and taken along the element's own axes, in which stretching and shearing stiffness are diagonal:

    e = R^T (p_2 - p_1) - l e3      (e1, e2) shear along d1, d2, e3 stretch          [m]

Points that move by d_p and an element that turns by d_phi (world axes) change it by

    d_e = R^T (d_p_2 - d_p_1) + [a]x R^T d_phi,   a = R^T (p_2 - p_1)

With C_s in world axes, as the paper has it, a would be l e3: the same where e = 0. Where passes are few and strain is left
over, stiff ropes projected with l e3 gained energy without bound, with the true a they did not.

    response    A = (1/m_1 + 1/m_2) 1 + [a]x I^-1 [a]x^T,   I^-1 = diag along the element's axes
    impulse P   moves the points by -+ R P / m and turns the element by R I^-1 (P x a)

(18) of the paper writes 3 x 3 inertias into W, while (16b) adds to a quaternion of four numbers: here the element is turned
by the rotation vector d_phi.

Source: [PaperC] equations 5, 11, 12, 17, 18, with rotation vectors in place of quaternions
Check: tests/equations/test_rod_stretch_shear.py
"""

from ..._jit import kernel
from ...math.quat import unrotate
from ...math.vec3 import cross, mul


@kernel
def chord_in_element(q, chord):
    """a = R^T (p_2 - p_1) [m]."""
    return unrotate(q, chord)


@kernel
def stretch_shear(a, length):
    """e [m] from `a` [m]."""
    return a[0], a[1], a[2] - length


@kernel
def stretch_shear_response(a, inverse_mass, inverse_inertia):
    """A [1/kg] as (xx, yy, zz, xy, xz, yz); `inverse_mass` of both points together."""
    x, y, z = a
    i, j, k = inverse_inertia
    return (
        inverse_mass + k * y * y + j * z * z,
        inverse_mass + k * x * x + i * z * z,
        inverse_mass + j * x * x + i * y * y,
        -k * x * y,
        -j * x * z,
        -i * y * z,
    )


@kernel
def turn_by_stretch_shear(a, impulse, inverse_inertia):
    """Angular velocity [rad/s], axes of the element, that an `impulse` [N s] gives it."""
    return mul(inverse_inertia, cross(impulse, a))
