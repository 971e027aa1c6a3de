"""Compliant ropes on bodies that hang on joints: these close in every substep."""

import numpy as np
import pytest
from direct import within
from energy import EnergyGuard

import pliant as pl
from pliant.couple.manner import GAPING


@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("mass", [2.0, 0.1])
def test_joints_close_while_all_is_flung(mass, clamp):
    """Two arms on a hinge and a ball, a rope, and a weight thrown at 7 m/s. Oracle: geometry, joints close as those of
    bodies alone do, to GAPING (1.6 mm they gaped); and energy."""
    scene = pl.Scene()
    for k, name in enumerate(("arm", "hand")):
        scene.add(pl.Body(name, pl.Box(0.5, 0.05, 0.05), mass=mass, position=(0.25 + 0.5 * k, 0, 1), collide=False))
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(0, 0, 1), axis=(0, 1, 0)))
    scene.add(pl.Spherical("ball", "arm", "hand", anchor=(0.5, 0, 1)))
    scene.add(pl.Rope("r", [(1, 0, 1), (1.6, 0, 1)], 16, 0.005, mass=0.2, bend=1e-2, twist=1e-2, method="compliant"))
    scene.add(pl.Body("w", pl.Sphere(0.05), mass=3.0, position=(1.6, 0, 1), collide=False, velocity=(0, 4, -6)))
    scene.attach("r.start", "hand", clamp=clamp)
    scene.attach("r.end", "w")
    world = pl.World(scene, dt=1 / 60, threads=1)
    guard, worst = EnergyGuard(world), 0.0
    for _ in range(90):
        worst = max(worst, world.step().drift)
        guard(world)
    within("gap [m]", worst, 1.01 * GAPING)
    assert np.linalg.norm(world["w"].velocity) > 0.1
