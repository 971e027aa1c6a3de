"""A drive in two halves: its law before the move of a substep and after it.

A drive asks for u + b + gamma lambda = 0 within low <= lambda <= high, u the rate of its coordinate and lambda its impulse in
the substep h (soft_constraint.py, dc_motor.py). Pushing with all of lambda before the move is implicit Euler, first order for
all that hangs on the drive. In halves

    before the move, at rate u_1/2        u_1/2 + b + 2 gamma lambda_1 = 0,       low / 2 <= lambda_1 <= high / 2
    after it, at rate u_1                 u_1 + b + gamma (lambda_1 + lambda_2) = 0,      low <= lambda_1 + lambda_2 <= high

with b from where the substep began: half of the drive acts before the move and the rest after it, as half of all
forces from outside do. What moves otherwise (weights, joints, what a motor at its bound does) is then second order, and keeps
its balance of energy with the work of the drive,

    W = lambda_1 (u_0 + u_1/2) / 2 + lambda_2 (u'_1/2 + u_1) / 2        u'_1/2: where the bodies have come to

by which kinetic energies change exactly. On a mass m alone u_1 is that of implicit Euler. A spring k, damper c to x = 0 gives

    u_1/2 = (u - h k x / 2m) / (1 + h c / 2m + h^2 k / 2m),    x_1 = x + h u_1/2
    u_1 = (u - h k x / m) / (1 + h c / m + h^2 k / m)

Without damper the two eigenvalues of (x, u) -> (x_1, u_1) have the product 1 / (1 + h^2 k / 2m), that of implicit Euler being
1 / (1 + h^2 k / m): half as much is lost, at any h something, and what is stiff ends where it is told to. It rests where
forces balance, since b + gamma lambda = 0 makes b + 2 gamma lambda / 2 = 0.

The rotor of a DC motor is an inertia, the same for both halves.

Source: [Andersen1983] the two halves; how laws are split is derived here
Check: tests/exact/test_motor_balance.py
"""

from ..._jit import kernel


@kernel
def share_of_law(gamma, low, high, share):
    """(gamma, low, high) of a drive that gives `share` times as much."""
    return gamma / share, low * share, high * share
