"""The sheet over a ball by two corners: who bears its weight, that the ball stays outside, and that no energy appears."""

import pytest
from sheets import bears_its_weight, clear_of_the_ball, fallen, has_come_to_rest


@pytest.fixture(scope="module")
def draped():
    return fallen("cloth", ("left", "right"))


def test_pins_and_ball_bear_its_weight(draped):
    """Oracle: statics."""
    world, forces, _ = draped
    weight = bears_its_weight(world, forces, 1.2)
    assert 0.2 * weight < world["sheet"].contact_force[2] < 0.8 * weight  # it hangs and lies


def test_the_ball_does_not_come_through(draped):
    """Oracle: geometry. Vertices stay half the thickness away; between them flat triangles over a ball use that up at most."""
    world, _, gaps = draped
    assert gaps.min() > 0.0
    assert clear_of_the_ball(world) > 0.002 - 1e-4


def test_it_comes_to_rest(draped):
    """Oracle: energy."""
    assert has_come_to_rest(draped[0])
