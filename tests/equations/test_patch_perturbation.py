"""Quadrics and the cubed positive part. Oracles: the matrix form, finite differences, the closed form's derivatives."""

import numpy as np
from patch_calls import flat_triangle

from pliant.equations.patch.perturbation import quadric, quadric_along, relief
from pliant.patch.surface import coefficients, surface_of
from pliant.scene.patch import Quadric

EPS = np.finfo(float).eps


def random_quadric(rng, amplitude=1.0) -> Quadric:
    return Quadric(rng.normal(size=(4, 4)), amplitude)


def test_ten_coefficients_are_the_matrix():
    rng = np.random.default_rng(3)
    for _ in range(20):
        one, x = random_quadric(rng), rng.normal(size=3)
        value, gradient = quadric(np.array([coefficients(one.matrix)]), 0, tuple(x))
        y = np.append(x, 1.0)
        size = np.abs(one.matrix).sum() * max(1.0, np.abs(x).max()) ** 2
        assert abs(value - y @ one.matrix @ y) <= 20 * EPS * size
        np.testing.assert_allclose(gradient, 2.0 * (one.matrix @ y)[:3], rtol=0, atol=20 * EPS * size)


def test_along_a_line_a_quadric_is_its_parabola():
    rng = np.random.default_rng(4)
    one, p, n = random_quadric(rng), rng.normal(size=3), rng.normal(size=3)
    table = np.array([coefficients(one.matrix)])
    a, b, c = quadric_along(table, 0, tuple(p), tuple(n))
    for t in (-2.0, -0.3, 0.0, 1.7):
        value, _ = quadric(table, 0, tuple(p + t * n))
        assert abs(value - ((a * t + b) * t + c)) <= 1e-13 * (1.0 + np.abs(one.matrix).sum() * 30)


def test_the_ellipsoid_is_one_at_its_centre_and_zero_on_itself():
    one = Quadric.ellipsoid((0.3, -0.2, 0.5), (0.5, 2.0, np.inf), 0.1)
    np.testing.assert_allclose(one([[0.3, -0.2, 7.0], [0.8, -0.2, -3.0], [0.3, 1.8, 0.0]]), [1.0, 0.0, 0.0], atol=1e-14)


def test_relief_is_the_sum_of_cubes_and_its_gradient_theirs():
    rng = np.random.default_rng(5)
    bumps = [Quadric.ellipsoid(rng.uniform(0, 0.5, 3), rng.uniform(0.6, 1.5, 3), a) for a in (0.05, -0.04, 0.03)]
    patches = surface_of(flat_triangle(bumps)).patches
    for _ in range(30):
        x, h = rng.uniform(-0.5, 0.8, 3), 1e-5
        value, gradient = relief(patches, 0, tuple(x))
        closed = sum(b.amplitude * max(float(b(x)), 0.0) ** 3 for b in bumps)
        assert abs(value - closed) <= 1e-14
        measured = [(relief(patches, 0, tuple(x + h * e))[0] - relief(patches, 0, tuple(x - h * e))[0]) / (2 * h)
                    for e in np.eye(3)]
        # third derivatives of a q^3 stay below 100 a for these half lengths, rounding below 1e-16/h
        np.testing.assert_allclose(gradient, measured, atol=h * h * 100 * 0.12 + 1e-16 / h)


def test_a_perturbation_begins_with_zero_second_derivative_and_a_jump_in_the_third():
    """R(s) = a q^3 with q = c d + O(d^2) at a distance d inside the border: R'' = 6 a c^3 d + O(d^2), outside 0."""
    one = Quadric.ellipsoid((0.0, 0.0, 0.0), (0.5, 0.5, np.inf), 0.2)
    patches = surface_of(flat_triangle([one])).patches
    slope = 2.0 / 0.5
    for d in (0.04, 0.02, 0.01, 0.005):
        h = d / 4.0
        inside = [relief(patches, 0, (0.5 - d + k * h, 0.0, 0.0))[0] for k in (-1, 0, 1)]
        outside = [relief(patches, 0, (0.5 + d + k * h, 0.0, 0.0))[0] for k in (-1, 0, 1)]
        second = (inside[0] - 2 * inside[1] + inside[2]) / h**2
        # q = c d - (d/0.5)^2 and its derivatives change R'' by less than 4 d/0.5 of itself
        assert abs(second - 6 * 0.2 * slope**3 * d) <= 6 * 0.2 * slope**3 * d * (8.0 * d)
        assert outside == [0.0, 0.0, 0.0]
