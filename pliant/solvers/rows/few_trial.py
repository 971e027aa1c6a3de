"""Impulses that Newton's method tries for few contacts and bounded drives: how far off they are, and the best so far."""

from math import inf

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.contact.cone_residual import cone_residual
from ...math.vec3 import add_scaled, dot, sub
from ...model.rows import BEST, CHOSEN, FRICTION, OFF, OWN, ROW_BEST, ROW_STEP, ROW_TRIAL, STEP, SWAYED, TRIAL, U
from .few_drives import go_bounded, keep_best_bounded, measure_bounded
from .few_equations import sway


@kernel
def measure(touch, islands, i, length, bounded):
    """(sum of the squares of F [m2/s2], its largest entry [m/s]) after `length` of a step. Writes: touch.few"""
    table, state = touch.work.table, touch.few.state
    total, largest = measure_bounded(touch.few.drives, islands.first_drive[i], bounded, length)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if state[m, CHOSEN] == 0.0:
            continue
        u = add_scaled(load_at(state, m, U), length, load_at(state, m, SWAYED))
        x = add_scaled(load_at(state, m, TRIAL), length, load_at(state, m, STEP))
        off = cone_residual(state[m, OWN], table[islands.contact[m], FRICTION], u, x)
        store_at(state, m, OFF, off)
        total += dot(off, off)
        largest = max(largest, abs(off[0]), abs(off[1]), abs(off[2]))
    if not total < inf:
        return inf, inf  # also when it is not a number
    return total, largest


@kernel
def keep_best(few, islands, i, bounded):
    """Writes: few.state, .drives"""
    keep_best_bounded(few.drives, islands.first_drive[i], bounded)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        store_at(few.state, m, BEST, load_at(few.state, m, TRIAL))


@kernel
def go(few, islands, i, length, bounded):
    """Writes: few.state, .drives"""
    state = few.state
    go_bounded(few.drives, islands.first_drive[i], bounded, length)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        for r in range(3):
            state[m, TRIAL + r] += length * state[m, STEP + r]
            state[m, U + r] += length * state[m, SWAYED + r]
            state[m, STEP + r] = 0.0
            state[m, SWAYED + r] = 0.0


@kernel
def go_to_best(few, islands, i, bounded):
    """From where `begin_few` begins. Writes: few.state, .drives"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if few.state[m, CHOSEN] > 0.0:
            store_at(few.state, m, STEP, sub(load_at(few.state, m, BEST), load_at(few.state, m, TRIAL)))
    for m in range(islands.first_drive[i], islands.first_drive[i] + bounded):
        few.drives[m, ROW_STEP] = few.drives[m, ROW_BEST] - few.drives[m, ROW_TRIAL]
    sway(few, islands, i, bounded)
    go(few, islands, i, 1.0, bounded)
