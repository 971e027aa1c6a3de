"""Coulomb friction: the tangential impulse stays inside a disc.

    |lambda_t| <= mu lambda_n;  inside it the surfaces stick, on its rim they slip and friction opposes the slip.

Source: [Coulomb] the law of dry friction, as an impulse over a step
Check: tests/exact/test_slope.py
"""

from math import sqrt

from ..._jit import kernel


@kernel
def within_disc(p, q, radius):
    """The point of the disc of `radius` nearest to (p, q), and whether it had to be moved."""
    square = p * p + q * q
    if square <= radius * radius:
        return p, q, False
    s = radius / sqrt(square)
    return s * p, s * q, True
