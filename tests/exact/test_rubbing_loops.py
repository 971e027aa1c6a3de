"""Machines of loops that stand on the ground and rub in their pins in proportion to what these bear move all the same.

Oracle: the ram of a scissor lift, whose motor suffices, goes as fast as it is told once it has started; the ground bears the
weight of all; energy by the helper (energy.py).
"""

from math import cos, sin

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

ANGLE, RATE = 0.35, 0.1
"""Of the arms above level [rad], and of the ram [m/s]."""


def lift(arm: float, everywhere: bool) -> pl.Scene:
    """A scissor lift on a plate on the ground, with 50 kg on it; its pins rub at `arm` [m], one of them or all."""
    scene, x, z = pl.Scene(), 0.5 * cos(ANGLE), 0.5 * sin(ANGLE)

    def box(name: str, size: tuple, mass: float, place: tuple, **more) -> None:
        scene.add(pl.Body(name, pl.Box(*size), mass=mass, position=place, **more))

    def pin(name: str, a: str, b: str, place: tuple, rubs: bool = False) -> None:
        scene.add(pl.Revolute(name, a, b, anchor=place, axis=(0, 1, 0), reaction_friction=arm if rubs or everywhere else 0.0))

    scene.add(pl.Ground())
    box("plate", (1.2, 0.5, 0.1), 40, (0, 0, 0.05))
    box("low", (0.05, 0.05, 0.05), 2, (x, 0, 0.14), collide=False)
    scene.add(pl.Prismatic("ram", "plate", "low", anchor=(x, 0, 0.14), axis=(1, 0, 0), motor=pl.VelocityMotor(-RATE, 3000)))
    for name, side in (("a", -1), ("b", 1)):
        box(name, (1, 0.03, 0.03), 4, (0, 0, 0.14 + z), quaternion=(cos(ANGLE / 2), 0, side * sin(ANGLE / 2), 0), collide=False)
    top = 0.14 + 2 * z
    box("top", (1.2, 0.5, 0.06), 20, (0, 0, top + 0.05))
    box("high", (0.05, 0.05, 0.05), 2, (x, 0, top), collide=False)
    pin("left", "plate", "a", (-x, 0, 0.14))
    pin("right", "low", "b", (x, 0, 0.14), rubs=True)
    pin("middle", "a", "b", (0, 0, 0.14 + z))
    pin("top left", "b", "top", (-x, 0, top))
    pin("top right", "a", "high", (x, 0, top))
    scene.add(pl.Prismatic("slide", "top", "high", anchor=(x, 0, top), axis=(1, 0, 0)))
    box("load", (0.3, 0.3, 0.2), 50, (0, 0, top + 0.18))
    return scene


@pytest.mark.parametrize("everywhere", [False, True], ids=["one pin", "all pins"])
@pytest.mark.parametrize("arm", [0.0, 0.002, 0.01])
def test_a_scissor_lift_lifts(arm, everywhere):
    world = pl.World(lift(arm, everywhere), threads=1)
    guard = EnergyGuard(world)
    pressed = []
    for _ in range(45):
        report = world.step()
        guard(world)
        assert not report.warnings
        pressed.append(world["plate"].contact_force[2])
    ram = world["ram"]
    assert ram.rate == pytest.approx(-RATE, rel=1e-4)
    assert -RATE * world.time <= ram.travel <= -0.9 * RATE * world.time  # the first tenth it starts
    mass = sum(world[name].mass for name in world.body_names)
    lifted = np.mean(pressed[-5:])
    assert lifted == pytest.approx(9.81 * mass, rel=0.05)  # the load slows down as the arms rise
