"""Cells of bars and voxels. Oracles: counting, closed outer surfaces, inside tests by formula, angles of known cells."""

import re

import numpy as np
import pytest
import trimesh

from pliant.compile.cells import (
    Cells,
    bar_cells,
    cell_volumes,
    checked_cells,
    dihedral_angles,
    outer_faces,
    quality,
    voxel_filling,
    winding_grid,
)
from pliant.scene.errors import SceneError

REGULAR = np.array([[1.0, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]])


def closed_volume(cells: Cells) -> float:
    """The volume inside the outer faces, which must be a closed surface turned outwards."""
    mesh = trimesh.Trimesh(cells.vertices, cells.faces(), process=False)
    assert mesh.is_watertight and mesh.is_winding_consistent
    return mesh.volume


def test_the_bar_of_the_paper():
    """4,100 cells and, between held ends, 4,300 degrees of freedom, each to one in a hundred."""
    bar = bar_cells((3.0, 0.1, 0.1), (91, 3, 3))
    free = np.abs(bar.vertices[:, 0]) < 1.5 - 1e-9
    assert len(bar.cells) == 4095 and abs(len(bar.cells) / 4100 - 1) < 0.01
    assert 3 * free.sum() == 4320 and abs(3 * free.sum() / 4300 - 1) < 0.01


@pytest.mark.parametrize("counts", ((1, 1, 1), (2, 1, 1), (3, 4, 5)))
def test_a_bar_is_filled_without_gap_or_overlap(counts):
    bar = bar_cells((0.3, 0.4, 0.5), counts)
    assert len(bar.cells) == 5 * np.prod(counts) and len(bar.vertices) == np.prod(np.add(counts, 1))
    volume = cell_volumes(*bar)
    assert volume.min() > 0.0 and abs(volume.sum() / 0.06 - 1.0) <= 1e-13
    assert abs(closed_volume(bar) / 0.06 - 1.0) <= 1e-13
    # both cuts of every inner face agree: the outer faces are two triangles for each outer square and no more
    nx, ny, nz = counts
    assert len(bar.faces()) == 4 * (nx * ny + ny * nz + nz * nx)


def test_voxels_fill_a_box_exactly_and_a_ball_nearly():
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    cells = voxel_filling(box.vertices, box.faces, 0.3)[0]
    assert abs(quality(cells, box.volume).filled - 1.0) <= 1e-12 and abs(closed_volume(cells) / 6.0 - 1.0) <= 1e-12
    ball = trimesh.creation.icosphere(4)
    for spacing in (0.25, 0.125, 0.0625):
        share = quality(voxel_filling(ball.vertices, ball.faces, spacing)[0], ball.volume).filled
        # middles on either side of the surface balance; what is left is below a fifth of a layer of cubes
        assert abs(share - 1.0) <= 0.2 * 3.0 * spacing


def test_the_middles_inside_are_those_of_the_formula():
    """A torus, whose inside is known; middles within the chords' depth of the surface may go either way."""
    torus = trimesh.creation.torus(1.0, 0.4, major_sections=96, minor_sections=48)
    lower, counts = np.array([-1.5, -1.5, -0.5]), np.array([40, 40, 14])
    width = np.array([3.0, 3.0, 1.0]) / counts
    got = winding_grid(np.asarray(torus.vertices), np.asarray(torus.faces), lower, width, counts) != 0
    x, y, z = np.moveaxis(lower + (np.stack(np.indices(counts), axis=-1) + 0.5) * width, -1, 0)
    distance = np.hypot(np.hypot(x, y) - 1.0, z) - 0.4
    sure = np.abs(distance) > 1.4 * (1 - np.cos(np.pi / 96)) + 0.4 * (1 - np.cos(np.pi / 48))
    assert sure.mean() > 0.98 and (got == (distance < 0))[sure].all() and got.sum() > 2000


def test_quality_of_known_cells():
    """A regular cell has arccos(1/3) and shape 1; a cube's corner has a right angle and arccos(1/sqrt 3)."""
    one = quality(checked_cells(REGULAR, [[0, 1, 2, 3]]))
    assert abs(one.smallest_dihedral - np.arccos(1 / 3)) <= 1e-14 and abs(one.worst_shape - 1.0) <= 1e-14
    cube = bar_cells((1.0, 1.0, 1.0), (2, 2, 2))
    got = quality(cube)
    assert abs(got.smallest_dihedral - np.arccos(1 / np.sqrt(3))) <= 1e-14
    assert abs(got.largest_dihedral - np.pi / 2) <= 1e-14 and abs(got.volume_ratio - 0.5) <= 1e-13
    # corner of a unit cube: inscribed radius 1/(3 + sqrt 3), circumscribed sqrt(3)/2
    assert abs(got.worst_shape - 3.0 / (3 + np.sqrt(3)) / (np.sqrt(3) / 2)) <= 1e-13
    rng = np.random.default_rng(1)
    corner = rng.normal(size=(4, 3))
    normal = []
    for k in range(4):
        a, b, c = np.delete(corner, k, axis=0)
        n = np.cross(b - a, c - a)
        normal.append(n / np.linalg.norm(n) * np.sign(n @ (a - corner[k])))
    angle = [np.pi - np.arccos(normal[c] @ normal[d]) for c, d in ((2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1))]
    np.testing.assert_allclose(dihedral_angles(corner, [[0, 1, 2, 3]])[0], angle, atol=1e-12)


