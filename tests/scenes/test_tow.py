"""The tractor tows its cart: by a rope as heavy as a catenary's, by a ball joint, over level and rough ground."""

import numpy as np
import pytest
from ropes.oracles import catenary

import pliant as pl

LENGTH, WEIGHT = 2.8, 1200.0 * np.pi * 0.015**2 * 9.81
"""Of the rope [m], [N/m]."""


def on_flat(name: str) -> pl.World:
    """The scene without its rough field: everything stands on the plane, 0.1 m high as the field is at the start."""
    scene, flat = pl.load(name), pl.Scene()
    for thing in scene:
        if thing.name == "ground":
            flat.add(thing.replace(height=0.1))
        elif thing.name != "rough":
            flat.add(thing)
    return pl.World(flat)


def up(world: pl.World, body: str = "tractor/hull") -> float:
    """Cosine of a body's tilt."""
    _, x, y, _ = world[body].quaternion
    return float(1 - 2 * (x * x + y * y))


def test_the_robot_weighs_100_kg_and_the_cart_40():
    for name in ("tow", "tow-joint"):
        things = [t for t in pl.load(name).flat() if isinstance(t, pl.Body) and not t.fixed]
        robot = sum(t.mass for t in things if t.name.startswith("tractor/"))
        assert robot == pytest.approx(100.0) and sum(t.mass for t in things) - robot == pytest.approx(40.0)


def pull_of_the_cart(world: pl.World) -> float:
    """What holds a cart back that rolls steadily at its present speed [N]: friction and damping in four axles."""
    axle, radius = world.scene["front-left-axle"], world.scene["front-left"].shape.radius
    return 4.0 * (axle.friction + axle.damping * abs(world["cart"].velocity[0]) / radius) / radius


def test_towed_steadily_the_rope_is_a_catenary_that_pulls_as_the_axles_resist():
    """Oracles: the pull is what the axles resist; the vertical ends bear the rope; and a chain of that length between
    those ends has just that horizontal pull."""
    world = on_flat("tow")
    world.run(15.0)
    pulls, expected, ends, span = [], [], [], []

    def watch(w):
        rope = w["rope"]
        pulls.append(rope.end.force[0])
        expected.append(pull_of_the_cart(w))
        ends.append(rope.start.force[2] + rope.end.force[2])
        span.append(rope.positions[-1] - rope.positions[0])

    world.run(4.0, each=watch)
    across = np.mean(span, axis=0)
    assert np.mean(pulls) == pytest.approx(np.mean(expected), rel=0.02)
    assert np.mean(ends) == pytest.approx(WEIGHT * LENGTH, rel=0.01)
    chain = catenary(float(np.hypot(across[0], across[1])), LENGTH, float(across[2]))
    assert WEIGHT * chain.parameter == pytest.approx(np.mean(pulls), rel=0.03)


def test_the_ball_joint_pulls_as_the_axles_resist():
    """Oracle: friction and damping of four axles that roll, at the speed of the cart, less what it gives as it slows down:
    40 kg and half of its four wheels, of 2 kg each, that turn."""
    world = on_flat("tow-joint")
    world.run(3.0)
    pulls, expected, first = [], [], abs(world["cart"].velocity[0])

    def watch(w):
        pulls.append(-w["ball"].force[0])
        expected.append(pull_of_the_cart(w))

    world.run(3.0, each=watch)
    faster = (abs(world["cart"].velocity[0]) - first) / 3.0
    assert np.mean(pulls) == pytest.approx(np.mean(expected) + (40.0 + 4.0) * faster, rel=0.01)


@pytest.mark.parametrize("name", ["tow", "tow-joint"])
def test_it_steers_left_and_right(name):
    for steering in (0.6, -0.6):
        world = on_flat(name)
        world.control["throttle"], world.control["steering"] = 0.4, steering
        world.run(3.0)
        assert world["tractor/hull"].angular_velocity[2] * steering > 0.02
        assert up(world) > 0.99


def test_over_rough_ground_the_rope_goes_slack_and_taut_and_keeps_its_length():
    world = pl.World(pl.load("tow"))
    tension, stretch, tilt = [], [], []

    def watch(w):
        tension.append(w["rope"].tension.max())
        stretch.append(abs(w["rope"].length / LENGTH - 1.0))
        tilt.append(min(up(w), up(w, "cart")))

    world.run(12.0, each=watch)
    assert world["tractor/hull"].position[0] < -4.0 and world["cart"].position[0] < 0.5
    assert min(tilt) > 0.85, "nobody flips: less than 32 degrees of tilt"
    assert max(stretch) < 1e-4
    late = np.array(tension[60:])
    slack = WEIGHT * LENGTH / 2.0  # an end bears at least half the rope; 10 N along it is a rope that hangs
    assert late.min() < slack + 10.0 and late.max() > 3.0 * slack


def test_the_scene_comes_back_from_a_file(tmp_path):
    scene = pl.load("tow")
    scene.to_file(tmp_path / "copy.yaml")
    worlds = [pl.World(s) for s in (scene, pl.load(tmp_path / "copy.yaml"))]
    for world in worlds:
        world.run(0.5)
    assert worlds[0].hash() == worlds[1].hash()
