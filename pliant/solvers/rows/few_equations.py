"""The equations of a step of Newton's method on the cones of a few contacts, and what that step does to their speeds.

Equations: equations/contact/cone_residual.py. Contacts that do not push go out of them beforehand.
"""

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.contact.cone_residual import OPEN, SLIPS, add_slip, cone_state
from ...math.vec3 import add, mul, neg, scale
from ...model.rows import (
    CHOSEN,
    FRICTION,
    OFF,
    OWN,
    PLACE,
    ROW_OFF,
    ROW_OWN,
    ROW_PLACE,
    ROW_STEP,
    ROW_SWAYED,
    ROW_YIELDS,
    STEP,
    SWAYED,
    TRIAL,
    YIELDS,
    U,
)
from .contact_pair import ZERO
from .few_drives import place_bounded
from .few_springs import first_row


@kernel
def assemble(touch, islands, i, damping, bounded):
    """The equations of a step, those of contacts that push and of `bounded` drives inside their bounds alone; returns how many
    these are.

    What does not push goes at once, and the others answer. Writes: touch.few
    """
    table, state, pushing = touch.work.table, touch.few.state, 0
    first, last = islands.first_contact[i], islands.first_contact[i + 1]
    for m in range(first, last):
        mu, own = table[islands.contact[m], FRICTION], state[m, OWN]
        state[m, PLACE] = -1.0
        if state[m, CHOSEN] == 0.0:
            continue
        store_at(state, m, STEP, ZERO)
        kind = cone_state(own, mu, load_at(state, m, U), load_at(state, m, TRIAL))[0]
        if kind != OPEN:
            state[m, PLACE] = 3 * pushing
            pushing += 1
        else:
            store_at(state, m, STEP, scale(-1.0 / own, load_at(state, m, OFF)))
    size = place_bounded(touch.few.drives, islands.first_drive[i], bounded, 3 * pushing)
    for m in range(first, last):
        if state[m, PLACE] >= 0.0:
            write_equations(touch.few, m, islands, i, table[islands.contact[m], FRICTION], size, damping, bounded)
    for p in range(bounded):
        if touch.few.drives[islands.first_drive[i] + p, ROW_PLACE] >= 0.0:
            write_bounded(touch.few, p, islands, i, size, damping, bounded)
    return size


@kernel
def write_equations(few, m, islands, i, mu, size, damping, bounded):
    """The three equations of the contact in place `m` of the islands' list. Writes: few.system"""
    matrix, system, state, top = few.matrix, few.system, few.state, first_row(islands, i)
    first, last = islands.first_contact[i], islands.first_contact[i + 1]
    d = state[m, OWN]
    kind, s, g = cone_state(d, mu, load_at(state, m, U), load_at(state, m, TRIAL))
    at, place = top + 3 * (m - first), int(state[m, PLACE])
    row = top + place
    gives = add(load_at(state, m, YIELDS), (damping * d, damping * d, damping * d))
    x_right, y_right, z_right = neg(load_at(state, m, OFF))
    for q in range(last - first):
        if state[first + q, CHOSEN] == 0.0:
            continue
        column = int(state[first + q, PLACE])
        for b in range(3):
            x, y, z = matrix[at, 3 * q + b], matrix[at + 1, 3 * q + b], matrix[at + 2, 3 * q + b]
            if first + q == m:
                x, y, z = x + gives[b] * (b == 0), y + gives[b] * (b == 1), z + gives[b] * (b == 2)
            y, z = g[0] * y + g[1] * z, g[1] * y + g[2] * z
            if column >= 0:
                system[row, column + b], system[row + 1, column + b], system[row + 2, column + b] = x, y, z
            else:
                gone = state[first + q, STEP + b]
                x_right, y_right, z_right = x_right - gone * x, y_right - gone * y, z_right - gone * z
    for q in range(bounded):
        other = 3 * (last - first) + q
        x, y, z = matrix[at, other], matrix[at + 1, other], matrix[at + 2, other]
        y, z = g[0] * y + g[1] * z, g[1] * y + g[2] * z
        column = int(few.drives[islands.first_drive[i] + q, ROW_PLACE])
        if column >= 0:
            system[row, column], system[row + 1, column], system[row + 2, column] = x, y, z
        else:
            gone = few.drives[islands.first_drive[i] + q, ROW_STEP]
            x_right, y_right, z_right = x_right - gone * x, y_right - gone * y, z_right - gone * z
    if kind == SLIPS:
        add_slip(system, row, place, d, mu, s, g)
    system[row, size], system[row + 1, size], system[row + 2, size] = x_right, y_right, z_right


