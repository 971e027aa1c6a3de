"""Contacts along whose normals joints let nothing move: what they bear cannot be told, and may add nothing.

Oracle: joints bear it, so that the only coordinate goes on as without the ground, and energy is conserved beside motors.
"""

import pytest
from oracle_tools import G

import pliant as pl
from pliant.couple.step import TOLERANCE

SHAPES = {"box": pl.Box(0.3, 0.2, 0.2), "ball": pl.Sphere(0.1), "cylinder": pl.Cylinder(0.1, 0.2)}
MASS, SPEED, FRICTION, STEPS = 5.0, 1.0, 0.5, 60


def scraper(joint: str, shape: str, deep: float, motor) -> pl.World:
    """A shape on a level rail or arm, so `deep` [m] in the ground; the ground does not touch what is joined to the world."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=FRICTION))
    turning = joint == "arm"
    spin, velocity = (0, 0, SPEED if turning else 0), (0, 0.5 * SPEED, 0) if turning else (SPEED, 0, 0)
    scene.add(pl.Body("carrier", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 1), collide=False, angular_velocity=spin,
                      velocity=(0, 0, 0) if turning else velocity))
    scene.add(pl.Body("foot", SHAPES[shape], mass=MASS, position=(0.5, 0, 0.1 - deep), friction=FRICTION, velocity=velocity,
                      angular_velocity=spin))
    scene.add(pl.Fixed("weld", "carrier", "foot"))
    if turning:
        scene.add(pl.Revolute("joint", pl.WORLD, "carrier", axis=(0, 0, 1), motor=motor))
    else:
        scene.add(pl.Prismatic("joint", pl.WORLD, "carrier", axis=(1, 0, 0), motor=motor))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("motor", [None, pl.VelocityMotor(SPEED, 200.0)], ids=["free", "driven"])
@pytest.mark.parametrize("deep", [0.0, 1e-3])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("joint", ["rail", "arm"])
def test_what_joints_hold_fast_on_the_ground_goes_on(joint, shape, deep, motor):
    """The speed to the tolerance of sweeps in each substep; energy less the work of the motor rises by no more, and falls by
    no more than the friction of all the weight would take."""
    world = scraper(joint, shape, deep, motor)
    before, room = world.energy(), 0.0
    for _ in range(STEPS):
        energy = world.step().energy
        room += world.substeps * TOLERANCE
        assert abs(world["joint"].rate - SPEED) <= room
        gained = energy.total - energy.work - before.total
        assert -FRICTION * MASS * G * SPEED * world.time <= gained <= 2.0 * room / SPEED * before.kinetic


@pytest.mark.parametrize("substeps", ["auto", 32, 128])
def test_a_plate_too_thick_for_its_gap_swings_as_without_it(substeps):
    """Half a millimetre too thick, on a hinge across the gap, driven from stop to stop: energy less work never rises by more
    than sweeps leave open of the fastest swing's energy, a millionth a substep. Oracle: conservation."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Control("swing", -30, 30, -30.0))
    scene.add(pl.Body("plate", pl.Box(0.1, 0.015, 0.03), mass=0.05, position=(0.05, 0, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "plate", anchor=(0, 0, 0), axis=(0, 0, 1), motor=pl.VelocityMotor("swing", 1.5),
                          limits=(-0.5, 0.5)))
    for side in (-1, 1):
        scene.add(pl.Body(f"wall{side}", pl.Box(1, 1, 0.02), fixed=True, position=(0, 0, 0.0245 * side), friction=0.1))
    world = pl.World(scene, substeps=substeps, threads=1)
    least, room, swings, most = 0.0, 0.0, 0, 0.0
    for step in range(90):
        world.control["swing"] = 30.0 if step // 24 % 2 else -30.0
        energy = world.step().energy
        most = max(most, energy.kinetic)
        room += 2.0 * world.substeps * TOLERANCE * most
        assert energy.total - energy.work <= least + room
        least, swings = min(least, energy.total - energy.work), swings + (abs(world["hinge"].angle) > 0.49)
    assert swings > 40  # it gets to its stops, and stays there half of the time
