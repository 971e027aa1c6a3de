"""Sweeps over the small system of few contacts and bounded drives, where Newton's method finds nothing better.

Links that are jammed by friction have several states that are nearly met, between which Newton's steps lead nowhere. Sweeps
over the numbers that say how rows answer each other take long, but leave such places; from where they come to it goes on.
"""

from ..._jit import kernel
from ...couple.ports import load_at
from ...equations.contact.coulomb import within_disc
from ...model.rows import CHOSEN, FRICTION, ROW_HIGH, ROW_LOW, ROW_TRIAL, ROW_U, ROW_YIELDS, TRIAL, YIELDS, U
from .few_springs import contact_rows, first_row

SWEEPS = 60
"""Over all rows."""


@kernel
def sweep_few(touch, islands, i, bounded):
    """Visit the chosen contacts and `bounded` drives of an island SWEEPS times. Writes: touch.few.state, .drives"""
    table, few, top, size = touch.work.table, touch.few, first_row(islands, i), contact_rows(islands, i)
    state, drives, first = few.state, few.drives, islands.first_contact[i]
    for _ in range(SWEEPS):
        for p in range(size // 3):
            m = first + p
            if state[m, CHOSEN] == 0.0:
                continue
            x, y, z = load_at(state, m, TRIAL)
            new_x = max(x - state[m, U] / answer(few, top, m, 3 * p, 0), 0.0)
            shift(few, islands, i, bounded, 3 * p, new_x - x)
            state[m, TRIAL] = new_x
            state[m, U] += state[m, YIELDS] * (new_x - x)
            new_y, new_z, _ = within_disc(y - state[m, U + 1] / answer(few, top, m, 3 * p, 1),
                                          z - state[m, U + 2] / answer(few, top, m, 3 * p, 2),
                                          table[islands.contact[m], FRICTION] * new_x)
            for r, change in ((1, new_y - y), (2, new_z - z)):
                shift(few, islands, i, bounded, 3 * p + r, change)
                state[m, TRIAL + r] += change
                state[m, U + r] += state[m, YIELDS + r] * change
        for p in range(bounded):
            m = islands.first_drive[i] + p
            own = few.matrix[top + size + p, size + p] + drives[m, ROW_YIELDS]
            new = min(max(drives[m, ROW_TRIAL] - drives[m, ROW_U] / own, drives[m, ROW_LOW]), drives[m, ROW_HIGH])
            change = new - drives[m, ROW_TRIAL]
            shift(few, islands, i, bounded, size + p, change)
            drives[m, ROW_TRIAL] = new
            drives[m, ROW_U] += drives[m, ROW_YIELDS] * change


@kernel
def answer(few, top, m, column, r):
    """How the speed along row `r` of the contact in place `m` answers its own impulse [1/kg]."""
    return max(few.matrix[top + column + r, column + r], 0.0) + few.state[m, YIELDS + r]


@kernel
def shift(few, islands, i, bounded, column, change):
    """Speeds along all rows when the impulse of one changes, but for what that yields to itself; the matrix is symmetric, and
    read along its rows. Writes: few.state, .drives"""
    top, size, first = first_row(islands, i), contact_rows(islands, i), islands.first_contact[i]
    if change == 0.0:
        return
    for p in range(size // 3):
        if few.state[first + p, CHOSEN] > 0.0:
            for r in range(3):
                few.state[first + p, U + r] += few.matrix[top + column, 3 * p + r] * change
    for q in range(bounded):
        few.drives[islands.first_drive[i] + q, ROW_U] += few.matrix[top + column, size + q] * change
