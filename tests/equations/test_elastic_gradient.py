"""Deformation gradients: an affine map is found exactly. Oracle: the map itself."""

import numpy as np
import pytest

from pliant.equations.elastic.deformation_gradient import cell_gradients, corner_gradients, triangle_gradients

EPS = np.finfo(float).eps


@pytest.mark.parametrize("seed", range(5))
def test_affine_map_of_cells(seed):
    """x = A X + b gives F = A in every cell; corner gradients sum to zero; the volume is that of the box product."""
    rng = np.random.default_rng(seed)
    rest, cells = rng.normal(size=(12, 3)), rng.permuted(np.tile(np.arange(12), (20, 1)), axis=1)[:, :4]
    a, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    inverse, volume = cell_gradients(rest, cells)
    g = corner_gradients(inverse)
    f = np.einsum("cai,caj->cij", (rest @ a.T + b)[cells], g)
    spread = np.abs(g).max(axis=(1, 2)) * 10.0
    assert (np.abs(f - a).max(axis=(1, 2)) < 1e3 * EPS * spread).all()
    np.testing.assert_allclose(g.sum(axis=1), 0.0, atol=1e2 * EPS * np.abs(g).max())
    x = rest[cells]
    box = np.einsum("ci,ci->c", np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), x[:, 3] - x[:, 0]) / 6.0
    np.testing.assert_allclose(volume, box, rtol=0, atol=1e2 * EPS * 50)


@pytest.mark.parametrize("seed", range(5))
def test_affine_map_of_triangles(seed):
    """F^T F of x = A X is the metric of A in the triangle's plane: |F c|^2 = |A (edge)|^2 for every edge; area by Heron."""
    rng = np.random.default_rng(seed)
    rest, triangles = rng.normal(size=(12, 3)), rng.permuted(np.tile(np.arange(12), (20, 1)), axis=1)[:, :3]
    a = rng.normal(size=(3, 3))
    inverse, area = triangle_gradients(rest, triangles)
    g = corner_gradients(inverse)
    f = np.einsum("tai,taj->tij", (rest @ a.T)[triangles], g)
    flat = np.linalg.inv(inverse)  # rest edges in the plane, by columns
    for k in (1, 2):
        edge = rest[triangles[:, k]] - rest[triangles[:, 0]]
        np.testing.assert_allclose(np.einsum("tij,tj->ti", f, flat[:, :, k - 1]), edge @ a.T, atol=1e4 * EPS)
        np.testing.assert_allclose(np.linalg.norm(flat[:, :, k - 1], axis=1), np.linalg.norm(edge, axis=1), rtol=1e2 * EPS)
    corners = rest[triangles]
    sides = np.stack([np.linalg.norm(corners[:, i] - corners[:, j], axis=1) for i, j in ((0, 1), (1, 2), (2, 0))])
    half = sides.sum(axis=0) / 2
    heron = np.sqrt(half * np.prod(half - sides, axis=0))
    np.testing.assert_allclose(area, heron, rtol=1e-8)
