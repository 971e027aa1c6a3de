"""Light bodies between a heavy solid and the ground, and lifted off it. Oracles: weights, where they lie, energy."""

import numpy as np
import pytest

import pliant as pl

GRAVITY = 9.81


@pytest.mark.parametrize(("young", "mass"), [(1e8, 0.5), (1e7, 0.2)])
def test_a_solid_falls_on_a_light_box(young, mass):
    """1.1 kg at 3 m/s on a box of `mass`: they come to rest on each other, as high as both are to a millimetre."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("pad", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1100.0, young, poisson=0.3),
                       position=(0.0, 0.0, 0.48), velocity=(0.0, 0.0, -3.0)))
    scene.add(pl.Body("box", pl.Box(0.3, 0.3, 0.4), mass=mass, position=(0.0, 0.0, 0.2)))
    world = pl.World(scene, threads=1)
    start = world.energy().total
    for _ in range(60):
        report = world.step()
        assert not report.warnings
        assert report.penetration < 1e-3
        assert world.energy().total <= start
    pad, box = world["pad"], world["box"]
    assert pad.positions[:, 2].mean() == pytest.approx(0.45, abs=1e-3)
    assert box.position[2] == pytest.approx(0.2, abs=1e-3)
    assert pad.contact_force[2] == pytest.approx(1.1 * GRAVITY, rel=1e-2)
    assert np.abs(pad.velocities).max() < 1e-2


def test_what_leant_on_the_ground_is_lifted_off_it():
    """Two pads of 1 kg close on a box of 0.2 kg on the ground and lift it by 0.1 m: what they then bear is its weight."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=0.2, position=(0.0, 0.0, 0.05), friction=1.0))
    for name, side in (("left", -1.0), ("right", 1.0)):
        pad = scene.add(pl.Solid(name, pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, 1e6, poisson=0.3),
                                 position=(side * 0.102, 0.0, 0.07), friction=1.0))
        close = -side * 0.006
        scene.pin(pad.vertices(lambda x, side=side: side * x[:, 0] > 0.049), name=f"{name} arm",
                  motion=pl.Motion([0.0, 0.2, 0.7, 1.0], [(0, 0, 0), (close, 0, 0), (close, 0, 0.1), (close, 0, 0.1)]))
    world = pl.World(scene, threads=1)
    for _ in range(72):
        assert not world.step().warnings
    assert world["box"].position[2] == pytest.approx(0.15, abs=5e-3)
    assert world["box"].contact_force[2] == pytest.approx(0.2 * GRAVITY, rel=0.02)
    assert np.abs(world["box"].velocity).max() < 1e-2


@pytest.mark.parametrize("young", [1e6, 1e7, 1e8])
def test_what_was_driven_into_the_ground_comes_out_again(young):
    """A solid of 1.1 kg hits a ball of 50 g at 10 m/s and drives it 15 mm into the ground. It was stopped there for ever: what
    lifts it out is work. Oracles: they lie on each other, and gain no more than it takes to lift both by that depth."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("ball", pl.Sphere(0.05), mass=0.05, position=(0.0, 0.0, 0.05)))
    scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1100.0, young, poisson=0.3),
                       position=(0.0, 0.0, 0.2), velocity=(0.0, 0.0, -10.0)))
    world = pl.World(scene, threads=1)
    low, rise, deepest = np.inf, 0.0, 0.0
    for _ in range(90):
        report = world.step()
        low = min(low, report.energy.total - report.energy.work)
        rise, deepest = max(rise, report.energy.total - report.energy.work - low), max(deepest, report.penetration)
    assert deepest < 0.02
    assert rise < 1.15 * GRAVITY * deepest
    assert world["ball"].position[2] == pytest.approx(0.05, abs=1e-3)
    assert world["cube"].positions[:, 2].mean() == pytest.approx(0.15, abs=2e-3)
