"""Stiff solids that touch at many vertices: weights, rest, energy; and the inverse of their rows."""

import numpy as np
import pytest
from energy import never_gains
from scipy.sparse import csr_matrix, eye, random

import pliant as pl
from pliant.equations.contact.cone_residual import SLIPS, STICKS
from pliant.math.sorted_band import SortedBand

GRAVITY = 9.81


def pressed(share: float) -> pl.World:
    """A pad of 1e8 Pa on the ground, 11 x 11 vertices below, and 200 kg that fall 0.5 mm onto a `share` of its width."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("pad", pl.Box(0.2, 0.2, 0.04), spacing=0.02, material=pl.Material(1000.0, 1e8, poisson=0.3),
                       position=(0.0, 0.0, 0.0205)))
    scene.add(pl.Body("weight", pl.Box(0.2 * share, 0.2 * share, 0.1), mass=200.0, position=(0.0, 0.0, 0.0915)))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("share", [0.8, 0.5])
def test_a_stiff_pad_bears_a_weight(share):
    """Oracle: forces of rest are weights; no energy from nothing (the start is the most there ever is); nothing is stopped."""
    world = pressed(share)
    start = world.energy().total
    for _ in range(24):
        report = world.step()
        assert not report.warnings
        assert world.energy().total <= start * (1.0 + 1e-9)
    pad, weight = world["pad"], world["weight"]
    assert len(world.contacts.a) > 121  # all below, and some above: too many for a dense system
    assert weight.contact_force[2] == pytest.approx(200.0 * GRAVITY, rel=1e-3)
    assert pad.contact_force[2] == pytest.approx(0.2 * 0.2 * 0.04 * 1000.0 * GRAVITY, rel=1e-2)
    assert np.abs(pad.velocities).max() < 1e-5
    assert np.abs(weight.velocity).max() < 1e-5


@pytest.mark.parametrize(("aside", "friction"), [(0.08, 0.3), (0.1, 0.0)])
def test_a_thin_pad_bears_a_box_that_covers_half_of_it(aside, friction):
    """Oracle: a box whose middle is above the pad rests on it with its weight, one with its middle at the pad's edge tips.

    Contacts are found before they touch, so that none is deeper than iterations leave open: 1e-4 m/s times a substep of
    8 ms. Pushed out again, that brings no more energy than the box's weight times this.
    """
    scene = pl.Scene()
    scene.add(pl.Ground(friction=friction))
    scene.add(pl.Solid("pad", pl.Box(0.2, 0.2, 0.02), spacing=0.0133, material=pl.Material(1000.0, 1e8, poisson=0.3),
                       friction=friction, position=(0.0, 0.0, 0.0105)))
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.1), mass=5.0, friction=friction, position=(aside, 0.0, 0.071)))
    world = pl.World(scene, threads=1)
    for report in never_gains(world, 15, 5.0 * GRAVITY * 1e-6):
        assert report.penetration < 1e-6
    if aside < 0.1:
        assert world["box"].contact_force[2] == pytest.approx(5.0 * GRAVITY, rel=1e-3)
        assert np.abs(world["box"].velocity).max() < 1e-5 and np.abs(world["pad"].velocities).max() < 1e-5


def test_the_inverse_of_rows_is_one():
    """Oracle: the product that it inverts: where contacts stick, and where some slip without friction along the slip."""
    world = pressed(0.8)
    for _ in range(3):
        world.step()
    contacts = world._engine.soft.substep.kinds[1]._contacts
    rows, draws = contacts._rows, np.random.default_rng(3)
    rows.kind[:], rows.slip[:] = STICKS, (0.0, 0.0, 1.0, 0.0, 1.0)
    contacts.inverse._kind = np.zeros(0, np.int32)  # made anew, whatever it was before
    contacts.inverse.follow(rows)
    given = draws.normal(size=rows.speed.shape)
    back = contacts._operate(contacts.inverse(given))
    np.testing.assert_allclose(back, given, atol=1e-6 * np.abs(given).max())
    rows.kind[::50], rows.slip[::50] = SLIPS, (1.0, 0.0, 0.0, 0.0, 0.3)
    contacts.inverse._calls = 1000
    contacts.inverse.follow(rows)
    rows.friction[:], given[::50, 1] = 0.0, 0.0
    back = contacts._operate(contacts.inverse(given))
    np.testing.assert_allclose(back, given, atol=1e-6 * np.abs(given).max())


def test_a_band_in_a_given_order_solves_as_a_dense_matrix():
    """Oracle: NumPy's solution; error within n eps times the condition number (below 1e3 here)."""
    draws = np.random.default_rng(5)
    some = random(40, 40, 0.05, random_state=draws)
    matrix, more = csr_matrix(some @ some.T + 4.0 * eye(40)), csr_matrix(np.diag(draws.uniform(0.0, 1.0, 40)))
    right = draws.normal(size=(40, 2))
    found = SortedBand(matrix, draws.normal(size=40)).factor(more).solve(right)
    np.testing.assert_allclose(found, np.linalg.solve((matrix + more).toarray(), right), atol=40 * 2.2e-16 * 1e3)


def test_rows_without_a_factor_are_eased_all_the_same(monkeypatch):
    """Oracle: finite numbers and a weight that falls: no step ends in an error where rounding leaves no factor."""
    world = pressed(0.8)

    def fail(*args):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(SortedBand, "factor", fail)
    for _ in range(2):
        world.step()
    assert np.isfinite(world["pad"].positions).all() and world["weight"].position[2] < 0.0915
