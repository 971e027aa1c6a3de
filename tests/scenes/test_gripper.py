"""The egg is lifted whole: force of the grip against statics, of the friction against the weight."""

import numpy as np
import pytest

import pliant as pl
from pliant.solvers.rows.contact import SLOP

DEPTH = SLOP + 1.2e-4  # what a pad's surface may sink into the shell [m]: left alone, and by softness
"""Overlap that resting contacts keep [m]."""


def test_egg_is_lifted_and_stays_whole():
    world = pl.World(pl.load("gripper"))
    start, largest = world["egg"].position.copy(), 0.0
    for _ in range(round(9.0 / world.dt)):
        world.step()
        contacts = world.contacts
        on_egg = [np.linalg.norm(f) for a, b, f in zip(contacts.a, contacts.b, contacts.force, strict=True)
                  if "egg" in (a, b)]
        largest = max(largest, sum(on_egg) / 2, np.linalg.norm(world["egg"].contact_force))
    assert largest < 5.0
    assert world["egg"].position[2] - start[2] > 0.2
    assert np.abs(world["egg"].position[:2] - start[:2]).max() < 1e-3

    weight = world.scene["egg"].mass * 9.81
    assert world["egg"].contact_force == pytest.approx((0.0, 0.0, weight), abs=1e-3 * weight)
    # Slide motor and finger spring in series over what the pads are closed beyond the shell.
    spring, motor = world.scene["left-spring"], world.scene["left-close"].motor
    gap = abs(world.scene["left-pad"].position[0]) - 0.005 - world.scene["egg"].shape.radius
    press = (world.control["grip"] - gap) / (1 / spring.stiffness + 1 / motor.stiffness)
    left = sum(f[0] * (1 if b == "egg" else -1) for a, b, f in zip(contacts.a, contacts.b, contacts.force, strict=True)
               if {a, b} == {"egg", "left-pad"})
    assert left == pytest.approx(press, abs=spring.stiffness * DEPTH + 0.002 * press)


def test_a_loose_grip_leaves_the_egg():
    world = pl.World(pl.load("gripper"))
    world.control["grip"] = 0.024 + 0.002  # 0.16 N a side hold 0.26 N of the egg's 0.59
    world.run(8.0)
    assert world["egg"].position[2] == pytest.approx(0.321, abs=1e-3)


def test_a_tight_grip_breaks_the_egg_once(tmp_path):
    """6 N a side by the same statics; the break is an event, kept by save, and undone by reset."""
    world = pl.World(pl.load("gripper"))
    world.control["grip"] = 0.1
    report = world.run(4.0)
    broke = [event for event in report.events if "broke" in event]
    assert len(broke) == 1 and "'egg'" in broke[0] and "5 N" in broke[0] and "-pad'" in broke[0]
    assert world["egg"].broken and world["egg"].pressed > 5.0
    world.save(tmp_path / "broken.npz")
    assert pl.World.restore(tmp_path / "broken.npz")["egg"].broken
    world.reset()
    assert not world["egg"].broken


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_a_plate_breaks_where_the_weight_on_it_says(share):
    """A box lies on it at four corners: they count together, m g against what it bears."""
    scene = pl.Scene()
    scene.add(pl.Body("plate", pl.Box(1.0, 1.0, 0.1), fixed=True, break_force=2.0 * 9.81 / share))
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=2.0, position=(0.0, 0.0, 0.15)))
    world = pl.World(scene)
    world.run(1.0)
    assert world["plate"].broken == (share > 1.0)
    assert world["plate"].pressed == pytest.approx(2.0 * 9.81, rel=1e-3)
