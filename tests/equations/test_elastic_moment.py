"""Plates of triangles that bend at their edges. Oracles: beam and plate theory, a saddle point, finite differences."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "soft"))

from bars import equilateral, scattered, sheet, slanted

from pliant.equations.elastic.bending_angle import bend_coefficients, inner_edges
from pliant.equations.elastic.bending_moment import edge_compliance, halfway, turned_by

EPS = np.finfo(float).eps
MESHES = {"changing diagonals": sheet, "one diagonal": slanted, "scattered": scattered}


def plate(points, triangles, stiffness, poisson):
    """Y (e, n), S and w."""
    edges = inner_edges(triangles)
    k = bend_coefficients(points, edges)
    rows = np.repeat(np.arange(len(edges)), 4)
    return (coo_matrix((k.ravel(), (rows, edges.ravel())), (len(edges), len(points))).tocsr(),
            *edge_compliance(points, triangles, edges, stiffness, poisson))


def deflection(points, triangles, poisson, held, load):
    """Of the vertices [m] (n,) across their plane under `load` [N] (n,), D = 1 N m; held ones stay."""
    y, s, _ = plate(points, triangles, 1.0, poisson)
    free = np.flatnonzero(~held)
    inner = y[:, free]
    stiffness = inner.T @ spsolve(s.tocsc(), inner.toarray())
    out = np.zeros(len(points))
    out[free] = np.linalg.solve(stiffness, load[free])
    return out


def areas(points, triangles):
    """Of the vertices [m2] (n,)."""
    a, b = points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]]
    return np.bincount(triangles.ravel(), np.repeat(np.linalg.norm(np.cross(a, b), axis=1) / 6.0, 3), len(points))


@pytest.mark.parametrize("poisson", [0.0, 0.3])
@pytest.mark.parametrize("slices", [20, 40])
@pytest.mark.parametrize("mesh", MESHES)
def test_a_strip_sags_as_a_beam(mesh, slices, poisson):
    """q L^4 / 8 E I with E I = D (1 - nu^2) per width, on every mesh at every density, within 2.5 %.

    Two columns of vertices are held: the edges between the second and the third bend halfway, so the free length is half a
    slice more than to the second. Between D and D (1 - nu^2), 9 % apart, is what the clamp takes by keeping it flat there.
    """
    length, width = 0.2, 0.03
    points, triangles = MESHES[mesh](slices, max(2, round(slices * width / length)), (length, width))
    side = length / slices
    z = deflection(points, triangles, poisson, points[:, 0] < 1.01 * side, areas(points, triangles))
    exact = (length - 0.5 * side) ** 4 / 8.0 / (1.0 - poisson**2)
    assert z[points[:, 0] > length - 1e-9].mean() == pytest.approx(exact, rel=0.025)


@pytest.mark.parametrize("mesh", MESHES)
def test_a_plate_on_supports_bends_as_naviers(mesh):
    """Square plate on supports under even load: 0.00406 q a^4 / D in the middle (Navier's series); error of order (1/n)^2."""
    errors = []
    for n in (8, 16):
        points, triangles = MESHES[mesh](n, n, (1.0, 1.0))
        border = (np.abs(points[:, :2] - 0.5) > 0.5 - 1e-9).any(axis=1)
        z = deflection(points, triangles, 0.3, border, areas(points, triangles))
        middle = np.argmin(np.linalg.norm(points[:, :2] - 0.5, axis=1))
        odd = np.arange(1, 40, 2)
        i, j = np.meshgrid(odd, odd)
        at = np.sin(i * np.pi * points[middle, 0]) * np.sin(j * np.pi * points[middle, 1])
        errors.append(abs(z[middle] / (np.sum(16 * at / (i * j * (i**2 + j**2) ** 2)) / np.pi**6) - 1.0))
    assert errors[1] < 0.3 * errors[0] and errors[1] < 0.015, errors


def test_moments_are_the_best_bound():
    """1/2 y.S^-1 y is the most that m.y - 1/2 m.S m can be, and S of equilateral triangles is that worked out by hand.

    Side 1, D = 1, nu = 0: M_e has the eigenvalues 1 across e and -1/3 along it, so M_e : M_e = 10/9, M_e : M_f = -2/9; times
    the areas √3/4, of one triangle between two edges and of two for an edge itself.
    """
    points, triangles = equilateral(4, 4, 1.0)
    _, s, w = plate(points, triangles, 1.0, 0.0)
    s = s.toarray()
    area = 0.75**0.5 / 2.0
    np.testing.assert_allclose(np.diag(s), 2 * area * 10 / 9, rtol=50 * EPS)
    off = s[~np.eye(len(s), dtype=bool)]
    np.testing.assert_allclose(off[off != 0.0], -area * 2 / 9, rtol=50 * EPS)
    assert np.linalg.eigvalsh(s - np.diag(1.0 / w)).min() > -50 * EPS, "the constant energy lies above"
    rng = np.random.default_rng(1)
    y = rng.normal(size=len(s))
    best = 0.5 * y @ np.linalg.solve(s, y)
    assert all(m @ y - 0.5 * m @ s @ m <= best for m in rng.normal(size=(50, len(s))))


@pytest.mark.parametrize("mesh", MESHES)
def test_the_constant_energy_lies_above_on_any_mesh(mesh):
    """diag(1/w) <= S: the least eigenvalue of what is between them is not negative."""
    points, triangles = MESHES[mesh](8, 5, (0.8, 0.5))
    _, s, w = plate(points, triangles, 2.0, 0.4)
    root = np.sqrt(w)
    assert np.linalg.eigvalsh(root[:, None] * s.toarray() * root).min() > 1.0 - 1e-12


@pytest.mark.parametrize("low", [(0.0, 0.0), (1e3, 0.0), (1e3, 1e3)])
@pytest.mark.parametrize("folded", [False, True])
def test_the_normal_halfway_turns_as_said(low, folded):
    """Central differences of n.m: error of order step^2 + eps / step, also of narrow triangles and of those folded flat."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        x, m, step = rng.normal(size=(4, 3)), rng.normal(size=3), 1e-6
        if folded:
            x[3] = x[2] + 0.05 * rng.normal(size=3)
        g = np.array(turned_by(*map(tuple, x), *low, tuple(m)))
        g = np.concatenate([-g.sum(axis=0, keepdims=True), g])
        for a in range(4):
            for c in range(3):
                d = np.zeros((4, 3))
                d[a, c] = step
                two = [np.array(halfway(*map(tuple, x + way * d), *low)[0]) @ m for way in (1.0, -1.0)]
                assert (two[0] - two[1]) / (2 * step) == pytest.approx(g[a, c], abs=1e-8 * (1.0 + np.abs(g).max()) ** 3)
