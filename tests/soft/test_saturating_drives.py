"""Drives that come to their bounds as soft pads on them touch something: what they push with is found with the contacts."""

import numpy as np
import pytest

import pliant as pl

MASS = 0.2 + 1100.0 * 0.03 * 0.05 * 0.05  # kg, of finger and pad


def pressed(motor: object, young: float = 5e6, spacing: float = 0.015, material: str | None = None) -> pl.Scene:
    """A finger of 0.2 kg on a rail, with a rubber pad glued to it, 1 cm before a wall; nothing weighs."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Body("wall", pl.Box(0.06, 0.2, 0.2), fixed=True))
    finger = scene.add(pl.Body("finger", pl.Box(0.02, 0.06, 0.06), mass=0.2, position=(0.08, 0, 0), collide=False))
    scene.add(pl.Prismatic("rail", pl.WORLD, finger, axis=(-1, 0, 0), motor=motor))
    pad = scene.add(pl.Solid("pad", pl.Box(0.03, 0.05, 0.05), spacing=spacing, position=(0.055, 0, 0),
                             material=material or pl.Material(1100.0, young=young, poisson=0.48)))
    scene.attach(pad.vertices(lambda x: x[:, 0] > 0.0149), finger)
    return scene


def press(world: pl.World, force: float, seconds: float = 0.6) -> tuple[float, float, float]:
    """(fastest approach, fastest way back [m/s], largest gain in a step [J]) of the finger."""
    inward, back, gained, energy = 0.0, 0.0, 0.0, world.energy()
    for _ in range(round(seconds / world.dt)):
        now = world.step().energy
        gained = max(gained, now.total - now.work - energy.total + energy.work)
        energy, speed = now, world["finger"].velocity[0]
        inward, back = max(inward, -speed), max(back, speed)
    assert world["pad"].contact_force[0] == pytest.approx(force, rel=1e-4)
    assert abs(world["rail"].effort) == pytest.approx(force, rel=1e-4)
    return inward, back, gained


@pytest.mark.parametrize(("speed", "effort", "young", "spacing"), [
    (0.1, 30.0, 5e6, 0.015), (0.05, 30.0, 5e6, 0.015), (0.2, 30.0, 2e6, 0.015), (0.1, 30.0, 2e7, 0.015), (0.1, 10.0, 5e6, 0.01),
    (0.1, 300.0, 5e6, 0.015)])
def test_a_stiff_pad_stops_a_motor_without_throwing_it_back(speed, effort, young, spacing):
    """It came back 16 times as fast as it went: contacts were met as if the motor held against anything."""
    inward, back, gained = press(pl.World(pressed(pl.VelocityMotor(speed, effort), young, spacing)), effort)
    assert inward == pytest.approx(speed, rel=1e-3)
    assert back < 1e-3 * speed
    assert gained < 1e-3 * 0.5 * MASS * speed**2


@pytest.mark.parametrize("motor", [
    pl.PositionMotor(0.02, 2000.0, 40.0, 10.0),
    pl.DCMotor(1.0, 0.5, 5.0, 0.002, 12.0, max_effort=30.0)], ids=["servo", "current limit"])
def test_other_motors_press_by_their_bound_and_stay(motor):
    inward, back, gained = press(pl.World(pressed(motor)), motor.max_effort)
    assert back < 1e-3 * inward
    assert gained < 1e-3 * 0.5 * MASS * inward**2


@pytest.mark.parametrize(("material", "force"), [("rubber", 30.0), ("jelly", 10.0)])
def test_a_gripper_gains_nothing(material, force):
    """Two fingers close on a box and hold it: closing brought 1 J out of nothing with rubber, and 1 mJ with jelly: a motor
    at its bound does force times way, which speeds at both ends of a substep do not tell."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Body("box", pl.Box(0.06, 0.06, 0.1), mass=0.3))
    for side, name in ((-1, "left"), (1, "right")):
        finger = scene.add(pl.Body(name, pl.Box(0.02, 0.06, 0.06), mass=0.2, position=(0.08 * side, 0, 0), collide=False))
        scene.add(pl.Prismatic(f"rail {name}", pl.WORLD, finger, axis=(-side, 0, 0), motor=pl.VelocityMotor(0.1, force)))
        pad = scene.add(pl.Solid(f"pad {name}", pl.Box(0.03, 0.05, 0.05), spacing=0.015, material=material,
                                 position=(0.055 * side, 0, 0)))
        scene.attach(pad.vertices(lambda x, side=side: side * x[:, 0] > 0.0149), finger)
    world, energy = pl.World(scene), 0.0
    for _ in range(60):
        now = world.step().energy
        assert now.total - now.work <= energy + 1e-6
        energy = now.total - now.work
    assert np.abs(world["box"].velocity).max() < 1e-5
    for side, name in ((-1, "left"), (1, "right")):
        assert world[f"pad {name}"].contact_force[0] == pytest.approx(side * force, rel=1e-3)
