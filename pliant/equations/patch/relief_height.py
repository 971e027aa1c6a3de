"""Height of the relief over a base point: the root of t = R(p + t n), and the proof that there is only one on its side.

    h(t) = t - R(p + t n) = 0,   h'(t) = 1 - n.grad R

    p, n  base point [m] and unit direction, interpolated from the corners of the triangle and their normals
    R     relief function of perturbation.py

Side. Where R(p) > 0 the base point is inside (h(0) < 0) and the surface is met outwards, at t > 0; where R(p) < 0 it is
outside, and the surface is met inwards. What lies behind, as the other side of a body, is no height of this face.

Bracket. Along the line each quadric is a parabola q = A t^2 + B t + C, whose least and largest values over an interval
are known in closed form; with them, low and high, the sums of the least and the largest a_k max(q_k, 0)^3, bound R from
both sides, so h(low) <= 0 <= h(high). Taken again over [low, high] the bounds are tighter. They end at `reach`, for a
parabola that opens upwards has no largest value. A half, a fourth, … at either end is then cut off where the bounds over
it say that h has one sign: below the height R > t, above it R < t.

Uniqueness. The root is single where sum 3 a_k q_k^2 q_k' < 1 over the bracket. Each term has its extremes at the ends
and where d/dt (q^2 q') = q (2 q'^2 + q q'') = 0, that is at t = (-B +- sqrt((B^2 - 4 A C)/5)) / (2 A): the largest
value of each term is exact, and the sum of them bounds the sum. Where it reaches 1 the bracket is cut into pieces and
each is tried. Then the surface, seen along n, does not fold over.

Source: [PaperD] free-form patch, equation before its figure 1, solved along a direction
Check: tests/equations/test_patch_relief_height.py
"""

from math import sqrt

from ..._jit import kernel
from ...math.vec3 import add_scaled, dot
from .perturbation import quadric_along, relief

FOUND, NO_ROOT, FOLDS = 0, 1, 2
PIECES, HALVINGS = 64, 8


@kernel
def parabola_most(a, b, c, low, high):
    """Largest value of a t^2 + b t + c over [low, high]."""
    most = max((a * low + b) * low + c, (a * high + b) * high + c)
    if a < 0.0:
        t = -0.5 * b / a
        if low < t < high:
            most = max(most, c + 0.5 * b * t)
    return most


@kernel
def cubed_slope(a, b, c, amplitude, t):
    """d/dt of amplitude max(q, 0)^3 for the parabola q."""
    q = (a * t + b) * t + c
    return 3.0 * amplitude * q * q * (2.0 * a * t + b) if q > 0.0 else 0.0


@kernel
def cubed_slope_most(a, b, c, amplitude, low, high):
    """Largest value of that slope over [low, high]."""
    most = max(cubed_slope(a, b, c, amplitude, low), cubed_slope(a, b, c, amplitude, high))
    spread = b * b - 4.0 * a * c
    if a != 0.0 and spread > 0.0:
        root = sqrt(0.2 * spread)
        for side in range(2):
            t = 0.5 * ((root if side == 0 else -root) - b) / a
            if low < t < high:
                most = max(most, cubed_slope(a, b, c, amplitude, t))
        if low < -0.5 * b / a < high:  # the slope changes sign at the parabola's top
            most = max(most, 0.0)
    return most


@kernel
def cubed(q):
    """max(q, 0)^3."""
    return q * q * q if q > 0.0 else 0.0


@kernel
def height_bound(patches, face, p, n, low, high, side):
    """A bound [m] of the relief function over the piece [low, high] of the line, from above for side 1, from below for -1.

    Exact for a single quadric.
    """
    total = 0.0
    for j in range(patches.first_quadric[face], patches.first_quadric[face + 1]):
        k = patches.quadric[j]
        a, b, c = quadric_along(patches.coefficient, k, p, n)
        if side * patches.amplitude[k] > 0.0:
            q = parabola_most(a, b, c, low, high)
        else:
            q = -parabola_most(-a, -b, -c, low, high)
        if q > 0.0:
            total += patches.amplitude[k] * q * q * q
    return total


@kernel
def steepest(patches, face, p, n, low, high):
    """A bound [-] from above of n.grad R over the piece [low, high] of the line; exact for a single quadric."""
    total = 0.0
    for j in range(patches.first_quadric[face], patches.first_quadric[face + 1]):
        k = patches.quadric[j]
        a, b, c = quadric_along(patches.coefficient, k, p, n)
        total += cubed_slope_most(a, b, c, patches.amplitude[k], low, high)
    return total


@kernel
def cut_bracket(patches, face, p, n, low, high):
    """The piece [low, high] of the line without ends over which h surely has one sign, cut off until the rest is not steep."""
    width = high - low
    for _ in range(HALVINGS):
        if steepest(patches, face, p, n, low, high) < 1.0:
            break
        width *= 0.5
        if height_bound(patches, face, p, n, low, low + width, -1.0) > low + width:
            low += width
        if low < high - width and height_bound(patches, face, p, n, high - width, high, 1.0) < high - width:
            high -= width
    return low, high


@kernel
def folds(patches, face, p, n, low, high):
    """Whether the relief may have more than one root between low and high."""
    pieces = 1
    while pieces <= PIECES:
        width, worst, i = (high - low) / pieces, 0.0, 0
        while worst < 1.0 and i < pieces:
            worst = steepest(patches, face, p, n, low + i * width, low + (i + 1) * width)
            i += 1
        if worst < 1.0:
            return False
        pieces *= 4
    return True


@kernel
def bracketed_root(patches, face, p, n, low, high):
    """The root of h between low and high [m]: Newton's step where it halves |h| within the bracket, else bisection."""
    t, before = min(max(0.0, low), high), 1e300
    for _ in range(200):
        value, gradient = relief(patches, face, add_scaled(p, t, n))
        h, slope = t - value, 1.0 - dot(gradient, n)
        if h == 0.0:
            return t
        if h > 0.0:
            high = t
        else:
            low = t
        step = h / slope if slope > 0.0 else 1e300
        new = t - step
        if not low < new < high or 2.0 * abs(h) > before:
            new = 0.5 * (low + high)
        before = abs(h)
        if new == t or new == low == high:
            return t
        if abs(new - t) <= 2.3e-16 * abs(t):
            return new
        t = new
    return t


@kernel
def relief_height(patches, face, p, n, reach):
    """Height [m] of the relief of a face over the base point p [m] along the unit n, and FOUND, NO_ROOT or FOLDS."""
    here = relief(patches, face, p)[0]
    low, high = (0.0 if here > 0.0 else -reach), (0.0 if here < 0.0 else reach)
    for _ in range(3):
        most = height_bound(patches, face, p, n, low, high, 1.0)
        low = max(low, height_bound(patches, face, p, n, low, high, -1.0))
        high = min(high, most)
    if low == high:
        return low, FOUND
    low, high = cut_bracket(patches, face, p, n, low, high)
    slack = 1e-9 * (high - low) + 1e-14 * reach  # bounds and relief are rounded differently
    low, high = low - slack, high + slack
    top = relief(patches, face, add_scaled(p, high, n))[0]
    bottom = relief(patches, face, add_scaled(p, low, n))[0]
    if high < top or low > bottom:
        return 0.0, NO_ROOT
    if folds(patches, face, p, n, low, high):
        return 0.0, FOLDS
    return bracketed_root(patches, face, p, n, low, high), FOUND
