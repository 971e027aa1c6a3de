"""Triangles of the view against closed forms: volumes, closedness, the coil's wire and its ends."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant import Box, Capsule, Cylinder, HeightField, Mesh, Sphere
from pliant.view.geometry import AROUND, coil, coil_path, crisp, shape_marks, shape_mesh
from pliant.view.spring_picture import SLENDER, SMALLEST, coil_poses
from pliant.view.turns import from_z, inverse, multiply, rotate

ROUNDING = 1e-12
"""Relative; a few thousand terms of double precision."""


def capsule_volume(radius: float, length: float) -> float:
    return np.pi * radius**2 * length + 4.0 / 3.0 * np.pi * radius**3


@pytest.mark.parametrize(("shape", "radius", "length"), [(Capsule(0.2, 0.7), 0.2, 0.7), (Capsule(1.5, 0.01), 1.5, 0.01),
                                                         (Sphere(0.3), 0.3, 0.0)])
def test_a_round_shape_is_closed_and_lies_between_two_exact_solids(shape, radius, length):
    """Oracle: vertices lie on the shape, so the polyhedron is inside it; every chord of the outline and every side of
    its rings stays outside the same solid shrunk by the apothems cos(pi/4m) and cos(pi/n)."""
    mesh = shape_mesh(shape)
    assert mesh.is_watertight and mesh.is_winding_consistent
    outline, ring = np.cos(np.pi / AROUND), np.cos(np.pi / AROUND)  # m = n / 4 steps to a quarter turn
    least = ring**2 * capsule_volume(radius * outline, length)
    assert least <= mesh.volume <= capsule_volume(radius, length) * (1.0 + ROUNDING)
    distance = np.linalg.norm(mesh.vertices - np.clip(mesh.vertices, (0, 0, -length / 2), (0, 0, length / 2)), axis=1)
    np.testing.assert_allclose(distance, radius, rtol=ROUNDING)


def test_a_cylinder_is_an_exact_prism():
    """Oracle: volume of a regular prism, n/2 r^2 sin(2 pi/n) l."""
    mesh = shape_mesh(Cylinder(0.4, 1.3))
    assert mesh.is_watertight and mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(0.5 * AROUND * 0.4**2 * np.sin(2.0 * np.pi / AROUND) * 1.3, rel=ROUNDING)


def test_box_and_mesh_have_their_volumes():
    """Oracle: products of lengths."""
    box = shape_mesh(Box(0.2, 0.3, 0.7))
    assert box.is_watertight
    assert box.volume == pytest.approx(0.2 * 0.3 * 0.7, rel=ROUNDING)
    mesh = shape_mesh(Mesh((box.vertices, box.faces), scale=2.0))
    assert mesh.volume == pytest.approx(8.0 * 0.2 * 0.3 * 0.7, rel=ROUNDING)


def test_a_height_field_puts_every_height_in_its_place_and_faces_up():
    """Oracle: the heights, numbered differently along x and y, and the area of the rectangle seen from above."""
    heights = np.array([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]])
    mesh = shape_mesh(HeightField(heights, (3.0, 8.0)))
    place = {(x, y): z for x, y, z in mesh.vertices}
    assert place == {(-1.5, -4.0): 0.0, (-1.5, 0.0): 1.0, (-1.5, 4.0): 2.0, (1.5, -4.0): 10.0, (1.5, 0.0): 11.0,
                     (1.5, 4.0): 12.0}
    assert (mesh.face_normals[:, 2] > 0.0).all()
    assert (mesh.area_faces * mesh.face_normals[:, 2]).sum() == pytest.approx(24.0, rel=ROUNDING)


def test_parting_sharp_edges_moves_nothing():
    """Oracle: a box parted at its edges has four vertices a side, a ball stays whole, triangles stay where they are."""
    box, ball = shape_mesh(Box(1.0, 2.0, 3.0)), shape_mesh(Sphere(1.0))
    vertices, faces = crisp(box)
    assert len(vertices) == 24
    corners = np.sort(vertices[faces].reshape(-1, 9), axis=0)
    np.testing.assert_array_equal(corners, np.sort(box.triangles.reshape(-1, 9), axis=0))
    assert len(crisp(ball)[0]) == len(ball.vertices)


def test_marks_do_not_show_the_same_after_a_part_turn():
    """Oracle: a wheel's marks repeat every fifth of a turn and no sooner, so turning is seen."""
    marks = shape_marks(Cylinder(0.3, 0.1)).vertices
    points = {tuple(p) for p in np.round(marks, 9)}

    def turned(angle):
        return {tuple(p + 0.0) for p in np.round(Rotation.from_rotvec((0, 0, angle)).apply(marks[-40:]), 9)}

    assert turned(2.0 * np.pi / 5.0) <= {tuple(np.array(p) + 0.0) for p in points}
    assert not turned(np.pi / 5.0) <= {tuple(np.array(p) + 0.0) for p in points}
    assert shape_marks(Box(1, 1, 1)) is None


