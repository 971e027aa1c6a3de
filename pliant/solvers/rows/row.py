"""A row that stands alone: one step of sequential impulses on it, and its warm start.

Source of the update: equations/rigid/soft_constraint.py.
"""

from ..._jit import kernel
from ...couple.ports import push_row, row_speed
from ...equations.rigid.soft_constraint import missing_impulse
from ...model.rows import BIAS, BOUND, GAMMA, HIGH, LOW, RELAXED, RESPONSE, SWEPT


@kernel
def solve_row(rows, r, law, k, impulse, motion, a, b, relaxed):
    """Bring row `r` to its law `k`; returns |d lambda| response [m/s or rad/s]. Writes: impulse[k], velocities"""
    bias = law.table[k, RELAXED] if relaxed else law.table[k, BIAS]
    response = rows.table[r, RESPONSE]
    extra = missing_impulse(row_speed(rows, r, motion, a, b), bias, law.table[k, GAMMA], response, impulse[k])
    new = min(max(impulse[k] + extra, law.table[k, LOW]), law.table[k, HIGH])
    extra = new - impulse[k]
    impulse[k] = new
    push_row(rows, r, motion, a, b, extra)
    return abs(extra) * response


@kernel
def set_law(law, k, bias, relaxed, gamma, low, high):
    """Writes: law at `k`"""
    law.table[k, BIAS] = bias
    law.table[k, RELAXED] = relaxed
    law.table[k, GAMMA] = gamma
    law.table[k, LOW] = low
    law.table[k, HIGH] = high
    law.table[k, BOUND] = SWEPT
