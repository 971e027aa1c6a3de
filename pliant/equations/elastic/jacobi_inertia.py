"""Jacobi with inertia: every constraint proposes where its vertices should be, and each vertex takes the mean.

    p_v = (s_v / h^2 + sum_i w_i pi_i,v) / (1 / h^2 + sum_i w_i)          w_i in 1/s^2

Constraint i, of potential k/2 |A S p - pi|^2, proposes pi_i,v = p_v + k (A S)_v^T (pi - A S p) / (w_i m_v), which makes the
mean come to rest exactly where equation 5 has its least:

    p_v <- p_v + (-dE/dp)_v / (m_v (1 / h^2 + sum_i w_i))

The energy falls with every iteration, whatever the other constraints want, if w_i M is at least k (A S)^T A S:

    w_i = the largest eigenvalue of k M^-1/2 (A S)^T A S M^-1/2

That is what Gauss-Seidel lacks: where constraints contradict each other it goes round and round.

Source: [PaperD] the Jacobi form after equation 6
Check: tests/soft/test_relatives.py
"""

import numpy as np


def constraint_rates(corners: np.ndarray, gradient: np.ndarray, weight: np.ndarray, inverse_mass: np.ndarray) -> np.ndarray:
    """w_i [1/s2] (e,) from corners (e, k), A (e, k, d), weights (e,) and inverse masses [1/kg] (n,)."""
    if not len(corners):
        return np.zeros(0)
    scaled = gradient * np.sqrt(inverse_mass[corners])[:, :, None]
    return weight * np.linalg.eigvalsh(np.einsum("eai,ebi->eab", scaled, scaled))[:, -1]


def vertex_stiffness(parts: list, mass: np.ndarray, inverse_mass: np.ndarray, pins: np.ndarray, h: float) -> np.ndarray:
    """m_v (1/h^2 + sum_i w_i) + pins [N/m] (n,), from parts as in implicit_euler.py; infinite for held vertices."""
    total = 1.0 / h**2 * np.ones_like(mass)
    for corners, gradient, weight in parts:
        rates = constraint_rates(corners, gradient, weight, inverse_mass)
        total += np.bincount(corners.ravel(), np.repeat(rates, corners.shape[1]), len(mass))
    return np.where(mass > 0.0, mass * total + pins, np.inf)
