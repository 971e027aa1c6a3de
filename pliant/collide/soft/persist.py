"""The table of contacts of cloth and solids from step to step: what was there before keeps its impulse, force and age."""

from typing import Annotated, NamedTuple

import numpy as np

from ..._jit import entry, kernel, merged
from ...math.vec3 import load, store
from ...model.schema import Array, allocate, index
from ...model.soft_contacts import SoftContacts

VERTEX_BODY, FACE_BODY, CORNER_BODY, POINT_BODY, VERTEX_FACE, EDGE_EDGE, SPINE_EDGE, END_BODY = range(8)
"""Kinds of contact: the highest digit of a key."""

FEATURES = 1 << 29
"""Numbers of features are below this."""

VOID = -1
"""The key of a row that was found and is not wanted after all."""
RUN = 16
"""Rows that are sorted by insertion before they are merged."""


class Fresh(NamedTuple):
    """What was found in this step, and its order by key."""

    found: SoftContacts
    order: Annotated[Array, index("n", "rows of `found`, by key")]
    spare: Annotated[Array, index("n", "scratch of the sort")]


def fresh_of(capacity: int) -> Fresh:
    """Room for `capacity` contacts."""
    return Fresh(allocate(SoftContacts, capacity), np.zeros(capacity, np.int32), np.zeros(capacity, np.int32))


@kernel
def key_of(kind, a, b, side):
    """The name of a contact between features `a` and `b`; `side` (0 or 1) tells apart the two sides of a sheet."""
    return ((int(kind) * FEATURES + int(a)) * FEATURES + int(b)) * 2 + int(side)


@kernel
def in_use(contacts):
    """Rows in use: as counted, or up to the mark left when the table was too small."""
    old = min(contacts.count[0], contacts.key.shape[0])
    for k in range(old):
        if contacts.key[k] < 0:
            return k
    return old


@kernel
def place_of(keys, old, wanted):
    """The first among the first `old` rows whose key is not below `wanted`, or `old`."""
    low, high = 0, old
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def row_of(keys, old, wanted):
    """The row among the first `old` with this key, or -1."""
    k = place_of(keys, old, wanted)
    return k if k < old and keys[k] == wanted else -1


@kernel
def sides_of(keys, old, wanted):
    """The same for the key `wanted` of one side of a sheet, and for that of the other side, which follows it."""
    k = place_of(keys, old, wanted)
    one = k if k < old and keys[k] == wanted else -1
    k += 1 if one >= 0 else 0
    return one, k if k < old and keys[k] == wanted + 1 else -1


@kernel
def claim(count, capacity):
    """The next row, or -1 where the table is full; it is counted all the same. Writes: count"""
    k = count[0]
    count[0] = k + 1
    return k if k < capacity else -1


@merged
def write(found, k, name, shape, position, normal, separation, friction):
    """Row `k`, its movers still to be set; none if k is negative. Writes: found"""
    if k < 0:
        return
    found.key[k] = name
    found.shape[k] = shape
    store(found.position, k, position)
    store(found.normal, k, normal)
    found.separation[k] = separation
    found.slop[k] = 0.0
    found.friction[k] = friction
    found.tilts[k], found.bend[k] = 0, 0.0
    store(found.glide, k, (0.0, 0.0, 0.0))
    for c in range(6):
        found.mover[k, c] = -1
        found.weight[k, c] = 0.0
    for c in range(18):
        found.tilt[k, c] = 0.0


@merged
def emit(found, name, shape, position, normal, separation, friction):
    """A new row, its movers still to be set, or -1 where the table is full. Writes: found"""
    k = claim(found.count, found.key.shape[0])
    write(found, k, name, shape, position, normal, separation, friction)
    return k


@merged
def set_mover(found, k, column, mover, weight):
    """One mover of a row, if there is a row; column 0 to 2 of side a, 3 to 5 of side b. Writes: found"""
    if k >= 0:
        found.mover[k, column] = mover
        found.weight[k, column] = weight


@entry
def refresh(contacts: SoftContacts, fresh: Fresh) -> int:
    """Number of contacts, by key, with the history of the old ones. Writes: contacts, fresh

    When the tables are too small the old contacts stay, with their end marked, and the number that is needed is returned and
    left in contacts.count.
    """
    found, order = fresh.found, fresh.order
    everything, old = found.count[0], in_use(contacts)
    capacity = min(contacts.key.shape[0], found.key.shape[0])
    contacts.count[0] = everything
    if everything > capacity:
        if old < contacts.key.shape[0]:
            contacts.key[old] = -1
        return everything
    sort_by_key(found.key, order, fresh.spare, everything)
    void = 0
    while void < everything and found.key[order[void]] == VOID:
        void += 1
    needed, o = everything - void, 0
    contacts.count[0] = needed
    for k in range(needed):
        row = order[void + k]
        while o < old and contacts.key[o] < found.key[row]:
            o += 1
        alive = o < old and contacts.key[o] == found.key[row]
        found.age[row] = contacts.age[o] + 1 if alive else 0
        for c in range(3):
            found.impulse[row, c] = contacts.impulse[o, c] if alive else 0.0
            found.force[row, c] = contacts.force[o, c] if alive else 0.0
    for k in range(needed):
        _copy(contacts, k, found, order[void + k])
    return needed


@kernel
def sort_by_key(name, order, spare, count):
    """Rows 0 to count by their keys: short runs by insertion, then merged; quick where they are nearly in order.

    Writes: order, spare
    """
    for k in range(count):
        order[k] = k
    for begin in range(0, count, RUN):
        for k in range(begin + 1, min(begin + RUN, count)):
            row, j = order[k], k
            while j > begin and name[order[j - 1]] > name[row]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = row
    width = RUN
    while width < count:
        for begin in range(0, count - width, 2 * width):
            _merge(name, order, spare, begin, begin + width, min(begin + 2 * width, count))
        width *= 2


@kernel
def _merge(name, order, spare, begin, middle, end):
    """Merge two sorted stretches that follow each other. Writes: order, spare"""
    if name[order[middle - 1]] <= name[order[middle]]:
        return
    for k in range(begin, middle):
        spare[k] = order[k]
    left, right, at = begin, middle, begin
    while left < middle:
        if right < end and name[order[right]] < name[spare[left]]:
            order[at] = order[right]
            right += 1
        else:
            order[at] = spare[left]
            left += 1
        at += 1


@kernel
def _copy(contacts, k, found, row):
    contacts.key[k] = found.key[row]
    contacts.shape[k] = found.shape[row]
    contacts.separation[k] = found.separation[row]
    contacts.slop[k] = found.slop[row]
    contacts.friction[k] = found.friction[row]
    contacts.age[k] = found.age[row]
    store(contacts.position, k, load(found.position, row))
    store(contacts.normal, k, load(found.normal, row))
    store(contacts.impulse, k, load(found.impulse, row))
    store(contacts.force, k, load(found.force, row))
    for c in range(6):
        contacts.mover[k, c] = found.mover[row, c]
        contacts.weight[k, c] = found.weight[row, c]
    contacts.tilts[k], contacts.bend[k] = found.tilts[row], found.bend[row]
    store(contacts.glide, k, load(found.glide, row))
    for c in range(18):
        contacts.tilt[k, c] = found.tilt[row, c]


def grow(contacts: SoftContacts, capacity: int) -> SoftContacts:
    """The same contacts in a table of `capacity` rows; its detector is to be made anew."""
    larger = allocate(SoftContacts, capacity)
    for one, other in zip(larger, contacts, strict=True):
        one[:len(other)] = other
    return larger
