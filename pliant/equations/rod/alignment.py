"""Alignment: the third axis of an element points along the line between its two points.

    G = n - d3(q) = 0,   n = (r_i+1 - r_i) / |r_i+1 - r_i|
    dG/dt = R_p (v_i+1 - v_i) - w x d3,   R_p = (1 - n n^T) / |r_i+1 - r_i|

Both vectors are unit, so along the tangent G says nothing and the 3 x 3 matrix of (18) is singular. In the two directions
d1, d2 it is not. With a_k = (1 - n n^T) d_k / |r_i+1 - r_i|:

    rate_1 = a_1.(v_i+1 - v_i) - d2.w,   rate_2 = a_2.(v_i+1 - v_i) + d1.w

    response  (1/m_i + 1/m_i+1) a_k.a_l + diag(1/I22, 1/I11)

    impulse L (2)   moves the points by +- (L_1 a_1 + L_2 a_2) / m and turns the element by I^-1 (L_2 d1 - L_1 d2)

For drift the constraint itself counts: c = (n.d1, n.d2). It vanishes for n = -d3 too; where n.d3 < 0 it is therefore taken
at its full length, and where n is exactly against d3 as (1, 0): the element turns round.

Source: [PaperA] equations 15-18, in two directions instead of three
Check: tests/equations/test_rod_alignment.py
"""

from math import sqrt

from ..._jit import kernel
from ...math.vec3 import add_scaled, dot, scale, sub


@kernel
def aside(n, d, nearness):
    """a_k [1/m] for the axis `d`; `nearness` is 1 / |r_i+1 - r_i|."""
    return scale(nearness, add_scaled(d, -dot(n, d), n))


@kernel
def inverse_response(a1, a2, inverse_mass, inverse_inertia):
    """Inverse (11, 22, 12) of the 2 x 2 response; `inverse_mass` of both points together, `inverse_inertia` along the axes."""
    xx = inverse_mass * dot(a1, a1) + inverse_inertia[1]
    yy = inverse_mass * dot(a2, a2) + inverse_inertia[0]
    xy = inverse_mass * dot(a1, a2)
    determinant = xx * yy - xy * xy
    if not determinant > 0.0:
        return 0.0, 0.0, 0.0
    return yy / determinant, xx / determinant, -xy / determinant


@kernel
def rates(a1, a2, d1, d2, v_left, v_right, w):
    """How fast c changes [1/s]."""
    v = sub(v_right, v_left)
    return dot(a1, v) - dot(d2, w), dot(a2, v) + dot(d1, w)


@kernel
def misalignment(n, d1, d2, d3):
    """c = (n.d1, n.d2) [-], at full length where n points backwards."""
    x, y = dot(n, d1), dot(n, d2)
    if dot(n, d3) >= 0.0:
        return x, y
    size = sqrt(x * x + y * y)
    if size < 1e-12:
        return 1.0, 0.0
    return x / size, y / size
