"""Motors that drive a joint into its limit while something touches the link: the limit holds, and one of the two gives way.

Oracle: the limit itself; at rest the motor pushes with its bound, the limit with as much against it.
"""

import numpy as np
import pytest
from energy import EnergyGuard
from seeds import MACHINES

import pliant as pl
from pliant.equations.rigid.rigid_pair import rigid_pair

KEPT = 1e-4
"""How far a limit may be overrun [rad]."""


@pytest.mark.parametrize("law", [(-3.0, -2.0, 2.0, 1.0), (3.0, -2.0, 2.0, 1.0), (1.0, -2.0, 2.0, 1.0), (0.5, 0.0, 5.0, 0.7)])
def test_one_of_two_rows_gives_way(law):
    """Oracle: the speed that the second asks for, -b_2, is not what the first does, which is on its bound by complementarity;
    both together push as before."""
    bias, low, high, met = law
    gone, other = rigid_pair(bias, low, high, met, 0.9)
    assert gone + other == pytest.approx(0.9, abs=1e-15)
    lacks = bias - met  # of the first at the speed of the second
    assert (gone == high if lacks < 0.0 else gone == low) if lacks != 0.0 else low <= gone <= high


def lever(effort: float, friction: float = 0.0, rubs: float = 0.0) -> pl.World:
    """A light rod that turns about its own length, and a box that falls onto it."""
    scene = pl.Scene()
    scene.add(pl.Body("rod", pl.Box(0.3, 0.06, 0.08), mass=0.15, friction=friction))
    scene.add(pl.Revolute("hinge", pl.WORLD, "rod", axis=(1, 0, 0), limits=(-1.0, 1.0),
                          motor=pl.VelocityMotor(10.0, max_effort=effort), friction=rubs))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, friction=friction, position=(0, 0.02, 0.12)))
    return pl.World(scene)


@pytest.mark.parametrize("friction", [0.0, 0.6])
@pytest.mark.parametrize("effort", [3.0, 30.0, 100.0, 400.0, 1000.0])
def test_a_limit_holds_against_a_strong_motor(effort, friction):
    """A light link answers its motor by 8000 rad/s a N m s: in turn with the limit it would take thousands of them."""
    world = lever(effort, friction)
    guard = EnergyGuard(world)
    for _ in range(60):
        report = world.step()
        guard(world)
        assert not report.warnings
        assert world["hinge"].angle <= 1.0 + KEPT
    efforts = world["hinge"].efforts()
    assert efforts["motor"] == pytest.approx(effort, rel=1e-12)
    assert efforts["limits"] == pytest.approx(-effort, rel=1e-3)  # of what may still lie on the rod


@pytest.mark.parametrize("effort", [30.0, 400.0])
def test_dry_friction_holds_against_a_motor(effort):
    """Friction that can bear an eighth more than the motor gives: nothing moves but what the box that falls pushes."""
    world = lever(effort, rubs=1.125 * effort)
    report = world.run(1.0)
    assert not report.warnings
    assert abs(world["hinge"].angle) < KEPT


def test_limits_hold_among_loose_things():
    """Thirty links at random, driven back and forth under one to three boxes and capsules, at 2 to 8 substeps."""
    for case in range(30):
        rng = np.random.default_rng([MACHINES, case])
        scene, limit = pl.Scene(), float(rng.uniform(0.2, 1.3))
        scene.add(pl.Control("u", -1, 1, value=-1))
        scene.add(pl.Body("link", pl.Box(0.08, 0.06, 0.3), mass=float(10 ** rng.uniform(-1, 1)), position=(0.2, 0, 0),
                          quaternion=(0.5**0.5, 0, 0.5**0.5, 0), friction=float(rng.choice([0.0, 0.5]))))
        motor = pl.VelocityMotor({"u": float(rng.uniform(2, 25))}, max_effort=float(10 ** rng.uniform(0.5, 3)))
        scene.add(pl.Revolute("joint", pl.WORLD, "link", anchor=(0, 0, 0), axis=np.eye(3)[rng.integers(3)],
                              limits=(-limit, limit), motor=motor))
        for k in range(rng.integers(1, 4)):
            shape = pl.Box(0.1, 0.1, 0.1) if rng.random() < 0.5 else pl.Capsule(0.04, 0.2)
            scene.add(pl.Body(f"loose{k}", shape, mass=float(10 ** rng.uniform(-1, 1)),
                              position=(float(rng.uniform(0, 0.35)), float(rng.uniform(-0.1, 0.1)), 0.12 + 0.15 * k)))
        world = pl.World(scene, substeps=int(rng.choice([2, 4, 8])), threads=1)
        while world.time < 1.0:
            world.control["u"] = 1.0 if int(world.time / 0.31) % 2 else -1.0
            world.step()
            assert abs(world["joint"].angle) <= limit + KEPT, f"case {case}, t = {world.time:.3f} s"
