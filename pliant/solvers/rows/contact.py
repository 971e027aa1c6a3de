"""Contacts: a normal that only pushes, softly and beforehand, and friction within Coulomb's disc.

The three rows of a contact are solved together: what friction does to the normal's speed is reckoned from the rows' answers.
Most of the time of a heap is spent here.
"""

from typing import NamedTuple

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.contact.coulomb import rub
from ...equations.rigid.soft_constraint import softness_by_frequency
from ...model.rows import (
    BEFORE,
    FRICTION,
    GAP,
    HEFT,
    IMPULSE,
    MIXED,
    SLIDES,
    SLIP,
    YIELD,
)
from .contact_pair import ZERO, Pair, load_pair, pushed_at, speeds_at, store_pair

PUSH_SPEED = 3.0
"""Largest speed [m/s] at which a penetration is pushed out."""
DAMPING_RATIO = 10.0
"""Of the spring that pushes a penetration out [-]."""
RATE = 0.25
"""Frequency of that spring, as a share of the substeps' [-]."""
SLOP = 2e-4
"""Penetration [m] that is left alone, so that resting contacts do not come and go and heaps calm down."""
FLUSH = 1e-5
"""Surfaces of few contacts no further apart [m] touch: what tells the corners of a face apart that is pressed on another is
rounding, and were they to close such gaps, now one corner would bear all and then another."""
CREEP_BACK = 0.2
"""Share of a sticking contact's creep that a substep takes back [-]."""


class Push(NamedTuple):
    """How penetrations are pushed out in a sweep."""

    rate: float
    """Share of a penetration that goes in a second [1/s]."""
    ease: float
    """Share of a rigid contact's impulse that a soft one takes [-]."""


@kernel
def push_of(h, relaxed):
    """Softly, over a substep `h` [s], or not at all (`relaxed`): velocities alone."""
    if relaxed:
        return Push(0.0, 1.0)
    soft = softness_by_frequency(RATE / h, DAMPING_RATIO, 1.0, h)
    return Push(soft.beta / h, 1.0 / (1.0 + soft.gamma))


@merged
def bias_of(table, k, h, push, near):
    """What the normal row of contact `k` asks for beside its speed [m/s], and which share of a rigid impulse it takes [-].

    A gap of more than `near` [m] may close within the substep; a penetration is pushed out softly. Where the softness is
    counted from the impulse before, what bears a load at rest bears it with no penetration beyond the slop, however light.
    """
    gap = table[k, GAP]
    if gap > near:
        return gap / h, 1.0
    return max(push.rate * min(gap + SLOP, 0.0), -PUSH_SPEED), push.ease


@merged
def solve_contact(table, k, pair, h, push, back, few):
    """Friction, then the normal; (velocities after, |d lambda| response). Writes: table at `k`

    `push` says how penetrations are pushed out, `back` which share of a creep is taken back in a second [1/s]. The creep of one
    of `few` contacts is forgotten where the substep ends sliding, else in any sweep that slides: they may all be far off.
    """
    x, y, z = load_at(table, k, IMPULSE)
    speed, along, across = speeds_at(table, k, pair)
    new_y, new_z, slips = rub(y, z, along + back * table[k, SLIP], across + back * table[k, SLIP + 1], table[k, HEFT + 1],
                              table[k, HEFT + 2], table[k, FRICTION] * x)
    table[k, SLIDES] = 1.0 if slips else 0.0
    if slips and not few:
        table[k, SLIP], table[k, SLIP + 1] = 0.0, 0.0
    d_y, d_z = new_y - y, new_z - z
    speed += table[k, MIXED] * d_y + table[k, MIXED + 1] * d_z
    bias, ease = bias_of(table, k, h, push, FLUSH if few else 0.0)
    new_x = max(ease * (x - (speed + bias) * table[k, HEFT]) + (1.0 - ease) * table[k, BEFORE], 0.0)
    d_x = new_x - x
    store_at(table, k, IMPULSE, (new_x, new_y, new_z))
    change = max(abs(d_x) * table[k, YIELD], abs(d_y) * table[k, YIELD + 1], abs(d_z) * table[k, YIELD + 2])
    return pushed_at(table, k, pair, d_x, d_y, d_z), change


@kernel
def sweep_contacts(touch, motion, islands, i, h, relaxed, few):
    """Visit the contacts of an island; returns the largest |d lambda| response. Writes: touch.work, velocities

    Contacts of one pair of bodies follow each other: its velocities are read and written once for all of them.
    """
    residual, push, back = 0.0, push_of(h, relaxed), 0.0 if relaxed else CREEP_BACK / h
    table, body, a, b = touch.work.table, touch.work.body, -1, -1
    pair = Pair(ZERO, ZERO, ZERO, ZERO)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        if body[k, 0] != a or body[k, 1] != b:
            if a >= 0:
                store_pair(motion, a, b, pair)
            a, b = body[k, 0], body[k, 1]
            pair = load_pair(motion, a, b)
        pair, change = solve_contact(table, k, pair, h, push, back, few)
        residual = max(residual, change)
    if a >= 0:
        store_pair(motion, a, b, pair)
    return residual


@kernel
def bound_frictions(touch, motion, islands, i):
    """Friction once more, now within the normal impulses that the last sweep found after it.

    It may fall or rise to its bound: to cut it alone would leave what slides too little. Returns the largest change of speed
    [m/s]. Writes: touch.work, velocities
    """
    table, change = touch.work.table, 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        a, b = touch.work.body[k, 0], touch.work.body[k, 1]
        pair = load_pair(motion, a, b)
        x, y, z = load_at(table, k, IMPULSE)
        _, along, across = speeds_at(table, k, pair)
        new_y, new_z, _ = rub(y, z, along, across, table[k, HEFT + 1], table[k, HEFT + 2], table[k, FRICTION] * x)
        store_pair(motion, a, b, pushed_at(table, k, pair, 0.0, new_y - y, new_z - z))
        table[k, IMPULSE + 1], table[k, IMPULSE + 2] = new_y, new_z
        change = max(change, abs(new_y - y) * table[k, YIELD + 1], abs(new_z - z) * table[k, YIELD + 2])
    return change
