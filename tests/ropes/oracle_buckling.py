"""When rods buckle: columns, twisted rods and rings. Closed forms, or roots of the determinant that is named."""

from math import pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import jv

EULER = {"clamped-free": 0.25, "pinned-pinned": 1.0, "clamped-clamped": 4.0}


def euler_load(length: float, bending: float, ends: str) -> float:
    """Buckling load [N] of a column: ¼, 1 or 4 times π² EI/L²."""
    return EULER[ends] * pi**2 * bending / length**2


def self_buckling_length(bending: float, weight: float) -> float:
    """Length [m] at which an upright column, clamped below, falls by its own weight per length [N/m].

    L³ = (9/4) j² EI/w, j the first zero of the Bessel function of order −1/3.
    """
    j = brentq(lambda x: jv(-1.0 / 3.0, x), 1.0, 2.5, xtol=1e-15)
    return (2.25 * j**2 * bending / weight) ** (1.0 / 3.0)


def greenhill_pinned(length: float, bending: float, tension: float = 0.0) -> float:
    """Twisting moment [N·m] that buckles a straight rod with free-turning ends, axis held: M² = 4EI (π² EI/L² + T)."""
    return 2.0 * sqrt(bending * (pi**2 * bending / length**2 + tension))


def greenhill_clamped(length: float, bending: float, tension: float = 0.0) -> float:
    """Twisting moment [N·m] that buckles a straight rod with clamped ends, one of which may slide; T < 0: compression.

    The lateral place w = y + iz obeys EI w'''' − iM w''' − T w'' = 0, w = w' = 0 at both ends. With
    w = a + bs + c exp(iλ1 s) + d exp(iλ2 s), EI λ² − Mλ + T = 0, the determinant vanishes where

        cot p − 1/p = cot q − 1/q,   p + q = ML/2EI,   pq = TL²/4EI,   p ≠ q.

    T = 0: tan p = p, M = 8.98682 EI/L (pinned ends: 2π EI/L). M = 0: p = π = −q, Euler's clamped column. The lowest
    root has p in (kπ, (k+1)π) and q in ((k−1)π, kπ); they pass to the next k together, at TL²/EI = 4k(k+1)π².
    """
    product = 0.25 * tension * length**2 / bending
    if product <= -(pi**2):
        raise ValueError("the compression alone buckles the column")
    k = 1
    while product >= k * (k + 1) * pi**2:
        k += 1

    def difference(p: float) -> float:
        return _cotangent_less_pole(p) - _cotangent_less_pole(product / p)

    low = max(k * pi, product / (k * pi), -product / pi)
    high = min((k + 1) * pi, product / ((k - 1) * pi)) if k > 1 else 2.0 * pi
    p = brentq(difference, low * (1.0 + 1e-13), high * (1.0 - 1e-13), xtol=1e-15, rtol=1e-14)
    return 2.0 * bending / length * (p + product / p)


def _cotangent_less_pole(x: float) -> float:
    """cot x − 1/x, which is −x/3 near 0."""
    return -x / 3.0 * (1.0 + x * x / 15.0) if abs(x) < 1e-3 else 1.0 / np.tan(x) - 1.0 / x


def ring_threshold(bending: float, twisting: float) -> float:
    """Twist [rad] put into a straight rod before its ends are joined at which the flat ring buckles: 2π√3 EI/GJ.

    Michell 1889, Zajac 1962; isotropic, straight when free.
    """
    return 2.0 * pi * sqrt(3.0) * bending / twisting
