"""The pad on a finger: what it feels against what the load cell under the block, the glue and the motor bear."""

import numpy as np
import pytest

import pliant as pl

WEIGHT = 0.2 * 9.81
"""Of the block [N]."""


@pytest.fixture(scope="module")
def pressed() -> pl.World:
    world = pl.World(pl.load("tactile"), threads=1)
    world.run(3.0)
    return world


def test_the_pad_feels_what_the_cell_bears(pressed):
    """Oracle: the block stands still, so the joint under it bears its weight and what presses it: readings of another row."""
    felt = pressed["pad"].contact_force
    load = pressed["cell"].force - (0.0, 0.0, WEIGHT)
    assert felt[2] > 5.0
    np.testing.assert_allclose(felt, load, rtol=0, atol=0.01 * felt[2])
    np.testing.assert_allclose(pressed["block"].contact_force, -felt, rtol=0, atol=1e-12)


def test_pressures_add_up_to_the_load(pressed):
    """Oracle: the cell. The block's top is level: what presses it is upright but for friction and for the block's rims."""
    pad = pressed["pad"]
    assert pad.pressure @ pad.areas == pytest.approx(pressed["cell"].force[2] - WEIGHT, rel=0.01)
    assert pad.pressure.min() >= 0.0


def test_pressure_lies_where_the_block_is(pressed):
    """Oracle: geometry. Triangles that touch the block share with those around: two cells' widths. The centre of pressure lies
    above the middle half of the block."""
    pad = pressed["pad"]
    middle = pad.positions[pad.faces].mean(axis=1)
    away = np.maximum(np.abs(middle[:, :2] - (0.008, 0.006)) - (0.022, 0.014), 0.0).max(axis=1)
    assert away[pad.pressure > 0.0].max() < 0.02
    load = pad.pressure * pad.areas
    centre = load @ middle[:, :2] / load.sum()
    assert (np.abs(centre - (0.008, 0.006)) < (0.011, 0.007)).all()


def test_the_glue_bears_what_the_pad_feels(pressed):
    """Oracle: statics of the pad, up to its own weight and to what still trembles of its vertices."""
    pad, glue = pressed["pad"], pressed["glue"].force
    weight = 9.81 * pad.mass
    assert weight == pytest.approx(9.81 * 1100.0 * 0.08 * 0.08 * 0.04, rel=1e-12)
    assert -glue[2] == pytest.approx(pad.contact_force[2] - weight, rel=0.03)


def test_it_feels_nothing_before_it_touches():
    world = pl.World(pl.load("tactile"), threads=1)
    world.control["press"] = 0.0
    world.run(0.5)
    assert not world["pad"].pressure.any() and not world["pad"].contact_force.any()
