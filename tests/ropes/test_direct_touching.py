"""Bodies on direct ropes stand, stick and bear on springs as they do without them."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

G = 9.81  # [m/s2]


@pytest.mark.parametrize("share", [0.2, 0.95])
def test_a_box_pulled_by_a_rope_sticks(share):
    """Oracle: Coulomb. Below what friction can bear it stays; contacts are solved to 1e-5 m/s."""
    mass, friction = 40.0, 0.8
    scene = pl.Scene()
    scene.add(pl.Ground(friction=friction))
    box = scene.add(pl.Body("box", pl.Box(0.8, 0.5, 0.3), mass=mass, position=(0, 0, 0.15)))
    rope = scene.add(pl.Rope("rope", path=[(0.4, 0, 0.15), (2.4, 0, 0.15)], points=20, radius=0.01, material="nylon rope",
                             collide=False))
    scene.attach(rope.start, box)
    scene.add(pl.Load("pull", rope.end, force=(share * friction * mass * G, 0, 0)))
    world = pl.World(scene)
    world.run(1.0)
    place = world["box"].position.copy()
    world.run(2.0)
    assert np.linalg.norm(world["box"].position - place) < 1e-5 * 2.0


@pytest.mark.parametrize("stiffness", [1e6, 1e9])
def test_springs_beside_contacts_and_a_limp_rope_gain_nothing(stiffness):
    """Oracle: conservation, by the helper."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    low = scene.add(pl.Body("low", pl.Box(0.5, 0.5, 0.2), mass=10.0, position=(0, 0, 0.1)))
    high = scene.add(pl.Body("high", pl.Box(0.5, 0.5, 0.2), mass=10.0, position=(0, 0, 0.7)))
    for i, (x, y) in enumerate(((-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2))):
        scene.add(pl.Spring(f"s{i}", low, high, stiffness=stiffness, rest_length=0.4, at_a=(x, y, 0.1), at_b=(x, y, -0.1)))
    rope = scene.add(pl.Rope("rope", path=[(0.25, 0, 0.7), (2, 0, 1.2)], points=20, radius=0.01, material="nylon rope",
                             collide=False))
    scene.attach(rope.start, high)
    world = pl.World(scene)
    world.on_step(EnergyGuard(world))
    world.run(3.0)


@pytest.mark.parametrize("stiffness", [1e5, 1e7])
def test_struts_of_a_car_with_a_tow_rope_bear_its_weight(stiffness):
    """Oracle: statics. What struts are pressed in by, times their stiffness, is the weight, with up to twice that of the rope,
    which still swings."""
    scene, turned, mass = pl.Scene(), (0.5**0.5, 0.5**0.5, 0, 0), 500.0
    scene.add(pl.Ground())
    car = scene.add(pl.Body("car", pl.Box(2, 1, 0.3), mass=mass, position=(0, 0, 0.8)))
    for i, (x, y) in enumerate(((-0.8, -0.7), (-0.8, 0.7), (0.8, -0.7), (0.8, 0.7))):
        hub = scene.add(pl.Body(f"hub{i}", pl.Box(0.1, 0.1, 0.1), mass=5.0, position=(x, y, 0.35), collide=False))
        scene.add(pl.Prismatic(f"slide{i}", car, hub, axis=(0, 0, 1)))
        scene.add(pl.JointSpring(f"strut{i}", f"slide{i}", stiffness, 0.02 * stiffness))
        wheel = scene.add(pl.Body(f"wheel{i}", pl.Cylinder(0.35, 0.2), mass=20.0, position=(x, y, 0.35), quaternion=turned))
        scene.add(pl.Revolute(f"axle{i}", hub, wheel, axis=(0, 1, 0)))
    rope = scene.add(pl.Rope("tow", path=[(-1, 0, 0.8), (-3, 0, 0.8)], points=15, radius=0.01, mass=1.0, bend=0.1, twist=0.1,
                             collide=False))
    scene.attach(rope.start, car)
    world = pl.World(scene)
    world.run(4.0)
    borne = sum(stiffness * world[f"slide{i}"].travel for i in range(4))
    assert mass * G - 1.0 <= borne <= (mass + 2.0) * G
