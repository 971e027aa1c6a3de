"""What the view draws with, without a page: where the camera looks, what it follows, ground, colours and grid."""

import numpy as np
import pytest
from spindle import scene_of, world_of

import pliant as pl
from pliant.view.body_picture import shape_key
from pliant.view.camera import ASPECT, FIELD_OF_VIEW, frame
from pliant.view.follow import EASE, Follow
from pliant.view.ground_picture import ground_pose
from pliant.view.palette import FIXED, MOVING, RUBBER, body_colors
from pliant.view.picture import round_below
from pliant.view.turns import rotate


def test_the_camera_sees_every_moving_body():
    """Oracle: perspective projection of the bodies' corners, inside the field of view."""
    scene = scene_of(pl.Body("far", pl.Sphere(0.3), position=(4.0, 1.0, 2.0)),
                     pl.Body("wall", pl.Box(50.0, 1.0, 9.0), position=(0.0, 30.0, 0.0), fixed=True))
    position, target = frame(pl.World(scene))
    back = (position - target) / np.linalg.norm(position - target)
    right = np.cross((0, 0, 1), back) / np.linalg.norm(np.cross((0, 0, 1), back))
    sides = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = np.concatenate([sides * (0.2, 0.15, 0.1) + (0, 0, 0.5), sides * 0.3 / np.sqrt(3) + (4.0, 1.0, 2.0)])
    depth = (position - corners) @ back
    slope = np.tan(0.5 * FIELD_OF_VIEW)
    assert (depth > 0.0).all()
    assert (np.abs((corners - position) @ np.cross(back, right)) < depth * slope).all()
    assert (np.abs((corners - position) @ right) < depth * slope * ASPECT).all()
    assert np.linalg.norm(position - target) < 20.0, "the fixed wall must not push the camera away"


def test_following_keeps_the_body_where_it_was_in_the_picture():
    """Oracle: after many times the easing time, body plus stage stands where it was."""
    world = world_of()
    follow = Follow(world)
    follow.turn(True)
    place = np.zeros((1, 3))
    start = place[0] + follow.offset(place, 1.0 / 60.0)
    place = place + np.array([3.0, 1.0, 0.0])
    for _ in range(600):
        offset = follow.offset(place, 1.0 / 60.0)
    np.testing.assert_allclose(place[0] + offset, start, atol=3.2 * np.exp(-600 / 60.0 / EASE) + 1e-14 * 10)
    follow.turn(False)
    np.testing.assert_array_equal(follow.offset(place + 1.0, 1.0), offset)
    follow.reset()
    np.testing.assert_array_equal(follow.offset(place, 1.0), np.zeros(3))


def test_what_is_fast_is_not_lagged_behind():
    """Oracle: at 30 m/s, once the start has died out, it stands where it was in the picture, to less than a step of its way."""
    follow, place, dt = Follow(world_of()), np.zeros((1, 3)), 1.0 / 60.0
    follow.turn(True)
    start = place[0] + follow.offset(place, dt)
    for _ in range(600):
        place = place + np.array([30.0, 0.0, 0.0]) * dt
        offset = follow.offset(place, dt)
    np.testing.assert_allclose(place[0] + offset, start, atol=30.0 * dt)


def test_the_ground_lies_where_the_scene_says():
    """Oracle: the plane through (0, 0, height) with the given normal."""
    ground = pl.Ground(height=0.7, normal=(0.3, -0.2, 1.0))
    position, quaternion = ground_pose(ground)
    np.testing.assert_allclose(rotate(quaternion[None], np.array([[0, 0, 1.0]]))[0], ground.normal, atol=1e-15 * 4)
    np.testing.assert_array_equal(position, (0, 0, 0.7))


def test_colours_follow_the_scene():
    """Oracle: the rules: own colour first, fixed grey, wheels dark, alike share, many alike take turns."""
    wheel = pl.Cylinder(0.2, 0.1)
    bodies = [pl.Body("own", pl.Box(1, 1, 1), color=(0.1, 0.2, 0.3)), pl.Body("wall", pl.Box(2, 1, 1), fixed=True),
              pl.Body("left", wheel), pl.Body("right", wheel), pl.Body("a", pl.Sphere(1)), pl.Body("b", pl.Sphere(1)),
              *(pl.Body(f"m{i}", pl.Sphere(2)) for i in range(9))]
    colors = body_colors(bodies, frozenset({"left", "right"}), shape_key)
    assert colors["own"] == (0.1, 0.2, 0.3) and colors["wall"] == FIXED
    assert colors["left"] == colors["right"] == RUBBER and colors["a"] == colors["b"]
    assert [colors[f"m{i}"] for i in range(9)] == [*MOVING, MOVING[0]]


def test_the_grid_has_round_cells():
    """Oracle: the numbers themselves."""
    assert [round_below(v) for v in (0.07, 0.5, 0.99, 1.0, 3.0, 7.0)] == pytest.approx([0.05, 0.5, 0.5, 1.0, 2.0, 5.0])
