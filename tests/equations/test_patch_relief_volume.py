"""Volume under a relief. Oracles: integration of the map's Jacobian in three dimensions, and finite differences."""

import numpy as np
from patch_calls import tuples

from pliant.equations.patch.relief_volume import (
    layers,
    length_gradient,
    normals_gradient,
    relief_moments,
    relief_volume,
)
from pliant.model.schema import fill
from pliant.patch.groups import Samples
from pliant.patch.quadrature import rule


def a_patch(seed: int):
    """Corners, unit normals and points with smooth heights."""
    rng = np.random.default_rng(seed)
    corner = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]) + 0.2 * rng.normal(size=(3, 3))
    normal = np.array([0.0, 0.0, 1.0]) + 0.3 * rng.normal(size=(3, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    place, weight = rule()
    height = 0.2 + 0.1 * place[:, 1] - 0.15 * place[:, 2] ** 2
    samples = fill(Samples, first=[0, 12], face=np.zeros(12), place=place[:, 1:], measure=0.5 * weight, height=height,
                   slope=np.zeros((12, 2)))
    return corner, normal, samples


def jacobian(corner, normal, u, v, t):
    """det of d(p + t n)/d(u, v, t) with n of unit length, by central differences in u and v, exact in t."""
    def n(u, v):
        m = (1 - u - v) * normal[0] + u * normal[1] + v * normal[2]
        return m / np.linalg.norm(m)

    h = 1e-5
    n_u, n_v = (n(u + h, v) - n(u - h, v)) / (2 * h), (n(u, v + h) - n(u, v - h)) / (2 * h)
    return np.linalg.det([corner[1] - corner[0] + t * n_u, corner[2] - corner[0] + t * n_v, n(u, v)])


def test_volume_and_layers_integrate_the_jacobian():
    """Gauss points along the height; the map's Jacobian is a parabola in t, so four are exact."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    for seed in range(5):
        corner, normal, samples = a_patch(seed)
        total, i_total = 0.0, np.zeros(3)
        for (u, v), w, t in zip(samples.place, samples.measure, samples.height, strict=True):
            length = np.linalg.norm((1 - u - v) * normal[0] + u * normal[1] + v * normal[2])
            for x, y in zip(nodes, weights, strict=True):
                s = 0.5 * t * (x + 1.0)
                part = w * 0.5 * t * y * jacobian(corner, normal, u, v, s)
                total += part
                i_total += part * np.array([1.0, s / length, (s / length) ** 2])
        moments = relief_moments(samples, tuples(normal), 0, 12)
        volume, _ = relief_volume(tuples(corner), tuples(normal), moments)
        by_layers = sum(w * np.array(layers(tuples(corner), tuples(normal), u, v, t))
                        for (u, v), w, t in zip(samples.place, samples.measure, samples.height, strict=True))
        assert abs(volume - total) <= 1e-9 * abs(total)
        np.testing.assert_allclose(by_layers, i_total, rtol=1e-9)


def test_gradients_are_differences():
    """Quadratic in the corners: central differences are exact but for rounding. In the normals the third order counts."""
    for seed in range(5):
        corner, normal, samples = a_patch(seed)
        moments = relief_moments(samples, tuples(normal), 0, 12)
        _, by_corner = relief_volume(tuples(corner), tuples(normal), moments)
        by_normal = np.array(normals_gradient(tuples(corner), tuples(normal), moments))
        for (u, v), w, t in zip(samples.place, samples.measure, samples.height, strict=True):
            g = w * np.array(length_gradient(tuples(corner), tuples(normal), u, v, t))
            by_normal += np.outer((1 - u - v, u, v), g)

        def volume(x, n, samples=samples):
            return relief_volume(tuples(x), tuples(n), relief_moments(samples, tuples(n), 0, 12))[0]

        for c in range(3):
            for k in range(3):
                step = np.zeros((3, 3))
                step[c, k] = 1e-3
                assert abs((volume(corner + step, normal) - volume(corner - step, normal)) / 2e-3 - by_corner[c][k]) <= 1e-12
                step *= 0.1
                measured = (volume(corner, normal + step) - volume(corner, normal - step)) / 2e-4
                assert abs(measured - by_normal[c][k]) <= 1e-8
