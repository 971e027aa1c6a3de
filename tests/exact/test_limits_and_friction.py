"""Limits stop joints of every kind, dry friction brakes and holds, also by the reaction, and viscous friction decays."""

from math import exp, pi

import numpy as np
import pytest
from oracle_tools import G, single, turned

import pliant as pl

MASS = 2.0  # [kg]
MOMENT = 0.05  # [kg m2]


def flywheel(**more) -> pl.Body:
    """A body with the same moment about all axes."""
    return pl.Body("wheel", pl.Sphere(0.1), mass=MASS, inertia=(MOMENT,) * 3, **more)


def hinge(**more) -> pl.Revolute:
    return pl.Revolute("hinge", pl.WORLD, "wheel", axis=(0, 0, 1), **more)


def slide(**more) -> pl.Prismatic:
    return pl.Prismatic("slide", pl.WORLD, "wheel", axis=(1, 0, 0), **more)


CASES = {
    "revolute": (pl.Revolute, (0, 0, 3.0), (0, 0, 0)),
    "prismatic": (pl.Prismatic, (0, 0, 0), (0, 0, 3.0)),
    "universal": (pl.Universal, (0, 0, 3.0), (0, 0, 0)),
    "cylindrical": (pl.Cylindrical, (0, 0, 2.0), (0, 0, 3.0)),
}


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("case", CASES)
def test_a_limit_stops_the_first_coordinate(case, sign):
    """Oracle: the coordinate runs straight to its limit, stops there without bouncing, and the limit is never passed."""
    kind, spin, speed = CASES[case]
    body = flywheel(velocity=tuple(sign * v for v in speed), angular_velocity=tuple(sign * w for w in spin))
    world = single(kind("joint", pl.WORLD, "wheel", axis=(0, 0, 1), limits=(-0.7, 0.7)), body, substeps=4)
    joint = world["joint"]
    for n in range(1, 56):
        world.step()
        assert joint.coordinate() == pytest.approx(sign * 3.0 * n * world.dt, abs=1e-9)
    world.run(1.0)
    assert joint.coordinate() == pytest.approx(sign * 0.7, abs=1e-6)
    assert abs(joint.rate) < 1e-6
    if case == "cylindrical":
        assert joint.rate_of(1) == pytest.approx(2.0 * sign, abs=1e-9), "what is not limited goes on"


@pytest.mark.parametrize("gravity", [0.0, G])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_starts_outside_its_limits_is_led_inside(sign, gravity):
    """Oracle: by hand. It is lifted to the nearer limit at 3 m/s, and stays there at rest, held up against its weight; the
    doubt says so, and nothing else is said."""
    near, far = 0.1 * sign, 0.3 * sign
    lift = pl.Prismatic("slide", pl.WORLD, "wheel", axis=(0, 0, sign), limits=(min(near, far), max(near, far)))
    world = single(lift, flywheel(), gravity=(0, 0, -gravity))
    (doubt,) = world.warnings
    assert "starts at 0, outside its limits" in doubt
    world.step()
    assert abs(world["slide"].travel) <= 3.0 * world.dt + 1e-9
    assert world.run(1.0).warnings == (doubt,)
    assert world["slide"].travel == pytest.approx(near, abs=1e-4) and abs(world["slide"].rate) < 1e-6
    assert world["slide"].efforts()["limits"] == pytest.approx(sign * MASS * gravity, abs=1e-3)


@pytest.mark.parametrize("low", [0.07, 0.5, 1.5])
def test_a_hinge_that_starts_outside_is_led_inside(low):
    """Oracle: the same of a bar that turns about its end, without weight: it stands at its limit."""
    bar = pl.Body("bar", pl.Box(1, 0.1, 0.1), mass=1, position=(0.5, 0, 0))
    world = single(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(0, 0, 0), limits=(low, 2.0)), bar, gravity=(0, 0, 0))
    world.run(1.0)
    assert world["hinge"].angle == pytest.approx(low, abs=1e-4) and abs(world["hinge"].rate) < 1e-6


def test_a_ball_joint_swings_no_further_than_its_limit():
    """Oracle: the angle between the axis of child and parent; spin about the axis stays free."""
    at = (0.0, 0.0, 0.5)
    body = flywheel(position=at, velocity=(1.0, 0.3, 0.0), angular_velocity=(-0.6, 2.0, 4.0))
    world = single(pl.Spherical("ball", pl.WORLD, "wheel", anchor=(0, 0, 0), axis=(0, 0, 1), limits=(0, 0.6)), body,
                   gravity=(0, 0, -G), substeps=4)
    most = 0.0
    for _ in range(960):
        world.step()
        axis = turned(world["wheel"].quaternion, (0, 0, 1))
        most = max(most, np.arctan2(np.hypot(axis[0], axis[1]), axis[2]))
    assert 0.599 < most < 0.6 + 1e-5, "a limit is met where the bodies come to, to what a substep may miss it by"


def test_a_limit_holds_a_weight_and_the_reaction_says_so():
    """Oracle: statics; the arm lies on its limit by m g l, and stays."""
    body = flywheel(position=(0.5, 0, 0))
    world = single(pl.Revolute("hinge", pl.WORLD, "wheel", anchor=(0, 0, 0), axis=(0, 1, 0), limits=(-0.2, 0.3)), body,
                   gravity=(0, 0, -G), dt=1 / 60, substeps="auto")
    world.run(3.0)
    assert world["hinge"].angle == pytest.approx(0.3, abs=1e-6)
    # sweeps end when no velocity changes by more than 1e-6 m/s in a substep
    assert np.allclose(world["hinge"].force, (0, 0, MASS * G), atol=1e-6 * MASS / (world.dt / world.substeps))


