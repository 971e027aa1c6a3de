"""The scout in all variants: stands where its statics say, drives at its motors' speed, crosses the bumps upright."""

import numpy as np
import pytest

import pliant as pl

VARIANTS = ("scout", "scout-struts", "scout-torsion", "scout-rigid")
SPRUNG = VARIANTS[:3]


def on_flat(variant: str, *more) -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.8))
    scene.add(pl.Robot.from_urdf(pl.asset(f"{variant}.urdf"), position=(0, 0, 0.3)))
    for thing in more:
        scene.add(thing)
    return pl.World(scene)


def up(world: pl.World) -> float:
    """Cosine of the chassis's tilt."""
    _, x, y, _ = world["scout/chassis"].quaternion
    return float(1 - 2 * (x * x + y * y))


@pytest.mark.parametrize("variant", VARIANTS)
def test_stands_where_it_was_put(variant):
    """The springs are loaded for the weight at the zero of all joints: nothing moves but the contacts' slop."""
    world = on_flat(variant)
    heights = []
    world.run(2.0, each=lambda w: heights.append(w["scout/chassis"].position[2]))
    assert max(heights) - min(heights) < 5e-4 and abs(heights[-1] - 0.3) < 5e-4
    assert up(world) > 1 - 1e-6


def test_all_variants_weigh_the_same():
    masses = {v: sum(t.mass for t in pl.Robot.from_urdf(pl.asset(f"{v}.urdf")).parts() if isinstance(t, pl.Body))
              for v in VARIANTS}
    assert 60 < masses["scout"] < 100
    assert all(m == pytest.approx(masses["scout"], rel=1e-12) for m in masses.values())


def test_struts_yield_like_six_springs_side_by_side():
    force = 60.0
    world = on_flat("scout-struts", pl.Load("press", "scout/chassis", force=(0, 0, -force)))
    world.run(4.0)
    rate = sum(t.stiffness for t in world.scene.flat() if isinstance(t, pl.JointSpring) and "strut" in t.name)
    # The load acts at the chassis's centre of mass, not quite over the middle of the wheels: take their mean.
    corners = [f"{row}_{side}" for row in ("front", "middle", "rear") for side in ("left", "right")]
    sunk = np.mean([world[f"scout/sway_{corner}"].travel for corner in corners])
    assert sunk == pytest.approx(force / rate, rel=0.02)


@pytest.mark.parametrize("variant", VARIANTS)
def test_speed_on_the_flat_is_the_motors(variant):
    """Steady: n k_t (U - n k_e w) / R = dry friction + damping w in every wheel, and no slip."""
    world = on_flat(variant)
    world.control["throttle"] = 0.4
    world.run(4.0)
    before = world["scout/chassis"].position[0]
    world.run(1.0)
    speed = before - world["scout/chassis"].position[0]  # the mean over a second: the body still rocks a little
    drive = world.scene["scout/drive_middle_left"]
    motor = drive.motor
    gain = motor.gear * motor.k_t / motor.resistance
    w = (gain * 0.4 * 24.0 - drive.friction) / (gain * motor.gear * motor.k_e + drive.damping)
    assert speed == pytest.approx(0.16 * w, rel=2e-3)


def test_steering_turns_left_and_right():
    for steering in (0.6, -0.6):
        world = on_flat("scout")
        world.control["throttle"], world.control["steering"] = 0.5, steering
        world.run(4.0)
        assert world["scout/chassis"].angular_velocity[2] * steering > 0.05
        assert up(world) > 0.95


@pytest.mark.parametrize("variant", VARIANTS)
def test_crosses_the_bumps_by_itself(variant):
    world = pl.World(pl.load(variant))
    lowest = []
    report = world.run(6.0, each=lambda w: lowest.append(up(w)))
    assert np.hypot(*world["scout/chassis"].position[:2]) > 2.0
    assert min(lowest) > 0.85, "it does not flip: less than 32 degrees of tilt"
    assert report.penetration < 0.01


def test_the_hitch_is_where_a_rope_is_tied():
    robot = pl.Robot.from_urdf(pl.asset("scout.urdf"), position=(0, 0, 0.3))
    scene = pl.Scene()
    scene.add(robot)
    assert isinstance(robot["hitch"], pl.Site)
    assert pl.World(scene)["scout/hitch"].position == pytest.approx((0.4, 0.0, 0.3), abs=1e-12)


def test_a_scene_with_a_robot_comes_back_from_a_file(tmp_path):
    scene = pl.load("scout")
    scene.to_file(tmp_path / "copy.yaml")
    back = pl.load(tmp_path / "copy.yaml")
    assert back["scout"].controls == {"throttle": 0.4} and back["throttle"].value == 0.4
    assert [t.name for t in back.flat()] == [t.name for t in scene.flat()]
    worlds = [pl.World(s) for s in (scene, back)]
    for world in worlds:
        world.run(0.5)
    assert worlds[0].hash() == worlds[1].hash()
