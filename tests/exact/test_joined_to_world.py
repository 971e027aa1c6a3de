"""What is joined to the world touches the ground, unless it stands on it or in it when it starts."""

from math import asin, cos, pi, sin

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl

LENGTH, HEIGHT, RADIUS = 1.0, 0.6, 0.1  # [m]
SLOP = 2e-4
"""How deep what rests may sink [m]."""


def hang(joint, *more, shape=None, position=(LENGTH, 0, HEIGHT), quaternion=(1, 0, 0, 0), **world) -> pl.World:
    scene = pl.Scene(**world)
    scene.add(pl.Ground())
    scene.add(pl.Body("bob", shape or pl.Sphere(RADIUS), mass=2.0, position=position, quaternion=quaternion))
    scene.add(joint)
    for thing in more:
        scene.add(thing)
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("joint", [
    pl.Revolute("pivot", pl.WORLD, "bob", anchor=(0, 0, HEIGHT), axis=(0, 1, 0)),
    pl.Revolute("pivot", "bob", pl.WORLD, anchor=(0, 0, HEIGHT), axis=(0, 1, 0)),
    pl.Spherical("pivot", pl.WORLD, "bob", anchor=(0, 0, HEIGHT)),
    pl.Pin("pivot", "bob", position=(0, 0, HEIGHT)),
], ids=["hinge", "hinge of the world", "ball", "pin"])
def test_a_pendulum_comes_down_on_the_ground(joint):
    """Oracle: it rests where its ball touches, sin a = (H - r) / L, as deep in as contacts may be."""
    world = hang(joint)
    world.run(3.0)
    angle = asin((HEIGHT - RADIUS) / LENGTH)
    x, _, z = world["bob"].position
    assert world.warnings == []
    assert -SLOP <= z - (HEIGHT - LENGTH * sin(angle)) <= SLOP
    assert abs(x - LENGTH * cos(angle)) <= SLOP * sin(angle) / cos(angle) + 1e-5
    assert world.energy().kinetic < 1e-9


def test_it_passes_where_that_is_asked_for():
    """Oracle: said not to touch, it swings to the other side through the ground and keeps its energy to 1e-4 of m g L."""
    world = hang(pl.Revolute("pivot", pl.WORLD, "bob", anchor=(0, 0, HEIGHT), axis=(0, 1, 0), collide=False))
    start, lowest = world.energy().total, 0.0
    for _ in range(120):
        world.step()
        lowest = min(lowest, world["bob"].position[2])
    assert lowest < HEIGHT - 0.99 * LENGTH
    assert abs(world.energy().total - start) <= 1e-4 * 2.0 * 9.81 * LENGTH


@pytest.mark.parametrize("bottom", [0.0, 1e-4, -1e-3, -0.1], ids=["on it", "a hair above", "a hair in it", "in it"])
def test_a_door_that_stands_on_the_ground_swings_freely(bottom):
    """Oracle: about a vertical hinge nothing brakes it, its rate stays as joints close, to 1e-6; and nothing is said of it."""
    spin = 2.0
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("door", pl.Box(0.9, 0.04, 2.0), mass=30.0, position=(0.45, 0, 1.0 + bottom), velocity=(0, 0.45 * spin, 0),
                      angular_velocity=(0, 0, spin)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "door", anchor=(0, 0, 0), axis=(0, 0, 1)))
    world = pl.World(scene, threads=1)
    world.run(1.0)
    assert world.warnings == []
    assert abs(world["hinge"].rate - spin) <= 1e-6


@pytest.mark.parametrize("joint", [
    pl.Revolute("flap", pl.WORLD, "bob", anchor=(-0.5, 0, 0.05), axis=(0, 1, 0)),
    pl.Spherical("flap", pl.WORLD, "bob", anchor=(-0.5, 0, 0.05)),
    pl.Pin("flap", "bob", position=(-0.5, 0, 0.05)),
], ids=["hinge", "ball", "pin"])
def test_a_flap_that_lies_on_the_ground_stays_there(joint):
    """Oracle: the ground bears it; it may sink by the slop."""
    world = hang(joint, shape=pl.Box(1.0, 0.3, 0.1), position=(0, 0, 0.05))
    world.run(2.0)
    assert world.warnings == []
    assert -SLOP <= world["bob"].position[2] - 0.05 <= 0.0 and world.energy().kinetic < 1e-9


