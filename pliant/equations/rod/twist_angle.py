"""Twist by its angle: a rod of two links resists its twist itself, whatever it bends by, and not the sine of its half.

darboux_vector.py has 2 Im(p), whose third part is 2 sin(a / 2) cos(b / 2) for two links that bend by b and twist by a. As a
strain it bears the moment k sin(a), a tenth too little at 45 degrees, and bending unwinds it. A turn p is a bend between two
halves of a twist, (p0, p3) = cos(b / 2) (cos(a / 2), sin(a / 2)), so that

    a = 2 arctan(p3 / p0),   c = p0^2 + p3^2 = cos^2(b / 2)

and direct ropes bear k a and hold k a^2 / 2, however few the links. A turn dt of the right link against the left one, in the
left one's axes, changes p by (-Im(p) . dt, p0 dt + dt x Im(p)) / 2, which gives

    da = dt3 + (A dt1 + B dt2) / c,   dc = B dt1 - A dt2,   A = p0 p2 + p3 p1,   B = p3 p2 - p0 p1

Bending stays 2 p1, 2 p2: |(p1, p2)| = sin(b / 2) knows nothing of the twist. Two places need care. Links that fold onto each
other have no twist, c = 0: the strain is w a, w = 1 up to a bend by 120 degrees and from there on z (2 - z), z = 4 c. And
half a turn of twist is as far from one side as from the other: from a third of a turn on a goes on as 2 pi / 3 + 4 (sin(a /
2) - sin(pi / 3)), by which the moment falls to zero there.

Source: [Bergou2008] section 4 has twist as an angle; its rates and limits are derived here
Check: tests/equations/test_rod_twist_angle.py
"""

from math import atan2, copysign, cos, pi, sin, sqrt

import numpy as np

from ..._jit import kernel
from ...math.quat import rotate
from .darboux_vector import rate_matrix

THIRD, SINE = 2.0 * pi / 3.0, sqrt(0.75)
"""[rad] up to which the strain is the angle, and the sine of its half."""
SMALL = 0.01
"""tan(a / 2) below which its powers do, to rounding."""


@kernel
def twist_of(p):
    """(w a, w da/da', a dw/dc, c) of the turn `p`, a' the angle itself: the strain [rad] and what its rates are made of."""
    c, t = p[0] * p[0] + p[3] * p[3], p[3]
    if abs(t) < SMALL * p[0]:
        t /= p[0]
        a, slope = 2.0 * t * (1.0 - t * t * (1.0 / 3.0 - t * t * (0.2 - t * t / 7.0))), 1.0
    else:
        a, slope = 2.0 * atan2(p[3], p[0]), 1.0
        if abs(a) > THIRD:
            a, slope = copysign(THIRD + 4.0 * (sin(0.5 * abs(a)) - SINE), a), 2.0 * cos(0.5 * a)
    if c >= 0.25:
        return a, slope, 0.0, c
    z = 4.0 * c
    w = z * (2.0 - z)
    return w * a, w * slope, 8.0 * a * (1.0 - z), c


@kernel
def strain_of(p):
    """(2 p1, 2 p2, w a): bending about d1, d2 and twist from one link to the next, axes of the left one."""
    return 2.0 * p[1], 2.0 * p[2], twist_of(p)[0]


@kernel
def strain_and_rates(p, q_left):
    """The same, and its rates as three rows as `rate_matrix` has them, world axes."""
    first, second, _ = rate_matrix(p, q_left)
    e, g, f, c = twist_of(p)
    A, B = p[0] * p[2] + p[3] * p[1], p[3] * p[2] - p[0] * p[1]
    over = g / c if c > 0.0 else 0.0
    return (2.0 * p[1], 2.0 * p[2], e), (first, second, rotate(q_left, (over * A + f * B, over * B - f * A, g)))


def strains_of(p: np.ndarray) -> np.ndarray:
    """`strain_of` of turns (n, 4), for what is not compiled: (n, 3) [rad]."""
    return np.stack([2.0 * p[:, 1], 2.0 * p[:, 2], _twists_of(p)[0]], axis=1)


def darboux_twist(strains: np.ndarray) -> np.ndarray:
    """2 p3 (n,) of strains (n, 3) within a third of a turn."""
    return 2.0 * np.sqrt(np.maximum(0.0, 1.0 - 0.25 * (strains[:, :2] ** 2).sum(1))) * np.sin(0.5 * strains[:, 2])


def moments_of(p: np.ndarray, m: np.ndarray) -> np.ndarray:
    """G^T m of turns (n, 4): moments on the right links, axes of the left ones (n, 3) [N m], of `m` along the strains."""
    (_, g, f, c), (p0, p1, p2, p3) = _twists_of(p), p.T
    A, B, over = p0 * p2 + p3 * p1, p3 * p2 - p0 * p1, g / np.maximum(c, 1e-300)
    return np.stack([p0 * m[:, 0] - p3 * m[:, 1] + m[:, 2] * (over * A + f * B),
                     p3 * m[:, 0] + p0 * m[:, 1] + m[:, 2] * (over * B - f * A),
                     p1 * m[:, 1] - p2 * m[:, 0] + m[:, 2] * g], axis=1)


def _twists_of(p: np.ndarray) -> tuple[np.ndarray, ...]:
    """`twist_of`."""
    c, a = p[:, 0] ** 2 + p[:, 3] ** 2, 2.0 * np.arctan2(p[:, 3], p[:, 0])
    z, slope = np.minimum(4.0 * c, 1.0), np.where(np.abs(a) > THIRD, 2.0 * np.cos(0.5 * a), 1.0)
    a = np.where(np.abs(a) > THIRD, np.copysign(THIRD + 4.0 * (np.abs(np.sin(0.5 * a)) - SINE), a), a)
    w = z * (2.0 - z)
    return w * a, w * slope, 8.0 * a * (1.0 - z), c
