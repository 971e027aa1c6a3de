"""What springs and motors drive up against limits, with or against weight, rests there, and says what it bears.

Oracle: statics of a hinged lid: what springs and motors give, the limit and the moment of its weight add up to nothing,
and the hinge bears the weight.
"""

import numpy as np
import pytest

import pliant as pl

LENGTH, MASS, SEED = 3.0, 12.0, 20261120
READ = 1e-9
"""What readings may miss [-]: of what lies still, no more than it still moves by."""


def lid(upper: float, **drive) -> pl.World:
    """It lies level on its lower limit at first."""
    scene = pl.Scene()
    scene.add(pl.Body("lid", pl.Box(LENGTH, 0.06, 0.1), mass=MASS, position=(0.5 * LENGTH, 0, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "lid", anchor=(0, 0, 0), axis=(0, -1, 0), limits=(-0.1, upper),
                          motor=drive.get("motor")))
    if "stiffness" in drive:
        scene.add(pl.JointSpring("spring", "hinge", stiffness=drive["stiffness"], rest=2.5, damping=drive.get("damping", 0.0)))
    return pl.World(scene, substeps=drive.get("substeps", "auto"), threads=1)


def rests(world: pl.World, upper: float) -> None:
    """Run for six seconds, at the end of which it has lain for long."""
    report = world.run(6.0)
    assert not report.warnings
    hinge = world["hinge"]
    assert hinge.angle == pytest.approx(upper, abs=1e-7)
    weight = 9.81 * MASS * 0.5 * LENGTH * np.cos(upper)
    assert sum(hinge.efforts().values()) == pytest.approx(weight, rel=READ)
    assert hinge.force == pytest.approx((0, 0, 9.81 * MASS), abs=READ * 9.81 * MASS)


@pytest.mark.parametrize("substeps", [2, 8, 16, 64])
@pytest.mark.parametrize("stiffness", [150.0, 200.0, 300.0])
def test_a_spring_presses_it_against_its_limit(stiffness, substeps):
    rests(lid(1.0, stiffness=stiffness, substeps=substeps), 1.0)


@pytest.mark.parametrize("motor", [
    pl.PositionMotor(1.4, stiffness=400, damping=80, max_effort=250), pl.PositionMotor(1.6, stiffness=4000, damping=300),
    pl.VelocityMotor(0.8, max_effort=400),
], ids=["bounded", "stiff", "velocity"])
def test_a_motor_does(motor):
    """At ten limits drawn with a seed."""
    for upper in np.random.default_rng(SEED).uniform(0.5, 1.2, 10):
        rests(lid(float(upper), motor=motor), float(upper))
