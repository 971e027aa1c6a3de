"""Cameras go after what has left their picture. Oracle: the angle between the line of sight and a point, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import pliant as pl
from pliant.view.camera import ASPECT, FIELD_OF_VIEW
from pliant.view.keep_in_view import LOST, OPENING, KeepInView, sees, show_all


class Camera:
    """A page's camera as the server shows it: position, point looked at, the turn that follows, and when it was changed."""

    def __init__(self, position, look_at, aspect: float = 1.5) -> None:
        self._position, self._look_at = np.array(position, float), np.array(look_at, float)
        self.fov, self.aspect, self.update_timestamp = float(FIELD_OF_VIEW), aspect, 1.0

    position = property(lambda self: self._position)
    look_at = property(lambda self: self._look_at)

    @position.setter
    def position(self, value) -> None:  # takes along what it looks at, as the server's does
        self._look_at = self._look_at + np.array(value) - self._position
        self._position, self.update_timestamp = np.array(value, float), self.update_timestamp + 1.0

    @look_at.setter
    def look_at(self, value) -> None:
        self._look_at, self.update_timestamp = np.array(value, float), self.update_timestamp + 1.0

    @property
    def wxyz(self) -> np.ndarray:
        """x to the right, y down, z ahead."""
        from scipy.spatial.transform import Rotation

        ahead = (self._look_at - self._position) / np.linalg.norm(self._look_at - self._position)
        right = np.cross(ahead, (0.0, 0.0, 1.0)) / np.linalg.norm(np.cross(ahead, (0.0, 0.0, 1.0)))
        return Rotation.from_matrix(np.stack([right, np.cross(ahead, right), ahead], axis=1)).as_quat(scalar_first=True)


def pages(*cameras) -> SimpleNamespace:
    """A server with a page for each camera."""
    return SimpleNamespace(initial_camera=SimpleNamespace(), get_clients=lambda: {
        k: SimpleNamespace(camera=camera) for k, camera in enumerate(cameras)})


def poses(place) -> tuple[np.ndarray, np.ndarray]:
    return np.array([place], float), np.array([(1.0, 0.0, 0.0, 0.0)])


def kept(*cameras) -> KeepInView:
    scene = pl.Scene()
    scene.add(pl.Body("ball", pl.Sphere(0.2)))
    return opened(KeepInView(pages(*cameras), pl.World(scene)), *cameras)


def opened(keep: KeepInView, *cameras) -> KeepInView:
    """As if its pages had been told to start where their cameras stand."""
    keep._starts.extend(np.concatenate([camera.position, camera.look_at]) for camera in cameras)
    return keep


@pytest.mark.parametrize("side", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0)])
def test_a_point_is_seen_within_the_field_of_view(side):
    """10 m ahead along y: height up to 10 tan(fov / 2), width aspect times that, nothing behind."""
    camera = Camera((0, -10, 0), (0, 0, 0))
    edge = 10.0 * np.tan(0.5 * FIELD_OF_VIEW) * (1.5 if side[0] else 1.0)
    for sign in (-1.0, 1.0):
        assert sees(camera, sign * 0.999 * edge * np.array([side]))
        assert not sees(camera, sign * 1.001 * edge * np.array([side]))
    assert not sees(camera, np.array([(0.0, -20.0, 0.0)]))


@pytest.mark.parametrize("aspect", [0.5, ASPECT, 2.0])
def test_show_all_keeps_the_side_and_brings_every_point_into_the_picture(aspect):
    points = np.random.default_rng(5).normal(size=(40, 3)) * (9.0, 2.0, 1.0) + (70.0, 3.0, 0.0)
    camera = Camera((3, -8, 4), (0, 0, 1), aspect)
    before = camera.position - camera.look_at
    show_all(camera, points)
    after = camera.position - camera.look_at
    assert all(sees(camera, point[None]) for point in points)
    np.testing.assert_allclose(after / np.linalg.norm(after), before / np.linalg.norm(before), atol=1e-12)


def test_a_camera_that_stood_still_goes_after_what_left_it_and_one_turned_away_by_hand_does_not():
    still, turned = Camera((0, -10, 1), (0, 0, 0)), Camera((0, -10, 1), (0, 0, 0))
    keep = kept(still, turned)
    keep.look(poses((0, 0, 0)), np.zeros(3), 0.0)
    turned.look_at = (0.0, -20.0, 0.0)
    away = still.position.copy(), turned.position.copy()
    for now in (0.25, 0.5 * LOST, 0.999 * LOST):
        keep.look(poses((30, 0, 0)), np.zeros(3), now)
        np.testing.assert_array_equal(still.position, away[0])
    keep.look(poses((30, 0, 0)), np.zeros(3), LOST)
    assert sees(still, np.array([(30.0, 0.0, 0.0)]))
    np.testing.assert_array_equal(turned.position, away[1])
    keep.look(poses((30, 0, 0)), np.zeros(3), LOST + 0.1)
    keep.jumped()  # a reset does not wait
    keep.look(poses((0, 0, 0)), np.zeros(3), LOST + 0.2)
    assert sees(still, np.zeros((1, 3)))


def test_what_is_fast_is_given_room_ahead():
    """At 6 m/s: 4 s later it is still in the picture that the camera then has."""
    camera = Camera((0, -10, 1), (0, 0, 0))
    keep = kept(camera)
    times = np.arange(0.0, 20.0, 0.25)
    seen = []
    for now in times:
        keep.look(poses((6.0 * now, 0, 0)), np.zeros(3), now)
        seen.append(sees(camera, np.array([(6.0 * now, 0.0, 0.0)])))
    gone = np.diff(times[seen])
    assert gone.max() <= LOST + 0.5 + 1e-9 and seen.count(False) < 0.5 * len(seen)


