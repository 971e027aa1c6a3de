"""Second derivative of the potentials of strain and volume, for Newton's method.

A potential of F that depends on its singular values alone, f(s) with F = U diag(s) V^T, has a second derivative that is
diagonal, but for one small block, in the directions U T V^T:

    T = e_i e_i^T                      the block  f_ij
    T = (e_i e_j^T - e_j e_i^T)/√2     (f_i + f_j) / (s_i + s_j)
    T = (e_i e_j^T + e_j e_i^T)/√2     (f_i - f_j) / (s_i - s_j),    f_ii - f_ij where s_i = s_j
    u_normal v_i^T  (3 x 2 only)       f_i / s_i

For w/2 (distance to a set)^2 with nearest singular values d:   f_i = w (s_i - d_i),   f_ij = w (1_ij - dd_i/ds_j), with

    strain    dd_i/ds_i = 1 inside the range, 0 where clamped
    volume    d_i (d_i - s_i) = m and the product fixed:   a_i = d_i^2 / (d_i^2 + m),
              dd_i/ds_j = a_i 1_ij - (a_i/d_i)(a_j/d_j) / sum_k a_k/d_k^2;     inside the range d = s

Making it definite: negative values, and negative eigenvalues of the block, are replaced by zero.

Source: [PaperD] Newton's method, its Hessian made definite; [Smith2019] the eigenvectors
Check: tests/equations/test_elastic_hessian.py
"""

import numpy as np


def nearest_derivatives(s: np.ndarray, d: np.ndarray) -> np.ndarray:
    """dd_i/ds_j (e, k, k) of singular values `d` with a fixed product, next to `s`, both (e, k)."""
    m = np.mean(d * (d - s), axis=1, keepdims=True)
    a = d * d / (d * d + m)
    b = a / d
    out = -b[:, :, None] * b[:, None, :] / np.sum(b * b / a, axis=1)[:, None, None]
    k = s.shape[1]
    out[:, np.arange(k), np.arange(k)] += a
    return out


def derivatives(s: np.ndarray, strain: np.ndarray, weight: np.ndarray, ranges: np.ndarray, d: np.ndarray
                ) -> tuple[np.ndarray, np.ndarray]:
    """f_i (e, k) and f_ij (e, k, k) of both constraints.

    strain, weight: weights (e,) of strain and volume; ranges (e, 4); d: singular values (e, k) of the right volume.
    """
    k = s.shape[1]
    near = np.clip(s, ranges[:, :1], ranges[:, 1:2])
    product = np.prod(s, axis=1)
    outside = ((product < ranges[:, 2]) | (product > ranges[:, 3])) | (ranges[:, 2] == ranges[:, 3])
    f = strain[:, None] * (s - near) + weight[:, None] * np.where(outside[:, None], s - d, 0.0)
    clamped = (s < ranges[:, :1]) | (s > ranges[:, 1:2]) | (ranges[:, :1] == ranges[:, 1:2])
    second = np.where(outside, weight, 0.0)[:, None, None] * (np.eye(k) - nearest_derivatives(s, d))
    second[:, np.arange(k), np.arange(k)] += strain[:, None] * clamped
    return f, second


def frame_values(s: np.ndarray, f: np.ndarray, second: np.ndarray, definite: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The second derivative in the singular frames: of T_ii with T_jj, T_ij with itself, T_ij with T_ji, all (e, k, k).

    They are f_ij, (flip + spin)/2 and (flip - spin)/2, spin and flip being the values of the two mixed directions above.
    """
    k, size = s.shape[1], len(s)
    mend = (lambda x: np.maximum(x, 0.0)) if definite else (lambda x: x)
    own, other = np.zeros((size, k, k)), np.zeros((size, k, k))
    for i in range(k):
        for j in range(i + 1, k):
            total, gap = s[:, i] + s[:, j], s[:, i] - s[:, j]
            spin = mend((f[:, i] + f[:, j]) / np.where(np.abs(total) > 1e-9, total, 1e-9))
            same = np.abs(gap) < 1e-7
            flip = mend(np.where(same, second[:, i, i] - second[:, i, j], (f[:, i] - f[:, j]) / np.where(same, 1.0, gap)))
            own[:, i, j] = own[:, j, i] = 0.5 * (flip + spin)
            other[:, i, j] = other[:, j, i] = 0.5 * (flip - spin)
    return _mended(second) if definite else second, own, other


def _mended(second: np.ndarray) -> np.ndarray:
    """Symmetric matrices (e, k, k) without what of them is negative; those that are definite, or not finite, as they are."""
    minors = [np.linalg.det(second[:, :i, :i]) for i in range(2, second.shape[1] + 1)]
    some = np.flatnonzero(~np.all([second[:, 0, 0] > 0.0, *(m > 0.0 for m in minors)], axis=0)
                          & np.isfinite(second).all(axis=(1, 2)))
    values, axes = np.linalg.eigh(second[some])
    out = second.copy()
    out[some] = (axes * np.maximum(values, 0.0)[:, None, :]) @ np.swapaxes(axes, 1, 2)
    return out


def hessian(u: np.ndarray, s: np.ndarray, v: np.ndarray, f: np.ndarray, second: np.ndarray, definite: bool) -> np.ndarray:
    """The second derivative (e, 3, k, 3, k) by F. u (e, 3, 3), s (e, k), v (e, k, k): columns are singular vectors."""
    k = s.shape[1]
    second, own, other = frame_values(s, f, second, definite)
    # All in the singular frames: T of shape 3 x k, then turned.
    inner = np.zeros((len(s), 3, k, 3, k))
    for i in range(k):
        if k == 2:
            outward = f[:, i] / np.maximum(s[:, i], 1e-12)
            inner[:, 2, i, 2, i] += np.maximum(outward, 0.0) if definite else outward
        for j in range(k):
            inner[:, i, i, j, j] += second[:, i, j]
            inner[:, i, j, i, j] += own[:, i, j]
            inner[:, i, j, j, i] += other[:, i, j]
    frame = np.einsum("eai,ebj->eabij", u, v).reshape(len(s), 3 * k, 3 * k)
    turned = frame @ inner.reshape(len(s), 3 * k, 3 * k) @ np.swapaxes(frame, 1, 2)
    return turned.reshape(len(s), 3, k, 3, k)
