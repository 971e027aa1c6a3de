"""A row with bounds as one equation for Newton's method.

A row asks for u = J V + bias + gamma lambda = 0 while its impulse lies between its bounds, and pushes with a bound where that
is not enough. With any positive d that is so where lambda is its own projection:

    lambda = min(max(lambda - u / d, low), high),     F = d (lambda - that)

F [m/s] is u inside the bounds, and d times what lambda is off its bound beyond them.

Source: [Alart1991] the functional of an augmented Lagrangian, here of a bound in place of a cone
Check: tests/equations/test_boxed_residual.py
"""

from ..._jit import kernel


@kernel
def boxed_residual(own, low, high, u, x):
    """F [m/s] for speed `u` [m/s] and impulse `x` [N s]; own: d [1/kg]."""
    return own * (x - min(max(x - u / own, low), high))


@kernel
def is_inside(own, low, high, u, x):
    """Whether the row is met inside its bounds, and not by pushing with one of them."""
    return low < x - u / own < high
