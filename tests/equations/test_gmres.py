"""Least residuals in Krylov spaces: exact after as many products as unknowns, never further off before."""

import numpy as np
from seeds import GMRES

from pliant.math.gmres import gmres

R = 5  # blocks of three, 15 unknowns


def drawn() -> tuple[np.ndarray, np.ndarray]:
    """A matrix that is not symmetric, and a right side."""
    rng = np.random.default_rng(GMRES)
    return rng.normal(size=(3 * R, 3 * R)) + 3.0 * np.eye(3 * R), rng.normal(size=(R, 3))


def test_solves_within_as_many_products_as_unknowns():
    """Oracle: LAPACK's solution, to the rounding that its condition allows."""
    matrix, right = drawn()
    found = gmres(lambda x: (matrix @ x.ravel()).reshape(x.shape), lambda y: y, right, 3 * R, 0.0)
    exact = np.linalg.solve(matrix, right.ravel()).reshape(right.shape)
    assert np.abs(found - exact).max() <= 100 * np.finfo(float).eps * np.linalg.cond(matrix) * np.abs(exact).max()


def test_residual_is_the_least_of_its_space():
    """Oracle: least squares over the same Krylov space, spanned by powers; the tolerance is the condition of these."""
    matrix, right = drawn()
    for most in (1, 2, 4):
        powers = [right.ravel() / np.linalg.norm(right)]
        for _ in range(most - 1):
            powers.append(matrix @ powers[-1])
            powers[-1] /= np.linalg.norm(powers[-1])
        space = matrix @ np.array(powers).T
        best = space @ np.linalg.lstsq(space, right.ravel(), rcond=None)[0]
        found = gmres(lambda x: (matrix @ x.ravel()).reshape(x.shape), lambda y: y, right, most, 0.0)
        off = np.linalg.norm(right.ravel() - matrix @ found.ravel()) - np.linalg.norm(right.ravel() - best)
        assert abs(off) <= 100 * np.finfo(float).eps * np.linalg.cond(space) * np.linalg.norm(right)


def test_easing_by_the_inverse_takes_one_product():
    """Oracle: with the exact inverse as easing the first product is the solution; a right side of zero asks for none."""
    matrix, right = drawn()
    inverse, products = np.linalg.inv(matrix), []

    def operate(x):
        products.append(1)
        return (matrix @ x.ravel()).reshape(x.shape)

    found = gmres(operate, lambda y: (inverse @ y.ravel()).reshape(y.shape), right, 3 * R, 1e-10)
    assert len(products) == 1
    assert np.abs(matrix @ found.ravel() - right.ravel()).max() <= 1e-10 * np.linalg.norm(right)
    assert not gmres(operate, lambda y: y, np.zeros((R, 3)), 3, 0.1).any() and len(products) == 1
