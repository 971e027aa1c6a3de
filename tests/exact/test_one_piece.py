"""Bodies that joints without play make one piece do not touch each other, however they lie."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

SIDE, CORNERS = 0.1, ((0, 0), (1, 0), (1, 1), (0, 1))
NO_PLAY = {"fixed": (pl.Fixed, {}), "hinges": (pl.Revolute, {"limits": (0, 0)}), "slides": (pl.Prismatic, {"limits": (0, 0)})}


def ring(joint: str, scene: pl.Scene) -> pl.World:
    """Four boxes, two by two, joined one to the next; the first and the last lie flush and are not joined."""
    kind, more = NO_PLAY[joint]
    for k, (x, y) in enumerate(CORNERS):
        scene.add(pl.Body(f"box{k}", pl.Box(SIDE, SIDE, SIDE), mass=1.0, position=(SIDE * x, SIDE * y, SIDE / 2)))
    for k in range(3):
        middle = SIDE / 2 * (np.array(CORNERS[k]) + CORNERS[k + 1])
        scene.add(kind(f"joint{k}", f"box{k}", f"box{k + 1}", anchor=(*middle, SIDE / 2), **more))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("spin", [(0.0, 0.0, 5.0), (1.0, 2.0, 5.0)])
@pytest.mark.parametrize("joint", ["fixed", "hinges"])
def test_what_tumbles_in_one_piece_keeps_its_energy_and_momentum(joint, spin):
    """Oracle: conservation, without any force from outside: 1e-4 of the energy, angular momentum to 1e-3 in three seconds."""
    world = ring(joint, pl.Scene(gravity=(0, 0, 0)))
    for k, (x, y) in enumerate(CORNERS):
        arm = np.array((SIDE * (x - 0.5), SIDE * (y - 0.5), 0.0))
        world[f"box{k}"].angular_velocity = spin
        world[f"box{k}"].velocity = np.cross(spin, arm)
    before, turning = world.energy().total, momentum(world)
    world.run(3.0)
    assert not world.contacts.a
    assert world.energy().total == pytest.approx(before, rel=1e-4)
    assert np.linalg.norm(momentum(world) - turning) < 1e-3 * np.linalg.norm(turning)


@pytest.mark.parametrize("joint", list(NO_PLAY))
def test_one_piece_lies_on_the_ground(joint):
    """Oracle: conservation by the helper, and that it lies as high as it lay, to the slop of contacts."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    world = ring(joint, scene)
    world.on_step(EnergyGuard(world))
    world.run(3.0)
    for k in range(4):
        assert abs(world[f"box{k}"].position[2] - SIDE / 2) < 1e-3


def test_what_has_play_or_was_told_to_touches():
    """Oracle: the forces. A hinge with play lets the ends meet, and collide=True is kept."""
    for limits, collide, touches in (((-0.5, 0.5), None, True), (None, True, True), (None, None, False)):
        scene = pl.Scene(gravity=(0, 0, 0))
        for k in range(3):
            scene.add(pl.Body(f"box{k}", pl.Box(SIDE, SIDE, SIDE), mass=1.0, position=(SIDE * k, 0, 0)))
        scene.add(pl.Fixed("a", "box0", "box1", collide=collide))
        scene.add(pl.Revolute("b", "box1", "box2", limits=limits, axis=(0, 1, 0)) if limits else pl.Fixed("b", "box1", "box2"))
        model = pl.World(scene)._engine.model
        pair = (1, 2) if collide else (1, 3)
        assert ((pair[0] << 32) + pair[1] in model.excluded.pair) is (not touches)


def momentum(world: pl.World) -> np.ndarray:
    """About the origin [kg m2/s]."""
    total = np.zeros(3)
    for k in range(4):
        body = world[f"box{k}"]
        total += np.cross(body.position, body.velocity) + SIDE**2 / 6.0 * np.array(body.angular_velocity)
    return total
