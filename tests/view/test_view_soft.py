"""The picture of cloth and solids: sharp edges stay sharp, surfaces follow the vertices, the camera sees them, and the page."""

import numpy as np
import pytest
from test_view_page import browser, open_page, page, picture  # noqa: F401 - fixtures
from test_view_viewer import until, viewers  # noqa: F401 - a fixture

import pliant as pl
from pliant.view.camera import FIELD_OF_VIEW, frame
from pliant.view.palette import PRESSURE
from pliant.view.picture import Stage, pictures_of
from pliant.view.pressed_faces import rounded_up, scale_html
from pliant.view.soft_picture import CREASE, SoftPicture, split


class Recorder:
    """Takes the place of the page's scene and keeps what is drawn."""

    def __init__(self) -> None:
        self.meshes: dict[str, object] = {}
        self.scene = self

    def add_mesh_simple(self, name, vertices, faces, **more):
        handle = type("Handle", (), {})()
        handle.vertices, handle.faces, handle.visible = vertices, faces, more.get("visible", True)
        self.meshes[name] = handle
        return handle


def scene_of() -> pl.Scene:
    scene = pl.Scene()
    scene.add(pl.Solid("cube", pl.Box(0.3, 0.2, 0.1), spacing=0.1))
    scene.add(pl.Cloth("sheet", pl.Sheet(0.4, 0.4, 0.1), 1e-3, position=(1.0, 0.0, 0.0)))
    scene.add(pl.Solid("ball", pl.PatchMesh.sphere(0.2, 80), position=(0.0, 1.0, 0.0)))
    return scene


def test_a_box_is_parted_into_its_six_sides_and_a_ball_stays_whole():
    """Oracle: a side of a by b squares has (a + 1)(b + 1) corners of its own; edges of a ball of 80 meet
    below 25 degrees."""
    cube = scene_of()["cube"]
    corner, faces = split(cube.rest, cube.faces, CREASE)
    assert len(corner) == 2 * (4 * 3 + 4 * 2 + 3 * 2)
    np.testing.assert_array_equal(corner[faces], cube.faces)
    ball = pl.PatchMesh.sphere(0.2, 80)
    assert len(split(ball.vertices, ball.faces, CREASE)[0]) == len(np.unique(ball.faces))


def test_surfaces_follow_the_vertices():
    """Oracle: the handle's positions; of patches, points on a ball that falls with its vertices."""
    world, record = pl.World(scene_of(), threads=1), Recorder()
    stage = Stage(record, world)
    pictures = pictures_of(stage)
    world.run(0.5)
    for one in pictures:
        one.update(world, *world.body_poses())
    drop = 0.5 * 9.81 * world.time**2
    shown = {name.rpartition("/")[2]: mesh.vertices for name, mesh in record.meshes.items()}
    assert all(vertices.dtype == np.float32 for vertices in shown.values())
    np.testing.assert_allclose(shown["sheet"], world["sheet"].positions, atol=1e-6)
    away = np.linalg.norm(shown["ball"] - (0.0, 1.0, -drop), axis=1)
    assert len(shown["ball"]) > 200 and np.abs(away - 0.2).max() < 2e-3 * 0.4
    corner = split(world.scene["cube"].rest, world.scene["cube"].faces, CREASE)[0]
    np.testing.assert_allclose(shown["cube"], world["cube"].positions[corner], atol=1e-6)


def test_a_relief_that_its_triangles_cannot_follow_is_told(monkeypatch):
    """Oracle: halved less often than it needs, the error that a tessellation says of itself is above what was asked for."""
    world = pl.World(scene_of(), threads=1)
    assert SoftPicture(Stage(Recorder(), world), [world.scene["ball"]]).doubts == []
    monkeypatch.setattr("pliant.patch.tessellate.FINEST", 1)
    (said,) = SoftPicture(Stage(Recorder(), world), [world.scene["cube"], world.scene["ball"]]).doubts
    made = world.scene["ball"].mesh.tessellate(8e-4)
    assert made.error > 8e-4 and said.startswith(f"Solid 'ball' is drawn up to {made.error:.2g} m off its relief")


def test_the_camera_sees_all_of_them():
    """Oracle: angles from the axis of view."""
    world = pl.World(scene_of(), threads=1)
    position, target = frame(world)
    axis = (target - position) / np.linalg.norm(target - position)
    for name in ("cube", "sheet", "ball"):
        away = world[name].positions - position
        cosine = away @ axis / np.linalg.norm(away, axis=1)
        assert np.degrees(np.arccos(cosine)).max() < np.degrees(FIELD_OF_VIEW) * 0.75


def test_the_page_shows_the_flag(page, viewers):  # noqa: F811
    """Oracle: red cloth has red pixels, which no sky, pole or ground has."""
    viewer = viewers(pl.World(pl.load("flag")))
    open_page(page, viewer)

    def red() -> bool:
        colors = np.moveaxis(picture(page), -1, 0)
        return int((colors[0] - colors[2] > 60.0).sum()) > 2000

    until(red, seconds=60)
    assert not page.errors


def test_pressed_faces_are_coloured_by_their_pressures():
    """Each triangle that something presses is in one colour, the harder the later; others in none. Oracle: the readings."""
    scene = pl.Scene(drag=5.0)
    scene.add(pl.Ground())
    scene.add(pl.Solid("pad", pl.Box(0.3, 0.2, 0.1), spacing=0.05, material="jelly", position=(0.0, 0.0, 0.051)))
    world, record = pl.World(scene, threads=1), Recorder()
    soft = SoftPicture(Stage(record, world), [scene["pad"]])
    world.run(1.0)
    soft.update(world, *world.body_poses())
    levels = [record.meshes[name] for name in sorted(record.meshes) if "pressure" in name]
    assert len(levels) == len(PRESSURE) and not any(one.visible for one in levels)
    soft.show_pressures(True)
    soft.update(world, *world.body_poses())
    pressure, middle = world["pad"].pressure, world["pad"].positions[world["pad"].faces].mean(axis=1)
    assert 0 < np.count_nonzero(pressure) < len(pressure) and pressure.max() <= soft.top <= 2.5 * pressure.max()
    found = {}
    for k, one in enumerate(levels):
        for place in one.vertices[one.faces].mean(axis=1) if one.visible else []:
            found[int(np.linalg.norm(middle - place, axis=1).argmin())] = k
    assert sorted(found) == np.flatnonzero(pressure).tolist()
    for face, k in found.items():
        assert k / len(levels) < pressure[face] / soft.top * (1.0 + 1e-9) <= (k + 1) / len(levels) * (1.0 + 2e-9)
    soft.show_pressures(False)
    assert not any(one.visible for one in levels)


def test_the_scale_ends_at_a_round_number():
    for value, top in ((1.0, 1.0), (1.1, 2.0), (2.1, 5.0), (5.1, 10.0), (4.9e4, 5e4), (0.07, 0.1)):
        assert rounded_up(value) == pytest.approx(top, rel=1e-12)
    assert "20 kPa" in scale_html(2e4) and "0.5 Pa" in scale_html(0.5) and "nothing presses" in scale_html(0.0)
