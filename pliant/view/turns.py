"""Rotations of many things at once, for pictures; quaternions (w, x, y, z), arrays (n, 4) and (n, 3)."""

import numpy as np


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion products a b (n, 4)."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    return np.stack([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                     aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], axis=-1)


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors v (n, 3) turned by quaternions q (n, 4)."""
    t = 2.0 * np.cross(q[:, 1:], v)
    return v + q[:, :1] * t + np.cross(q[:, 1:], t)


def inverse(q: np.ndarray) -> np.ndarray:
    """Inverses of unit quaternions (n, 4)."""
    return q * (1.0, -1.0, -1.0, -1.0)


def from_z(direction: np.ndarray) -> np.ndarray:
    """The shortest turns (n, 4) that take z to unit vectors (n, 3)."""
    x, y, z = np.asarray(direction, float).reshape(-1, 3).T
    q = np.stack([1.0 + z, -y, x, np.zeros_like(x)], axis=-1)
    q[z < -1.0 + 1e-12] = (0.0, 1.0, 0.0, 0.0)
    return q / np.linalg.norm(q, axis=1, keepdims=True)
