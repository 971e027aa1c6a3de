"""Two rigid rows on one coordinate that ask for different speeds: one of them gives way, up to its bound.

Rows 1 and 2 share the speed u = J V and ask for u + b_1 = 0 and u + b_2 = 0, their impulses between bounds. Where b_1 != b_2,
no speed meets both. The one that is not met is at a bound by Signorini's and Coulomb's conditions for each by itself,

    lambda_1 = high_1 if u + b_1 < 0, low_1 if u + b_1 > 0

so that, where row 2 is met, u = -b_2, and row 1 pushes with high_1 if b_1 < b_2 and with low_1 if b_1 > b_2. Both together
push as before, P = lambda_1 + lambda_2, and the second bears the rest. Solved in turn, row 1 would push on by what row 2 has
taken back, (b_2 - b_1) / K each time, until it is at its bound: for a light link and a strong motor in thousands of turns, in
which the limit does not hold.

Source: [PaperB] equation 15, its impulses between bounds; that one of the two gives way is derived here
Check: tests/exact/test_motors_into_limits.py
"""

from ..._jit import kernel


@kernel
def rigid_pair(bias, low, high, met, both):
    """(lambda_1, lambda_2) [N s or N m s] of a row of `bias` [m/s or rad/s] between `low` and `high` beside one of bias `met`,
    which is met, where they push with `both` together."""
    gone = high if bias < met else low if bias > met else min(max(both, low), high)
    return gone, both - gone
