"""Ropes with bodies at both ends: what each end reads at rest, and what is kept in free flight, by all methods."""

import numpy as np
import pytest
from direct import within
from oracles import G

import pliant as pl

METHODS = ("impulse", "position", "compliant")
EPS = np.finfo(float).eps


@pytest.mark.parametrize("method", METHODS)
def test_both_ends_read_the_weight_below_them(method):
    """Oracle: statics. A ball of 1 kg on a hinge, 1 m of rope of 0.2 kg, a box of 3 kg: the lower end bears the box, the upper
    one box and rope, the hinge all; signs as docs/conventions.md has them. Settled for 12 s at 1 / s: 1e-5 of the weight."""
    scene = pl.Scene(drag=2.0)
    scene.add(pl.Body("ball", pl.Sphere(0.05), mass=1.0, position=(0, 0, -0.05)))
    scene.add(pl.Spherical("hinge", pl.WORLD, "ball", anchor=(0, 0, 0)))
    scene.add(pl.Rope("r", path=[(0, 0, -0.1), (0, 0, -1.1)], points=11, radius=0.01, mass=0.2, bend=1e-3, twist=1e-3,
                      method=method))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=3.0, position=(0, 0, -1.15)))
    scene.attach("r.start", "ball", at=(0, 0, -0.05), name="upper")
    scene.attach("box", "r.end", name="lower")  # the body first: its own reading has the other sign
    world = pl.World(scene, dt=1 / 100, substeps=4, threads=1)
    world.run(12.0)
    near = 1e-5 * 4.2 * G
    within("upper end", np.abs(world["r"].start.force - (0, 0, 3.2 * G)).max(), near)
    within("lower end", np.abs(world["r"].end.force - (0, 0, -3.0 * G)).max(), near)
    within("upper attachment", np.abs(world["upper"].force - (0, 0, 3.2 * G)).max(), near)
    within("lower attachment", np.abs(world["lower"].force - (0, 0, 3.0 * G)).max(), near)
    within("hinge", abs(np.linalg.norm(world["hinge"].force) - 4.2 * G), near)
    within("tension", np.abs(world["r"].tension - G * (3.0 + 0.02 * (np.arange(10)[::-1] + 0.5))).max(), near)


def flight(method: str, substeps: int) -> tuple[pl.World, np.ndarray, np.ndarray]:
    """Two unlike bodies thrown with a slack rope between them, clamped to one; (world, momentum, angular momentum) at the end,
    both less what they were at the start."""
    scene = pl.Scene(gravity=(0, 0, 0))
    s = np.linspace(0.0, np.pi, 30)
    scene.add(pl.Rope("r", path=np.column_stack([s / np.pi, 0 * s, 0.2 * np.sin(s)]), points=11, radius=0.02, mass=0.2,
                      bend=1e-3, twist=1e-3, method=method))
    scene.add(pl.Body("a", pl.Box(0.2, 0.1, 0.1), mass=1.0, position=(-0.1, 0, 0), velocity=(0.4, 0.3, 0),
                      angular_velocity=(0, 1, 0.5)))
    scene.add(pl.Body("b", pl.Box(0.1, 0.2, 0.1), mass=2.0, position=(1.05, 0, 0), velocity=(-0.2, 0, 0.3)))
    scene.attach("r.start", "a", clamp=True)
    scene.attach("r.end", "b")
    world = pl.World(scene, dt=1 / 100, substeps=substeps, threads=1)
    before = momenta(world)
    world.run(2.0)
    after = momenta(world)
    return world, after[0] - before[0], after[1] - before[1]


def momenta(world: pl.World) -> tuple[np.ndarray, np.ndarray]:
    """Of all movers: linear [N s] and angular about the origin [N m s]."""
    bodies, motion = world._engine.model.bodies, world._engine.state.motion
    p = bodies.mass[:, None] * motion.velocity
    w, x, y, z = motion.quaternion.T
    R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    spin = np.einsum("ikn,nk,jkn,nj->ni", R, bodies.inertia, R, motion.angular_velocity)
    return p.sum(0), (np.cross(motion.position, p) + spin).sum(0)


@pytest.mark.parametrize("method", METHODS)
def test_rope_and_bodies_keep_their_momentum_in_flight(method):
    """Oracle: conservation. Linear momentum to rounding: 2 N s in all, some additions for each of 13 movers in each pass.

    Angular momentum, 0.5 N m s, is kept to the order of the method, one: half the substep leaves about half of the drift.
    """
    world, linear, angular = flight(method, 4)
    made = 200 * world.step().iterations
    within("momentum", np.abs(linear).max(), EPS * 2.0 * 13 * made)
    within("angular momentum", np.abs(angular).max(), 1e-3 * 0.5)
    finer = flight(method, 8)[2]
    within("half the substep", np.linalg.norm(finer) / np.linalg.norm(angular), 0.6)
