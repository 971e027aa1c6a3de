"""What is dropped on gently rolling terrain comes to rest, and never gains energy while it rocks to and fro."""

import numpy as np
import pytest
import trimesh
from energy import never_gains
from oracle_tools import G

import pliant as pl

X = np.linspace(-5.0, 5.0, 101)
HILLS = 0.1 * np.sin(3.0 * X)[:, None] * np.cos(2.0 * X)[None, :]  # no steeper than 0.3, with friction 0.6
TETRAHEDRON = pl.Mesh((
    np.array([[0.0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]), np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
))
SLOP = 2e-4
"""How deep [m] contacts lie without being pushed out."""


def dropped(shape, seed: int) -> pl.World:
    """One body in any attitude, 1 m over the hills."""
    turn = np.random.default_rng(seed).normal(size=4)
    scene = pl.Scene()
    scene.add(pl.Body("hills", pl.HeightField(HILLS, (10.0, 10.0)), fixed=True, friction=0.6))
    place = (-2.0 + 0.1 * seed, -2.0 + 0.07 * seed, 1.0)
    scene.add(pl.Body("it", shape, density=500.0, position=place, quaternion=tuple(turn / np.linalg.norm(turn))))
    return pl.World(scene)


def gained(world: pl.World, seconds: float) -> float:
    """Sum of all rises of energy, as a height [m] that the body is lifted by."""
    total, last = 0.0, world.energy().total
    for _ in range(round(seconds / world.dt)):
        now = world.step().energy.total
        total, last = total + max(0.0, now - last), now
    return total / (world["it"].mass * G)


@pytest.mark.parametrize("shape, seeds", [
    (pl.Box(0.4, 0.3, 0.2), (1, 7)), (pl.Box(0.5, 0.5, 0.5), (1,)), (TETRAHEDRON, (0, 1)),
])
def test_what_has_faces_comes_to_rest(shape, seeds):
    """Oracle: Coulomb, no slope is steeper than friction bears. At rest it moves by rounding alone."""
    for seed in seeds:
        world = dropped(shape, seed)
        world.run(5.0)
        assert gained(world, 10.0) < 2.0 * SLOP
        assert np.linalg.norm(world["it"].velocity) < 1e-4
        assert np.linalg.norm(world["it"].angular_velocity) < 1e-3


def test_a_disc_that_wobbles_on_its_rim_gains_nothing():
    """A rim rolls to and fro in a hollow for long, as a wheel does: of what it has, it may only lose. Its points of contact go
    round the rim, and the contacts of a step know where to; what they miss is well below the slop a step."""
    for seed in (0, 2):
        world = dropped(pl.Cylinder(0.2, 0.1), seed)
        world.run(5.0)
        assert gained(world, 10.0) < 5.0 * SLOP


@pytest.mark.parametrize("shape", [pl.Box(0.3, 0.2, 0.1), pl.Mesh(trimesh.creation.box((0.3, 0.2, 0.1)))])
@pytest.mark.parametrize("cells", [2, 20, 80])
def test_what_lies_over_the_border_stays_while_its_middle_is_inside(shape, cells):
    """Its lower edges cross the border, and so do the ends of its upright ones, which push it nowhere."""
    scene, places = pl.Scene(), (0.84, 0.86, 0.9, 0.95, 0.97)
    scene.add(pl.Body("field", pl.HeightField(np.zeros((cells + 1, cells + 1)), (2, 2)), fixed=True))
    for k, x in enumerate(places):
        scene.add(pl.Body(f"box {k}", shape, mass=1.0, position=(x, 0.3 * k - 0.58, 0.05)))
    world = pl.World(scene)
    never_gains(world, 60, 1e-6)
    for k, x in enumerate(places):
        assert np.allclose(world[f"box {k}"].position, (x, 0.3 * k - 0.58, 0.05), atol=2e-4)  # within their slop
