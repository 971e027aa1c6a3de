"""In which order the vertices of solids leave a narrow band of what they answer: along their length, layer by layer alike."""

import numpy as np

SAME = 1e-6
"""Vertices are of one layer whose places differ by less, of the largest extent [-]."""


def along_axis(position: np.ndarray) -> np.ndarray:
    """How far points lie along the axis of their greatest extent [m] (n,)."""
    away = position - position.mean(axis=0)
    return away @ np.linalg.eigh(away.T @ away)[1][:, -1]


def narrow_ranks(rest: np.ndarray, elements: np.ndarray) -> np.ndarray:
    """Places (n,) of vertices at rest [m] (n, 3) in the narrower of two orders, for elements (e, k) between them.

    Sorted along the axis of greatest extent, vertices of one layer lie in any order, and two whole layers are in a band. Sorted
    along x, y and z, the longest first, layers of cubes lie alike: one layer and a row. But a mesh may lie askew in its frame.
    """
    extent = np.ptp(rest, axis=0)
    layer = np.round(rest / (SAME * extent.max()))[:, np.argsort(extent, kind="stable")]
    orders = np.lexsort(layer.T), np.argsort(along_axis(rest), kind="stable")
    ranks = [np.empty(len(rest), np.int64) for _ in orders]
    for rank, order in zip(ranks, orders, strict=True):
        rank[order] = np.arange(len(rest))
    return min(ranks, key=lambda rank: int(np.ptp(rank[elements], axis=1).max(initial=0)))
