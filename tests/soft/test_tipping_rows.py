"""Rows whose triangles bear moments too, as systems of all kinds have them. Oracle: J A^-1 J^T by dense matrices.

A row d of a block with normal n pushes vertex c by (w_c d + (L_c . d) n) for a unit impulse, L_c at right angles to n.
"""

import numpy as np
import pytest

from pliant.couple.soft.inverse import RowInverse
from pliant.couple.soft.many import gather_rows, look_rows
from pliant.couple.soft.matrix import add_along, fill_matrix
from pliant.model.schema import allocate
from pliant.model.sets import Softwork
from pliant.model.shapes import Shapes
from pliant.model.soft_contacts import SoftContacts, SoftRows, Ties, TieState
from pliant.model.soft_matrix import RowMatrix, RowProducts, RowTable

BLOCKS, PORTS = 9, 12
EPS = np.finfo(float).eps


def table_of(seed: int) -> tuple[RowTable, np.ndarray]:
    """Random blocks, every third without moments, and their J (3 b, 3 p) by hand."""
    rng, table, J = np.random.default_rng(seed), allocate(RowTable, r=BLOCKS), np.zeros((BLOCKS, 3, PORTS, 3))
    table.body[:], table.port[:] = -1, -1
    for r in range(BLOCKS):
        n, *_ = direction = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
        count = rng.integers(2, 7)
        table.port[r, :count] = rng.choice(PORTS, count, replace=False)
        table.share[r, :count], table.direction[r] = rng.normal(size=count), direction.ravel()
        table.tilts[r] = r % 3 > 0
        lever = rng.normal(size=(count, 2)) * table.tilts[r]
        table.tip[r, :2 * count] = lever.ravel()
        for c, port in enumerate(table.port[r, :count]):
            J[r, :, port] += table.share[r, c] * direction + np.array([0.0 * n, lever[c, 0] * n, lever[c, 1] * n])
        if not table.tilts[r]:
            table.tip[r] = np.nan  # nobody looks
    return table, J.reshape(3 * BLOCKS, 3 * PORTS)


def softwork() -> Softwork:
    """Nothing but rows without bodies."""
    return Softwork(allocate(SoftContacts), allocate(Ties), allocate(TieState), allocate(SoftRows, b=1, c=0, t=0),
                    allocate(Shapes))


def definite(rng, size: int) -> np.ndarray:
    random = rng.normal(size=(size, size))
    return random @ random.T / size + np.eye(size)


@pytest.mark.parametrize("seed", range(3))
def test_the_dense_matrix_is_that_of_the_rows(seed):
    """Of vertices that answer alike along all axes, and of a thing whose x, y and z answer each other beside them."""
    (table, J), rng = table_of(seed), np.random.default_rng(10 + seed)
    rows = allocate(RowMatrix, p=PORTS, k=3 * BLOCKS, a=96)
    alike, first = definite(rng, PORTS), 5
    alike[first:] = alike[:, first:] = 0.0
    rows.gain[:] = alike
    fill_matrix(softwork(), table, rows, BLOCKS, PORTS)
    whole = np.kron(alike, np.eye(3))
    size = np.abs(J).max() ** 2
    np.testing.assert_allclose(rows.matrix, J @ whole @ J.T, rtol=0, atol=1e4 * EPS * size)
    own = definite(rng, 3 * (PORTS - first))
    rows.along[:len(own), :len(own)] = own
    add_along(table, rows, BLOCKS, first, PORTS)
    whole[3 * first:, 3 * first:] = own
    np.testing.assert_allclose(rows.matrix, J @ whole @ J.T, rtol=0, atol=1e4 * EPS * size)


@pytest.mark.parametrize("seed", range(3))
def test_products_are_those_of_the_rows(seed):
    (table, J), rng, products = table_of(seed), np.random.default_rng(20 + seed), allocate(RowProducts, p=PORTS, r=BLOCKS, b=1)
    products.push[:], velocity = rng.normal(size=(2, BLOCKS, 3))[0], rng.normal(size=(PORTS, 3))
    gather_rows(table, products, BLOCKS, PORTS)
    np.testing.assert_allclose(products.impulse.ravel(), J.T @ products.push.ravel(), rtol=0, atol=1e3 * EPS)
    products.velocity[:] = velocity
    look_rows(softwork(), table, products, BLOCKS, True)
    np.testing.assert_allclose(products.turned.ravel(), J @ velocity.ravel(), rtol=0, atol=1e3 * EPS)


def test_the_sparse_inverse_has_the_same_rows():
    table, J = table_of(4)
    half = RowInverse.__new__(RowInverse)
    half._blocks = BLOCKS
    column = 3 * np.arange(PORTS)[:, None] + np.arange(3)
    found = half._along(table, column, np.tile(np.eye(3), (PORTS, 1, 1)), 3 * PORTS)
    np.testing.assert_allclose(found.toarray(), J, rtol=0, atol=1e2 * EPS)
