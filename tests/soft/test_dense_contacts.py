"""Contacts as one dense system. Oracle: Signorini's and Coulomb's conditions themselves, contact by contact."""

from functools import partial

import numpy as np
import pytest

from pliant.solvers.rows.dense_contacts import EVEN, FEWEST, NEWTON_STEPS, DenseContacts

CLOSE = 1e-10


def system(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """How `count` contacts answer each other [1/kg]: of vertices that hardly know each other, of a nearly rigid thing, of one
    where every second contact says the same as the one before."""
    size = 3 * count
    if kind == "twice":
        half = system("stiff", count // 2, rng)
        twice = np.repeat(np.arange(count // 2), 2)
        rows = (3 * twice[:, None] + np.arange(3)).ravel()
        return half[np.ix_(rows, rows)]
    random = rng.normal(size=(size, size))
    local = random @ random.T / size
    if kind == "loose":
        return np.eye(size) + 0.1 * local
    rigid = rng.normal(size=(size, 6))
    return rigid @ rigid.T / 6.0 + 1e-3 * local


@pytest.mark.parametrize("kind", ["loose", "stiff", "twice"])
@pytest.mark.parametrize("seed", range(4))
def test_every_contact_pushes_sticks_or_slips_as_it_should(kind, seed):
    rng = np.random.default_rng(seed)
    count, friction = 24, rng.uniform(0.0, 0.8, 24)
    matrix = system(kind, count, rng)
    # what frictional contacts can stop: speeds that some impulses within the cones would make, and more
    pushes = np.stack([rng.uniform(0.0, 1.0, count), *(0.2 * friction * rng.normal(size=(2, count)))], axis=1)
    before = -(matrix @ pushes.ravel()).reshape(-1, 3) + 1e-2 * rng.normal(size=(count, 3)) * [[1.0, 0.0, 0.0]]
    if kind == "twice":
        before, friction = np.repeat(before[::2], 2, axis=0), np.repeat(friction[::2], 2)
    speed, impulse = before.copy(), np.zeros((count, 3))
    contacts = DenseContacts(matrix, friction, speed, impulse)
    for _ in range(40):  # a change of the impulses costs a little: what is found is the solution once nothing changes any more
        old = impulse.copy()
        contacts.solve(CLOSE)
        speed[:] = before + (matrix @ impulse.ravel()).reshape(-1, 3)
        if np.abs(impulse - old).max() < 1e-9:
            break
    largest = matrix.diagonal().max()
    slack = CLOSE + 2.0 * EVEN * largest * 1e-9 + 1e-9 * largest  # of what is solved, of the last change, of sums of 72 numbers
    assert impulse[:, 0].min() >= 0.0
    assert speed[:, 0].min() >= -slack
    assert np.abs(np.minimum(impulse[:, 0] * largest, speed[:, 0])).max() <= slack
    size, slip = np.hypot(*impulse[:, 1:].T), np.hypot(*speed[:, 1:].T)
    assert (size <= friction * impulse[:, 0] + slack / largest).all()
    slips = slip > 1e-6
    radius = friction[slips] * impulse[slips, 0]
    opposed = impulse[slips, 1:] * slip[slips, None] + radius[:, None] * speed[slips, 1:]
    assert np.abs(opposed).max(initial=0.0) <= 1e-6 * max(1.0, slip.max()) * max(1.0, radius.max(initial=0.0))


def test_solves_that_are_not_met_do_not_go_on_for_ever():
    """Each halves the steps of the next, until one is met: contacts that go round would do so in every iteration of a block."""
    rng = np.random.default_rng(0)
    matrix, speed, impulse = system("stiff", 24, rng), rng.normal(size=(24, 3)), np.zeros((24, 3))
    contacts, steps = DenseContacts(matrix, np.full(24, 0.5), speed, impulse), []

    def count(step, *how):
        steps[-1] += 1
        return step(*how)

    contacts._step = partial(count, contacts._step)
    for close in (0.0, 0.0, 0.0, 0.0, 0.0, 1e3, 0.0):
        steps.append(0)
        contacts._known = False  # no step of the last one is tried first
        contacts.solve(close)
    assert steps == [NEWTON_STEPS, NEWTON_STEPS // 2, NEWTON_STEPS // 4, FEWEST, FEWEST, 0, NEWTON_STEPS]
