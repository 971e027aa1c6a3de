"""Direct ropes whose end slides along an axis that its pin turns."""

from math import cos, sin

import numpy as np
import pytest
from direct import at_least, order, rope_scene, within

import pliant as pl

TURNED_AXIS = (cos(0.5), 0.0, -sin(0.5))


def turned_clamp(beside: bool, word: str, at: float | None) -> tuple[pl.World, float]:
    """A rope with one end turned by half a radian about y, which slides along the axis of its clamp, or is held `at` [m] there.

    Returns the world at rest and how far the end has slid [m]. A spring `beside` it has the island solved in sweeps.
    """
    turn, axis = [(0, 0, 0), (0, 0.5, 0)], np.array(TURNED_AXIS)
    ways = None if at is None else [(0, 0, 0), at * axis]
    scene = rope_scene(0.0, 10.0, mass=0.2, bend=1.0, twist=1.0)
    for one in ("start", "end"):
        motion = pl.Motion([0, 1], ways, rotations=turn, smooth=True) if one == word else None
        scene.pin(f"r.{one}", clamp=True, slide=(1, 0, 0) if one == word and at is None else None, motion=motion)
    if beside:
        scene.add(pl.Spring("s", pl.WORLD, "r@0.5", stiffness=20.0, damping=1.0, rest_length=0.9, at_a=(0.5, 0, 1.0)))
    world = pl.World(scene, dt=1 / 60, threads=1)
    world.run(5.0)
    return world, float((world["r"].positions[-1 if word == "end" else 0] - [1.0 if word == "end" else 0.0, 0, 0]) @ axis)


@pytest.mark.parametrize("beside,word", [(False, "end"), (False, "start"), (True, "end")])
def test_a_clamp_slides_along_its_turned_axis(beside, word):
    """Oracle: nothing but what sweeps leave holds what slides, and it takes the place of least energy along its axis.

    The slope of the energy between places held to both sides falls with the square of their distance. (The rope kept what
    the clamp had pushed along where its axis was before: 0.8 N.)
    """
    world, slid = turned_clamp(beside, word, None)
    force = getattr(world["r"], word).force
    within("force along the axis, of all", abs(force @ TURNED_AXIS), 1e-9 * np.linalg.norm(force))
    slopes, least = [], energy_at_rest(world)
    for apart in (0.002, 0.001):
        low, high = (energy_at_rest(turned_clamp(beside, word, slid + away)[0]) for away in (-apart, apart))
        assert min(low, high) > least
        slopes.append(abs(high - low) / (2.0 * apart))
    at_least("slope of the energy, order", order(slopes), 1.8)


def energy_at_rest(world: pl.World) -> float:
    """What bends and springs hold [J]."""
    assert world.energy().kinetic < 1e-12
    return world.energy().elastic
