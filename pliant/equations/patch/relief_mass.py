"""The mass of a relief on the vertices of the cell under it, so that total and centre of mass are the relief's.

A point x of the relief goes to the four corners of that cell by its barycentric weights there, of which that of the corner
inside is negative: sum of weights 1, sum of weights times corners x, also when the cell is deformed. Weights are affine in x,
so that a relief's volume v and first moment q have all that is needed. With the edges E = (x_1 - x_0, x_2 - x_0, x_3 - x_0),

    (W_1, W_2, W_3) = E^-1 (q - v x_0)        W_0 = v - W_1 - W_2 - W_3

Where a relief is so high that a vertex would keep less than LEAST of what its cells alone give it, m_bare, all go by their
share of the way from m_flat, by the corners of the base triangle only, and the centre of mass is between:

    m = m_flat + s (m_true - m_flat)        s the most up to 1 with m >= LEAST m_bare everywhere

Source: [PaperD] volume patches; the shares are ours
Check: tests/patch/test_patch_measures.py
"""

import numpy as np

LEAST = 0.1
"""What a vertex keeps at least of the volume that the cells around it give it, whatever their relief [-]."""


def barycentric_shares(first: np.ndarray, arms: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """W [m3] (m, 4) of reliefs with `moments`, v [m3] and q [m4] (m, 4 or more), on cells with the first corner `first` [m]
    (m, 3) and edges from there as rows of `arms` [m] (m, 3, 3)."""
    away = moments[:, 1:4] - moments[:, :1] * first
    inner = np.linalg.solve(np.swapaxes(arms, 1, 2), away[:, :, None])[:, :, 0]
    return np.concatenate([moments[:, :1] - inner.sum(axis=1, keepdims=True), inner], axis=1)


def kept_above(bare: np.ndarray, flat: np.ndarray, true: np.ndarray) -> np.ndarray:
    """m (n,) of m_bare, m_flat and m_true (n,)."""
    over = np.maximum(flat - true, 1e-300)
    way = float(np.clip((flat - LEAST * bare) / over, 0.0, 1.0).min())
    return flat + way * (true - flat)
