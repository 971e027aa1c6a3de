"""Compliant chain: all strains of a rope and all impulses against them in one banded system, which an implicit step solves.

Points p = x + h v and elements q = exp(h w) q_0 end a step of h where

    m (v - v*) = J_p^T P,   I (w - w*) = J_q^T P,   e + a P = 0

with strains e of stretch and shear (stretch_shear.py) and of bend and twist (bend_twist.py), their compliances a over the
step (zero: rigid) and the impulses P against them, J taken at the end of the step. XPBD projects one strain after another,
each along the J of that moment: what it has applied is then not J^T P of the end, and stiff ropes gain energy from that.
Here Newton's method goes on until all three hold. Its system for dP, after points and elements are eliminated, is

    (h J W J^T + a) dP = -(e + a P)

Strain 2 i belongs to element i, strain 2 i + 1 to the joint behind it. An element shares points with its neighbours and turns
in the joints at its sides; a joint shares elements with the next joints: nothing couples further than that, a band of eight
numbers beside the diagonal. With S = Re(p) 1 - [Im p]x of a joint, N the inverse inertia of an element along its own axes,
a the chord in these axes and R(p) from the axes of one element to those of the one before,

    d e_element = R^T (d p_2 - d p_1) + [a]x d phi,   d e_joint = S^T d phi_right - S d phi_left     (phi in own axes)

    joint i, element i           S N [a]x
    element i + 1, joint i       [a]x N S
    joint i + 1, joint i         -S_i+1 N S_i
    element i + 1, element i     -w R(p)^T,  w the lightness of the point between them

A pull T along an element that turns by phi turns with it: a moment -l T phi across the element, h l T more of inertia in the
step (`taut_lightness`). Without it Newton's method takes as many steps as a heavy load is heavier than the rope; a push
would take inertia away and is left out, which costs steps and no truth.

Source: [Macklin2016] sections 3 and 4; [Deul2018]; [Tournier2015] for the stiffness of the pull
Check: tests/equations/test_rod_compliant_chain.py
"""

from ..._jit import kernel
from ...math.mat3 import mat_mul, times_cross, transpose
from ...math.quat import axes
from ...math.sym3 import sym_mul
from ...math.vec3 import dot, mul, neg, scale


@kernel
def taut_lightness(inverse_inertia, length, pull, h):
    """Inverse moments of inertia [1/(kg m2)] of an element under the impulse `pull` [N s], positive pulls, in a step of h."""
    more = h * max(length * pull, 0.0)
    x, y, z = inverse_inertia
    return x / (1.0 + more * x), y / (1.0 + more * y), z


@kernel
def spread(p):
    """S = Re(p) 1 - [Im p]x as three rows."""
    w, x, y, z = p
    return (w, z, -y), (-z, w, x), (y, -x, w)


@kernel
def joint_on_element(S, light, a):
    """S N [a]x [1/(kg m)]: the joint behind an element."""
    return times_cross((mul(S[0], light), mul(S[1], light), mul(S[2], light)), a)


@kernel
def element_on_joint(S, light, a):
    """[a]x N S = -(S^T N [a]x)^T [1/(kg m)]: the joint before an element."""
    return transpose(joint_on_element(transpose(S), neg(light), a))


@kernel
def joint_on_joint(S_after, light, S):
    """-S_i+1 N S_i [1/(kg m2)]: two joints at the sides of an element."""
    opposite = neg(light)
    return mat_mul((mul(S_after[0], opposite), mul(S_after[1], opposite), mul(S_after[2], opposite)), S)


@kernel
def element_on_element(lightness, p):
    """-w R(p)^T [1/kg]: two elements at the sides of a point."""
    x, y, z = axes(p)
    return scale(-lightness, x), scale(-lightness, y), scale(-lightness, z)


@kernel
def lever(q, arm):
    """R^T [r]x [m]: by how much the strain of an element changes with the turn of a body that carries its first point at r."""
    return times_cross(axes(q), arm)


@kernel
def turn_rate(S, q_left):
    """G = S R^T: by how much the strain of a joint changes with the turn of its right frame, world axes."""
    return mat_mul(S, axes(q_left))


@kernel
def congruence(m, s):
    """m s m^T of three rows m and a symmetric s = (xx, yy, zz, xy, xz, yz), which it is too."""
    a, b, c = sym_mul(s, m[0]), sym_mul(s, m[1]), sym_mul(s, m[2])
    return dot(m[0], a), dot(m[1], b), dot(m[2], c), dot(m[0], b), dot(m[0], c), dot(m[1], c)


@kernel
def product_between(m, s, n):
    """m s n^T of three rows m and n and a symmetric s."""
    a, b, c = sym_mul(s, m[0]), sym_mul(s, m[1]), sym_mul(s, m[2])
    return (
        (dot(a, n[0]), dot(a, n[1]), dot(a, n[2])),
        (dot(b, n[0]), dot(b, n[1]), dot(b, n[2])),
        (dot(c, n[0]), dot(c, n[1]), dot(c, n[2])),
    )
