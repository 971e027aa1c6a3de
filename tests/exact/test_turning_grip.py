"""What a sprung gripper holds by friction stays in it while its arm turns."""

from math import hypot

import pytest

import pliant as pl

REACH, FORCE, MU = 0.6, 60.0, 0.8  # [m], [N], [-]
STIFFNESS = 2000.0  # [N/m]


def grip(substeps: int) -> pl.World:
    """An arm that turns about the vertical, with a plate at its end, a finger on a spring, and a box between them."""
    scene = pl.Scene()
    scene.add(pl.Body("arm", [pl.Placed(pl.Box(REACH, 0.05, 0.05), position=(REACH / 2, 0.1, 0)),
                              pl.Placed(pl.Box(0.1, 0.02, 0.1), position=(REACH, 0.04, 0))], mass=4, friction=MU))
    scene.add(pl.Revolute("base", pl.WORLD, "arm", anchor=(0, 0, 0), axis=(0, 0, 1), motor=pl.VelocityMotor("speed", 2000)))
    scene.add(pl.Control("speed", 0, 10, 0))
    scene.add(pl.Body("finger", pl.Box(0.1, 0.02, 0.1), mass=0.3, position=(REACH, -0.04, 0), friction=MU))
    scene.add(pl.Prismatic("slide", "arm", "finger", anchor=(REACH, -0.04, 0), axis=(0, 1, 0)))
    scene.add(pl.JointSpring("spring", "slide", stiffness=STIFFNESS, rest=FORCE / STIFFNESS, damping=20))
    scene.add(pl.Body("box", pl.Box(0.06, 0.06, 0.06), mass=0.5, position=(REACH, 0, 0), friction=MU))
    return pl.World(scene, substeps=substeps)


@pytest.mark.parametrize("substeps", [8, 16, 32])
@pytest.mark.parametrize("spin", [3.0, 10.0])
def test_a_box_stays_in_a_gripper_that_turns(spin, substeps):
    """Oracle: statics. Centrifugal force and weight are 0.06 to 0.32 of what friction bears, so that it does not slip.

    Once the speed is held it neither sinks nor turns in the grip; bodies go along chords of what they turn by in a substep,
    which leads outwards by less than its cube times the radius each. The motor jolts the arm by up to 0.05 m/s in each step of
    the start; 0.1 m/s tear the box off the plate, and it may come back on one corner and swing about that.
    """
    world = grip(substeps)
    while world.time < 2.0:
        world.control["speed"] = spin * world.time / 2.0
        world.step()
    world.control["speed"] = spin
    world.run(0.5)
    x, y, height = world["box"].position
    world.run(2.0)
    a, b, after = world["box"].position
    turned = spin * world.dt / substeps
    outwards = 2.0 / (world.dt / substeps) * turned**3 * REACH
    assert abs(hypot(a, b) - hypot(x, y)) < 0.05 * outwards + 1e-6
    assert abs(after - height) < 1e-6
    assert abs(height) < 2e-4 and abs(hypot(x, y) - REACH) < 2e-4, "the jolts before that take no more than the slop"
