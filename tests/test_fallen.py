"""What falls off the edge of a height field is told, once. Oracle: the way of a free fall, and scenes where nothing is lost."""

import numpy as np
import pytest

import pliant as pl

WORDS = "below everything that could bear it"


def field(**more) -> pl.Body:
    return pl.Body("terrain", pl.HeightField(np.zeros((5, 5)), size=(4.0, 4.0)), fixed=True, **more)


def told(world, seconds: float) -> list[str]:
    return [text for text in world.run(seconds).warnings if WORDS in text]


def scene_of(*things, **more) -> pl.Scene:
    scene = pl.Scene(**more)
    for thing in things:
        scene.add(thing)
    return scene


def off(name: str = "ball", **more) -> pl.Body:
    """A ball that starts beside the terrain."""
    return pl.Body(name, pl.Sphere(0.1), mass=1.0, position=(3.0, 0.0, 0.5), **more)


def test_what_falls_beside_a_height_field_is_told_once_with_time_and_remedy():
    """It is 10 m below the terrain after sqrt(2 * 10.5 / g) = 1.46 s, and looked for four times a second."""
    world = pl.World(scene_of(field(), off(), off("other").replace(position=(-3.0, 0.0, 0.5))), threads=1)
    assert not told(world, 1.4)
    found = told(world, 2.0)
    assert len(found) == 1
    assert found[0].startswith("'ball' is")
    assert "; add a Ground or make the HeightField of 'terrain' larger" in found[0] and "there is no ground" in found[0]
    assert 1.46 < float(found[0].partition("t = ")[2].partition(" s")[0]) < 1.46 + 0.27
    world.reset()
    assert not told(world, 1.4)
    assert told(world, 0.5)


def test_a_robot_is_named_as_a_whole():
    world = pl.World(scene_of(field(), pl.Robot.from_urdf(pl.asset("tractor.urdf"), position=(9.0, 0.0, 1.0))), threads=1)
    assert told(world, 3.0)[0].startswith("'tractor' is")


@pytest.mark.parametrize("things, gravity", [
    ([off()], (0, 0, -9.81)),
    ([field(), off(velocity=(0, 0, -30))], (0, 0, 0)),
    ([field(), pl.Ground(height=-40.0), off()], (0, 0, -9.81)),
    ([field(), pl.Body("net", pl.Box(9, 9, 1), fixed=True, position=(0, 0, -15)), off()], (0, 0, -9.81)),
    ([field(), off(motion=pl.Motion((0.0, 3.0), positions=((0, 0, 0), (0, 0, -60))))], (0, 0, -9.81)),
    ([field(), off(collide=False)], (0, 0, -9.81)),
    ([field(), off().replace(position=(0.0, 0.0, 12.0))], (0, 0, -9.81)),
], ids=["free flight", "no gravity", "a ground far below", "something below", "driven", "touches nothing", "lands"])
def test_no_alarm_where_nothing_is_lost(things, gravity):
    world = pl.World(scene_of(*things, gravity=gravity), threads=1)
    assert not told(world, 2.5)


def test_what_rides_down_on_a_platform_is_not_lost():
    down = pl.Motion((0.0, 5.0), positions=((0, 0, 0), (0, 0, -40)))
    lift = pl.Body("lift", pl.Box(2, 2, 0.2), position=(4.0, 0.0, 0.0), motion=down)
    rider = pl.Body("rider", pl.Box(0.3, 0.3, 0.3), mass=1.0, position=(4.0, 0.0, 0.25), velocity=(0, 0, -8))
    world = pl.World(scene_of(field(), lift, rider), threads=1)
    assert not told(world, 4.5)
    assert world["rider"].position[2] < -30.0
