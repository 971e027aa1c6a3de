"""Implicit Euler as a minimum: where a soft thing is at the end of a step.

With s = x + h v + h^2 M^-1 f (where inertia and outer forces alone would lead) the step ends at the least of

    E(p) = 1/(2 h^2) |p - s|_M^2  +  sum_i  w_i/2 |A_i S_i p - pi_i|^2,     pi_i the point of the i-th set next to A_i S_i p

Its gradient takes each pi_i as fixed, because a distance does not change to first order with its nearest point:

    -dE/dp = M/h^2 (s - p) + sum_i w_i S_i^T A_i^T (pi_i - A_i S_i p)

Local/global: find all pi_i (local), then the least E for those pi_i (global). E with pi fixed is quadratic with the constant
matrix K = M/h^2 + sum_i w_i S_i^T A_i^T A_i S_i and lies above E, touching it at p; so the global step is

    p <- p + K^-1 (-dE/dp)

and E never rises. An impulse J of rows (contacts, attachments) adds J/h to -dE/dp. Rows see the vertex v through the block's
answer to a unit impulse, dv = (K^-1)_vv / h^2, which holds while the pi_i stay.

Source: [PaperD] equations 1, 3, 5 and the linear solve after 5
Check: tests/soft/test_projective.py
"""

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags


def stiffness_matrix(count: int, parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> csr_matrix:
    """sum_i w_i S_i^T A_i^T A_i S_i [N/m] (count, count), alike for x, y and z.

    Each part is (corners (e, k), A (e, k, d), weights (e,)).
    """
    total = csr_matrix((count, count))
    for corners, gradient, weight in parts:
        if len(corners):
            k = corners.shape[1]
            block = np.einsum("e,eai,ebi->eab", weight, gradient, gradient)
            rows, columns = np.repeat(corners, k, axis=1).ravel(), np.tile(corners, (1, k)).ravel()
            total = total + coo_matrix((block.ravel(), (rows, columns)), shape=(count, count)).tocsr()
    return csr_matrix(total)


def step_matrix(stiffness: csr_matrix, mass: np.ndarray, pins: np.ndarray, h: float) -> csr_matrix:
    """K [N/m]; rows and columns of held vertices (no mass) become those of the unit matrix."""
    free = (mass > 0.0).astype(float)
    inner = diags(free) @ stiffness @ diags(free)
    return csr_matrix(inner + diags(mass / h**2 + free * pins + (1.0 - free)))
