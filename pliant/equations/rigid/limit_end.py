"""How a limit ends: it takes what speed is left towards it, gives none, and leads back what is beyond it.

A limit q <= 0 asks in a substep of h for u + q_0 / h <= 0 along the way of its coordinate (coordinate_way.py), so that it ends
at the limit where the bodies have come to, and not where a tangent leads: an axis that whirls at w on a cone of half angle a
leaves that by h^2 w^2 sin a cos a / 2. Pushed back afterwards, against what presses the axis on its cone, it would gain by each
such substep what the push does along the way back, and eight links in an arc did by hundreds of joules.

What starts beyond its limit is led back at a bounded rate instead. After the move the limit takes what speed is left towards
it, and gives none: along its row at the end u_1 = 0 if it has pushed.

Source: [Andersen1983] as for joints; the one-sided form is derived here
Check: tests/exact/test_swing_limits.py
"""

from ..._jit import kernel

PUSH_BACK = 0.5
"""Share of what a limit is overrun by that a substep removes [-]."""
PUSH_RATE = 3.0
"""Largest rate [m/s or rad/s] at which it does: what starts beyond its limit is led back, not thrown."""


@kernel
def led_back(over, h):
    """Rate [m/s or rad/s] at which what is `over` its limit, to either side, is led back in a substep of `h` [s]."""
    return min(max(PUSH_BACK * over / h, -PUSH_RATE), PUSH_RATE)
