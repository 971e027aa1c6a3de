"""Mean axis: the direction between two links along which the gap between them stretches, and across which it shears.

A rod stands for half a link on either side. With k_s its stiffness across and k_a along, the same all round, and the gap g
from the left link's end to the right one's,

    V = 1/2 k_s (g.g - gamma^2) + 1/2 k_a gamma^2,   gamma = g.d,   d = m / s,   m = p d_a + (1 - p) d_b,   s = |m|

d_a, d_b are the axes of the two links and p = 1/2: then d errs from the rope's own direction by the square of their turn.
Along d_a alone (p = 1) it errs by the turn itself, and a curved rope whose k_s and k_a differ is of first order. Where
nothing bends at a joint, as at a pin, the holder has no axis to speak of: p is 1 or 0, the rope's link alone.

Links that turn at w_a, w_b turn d by d' = (1 - d d^T) D / s with D = p (w_a x d_a) + (1 - p) (w_b x d_b). In a frame that
turns with d and does not spin about it, w_m = d x D / s, the gap changes at the rate

    g' - w_m x g = g' - (gamma / s) D + d (g.D) / s

so that, with g' = v_b + w_b x r_b - v_a - w_a x r_a, each link's side of it is v + w x r + d (c.w), where

    left    r = r_a + p (gamma / s) d_a          c = p (g x d_a) / s
    right   r = r_b - (1 - p)(gamma / s) d_b     c = (1 - p) (d_b x g) / s

and the force f = k_s g + (k_a - k_s) gamma d on the left link, -f on the right one, acts through just these: the work
f.(g' - w_m x g) is V' (the spin left out of w_m does none, f and g lying in one plane with d). Neither r x f nor c has a
part along the link's own axis where the anchor lies on it: however thin links are, a gap does not spin them.

Links folded onto each other have no mean axis. Where |m| is below F = FOLDED, a fold of 151 degrees, V is the same with

    d = m / s,   s = (|m|^2 + F^2) / (2 F)

shorter than one, and with it what k_a and k_s differ by: V stays finite and smooth. Such a d does more than turn,

    g.d' = e.D / s,   e = g - gamma m / F

and there is no frame that turns with it. Since f.d = gamma (k_s + (k_a - k_s) d.d), for any d

    V' = f.(g' + beta d (g.d')),   beta = (k_a - k_s) / (k_s + (k_a - k_s) d.d)

so that there both levers are the anchors' own and c = beta p (e x d_a) / s, beta (1 - p) (d_b x e) / s. (With the levers of
unit axes a clamp folded back by 177 degrees, its rope sheared by more than an element, kept Newton's method from converging
at any step.)

Source: [Antman2005] chapter 8, the special Cosserat rod whose strains these are; the discretisation is derived here
Check: tests/equations/test_rod_mean_axis.py
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, norm, scale

FOLDED = 0.25
"""|m| below which links are folded [-]. By as much as links turn d turns 1 / s faster, at F = 0.05 too fast for Newton's
method where a rope of GA = 1e-4 EA lay back along its clamp."""


@kernel
def mean_axis(d_a, d_b, share):
    """(d, s) of the axes of the left and right link; `share` = p."""
    m = add_scaled(scale(share, d_a), 1.0 - share, d_b)
    s = norm(m)
    if s < FOLDED:
        s = (s * s + FOLDED * FOLDED) / (2.0 * FOLDED)
    return scale(1.0 / s, m), s


@kernel
def left_arm(gap, d, s, d_a, share, across, along):
    """(what the gap adds to the left link's lever [m], c [m]); `across`, `along`: k_s, k_a, both times anything."""
    t, gamma = share / s, dot(gap, d)
    if s < FOLDED:
        e, beta = folded_gap(gap, d, s, gamma, across, along)
        return (0.0, 0.0, 0.0), scale(beta * t, cross(e, d_a))
    return scale(t * gamma, d_a), scale(t, cross(gap, d_a))


@kernel
def right_arm(gap, d, s, d_b, share, across, along):
    """(what the gap adds to the right link's lever [m], c [m])."""
    t, gamma = (1.0 - share) / s, dot(gap, d)
    if s < FOLDED:
        e, beta = folded_gap(gap, d, s, gamma, across, along)
        return (0.0, 0.0, 0.0), scale(beta * t, cross(d_b, e))
    return scale(-t * gamma, d_b), scale(t, cross(d_b, gap))


@kernel
def folded_gap(gap, d, s, gamma, across, along):
    """(e, beta)."""
    more = along - across
    return add_scaled(gap, -gamma * s / FOLDED, d), more / (across + more * dot(d, d))


@kernel
def gap_stiffness(d, across, along):
    """k_s 1 + (k_a - k_s) d d^T as (xx, yy, zz, xy, xz, yz) [N/m]."""
    return along_and_across(d, across, along - across)


@kernel
def gap_softness(d, across, along):
    """Its inverse [m/N], also where d is shorter than one."""
    more = along - across
    return along_and_across(d, 1.0 / across, -more / (across * (across + more * dot(d, d))))


@kernel
def along_and_across(d, across, more):
    """across 1 + more d d^T."""
    return (across + more * d[0] * d[0], across + more * d[1] * d[1], across + more * d[2] * d[2], more * d[0] * d[1],
            more * d[0] * d[2], more * d[1] * d[2])


@kernel
def gap_energy(gap, d, across, along):
    """V [J]."""
    return 0.5 * (across * dot(gap, gap) + (along - across) * dot(gap, d) ** 2)


@kernel
def direction(d, other):
    """d, which is shorter than one where links fold, made unit; `other` where it is nothing."""
    n = norm(d)
    return scale(1.0 / n, d) if n > 0.0 else other


@kernel
def carry(d, e, v):
    """`v` turned as d is turned to e the short way: (1 + [k]x + [k]x^2 / (1 + d.e)) v, k = d x e; by less than half a turn.

    d and e are units, or `direction` makes them so.
    """
    k = cross(d, e)
    once = cross(k, v)
    twice = scale(1.0 / (1.0 + dot(d, e)), cross(k, once))
    return add(v, add(once, twice))
