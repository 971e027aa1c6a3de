"""What motors put in is what is there: energy less their work stays, at second order in h, also where they are jerky."""

from math import log2

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

LENGTH, LINKS = 0.3, 3
MOTORS = {
    "voltage": pl.DCMotor(12.0, 0.05, 0.05, 1.0, 24.0, gear=10.0, inertia=1e-4),
    "position": pl.PositionMotor(0.8, 4.0, 0.2),
    "speed": pl.VelocityMotor(6.0, 1.5),
}
JERKY = {
    "voltage": pl.DCMotor(24.0, 0.05, 0.05, 0.2, 24.0, gear=100.0),
    "position": pl.PositionMotor(1.5, 1e5, 10.0, max_effort=500.0),
    "speed": pl.VelocityMotor(-20.0, 500.0),
}


def chain(motors, dt: float, substeps: int) -> pl.World:
    """Three links let go level under gravity, one motor at each hinge."""
    scene, parent = pl.Scene(), pl.WORLD
    for k, motor in enumerate(motors):
        place = ((k + 0.5) * LENGTH, 0, 0)
        body = pl.Body(f"link{k}", pl.Box(LENGTH, 0.03, 0.03), mass=0.5, position=place, collide=False)
        scene.add(body)
        scene.add(pl.Revolute(f"hinge{k}", parent, body, anchor=(k * LENGTH, 0, 0), axis=(0, 1, 0), motor=motor))
        parent = body
    return pl.World(scene, dt=dt, substeps=substeps, threads=1)


def imbalance(world: pl.World, seconds: float) -> float:
    """Largest |E - W - E(0)| [J]."""
    start, worst = world.energy().total, 0.0
    for _ in range(round(seconds / world.dt)):
        now = world.step().energy
        worst = max(worst, abs(now.total - now.work - start))
    return worst


@pytest.mark.parametrize("order", [("voltage", "position", "speed"), ("speed", "voltage", "position"),
                                   ("voltage", "voltage", "voltage"), ("position", "position", "position"),
                                   ("speed", "speed", "speed")])
def test_the_balance_of_a_driven_chain_is_second_order(order):
    """Oracle: conservation. E - W - E(0) falls with h^1.9 at least, from h = 1/960 s to 1/7680 s.

    Within that range it is uneven where motors come to their bounds and leave them.
    """
    coarse, fine = (imbalance(chain([MOTORS[name] for name in order], 1 / 60, n), 0.5) for n in (16, 128))
    assert log2(coarse / fine) / 3.0 >= 1.9, (coarse, fine)


@pytest.mark.parametrize("dt", [1 / 60, 0.1])
@pytest.mark.parametrize("order", [("voltage", "position", "speed"), ("position", "speed", "voltage"),
                                   ("speed", "voltage", "position")])
def test_jerky_chains_gain_nothing_at_any_step(order, dt):
    """Oracle: conservation by the helper, stiff and strong motors, also in one substep of 0.1 s, 6 s; drift <= 0.1 mm."""
    world = chain([JERKY[name] for name in order], dt, 8 if dt < 0.05 else 1)
    guard = EnergyGuard(world)
    for _ in range(round(6.0 / dt)):
        assert world.step().drift <= 1e-4
        guard(world)


BACK_AND_FORTH = {
    "a heavy end": ((pl.Revolute, pl.Revolute, pl.Universal, pl.Revolute), "zyzy", (1.0, 1.0, 1.0, 20.0), -9.81, [
        pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=50.0, inertia=1e-5)] * 4),
    "in space": ((pl.Revolute,) * 3, "zyy", (1.0, 1.0, 1.0), 0.0, [
        pl.VelocityMotor({"u": speed}, max_effort=effort) for speed, effort in ((30.0, 400.0), (-20.0, 200.0), (25.0, 200.0))]),
    "in a plane": ((pl.Revolute,) * 2, "zz", (1.0, 1.0), 0.0, [
        pl.VelocityMotor({"u": speed}, max_effort=200.0) for speed in (20.0, -15.0)]),
}


def arm(name: str, substeps: int) -> pl.World:
    """Links of 0.4 m whose motors follow the control u, along z or y."""
    kinds, axes, masses, gravity, motors = BACK_AND_FORTH[name]
    scene, parent = pl.Scene(gravity=(0, 0, gravity)), pl.WORLD
    scene.add(pl.Control("u", -1, 1))
    for k, (kind, axis, mass, motor) in enumerate(zip(kinds, axes, masses, motors, strict=True)):
        body = pl.Body(f"link{k}", pl.Capsule(0.04, 0.3), mass=mass, position=(0.4 * k + 0.2, 0, 0), collide=False,
                       quaternion=(0.5**0.5, 0, 0.5**0.5, 0))
        scene.add(body)
        scene.add(kind(f"joint{k}", parent, body, anchor=(0.4 * k, 0, 0), axis={"z": (0, 0, 1), "y": (0, 1, 0)}[axis],
                       motor=motor))
        parent = body
    return pl.World(scene, substeps=substeps, threads=1)


def reverse(world: pl.World, seconds: float, watch=lambda world: None) -> None:
    """Turn the control about every 0.31 s."""
    for _ in range(round(seconds / world.dt)):
        world.control["u"] = 1.0 if int(world.time / 0.31) % 2 else -1.0
        world.step()
        watch(world)


@pytest.mark.parametrize("substeps", [8, 32])
@pytest.mark.parametrize("name", list(BACK_AND_FORTH))
def test_arms_whose_motors_reverse_gain_nothing(name, substeps):
    """Oracle: conservation by the helper, motors at their bounds and below, that reverse 190 times in a minute.

    The worst of them gained 2.4 % of its largest kinetic energy where a substep might stray by 1e-4 of it.
    """
    world = arm(name, substeps)
    guard = EnergyGuard(world)
    reverse(world, 60.0, guard)
    assert guard.worst <= 1.0


@pytest.mark.parametrize("name", list(BACK_AND_FORTH))
def test_arms_whose_motors_reverse_go_where_short_steps_lead(name):
    """Oracle: order of convergence. Places after three reversals come nearer to those of h = 1/122880 s by first order, that
    of a motor's law, from h = 1/3840 s to 1/30720 s: longer ones are halved, and no measure of it."""
    places = []
    for substeps in (64, 512, 2048):
        world = arm(name, substeps)
        reverse(world, 1.2)
        places.append(world.body_poses()[0])
    coarse, fine = (np.abs(place - places[-1]).max() for place in places[:2])
    assert log2(coarse / fine) / 3.0 >= 0.9, (coarse, fine)
