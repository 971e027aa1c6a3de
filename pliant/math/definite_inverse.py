"""The inverse of a small dense matrix that is symmetric and positive definite."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri


def inverse(matrix: np.ndarray) -> np.ndarray:
    """Of a symmetric positive definite matrix."""
    factor, _ = dpotrf(matrix, lower=1, overwrite_a=1)
    lower, _ = dpotri(factor, lower=1, overwrite_c=1)
    lower = np.tril(lower)
    return lower + np.tril(lower, -1).T
