"""Points, tangents and slopes of a patch. Oracles: finite differences, and the gradient of the implicit form."""

import numpy as np
from patch_calls import arrays, bent_sheet, height

from pliant.equations.patch.patch_coordinates import implicit
from pliant.equations.patch.patch_point import area_normal, height_slopes, patch_point, patch_tangents
from pliant.equations.patch.perturbation import relief


def slopes(patches, face, points, normals, u, v):
    t = height(patches, face, points, normals, u, v)
    _, gradient = relief(patches, face, patch_point(points, normals, u, v, t))
    return t, *height_slopes(points, normals, u, v, t, gradient)


def test_slopes_and_tangents_are_differences():
    rng, h = np.random.default_rng(3), 1e-5
    for seed in range(4):
        mesh = bent_sheet(seed)
        for face in range(8):
            patches, points, normals = arrays(mesh, face)
            u, v = rng.dirichlet((2, 2, 2))[1:]
            t, t_u, t_v = slopes(patches, face, points, normals, u, v)

            def surface(u, v, patches=patches, face=face, points=points, normals=normals):
                t = height(patches, face, points, normals, u, v)
                return np.array([*patch_point(points, normals, u, v, t), t])

            s_u, s_v = patch_tangents(points, normals, u, v, t, t_u, t_v)
            by_u = (surface(u + h, v) - surface(u - h, v)) / (2 * h)
            by_v = (surface(u, v + h) - surface(u, v - h)) / (2 * h)
            # third derivatives stay below 1e3 m here; rounding 1e-16/h
            np.testing.assert_allclose([*s_u, t_u], by_u, atol=1e3 * h * h / 6 + 1e-15 / h)
            np.testing.assert_allclose([*s_v, t_v], by_v, atol=1e3 * h * h / 6 + 1e-15 / h)


def test_the_normal_is_that_of_the_implicit_form():
    rng, h = np.random.default_rng(4), 1e-5
    mesh = bent_sheet(2)
    for face in range(8):
        patches, points, normals = arrays(mesh, face)
        u, v = rng.dirichlet((2, 2, 2))[1:]
        t, t_u, t_v = slopes(patches, face, points, normals, u, v)
        across = np.array(area_normal(points, normals, u, v, t, t_u, t_v))
        x = np.array(patch_point(points, normals, u, v, t))
        gradient = [
            (implicit(patches, face, points, normals, points, normals, tuple(x + h * e))[0]
             - implicit(patches, face, points, normals, points, normals, tuple(x - h * e))[0]) / (2 * h)
            for e in np.eye(3)
        ]
        unit = across / np.linalg.norm(across)
        np.testing.assert_allclose(unit, gradient / np.linalg.norm(gradient), atol=1e3 * h * h + 1e-14 / h)
        assert unit[2] > 0.5
