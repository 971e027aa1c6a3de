"""Where a sheet has passed through itself, by every edge against every triangle."""

import numpy as np


def crossings(x: np.ndarray, faces: np.ndarray) -> int:
    """How many edges lead through triangles of the same sheet."""
    edges = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    a, b, c = (x[faces[:, k]] for k in range(3))
    normal, count = np.cross(b - a, c - a), 0
    for i, j in edges:
        apart = ~((faces == i) | (faces == j)).any(axis=1)
        one, two = ((x[k] - a) * normal for k in (i, j))
        one, two = one.sum(axis=1), two.sum(axis=1)
        k = np.flatnonzero(apart & (one * two < 0.0))
        p = x[i] + (one[k] / (one[k] - two[k]))[:, None] * (x[j] - x[i])
        inside = [(np.cross(w[k] - u[k], p - u[k]) * normal[k]).sum(axis=1) > 0.0 for u, w in ((a, b), (b, c), (c, a))]
        count += int(np.logical_and.reduce(inside).sum())
    return count
