"""A block on a slope stays below the angle of friction and slides beyond it, as Coulomb's law has it."""

from math import atan, cos, sin

import numpy as np
import pytest
from oracle_tools import G, slope

import pliant as pl

MU = 0.5
CUBE = pl.Mesh(([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)],
                [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
                 (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]))
BLOCKS = {"box": (pl.Box(0.3, 0.2, 0.1), 0.05), "cylinder": (pl.Cylinder(0.1, 0.1), 0.05), "mesh": (CUBE, 0.1)}


def on_slope(share: float, block: str = "box", field: bool = False) -> tuple[pl.World, np.ndarray, float]:
    """A block at rest on a slope of tan(alpha) = `share` MU; its world, the direction of descent, alpha [rad]."""
    alpha = atan(share * MU)
    normal, down, q = slope(alpha)
    shape, half = BLOCKS[block]
    scene = pl.Scene()
    if field:
        terrain = pl.HeightField(np.zeros((6, 6)), size=(40.0, 40.0))
        scene.add(pl.Body("terrain", terrain, fixed=True, quaternion=q, friction=MU))
    else:
        scene.add(pl.Ground(friction=MU, normal=tuple(normal)))
    scene.add(pl.Body("block", shape, mass=3.0, position=tuple(half * normal), quaternion=q, friction=0.0))
    return pl.World(scene), down, alpha


@pytest.mark.parametrize("block", BLOCKS)
def test_block_stays_just_below_the_angle_of_friction(block):
    """Oracle: Coulomb's law; 0.99 of the friction is used, and a millimetre in ten seconds is all it may creep."""
    world, down, _ = on_slope(0.99, block)
    start = world["block"].position
    world.run(10.0)
    assert abs((world["block"].position - start) @ down) < 1e-3
    assert np.linalg.norm(world["block"].velocity) < 1e-4


@pytest.mark.parametrize("block", BLOCKS)
def test_block_slides_just_beyond_the_angle_of_friction(block):
    """Oracle: g (sin - mu cos), a small difference of large forces; 1 % of it is 5e-4 of the friction."""
    world, down, alpha = on_slope(1.01, block)
    world.run(1.0)
    before = world["block"].velocity @ down
    world.run(3.0)
    gained = (world["block"].velocity @ down - before) / 3.0
    assert gained == pytest.approx(G * (sin(alpha) - MU * cos(alpha)), rel=0.01)
    assert world["block"].velocity @ np.array([0, 1, 0]) == pytest.approx(0.0, abs=1e-3 * gained)


def test_block_slides_fast_on_a_steep_slope():
    """Oracle: x = a t^2 / 2; semi-implicit steps run ahead by half a substep."""
    world, down, alpha = on_slope(2.0)
    start = world["block"].position
    world.run(2.0)
    a = G * (sin(alpha) - MU * cos(alpha))
    ahead = a * 2.0 * world.dt / world.substeps
    assert (world["block"].position - start) @ down == pytest.approx(0.5 * a * 4.0, abs=ahead)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_a_tilted_height_field_is_a_slope(share):
    """Oracle: as on the plane."""
    world, down, alpha = on_slope(share, field=True)
    start = world["block"].position
    world.run(4.0)
    moved = (world["block"].position - start) @ down
    if share < 1.0:
        assert abs(moved) < 1e-3
    else:
        assert moved == pytest.approx(0.5 * G * (sin(alpha) - MU * cos(alpha)) * 16.0, rel=0.01)


def test_friction_of_a_pair_is_the_larger_one():
    """Oracle: a box thrown along the level slides v^2 / (2 mu g) with the larger of the two coefficients."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.1))
    for k, mu in enumerate((0.0, 0.4)):
        scene.add(
            pl.Body(f"box{k}", pl.Box(0.4, 0.4, 0.1), mass=1.0, friction=mu, position=(0, 2.0 * k, 0.05), velocity=(2, 0, 0))
        )
    world = pl.World(scene)
    world.run(3.0)
    for k, mu in enumerate((0.1, 0.4)):
        # the end of the slide falls within a substep, which is 2 m/s h long at most
        exact = 2.0**2 / (2 * mu * G)
        assert world[f"box{k}"].position[0] == pytest.approx(exact, abs=2.0 * world.dt / world.substeps)
