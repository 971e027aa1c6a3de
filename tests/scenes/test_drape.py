"""The limp sheet over a ball: who bears its weight, that it lies in folds, that the ball stays outside, that it rests."""

import pytest
from sheets import bears_its_weight, clear_of_the_ball, fallen, has_come_to_rest

import pliant as pl


@pytest.fixture(scope="module")
def draped():
    return fallen("drape")


def test_ball_and_ground_bear_its_weight(draped):
    """Oracle: statics; it touches itself too."""
    world, forces, _ = draped
    bears_its_weight(world, forces, 1.7)
    pairs = set(zip(world.contacts.a, world.contacts.b, strict=True))
    assert {("ball", "sheet"), ("ground", "sheet"), ("sheet", "sheet")} <= pairs


def test_the_ball_does_not_come_through(draped):
    """Oracle: geometry. At rest vertices stay half the thickness away; between them flat triangles over a ball use that up at
    most. Where the fall is stopped, within some steps, the surface may sink in as deep as that once more."""
    world, _, gaps = draped
    assert gaps[-60:].min() > 0.0
    assert gaps.min() > -0.002
    assert clear_of_the_ball(world) > 0.002 - 5e-4  # what sweeps leave where layers press on each other


def test_nothing_sinks_in_deeper_than_the_sheet_is_thick():
    """Oracle: geometry, while it falls on the ball and on the ground: 4 mm."""
    world = pl.World(pl.load("drape"), threads=1)
    assert max(world.step().penetration for _ in range(75)) < 0.004


def test_it_comes_to_rest(draped):
    """Oracle: energy."""
    assert has_come_to_rest(draped[0])
