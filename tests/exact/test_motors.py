"""Motors do what they are told, as far as their effort or voltage goes, and say how hard they push."""

from math import exp

import numpy as np
import pytest
from oracle_tools import G, single

import pliant as pl

MOMENT, MASS = 0.05, 2.0  # [kg m2, kg]


def wheel(**more) -> pl.Body:
    return pl.Body("wheel", pl.Sphere(0.1), mass=MASS, inertia=(MOMENT,) * 3, **more)


def driven(motor, *more, joint=pl.Revolute, **options) -> pl.World:
    """A flywheel on a joint along z with a motor; no gravity."""
    return single(joint("joint", pl.WORLD, "wheel", axis=(0, 0, 1), motor=motor), wheel(), *more, **options)


@pytest.mark.parametrize(
    "joint,inertia", [(pl.Revolute, MOMENT), (pl.Prismatic, MASS), (pl.Universal, MOMENT), (pl.Cylindrical, MASS)]
)
def test_velocity_motor_speeds_up_with_all_its_effort_and_then_holds(joint, inertia):
    """Oracle: rate = min(target, effort t / I), to rounding; effort reads its limit, then nothing."""
    effort = 4.0 * inertia
    world = driven(pl.VelocityMotor(3.0, effort), joint=joint)
    for _ in range(240):
        world.step()
        assert world["joint"].rate == pytest.approx(min(3.0, effort / inertia * world.time), abs=1e-9)
        if world.time < 0.74:
            assert world["joint"].effort == pytest.approx(effort, rel=1e-9)
    assert abs(world["joint"].effort) < 1e-6


def test_a_motor_at_its_limit_lifts_along_a_parabola():
    """Oracle: x = (F/m - g) t^2 / 2 at the end of every step, as a free body has it; rounding 1e-12 a step."""
    force = 3.0 * MASS * G
    scene = pl.Scene()
    scene.add(wheel())
    scene.add(pl.Prismatic("joint", pl.WORLD, "wheel", axis=(0, 0, 1), motor=pl.VelocityMotor(1e3, force)))
    world = pl.World(scene)
    for n in range(60):
        world.step()
        assert abs(world["joint"].travel - 0.5 * (force / MASS - G) * world.time**2) <= 1e-12 * (n + 1)


def test_velocity_motor_holds_against_a_load_and_yields_beyond_its_effort():
    """Oracle: statics below the limit; beyond it the surplus accelerates."""
    for load, rate in ((1.9, 0.0), (2.1, (2.1 - 2.0) / MOMENT)):
        world = driven(pl.VelocityMotor(0.0, 2.0), pl.Load("load", "wheel", torque=(0, 0, load)))
        world.run(1.0)
        assert world["joint"].rate == pytest.approx(rate, abs=1e-6)
        assert world["joint"].effort == pytest.approx(-min(load, 2.0), rel=1e-6)


def in_halves(x: float, v: float, target: float, k: float, c: float, h: float) -> tuple[float, float]:
    """One substep of a position motor by itself: half of its law moves it, all of it is its speed at the end."""
    half = (v - 0.5 * h * k * (x - target)) / (1 + 0.5 * h * c + 0.5 * h * h * k)
    return x + h * half, (v - h * k * (x - target)) / (1 + h * c + h * h * k)


def test_position_motor_is_an_implicit_spring_and_damper():
    """Oracle: the recurrence of equations/rigid/drive_in_halves.py, to 1e-12."""
    k, c, target = 20.0, 0.4, 1.5
    world = driven(pl.PositionMotor(target, k, c))
    x = v = 0.0
    for _ in range(480):
        x, v = in_halves(x, v, target, k / MOMENT, c / MOMENT, world.dt)
        world.step()
        assert abs(world["joint"].angle - x) < 1e-12 * 480


def test_position_motor_is_limited_in_effort():
    """Oracle: far from the target it accelerates with max_effort; under a larger load it gives way."""
    world = driven(pl.PositionMotor(100.0, 50.0, 0.0, max_effort=1.0))
    world.run(1.0)
    assert world["joint"].rate == pytest.approx(1.0 / MOMENT, rel=1e-9)
    assert world["joint"].effort == pytest.approx(1.0, rel=1e-9)


def test_position_motor_holds_an_arm_with_the_sag_of_its_stiffness():
    """Oracle: statics, k (target - x) = m g l cos x, to what is left after 5 s."""
    k, length = 500.0, 0.4
    scene = pl.Scene()
    scene.add(wheel(position=(length, 0, 0)))
    scene.add(pl.Revolute("joint", pl.WORLD, "wheel", anchor=(0, 0, 0), axis=(0, -1, 0), motor=pl.PositionMotor(0.0, k, 20.0)))
    world = pl.World(scene)
    world.run(5.0)
    x = world["joint"].angle
    assert k * -x == pytest.approx(MASS * G * length * np.cos(x), rel=1e-6)
    assert world["joint"].effort == pytest.approx(MASS * G * length * np.cos(x), rel=1e-6)


DC = {"k_t": 0.05, "k_e": 0.05, "resistance": 0.5, "max_voltage": 12.0, "gear": 20.0, "inertia": 2e-5}


