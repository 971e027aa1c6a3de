"""Coordinates over a patch. Oracles: the map they invert, and the clipping planes of a patch with equal normals."""

import numpy as np
from patch_calls import arrays, bent_sheet, height, tuples

from pliant.equations.patch.patch_coordinates import implicit, patch_coordinates
from pliant.equations.patch.patch_point import patch_point


def test_coordinates_invert_the_point():
    rng = np.random.default_rng(5)
    for seed in range(4):
        mesh = bent_sheet(seed)
        for face in range(8):
            _, points, normals = arrays(mesh, face)
            for u, v in rng.dirichlet((1, 1, 1), 5)[:, 1:]:
                t = rng.uniform(-0.3, 0.5)
                x = patch_point(points, normals, u, v, t)
                got = patch_coordinates(points, normals, x)
                assert got[3]
                np.testing.assert_allclose(got[:3], (u, v, t), atol=1e-13)


def test_with_equal_normals_the_walls_are_planes_and_the_height_is_the_distance_from_the_triangle():
    rng = np.random.default_rng(6)
    corner = rng.normal(size=(3, 3))
    across = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    n = across / np.linalg.norm(across)
    for x in rng.normal(size=(20, 3)):
        u, _, t, found = patch_coordinates(tuples(corner), (tuple(n),) * 3, tuple(x))
        assert found and abs(t - n @ (x - corner[0])) <= 1e-13 * (1 + np.linalg.norm(x - corner[0]))
        # u is zero on the plane through the edge 0-2 along n, one at corner 1
        plane = np.cross(n, corner[2] - corner[0])
        assert abs(u - plane @ (x - corner[0]) / (plane @ (corner[1] - corner[0]))) <= 1e-12 * (1 + abs(u))


def test_deformed_the_implicit_form_is_zero_on_the_carried_surface():
    rng = np.random.default_rng(7)
    mesh = bent_sheet(1)
    for face in range(8):
        patches, points, normals = arrays(mesh, face)
        moved = np.array(points) @ np.diag((1.3, 0.8, 1.1)) + 0.1 * rng.normal(size=(3, 3))
        turned = np.array(normals) + 0.2 * rng.normal(size=(3, 3))
        turned /= np.linalg.norm(turned, axis=1, keepdims=True)
        u, v = rng.dirichlet((2, 2, 2))[1:]
        t = height(patches, face, points, normals, u, v)
        x = patch_point(tuples(moved), tuples(turned), u, v, t)
        g, got_u, got_v, found = implicit(patches, face, tuples(moved), tuples(turned), points, normals, x)
        assert found and abs(g) <= 1e-13 and abs(got_u - u) + abs(got_v - v) <= 1e-12