def test_the_coil_is_a_closed_tube_of_constant_thickness_about_its_path():
    """Oracle: every ring of vertices is a circle about its point of the path, after scaling to the length at rest."""
    turns, wire, sides = 9.0, 0.17, 8
    mesh = coil(turns, wire, SLENDER, sides=sides)
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0.0
    path = coil_path(turns, 20)
    rings = (mesh.vertices[:-2].reshape(len(path), sides, 3) - path[:, None]) * (SLENDER, SLENDER, 1.0)
    np.testing.assert_allclose(np.linalg.norm(rings, axis=2), wire * SLENDER, rtol=ROUNDING)


def test_the_wire_is_a_helix_between_its_leads():
    """Oracle: a chord of a helix of radius 1 over an angle d is sqrt(4 sin^2(d/2) + rise^2)."""
    turns, steps, lead = 9.0, 20, 0.12
    path = coil_path(turns, steps, lead)
    np.testing.assert_array_equal(path[[0, -1]], [(0, 0, 0), (0, 0, 1)])
    middle = path[1 + steps : -1 - steps]
    chord = np.linalg.norm(np.diff(middle, axis=0), axis=1)
    rise = (1.0 - 2.0 * lead) / (turns * steps)
    np.testing.assert_allclose(chord, np.hypot(2.0 * np.sin(np.pi / steps), rise), rtol=ROUNDING)


@pytest.mark.parametrize("ends", [((0, 0, 0), (0, 0, 2)), ((1, 2, 3), (-1, 0.5, 4)), ((0, 0, 1), (0, 0, -1)),
                                  ((1, 1, 1), (1 + 1e-9, 1, 1 - 1))])
def test_a_coil_reaches_from_end_to_end(ends):
    """Oracle: the ends themselves; the coil's axis runs from (0, 0, 0) to (0, 0, 1) before it is placed."""
    positions, quaternions, scales = coil_poses(np.array([ends], float), np.array([0.1]))
    for end, along in zip(ends, (0.0, 1.0), strict=True):
        reached = positions + rotate(quaternions, np.array([[0.0, 0.0, along]]) * scales)
        np.testing.assert_allclose(reached[0], end, atol=1e-12 * (1.0 + np.abs(end).max()))


def test_a_coil_without_length_is_still_finite():
    """Oracle: coinciding ends have no direction; the smallest length that is drawn stands in."""
    positions, quaternions, scales = coil_poses(np.ones((1, 2, 3)), np.array([0.1]))
    assert np.isfinite(quaternions).all() and scales[0, 2] == SMALLEST
    np.testing.assert_array_equal(positions[0], (1, 1, 1))


def test_turns_agree_with_scipy():
    """Oracle: SciPy's rotations, on random ones."""
    rng = np.random.default_rng(3)
    a, b = Rotation.random(50, rng), Rotation.random(50, rng)
    v = rng.normal(size=(50, 3))
    qa, qb = a.as_quat(scalar_first=True), b.as_quat(scalar_first=True)
    np.testing.assert_allclose(rotate(qa, v), a.apply(v), atol=1e-14 * 10)
    product = Rotation.from_quat(multiply(qa, qb), scalar_first=True)
    # The angle between equal rotations is the square root of rounding.
    np.testing.assert_allclose((product.inv() * (a * b)).magnitude(), 0.0, atol=1e-7)
    np.testing.assert_allclose(rotate(inverse(qa), rotate(qa, v)), v, atol=1e-14 * 10)
    unit = v / np.linalg.norm(v, axis=1, keepdims=True)
    np.testing.assert_allclose(rotate(from_z(unit), np.tile((0.0, 0.0, 1.0), (50, 1))), unit, atol=1e-14 * 10)