def test_a_slide_that_stands_on_the_ground_slides_freely():
    """Oracle: along the ground nothing brakes it, to 1e-6."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("cart", pl.Box(0.4, 0.2, 0.1), mass=2.0, position=(0, 0, 0.05), velocity=(1, 0, 0)))
    scene.add(pl.Prismatic("rail", pl.WORLD, "cart", axis=(1, 0, 0)))
    world = pl.World(scene, threads=1)
    world.run(1.0)
    assert world.warnings == [] and abs(world["rail"].rate - 1.0) <= 1e-6


@pytest.mark.parametrize(("joint", "warned"), [
    (pl.Revolute("hold", pl.WORLD, "bob", axis=(0, 1, 0)), True),
    (pl.Spherical("hold", pl.WORLD, "bob"), True),
    (pl.Prismatic("hold", pl.WORLD, "bob", axis=(0, 0, 1)), True),
    (pl.Revolute("hold", pl.WORLD, "bob", axis=(0, 0, -1)), False),
    (pl.Fixed("hold", pl.WORLD, "bob"), False),
    (pl.Revolute("hold", pl.WORLD, "bob", axis=(0, 1, 0), collide=False), False),
])
def test_what_starts_deep_in_the_ground_is_said(joint, warned):
    """Once, with the joint and the depth; not of posts, cranes and what is said not to touch. It is not thrown out."""
    world = hang(joint, shape=pl.Box(0.1, 0.1, 1.0), position=(0, 0, 0.4))
    assert len(world.warnings) == warned
    if warned:
        assert "'hold'" in world.warnings[0] and "0.1 m into the ground" in world.warnings[0]
    world.step()
    assert len(world.contacts.a) == 0


def lowest(shape, turn: Rotation) -> float:
    """The lowest point of a shape turned by `turn` [m], from many points of its surface, to 1e-5 of its size."""
    ring = np.linspace(0.0, 2.0 * pi, 2001)
    if isinstance(shape, pl.Box):
        corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        return float(turn.apply(corners * (shape.x, shape.y, shape.z))[:, 2].min())
    if isinstance(shape, pl.Cylinder):
        rim = np.stack([shape.radius * np.cos(ring), shape.radius * np.sin(ring), 0.5 * shape.length + 0.0 * ring], axis=1)
        return float(turn.apply(np.concatenate([rim, rim * (1, 1, -1)]))[:, 2].min())
    ends = np.array([(0, 0, s * 0.5 * getattr(shape, "length", 0.0)) for s in (-1, 1)])
    return float(turn.apply(ends)[:, 2].min()) - shape.radius


@pytest.mark.parametrize("shape", [pl.Box(0.3, 0.2, 0.5), pl.Sphere(0.2), pl.Capsule(0.1, 0.4), pl.Cylinder(0.15, 0.4)],
                         ids=lambda shape: type(shape).__name__)
def test_where_a_turned_body_stands(shape):
    """Oracle: the lowest of many points of its surface: what slides up and down touches the ground that it stands on, to 0.1 mm
    in it; 0.3 mm in it, it passes and is told."""
    for seed in range(5):
        turn = Rotation.random(random_state=seed)
        x, y, z, w = turn.as_quat()
        for gap, touches in ((3e-4, True), (1e-4, True), (-1e-4, True), (-3e-4, False)):
            world = hang(pl.Prismatic("slide", pl.WORLD, "bob"), shape=shape, position=(0, 0, gap - lowest(shape, turn)),
                         quaternion=(w, x, y, z))
            world.run(0.2)
            assert (world["bob"].position[2] > -1.5 * SLOP - lowest(shape, turn)) == touches
            assert len(world.warnings) == (not touches)
