"""Several robots in one scene. Oracle: a scene with one of them."""

import pytest

import pliant as pl


def scout(name: str, y: float, **given) -> pl.Robot:
    return pl.Robot.from_urdf(pl.asset("scout.urdf"), position=(0.0, y, 0.3), name=name, **given)


def flat_scene(*robots: pl.Robot) -> pl.Scene:
    scene = pl.Scene()
    scene.add(pl.Ground())
    for robot in robots:
        scene.add(robot)
    return scene


def test_one_knob_turns_the_same_control_of_two_robots():
    """Far apart the two do not touch: each drives as one alone does, but for the rounding of its own place."""
    both = pl.World(flat_scene(scout("left", 0.0), scout("right", 8.0)))
    alone = pl.World(flat_scene(scout("left", 0.0)))
    assert list(both.control) == list(alone.control)
    controls = [thing for thing in both.scene.flat() if isinstance(thing, pl.Control)]
    assert [thing.name for thing in controls] == list(both.control)
    for world in (both, alone):
        world.control["throttle"] = 0.6
        world.run(1.0)
    root = next(name for name in alone.body_names if name.startswith("left/"))
    left, right, single = (world[name].position for world, name in
                           ((both, root), (both, root.replace("left", "right")), (alone, root)))
    assert abs(single[0]) > 0.1  # it did drive
    assert (left == single).all()
    # Near y = 8 m positions round by 2^-50 m; wheels that are swept keep that to some 1e-14 m over 1 s.
    assert right - single == pytest.approx([0.0, 8.0, 0.0], abs=1e-9)


def test_a_shared_control_survives_a_file(tmp_path):
    scene = flat_scene(scout("left", 0.0), scout("right", 8.0))
    scene.to_file(tmp_path / "two.yaml")
    back = pl.load(tmp_path / "two.yaml")
    assert [thing.name for thing in back.flat()] == [thing.name for thing in scene.flat()]


def test_controls_of_one_name_that_differ_are_refused_and_the_field_is_named():
    scene = flat_scene(scout("left", 0.0, controls={"throttle": 0.25}))
    with pytest.raises(pl.SceneError, match=r"Control 'throttle': .* value 0\.25, not 0\.0; .* must be the same"):
        scene.add(scout("right", 8.0))
    assert [thing.name for thing in scene] == ["ground", "left"]


def test_only_controls_are_shared():
    scene = flat_scene(scout("left", 0.0))
    with pytest.raises(pl.SceneError, match="The name 'left' is already taken"):
        scene.add(pl.Body("left", pl.Sphere(0.1)))
    with pytest.raises(pl.SceneError, match="The name 'left' is already taken"):
        scene.add(scout("left", 8.0))
    with pytest.raises(pl.SceneError, match="The name 'throttle' is already taken"):
        scene.add(pl.Body("throttle", pl.Sphere(0.1)))
    scene.add(scene["throttle"])
    assert sum(thing.name == "throttle" for thing in scene.flat()) == 1


def test_a_robot_does_not_take_the_place_of_a_body():
    scene = pl.Scene()
    body = scene.add(pl.Body("left", pl.Sphere(0.1)))
    with pytest.raises(pl.SceneError, match="The name 'left' is already taken"):
        scene.add(scout("left", 0.0))
    assert list(scene) == [body]
