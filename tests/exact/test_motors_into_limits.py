"""Motors that drive joints into their limits while something touches the links: limits hold, and one of the two gives way.

Oracle: the limit itself; at rest the motor pushes with its bound, the limit with as much against it.
"""

import numpy as np
import pytest
from energy import EnergyGuard
from random_machines import PERIOD, drives
from seeds import MACHINES

import pliant as pl
from pliant.couple.manner import GAPING
from pliant.equations.rigid.limit_end import PUSH_BACK
from pliant.equations.rigid.rigid_pair import rigid_pair
from pliant.model.joints import LIMIT_HIGH, LIMIT_LOW

KEPT = GAPING / PUSH_BACK
"""How far a limit may be overrun [m or rad]: a substep misses where it aims by less than GAPING, or is halved; it aims at what
is left of the last one's miss when the share PUSH_BACK of it is led back, and so on: GAPING (1 + 1/2 + 1/4 + ...)."""
BOX, ROUND, LOOSE = pl.Box(0.08, 0.06, 0.3), pl.Capsule(0.04, 0.3), (pl.Box(0.1, 0.1, 0.1), pl.Capsule(0.04, 0.2))


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


def overrun(world: pl.World) -> float:
    """Of all limits of a world, the most that one is overrun by [m or rad]."""
    model, values = world._engine.model, world._engine.state.coordinates.value
    over = values[model.drives.coordinate] - model.drives.rest
    low, high = model.drives.law == LIMIT_LOW, model.drives.law == LIMIT_HIGH
    return float(max(over[high].max(initial=0.0), (-over[low]).max(initial=0.0)))


def strewn(scene: pl.Scene, rng: np.random.Generator, length: float, shapes: tuple) -> None:
    """One to three loose things of these shapes above what is so long [m]."""
    for k in range(rng.integers(1, 4)):
        scene.add(pl.Body(f"loose{k}", shapes[rng.integers(len(shapes))], mass=float(10 ** rng.uniform(-1, 1)),
                          position=(float(rng.uniform(0, length)), float(rng.uniform(-0.1, 0.1)), 0.12 + 0.15 * k)))


def chain(rng: np.random.Generator, driven: float, shapes: tuple) -> pl.World:
    """One to three links on hinges, most of these with limits, driven with this probability, at 2 to 16 substeps."""
    scene, parent = pl.Scene(), pl.WORLD
    scene.add(pl.Control("u", -1, 1, value=-1))
    count = int(rng.integers(1, 4))
    for k in range(count):
        link = scene.add(pl.Body(f"link{k}", BOX if rng.random() < 0.5 else ROUND, mass=float(10 ** rng.uniform(-1, 1)),
                                 position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0),
                                 friction=float(rng.choice([0.0, 0.5]))))
        effort, limit = float(10 ** rng.uniform(0.5, 3)), float(rng.uniform(0.2, 1.3))
        motors = (pl.VelocityMotor({"u": float(rng.uniform(2, 25))}, max_effort=effort),
                  pl.PositionMotor({"u": 1.5}, float(10 ** rng.uniform(2, 4)), float(10 ** rng.uniform(0, 2)), effort),
                  pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=float(rng.uniform(5, 100))))
        scene.add(pl.Revolute(f"joint{k}", parent, link, anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)],
                              limits=(-limit, limit) if rng.random() < 0.8 else None,
                              motor=motors[rng.integers(3)] if rng.random() < driven else None))
        parent = link
    strewn(scene, rng, 0.4 * count, shapes)
    return pl.World(scene, substeps=int(rng.choice([2, 4, 8, 16])), threads=1)


def machine(rng: np.random.Generator) -> pl.World:
    """One to four links on joints of all kinds, driven and braked in all ways, on the world or on a body over the ground."""
    scene, parent, links = pl.Scene(), pl.WORLD, []
    scene.add(pl.Control("u", -1, 1))
    if floats := rng.random() < 0.3:
        parent = scene.add(pl.Body("base", pl.Box(0.3, 0.3, 0.3), mass=float(10 ** rng.uniform(0, 1.2)), position=(-0.2, 0, 0)))
    count = int(rng.integers(1, 5))
    for k in range(count):
        up = parent if not links or rng.random() < 0.75 else links[rng.integers(len(links))]
        link = scene.add(pl.Body(f"link{k}", BOX if rng.random() < 0.5 else ROUND, mass=float(10 ** rng.uniform(-1, 1.2)),
                                 position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0)))
        kind = (pl.Revolute, pl.Universal, pl.Prismatic, pl.Cylindrical, pl.Spherical)[rng.integers(5)]
        scene.add(kind(f"joint{k}", up, link, anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)],
                       **drives(rng, kind, 0.75)))
        links.append(link)
        parent = link
    strewn(scene, rng, 0.4 * count, LOOSE)
    if floats:
        scene.add(pl.Ground(height=-0.3))
    return pl.World(scene, substeps=int(rng.choice([2, 4, 8, 16])), threads=1)


def drive(world: pl.World, seconds: float, each) -> None:
    """Back and forth, with each(world) after every step."""
    while world.time < seconds:
        world.control["u"] = 1.0 if int(world.time / PERIOD) % 2 else -1.0
        world.step()
        each(world)


def holds(world: pl.World) -> None:
    assert overrun(world) <= KEPT, f"t = {world.time:.3f} s"


@pytest.mark.parametrize("part", range(4))
def test_limits_of_driven_chains_hold_under_loose_things(part):
    """Eighty random chains; where their limits were met along tangents alone, one in fourteen was overrun by 1e-3 and more."""
    for case in range(20 * part, 20 * part + 20):
        drive(chain(np.random.default_rng([MACHINES, case]), 0.8, LOOSE), 1.2, holds)


@pytest.mark.parametrize("part", range(4))
def test_limits_of_all_joints_hold_under_loose_things(part):
    for case in range(10 * part, 10 * part + 10):
        drive(machine(np.random.default_rng([MACHINES, case])), 1.2, holds)


def test_limits_of_idle_chains_give_nothing():
    """Thirty chains that nothing drives, under balls: limits hold, and energy never rises."""
    for case in range(30):
        world = chain(np.random.default_rng([MACHINES, case]), 0.0, (pl.Sphere(0.05),))
        guard = EnergyGuard(world)
        world.on_step(guard)
        drive(world, 1.0, holds)
