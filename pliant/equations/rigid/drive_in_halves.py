"""A drive in two halves: its law before the move of a substep and after it.

A drive asks for u + b + gamma lambda = 0 within low <= lambda <= high, u the rate of its coordinate and lambda its impulse in
the substep h (soft_constraint.py, dc_motor.py). Pushing with all of lambda before the move is implicit Euler, first order for
all that hangs on the drive. In halves

    before the move, at rate u_1/2        u_1/2 + b + 2 gamma lambda_1 = 0,       low / 2 <= lambda_1 <= high / 2
    after it, at rate u_1                 u_1 + b + gamma (lambda_1 + lambda_2) = 0,      low <= lambda_1 + lambda_2 <= high

with b from where the substep began, u_1/2 the mean rate of the way that the coordinate goes in the move (coordinate_way.py):
half of the drive acts before the move and the rest after it, as half of all forces from outside do. What moves otherwise
(weights, joints, what a motor at its bound does) is then second order, and keeps its balance of energy with the work of the
drive, which on the way h v of its coordinate, v the mean rate in the move, is

    W = (lambda_1 + lambda_2) v + (lambda_2 - lambda_1) (u_1 - u_0) / 2

What pushes with the same force in both halves does force times way: it is a potential, to which the scheme keeps its energy as
it does to that of weight, so that nothing adds up while it lasts. So does what holds a speed, u_1 = u_0. Halves that differ
since the rate has changed are told by that: of a mass alone v = u_1/2 and W is what its kinetic energy changes by, to the last
bit, weight beside it having its own force times way.

By the speeds that each half finds and leaves, (lambda_1 (u_0 + u_1/2) + lambda_2 (u'_1/2 + u_1)) / 2, u'_1/2 where the bodies
have come to, is what kinetic energies change by at once: that tells whether joints have kept a substep's energy. Summed up it
misses more, the same way in every reversal of a motor.

On a mass m alone u_1 is that of implicit Euler. A spring k, damper c to x = 0 gives

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


@kernel
def work_of_halves(first, second, way, faster):
    """W [J] of the impulses `first` and `second`, the coordinate going at the rate `way` in the move, and `faster` by so
    much at the end than at the start."""
    return (first + second) * way + 0.5 * (second - first) * faster
