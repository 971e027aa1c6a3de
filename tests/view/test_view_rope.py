"""The picture of ropes: tubes against closed forms, frames that carry the twist, marks where ropes are held, and the page."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation
from test_view_page import browser, open_page, page, picture  # noqa: F401 - fixtures
from test_view_viewer import until, viewers  # noqa: F401 - a fixture

import pliant as pl
from pliant.view.camera import frame
from pliant.view.rope_picture import SIDES, carried, centre_line, ring_points, strip_faces, tube_faces
from pliant.view.turns import from_z, multiply

POLYGON = 0.5 * SIDES * np.sin(2.0 * np.pi / SIDES)
"""Area of the regular polygon in a circle of radius 1."""


def circle(count: int, turn: float = 2.0 * np.pi, radius: float = 1.0) -> np.ndarray:
    angle = np.linspace(0.0, turn, count)
    return radius * np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=-1)


def tube(points: np.ndarray, quaternions: np.ndarray, radius: float, samples: int, closed: bool = False) -> trimesh.Trimesh:
    center, along = centre_line(points, samples, closed)
    across = carried(quaternions, along, samples)
    around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    rings = ring_points(center, across, np.cross(along, across), radius, around)
    vertices = np.concatenate([rings.reshape(-1, 3), rings[0], rings[-1], center[[0, -1]]])
    return trimesh.Trimesh(vertices, tube_faces(len(center), SIDES), process=True, merge_tex=True, merge_norm=True)


def along_points(points: np.ndarray) -> np.ndarray:
    """Quaternions of elements between points, z along each."""
    steps = np.diff(points, axis=0)
    return from_z(steps / np.linalg.norm(steps, axis=1, keepdims=True))


def test_a_straight_tube_is_an_exact_prism():
    """Oracle: area of the polygon times the length; closed, wound outward."""
    points = np.linspace((1.0, 2.0, 3.0), (1.0, 2.0, 5.5), 8)
    mesh = tube(points, along_points(points), 0.1, 3)
    assert mesh.is_watertight and mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(POLYGON * 0.1**2 * 2.5, rel=1e-9)


def test_the_centre_line_passes_through_the_points_and_follows_a_parabola_exactly():
    """Oracle: slopes by parabolas through three neighbours; by chord length a gentle arc is met to fourth order."""
    errors = []
    for count in (13, 25, 49):
        center, along = centre_line(circle(count, turn=np.pi), 6)
        np.testing.assert_allclose(center[::6], circle(count, turn=np.pi), atol=1e-15)
        errors.append(np.abs(np.linalg.norm(center, axis=1) - 1.0)[6:-6].max())
        tangents = np.stack([-center[:, 1], center[:, 0], center[:, 2]], axis=-1) / np.linalg.norm(center, axis=1)[:, None]
        assert np.abs(np.einsum("nk,nk->n", along, tangents) - 1.0).max() < 0.05
    assert (np.log2(np.array(errors[:-1]) / errors[1:]) > 3.5).all(), errors


def test_the_volume_of_a_bent_tube_is_pappus_s():
    """Oracle: area of the polygon times the length of the centre line; wedges of angle a fall short of it by a^2/6, and
    the ends of the curve, where only one neighbour is known, are off by a share of two elements' fourth order."""
    points = circle(41, turn=np.pi)
    tangent = np.diff(points, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    up = np.tile((0.0, 0.0, 1.0), (40, 1))
    untwisted = Rotation.from_matrix(np.stack([up, np.cross(tangent, up), tangent], axis=-1)).as_quat(scalar_first=True)
    mesh = tube(points, untwisted, 0.1, 6)
    assert mesh.is_watertight and mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(POLYGON * 0.1**2 * np.pi, rel=(np.pi / 240) ** 2 / 6 + 1e-5)


def test_a_ring_meets_itself_smoothly():
    """Oracle: the slope at the seam is the circle's."""
    center, along = centre_line(circle(25), 4, closed=True)
    np.testing.assert_allclose(center[0], center[-1], atol=1e-15)
    np.testing.assert_allclose(along[[0, -1]], [(0, 1, 0), (0, 1, 0)], atol=1e-12)


@pytest.mark.parametrize("flips", [False, True])
def test_the_stripe_turns_with_the_twist(flips):
    """Oracle: elements turned by 0.2 rad each about their axis have d1 at (k + 1/2) 0.2 in the middles of elements; the
    signs of quaternions mean nothing."""
    elements, samples = 12, 4
    points = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, 1.2), elements + 1)
    angle = 0.2 * np.arange(elements)
    turns = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=-1)
    quaternions = multiply(along_points(points), turns)
    if flips:
        quaternions[::3] *= -1.0
    across = carried(quaternions, centre_line(points, samples)[1], samples)
    middles = across[samples // 2 :: samples]
    np.testing.assert_allclose(middles, np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(across, axis=1), 1.0, atol=1e-12)


def test_a_strip_is_not_closed_around():
    """Oracle: a strip of three vertices a row has two quads a row."""
    assert len(strip_faces(5, 3)) == 4 * 2 * 2
    assert len(strip_faces(5, 3, around=True)) == 4 * 3 * 2


def rope_world(clamp: bool = False) -> pl.World:
    scene = pl.Scene()
    rope = scene.add(pl.Rope("rope", path=[(0, 0, 2), (1.5, 0, 2)], points=16, radius=0.05, bend=0.5, twist=0.5, mass=1.0,
                             damping=0.05, color=(0.9, 0.4, 0.1)))
    scene.pin(rope.start, clamp=clamp)
    return pl.World(scene)


def test_the_camera_sees_where_a_rope_will_hang():
    """Oracle: a rope on one ball falls to a length below it, and swings past it."""
    position, target = frame(rope_world())
    assert target[2] == pytest.approx(2.0 - 0.75, abs=1e-9)
    assert position[1] < target[1] - 1.5


def test_the_viewer_moves_tube_and_marks(viewers):  # noqa: F811
    """Oracle: the vertices sent are those around the rope as it is then; the mark of the pin stays where the pin is."""
    world = rope_world()
    viewer = viewers(world)
    nodes = viewer._server.scene._handle_from_node_name
    handle, mark = nodes["/stage/ropes/rope"], nodes["/stage/holds/balls"]
    first = np.array(handle.vertices)
    until(lambda: world.time > 0.3)
    viewer.pause()
    until(lambda: not viewer.playing)
    until(lambda: np.abs(np.array(handle.vertices[-1]) - world["rope"].positions[-1]).max() < 1e-6)
    assert np.abs(np.array(handle.vertices) - first).max() > 0.05
    np.testing.assert_allclose(np.array(mark.batched_positions)[0], (0, 0, 2), atol=1e-6)


def test_the_page_shows_the_rope(page, viewers):  # noqa: F811
    """Oracle: an orange rope before sky has orange pixels, which nothing else here has; no error on the page."""
    viewer = viewers(rope_world(clamp=True))
    open_page(page, viewer)

    def orange() -> int:
        red, _, blue = np.moveaxis(picture(page), -1, 0)
        return int((red - blue > 80.0).sum())

    until(lambda: orange() > 1000, seconds=60.0)
    assert page.errors == []
