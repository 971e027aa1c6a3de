"""Normals of vertices. Oracles: symmetry of a cube however its sides are cut, and finite differences."""

import numpy as np
import trimesh
from patch_calls import tuples

from pliant.equations.patch.vertex_normal import face_normal, through_face, through_length
from pliant.patch.heights import vertex_normals
from pliant.patch.surface import corner_weights


def test_corners_of_a_cube_point_along_its_diagonals():
    mesh = trimesh.creation.box((1.0, 1.0, 1.0))
    vertices, faces = np.array(mesh.vertices), np.array(mesh.faces, np.int32)
    normal = np.zeros_like(vertices)
    vertex_normals(faces, corner_weights(vertices, faces), vertices, normal)
    np.testing.assert_allclose(normal, 2.0 * vertices / np.sqrt(3.0), atol=1e-15)


def test_gradients_pass_through_length_and_face():
    rng, h = np.random.default_rng(2), 1e-6
    g, big = rng.normal(size=3), rng.normal(size=3)
    length = np.linalg.norm(big)
    got = through_length(tuple(g), tuple(big / length), length)
    measured = [(g @ (big + h * e) / np.linalg.norm(big + h * e) - g @ (big - h * e) / np.linalg.norm(big - h * e)) / (2 * h)
                for e in np.eye(3)]
    np.testing.assert_allclose(got, measured, atol=1e-9)
    x, y = rng.normal(size=(3, 3)), rng.normal(size=3)
    got = np.array(through_face(tuples(x), tuple(y)))
    for c in range(3):
        for k in range(3):
            step = np.zeros((3, 3))
            step[c, k] = h
            ahead, behind = np.array(face_normal(tuples(x + step))), np.array(face_normal(tuples(x - step)))
            assert abs(y @ (ahead - behind) / (2 * h) - got[c, k]) <= 1e-9
