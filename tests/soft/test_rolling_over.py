"""Balls on cloth and solids: contacts stay on the line through the centre, so that nothing but friction spins them."""

import numpy as np
import pytest

import pliant as pl


def slid(material: str, dt: float, substeps: int | str) -> pl.World:
    """A ball of 1 kg, 8 cm, after 0.4 s at 1 m/s on a slab pinned below, without friction."""
    scene = pl.Scene()
    slab = scene.add(pl.Solid("slab", pl.Box(1.2, 0.3, 0.1), spacing=0.05, material=material, position=(0, 0, 0.05),
                              friction=0))
    scene.pin(slab.vertices(lambda x: x[:, 2] < -0.049))
    scene.add(pl.Body("ball", pl.Sphere(0.08), mass=1, position=(-0.4, 0, 0.18), velocity=(1, 0, 0), friction=0))
    world = pl.World(scene, dt=dt, substeps=substeps)
    world.run(0.4)
    return world


@pytest.mark.parametrize("material", ["jelly", "rubber"])
@pytest.mark.parametrize(("dt", "substeps"), [(1 / 60, "auto"), (1 / 60, 8), (1 / 480, 1)])
def test_a_ball_without_friction_is_not_spun(material, dt, substeps):
    """Oracle: all forces pass through its centre; tolerance: rounding of levers of 0.08 m, of 10 N and 0.002 kg m2 in 0.4 s."""
    ball = slid(material, dt, substeps)["ball"]
    assert np.abs(ball.angular_velocity).max() < 1e-9


@pytest.mark.parametrize("dt", [1 / 60, 1 / 480])
def test_an_oblique_hit_does_not_spin_a_ball(dt):
    """Oracle: as above, where it hits a jelly off its middle, in one substep and in eight."""
    for substeps in (1, 8):
        scene = pl.Scene(gravity=(0, 0, 0))
        scene.add(pl.Solid("jelly", pl.Box(0.2, 0.2, 0.2), spacing=0.05, material="jelly", friction=0))
        scene.add(pl.Body("ball", pl.Sphere(0.08), mass=1, position=(0.3, 0.09, 0.03), velocity=(-2, 0, 0), friction=0))
        world = pl.World(scene, dt=dt, substeps=substeps)
        world.run(0.3)
        assert np.abs(world["ball"].angular_velocity).max() < 1e-9


def test_what_brakes_a_ball_falls_with_the_step():
    """Oracle: what normals of the start of a substep lean ahead by goes with h, as what implicit Euler keeps does."""
    lost = [1.0 - slid("rubber", dt, 1)["ball"].velocity[0] for dt in (1 / 120, 1 / 480)]
    assert 0.0 < lost[1] < 0.5 * lost[0]
