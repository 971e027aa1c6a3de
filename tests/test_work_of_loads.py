"""The work of a constant load is force times way, torque times angle, wherever something stops what it pushes."""

from math import pi

import numpy as np
import pytest

import pliant as pl

FORCE = 20.0


def under_a_plate(kind: str) -> tuple[pl.Scene, float]:
    """What a plate is pushed onto, and how high that is [m]."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    if kind == "jelly":
        scene.add(pl.Solid("jelly", pl.Box(0.12, 0.12, 0.06), spacing=0.03, material="jelly", position=(0, 0, 0.0301)))
        return scene, 0.0601
    if kind == "sheet":
        cloth = scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.6, 0.05), thickness=0.002, position=(0, 0, 0.3)))
        scene.pin(cloth.vertices(np.abs(cloth.rest[:, :2]).max(axis=1) > 0.299))
        return scene, 0.301
    return scene, 0.0


@pytest.mark.parametrize("gap", [0.004, 0.05])
@pytest.mark.parametrize("kind", ["jelly", "sheet", "spring", "ground", "direct", "impulse"])
def test_work_is_force_times_way(kind, gap):
    """Beside cloth and solids, rigid things, springs, and on ropes; by speeds it was 0.059 J of 0.080 on the ground."""
    scene, top = under_a_plate(kind)
    plate = scene.add(pl.Body("plate", pl.Box(0.14, 0.14, 0.01), mass=0.5, position=(0, 0, top + 0.005 + gap)))
    if kind == "spring":
        scene.add(pl.Prismatic("rail", pl.WORLD, plate, axis=(0, 0, 1)))
        scene.add(pl.JointSpring("spring", "rail", stiffness=500.0, damping=5.0))
    if kind in ("direct", "impulse"):
        rope = scene.add(pl.Rope("rope", path=[(0, 0, 0.51 + gap), (0, 0, 0.01 + gap)], points=6, radius=0.01, mass=0.05,
                                 bend=1e-3, twist=1e-3, collide=False, method=kind))
        scene.attach(rope.end, plate)
    scene.add(pl.Load("push", plate, force=(0, 0, -FORCE)))
    world = pl.World(scene)
    height = world["plate"].position[2]
    world.run(1.0)
    way = FORCE * (height - world["plate"].position[2])
    assert way > 0.5 * FORCE * gap
    assert world.energy().work == pytest.approx(way, rel=1e-9)


@pytest.mark.parametrize("soft", [False, True])
def test_work_is_torque_times_angle(soft):
    """An arm is turned against its stop, in a world of bodies and with a cloth on it."""
    scene = pl.Scene(gravity=(0, 0, 0))
    arm = scene.add(pl.Body("arm", pl.Box(0.4, 0.05, 0.05), mass=0.5, position=(0.2, 0, 0), collide=False))
    scene.add(pl.Revolute("hinge", pl.WORLD, arm, anchor=(0, 0, 0), axis=(0, 0, 1), limits=(-1.0, 0.7)))
    scene.add(pl.Load("turn", arm, torque=(0, 0, 0.3)))
    if soft:
        flag = scene.add(pl.Cloth("flag", pl.Sheet(0.2, 0.2, 0.1), thickness=0.002, position=(0.5, 0, 0)))
        scene.attach(flag.vertices(flag.placed()[:, 0] < 0.401), arm)
    world = pl.World(scene)
    world.run(2.0)
    angle = world["hinge"].angle
    assert angle == pytest.approx(0.7, abs=1e-2)
    assert world.energy().work == pytest.approx(0.3 * angle, rel=1e-9)


def test_work_of_a_torque_counts_full_turns():
    """A wheel that turns by more than a full turn a substep."""
    scene, speed, torque, seconds = pl.Scene(gravity=(0, 0, 0)), 5000.0, 0.5, 0.5
    wheel = scene.add(pl.Body("wheel", pl.Cylinder(0.1, 0.05), mass=2.0, angular_velocity=(0, 0, speed)))
    scene.add(pl.Load("turn", wheel, torque=(0, 0, torque)))
    world = pl.World(scene)
    before = world.energy().kinetic
    world.run(seconds)
    assert speed * world.dt / world.substeps > 2 * pi
    angle = speed * seconds + 0.5 * torque / (0.5 * 2.0 * 0.1**2) * seconds**2
    assert world.energy().work == pytest.approx(torque * angle, rel=1e-9)
    assert world.energy().kinetic - before == pytest.approx(torque * angle, rel=1e-9)