def test_dry_friction_brakes_evenly_and_holds():
    """Oracle: w = w0 - (tau / I) t to the stop, to rounding; then rest."""
    torque, start = 0.2, 6.0
    world = single(hinge(friction=torque), flywheel(angular_velocity=(0, 0, start)))
    stop = start * MOMENT / torque
    while world.time < 2.0 * stop:
        world.step()
        exact = max(0.0, start - torque / MOMENT * world.time)
        assert world["hinge"].rate == pytest.approx(exact, abs=1e-9)
    # sum of the substeps' ends: half a step short of the integral
    allowed = start * world.dt
    assert world["hinge"].angle == pytest.approx(0.5 * start * stop, abs=allowed)


@pytest.mark.parametrize("make,load", [(hinge, "torque"), (slide, "force")])
def test_dry_friction_sticks_below_its_threshold(make, load):
    """Oracle: 0.99 of the friction moves nothing; 1.01 of it accelerates by the hundredth that is left, to rounding."""
    friction = 0.8
    for share in (0.99, 1.01):
        push = share * friction
        given = {load: (0, 0, push) if load == "torque" else (push, 0, 0)}
        world = single(make(friction=friction), flywheel(), pl.Load("push", "wheel", **given))
        world.run(5.0)
        joint = world[make().name]
        inertia = MOMENT if load == "torque" else MASS
        exact = max(0.0, share - 1.0) * friction / inertia * 5.0
        assert joint.rate == pytest.approx(exact, abs=1e-9)


def test_dry_friction_of_a_ball_joint_brakes_all_turns():
    """Oracle: along an axis of its frame the ball brakes as a hinge does."""
    world = single(
        pl.Spherical("ball", pl.WORLD, "wheel", axis=(0, 0, 1), friction=0.2), flywheel(angular_velocity=(0, 0, 6.0))
    )
    world.run(1.0)
    assert world["wheel"].angular_velocity == pytest.approx((0, 0, 6.0 - 0.2 / MOMENT), abs=1e-9)


def test_friction_follows_the_weight_on_a_slide():
    """Oracle: Coulomb with the reaction m g: v = v0 - mu g t, and half the weight hung off takes half of it away."""
    mu, start = 0.3, 2.0
    for carried in (0.0, 0.5):
        lift = pl.Load("lift", "wheel", force=(0, 0, carried * MASS * G))
        world = single(slide(reaction_friction=mu), flywheel(velocity=(start, 0, 0)), lift, gravity=(0, 0, -G))
        world.run(0.3)
        assert world["slide"].rate == pytest.approx(start - mu * (1 - carried) * G * 0.3, rel=1e-3)


def test_friction_follows_the_weight_in_a_hinge():
    """Oracle: a journal of radius r brakes with r m g: w = w0 - r m g t / I."""
    arm = 0.004
    world = single(hinge(reaction_friction=arm), flywheel(angular_velocity=(0, 0, 6.0)), gravity=(0, 0, -G))
    world.run(1.0)
    assert world["hinge"].rate == pytest.approx(6.0 - arm * MASS * G / MOMENT, rel=1e-3)


def test_friction_follows_the_centripetal_force():
    """Oracle: without weight an arm of length l reacts with m l w^2, so that w = w0 / (1 + r m l w0 t / (I + m l^2))."""
    arm, length, start = 0.02, 0.5, 8.0
    body = flywheel(position=(length, 0, 0), velocity=(0, start * length, 0), angular_velocity=(0, 0, start))
    world = single(hinge(anchor=(0, 0, 0), reaction_friction=arm), body, dt=1 / 480)
    world.run(1.0)
    inertia = MOMENT + MASS * length**2
    exact = start / (1 + arm * MASS * length * start / inertia)
    assert world["hinge"].rate == pytest.approx(exact, rel=5 * start * world.dt * 0.1)


@pytest.mark.parametrize("make,inertia", [(hinge, MOMENT), (slide, MASS)])
def test_viscous_friction_decays(make, inertia):
    """Oracle: implicit Euler, w / (1 + h c / I) in each step, to rounding; and exp(-c t / I) to its first order."""
    damping = 0.5 * inertia
    world = single(make(damping=damping), flywheel(velocity=(4, 0, 0), angular_velocity=(0, 0, 4)))
    joint = world[make().name]
    rate = 4.0
    for _ in range(480):
        world.step()
        rate /= 1 + world.dt * damping / inertia
        assert joint.rate == pytest.approx(rate, rel=1e-11)
    assert joint.rate == pytest.approx(4.0 * exp(-0.5 * world.time), rel=0.5**2 * world.time * world.dt)


def test_angles_count_turns():
    """Oracle: w t over ten turns; the coordinate does not jump at half a turn."""
    world = single(hinge(), flywheel(angular_velocity=(0, 0, 2 * pi)))
    world.run(10.0)
    assert world["hinge"].angle == pytest.approx(20 * pi, abs=1e-9)
