"""Pulls on bodies of a tree of joints answer each other as the whole dense system says."""

import numpy as np
import pytest
from test_tree_elimination import dense, parts_of, random_tree

from pliant.solvers.tree.answers import climb_trees, enter_tree

EPS = np.finfo(float).eps


@pytest.mark.parametrize(("bodies", "anchored"), [(1, True), (2, False), (2, True), (7, False), (7, True), (24, True)])
def test_equals_a_dense_solve(bodies, anchored):
    """W = F A F^T, A = M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1 of NumPy; pulls on one body or two, random joints of all kinds.

    Measured against what the bodies would answer without joints, F M^-1 F^T, of which A takes away: both solvers lose at most
    the condition number of J M^-1 J^T times the rounding.
    """
    rng = np.random.default_rng(bodies)
    engine = random_tree(rng, bodies, anchored, 1.0)._engine
    model, _, work, linkage = parts_of(engine)
    size, first = 9, 3
    climbers, matrix = np.full((first + size, 50), np.nan), np.zeros((first + size, size))
    F = np.zeros((size, 6 * bodies))
    for q in range(size):
        for side in range(2):
            body, pull = int(rng.integers(1, bodies + 1)), rng.normal(size=6)
            if side == 1 and q % 3 == 0:
                body = -1
            else:
                F[q, 6 * body - 6:6 * body] += pull
            enter_tree(climbers, first + q, side, body, tuple(pull))
    climb_trees(linkage, model.bodies.tree, work.ports, work.islands, 0, climbers, matrix, first, size)
    M, J, _, _ = dense(engine)
    L = np.linalg.cholesky(M)
    Y, Z = np.linalg.solve(L, J.T), np.linalg.solve(L, F.T)
    left = Z - Y @ np.linalg.lstsq(Y, Z, rcond=None)[0]
    sizes = np.linalg.norm(Z, axis=0)
    tolerance = 64 * EPS * np.linalg.cond(Y) ** 2
    assert tolerance < 1e-4  # else this compares nothing
    assert (np.abs(matrix[first:] - left.T @ left) <= tolerance * np.outer(sizes, sizes)).all()
    assert (matrix[:first] == 0.0).all()