def test_what_the_stage_brings_back_is_not_gone_after():
    """The stage of a body that is followed moves against it."""
    camera = Camera((0, -10, 1), (0, 0, 0))
    keep = kept(camera)
    for k in range(20):
        keep.look(poses((5.0 * k, 0, 0)), np.array([-5.0 * k, 0.0, 0.0]), 1.0 * k)
    np.testing.assert_array_equal(camera.position, (0, -10, 1))


def test_pages_that_are_opened_later_start_where_things_are():
    keep = kept()
    start = keep._server.initial_camera
    np.testing.assert_allclose(start.look_at, (0, 0, 0), atol=1e-12)
    keep.look(poses((0.01, 0, 0)), np.zeros(3), 0.0)
    np.testing.assert_allclose(start.look_at, (0, 0, 0), atol=1e-12)
    keep.look(poses((50, 0, 0)), np.zeros(3), 0.3)
    np.testing.assert_allclose(start.look_at, (50, 0, 0), atol=1e-12)


def test_what_is_chosen_to_be_followed_is_looked_at_if_it_is_not_seen():
    camera = Camera((0, -10, 1), (0, 0, 0))
    keep = kept(camera)
    keep.turn_to(np.array([0.5, 0.0, 0.0]))
    np.testing.assert_array_equal(camera.position, (0, -10, 1))
    keep.turn_to(np.array([40.0, 0.0, 2.0]))
    np.testing.assert_allclose(camera.look_at, (40, 0, 2), atol=1e-12)
    np.testing.assert_allclose(camera.position, (40, -10, 3), atol=1e-12)


def test_a_page_that_is_opened_late_is_not_taken_for_turned_by_hand():
    """It first tells of a place where no camera was put, then stands where pages start; what moves has half left that."""
    camera = Camera((-5, 0, 0), (0, 0, 0))
    keep = kept(camera)
    keep._starts.pop()
    start = keep._server.initial_camera
    keep.look(poses((30, 0, 0)), np.zeros(3), 0.0)
    start_at = np.array(start.position), np.array(start.look_at)
    camera.position, camera.look_at = start_at
    keep.look(poses((30, 0, 0)), np.zeros(3), 0.25)
    place = start_at[1] + 4.0 * (start_at[0] - start_at[1])  # behind that camera
    for now in (0.5, 0.25 + LOST):
        keep.look(poses(place), np.zeros(3), now)
    assert sees(camera, place[None])


def test_a_page_that_opens_slowly_is_left_alone_until_it_stands_where_it_starts():
    """Before that it sees what moves, with the wide lens it first has, and then, with the right one, no more."""
    camera = Camera((-5, 0, 0), (0, 0, 0))
    keep = kept(camera)
    keep._starts.pop()
    start = np.array(keep._server.initial_camera.position), np.array(keep._server.initial_camera.look_at)
    camera.fov, side = np.radians(75.0), poses((0, 0, 2.5))
    for now in (0.0, 0.25, 0.5, LOST, 3.0 * LOST):
        keep.look(side, np.zeros(3), now)
        camera.fov = float(FIELD_OF_VIEW)
        np.testing.assert_array_equal(camera.position, (-5, 0, 0))
    camera.position, camera.look_at = start
    keep.look(poses((30, 0, 0)), np.zeros(3), 4.0 * LOST)
    back, began = camera.position - camera.look_at, start[0] - start[1]
    assert sees(camera, np.array([(30.0, 0.0, 0.0)]))
    np.testing.assert_allclose(back / np.linalg.norm(back), began / np.linalg.norm(began), atol=1e-9)


def test_a_page_that_starts_elsewhere_by_its_address_is_gone_with_after_a_while():
    camera = Camera((0, -10, 1), (0, 0, 0))
    keep = kept(camera)
    keep._starts.pop()
    for now in (0.0, OPENING, OPENING + 0.25):
        keep.look(poses((0, 0, 0)), np.zeros(3), now)
    keep.look(poses((30, 0, 0)), np.zeros(3), OPENING + 0.25 + LOST)
    assert sees(camera, np.array([(30.0, 0.0, 0.0)]))


def test_a_camera_goes_after_things_that_have_half_left_its_picture():
    """Two sheets drift apart until half of each is outside: half of all points is seen, but none of the things."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, side in (("left", -1.0), ("right", 1.0)):
        scene.add(pl.Cloth(name, pl.Sheet(1.0, 1.0, 0.25), 1e-3, position=(side, 0, 0), velocity=(side, 0, 0)))
    world = pl.World(scene, threads=1)
    camera = Camera((0, -10, 0.1), (0, 0, 0.1))
    keep, nobody = opened(KeepInView(pages(camera), world), camera), (np.zeros((0, 3)), np.zeros((0, 4)))
    keep.look(nobody, np.zeros(3), 0.0)
    edge = 10.0 * np.tan(0.5 * FIELD_OF_VIEW) * camera.aspect
    world.run(edge - 1.0)  # at 1 m/s from 1 m: their middles are at the edge
    before = camera.position.copy()
    for now in (0.5 * LOST, LOST):
        keep.look(nobody, np.zeros(3), now)
    keep.look(nobody, np.zeros(3), 2.0 * LOST)
    assert np.linalg.norm(camera.position) > np.linalg.norm(before)
    assert all(sees(camera, world[name].positions) for name in ("left", "right"))
