"""How far a solid is from a blend of its examples, whatever its cells are turned by.

With the stretches S_k,c of the examples in every cell c (example_blend.py), the blend t and the volumes V_c at rest,

    S_c = sum_k t_k S_k,c        d^2 = sum_c V_c |F_c - R_c S_c|^2 / (3 sum_c V_c)

R_c the rotation nearest to F_c S_c. Of a solid stretched evenly by 1 + e beside its examples, d = |e|.

Source: [PaperD] examples, the two cars of figure 4; the mean is ours
Check: tests/scenes/test_crash.py
"""

import numpy as np

from .deformation_gradient import cell_gradients


def blend_distance(rest: np.ndarray, cells: np.ndarray, examples, share: np.ndarray, positions: np.ndarray) -> float:
    """d [-] of positions [m] (n, 3), by the blend `share`, t (k + 1,), of the shape at rest and k examples [m] (n, 3)."""
    inverse, volume = cell_gradients(rest, cells)
    blend = sum(t * _stretch(_gradient(shape, cells, inverse)) for t, shape in zip(share, (rest, *examples), strict=True))
    gradient = _gradient(positions, cells, inverse)
    away = gradient - _rotation(gradient @ blend) @ blend
    return float(np.sqrt(volume @ np.einsum("cij,cij->c", away, away) / (3.0 * volume.sum())))


def _gradient(positions: np.ndarray, cells: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    corner = positions[cells]
    return np.swapaxes(corner[:, 1:] - corner[:, :1], 1, 2) @ inverse


def _rotation(matrix: np.ndarray) -> np.ndarray:
    """The rotations nearest to matrices (c, 3, 3)."""
    u, _, v = np.linalg.svd(matrix)
    u[:, :, 2] *= np.linalg.det(u @ v)[:, None]
    return u @ v


def _stretch(gradient: np.ndarray) -> np.ndarray:
    return np.swapaxes(_rotation(gradient), 1, 2) @ gradient
