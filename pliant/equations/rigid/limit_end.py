"""Where a limit lets its coordinate end: at the limit, where the bodies have come to, not where a tangent leads.

A limit q <= 0 asks in a substep of h for J V + b = 0, J the row at its start. The coordinate leaves that tangent: an axis that
whirls at w on a cone of half angle a by h^2 w^2 sin a cos a / 2. Pushed back afterwards, against what presses the axis on its
cone, it would gain by each such substep what the push does along the way back, and eight links in an arc did by hundreds of
joules. So the bodies are moved, and what the coordinate misses is asked for as well,

    b += (q_1 - q*) / h                                             where the limit pushes, or q_1 > q*

until q_1 = q* or the limit need not push: the complementarity is that of the end, as of joints in Andersen's RATTLE. q* is 0,
or, of what starts beyond the limit, on the way back.

Then the limit takes what speed is left towards it, and gives none: along its row at the end u_1 = 0 if it has pushed.

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


@kernel
def limit_end(beyond, h):
    """How far beyond its limit a coordinate may be after `h` [s] that is so far `beyond` it, or short of it (< 0)."""
    return beyond - h * led_back(beyond, h) if beyond > 0.0 else 0.0
