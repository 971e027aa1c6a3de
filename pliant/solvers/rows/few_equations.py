"""The equations of a step of Newton's method on the cones of a few contacts, and what that step does to their speeds.

Equations: equations/contact/cone_residual.py. Contacts that do not push go out of them beforehand.
"""

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.contact.cone_residual import OPEN, SLIPS, add_slip, cone_state
from ...math.vec3 import add, mul, neg, scale
from ...model.rows import CHOSEN, FRICTION, OFF, OWN, PLACE, STEP, SWAYED, TRIAL, YIELDS, U
from .contact_pair import ZERO
from .few_springs import first_row


@kernel
def assemble(touch, islands, i, damping):
    """The equations of a step, those of contacts that push alone; returns how many these are.

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
            state[m, PLACE] = pushing
            pushing += 1
        else:
            store_at(state, m, STEP, scale(-1.0 / own, load_at(state, m, OFF)))
    for m in range(first, last):
        if state[m, PLACE] >= 0.0:
            write_equations(touch.few, m, first, last, first_row(islands, i), table[islands.contact[m], FRICTION], 3 * pushing,
                            damping)
    return pushing


@kernel
def write_equations(few, m, first, last, top, mu, size, damping):
    """The three equations of the contact in place `m`, of an island whose rows begin at `top`. Writes: few.system"""
    matrix, system, state = few.matrix, few.system, few.state
    d = state[m, OWN]
    kind, s, g = cone_state(d, mu, load_at(state, m, U), load_at(state, m, TRIAL))
    at, place = top + 3 * (m - first), 3 * int(state[m, PLACE])
    row = 3 * first + place
    gives = add(load_at(state, m, YIELDS), (damping * d, damping * d, damping * d))
    x_right, y_right, z_right = neg(load_at(state, m, OFF))
    for q in range(last - first):
        if state[first + q, CHOSEN] == 0.0:
            continue
        column = 3 * int(state[first + q, PLACE])
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
    if kind == SLIPS:
        add_slip(system, row, place, d, mu, s, g)
    system[row, size], system[row + 1, size], system[row + 2, size] = x_right, y_right, z_right


@kernel
def take_step(few, first, count, top):
    """The step that the equations found, and what it does to the speeds. Writes: few.state"""
    system, state, pushing = few.system, few.state, 0
    for m in range(first, first + count):
        pushing += state[m, PLACE] >= 0.0
    for m in range(first, first + count):
        if state[m, PLACE] >= 0.0:
            row = 3 * first + 3 * int(state[m, PLACE])
            for r in range(3):
                state[m, STEP + r] = system[row + r, 3 * pushing]
    sway(few, first, count, top)


@kernel
def sway(few, first, count, top):
    """What a step does to the speeds, of an island whose rows begin at `top`. Writes: few.state"""
    matrix, state = few.matrix, few.state
    for m in range(first, first + count):
        if state[m, CHOSEN] == 0.0:
            continue
        at = top + 3 * (m - first)
        x, y, z = mul(load_at(state, m, YIELDS), load_at(state, m, STEP))
        for q in range(count):
            if state[first + q, CHOSEN] > 0.0:
                for b in range(3):
                    step = state[first + q, STEP + b]
                    x += matrix[at, 3 * q + b] * step
                    y += matrix[at + 1, 3 * q + b] * step
                    z += matrix[at + 2, 3 * q + b] * step
        store_at(state, m, SWAYED, (x, y, z))
