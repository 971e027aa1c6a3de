"""The least of a quadratic form over numbers that are not negative: contacts that push and do not rub."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def least_nonnegative(matrix: Numbers, slope: Numbers, start: Numbers, close: float) -> Numbers:
    """x (n,) >= 0 with matrix x + slope >= -close, one of both zero in each place; matrix (n, n), definite; from `start` (n,).

    That is the least of x matrix x / 2 + slope x. Those that are positive are solved for at once; on the way there the
    first that would turn negative are left out, then the one that pulls most is taken in. Each such step lowers the form, so
    that none comes twice: it ends wherever it starts, where Newton's method may go round.

    Source: [Lawson1974] algorithm NNLS, in the form of the normal equations
    Check: tests/equations/test_nonnegative.py
    """
    x = np.maximum(start, 0.0)
    taken = x > 0.0
    for _ in range(3 * len(x) + 1):
        x = _fitted(matrix, slope, x, taken)
        pull = np.where(taken, 0.0, matrix @ x + slope)
        most = int(pull.argmin()) if len(x) else 0
        if not len(x) or pull[most] >= -close:
            break
        taken[most] = True
    return x


def _fitted(matrix: Numbers, slope: Numbers, x: Numbers, taken: NDArray[np.bool_]) -> Numbers:
    """The least over those `taken`, from x, but for those that would have to be negative on the way. Writes: taken"""
    while taken.any():
        some = np.flatnonzero(taken)
        try:
            wanted = np.linalg.solve(matrix[np.ix_(some, some)], -slope[some])
        except np.linalg.LinAlgError:  # two that say the same to the last bit: what is there stays
            break
        if (wanted > 0.0).all():
            x = np.zeros_like(x)
            x[some] = wanted
            return x
        low = wanted <= 0.0
        if not low.any():  # not finite
            break
        part = float((x[some][low] / np.maximum(x[some][low] - wanted[low], 1e-300)).min())
        there = x[some] + part * (wanted - x[some])
        out = low & (there <= 1e-12 * max(float(x.max()), 1e-300))
        x = np.zeros_like(x)
        x[some] = np.where(out, 0.0, np.maximum(there, 0.0))
        taken[some[out]] = False
        if not out.any():
            break
    return x
