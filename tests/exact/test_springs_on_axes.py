"""Springs that pull at the axis of a thin rod do not spin it about that axis, whatever their stiffness.

Oracle: the pull has no torque about the axis, about which the moment of inertia is the same all around, so that the spin about
it is conserved.
"""

import numpy as np
import pytest

import pliant as pl

RATE = 3.0
"""[rad/s]"""
LYING = (0.5**0.5, 0, 0.5**0.5, 0)


def spin(world: pl.World, name: str) -> float:
    """[rad/s] about its own axis, local z."""
    w, x, y, z = world[name].quaternion
    axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    return float(axis @ world[name].angular_velocity)


def swung(stiffness: float) -> pl.Scene:
    """A rod that swings and turns on four springs at its ends."""
    scene = pl.Scene()
    scene.add(pl.Body("rod", pl.Capsule(0.02, 1.0), mass=1, position=(0, 0, 1), quaternion=LYING, velocity=(0.5, 1, 0),
                      angular_velocity=(0, 0, 2), collide=False))
    for x in (-0.5, 0.5):
        scene.add(pl.Spring(f"up{x}", pl.WORLD, "rod", stiffness=stiffness, damping=5, at_a=(x, 0, 2), at_b=(0, 0, x)))
        scene.add(pl.Spring(f"aside{x}", pl.WORLD, "rod", stiffness=stiffness, damping=5, at_a=(x, 1, 1), at_b=(0, 0, x)))
    return scene


def tensegrity(stiffness: float) -> pl.Scene:
    """Six struts of 1 m held by thirty stretched cables, turning as a whole at RATE about the vertical."""
    scene, ends = pl.Scene(gravity=(0, 0, 0)), []
    for k in range(6):
        along, aside = np.eye(3)[k // 2], np.eye(3)[(k // 2 + 1) % 3] * (0.25 if k % 2 else -0.25)
        half = np.cross((0, 0, 1), along)
        turn = (1, 0, 0, 0) if k // 2 == 2 else (0.5**0.5, *(0.5**0.5 * half))
        name = f"rod{k}"
        scene.add(pl.Body(name, pl.Capsule(0.02, 0.96), mass=1, position=aside, quaternion=turn,
                          velocity=np.cross((0, 0, RATE), aside), angular_velocity=(0, 0, RATE)))
        ends += [(name, side, aside + side * along) for side in (-0.5, 0.5)]
    for a, (one, here, p) in enumerate(ends):
        for b, (other, there, q) in enumerate(ends[:a]):
            length = float(np.linalg.norm(p - q))
            if one != other and length < 0.7:
                scene.add(pl.Spring(f"cable{a}-{b}", one, other, stiffness=stiffness, damping=10, rest_length=0.9 * length,
                                    at_a=(0, 0, here), at_b=(0, 0, there)))
    return scene


@pytest.mark.parametrize("stiffness", [1e4, 1e5, 1e6])
@pytest.mark.parametrize(("make", "share"), [(swung, 1e-9), (tensegrity, 1e-3)], ids=["swung", "tensegrity"])
def test_they_do_not_spin_it(make, share, stiffness):
    """In two seconds, but for a `share` of how fast it turns otherwise: what answers in chains of springs is second order."""
    world = pl.World(make(stiffness), threads=1)
    rods = [name for name in world.body_names if name.startswith("rod")]
    start = [spin(world, name) for name in rods]
    for _ in range(120):
        world.step()
        for name, before in zip(rods, start, strict=True):
            assert abs(spin(world, name) - before) <= share * RATE
