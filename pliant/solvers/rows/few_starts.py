"""Where Newton's method on few contacts begins: with what they bear, with what they bore when last solved so, or with nothing.

A substep solves contacts twice, before the move and after it, which ask for other speeds: each leads the other to drives at
other bounds. A doll at rest took 12 steps in every solve; from where the same solve of the substep before has ended, 1 or 2.
What was found is kept within a step of the world alone; the last of all is what contacts and drives have when the next begins.
"""

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...math.vec3 import neg, sub
from ...model.rows import BEST, CHOSEN, FOUND_AT, IMPULSE, ROW_BEST, ROW_FOUND, ROW_OF, ROW_STEP, ROW_TRIAL, STEP, TRIAL
from .contact_pair import ZERO
from .few_equations import sway
from .few_trial import go, keep_best, measure


@kernel
def start_elsewhere(touch, islands, i, start, bounded, relaxed):
    """Begin with what was found before, or beside `bounded` drives with contacts that bear nothing, if that is less far off
    than `start` [m/s]: with drives that hold they may have been found to bear anything.

    Returns how far off that is [m/s]. Writes: touch.few
    """
    first, last, state = islands.first_contact[i], islands.first_contact[i + 1], touch.few.state
    if aim_at_found(touch.few, islands, i, bounded, 4 if relaxed else 0):
        start = start_there(touch, islands, i, start, bounded)
    if bounded > 0:
        for m in range(first, last):
            store_at(state, m, STEP, neg(load_at(state, m, TRIAL)) if state[m, CHOSEN] > 0.0 else ZERO)
        for r in range(islands.first_drive[i], islands.first_drive[i] + bounded):
            touch.few.drives[r, ROW_STEP] = 0.0
        start = start_there(touch, islands, i, start, bounded)
    return start


@kernel
def start_there(touch, islands, i, start, bounded):
    """Take the step that stands in the scratch if that is less far off than `start` [m/s]; returns how far off it is then.

    Writes: touch.few
    """
    sway(touch.few, islands, i, bounded)
    off = measure(touch, islands, i, 1.0, bounded)[1]
    if not off < start:
        return start
    go(touch.few, islands, i, 1.0, bounded)
    keep_best(touch.few, islands, i, bounded)
    return off


@kernel
def aim_at_found(few, islands, i, bounded, at):
    """The step to what was found before; whether anything was. Writes: few.state, .drives"""
    state, drives, found = few.state, few.drives, False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        known = state[m, CHOSEN] > 0.0 and state[m, FOUND_AT + at] > 0.0
        store_at(state, m, STEP, sub(load_at(state, m, FOUND_AT + at + 1), load_at(state, m, TRIAL)) if known else ZERO)
        found |= known
    for r in range(islands.first_drive[i], islands.first_drive[i] + bounded):
        of = int(drives[r, ROW_OF])
        known = drives[of, ROW_FOUND + at // 2] > 0.0
        drives[r, ROW_STEP] = drives[of, ROW_FOUND + at // 2 + 1] - drives[r, ROW_TRIAL] if known else 0.0
        found |= known
    return found


@kernel
def keep_found(few, islands, i, bounded, relaxed):
    """Keep the best impulses for the next solve of the same kind. Writes: few.state, .drives"""
    at = 4 if relaxed else 0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        few.state[m, FOUND_AT + at] = few.state[m, CHOSEN]
        store_at(few.state, m, FOUND_AT + at + 1, load_at(few.state, m, BEST))
    for r in range(islands.first_drive[i], islands.first_drive[i] + bounded):
        of = int(few.drives[r, ROW_OF])
        few.drives[of, ROW_FOUND + at // 2] = 1.0
        few.drives[of, ROW_FOUND + at // 2 + 1] = few.drives[r, ROW_BEST]


@kernel
def begin_found(few, contacts, drivetrain, islands, i):
    """Before the first move of a step of the world nothing has been found; after the last one, the impulses that contacts, in
    their table, and drives have. Writes: few.state, .drives"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        few.state[m, FOUND_AT], few.state[m, FOUND_AT + 4] = 0.0, 1.0
        store_at(few.state, m, FOUND_AT + 5, load_at(contacts, islands.contact[m], IMPULSE))
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        few.drives[m, ROW_FOUND], few.drives[m, ROW_FOUND + 2] = 0.0, 1.0
        few.drives[m, ROW_FOUND + 3] = drivetrain.state.impulse[islands.drive[m]]
