"""Where a surface that curves is nearest to what it may touch, from a point of it that stands for all around it.

Over the plane across the contact's normal n the gap of the two is, with the slope s between them and the curvature c of both,

    z(x) = s . x + c x^2 / 2        least at x = -s / c, by s^2 / (2 c)

From neighbouring points the same place is found, so that what rolls or tips is met where it is nearest, and not at one point
after another. A point speaks for what is not farther than `reach`, half of the way to the next; beyond it goes less far, back
to itself at twice as far, where another is nearer or nothing is so smooth, and counts for s . x / 2 nearer as before it, up to
16/27 c reach^2.

    s [-], at right angles to n     c [1/m], along the way     x [m]

What turns at ds/dt is nearest elsewhere soon: the place goes over the surface at -(ds/dt) / c, by which it rolls.

Source: [Newton] second order of a smooth surface; the form is ours
Check: tests/equations/test_nearest_on_relief.py
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, dot, norm, scale, sub


@kernel
def slope_between(m, other, n):
    """s of a surface with the outward normal `m`, above what looks along `other`; both roughly along `n`, whichever way."""
    s = add(scale(-1.0, m) if dot(m, n) > 0.0 else m, scale(-1.0, other) if dot(other, n) < 0.0 else other)
    return add_scaled(s, -dot(s, n), n)


@kernel
def way_to_nearest(s, c, reach):
    """x [m]; none where nothing is nearer."""
    steep = norm(s)
    if not 0.0 < steep < 2.0 * c * reach:
        return scale(0.0, s)
    return scale(-min(1.0, 2.0 - steep / (c * reach)) / c, s)


@kernel
def gap_change(s, x):
    """How much wider the gap is at x [m]; less than none."""
    return 0.5 * dot(s, x)


@kernel
def most_nearer(c, reach):
    """How much narrower [m] it is at most."""
    return 16.0 / 27.0 * max(c, 0.0) * reach * reach


@kernel
def turned_normal(m, a, b, c, u, v, w):
    """dm/dt [1/s] of a surface over the triangle a, b, c, whose corners have velocities u, v, w: it turns as that does."""
    ab, ac = sub(b, a), sub(c, a)
    # The gradient in the plane of what moves along m: its two slopes along the sides, solved for.
    p, q, r = dot(ab, ab), dot(ab, ac), dot(ac, ac)
    one, two = dot(sub(v, u), m), dot(sub(w, u), m)
    size = p * r - q * q
    if size < 1e-300:
        return scale(0.0, m)
    return add_scaled(scale((q * two - r * one) / size, ab), (q * one - p * two) / size, ac)
