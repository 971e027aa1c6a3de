"""What is thrown at the ground, spinning, never bounces with more energy than it came with, and does not sink in."""

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
SLOP = 5e-3
"""Depth [m] from which on steps are taken in parts."""
SHAPES = {
    "ball": pl.Sphere(0.12),
    "capsule": pl.Capsule(0.08, 0.25),
    "cylinder": pl.Cylinder(0.1, 0.25),
    "box": pl.Box(0.3, 0.2, 0.15),
    "mesh": pl.Mesh(trimesh.creation.box((0.3, 0.2, 0.15))),
}


def thrown(shape, rng: np.random.Generator, rough: bool, e: float, substeps: int | str, dt: float, cell: float = CELL,
           faster: float = 1.0) -> pl.World:
    """The shape, 1 kg, thrown down at terrain or at a plane with 3 to 8 m/s or `faster`, spinning by some 15 rad/s."""
    scene = pl.Scene()
    if rough:
        cells = round(20.0 / cell)
        heights = ROUGH * cell / CELL * rng.normal(size=(cells + 1, cells + 1))
        scene.add(pl.Body("ground", pl.HeightField(heights, (20.0, 20.0)), fixed=True, friction=0.0))
    else:
        scene.add(pl.Ground(friction=0.0))
    turned, way = rng.normal(size=4), rng.uniform(0.0, 2.0 * np.pi)
    velocity = faster * rng.uniform(3.0, 8.0) * np.array([0.9 * np.cos(way), 0.9 * np.sin(way), -0.44])
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


@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.parametrize("faster", [1.0, 4.0])
def test_what_comes_fast_does_not_sink_in(shape, faster):
    """Each step is looked through beforehand, and taken in parts where that leads deeper than the slop; as much again is left
    to what that look leaves out, and what the fastest goes in the smallest part. To be pushed out lifts by the depth at most.
    """
    rng, deepest = np.random.default_rng(20261119), 0.0
    for cell in (0.2, 0.5):
        for e, substeps in ((0.0, "auto"), (0.0, 2), (0.3, "auto"), (0.6, 2)):
            for _ in range(4):
                world = thrown(SHAPES[shape], rng, True, e, substeps, 1 / 60, cell, faster)
                reports = never_gains(world, round(0.8 / faster**0.5 * 60), G * SLOP)
                deepest = max(deepest, *(report.penetration for report in reports))
    assert deepest < 2.0 * SLOP + (8.0 * faster / 60 / 16 if faster > 1.0 and shape in ("box", "mesh") else 0.0)


@pytest.mark.parametrize("cell", [0.01, 0.02, 0.05])
def test_what_rocks_in_a_saddle_of_fine_terrain_gains_nothing(cell):
    """A mesh of 20 faces dropped into a rough saddle comes down on other edges than those it was over when a step began."""
    x = np.linspace(-0.4, 0.4, round(0.8 / cell) + 1)
    mesh = pl.Mesh(trimesh.creation.icosphere(0, 0.06))
    for seed in range(6):
        rng = np.random.default_rng(seed)
        turned = rng.normal(size=4)
        heights = x[:, None]**2 - 0.5 * x[None, :]**2 + 0.3 * cell * rng.normal(size=(len(x), len(x)))
        scene = pl.Scene()
        scene.add(pl.Body("saddle", pl.HeightField(heights, (0.8, 0.8)), fixed=True, friction=0.5))
        scene.add(pl.Body("it", mesh, mass=1.0, position=(0.0, 0.0, 0.16), friction=0.5,
                          quaternion=tuple(turned / np.linalg.norm(turned))))
        reports = never_gains(pl.World(scene), 90, G * 0.05 * 0.06)  # its own slop
        rises = np.diff([report.energy.total for report in reports])
        assert rises[rises > 0.0].sum() < G * 1e-3
