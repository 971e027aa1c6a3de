"""Wheels that roll in a circle, free on their axle or alone. Oracle: conservation, friction only takes energy away."""

from math import pi

import numpy as np
import pytest

import pliant as pl

UPRIGHT = (np.cos(pi / 4), np.sin(pi / 4), 0.0, 0.0)
"""Turns the axis of a cylinder from z to -y."""


def energies(world: pl.World, seconds: float) -> np.ndarray:
    found = [world.energy().total]
    world.run(seconds, each=lambda w: found.append(w.energy().total))
    return np.array(found)


@pytest.mark.parametrize(("friction", "width", "mass", "yaw"), [
    (0.8, 0.03, 5.0, 4.0), (0.8, 0.01, 5.0, 4.0), (0.3, 0.03, 5.0, 4.0), (0.8, 0.03, 50.0, 4.0), (0.8, 0.03, 5.0, 1.0)])
def test_an_axle_turns_on_the_spot_and_comes_to_rest(friction, width, mass, yaw):
    """Its wheels scrub: energy falls (it rose from 0.7 to 30 J in 5 s), and the yaw, which nothing drives, is gone in 6 s."""
    radius = 0.08
    scene = pl.Scene()
    scene.add(pl.Ground(friction=friction))
    scene.add(pl.Body("base", pl.Box(0.1, 0.3, 0.05), mass=mass, position=(0, 0, radius), angular_velocity=(0, 0, yaw)))
    for name, y in (("left", 0.22), ("right", -0.22)):
        scene.add(pl.Body(name, pl.Cylinder(radius, width), mass=0.3, position=(0, y, radius), quaternion=UPRIGHT,
                          friction=friction, velocity=(-yaw * y, 0, 0), angular_velocity=(0, -yaw * y / radius, yaw)))
        scene.add(pl.Revolute(f"{name} hinge", "base", name, anchor=(0, y, radius), axis=(0, 1, 0)))
    world = pl.World(scene, threads=1)
    energy = energies(world, 6.0)
    kinetic = energy[0] - energy[-1]
    assert np.maximum(np.diff(energy), 0.0).sum() < 1e-6 * kinetic
    assert abs(world["base"].angular_velocity[2]) < 0.01 * yaw


def test_a_disc_runs_in_a_circle():
    """Alone, leaning as it likes: it gains no more than 2e-4 of its energy (0.7 % in 5 s, and on)."""
    radius, speed = 0.3, 2.0
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    scene.add(pl.Body("disc", pl.Cylinder(radius, 0.01), mass=2.0, position=(0, 0, radius), quaternion=UPRIGHT, friction=0.9,
                      velocity=(speed, 0, 0), angular_velocity=(0, speed / radius, 1.0)))
    energy = energies(pl.World(scene, threads=1), 5.0)
    assert (energy - np.minimum.accumulate(energy)).max() < 2e-4 * energy[0]
    assert energy[-1] > 0.995 * energy[0]
