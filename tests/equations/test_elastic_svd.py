"""Singular value decompositions of 3 x 3 and 3 x 2 matrices. Oracle: LAPACK, and the definition itself."""

import numpy as np

from pliant.math.polar import rotation_of
from pliant.math.svd3 import LANES, SVD_ROWS, svd3, svd3_lanes, svd32

EPS = np.finfo(float).eps
TINY = 1e-70  # fourth powers of less are not numbers any more: such entries count as zero


def matrices() -> np.ndarray:
    """(192, 3, 3): random, nearly rotations, rotations, squeezed, flat, lines, zero, inverted, repeated values."""
    rng = np.random.default_rng(3)
    out = [rng.normal(size=(3, 3)) for _ in range(60)]
    q = [np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(132)]
    out += [a + 1e-9 * rng.normal(size=(3, 3)) for a in q[:20]]
    out += q[20:40]
    out += [a @ np.diag([3.0, 1.0, 1e-7]) @ b for a, b in zip(q[40:60], q[60:80], strict=True)]
    out += [a @ np.diag([2.0, 1.0, 0.0]) @ b for a, b in zip(q[80:90], q[90:100], strict=True)]
    out += [np.outer(a[0], b[0]) for a, b in zip(q[:10], q[10:20], strict=True)]
    out += [np.zeros((3, 3)), 1e-160 * np.ones((3, 3)), 1e-60 * np.ones((3, 3))]
    out += [np.eye(3), -np.eye(3), np.diag([1.0, 2.0, 2.0])]
    out += [1e8 * a for a in q[100:120]]
    out += [rng.normal(size=(3, 3)) * [1e-12, 1.0, 1e4] for _ in range(192 - len(out))]
    return np.array(out)


def check(f, u, s, v):
    """F = U diag(s) V^T, proper rotations, LAPACK's singular values with the sign of the determinant on the least."""
    size = np.abs(f).max()
    tolerance = 200 * EPS
    np.testing.assert_allclose(u @ np.diag(s) @ v.T, f, rtol=0, atol=tolerance * size + TINY)
    for one in (u, v):
        np.testing.assert_allclose(one.T @ one, np.eye(3), atol=tolerance)
        assert abs(np.linalg.det(one) - 1.0) < tolerance
    np.testing.assert_allclose(np.abs(s), np.linalg.svd(f)[1], rtol=0, atol=tolerance * size + TINY)
    slack = tolerance * size + TINY
    assert s[0] >= s[1] - slack and s[1] >= abs(s[2]) - slack and s[1] >= -slack


def test_on_tuples():
    for f in matrices():
        u, s, v = svd3(tuple(map(tuple, f.T)))
        check(f, np.array(u).T, np.array(s), np.array(v).T)


def test_side_by_side():
    """Also: how many sweeps it takes is bounded."""
    all_f = matrices()
    for block in range(len(all_f) // LANES):
        f = all_f[block * LANES:(block + 1) * LANES]
        scratch = np.zeros((1, SVD_ROWS * LANES))
        scratch[0, : 9 * LANES] = f.reshape(LANES, 9).T.ravel()
        assert svd3_lanes(scratch, 0) <= 8
        rows = scratch.reshape(SVD_ROWS, LANES)
        for k in range(LANES):
            check(f[k], rows[:9, k].reshape(3, 3), rows[18:21, k], rows[9:18, k].reshape(3, 3))


def test_of_two_columns():
    for f in matrices()[:, :, :2]:
        (u0, u1), s, (c, w) = svd32(tuple(f[:, 0]), tuple(f[:, 1]))
        size = np.abs(f).max()
        u, v = np.array([u0, u1]).T, np.array([[c, w], [-w, c]])
        np.testing.assert_allclose(u @ np.diag(s) @ v.T, f, rtol=0, atol=100 * EPS * size + TINY)
        np.testing.assert_allclose(u.T @ u, np.eye(2), atol=100 * EPS)
        np.testing.assert_allclose(sorted(s)[::-1], np.linalg.svd(f)[1], rtol=0, atol=100 * EPS * size + TINY)


def test_the_nearest_rotation_of_a_turned_stretch_is_the_turn():
    """Oracle: F = R S with S symmetric positive definite has the polar factors R and S."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        q *= np.linalg.det(q)
        a = rng.normal(size=(3, 3))
        f = q @ (a @ a.T + 0.5 * np.eye(3))
        np.testing.assert_allclose(np.array(rotation_of(tuple(map(tuple, f.T)))).T, q, atol=1e3 * EPS)
