"""Shared row: all soft rows on one coordinate as a single one.

Rows i on the same coordinate share the speed u = J V and ask for u + b_i + gamma_i lambda_i = 0. So

    lambda_i = -(u + b_i) / gamma_i

and their sum Lambda obeys a row of the same form,

    u + B + Gamma Lambda = 0,   1 / Gamma = sum 1 / gamma_i,   B = Gamma sum b_i / gamma_i

as dampers side by side add up. A rigid row, gamma_i = 0, decides alone: Gamma = 0 and B = b_i; the others have the
impulses that its speed gives them, and it bears the rest.

Source: [PaperB] equation 13, summed
Check: tests/equations/test_shared_row.py
"""

from ..._jit import kernel


@kernel
def conductance(gamma):
    """1 / gamma [kg or kg m2], gamma > 0."""
    return 1.0 / gamma


@kernel
def shared_gamma(total):
    """Gamma for the sum `total` of 1 / gamma_i; for a rigid row, whose sum is written as a negative one, 0."""
    return 0.0 if total < 0.0 else 1.0 / total


@kernel
def shared_bias(total, drawn):
    """B [m/s or rad/s] for the sums `total` of 1 / gamma_i and `drawn` of b_i / gamma_i."""
    return drawn / total
