"""Where a surface that curves is nearest to what it may touch, from a point of it that stands for all around it.

Over the plane across the contact's normal n the gap of the two is, with the slope s between them and the curvature c of both,

    z(x) = s . x + c x^2 / 2        least at x = -s / c, by s^2 / (2 c)

and where it bends otherwise along the tangents S_u and S_v of its two parameters, by the form h with h_uv = m_u . S_v of its
outward normal m, and what it touches by k every way,

    (h_uv + k S_u . S_v) (du, dv) = -(s . S_u, s . S_v),    x = S_u du + S_v dv,    nearer by -s . x / 2

From neighbouring points the same place is found, so that what rolls or tips is met where it is nearest, and not at one point
after another. A point speaks for what is not farther than `reach`, half of the way to the next; beyond it goes less far, back
to itself at twice as far, where another is nearer or nothing is so smooth.

    s [-], at right angles to n     c, k [1/m]     h [m]     x [m]

The form is that of rest, times what is left of its curvature c: with the opening o of a triangle, how the normals n_i of its
corners x_i open outwards along its sides,

    o = sum (n_j - n_i) . (x_j - x_i) / sum |x_j - x_i|^2,    left = 1 - (o at rest - o) / c

What is pressed flat tilts with every push: places that went with it would push without a potential, and did, as would levers of
friction above it. So both go less and less as less than SLIDES is left where a thing is flattest, and not at all at STAYS.

What turns at dm/dt is nearest elsewhere soon: x for it in place of s is how fast the place goes over the surface, by which it
rolls, v. One place alone would let what stands on it spin about n for ever. Pressed together both are flat around it, and what
spins at w_n rubs there: as much as it drills rather than rolls, w_n reach beside v, points stay where they are, and count as
near as the nearest up to FLAT reach from it,

    p + share x + (1 - share) min(1, FLAT reach / |x|)^2 s . x / 2 n,    share = (v + EASY) / (v + w_n reach + EASY)

At rest nothing is flat: a ball on a slope, however gentle, begins to roll. But what rolls touches a little ahead, by RESISTS
of its radius, as all real things do: balls of patches are round to 1e-4, and would wander from one hollow to the next.

Source: [Newton] second order of a smooth surface; the form is ours
Check: tests/equations/test_nearest_on_relief.py
"""

from math import sqrt

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, norm, scale, sub
from .borne_above import weight_gradients

SLIDES, STAYS = 0.98, 0.93
"""What is left of a curvature from which on places go to where it is nearest, and up to which they stay where they are [-]."""
FLAT = sqrt(3.0)
"""How far from the nearest place points are flat where they drill, in lengths of `reach` [-]: to those beside it."""
EASY = 1e-5
"""Speed [m/s] below which what drills is at rest."""
RESISTS, CREEPS = 1e-3, 1e-5
"""Rolling friction, as a share of the radius [-], and the speed [m/s] below which it is less."""


@kernel
def slope_between(m, other, n):
    """s of a surface with the outward normal `m`, above what looks along `other`; both roughly along `n`, whichever way."""
    s = add(scale(-1.0, m) if dot(m, n) > 0.0 else m, scale(-1.0, other) if dot(other, n) < 0.0 else other)
    return add_scaled(s, -dot(s, n), n)


@kernel
def opening(a, b, c, one, two, three):
    """o [1/m] of a triangle a, b, c with these normals."""
    p, q, r = sub(b, a), sub(c, b), sub(a, c)
    wide = dot(p, p) + dot(q, q) + dot(r, r)
    return (dot(sub(two, one), p) + dot(sub(three, two), q) + dot(sub(one, three), r)) / max(wide, 1e-300)


@kernel
def going_share(left):
    """How much of the way places go where so much of a curvature is `left`."""
    return max(0.0, min(1.0, (left - STAYS) / (SLIDES - STAYS)))


@kernel
def way_to_nearest(s, c, reach):
    """x [m] where it bends as much every way; none where nothing is nearer."""
    return faded(scale(-1.0 / c, s), reach) if c > 0.0 else scale(0.0, s)


@kernel
def way_over(s, one, two, form, k, n):
    """x [m] across `n` over a surface with tangents S_u and S_v and the form h (uu, uv, vv); none where it does not bend
    outwards."""
    a, b, c = form[0] + k * dot(one, one), form[1] + k * dot(one, two), form[2] + k * dot(two, two)
    size, p, q = a * c - b * b, -dot(s, one), -dot(s, two)
    if a <= 0.0 or size <= 0.0:
        return scale(0.0, s)
    x = add_scaled(scale((c * p - b * q) / size, one), (a * q - b * p) / size, two)
    return add_scaled(x, -dot(x, n), n)


@kernel
def faded(x, reach):
    """As far as a point speaks for."""
    far = norm(x)
    return scale(max(0.0, min(1.0, 2.0 - far / reach)), x) if far > 0.0 else x


@kernel
def gap_change(s, x):
    """How much wider the gap is at x [m]; less than none."""
    return 0.5 * dot(s, x)


@kernel
def flattened(s, x, reach):
    """The same where the point stays and both are pressed flat."""
    return min(1.0, FLAT * reach / max(norm(x), 1e-300)) ** 2 * gap_change(s, x)


@kernel
def most_nearer(c, reach):
    """How much nearer [m] a point of what bends by `c` [1/m] may count at most."""
    return 0.5 * max(c, 0.0) * (FLAT * reach) ** 2


@kernel
def rolling_share(rolls, drills):
    """`share` of what rolls at `rolls` and drills at `drills` [m/s]."""
    return (rolls + EASY) / (rolls + drills + EASY)


@kernel
def ahead(rolls, bend):
    """How far ahead [m] of the nearest place what `rolls` [m/s] over a curvature `bend` [1/m] touches."""
    return scale(RESISTS / (bend * (norm(rolls) + CREEPS)), rolls)


@kernel
def turned_normal(m, a, b, c, u, v, w):
    """dm/dt [1/s] of a surface over the triangle a, b, c, whose corners have velocities u, v, w: it turns as that does."""
    p, q, r = weight_gradients(a, b, c)
    return add_scaled(add_scaled(scale(-dot(u, m), p), -dot(v, m), q), -dot(w, m), r)


@kernel
def spin_about(n, a, b, c, u, v, w):
    """w_n [rad/s] of the triangle a, b, c, whose corners have velocities u, v, w: half of the curl."""
    p, q, r = weight_gradients(a, b, c)
    return 0.5 * dot(n, add(cross(p, u), add(cross(q, v), cross(r, w))))
