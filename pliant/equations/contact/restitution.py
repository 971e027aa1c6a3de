"""Restitution: after an impact the surfaces part with e times the speed they met with.

    v_n(after) = -e v_n(before)   where v_n(before) < -threshold

Below the threshold, of the order of the speed gained by gravity within a step, a body is held to rest on the other:
otherwise a resting body would hum.

Source: [Newton] the law of restitution
Check: tests/exact/test_bounce.py
"""

from ..._jit import kernel


@kernel
def rebound_speed(before, e, threshold):
    """Normal speed [m/s] after an impact that met with `before` [m/s]; zero when too slow to bounce."""
    return -e * before if before < -threshold else 0.0
