"""Pulls of cells and triangles without a decomposition. Oracles: NumPy's decomposition, a root finder, NumPy's eigenvalues."""

import numpy as np
import pytest
from scipy.optimize import brentq

from pliant.math.eigen3 import symmetric_values
from pliant.solvers.projective.block import Projective
from pliant.solvers.soft.mesh import cloth_model, solid_model

EPS = np.finfo(float).eps
YOUNG, POISSON = 1e5, 0.4


def stretches(count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Singular values (n, count) of all kinds, the last ones narrow, inverted or a pair of them."""
    one = np.ones(count)
    kinds = {"ordinary": rng.uniform(0.4, 1.8, (300, count)), "near rest": 1.0 + 1e-3 * rng.normal(size=(100, count)),
             "almost at rest": 1.0 + 1e-9 * rng.normal(size=(60, count)), "at rest": np.ones((5, count)),
             "pairs": np.array([1.5, *one[1:]]) + 1e-9 * rng.normal(size=(60, count)),
             "at the end of the range": 1.05 + 2e-4 * rng.normal(size=(100, count)),
             "narrow": rng.uniform(0.5, 1.5, (100, count)) * np.array([*one[1:], 1e-3])}
    if count == 3:
        kinds["inverted"] = rng.uniform(0.5, 1.5, (100, 3)) * [1.0, 1.0, -1.0]
    return kinds


def nearest(s: np.ndarray, product: float) -> np.ndarray:
    """The d next to `s` with that product, d_i = (s_i + sqrt(s_i^2 + 4 m))/2 but for the least, which may be the other root."""
    k = int(np.argmin(s))

    def made(d):
        m = d * (d - s[k])
        out = 0.5 * (s + np.sqrt(np.maximum(s * s + 4.0 * m, 0.0)))
        out[k] = d
        return out

    return made(brentq(lambda d: np.prod(made(d)) - product, 1e-9, 10.0, xtol=1e-16, rtol=4 * EPS))


def expected(f: np.ndarray, weights, strain) -> tuple[np.ndarray, float]:
    """P and the energy of one element by NumPy's decomposition; a lone inverted cell is drawn to a rotation alone."""
    u, s, vt = np.linalg.svd(f, full_matrices=False)
    if f.shape[1] == 3 and np.linalg.det(f) < 0.0:
        u[:, 2] = -u[:, 2]
        off = np.clip(1.0, *strain) * u @ vt - f
        return weights[0] * off, 0.5 * weights[0] * (off * off).sum()
    a, c = np.clip(s, *strain) - s, nearest(s, 1.0) - s
    return (u * (weights[0] * a + weights[1] * c)) @ vt, 0.5 * (weights[0] * a @ a + weights[1] * c @ c)


@pytest.mark.parametrize("strain", [(1.0, 1.0), (0.9, 0.9), (0.95, 1.05)])
@pytest.mark.parametrize("count", [3, 2])
def test_pushes_and_energies(count, strain):
    """-P g on the corners of lone cells or triangles, mixed with others in a block: to 1e-12 of the weights."""
    rng = np.random.default_rng(count)
    values = np.concatenate(list(stretches(count, rng).values()))
    values = values[rng.permutation(len(values))]
    turn = [np.linalg.qr(rng.normal(size=(len(values), k, k)))[0] for k in (3, count)]
    f = (turn[0][:, :, :count] * values[:, None, :]) @ turn[1]
    if count == 3:
        f *= np.sign(np.linalg.det(turn[0]) * np.linalg.det(turn[1]))[:, None, None]
    n, shape = len(values), rng.normal(size=(count + 1, 3))
    if count == 2:
        shape[:, 2] = 0.0
    else:
        shape[[1, 2]] = shape[[1, 2]] if np.linalg.det(shape[1:] - shape[0]) > 0.0 else shape[[2, 1]]
    corners = np.arange(n * (count + 1)).reshape(n, -1)
    rest = np.tile(shape, (n, 1))
    if count == 3:
        model = solid_model(rest, corners, 1000.0, YOUNG, POISSON, strain=strain)
        arms = (shape[1:] - shape[0]).T
        work = "cells"
    else:
        model = cloth_model(rest, corners, 1000.0, YOUNG, POISSON, 1e-3, strain=strain)
        along, across = shape[1] - shape[0], shape[2] - shape[0]  # the triangle's own axes, the first along its first edge
        x = along / np.linalg.norm(along)
        y = across - (across @ x) * x
        arms = np.stack([along, across], axis=1)
        arms = np.stack([x, y / np.linalg.norm(y)]) @ arms
        work = "triangles"
    place = np.zeros_like(rest)
    place.reshape(n, count + 1, 3)[:, 1:] = np.swapaxes(f @ arms, 1, 2)
    block = Projective(model, place, np.zeros_like(place))
    block.begin(1.0)
    forces = block.forces().reshape(n, count + 1, 3)
    energy = getattr(block, work).energy.ravel()[:n]
    table = getattr(model, work).table.reshape(-1, getattr(model, work).table.shape[1] // 64, 64)
    weights = table[0, count * count:count * count + 2, 0]
    g = np.linalg.inv(arms)
    for k in range(n):
        p, potential = expected(f[k], weights, strain)
        close = 1e-12 * weights.sum()
        np.testing.assert_allclose(forces[k, 1:], g @ p.T, rtol=0, atol=close * np.abs(g).max(), err_msg=str(values[k]))
        assert abs(energy[k] - potential) < close, values[k]


def test_eigenvalues():
    """NumPy's: to rounding if they are apart; of close ones sum and product are."""
    rng = np.random.default_rng(7)
    for values in stretches(3, rng)["ordinary"]:
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        c = (axes * values) @ axes.T
        found = np.array(symmetric_values(c[0, 0], c[1, 1], c[2, 2], c[0, 1], c[0, 2], c[1, 2]))
        gap = np.abs(np.diff(np.sort(values))).min()
        np.testing.assert_allclose(found, np.sort(values)[::-1], rtol=0, atol=20 * EPS / min(gap, 1.0))
        assert abs(found.sum() - values.sum()) < 20 * EPS and abs(found.prod() - values.prod()) < 40 * EPS
