"""The body of a car: smooth, closed, even and dented at the wheels. Oracles: the sum it is made of, trimesh, symmetry."""

import numpy as np
import pytest
import trimesh

from pliant.compile.cells import Cells, quality
from pliant.patch.car import BUMPS, STEEP, shaping
from pliant.patch.measure import mass_properties
from pliant.scene.patch import PatchMesh

LENGTH = 4.2


@pytest.fixture(scope="module")
def car() -> PatchMesh:
    return PatchMesh.car_body(LENGTH)


@pytest.fixture(scope="module")
def drawn(car):
    return car.tessellate(0.002)


def slope(points: np.ndarray) -> np.ndarray:
    """Gradients [-] (n, 3) of what moves the surface outwards, summed over the quadrics by hand."""
    total = np.zeros(points.shape)
    for one in shaping(LENGTH):
        gradient = 2.0 * (points @ one.matrix[:3, :3] + one.matrix[:3, 3])
        total += 3.0 * one.amplitude * np.maximum(one(points), 0.0)[:, None] ** 2 * gradient
    return total


def test_no_edge_between_patches_is_seen(car, drawn):
    """The normals of two patches differ by less than a degree along every inner edge, at both ends and between, though the
    flat patches meet at up to 106 degrees; drawn normals are those of the sum to half of that, and to what the slope leaves."""
    creases = car.creases()
    assert len(creases.edges) == 3 * len(car.faces) // 2 == 132
    assert np.degrees(creases.angles.max()) < 1.0 and np.degrees(drawn.creases.max()) < 1.0
    flat = PatchMesh(car.vertices, car.faces).creases()
    np.testing.assert_array_equal(flat.edges, creases.edges)
    assert np.degrees(flat.angles.max()) > 60.0
    away = -slope(drawn.vertices)
    tilt = np.arccos(np.clip((away * drawn.normals).sum(axis=1) / np.linalg.norm(away, axis=1), -1.0, 1.0))
    assert np.degrees(tilt.max()) < 1.0


def test_the_surface_is_where_the_sum_is_one(drawn):
    """It leaves it by a height over STEEP lengths; heights are below a tenth of the length."""
    total = sum(one.amplitude * np.maximum(one(drawn.vertices), 0.0) ** 3 for one in shaping(LENGTH))
    assert total.min() > 0.0 and total.max() < 0.1 * LENGTH
    plain = total / (STEEP * LENGTH) + 1.0
    assert np.abs(plain - 1.0).max() < 0.1 / STEEP


def test_creases_of_a_pushed_in_nose_are_those_of_its_picture(car, drawn):
    """Angles between triangles on either side of an edge, by trimesh, to what triangles of one patch turn to each other."""
    x = car.vertices.copy()
    x[:, 0] -= 0.3 * np.maximum(x[:, 0] - 0.1 * LENGTH, 0.0)
    solid = trimesh.Trimesh(drawn.deformed(x)[0], drawn.triangles, process=False)
    one, other = drawn.face[solid.face_adjacency].T
    angles = solid.face_adjacency_angles
    sharpest = car.creases(x).angles.max()
    assert np.degrees(sharpest) > 10.0 and abs(angles[one != other].max() - sharpest) < angles[one == other].max()
    turned = x @ np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(car.creases(turned).angles, car.creases(x).angles, atol=1e-9)


@pytest.mark.parametrize("tolerance", [0.1, 0.02, 0.002])
def test_it_is_closed(car, tolerance):
    drawn = car.tessellate(tolerance)
    solid = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False)
    assert solid.is_watertight and solid.is_winding_consistent and solid.euler_number == 2 and drawn.error <= tolerance


def test_its_volume_is_that_of_its_picture(car, drawn):
    """Chords miss at most their error times the area."""
    solid = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False)
    assert abs(car.volume(tolerance=1e-4) - solid.volume) <= 1.05 * drawn.error * solid.area
    assert abs(car.volume(tolerance=1e-4) / trimesh.Trimesh(car.vertices, car.faces, process=False).volume - 1.0) > 0.2


@pytest.mark.parametrize("length", [1e-3, 0.3, 4.2, 50.0])
def test_no_length_is_refused(length):
    """And it is the same car: volumes go with the cube of the length, to the tolerance that they are asked for."""
    car = PatchMesh.car_body(length)
    car.check()
    assert abs(car.volume(tolerance=1e-3) / length**3 - 0.0684) < 1e-4


def test_it_is_even_has_sound_cells_and_is_dented_at_the_wheels(car, drawn):
    """Mirror symmetry in y to rounding; doors stand out beyond the arches, the bonnet is lower than the roof."""
    whole = mass_properties(car)
    assert abs(whole.centre[1]) <= 1e-12 and abs(whole.inertia[0, 1]) + abs(whole.inertia[1, 2]) <= 1e-12 * whole.inertia[0, 0]
    assert len(BUMPS) < 12 and len(car.quadrics) < 24 and len(car.faces) == 88 and len(car.cells) == 80
    assert quality(Cells(car.vertices, car.cells)).smallest_dihedral > np.radians(25)
    assert not quality(Cells(car.vertices, car.cells)).doubts()
    length, width, height = np.ptp(drawn.vertices, axis=0)
    assert abs(length / LENGTH - 1.0) < 0.02 and abs(width / 1.75 - 1.0) < 0.02 and abs(height / 1.22 - 1.0) < 0.02
    aims = [[-0.25, 0.0, 5.0], [1.5, 0.0, 5.0], [-1.3, 5.0, 0.4], [1.3, 5.0, 0.4], [0.0, 5.0, 0.4]]
    roof, bonnet, rear, front, door = car.cast(aims, [[0, 0, -1]] * 2 + [[0, -1, 0]] * 3).position
    assert roof[2] > bonnet[2] + 0.5
    assert rear[1] < door[1] - 0.1 and front[1] < door[1] - 0.1
