"""Islands do not disturb each other: what stands far from something that spins has the same bits as without it."""

import numpy as np
import pytest

import pliant as pl


def stand(spin: float | None) -> pl.World:
    """A stack, a sprung pendulum, and a bar on a hinge that spins against a post 50 m away, if it is there at all."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(3):
        scene.add(pl.Body(f"b{k}", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0.02 * k, 0, 0.12 + 0.21 * k)))
    scene.add(pl.Body("bob", pl.Sphere(0.1), mass=1.0, position=(3, 0, 1)))
    scene.add(pl.Spring("s", pl.WORLD, "bob", at_a=(3, 0.4, 2), stiffness=100.0, damping=1.0))
    if spin is not None:
        scene.add(pl.Body("bar", pl.Box(1.0, 0.05, 0.05), mass=1.0, position=(50.5, 0, 1), angular_velocity=(0, 0, spin),
                          velocity=(0, 0.5 * spin, 0)))
        scene.add(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(50, 0, 1), axis=(0, 0, 1)))
        scene.add(pl.Body("post", pl.Cylinder(0.05, 0.5), fixed=True, position=(49.2, 0, 1)))
    return pl.World(scene)


@pytest.mark.parametrize("spin", [3.0, 60.0, 100.0])
def test_far_apart(spin):
    """Oracle: the same things alone, to the bit; the bar stops at the post."""
    alone, world = stand(None), stand(spin)
    for _ in range(90):
        alone.step()
        world.step()
        for name in ("b0", "b1", "b2", "bob"):
            assert np.array_equal(alone[name].position, world[name].position)
            assert np.array_equal(alone[name].contact_force, world[name].contact_force)
    assert abs(world["hinge"].angle) < 3.2
