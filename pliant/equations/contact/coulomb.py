"""Coulomb friction: the tangential impulse stays inside a disc.

    |lambda_t| <= mu lambda_n;  inside it the surfaces stick, on its rim they slip and friction opposes the slip.

Source: [Coulomb] the law of dry friction, as an impulse over a step
Check: tests/exact/test_sliding.py
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


@kernel
def rub(p, q, along, across, heft_p, heft_q, radius):
    """Friction impulse after a visit at slip speeds `along` and `across` [m/s], and whether it is on the rim.

    Where the surfaces can stick each tangent takes what stops it, by its own heft [kg]. Where they slip both take their speed
    by one heft: the impulse that then stays as it is lies against the slip, by two it would lie askew.
    """
    stuck_p, stuck_q, slips = within_disc(p - along * heft_p, q - across * heft_q, radius)
    if not slips:
        return stuck_p, stuck_q, False
    heft = min(heft_p, heft_q)
    return within_disc(p - along * heft, q - across * heft, radius)