@pytest.mark.parametrize("dt", [1 / 1000, 1 / 60, 0.1])
def test_dc_motor_runs_up(dt):
    """Oracle: implicit Euler's recurrence to rounding, at any step; to first order w_end (1 - exp(-t / T)),
    w_end = U / (n k_e), T = (I + n^2 J) R / (n^2 k_t k_e)."""
    world = driven(pl.DCMotor(6.0, **DC), dt=dt)
    n = DC["gear"]
    c = n**2 * DC["k_t"] * DC["k_e"] / DC["resistance"]
    inertia, final = MOMENT + n**2 * DC["inertia"], 6.0 / (n * DC["k_e"])
    rate, constant = 0.0, inertia / c
    for _ in range(max(20, round(6 * constant / dt))):
        rate = (inertia * rate + dt * n * DC["k_t"] * 6.0 / DC["resistance"]) / (inertia + dt * c)
        world.step()
        assert world["joint"].rate == pytest.approx(rate, rel=1e-9)
        exact = final * (1 - exp(-world.time / constant))
        assert abs(world["joint"].rate - exact) < final * dt / constant
    assert world["joint"].rate == pytest.approx(final, rel=0.003)


def test_dc_motor_is_limited_in_voltage_and_stalls():
    """Oracle: 20 V asked of a 12 V supply run at 12 V; held by a stop, the torque is n k_t U / R."""
    fast = driven(pl.DCMotor(20.0, **DC))
    fast.run(2.0)
    assert fast["joint"].rate == pytest.approx(12.0 / (DC["gear"] * DC["k_e"]), rel=1e-6)
    joint = pl.Revolute("joint", pl.WORLD, "wheel", limits=(-1.0, 0.0), motor=pl.DCMotor(6.0, **DC))
    stalled = single(joint, wheel(), dt=1 / 60, substeps="auto")
    stalled.run(1.0)
    assert stalled["joint"].effort == pytest.approx(DC["gear"] * DC["k_t"] * 6.0 / DC["resistance"], rel=1e-6)


def test_dc_motor_without_back_emf_and_rotor_is_a_torque():
    """Oracle: constant torque n k_t U / R on the inertia."""
    world = driven(pl.DCMotor(2.0, k_t=0.1, k_e=0.0, resistance=1.0, max_voltage=12.0))
    world.run(1.0)
    assert world["joint"].rate == pytest.approx(0.2 / MOMENT, rel=1e-9)


@pytest.mark.parametrize("signal,targets", [
    (1.5, (1.5, 1.5)), ("throttle", (0.0, 0.8)), ({"throttle": 2.0, "steering": -1.0}, (-0.5, 1.1)),
])
def test_motors_listen_to_numbers_names_and_weights(signal, targets):
    """Oracle: the linear map of the signal, before and after the operator moves a control."""
    world = driven(pl.VelocityMotor(signal, 100.0), pl.Control("throttle"), pl.Control("steering", value=0.5))
    world.step()
    assert world["joint"].rate == pytest.approx(targets[0], abs=1e-9)
    world.control["throttle"] = 0.8
    world.step()
    assert world["joint"].rate == pytest.approx(targets[1], abs=1e-9)
    world.reset()
    assert dict(world.control) == {"throttle": 0.0, "steering": 0.5}


def two_links(ratio: float, motor) -> tuple[pl.World, float]:
    """A driven link with `ratio` times its mass welded to its end, and the moment about the joint [kg m2]; no gravity."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for k, mass in enumerate((1.0, ratio)):
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.05, 0.05), mass=mass, position=(0.15 + 0.3 * k, 0, 0)))
    scene.add(pl.Revolute("joint", pl.WORLD, "link0", anchor=(0, 0, 0), motor=motor))
    scene.add(pl.Fixed("weld", "link0", "link1", anchor=(0.3, 0, 0)))
    own = (0.3**2 + 0.05**2) / 12
    return pl.World(scene), own + 0.15**2 + ratio * (own + 0.45**2)


RATIOS = [0.01, 1.0, 10.0, 100.0]
@pytest.mark.parametrize("torque,ratio", [
    *((8.0, ratio) for ratio in RATIOS), (200.0, 0.01), (200.0, 1.0),
    (200.0, 10.0), (200.0, 100.0),
])
def test_a_motor_turns_what_hangs_on_its_link(torque, ratio):
    """Oracle: the two links speed up as one body, w = min(target, tau t / I), and then keep that speed."""
    world, inertia = two_links(ratio, pl.VelocityMotor(2.0, torque))
    run_up = 2.0 * inertia / torque
    while world.time < run_up + 0.5:
        world.step()
        assert world["joint"].rate == pytest.approx(min(2.0, torque * world.time / inertia), rel=0.01)
    assert world.energy().kinetic == pytest.approx(0.5 * inertia * 2.0**2, rel=0.01)


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_position_motor_swings_what_hangs_on_its_link(ratio):
    """Oracle: the recurrence of a motor by itself for the two links as one body, to 1e-3 of the target."""
    world, inertia = two_links(ratio, pl.PositionMotor(1.0, 100.0, 0.5))
    h, x, v = world.dt / world.substeps, 0.0, 0.0
    for _ in range(120):
        for _ in range(world.substeps):
            x, v = in_halves(x, v, 1.0, 100.0 / inertia, 0.5 / inertia, h)
        world.step()
        assert world["joint"].angle == pytest.approx(x, abs=1e-3)


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_work_of_a_motor_is_torque_times_angle(ratio):
    """Oracle: W = tau angle = kinetic energy, whatever hangs on the driven link; the sum over substeps errs by tau w h."""
    torque = 2.0
    world, _ = two_links(ratio, pl.VelocityMotor(1e3, torque))
    world.run(1.0)
    energy, allowed = world.energy(), torque * world["joint"].rate * world.dt / world.substeps
    assert energy.work == pytest.approx(torque * world["joint"].angle, abs=allowed)
    assert energy.kinetic == pytest.approx(energy.work, abs=allowed)
