"""Contacts with height fields: a flat one is a plane, nothing catches, and what has sunk is lifted."""

import numpy as np
import pytest
from field_meeting import CELLS, LYING, SIDE, SIZES, Meeting, places, rough, turn

from pliant.model.shapes import BOX, CAPSULE, CYLINDER, SPHERE


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", [SPHERE, CAPSULE, CYLINDER, BOX])
def test_a_flat_field_is_a_plane_everywhere(kind, first):
    """Every contact of the plane is one of the field and the other way round; normals are exactly up."""
    rng = np.random.default_rng(1)
    field, plane = Meeting(kind, np.zeros((CELLS, CELLS)), first=first), Meeting(kind, np.zeros((2, 2)), plane=True)
    poses = [LYING, (1.0, 0.0, 0.0, 0.0)]
    compared = 0
    for x, y in places(rng):
        for q in [*poses, turn(rng)]:
            plane.at((x, y, 0.0), q)
            height = -plane.separation.min() + rng.uniform(-0.003, 0.002)
            if plane.at((x, y, height), q) > 4:
                continue  # a standing, tilted cylinder has five on a plane
            n = field.at((x, y, height), q)
            assert n == len(plane.separation)
            assert (field.normal == (0.0, 0.0, 1.0)).all()
            order = np.argsort(plane.feature), np.argsort(field.feature)
            assert (plane.feature[order[0]] == field.feature[order[1]]).all()
            assert np.abs(plane.position[order[0]] - field.position[order[1]]).max() < 1e-15
            assert np.abs(plane.separation[order[0]] - field.separation[order[1]]).max() < 1e-15
            compared += n
    assert compared > 200


@pytest.mark.parametrize("kind", list(SIZES))
def test_a_tilted_flat_field_has_one_normal(kind):
    """Oracle: the normal of the plane z = a x + b y, and the deepest point of the shape along it."""
    rng = np.random.default_rng(2)
    a, b = 0.37, -0.21
    grid = np.linspace(-0.5 * SIDE, 0.5 * SIDE, CELLS)
    field = Meeting(kind, a * grid[:, None] + b * grid[None, :])
    plane = Meeting(kind, np.zeros((2, 2)), plane=True)
    normal = np.array([-a, -b, 1.0]) / np.sqrt(a * a + b * b + 1.0)
    axis = np.cross([0, 0, 1], normal)
    angle = np.arcsin(np.linalg.norm(axis))
    plane.shapes.quaternion[0] = [np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis / np.linalg.norm(axis))]
    for x, y in places(rng):
        q = turn(rng)
        base = np.array([x, y, a * x + b * y])
        plane.at(base, q)
        position = base + normal * (-plane.separation.min() + rng.uniform(-0.002, 0.001))
        plane.at(position, q)
        assert field.at(position, q) > 0
        assert np.abs(field.normal - normal).max() < 1e-12  # heights rounded to 1e-16 over cells of 0.1 m
        assert abs(field.separation.min() - plane.separation.min()) < 1e-14


@pytest.mark.parametrize("kind", list(SIZES))
def test_what_has_sunk_is_lifted(kind):
    rng = np.random.default_rng(7)
    field = Meeting(kind, np.zeros((CELLS, CELLS)))
    for depth in (0.02, 0.05):
        q = turn(rng)
        assert field.at((0.123, 0.077, -depth), q) > 0
        assert (field.normal == (0.0, 0.0, 1.0)).all()
        assert field.separation.min() < -depth
    hills = Meeting(kind, rough(8, 0.05))
    for x, y in rng.uniform(-0.6, 0.6, (100, 2)):
        assert hills.at((x, y, -0.05), turn(rng)) > 0
        assert hills.normal[hills.separation.argmin(), 2] > 0.0


@pytest.mark.parametrize("kind", list(SIZES))
def test_what_lies_under_the_ground_is_not_lifted(kind):
    """Deeper than it is large, or nearer to the border of the field than to its top: it came from beside."""
    rng = np.random.default_rng(8)
    field = Meeting(kind, np.zeros((CELLS, CELLS)))
    for depth in (1.0, 3.0):
        assert field.at((0.123, 0.077, -depth), turn(rng)) == 0
    for y in rng.uniform(-0.3, 0.3, 10):
        assert field.at((0.99, y, -0.6), turn(rng)) == 0


def test_outside_the_rectangle_there_is_nothing():
    for kind in SIZES:
        field = Meeting(kind, np.zeros((CELLS, CELLS)))
        for x, y in ((1.5, 0.0), (0.0, -1.5), (2.0, 2.0)):
            assert field.at((x, y, 0.0)) == 0
            assert field.at((x, y, -0.5)) == 0


def test_a_box_rests_on_a_ridge_with_the_ridge_under_it():
    """A roof along y: a level box of half lengths (0.15, 0.1, 0.06) on it touches along the ridge line x = 0."""
    grid = np.linspace(-0.5 * SIDE, 0.5 * SIDE, CELLS)
    field = Meeting(BOX, np.repeat(-0.5 * np.abs(grid)[:, None], CELLS, axis=1))
    for y in (0.0, 0.03, 0.05):
        n = field.at((0.02, y, 0.06 - 1e-4))
        assert n >= 2 and (field.normal == (0.0, 0.0, 1.0)).all()
        assert np.abs(field.position[:, 0]).max() < 1e-12
        assert np.abs(field.separation + 1e-4).max() < 1e-12
        assert abs(np.ptp(field.position[:, 1]) - 0.2) < 1e-12


def test_features_stay_while_a_wheel_rolls_over_many_cells():
    field = Meeting(CYLINDER, np.zeros((CELLS, CELLS)))
    for step, x in enumerate(np.linspace(-0.8, 0.8, 400)):
        field.at((x, 0.013, 0.12), LYING)
        assert field.feature.tolist() == [0, 1]
        assert field.contacts.age[:2].tolist() == [step, step]
