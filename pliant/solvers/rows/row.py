"""A row that stands alone: one step of sequential impulses on it, and its warm start.

Source of the update: equations/rigid/soft_constraint.py.
"""

from ..._jit import kernel
from ...couple.ports import push_row, row_speed
from ...equations.rigid.soft_constraint import missing_impulse


@kernel
def solve_row(rows, r, law, k, impulse, motion, a, b, relaxed):
    """Bring row `r` to its law `k`; returns |d lambda| response [m/s or rad/s]. Writes: impulse[k], velocities"""
    bias = law.relaxed[k] if relaxed else law.bias[k]
    extra = missing_impulse(row_speed(rows, r, motion, a, b), bias, law.gamma[k], rows.response[r], impulse[k])
    new = min(max(impulse[k] + extra, law.low[k]), law.high[k])
    extra = new - impulse[k]
    impulse[k] = new
    push_row(rows, r, motion, a, b, extra)
    return abs(extra) * rows.response[r]


@kernel
def set_law(law, k, bias, relaxed, gamma, low, high):
    """Writes: law at `k`"""
    law.bias[k] = bias
    law.relaxed[k] = relaxed
    law.gamma[k] = gamma
    law.low[k] = low
    law.high[k] = high
