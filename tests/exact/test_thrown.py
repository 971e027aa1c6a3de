"""What is thrown at the ground, spinning, never bounces with more energy than it came with."""

import numpy as np
import pytest
import trimesh
from energy import never_gains
from oracle_tools import G

import pliant as pl

CELL, ROUGH = 0.5, 0.12
"""Of the terrain [m]: cells, and how far its corners lie from level."""
DEEP = 2e-4
"""How deep [m] contacts are left to sink: to be pushed out of that lifts a body."""
SHAPES = {
    "ball": pl.Sphere(0.12),
    "capsule": pl.Capsule(0.08, 0.25),
    "cylinder": pl.Cylinder(0.1, 0.25),
    "box": pl.Box(0.3, 0.2, 0.15),
    "mesh": pl.Mesh(trimesh.creation.box((0.3, 0.2, 0.15))),
}


def thrown(shape, rng: np.random.Generator, rough: bool, e: float, substeps: int | str, dt: float) -> pl.World:
    """The shape, 1 kg, thrown down at terrain or at a plane with 3 to 8 m/s, spinning at some 15 rad/s; no friction."""
    scene = pl.Scene()
    if rough:
        heights = ROUGH * rng.normal(size=(41, 41))
        scene.add(pl.Body("ground", pl.HeightField(heights, (40 * CELL, 40 * CELL)), fixed=True, friction=0.0))
    else:
        scene.add(pl.Ground(friction=0.0))
    turned, way = rng.normal(size=4), rng.uniform(0.0, 2.0 * np.pi)
    velocity = rng.uniform(3.0, 8.0) * np.array([0.9 * np.cos(way), 0.9 * np.sin(way), -0.44])
    scene.add(pl.Body("it", shape, mass=1.0, position=(0.0, 0.0, 0.8), velocity=tuple(velocity), friction=0.0, restitution=e,
                      quaternion=tuple(turned / np.linalg.norm(turned)), angular_velocity=tuple(9.0 * rng.normal(size=3))))
    return pl.World(scene, dt=dt, substeps=substeps)


@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("e", [0.9, 1.0])
def test_a_bounce_gives_back_no_more_than_it_took(shape, rough, e):
    """Oracle: conservation; beyond that only what sank is lifted."""
    rng = np.random.default_rng(20261118)
    for dt, substeps in ((1 / 60, "auto"), (1 / 60, 2), (1 / 240, "auto")):
        for _ in range(4):
            never_gains(thrown(SHAPES[shape], rng, rough, e, substeps, dt), round(1.0 / dt), G * DEEP)
