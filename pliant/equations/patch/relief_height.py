"""Height of the relief over a base point: the root of t = R(p + t n), and the proof that there is only one.

    h(t) = t - R(p + t n) = 0,   h'(t) = 1 - n.grad R

    p, n  base point [m] and unit direction, interpolated from the corners of the triangle and their normals
    R     relief function of perturbation.py

Bracket. Along the line each quadric is a parabola q = A t^2 + B t + C, whose largest value over an interval is known
in closed form; with it, low = sum over a_k < 0 of a_k max(q_k, 0)^3 and high, the same over a_k > 0, bound R from both
sides, so h(low) <= 0 <= h(high). Taken again over [low, high] the bounds are tighter. They end at `reach`, for a
parabola that opens upwards has no largest value.

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
PIECES = 64


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
def height_bounds(patches, face, p, n, low, high):
    """Bounds (low, high) [m] of the relief function over the piece [low, high] of the line, with zero between them."""
    least, most = 0.0, 0.0
    for j in range(patches.first_quadric[face], patches.first_quadric[face + 1]):
        k = patches.quadric[j]
        a, b, c = quadric_along(patches.coefficient, k, p, n)
        q = max(parabola_most(a, b, c, low, high), 0.0)
        if patches.amplitude[k] > 0.0:
            most += patches.amplitude[k] * q * q * q
        else:
            least += patches.amplitude[k] * q * q * q
    return least, most


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
def folds(patches, face, p, n, low, high):
    """Whether the relief may have more than one root between low and high."""
    if steepest(patches, face, p, n, low, high) < 1.0:
        return False
    width, worst = (high - low) / PIECES, 0.0
    for i in range(PIECES):
        worst = max(worst, steepest(patches, face, p, n, low + i * width, low + (i + 1) * width))
    return worst >= 1.0


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
    low, high = -reach, reach
    for _ in range(3):
        least, most = height_bounds(patches, face, p, n, low, high)
        low, high = max(low, least), min(high, most)
    if low == high:
        return low, FOUND
    slack = 1e-9 * (high - low) + 1e-14 * reach  # bounds and relief are rounded differently
    low, high = low - slack, high + slack
    top = relief(patches, face, add_scaled(p, high, n))[0]
    bottom = relief(patches, face, add_scaled(p, low, n))[0]
    if high < top or low > bottom:
        return 0.0, NO_ROOT
    if folds(patches, face, p, n, low, high):
        return 0.0, FOLDS
    return bracketed_root(patches, face, p, n, low, high), FOUND
