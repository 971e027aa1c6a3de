"""The table of contacts from step to step: what was there before keeps its impulses, its slip and its age."""

from .._jit import entry, kernel
from ..math.vec3 import dot, load, store, sub
from ..model.contacts import Contacts
from ..model.schema import allocate
from .work import Pairs

NEAR = 1e-3
"""A contact whose feature is another, but that lies no further from an old one than this [m], goes on with its impulses."""


@kernel
def emit(fresh, ids, feature, position, normal, separation):
    """Append a contact, or only count it where the table is full. Writes: fresh"""
    k = fresh.count[0]
    if k < fresh.separation.shape[0]:
        fresh.shape[k, 0] = ids[0]
        fresh.shape[k, 1] = ids[1]
        fresh.feature[k] = feature
        store(fresh.position, k, position)
        store(fresh.normal, k, normal)
        fresh.separation[k] = separation
        store(fresh.apart, k, (0.0, 0.0, 0.0))
        fresh.until[k] = 0.0
    fresh.count[0] = k + 1


@entry
def refresh(contacts: Contacts, fresh: Contacts, pairs: Pairs) -> int:
    """Number of contacts, by pair and feature, with the history of the old ones. Writes: contacts, fresh

    When the tables are too small the old contacts stay, with their end marked, and the number that is needed is
    returned and left in contacts.count.
    """
    capacity = min(contacts.separation.shape[0], fresh.separation.shape[0])
    old = _in_use(contacts)
    needed = fresh.count[0]
    if pairs.count[0] > pairs.unsorted.shape[0]:
        needed = max(needed, capacity + 1, pairs.count[0])
    contacts.count[0] = needed
    if needed > capacity:
        if old < contacts.separation.shape[0]:
            contacts.shape[old, 0] = 0
            contacts.shape[old, 1] = 0
        return needed
    for k in range(pairs.count[0]):
        _sort_features(fresh, pairs.begin[k], pairs.begin[k] + pairs.number[k])
    _inherit(contacts, old, fresh, pairs)
    at = 0
    for k in range(pairs.count[0]):
        for row in range(pairs.begin[k], pairs.begin[k] + pairs.number[k]):
            _copy(contacts, at, fresh, row)
            at += 1
    return needed


@kernel
def _in_use(contacts):
    """Rows in use: as counted, or up to the mark left when the table was too small (no shape touches itself)."""
    old = min(contacts.count[0], contacts.separation.shape[0])
    for k in range(old):
        if contacts.shape[k, 0] == contacts.shape[k, 1]:
            return k
    return old


@kernel
def _sort_features(fresh, begin, end):
    """Order the contacts of one pair by feature; those of one feature keep their order. Writes: fresh"""
    for k in range(begin + 1, end):
        j = k
        while j > begin and fresh.feature[j - 1] > fresh.feature[j]:
            fresh.feature[j], fresh.feature[j - 1] = fresh.feature[j - 1], fresh.feature[j]
            fresh.separation[j], fresh.separation[j - 1] = fresh.separation[j - 1], fresh.separation[j]
            _swap(fresh.position, j)
            _swap(fresh.normal, j)
            _swap(fresh.apart, j)
            j -= 1


@kernel
def _swap(array, j):
    one, other = load(array, j), load(array, j - 1)
    store(array, j, other)
    store(array, j - 1, one)


@kernel
def _before(contacts, k, a, b):
    """Whether old contact `k` comes before those of the pair (a, b) in the order of the table."""
    if contacts.shape[k, 0] != a:
        return contacts.shape[k, 0] < a
    return contacts.shape[k, 1] < b


@kernel
def _inherit(contacts, old, fresh, pairs):
    """Walk both sorted tables pair by pair and hand on what matches. Writes: fresh"""
    o = 0
    for k in range(pairs.count[0]):
        a, b = pairs.shape[k, 0], pairs.shape[k, 1]
        while o < old and _before(contacts, o, a, b):
            o += 1
        end = o
        while end < old and contacts.shape[end, 0] == a and contacts.shape[end, 1] == b:
            end += 1
        first, last = pairs.begin[k], pairs.begin[k] + pairs.number[k]
        for row in range(first, last):
            before = 0
            while row - before > first and fresh.feature[row - before - 1] == fresh.feature[row]:
                before += 1
            same = _of_feature(contacts.feature, o, end, fresh.feature[row], before)
            if same < 0:
                same = _nearest(contacts, o, end, fresh, first, last, row)
            if same >= 0:
                fresh.impulse[row] = contacts.impulse[same]
                store(fresh.friction_impulse, row, load(contacts.friction_impulse, same))
                store(fresh.slip, row, load(contacts.slip, same))
                fresh.age[row] = contacts.age[same] + 1
            else:
                fresh.impulse[row] = 0.0
                store(fresh.friction_impulse, row, (0.0, 0.0, 0.0))
                store(fresh.slip, row, (0.0, 0.0, 0.0))
                fresh.age[row] = 0
        o = end


@kernel
def _of_feature(features, first, last, feature, before):
    """The row among these, sorted, that has a feature, with `before` others before it that have it too; -1 if none."""
    for row in range(first, last - before):
        if features[row] == feature:
            return row + before if features[row + before] == feature else -1
    return -1


@kernel
def _nearest(contacts, first, last, fresh, begin, end, row):
    """The old contact of a pair that has lost its feature and lies where a fresh one is without: the corner of one face and
    that of another all but coincide there, and rounding says which of them it is. -1 if there is none."""
    best, found = NEAR * NEAR, -1
    for old in range(first, last):
        if _of_feature(fresh.feature, begin, end, contacts.feature[old], 0) < 0:
            away = sub(load(contacts.position, old), load(fresh.position, row))
            if dot(away, away) < best:
                best, found = dot(away, away), old
    return found


@kernel
def _copy(contacts, at, fresh, row):
    contacts.shape[at, 0] = fresh.shape[row, 0]
    contacts.shape[at, 1] = fresh.shape[row, 1]
    contacts.feature[at] = fresh.feature[row]
    store(contacts.position, at, load(fresh.position, row))
    store(contacts.normal, at, load(fresh.normal, row))
    contacts.separation[at] = fresh.separation[row]
    contacts.impulse[at] = fresh.impulse[row]
    store(contacts.friction_impulse, at, load(fresh.friction_impulse, row))
    store(contacts.slip, at, load(fresh.slip, row))
    contacts.age[at] = fresh.age[row]
    store(contacts.apart, at, load(fresh.apart, row))
    contacts.until[at] = fresh.until[row]


def grow(contacts: Contacts, capacity: int) -> Contacts:
    """The same contacts in a table of `capacity` rows; `collide_work` is to be made anew with the same capacity."""
    larger = allocate(Contacts, capacity)
    for one, other in zip(larger, contacts, strict=True):
        one[: len(other)] = other
    return larger
