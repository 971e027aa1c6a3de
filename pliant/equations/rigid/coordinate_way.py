"""By how much faster a coordinate goes its way in a move than its tangent says, which drives ask for as well.

A drive asks in a substep of h for u + b + gamma lambda = 0, u = J v_1/2 the rate of its coordinate along its row at the start
(drive_in_halves.py). In the move the coordinate leaves that tangent: bodies turn, an axis between two of them with them, and
what is not round changes how it turns. It goes from q_0 to q_1 at the mean rate

    (q_1 - q_0) / h = u + s

So the bodies are moved, s is read off, and the drive asks for u + s + b + gamma lambda = 0 instead, until s changes no more:

    a motor that holds the rate w (b = -w)          q_1 = q_0 + h w, and friction that sticks q_1 = q_0
    a limit q <= 0 (b = q_0 / h)                    q_1 <= 0, and if it pushes q_1 = 0: the complementarity is that of the end
    a position motor, a DC motor, a damper          pull and brake by the mean rate of the way

as joints close at the end of the move in Andersen's RATTLE. Without it a motor that holds a speed found that speed before the
move and, changed by the move, put it right after it: all of the force that this takes acted after the move, and its coordinate
went at w + O(h), first order. Now half of it acts before the move and half after it: second order.

A rotor (dc_motor.py) is an inertia, and knows speeds alone.

Source: [Andersen1983] as for joints; derived here for drives
Check: tests/exact/test_held_speeds.py
"""

from ..._jit import kernel


@kernel
def stray(before, now, speed, h):
    """s [m/s or rad/s] of a coordinate that went from `before` to `now` in `h` [s], along its row at `speed`."""
    return (now - before) / h - speed
