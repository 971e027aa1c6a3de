"""Robots that are put somewhere else while a world runs. Oracle: the same robot moved as one rigid piece."""

import numpy as np
import pytest

import pliant as pl
from pliant.scene.pose import inverted, product, turned
from pliant.watch.tears import gaps_of


def scout() -> pl.World:
    """A robot with loops, driving."""
    world = pl.World(pl.load("scout"), threads=1)
    world.control["throttle"] = 0.5
    world.run(0.5)
    return world


def links(world) -> list[str]:
    return [part.name for part in world.scene["scout"].parts() if isinstance(part, pl.Body)]


def test_a_robot_is_read_by_its_root_link():
    world = scout()
    root = world[links(world)[0]]
    assert np.array_equal(world["scout"].position, root.position)
    assert np.array_equal(world["scout"].quaternion, root.quaternion)
    assert "scout" in world and world["scout"].name == "scout"


def test_all_links_move_as_one_piece_and_the_joints_stay_closed():
    world = scout()
    before = {name: [world[name].position, world[name].quaternion, world[name].velocity, world[name].angular_velocity]
              for name in links(world)}
    from_, was, gaps = world["scout"].position, tuple(world["scout"].quaternion.tolist()), gaps_of(world).max()
    to, turn = np.array((3.0, -2.0, 2.0)), (np.cos(0.7), 0.0, np.sin(0.7), 0.0)
    world["scout"].position, world["scout"].quaternion = to, turn
    q = product(turn, inverted(was))
    assert np.allclose(world["scout"].position, to, atol=1e-14) and np.allclose(world["scout"].quaternion, turn, atol=1e-14)
    for name, (position, quaternion, velocity, spin) in before.items():
        assert np.allclose(world[name].position, to + turned(q, tuple(position - from_)), atol=1e-12)
        assert abs(world[name].quaternion @ product(q, tuple(quaternion.tolist()))) == pytest.approx(1.0, abs=1e-12)
        assert np.allclose(world[name].velocity, turned(q, tuple(velocity)), atol=1e-12)
        assert np.allclose(world[name].angular_velocity, turned(q, tuple(spin)), atol=1e-12)
    assert gaps_of(world).max() < gaps + 1e-12
    assert not [text for text in world.run(0.2).warnings if "gape" in text]


def test_a_place_that_is_none_is_refused_and_moves_nothing():
    world = scout()
    before = world.hash()
    for field, value in (("position", (1, 2)), ("position", (0, 0, np.nan)), ("quaternion", (0, 0, 0, 0))):
        with pytest.raises(pl.SceneError, match=f"Robot 'scout': {field}"):
            setattr(world["scout"], field, value)
    assert world.hash() == before


def test_a_link_that_is_moved_alone_is_told_with_cause_and_remedy():
    world = scout()
    root = links(world)[0]
    world[root].position += (1.0, 0.0, 0.0)
    told = [text for text in world.step().warnings if "gapes" in text]
    assert len(told) == 1
    assert "'scout/" in told[0] and "since something was moved; move the whole robot: world['scout'].position" in told[0]


def test_a_joint_of_bodies_is_told_too():
    scene = pl.Scene()
    scene.add(pl.Body("bar", pl.Box(0.4, 0.1, 0.1), mass=1.0, position=(0.2, 0, 1)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(0, 0, 1), axis=(0, 1, 0)))
    world = pl.World(scene, threads=1)
    world.step()
    world["bar"].position += (0.0, 0.5, 0.0)
    assert any("'hinge' gapes by 0.5 m" in text and "move all that it joins" in text for text in world.step().warnings)


def test_a_robot_that_tows_is_not_torn_from_its_rope():
    """The rope stays where it is: the step is refused, with the remedy."""
    world = pl.World(pl.load("tow"), threads=1)
    robot = next(one.name for one in world.scene if isinstance(one, pl.Robot))
    world[robot].position += (0.0, 2.0, 0.0)
    with pytest.raises(pl.SceneError, match="gapes by 2 m since something was moved; move all that it joins, the points"):
        world.step()
