"""Stiff solids that turn while something touches them, at defaults. Oracles: energy, of which implicit Euler makes none;
the same steps with twenty times the iterations; a rigid body."""

import math

import numpy as np
import pytest

import pliant as pl


def tipping(kind: str, iterations: int = 10) -> pl.World:
    """A cube of 20 cm set down on its edge, which falls over."""
    angle = math.radians(55)
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("cube", pl.Box(0.2, 0.2, 0.2), spacing=0.05, material=kind, iterations=iterations,
                       position=(0, 0, 0.1 * (math.cos(angle) + math.sin(angle)) + 0.001),
                       quaternion=(math.cos(angle / 2), 0, math.sin(angle / 2), 0)))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("kind", ["silicone", "rubber"])
def test_a_cube_tips_over_without_gain_and_as_with_many_iterations(kind):
    """Ten iterations in the frame of where it lay before it turned gained 0.16 J of 3 in this fall, and 0.21 m/s were open."""
    world, exact = tipping(kind), tipping(kind, 200)
    now = world.energy()
    for _ in range(30):
        before, report = now.total - now.work, world.step()
        now = report.energy
        exact.step()
        assert now.total - now.work <= before + 1e-6 * max(now.kinetic, 1.0), "as far as iterations are asked to come"
    assert world["cube"].positions[:, 2].max() < 0.21, "it lies on its side"
    assert np.abs(world["cube"].positions - exact["cube"].positions).max() < 1e-5


@pytest.mark.parametrize("kind", ["silicone", "rubber"])
def test_a_cube_falls_off_a_table_as_a_rigid_one(kind):
    """Oracle: the rigid cube. One centimetre of its base on the table, it has fallen by 19 cm in 0.25 s; implicit
    Euler falls half a step's speed further, and a soft one bends a little at the edge."""
    heights = []
    for soft in (False, True):
        scene = pl.Scene()
        scene.add(pl.Body("table", pl.Box(0.4, 0.4, 0.4), fixed=True, position=(-0.2, 0, 0.3)))
        at = dict(position=(0.09, 0, 0.601))
        scene.add(pl.Solid("cube", pl.Box(0.2, 0.2, 0.2), spacing=0.05, material=kind, **at) if soft
                  else pl.Body("cube", pl.Box(0.2, 0.2, 0.2), density=1100, **at))
        world = pl.World(scene, threads=1)
        for _ in range(15):
            world.step()
        place = world["cube"]
        heights.append(float(place.positions[:, 2].mean() if soft else place.position[2]))
    assert abs(heights[1] - heights[0]) < 0.5 * 9.81 * 0.25 / 60 + 0.01
