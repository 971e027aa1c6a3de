"""A joint's largest rate bounds what its motor drives it at; a motor's largest effort bounds what it pushes with."""

import pytest
from oracle_tools import single

import pliant as pl

MOMENT, MASS = 0.05, 2.0  # [kg m2, kg]
FAST = 3.0
"""The bound [rad/s or m/s]."""


def driven(motor, *more, joint=pl.Revolute, bound=FAST, **options) -> pl.World:
    """A flywheel on a joint along z with a motor; no gravity."""
    body = pl.Body("wheel", pl.Sphere(0.1), mass=MASS, inertia=(MOMENT,) * 3)
    return single(joint("joint", pl.WORLD, "wheel", axis=(0, 0, 1), motor=motor, max_rate=bound), body, *more, **options)


@pytest.mark.parametrize("joint", [pl.Revolute, pl.Prismatic, pl.Universal, pl.Cylindrical])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_velocity_motor_is_told_no_more(joint, sign):
    """Oracle: rate = min(bound, effort t / I) to rounding, though more is asked for; below the bound nothing changes."""
    inertia = MOMENT if joint in (pl.Revolute, pl.Universal) else MASS
    for asked, wanted in ((50.0, FAST), (0.5 * FAST, 0.5 * FAST)):
        world = driven(pl.VelocityMotor(sign * asked, 4.0 * inertia), joint=joint)
        for _ in range(90):
            world.step()
            assert world["joint"].rate == pytest.approx(sign * min(wanted, 4.0 * world.time), abs=1e-9)


@pytest.mark.parametrize("damping", [0.0, 2.0, 40.0])
@pytest.mark.parametrize("substeps", [1, 8])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_position_motor_goes_there_no_faster(damping, substeps, sign):
    """Oracle: as long as its spring would push harder than it may, k (target - x) - c v > effort, the motor is one that holds a
    speed, and rate = min(bound, effort t / I) to rounding, whatever the step is. It arrives, and rests if it is damped well."""
    k, target, effort = 2000.0, sign * 5.0, 0.6
    world = driven(pl.PositionMotor(target, k, damping, max_effort=effort), substeps=substeps)
    far = (effort + damping * FAST) / k + world.dt * FAST  # [rad]
    while abs(target - world["joint"].angle) > far + world.dt * FAST:
        world.step()
        assert world["joint"].rate == pytest.approx(sign * min(FAST, effort / MOMENT * world.time), abs=1e-9)
    assert world.time == pytest.approx(5.0 / FAST + 0.5 * FAST * MOMENT / effort, abs=(far + 2 * world.dt * FAST) / FAST)
    for _ in range(600):
        world.step()
        assert abs(world["joint"].rate) < FAST * (1.0 + 1e-9)
    # It stops with all its effort within v^2 I / (2 effort), and swings about its target.
    assert abs(world["joint"].angle - target) <= FAST**2 * MOMENT / (2 * effort)
    assert damping < 40.0 or abs(world["joint"].angle - target) < 1e-3


def test_within_the_bound_a_position_motor_is_the_spring_and_damper_that_it_was():
    """Oracle: the same motor without the bound, bit for bit, where the spring would never run beyond it."""
    worlds = [driven(pl.PositionMotor(0.1, 20.0, 2.0), bound=bound) for bound in (1.0 + 0.1 * 20.0 / 2.0, float("inf"))]
    for _ in range(200):
        for world in worlds:
            world.step()
        assert worlds[0].hash() == worlds[1].hash()
    assert worlds[0]["joint"].angle == pytest.approx(0.1, abs=1e-3)


def test_a_position_motor_beside_a_rope_goes_there_no_faster():
    """Islands with ropes are solved by another way. Oracle: the bound itself, which an arm with a stiff motor runs at."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("arm", pl.Box(0.4, 0.05, 0.05), mass=1.0, position=(0.2, 0, 0)))
    scene.add(pl.Revolute("joint", pl.WORLD, "arm", anchor=(0, 0, 0), axis=(0, 0, 1), max_rate=FAST,
                          motor=pl.PositionMotor(2.5, 400.0, 10.0)))
    rope = scene.add(pl.Rope("r", path=[(0.4, 0, 0), (0.7, 0, 0)], points=8, radius=0.003, material="hemp rope", collide=False))
    scene.attach(rope.start, "arm")
    world, rates = pl.World(scene), []
    world.run(1.5, each=lambda world: rates.append(world["joint"].rate) and False)
    # The rope whips: it draws the arm a little beyond what the motor of 10 N m s/rad then holds against.
    assert 0.9 * FAST < max(rates[5:]) < 1.1 * FAST and world["joint"].angle == pytest.approx(2.5, abs=0.3)


def test_a_dc_motor_gets_the_voltage_that_turns_it_so_fast():
    """Oracle: without load U = n k_e w, and w is reached from below; with no bound in reach it is as it was."""
    motor = pl.DCMotor(24.0, k_t=0.1, k_e=0.1, resistance=1.5, max_voltage=24.0, gear=10.0)
    world = driven(motor)
    world.run(8.0)
    assert world["joint"].rate == pytest.approx(FAST, rel=1e-9)
    for bound in (24.0 / (10.0 * 0.1), float("inf")):
        world = driven(motor, bound=bound)
        world.run(8.0)
        assert world["joint"].rate == pytest.approx(24.0, rel=1e-9)


@pytest.mark.parametrize("k_e", [0.0, 0.1])
def test_a_dc_motor_pushes_no_harder_than_its_effort(k_e):
    """Oracle: the rate grows by effort / I until back-EMF takes the torque below the bound."""
    world = driven(pl.DCMotor(24.0, k_t=0.1, k_e=k_e, resistance=1.5, max_voltage=24.0, max_effort=0.5), bound=float("inf"))
    world.run(0.5)
    assert world["joint"].rate == pytest.approx(0.5 / MOMENT * 0.5, rel=1e-9)
    assert world["joint"].effort == pytest.approx(0.5, rel=1e-9)


def test_bounds_are_checked():
    for joint in (pl.Revolute, pl.Prismatic):
        with pytest.raises(pl.SceneError, match="max_rate is -1; it must be zero or more"):
            joint("j", pl.WORLD, "b", max_rate=-1.0)
    with pytest.raises(pl.SceneError, match="max_effort is -1 N m; it must be zero or more"):
        pl.DCMotor(1.0, 1.0, 1.0, 1.0, 1.0, max_effort=-1.0)
