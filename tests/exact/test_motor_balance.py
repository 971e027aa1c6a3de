"""What motors put in is what is there: energy less their work stays, at second order in h, also where they are jerky."""

from math import log2

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
