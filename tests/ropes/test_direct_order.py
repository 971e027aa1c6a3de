"""Direct ropes in time: order two against the minimal-coordinates oracle, momentum of what is free, the swing's tip."""

from functools import cache

import numpy as np
import oracle_chain as oc
import oracles
import pytest
from direct import at_least, order, plane, rope_scene, within
from oracles import SWING, G
from scipy.spatial.transform import Rotation

import pliant as pl


def swing_scene(links: int) -> pl.Scene:
    scene = rope_scene(G, path=[(0, 0, 0), (SWING.length, 0, 0)], points=links + 1, radius=SWING.radius, mass=SWING.mass,
                       bend=SWING.bending, twist=SWING.twisting)
    scene.pin("r.start")
    return scene


@cache
def swing_oracle(links: int, time: float) -> np.ndarray:
    chain = oc.Chain(links, SWING.length, SWING.mass, SWING.radius, SWING.bending)
    return oc.motion(chain, [time])[0]


def test_order_in_time():
    """The swing of 20 links before it whips, t = 0.6 s, against DOP853 on the angles to 1e-10: the tip, and all points.

    The waves that the sudden letting go sends along the rope are resolved from 2.5 ms on; the tip does not see them.
    """
    tips, points, steps = [], [], (0.005, 0.0025, 0.00125, 0.000625)
    for h in steps:
        world = pl.World(swing_scene(20), dt=h, substeps=1, threads=1)
        world.run(0.6)
        away = np.linalg.norm(plane(world) - swing_oracle(20, 0.6), axis=1)
        tips.append(away[-1])
        points.append(away.max())
    for who, errors in (("tip", tips), ("worst point", points)):
        print(f"| swing, {who}, error at 5, 2.5, 1.25, 0.625 ms | {', '.join(f'{e:.2g}' for e in errors)} m | |")
    at_least("swing, order in time, tip", order(tips), 1.9)
    at_least("swing, order in time, worst point", order(points[1:]), 1.9)


def test_substeps_are_steps():
    """A step of 10 ms in four substeps ends where four steps of 2.5 ms end, to rounding in every bit of 0.6 s."""
    ends = []
    for dt, substeps in ((0.01, 4), (0.0025, 1)):
        world = pl.World(swing_scene(20), dt=dt, substeps=substeps, threads=1)
        world.run(0.6)
        ends.append(world["r"].positions)
    within("substeps against steps", np.abs(ends[0] - ends[1]).max(), 1e-9)


def test_the_tip_of_the_swing():
    """50 links at 1 ms, t = 0.9 s: the same chain by its angles, within half of what halving the step changes (order 2
    leaves a third of it); at 1 s the continuous rope, within 1 % of its length."""
    ends = {}
    for h in (0.002, 0.001):
        world = pl.World(swing_scene(50), dt=h, substeps=1, threads=1)
        world.run(0.9)
        ends[h] = plane(world)[-1]
    left = np.linalg.norm(ends[0.002] - ends[0.001]) / 3.0
    within("swing, 50 links, 1 ms, tip at 0.9 s", np.linalg.norm(ends[0.001] - swing_oracle(50, 0.9)[-1]), 1.5 * left)
    world.run(0.1)
    within("swing, tip at 1 s [L]", np.linalg.norm(plane(world)[-1] - oracles.SWING_TIP_CONVERGED) / SWING.length, 0.01)


def tumbling(h: float) -> tuple[float, float, float]:
    """What a free rod loses in 0.4 s: (linear momentum over |p|, angular momentum over |L|, place of its centre [m])."""
    scene = rope_scene(points=11, bend=0.02, twist=0.02)
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    rng = np.random.default_rng(5)
    s = np.linspace(-0.5, 0.5, 11)
    turning = np.cross([3.0, 2.0, 4.0], np.outer(s, [1.0, 0.0, 0.0]))
    world["r"].velocities = np.array([0.4, -0.3, 0.2]) + turning + 0.1 * rng.normal(size=3) * (s**2)[:, None]
    before, centre = momenta(world), centre_of(world)
    world.run(0.4)
    after = momenta(world)
    moved = centre_of(world) - centre - 0.4 * before[0] / 0.1
    sizes = np.linalg.norm(before, axis=1)
    return (np.linalg.norm(after[0] - before[0]) / sizes[0], np.linalg.norm(after[1] - before[1]) / sizes[1],
            float(np.linalg.norm(moved)))


def momenta(world: pl.World) -> np.ndarray:
    """Linear and angular momentum about the centre of mass (2, 3), in NumPy."""
    engine, k = world._engine, world["r"]._elements
    motion, bodies = engine.state.motion, engine.model.bodies
    mass, v, x = bodies.mass[k][:, None], motion.velocity[k], motion.position[k]
    turn = Rotation.from_quat(motion.quaternion[k], scalar_first=True)
    own = turn.apply(bodies.inertia[k] * turn.inv().apply(motion.angular_velocity[k]))
    linear = (mass * v).sum(0)
    return np.array([linear, (np.cross(x - centre_of(world), mass * v) + own).sum(0)])


def centre_of(world: pl.World) -> np.ndarray:
    k = world["r"]._elements
    mass = world._engine.model.bodies.mass[k]
    return mass @ world._engine.state.motion.position[k] / mass.sum()


def test_a_free_tumbling_rod():
    """Linear momentum to rounding (1e-12), the centre on its straight line; angular momentum with order 2 in the step."""
    figures = [tumbling(h) for h in (0.008, 0.004, 0.002, 0.001)]
    within("tumbling, linear momentum", max(f[0] for f in figures), 1e-12)
    within("tumbling, centre of mass [m]", max(f[2] for f in figures), 1e-12)
    errors = [f[1] for f in figures]
    print(f"| tumbling, angular momentum lost at 8, 4, 2, 1 ms | {', '.join(f'{e:.2g}' for e in errors)} | |")
    at_least("tumbling, order of the angular momentum", order(errors), 1.9)


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_energy_of_a_free_fall_and_a_swing(h):
    """Nothing comes from nowhere (`energy.py`), over 3 s of a whipping rope."""
    from energy import EnergyGuard

    world = pl.World(swing_scene(30), dt=h, substeps=1, threads=1)
    guard = EnergyGuard(world)
    world.on_step(guard)
    world.run(3.0)
    within(f"swing at {1e3 * h:g} ms, energy from nowhere over what is allowed", guard.worst, 1.0)
