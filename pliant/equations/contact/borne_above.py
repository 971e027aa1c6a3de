"""A force at a point over a triangle, borne by the triangle's corners: whole, and with its moment.

A contact at P stands over the triangle x_a x_b x_c of unit normal m: its base, with weights w_c, lies under it along the normal
n of the contact, P = sum w_c x_c + s n. Shared by the weights alone, what rubs there would act at the base. With g_c, the
gradients of the weights in the plane of the triangle, the corners bear

    F_c = w_c F + (L_c . F) n,     L_c = -s (g_c - m (g_c . n) / (m . n)),     n . L_c = 0

What is added has no sum, as the g_c have none. Its moment is that of the lever: sum x_c (g_c . d) = d for any d in the plane,
of which F less what n takes of it is one, so that sum (L_c . F) x_c = -s F up to n, and

    sum x_c x F_c = P x F

What a push along n does is unchanged. The other way round the point moves at u = sum w_c v_c + L_c (n . v_c): as the triangle
turns, and with the same work, sum F_c . v_c = F . u. Where m leans far from n, the levers would be without end: m . n counts
for STEEP at least.

    w_c [-]     s [m]     g_c [1/m]     L_c [-]     F [N]

Source: [Newton] forces and moments; the form is ours
Check: tests/equations/test_borne_above.py
"""

from ..._jit import kernel
from ...math.vec3 import add_scaled, cross, dot, norm, scale, sub

STEEP = 0.4
"""Cosine between the triangle's normal and the contact's below which the moment is no longer whole [-]."""


@kernel
def weight_gradients(a, b, c):
    """g_c of the three corners; zero for a triangle without area."""
    across = cross(sub(b, a), sub(c, a))
    square = dot(across, across)
    share = 1.0 / square if square > 1e-300 else 0.0
    return (scale(share, cross(across, sub(c, b))), scale(share, cross(across, sub(a, c))),
            scale(share, cross(across, sub(b, a))))


@kernel
def tilts_above(a, b, c, n, s):
    """The levers L of the three corners; zero for a triangle without area."""
    one, two, three = weight_gradients(a, b, c)
    across = cross(sub(b, a), sub(c, a))
    lean, least = dot(across, n), max(STEEP * norm(across), 1e-300)
    across = scale(1.0 / (max(lean, least) if lean >= 0.0 else min(lean, -least)), across)
    return _tilt(one, across, n, s), _tilt(two, across, n, s), _tilt(three, across, n, s)


@kernel
def _tilt(g, steep, n, s):
    """The lever of the corner with gradient `g`; `steep` is m / (m . n)."""
    tilt = scale(-s, add_scaled(g, -dot(g, n), steep))
    return add_scaled(tilt, -dot(tilt, n), n)


@kernel
def tipped(share, tilt, n, p):
    """What a corner bears of an impulse, w p + (L . p) n."""
    return add_scaled(scale(share, p), dot(tilt, p), n)
