"""Random machines, also with motors without bounds, limits, and friction that follows reactions: nothing is pumped in or torn.

Oracles: conservation by the helper (energy.py); joints closed to 0.1 mm; limits kept; angles are read as bodies lie, also where
these stood.
"""

import numpy as np
import pytest
from energy import EnergyGuard
from random_machines import PERIOD, loop, tree
from seeds import MACHINES

import pliant as pl

KEPT = 1e-3
"""How far a limit may be overrun [rad or m]."""
READ = 1e-12
"""What rounding may leave of an angle or a way, some turns or metres long [rad or m]."""


def drive(make, case: int, seconds: float, told: bool = False) -> None:
    """Turn the control of one machine about again and again; from steps that say that they did not settle it may go on with
    what they have, if they are `told`."""
    world = make(np.random.default_rng([MACHINES, case]))
    joints = [thing for thing in world.scene if isinstance(thing, (pl.Revolute, pl.Prismatic))]
    bounds = [(joint.name, *joint.limits) for joint in joints if joint.limits]
    guard = EnergyGuard(world)
    while world.time < seconds:
        world.control["u"] = 1.0 if int(world.time / PERIOD) % 2 else -1.0
        report = world.step()
        if told and len(report.warnings) > len(world.warnings):
            guard.start = max(guard.start, report.energy.total - report.energy.work)
        guard(world)
        assert report.drift <= 1e-4, f"case {case}, t = {world.time:.3f} s"
        for name, low, high in bounds:
            joint = world[name]
            now = float(joint.travel if isinstance(joint.thing, pl.Prismatic) else joint.angle)
            assert low - KEPT <= now <= high + KEPT, f"case {case}: {name}, t = {world.time:.3f} s"


@pytest.mark.parametrize("make", [tree, loop])
@pytest.mark.parametrize("part", range(4))
def test_nothing_is_pumped_in(make, part):
    """Ten machines, 13 reversals in 4 s."""
    for case in range(10 * part, 10 * part + 10):
        drive(make, case, 4.0)


@pytest.mark.parametrize("case", [31, 96])
def test_angles_are_read_as_bodies_lie(case):
    """Two that stand in some steps: what they would have done is not what is read."""
    world = loop(np.random.default_rng([MACHINES, case]))
    told = 0
    while world.time < 0.8:
        world.control["u"] = 1.0 if int(world.time / PERIOD) % 2 else -1.0
        told += any("did not settle" in text for text in world.step().warnings)
        assert world._engine.coordinates_now() == pytest.approx(world._engine.state.coordinates.value, abs=READ)
    assert told > 0


@pytest.mark.soak
@pytest.mark.parametrize("make", [tree, loop])
@pytest.mark.parametrize("part", range(10))
def test_nothing_is_pumped_into_many(make, part):
    """The same of thirty others a part, some of which start infinitely hard, or jam: that is told."""
    for case in range(100 + 30 * part, 130 + 30 * part):
        drive(make, case, 3.0, told=True)
