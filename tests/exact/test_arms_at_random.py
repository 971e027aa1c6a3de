"""Arms of random joints, motors, masses and steps, driven back and forth hard: nothing is pumped in, nothing drifts."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

SEED = 20261119
SECONDS, PERIOD = 20.0, 0.31


def motor(rng: np.random.Generator) -> object:
    """One that follows the control u, at its bound now and then."""
    effort, gear = float(10 ** rng.uniform(0.5, 2.6)), float(rng.uniform(5, 100))
    return (pl.VelocityMotor({"u": float(rng.uniform(5, 30) * rng.choice([-1, 1]))}, max_effort=effort),
            pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=gear, inertia=float(rng.choice([0, 1e-5]))),
            pl.PositionMotor({"u": 1.5}, float(10 ** rng.uniform(2, 5)), float(10 ** rng.uniform(0, 2)), max_effort=effort),
            )[rng.integers(3)]


def joint(rng: np.random.Generator, k: int, parent, body: pl.Body) -> object:
    """A driven one, some with limits, friction and dampers."""
    kind, more = (pl.Revolute, pl.Revolute, pl.Universal, pl.Prismatic)[rng.integers(4)], {}
    if kind is not pl.Universal:
        more = {"damping": float(10 ** rng.uniform(-2, 1)) * (rng.random() < 0.3),
                "friction": float(10 ** rng.uniform(-1, 1)) * (rng.random() < 0.3)}
    if kind is pl.Prismatic or (kind is pl.Revolute and rng.random() < 0.3):
        more["limits"] = (-0.3, 0.3) if kind is pl.Prismatic else (-1.0, 1.0)
    return kind(f"joint{k}", parent, body, anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)], motor=motor(rng), **more)


@pytest.mark.parametrize("case", range(24))
def test_nothing_is_pumped_in(case):
    """Oracle: conservation by the helper, 64 reversals in 20 s; drift at most 0.1 mm."""
    rng = np.random.default_rng([SEED, case])
    scene, parent = pl.Scene(gravity=(0, 0, rng.choice([0.0, -9.81]))), pl.WORLD
    scene.add(pl.Control("u", -1, 1))
    for k in range(rng.integers(2, 7)):
        body = scene.add(pl.Body(f"link{k}", pl.Capsule(0.04, 0.3), mass=float(10 ** rng.uniform(-0.5, 1.2)), collide=False,
                                 position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0)))
        scene.add(joint(rng, k, parent, body))
        parent = body
    world = pl.World(scene, threads=1, dt=float(rng.choice([1 / 25, 1 / 60, 1 / 240])))
    guard = EnergyGuard(world)
    while world.time < SECONDS:
        world.control["u"] = 1.0 if int(world.time / PERIOD) % 2 else -1.0
        assert world.step().drift <= 1e-4
        guard(world)
