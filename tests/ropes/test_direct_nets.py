"""Nets of direct ropes that do not stretch, knotted where they cross: energy, momentum, weight and symmetry."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

G, MESH, MASS = 9.81, 0.3, 0.05


def net(meshes: int, links: int, held, gravity: float = G, drag: float = 0.0) -> pl.Scene:
    """Square meshes of 0.3 m with `links` a side, flat; tails of half a mesh; ropes x0, x1 … held at their starts if asked.

    A knot lies where two links meet, and so on one of them.
    """
    scene = pl.Scene(gravity=(0.0, 0.0, -gravity), drag=drag)
    tail, length = 0.5 * MESH, meshes * MESH
    given = {"points": (meshes + 1) * links + 1, "radius": 0.004, "mass": MASS, "bend": 1e-4, "twist": 1e-4}
    for i in range(meshes + 1):
        scene.add(pl.Rope(f"x{i}", path=[(-tail, i * MESH, 0), (length + tail, i * MESH, 0)], **given))
        scene.add(pl.Rope(f"y{i}", path=[(i * MESH, -tail, 0), (i * MESH, length + tail, 0)], **given))
    for i in range(meshes + 1):
        for j in range(meshes + 1):
            scene.attach(scene[f"x{i}"].at(tail + j * MESH), scene[f"y{j}"].at(tail + i * MESH))
    for i in held:
        scene.pin(f"x{i}.start", name=f"pin{i}")
    return scene


@pytest.mark.parametrize("held", [(0,), (0, 3), (0, 1, 2, 3)])
def test_a_net_swings_down(held):
    """3 x 3 meshes of 10 links a side, nine loops, let go flat: no energy from nowhere, and no link parts from the next.

    Gaps close to 3e-7 of an element (couple/newton.py); a factor of ten for knots, which are judged in metres.
    """
    world = pl.World(net(3, 10, held), threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(0.6)
    assert not report.warnings and report.stretch < 3e-6


def momenta(world: pl.World) -> tuple[np.ndarray, np.ndarray]:
    """Linear [kg m/s] and angular momentum about the origin [kg m2/s] of all links."""
    bodies, motion = world._engine.model.bodies, world._engine.state.motion
    linear, turning = np.zeros(3), np.zeros(3)
    for k in range(1, len(bodies.mass)):
        w, x, y, z = motion.quaternion[k]
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        push = bodies.mass[k] * motion.velocity[k]
        linear += push
        turning += np.cross(motion.position[k], push) + turn @ (bodies.inertia[k] * (turn.T @ motion.angular_velocity[k]))
    return linear, turning


def changes(substeps: int) -> tuple[float, float]:
    """How much the linear and the angular momentum of a kicked net without weight change in 0.3 s, over its mass."""
    world = pl.World(net(2, 6, (), gravity=0.0), substeps=substeps, threads=1)
    rng, s = np.random.default_rng(5), np.linspace(0.0, 1.0, 19)[:, None]
    for i in range(3):
        world[f"x{i}"].velocities = 0.3 * np.sin(2 * np.pi * s) * rng.normal(size=3) + rng.normal(size=3)
    world.run(0.1)  # closes the knots between ropes that were kicked apart, at first order
    linear, turning = momenta(world)
    world.run(0.3)
    after, turned = momenta(world)
    return float(np.abs(after - linear).max()) / (6 * MASS), float(np.abs(turned - turning).max()) / (6 * MASS)


def test_a_free_net_keeps_its_momentum():
    """Linear momentum to rounding; angular momentum, which no such method keeps exactly, at least to second order."""
    coarse, fine = changes(8), changes(16)
    assert coarse[0] < 1e-9 and fine[0] < 1e-9
    assert coarse[1] < 1e-4 and fine[1] < coarse[1] / 3.0


def test_a_hanging_net_is_even_and_weighs_what_it_weighs():
    """At rest, held by one side: pins bear the weight together, m g, and two by two alike; its two halves mirror each other."""
    world = pl.World(net(2, 6, (0, 1, 2), drag=8.0), threads=1)
    world.run(6.0)
    assert max(np.abs(world[name].velocities).max() for name in ("x0", "x1", "x2", "y0", "y1", "y2")) < 1e-4
    forces = np.array([world[f"pin{i}"].force for i in range(3)])
    assert forces.sum(axis=0) == pytest.approx([0.0, 0.0, 6 * MASS * G], abs=1e-4 * 6 * MASS * G)
    assert forces[0] == pytest.approx(forces[2] * [1, -1, 1], abs=1e-4 * 6 * MASS * G)
    mirrored = world["x2"].positions * [1, -1, 1] + [0, 2 * MESH, 0]
    assert np.abs(world["x0"].positions - mirrored).max() < 1e-5
    assert np.abs(world["x1"].positions[:, 1] - MESH).max() < 1e-5
