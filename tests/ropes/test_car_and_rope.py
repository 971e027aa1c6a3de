"""A car that stands on more joints than are solved with its contacts at once rests the same with a rope on it as without."""

import numpy as np
import pytest

import pliant as pl

G = 9.81


def car(rope: bool) -> pl.World:
    """900 kg on four sprung struts, the front wheels steered: ten joints. The rope of 30 g hangs from it."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    scene.add(pl.Body("car", pl.Box(3, 1.4, 0.5), mass=900, position=(0, 0, 0.75)))
    for i, (x, y) in enumerate(((1.1, 0.85), (1.1, -0.85), (-1.1, 0.85), (-1.1, -0.85))):
        scene.add(pl.Body(f"hub{i}", pl.Sphere(0.1), mass=15, position=(x, y, 0.35), collide=False))
        scene.add(pl.Prismatic(f"strut{i}", "car", f"hub{i}", axis=(0, 0, 1), limits=(-0.15, 0.2)))
        scene.add(pl.JointSpring(f"coil{i}", f"strut{i}", stiffness=25000, damping=2500, rest=-0.09))
        carrier = f"hub{i}"
        if i < 2:
            carrier = f"knuckle{i}"
            scene.add(pl.Body(carrier, pl.Sphere(0.08), mass=10, position=(x, y, 0.35), collide=False))
            scene.add(pl.Revolute(f"steer{i}", f"hub{i}", carrier, axis=(0, 0, 1), motor=pl.PositionMotor(0.0, 5000, 300)))
        scene.add(pl.Body(f"wheel{i}", pl.Cylinder(0.35, 0.2), mass=20, quaternion=(0.5**0.5, 0.5**0.5, 0, 0),
                          position=(x, y, 0.35), friction=0.9))
        scene.add(pl.Revolute(f"axle{i}", carrier, f"wheel{i}", axis=(0, 1, 0)))
    if rope:
        scene.add(pl.Rope("rope", path=[(-1.5, 0, 0.6), (-1.5, 0, 0.4)], points=4, radius=0.006, mass=0.03, bend=0.05,
                          twist=0.05))
        scene.attach("rope.start", "car")
    return pl.World(scene, threads=1)


def test_a_car_with_a_rope_rests_as_without():
    """Oracle: statics, the ground bears all weight to 1e-4; it is at rest.

    Without the rope contacts are solved at once, beside it they are swept on so many joints: each of the eight ends of wheels
    gives way by no more than the wheel alone goes in a substep under what it bears, F K h^2.
    """
    mass = 900 + 4 * (15 + 20) + 2 * 10
    give = mass * G / 8 * (1 / 20 + 0.1**2 / (20 * (3 * 0.35**2 + 0.2**2) / 12)) / 480**2
    for rope, deepest in ((False, 0.1 * give), (True, give)):
        world = car(rope)
        world.run(6.0)
        assert world.step().penetration < deepest
        assert np.abs(world["car"].velocity).max() < 1e-6
        borne = sum(world[f"wheel{i}"].contact_force[2] for i in range(4))
        assert borne == pytest.approx((mass + 0.03 * rope) * G, rel=1e-4)
