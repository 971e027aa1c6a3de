"""What cannot be a patch mesh is refused by name; what can, comes back from a file bit by bit."""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.compile.hulls import load_mesh
from pliant.patch.surface import surface_of
from pliant.scene.errors import SceneError
from pliant.scene.patch import FreeFormPatch, PatchMesh, Quadric

SQUARE = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
FACES = [[0, 1, 2], [0, 2, 3]]
BUMP = Quadric.ellipsoid((0.5, 0.5, 0.0), (0.4, 0.4, 0.4), 0.05)


def test_a_relief_that_folds_over_is_refused_with_its_face():
    """A ball above the sheet, strong enough: along the normal the relief is met three times."""
    mesh = PatchMesh(SQUARE, FACES, (Quadric.ellipsoid((0.75, 0.3, 0.3), (0.4, 0.4, 0.35), 0.6),))
    with pytest.raises(SceneError, match=r"face 0 folds over near .* smaller amplitude"):
        mesh.check()


def test_a_relief_without_a_height_is_refused():
    plane = Quadric([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0.5], [0, 0, 0.5, 1.0]], 0.2)
    with pytest.raises(SceneError, match="face 0 has no height within"):
        PatchMesh(SQUARE, FACES, (plane,)).check()


def test_degenerate_triangles_are_refused_with_their_number():
    with pytest.raises(SceneError, match=r"face 1 is degenerate: .*; take it out, or move a corner"):
        PatchMesh(SQUARE, [[0, 1, 2], [0, 2, 2]])
    with pytest.raises(SceneError, match=r"triangle is degenerate: its corners \(0\.0, .* 2\.0\) m lie .* leave the patch out"):
        FreeFormPatch([[0, 0, 0], [1, 1, 1], [2, 2, 2]])


def test_patches_that_disagree_along_an_edge_are_refused_with_the_gap():
    """Only one of two patches knows of a bump; at its centre the height is the root 0.0479 of t = 0.05 (1 - t^2/0.16)^3."""
    assert abs(0.05 * (1 - 0.0479**2 / 0.16) ** 3 - 0.0479) < 1e-4
    one, two = FreeFormPatch(SQUARE[[0, 1, 2]], (BUMP,)), FreeFormPatch(SQUARE[[0, 2, 3]])
    with pytest.raises(SceneError, match=r"faces 0 and 1 disagree along their edge by 0\.0479 m"):
        PatchMesh.from_patches([one, two])
    good = PatchMesh.from_patches([one, FreeFormPatch(SQUARE[[0, 2, 3]], (BUMP,))])
    assert len(good.vertices) == 4 and len(good.quadrics) == 1
    assert abs(good.area() - PatchMesh(SQUARE, FACES, (BUMP,)).area()) <= 1e-12


def test_faces_turned_against_each_other_are_refused():
    with pytest.raises(SceneError, match=r"faces 0 and 1 run along their edge .* the same way"):
        PatchMesh(SQUARE, [[0, 1, 2], [0, 3, 2]])


@pytest.mark.parametrize(("vertices", "faces", "words"), [
    (SQUARE, [[0, 1, 7]], "outside 0 to 3"),
    (SQUARE[:, :2], FACES, "shape"),
    (np.full((4, 3), np.nan), FACES, "not finite"),
    (SQUARE, [[0.5, 1, 2]], "whole numbers"),
    (SQUARE, np.zeros((0, 3)), "at least one face"),
])
def test_wrong_arrays_are_refused(vertices, faces, words):
    with pytest.raises(SceneError, match=words):
        PatchMesh(vertices, faces)


def test_wrong_quadrics_are_refused():
    for matrix, amplitude, words in ((np.eye(3), 1.0, "4 by 4"), (np.full((4, 4), np.inf), 1.0, "finite"),
                                     (np.eye(4), "x", "amplitude")):
        with pytest.raises(SceneError, match=words):
            Quadric(matrix, amplitude)
    with pytest.raises(SceneError, match="a list of Quadrics"):
        PatchMesh(SQUARE, FACES, (np.eye(4),))


def test_an_open_mesh_has_no_volume_and_a_ball_no_seven_patches():
    with pytest.raises(SceneError, match="not closed"):
        PatchMesh(SQUARE, FACES).volume()
    with pytest.raises(SceneError, match="20, 80, 320"):
        PatchMesh.sphere(1.0, patches=7)