def one_way(points, cells):
    """The same cells, all right-handed."""
    cells = np.array(cells)
    return np.where(cell_volumes(points, cells)[:, None] < 0.0, cells[:, [0, 2, 1, 3]], cells)


def test_left_handed_meshes_are_turned_and_bad_cells_named():
    """A mesh written the other way round as a whole is turned; one or several cells unlike the rest are refused by number."""
    points = np.vstack([REGULAR, [0.0, 0.0, 3.0]])
    bar = bar_cells((1.0, 0.4, 0.3), (3, 2, 1))
    turned = checked_cells(bar.vertices, bar.cells[:, [0, 2, 1, 3]])
    assert cell_volumes(*turned).min() > 0.0 and (cell_volumes(bar.vertices, bar.cells[:, [0, 2, 1, 3]]) < 0.0).all()
    for flipped in ([7], [0, 11, 29]):
        for back in (False, True):
            mixed = bar.cells[:, [0, 2, 1, 3]] if back else bar.cells.copy()
            mixed[flipped] = mixed[flipped][:, [0, 2, 1, 3]]
            named = ", ".join(map(str, flipped))
            with pytest.raises(SceneError, match=f"turned inside out, unlike the others: {named}. Exchange two corners"):
                checked_cells(bar.vertices, mixed)
    flat = np.vstack([REGULAR, [0.0, 0.0, 1.0]])  # in the middle of the edge 0-1
    with pytest.raises(SceneError, match="cells without volume, their corners in one plane: 1"):
        checked_cells(flat, [[0, 1, 2, 3], [0, 1, 4, 2]])
    with pytest.raises(SceneError, match="cell 0 names vertices outside"):
        checked_cells(REGULAR, [[0, 1, 2, 9]])
    with pytest.raises(SceneError, match="vertex 4 belongs to no cell"):
        checked_cells(points, [[0, 1, 2, 3]])
    more = np.vstack([points, [0.0, 0.0, 4.0]])
    with pytest.raises(SceneError, match=r"cells 0, 1, 2 share one face, .*; take out all but two of them"):
        checked_cells(more, one_way(more, [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]]))


def test_outer_faces_of_one_cell_look_outwards():
    cell = checked_cells(REGULAR, [[0, 1, 2, 3]])
    for face in outer_faces(cell.cells):
        a, b, c = cell.vertices[face]
        assert np.cross(b - a, c - a) @ a > 0.0


def test_surfaces_that_cannot_be_filled_are_refused():
    ball = trimesh.creation.icosphere(2)
    hole = ball.faces[5]
    with pytest.raises(SceneError, match=r"not closed: edge (\d+)-(\d+) belongs to face \d+ alone \(3 such edges\)") as one:
        voxel_filling(ball.vertices, np.delete(ball.faces, 5, axis=0), 0.2)[0]
    assert set(map(int, re.findall(r"edge (\d+)-(\d+)", str(one.value))[0])) < set(hole.tolist())
    with pytest.raises(SceneError, match=r"not a manifold: edge (\d+)-(\d+) belongs to 3 faces, \d+, \d+, 320 \(3 such"):
        voxel_filling(ball.vertices, np.vstack([ball.faces, hole]), 0.2)[0]
    other = ball.faces.copy()
    other[5] = other[5, ::-1]
    with pytest.raises(SceneError, match=r"turned both ways: faces (\d+), (\d+) run the same way") as one:
        voxel_filling(ball.vertices, other, 0.2)[0]
    assert "5" in re.findall(r"faces (\d+), (\d+)", str(one.value))[0]
    with pytest.raises(SceneError, match="must be positive"):
        voxel_filling(ball.vertices, ball.faces, 0.0)[0]
    bell = trimesh.util.concatenate([trimesh.creation.box((1, 1, 1)), trimesh.creation.box((3, 0.05, 0.05)),
                                     trimesh.creation.box((1, 1, 1), trimesh.transformations.translation_matrix((3, 0, 0)))])
    assert len(voxel_filling(bell.vertices, bell.faces, 0.25)[0].cells) > 0  # three shells, two pieces: allowed
    waist = trimesh.creation.revolve([[0, -1], [0.6, -1], [0.02, -0.1], [0.02, 0.1], [0.6, 1], [0, 1]])
    with pytest.raises(SceneError, match="fall into 2 pieces"):
        voxel_filling(waist.vertices, waist.faces, 0.2)[0]
