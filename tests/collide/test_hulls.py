"""Convex hulls and the meshes they are made of: exact planes, merged faces, and each mesh read once."""

import numpy as np
import pytest
import trimesh
from scipy.spatial import ConvexHull

import pliant as pl
from pliant.compile.hulls import convex_hull, hull_volume, load_mesh
from pliant.scene.errors import SceneError

GRID = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, 4)] * 3), axis=-1).reshape(-1, 3)
CLOUDS = {
    "few": np.random.default_rng(0).normal(size=(8, 3)),
    "many": np.random.default_rng(1).normal(size=(300, 3)),
    "ball": trimesh.creation.icosphere(subdivisions=2).vertices,
    "cube of points": GRID,
    "cube of points, shaken": GRID + 1e-8 * np.random.default_rng(2).normal(size=GRID.shape),
    "drum": trimesh.creation.cylinder(1.0, 2.0, sections=40).vertices,
}


@pytest.mark.parametrize("name", CLOUDS)
def test_faces_hold_all_points_and_lie_in_their_planes(name):
    """Oracle: what a hull is, and qhull's volume; a cube has 6 faces and a drum 42, however many triangles they are cut in."""
    points = np.asarray(CLOUDS[name], float)
    hull, size = convex_hull(points), float(np.ptp(points, axis=0).max())
    assert np.allclose(np.linalg.norm(hull.planes[:, :3], axis=1), 1.0, atol=1e-14)
    assert (points @ hull.planes[:, :3].T - hull.planes[:, 3]).max() < 2e-6 * size
    for face, plane in zip(hull.faces, hull.planes, strict=True):
        away = hull.vertices[list(face)] @ plane[:3] - plane[3]
        assert -2e-6 * size < away.min() and away.max() < 1e-14 * size
    assert hull_volume(hull) == pytest.approx(ConvexHull(points).volume, rel=1e-6)
    assert len(hull.faces) == {"cube of points": 6, "cube of points, shaken": 6, "drum": 42, "ball": 320}.get(name,
                                                                                                               len(hull.faces))


def test_a_mesh_that_many_bodies_share_is_read_once():
    """Oracle: it is the same object; with another size it is another."""
    ball = trimesh.creation.icosphere(subdivisions=1)
    source = ball.vertices, ball.faces
    again = ball.vertices.copy(), ball.faces.copy()
    assert load_mesh(source) is load_mesh(again, may_be_open=True)
    assert load_mesh(source, 2.0).vertices.max() == 2.0 * load_mesh(source).vertices.max()
    with pytest.raises(ValueError, match="read-only"):
        load_mesh(source).vertices[0] = 0.0


def test_a_file_that_changes_is_read_anew(tmp_path):
    path = tmp_path / "part.stl"
    for length in (1.0, 2.0):
        trimesh.creation.box((length, 1.0, 1.0)).export(path)
        scene = pl.Scene()
        scene.add(pl.Body("part", pl.Mesh(str(path)), density=1000.0))
        assert pl.World(scene)["part"].mass == pytest.approx(1000.0 * length, rel=1e-6)
        with path.open("ab") as file:
            file.write(b"\0" * int(length))  # another size, as one written in the same instant may have the same time


def test_an_open_mesh_that_was_kept_is_still_refused_where_it_is_weighed():
    sheet = trimesh.creation.box()
    source = sheet.vertices, sheet.faces[:-1]
    assert not load_mesh(source, may_be_open=True).closed
    with pytest.raises(SceneError, match="Mesh is not closed"):
        load_mesh(source)