def test_volume_patches_join_into_a_solid():
    """An octahedron from eight cells around the origin; its volume is 4/3 r^3."""
    tips = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
    patches = []
    for k in range(4):
        a, b = tips[k], tips[(k + 1) % 4]
        patches += [FreeFormPatch([a, b, [0, 0, 1]], (), (0, 0, 0)), FreeFormPatch([b, a, [0, 0, -1]], (), (0, 0, 0))]
    mesh = PatchMesh.from_patches(patches)
    assert len(mesh.vertices) == 7 and mesh.cells.shape == (8, 4)
    assert abs(mesh.volume() - 4.0 / 3.0) <= 1e-14
    with pytest.raises(SceneError, match="inner side"):
        FreeFormPatch([tips[0], tips[1], [0, 0, 1]], (), (2, 2, 2))


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SceneError, match=r"there is no folder '.*nowhere'; create it first"):
        PatchMesh.sphere(0.1, 20).save(tmp_path / "nowhere" / "ball.npz")


def test_a_file_keeps_every_bit(tmp_path):
    car = PatchMesh.car_body(3.0)
    single = PatchMesh.from_patches([FreeFormPatch(SQUARE[[0, 1, 2]], (BUMP,)), FreeFormPatch(SQUARE[[0, 2, 3]], (BUMP,))])
    for mesh in (car, single, PatchMesh(SQUARE, FACES)):
        mesh.save(tmp_path / "mesh.npz")
        back = PatchMesh.load(tmp_path / "mesh.npz")
        np.testing.assert_array_equal(back.vertices, mesh.vertices)
        np.testing.assert_array_equal(back.faces, mesh.faces)
        assert back.shares == mesh.shares and (back.cells is None) == (mesh.cells is None)
        for one, two in zip(back.quadrics, mesh.quadrics, strict=True):
            np.testing.assert_array_equal(one.matrix, two.matrix)
            assert one.amplitude == two.amplitude
    with pytest.raises(SceneError, match="is not there"):
        PatchMesh.load(tmp_path / "nothing.npz")
    (tmp_path / "text.npz").write_text("no patches")
    with pytest.raises(SceneError, match="is no file of patches, or a damaged one"):
        PatchMesh.load(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", a=1)
    with pytest.raises(SceneError, match="no file of patches"):
        PatchMesh.load(tmp_path / "other.npz")


def test_meshes_come_from_files_and_arrays(tmp_path):
    ball = trimesh.creation.icosphere(1)
    ball.export(tmp_path / "ball.stl")  # every triangle with its own vertices
    mesh = PatchMesh.from_mesh(tmp_path / "ball.stl")
    assert len(mesh.vertices) == 42 and abs(mesh.volume() - ball.volume) <= 1e-6
    flipped = PatchMesh.from_mesh((ball.vertices, ball.faces[:, ::-1]))
    assert abs(flipped.volume() - ball.volume) <= 1e-12
    with pytest.raises(SceneError, match="is not there"):
        PatchMesh.from_mesh(tmp_path / "none.stl")


@pytest.mark.parametrize(("changes", "said"), [
    ({"amplitudes": np.zeros(2)}, "is damaged"), ({"matrices": np.zeros((1, 3, 4))}, "is damaged .Quadric: matrix must be"),
    ({"share_counts": np.zeros(2, int)}, "is damaged"), ({"pliant_patches": np.array("x")}, "has version 'x' of the format"),
    ({"pliant_patches": np.array([1, 1])}, "has version"), ({"faces": None}, "is no file of patches: it lacks faces"),
])
def test_damaged_files_of_patches_are_named(tmp_path, changes, said):
    PatchMesh(SQUARE, FACES, (BUMP,)).save(tmp_path / "mesh.npz")
    with np.load(tmp_path / "mesh.npz") as whole:
        arrays = {**whole, **changes}
    np.savez(tmp_path / "broken.npz", **{key: array for key, array in arrays.items() if array is not None})
    with pytest.raises(SceneError, match=rf"PatchMesh: the file '.*broken.npz' {said}") as error:
        PatchMesh.load(tmp_path / "broken.npz")
    assert "\n" not in str(error.value)


def test_what_is_no_path_no_file_and_no_tolerance_is_told(tmp_path):
    for path, said in ((None, "the path is None; name a file"), (tmp_path, r"cannot be read \(Is a directory\); check")):
        with pytest.raises(SceneError, match=said):
            PatchMesh.load(path)
    for measure in (PatchMesh.sphere(1.0).volume, PatchMesh.sphere(1.0).area):
        for tolerance, said in (("fine", "a number"), (-1.0, "zero or more")):
            with pytest.raises(SceneError, match=f"PatchMesh: tolerance is .*; it must be {said}"):
                measure(tolerance=tolerance)


@pytest.mark.parametrize("name", ["empty.stl", "text.obj", "points.obj"])
def test_files_without_triangles_are_named_for_what_they_are(tmp_path, name):
    """Nothing, words and points are no mesh that is open: there are no holes to fill."""
    path = tmp_path / name
    path.write_text({"empty.stl": "", "text.obj": "hello\n", "points.obj": "v 0 0 0\nv 1 0 0\nl 1 2\n"}[name])
    for make in (lambda: PatchMesh.from_mesh(path), lambda: pl.Solid("s", path, spacing=0.1), lambda: pl.Cloth("c", path, 1e-3),
                 lambda: load_mesh(path)):
        with pytest.raises(SceneError, match=rf"Mesh '.*{name}' holds no triangles: export it as STL, OBJ or PLY, with"):
            make()


def test_a_relief_that_folds_over_is_not_written(tmp_path):
    """The mesh of the first test. Oracle: its sentence, and that no file is there."""
    mesh = PatchMesh(SQUARE, FACES, (Quadric.ellipsoid((0.75, 0.3, 0.3), (0.4, 0.4, 0.35), 0.6),))
    with pytest.raises(SceneError, match=r"face 0 folds over near .* smaller amplitude"):
        mesh.save(tmp_path / "folded.npz")
    assert not list(tmp_path.iterdir())


def test_patches_over_a_sheet_and_a_mesh_are_those_over_their_triangles():
    """Oracles: the arrays of a Sheet; a mirrored tetrahedron of by hand 2·3·4/6 m3, its faces still seen from outside."""
    sheet = pl.Sheet(1.0, 0.5, 0.25)
    mesh = PatchMesh.from_mesh(sheet, (BUMP,))
    vertices, faces = sheet.triangles()
    assert np.array_equal(mesh.vertices, vertices) and np.array_equal(mesh.faces, faces) and mesh.quadrics == (BUMP,)
    corner = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    assert abs(PatchMesh.from_mesh(pl.Mesh(corner, scale=(2, -3, 4))).volume() - 4.0) <= 1e-12


@pytest.mark.parametrize(("make", "words"), [
    (lambda: PatchMesh(SQUARE, FACES).volume(), r"only a closed mesh has a volume, and .* edge 0-1 belongs to face 0 alone"),
    (lambda: PatchMesh([*SQUARE[:3], (0, np.inf, 0)], FACES), r"vertices has .* the first at \[3, 1\]; give finite"),
    (lambda: Quadric(np.diag([1, 1, np.nan, 1]), 1), r"Quadric: matrix has .* the first at \[2, 2\]; give finite"),
    (lambda: PatchMesh(SQUARE, [[0, 1, 2], [0, 2, 9]]), r"outside 0 to 3, face 1 first; they count from 0"),
    (lambda: PatchMesh.load("/no/such.npz"), "is not there; give the path"),
    (lambda: pl.Material(1e3, 1e5, poisson=-1), "poisson is -1; it must be above -1 and at most 0.5, for cloth and solids"),
])
def test_what_is_refused_is_told_with_its_number_and_a_remedy(make, words):
    with pytest.raises(SceneError, match=words):
        make()


def test_check_looks_as_closely_as_what_comes_later():
    """A ball with a bump that grows: it folds over first in a small place. Oracle: what measures and tessellations refuse."""
    ball, away = PatchMesh.sphere(1.0), np.array((0.3, 0.5, 0.8))

    def bumped(amplitude: float) -> PatchMesh:
        return PatchMesh(ball.vertices, ball.faces, [Quadric.ellipsoid(away, (0.9, 0.5, 0.4), amplitude)])

    def largest(allowed) -> float:
        low, high = 0.01, 3.0
        for _ in range(20):
            middle = 0.5 * (low + high)
            try:
                allowed(bumped(middle))
                low = middle
            except SceneError:
                high = middle
        return low

    quick, close = largest(surface_of), largest(PatchMesh.check)
    assert close < quick
    between, below = bumped(0.5 * (close + quick)), bumped((1.0 - 1e-3) * close)
    for refused in (between.check, between.volume, lambda: between.tessellate(1e-4)):
        with pytest.raises(SceneError, match="folds over near"):
            refused()
    below.check()
    assert below.volume(tolerance=1e-4) > 0.0 and below.tessellate(1e-2).error > 0.0
