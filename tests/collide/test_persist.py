"""Contacts keep what they carry as long as the same features touch, in an order that depends on the scene alone."""

import numpy as np

from pliant.collide.persist import refresh
from pliant.collide.work import Pairs
from pliant.model.contacts import Contacts
from pliant.model.schema import allocate


def table(rows, capacity=32):
    """Fresh contacts and their pairs from (a, b, feature) in any order of features within a pair."""
    fresh, pairs = allocate(Contacts, capacity), allocate(Pairs, p=capacity, b=1)
    for a, b in sorted({row[:2] for row in rows}):
        k = pairs.count[0]
        pairs.shape[k], pairs.begin[k] = (a, b), fresh.count[0]
        for row in [row for row in rows if row[:2] == (a, b)]:
            at = fresh.count[0]
            fresh.shape[at], fresh.feature[at] = row[:2], row[2]
            fresh.separation[at] = fresh.position[at, 0] = fresh.normal[at, 2] = 100 * a + 10 * b + row[2]
            fresh.count[0] += 1
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
        pairs.count[0] += 1
    return fresh, pairs


def rows_of(contacts):
    n = contacts.count[0]
    return [(*contacts.shape[k].tolist(), int(contacts.feature[k])) for k in range(n)]


def test_history_follows_pair_and_feature():
    """Oracle: a dictionary by (a, b, feature)."""
    rng = np.random.default_rng(1)
    contacts, known = allocate(Contacts, 32), {}
    for _ in range(200):
        rows = {tuple(r) for r in rng.integers(0, (3, 3, 4), (12, 3)).tolist()}
        rows = [(a, b + 3, f) for a, b, f in rows]
        rng.shuffle(rows)
        rows = [tuple(int(v) for v in row) for row in rows]
        assert refresh(contacts, *table(rows)) == len(rows)
        assert rows_of(contacts) == sorted(rows)
        known = {row: known.get(row, (0.0, 0.0, 0.0, -1)) for row in rows}
        for k, row in enumerate(sorted(rows)):
            impulse, friction, slip, age = known[row]
            assert contacts.impulse[k] == impulse and contacts.age[k] == age + 1
            assert (contacts.friction_impulse[k] == friction).all() and (contacts.slip[k] == slip).all()
            value = 100 * row[0] + 10 * row[1] + row[2]
            assert contacts.separation[k] == contacts.position[k, 0] == contacts.normal[k, 2] == value
            contacts.impulse[k], contacts.friction_impulse[k], contacts.slip[k] = rng.uniform(size=3)
            known[row] = (contacts.impulse[k], contacts.friction_impulse[k, 0], contacts.slip[k, 0], age + 1)


def test_contacts_of_one_feature_are_matched_in_order():
    contacts = allocate(Contacts, 8)
    refresh(contacts, *table([(0, 1, 5), (0, 1, 5), (0, 1, 6)]))
    contacts.impulse[:3] = 1.0, 2.0, 3.0
    refresh(contacts, *table([(0, 1, 6), (0, 1, 5), (0, 1, 5), (0, 1, 5)]))
    assert contacts.impulse[:4].tolist() == [1.0, 2.0, 0.0, 3.0]


def test_a_small_table_keeps_the_old_contacts():
    contacts = allocate(Contacts, 3)
    refresh(contacts, *table([(0, 1, 5), (0, 1, 6)]))
    contacts.impulse[:2] = 1.0, 2.0
    needed = refresh(contacts, *table([(0, 1, f) for f in range(4, 9)]))
    assert needed == 5 == contacts.count[0] and contacts.impulse[:2].tolist() == [1.0, 2.0]
    refresh(contacts, *table([(0, 1, 6), (0, 1, 7), (0, 1, 5)]))
    assert contacts.impulse.tolist() == [1.0, 2.0, 0.0] and contacts.age.tolist() == [1, 1, 0]
