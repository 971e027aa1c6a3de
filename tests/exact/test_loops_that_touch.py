"""Drives in loops of joints whose bodies touch something hold as they do where nothing touches."""

from math import atan2, cos, sin

import numpy as np
import pytest

import pliant as pl

TARGET, LIMIT = 0.15, -0.05  # [m/s], [m]
FORCE, LINK, MU = 4.0, 0.1, 0.6  # [N m], [m], [-]


def loader(fixed: bool, **ram) -> pl.World:
    """A base of 1.5 t, on the ground or `fixed`, a boom on a hinge, and a ram of two light bodies between them: one loop."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Control("lift", -1, 1, 0))
    scene.add(pl.Body("base", pl.Box(1, 0.8, 0.6), mass=1500, position=(0, 0, 0.3), fixed=fixed))
    foot, hinge, tip = np.array((0.5, 0, 0.2)), np.array((0.3, 0, 0.7)), np.array((1.9, 0, 0.7))
    eye = hinge + 0.7 * (tip - hinge)
    along = (eye - foot) / np.linalg.norm(eye - foot)
    half = 0.5 * atan2(along[0], along[2])
    turned = (cos(half), 0, sin(half), 0)
    scene.add(pl.Body("boom", pl.Box(1.6, 0.1, 0.12), mass=100, position=(hinge + tip) / 2, collide=False))
    for name, radius, mass, middle in (("cylinder", 0.04, 8, foot + 0.15 * along), ("piston", 0.03, 5, eye - 0.15 * along)):
        scene.add(pl.Body(name, pl.Cylinder(radius, 0.3), mass=mass, position=middle, quaternion=turned, collide=False))
    scene.add(pl.Revolute("shoulder", "base", "boom", anchor=hinge, axis=(0, -1, 0)))
    scene.add(pl.Revolute("heel", "base", "cylinder", anchor=foot, axis=(0, 1, 0)))
    scene.add(pl.Revolute("eye", "boom", "piston", anchor=eye, axis=(0, 1, 0)))
    scene.add(pl.Prismatic("ram", "cylinder", "piston", anchor=foot, axis=along, **ram))
    return pl.World(scene)


@pytest.mark.parametrize("fixed", [False, True])
def test_a_motor_holds_its_speed(fixed):
    """Oracle: a velocity motor far within its bound has its speed from the first substep on."""
    world = loader(fixed, motor=pl.VelocityMotor("lift", 20000))
    world.run(0.5)
    world.control["lift"] = TARGET
    for _ in range(30):
        world.step()
        assert world["ram"].rate == pytest.approx(TARGET, abs=1e-6)


def test_on_its_limit_it_rests():
    """Oracle: a limit takes energy and gives none; statics at rest as with a fixed base, whose mass makes no difference."""
    loads = []
    for fixed in (False, True):
        world = loader(fixed, limits=(LIMIT, 0.5))
        least = world.energy().total
        start = least
        for _ in range(120):
            total = world.step().energy.total
            assert total < least + 1e-6 * start
            least = min(least, total)
        assert world["ram"].travel == pytest.approx(LIMIT, abs=1e-6)
        loads.append(world["ram"].efforts()["limits"])
    assert loads[0] == pytest.approx(loads[1], rel=1e-4)


def gripper() -> pl.Scene:
    """A palm on a slide, two fingers on parallel links, one of each two driven, and a box on the ground between them."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Control("lift", -1, 1, 0))
    scene.add(pl.Control("close", -2, 2, 0))
    scene.add(pl.Body("palm", pl.Box(0.05, 0.2, 0.04), mass=1, position=(0, 0, 0.32), collide=False))
    scene.add(pl.Prismatic("up", pl.WORLD, "palm", axis=(0, 0, 1), motor=pl.PositionMotor("lift", 2e4, 1e3, 500)))
    for side, name in ((1, "left"), (-1, "right")):
        pins = ((0.06, 0.32), (0.09, 0.30))
        for k, (y, z) in enumerate(pins):
            link = f"{name} link {k}"
            scene.add(pl.Body(link, pl.Box(0.01, 0.01, LINK), mass=0.05, position=(0, side * y, z - LINK / 2), collide=False))
            scene.add(pl.Revolute(f"{name} {k}", "palm", link, anchor=(0, side * y, z), axis=(-side, 0, 0),
                                  motor=None if k else pl.VelocityMotor("close", FORCE)))
        scene.add(pl.Body(name, [pl.Placed(pl.Box(0.04, 0.012, 0.14), (0, -0.01 * side, -0.08))], mass=0.1,
                          position=(0, 0.065 * side, 0.32 - LINK), friction=MU))
        for k, (y, z) in enumerate(pins):
            scene.add(pl.Revolute(f"{name} tip {k}", f"{name} link {k}", name, anchor=(0, side * y, z - LINK), axis=(1, 0, 0)))
    scene.add(pl.Body("box", pl.Box(0.06, 0.06, 0.1), mass=1.0, position=(0, 0, 0.05), friction=MU))
    return scene


@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
def test_fingers_on_parallel_links_hold_a_box(dt):
    """Oracle: statics. Motors stand at their bound, friction bears 5 times the weight: the box goes with the palm."""
    world = pl.World(gripper(), dt=dt)
    world.control["close"] = 1.0
    world.run(1.0)
    assert world["left 0"].effort == pytest.approx(FORCE, rel=1e-6)
    assert abs(world["left 0"].rate) < 1e-3
    apart = world["palm"].position[2] - world["box"].position[2]
    while world.time < 2.5:
        world.control["lift"] = min(0.15, 0.15 * (world.time - 1.0))
        world.step()
    assert world["palm"].position[2] > 0.46
    assert world["palm"].position[2] - world["box"].position[2] == pytest.approx(apart, abs=1e-5)