@kernel
def write_bounded(few, p, islands, i, size, damping, bounded):
    """The equation of bounded drive `p` of an island. Writes: few.system"""
    matrix, system, state, drives = few.matrix, few.system, few.state, few.drives
    first, count, from_drive = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i], (
        islands.first_drive[i])
    at = first_row(islands, i) + 3 * count + p
    row, right = first_row(islands, i) + int(drives[from_drive + p, ROW_PLACE]), -drives[from_drive + p, ROW_OFF]
    for q in range(count):
        if state[first + q, CHOSEN] == 0.0:
            continue
        column = int(state[first + q, PLACE])
        for b in range(3):
            if column >= 0:
                system[row, column + b] = matrix[at, 3 * q + b]
            else:
                right -= matrix[at, 3 * q + b] * state[first + q, STEP + b]
    for q in range(bounded):
        x, column = matrix[at, 3 * count + q], int(drives[from_drive + q, ROW_PLACE])
        if q == p:
            x += drives[from_drive + p, ROW_YIELDS] + damping * drives[from_drive + p, ROW_OWN]
        if column >= 0:
            system[row, column] = x
        else:
            right -= x * drives[from_drive + q, ROW_STEP]
    system[row, size] = right


@kernel
def take_step(few, islands, i, size, bounded):
    """The step that `size` equations found, and what it does to the speeds. Writes: few.state, .drives"""
    system, state, drives, top = few.system, few.state, few.drives, first_row(islands, i)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if state[m, PLACE] >= 0.0:
            row = top + int(state[m, PLACE])
            for r in range(3):
                state[m, STEP + r] = system[row + r, size]
    for m in range(islands.first_drive[i], islands.first_drive[i] + bounded):
        if drives[m, ROW_PLACE] >= 0.0:
            drives[m, ROW_STEP] = system[top + int(drives[m, ROW_PLACE]), size]
    sway(few, islands, i, bounded)


@kernel
def sway(few, islands, i, bounded):
    """What a step does to the speeds. Writes: few.state, .drives"""
    state, drives, top = few.state, few.drives, first_row(islands, i)
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    for p in range(count):
        if state[first + p, CHOSEN] > 0.0:
            gone = mul(load_at(state, first + p, YIELDS), load_at(state, first + p, STEP))
            store_at(state, first + p, SWAYED, add(gone, swayed_contact(few, islands, i, bounded, top + 3 * p)))
    for p in range(bounded):
        m = islands.first_drive[i] + p
        drives[m, ROW_SWAYED] = drives[m, ROW_YIELDS] * drives[m, ROW_STEP] + (
            swayed(few, islands, i, bounded, top + 3 * count + p))


@kernel
def swayed_contact(few, islands, i, bounded, at):
    """The same as `swayed` of three rows, from `at` on (3) [m/s]: together they take a third of the time."""
    matrix, state, x, y, z = few.matrix, few.state, 0.0, 0.0, 0.0
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    for q in range(count):
        if state[first + q, CHOSEN] > 0.0:
            for b in range(3):
                step = state[first + q, STEP + b]
                x += matrix[at, 3 * q + b] * step
                y += matrix[at + 1, 3 * q + b] * step
                z += matrix[at + 2, 3 * q + b] * step
    for q in range(bounded):
        step = few.drives[islands.first_drive[i] + q, ROW_STEP]
        x += matrix[at, 3 * count + q] * step
        y += matrix[at + 1, 3 * count + q] * step
        z += matrix[at + 2, 3 * count + q] * step
    return x, y, z


@kernel
def swayed(few, islands, i, bounded, at):
    """By how much the speed along row `at` of few.matrix changes in a step [m/s]."""
    matrix, state, speed = few.matrix, few.state, 0.0
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    for q in range(count):
        if state[first + q, CHOSEN] > 0.0:
            for b in range(3):
                speed += matrix[at, 3 * q + b] * state[first + q, STEP + b]
    for q in range(bounded):
        speed += matrix[at, 3 * count + q] * few.drives[islands.first_drive[i] + q, ROW_STEP]
    return speed
