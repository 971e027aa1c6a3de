"""Something heavy on many light bodies, with more contacts than are solved as few, rests as if it stood on the ground."""

from math import cos, pi, sin

import numpy as np
import pytest
from energy import EnergyGuard
from oracle_tools import G

import pliant as pl

DEEP = 1e-4
"""Penetration [m] that is aimed at."""


def legs(count: int) -> pl.Scene:
    """1 t on boxes of 1 kg in a ring: eight contacts of each."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for i in range(count):
        place = (0.8 * cos(2 * pi * i / count), 0.8 * sin(2 * pi * i / count), 0.1)
        scene.add(pl.Body(f"leg{i}", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=place))
    scene.add(pl.Body("top", pl.Box(2, 2, 0.2), mass=1000.0, position=(0, 0, 0.3)))
    return scene


def pyramid() -> pl.Scene:
    """1 t on the top of fifteen boxes of 1 kg."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for level in range(5):
        for j in range(5 - level):
            scene.add(pl.Body(f"box{level}{j}", pl.Box(0.2, 0.2, 0.2), mass=1.0,
                              position=(0.22 * j + 0.11 * level, 0, 0.1 + 0.2 * level)))
    scene.add(pl.Body("top", pl.Box(0.2, 0.2, 0.2), mass=1000.0, position=(0.44, 0, 1.1)))
    return scene


@pytest.mark.parametrize("scene, boxes", [(legs(8), 8), (legs(12), 12), (pyramid(), 15)])
def test_it_rests(scene, boxes):
    """Oracle: statics. Nothing gives way by more than DEEP in a contact, the ground bears all weight to 1e-4, all rests."""
    world = pl.World(scene, threads=1)
    guard = EnergyGuard(world)
    start = world["top"].position[2]
    for _ in range(120):
        report = world.step()
        guard(world)
    assert report.penetration < DEEP
    assert abs(world["top"].position[2] - start) < 6 * DEEP  # as many contacts are above each other
    borne = sum(world[name].contact_force[2] for name in world.body_names if name.startswith(("leg", "box", "top")))
    assert borne == pytest.approx((1000.0 + boxes) * G, rel=1e-4)  # what they give each other cancels
    assert float(np.linalg.norm(world["top"].velocity)) < 1e-4


def test_friction_stops_it():
    """Oracle: Coulomb, of two layers of equal friction. 1 t thrown sideways over eight legs slides on them, by v^2 / (2 mu g)
    if these stay, which they do: the ground holds them by as much as the top drags, and their own weight. To v h, what it goes
    in a substep."""
    scene, speed, friction = legs(8), 0.25, 0.5
    scene.replace(scene["top"].replace(velocity=(speed, 0.0, 0.0)))
    world = pl.World(scene, threads=1)
    guard = EnergyGuard(world)
    for _ in range(60):
        world.step()
        guard(world)
    assert world["top"].position[0] == pytest.approx(speed**2 / (2.0 * friction * G), abs=speed / 480.0)
    assert max(abs(world[f"leg{i}"].position[0] - 0.8 * cos(2 * pi * i / 8)) for i in range(8)) < 1e-3
