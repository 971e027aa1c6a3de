"""What runs into the stop of its joint, or is stopped by its motor at once, stands there; no warning is told of that, and one
is of what cannot be solved.
"""

from math import cos, inf

import numpy as np
import pytest
from oracle_tools import G, single

import pliant as pl

MASS, LENGTH, THICK = 2.0, 0.4, 0.1  # [kg], [m], [m]
MOMENT = MASS * (LENGTH**2 + THICK**2) / 12  # about an axis across [kg m2]
STOPS = np.linspace(0.2, 1.5, 14)  # [rad]


def bar(name: str, n: int, spin: float, velocity) -> pl.Body:
    """The n-th bar of an arm along x."""
    return pl.Body(name, pl.Box(LENGTH, THICK, THICK), mass=MASS, position=((n + 0.5) * LENGTH, 0, 0), velocity=velocity,
                   angular_velocity=(0, spin, 0))


def hinge(name: str, on, body: str, n: int, **more) -> pl.Revolute:
    return pl.Revolute(name, on, body, anchor=(n * LENGTH, 0, 0), axis=(0, 1, 0), **more)


def arm(stop: float, spin: float, motor=None) -> pl.World:
    """One bar that falls on a stop."""
    return single(hinge("hinge", pl.WORLD, "bar", 0, limits=(-1.0, stop), motor=motor),
                  bar("bar", 0, spin, (0, 0, -0.5 * LENGTH * spin)), gravity=(0, 0, -G), dt=1 / 60, substeps="auto")


@pytest.mark.parametrize("spin", [0.0, 3.0, 8.0])
def test_an_arm_that_falls_on_its_stop_stands_there(spin):
    """Oracle: statics, the stop bears m g l / 2 cos of the angle; the same wherever in a substep it is met."""
    for stop in STOPS:
        world = arm(stop, spin)
        assert world.run(1.0).warnings == ()
        assert world["hinge"].angle == pytest.approx(stop, abs=1e-9) and abs(world["hinge"].rate) < 1e-9
        bears = -0.5 * MASS * G * LENGTH * cos(stop)
        assert world["hinge"].efforts()["limits"] == pytest.approx(bears, rel=1e-6)


@pytest.mark.parametrize("motor", [pl.VelocityMotor(2.0, 5.0), pl.VelocityMotor(2.0, inf), pl.PositionMotor(3.0, 200.0, 5.0),
                                   pl.DCMotor(6.0, 0.1, 0.1, 1.0, 12.0, gear=20.0, inertia=1e-4)],
                         ids=lambda motor: type(motor).__name__)
def test_a_motor_pushes_on_against_the_stop(motor):
    """Oracle: the same, and nothing comes from nowhere: energy less the work of the motor never rises."""
    for stop in STOPS:
        world = arm(stop, 0.0, motor)
        before = world.energy()
        for _ in range(90):
            report = world.step()
            assert report.warnings == ()
            # of which a substep may have 1e-4, and of the weight lifted by 0.1 m
            gain = report.energy.total - report.energy.work - before.total + before.work
            assert gain <= 1e-4 * (before.kinetic + report.energy.kinetic + 0.1 * MASS * G)
            before = report.energy
        assert world["hinge"].angle == pytest.approx(stop, abs=1e-9) and abs(world["hinge"].rate) < 1e-9


@pytest.mark.parametrize("push", [0.0, 30.0, -30.0])
def test_a_slide_that_drops_on_its_stop_stands_there(push):
    """Oracle: statics; forces from outside that brake it or drive it on change nothing."""
    for stop in np.linspace(0.05, 0.5, 10):
        slide = pl.Prismatic("slide", pl.WORLD, "bar", axis=(0, 0, -1), limits=(-0.6, stop))
        loads = [pl.Load("push", "bar", force=(0, 0, 0.5 * push))] if push else []
        world = single(slide, bar("bar", 0, 0.0, (0, 0, -2.0)), *loads, gravity=(0, 0, -G), dt=1 / 60, substeps="auto")
        assert world.run(1.0).warnings == ()
        assert world["slide"].travel == pytest.approx(stop, abs=1e-9)
        assert world["slide"].efforts()["limits"] == pytest.approx(0.5 * push - MASS * G, rel=1e-6)


@pytest.mark.parametrize("most", [inf, 1e4])
@pytest.mark.parametrize("share", [0.0, -1.0, 0.5, 2.0])
def test_a_strong_motor_that_is_told_another_speed_has_it_at_once(share, most):
    """Oracle: by hand."""
    for speed in (0.8, 2.4, 6.0):
        turning = hinge("hinge", pl.WORLD, "bar", 0, motor=pl.VelocityMotor("speed", most))
        world = single(turning, bar("bar", 0, 0.0, (0, 0, 0)), pl.Control("speed", -20, 20, speed), gravity=(0, 0, -G),
                       dt=1 / 60, substeps="auto")
        world.run(0.25)
        world.control["speed"] = share * speed
        assert world.step().warnings == ()
        assert world["hinge"].rate == pytest.approx(share * speed, abs=1e-9)


@pytest.mark.parametrize("spin", [2.0, 5.0, 9.0])
def test_two_bars_go_on_as_one_when_the_stop_between_them_is_met(spin):
    """Oracle: without weight the angular momentum H about the fixed hinge stays; the moment I of both as one body at the stop
    leaves them H^2 / 2 I, which they keep while they swing back, to the square of what they turn by in a substep.
    """
    def after(stop: float, substeps: int) -> tuple[float, float]:
        scene = pl.Scene(gravity=(0, 0, 0))
        scene.add(bar("upper", 0, 0.0, (0, 0, 0)))
        scene.add(hinge("shoulder", pl.WORLD, "upper", 0))
        scene.add(bar("lower", 1, spin, (0, 0, -0.5 * LENGTH * spin)))
        scene.add(hinge("elbow", "upper", "lower", 1, limits=(-1.0, stop)))
        world = pl.World(scene, substeps=substeps)
        most = 0.0
        while world.time < 1.1 * stop / spin:
            assert world.step().warnings == ()
            most = max(most, world["elbow"].angle)
        assert most <= stop + 1e-9 and world.energy().total < 0.9 * 0.5 * (MOMENT + 0.25 * MASS * LENGTH**2) * spin**2
        momentum = (MOMENT + 0.75 * MASS * LENGTH**2) * spin
        return world.energy().total, 0.5 * momentum**2 / (2 * MOMENT + MASS * LENGTH**2 * (1.5 + cos(stop)))
    for stop in (0.3, 0.5):
        for substeps in (8, 32):
            got, exact = after(stop, substeps)
            assert got == pytest.approx(exact, rel=(spin / (60 * substeps)) ** 2)


def test_what_cannot_be_solved_is_told():
    """Links of a hundred-millionth of their load, with a stop and a motor between: more than docs/solver.md trusts."""
    scene, last = pl.Scene(), pl.WORLD
    for n in range(6):
        scene.add(bar(f"link{n}", n, 0.0, (0, 0, 0)))
        scene.add(hinge(f"hinge{n}", last, f"link{n}", n, limits=(-0.3, 0.3) if n == 5 else None,
                        motor=pl.VelocityMotor(0.5, 10.0) if n == 2 else None))
        last = f"link{n}"
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=1e8 * MASS, position=(6 * LENGTH + 0.1, 0, 0)))
    scene.add(pl.Fixed("hold", last, "load", anchor=(6 * LENGTH, 0, 0)))
    assert any("did not settle" in told for told in pl.World(scene).run(0.5).warnings)
