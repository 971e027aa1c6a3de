"""Jacobi with inertia: every constraint proposes where its vertices should be, and each vertex takes the mean.

    p_v = (s_v / h^2 + sum_i w_i pi_i,v) / (1 / h^2 + sum_i w_i)          w_i in 1/s^2

Constraint i, of potential k/2 |A S p - pi|^2, proposes pi_i,v = p_v + k (A S)_v^T (pi - A S p) / (w_i m_v), which makes the
mean come to rest exactly where equation 5 has its least:

    p_v <- p_v + (-dE/dp)_v / (m_v (1 / h^2 + sum_i w_i))

The energy falls with every iteration, whatever the other constraints want, if w_i M is at least k (A S)^T A S:

    w_i = the largest eigenvalue of k M^-1/2 (A S)^T A S M^-1/2

That is what Gauss-Seidel lacks: where constraints contradict each other it goes round and round.

Proposals of one constraint add up to no push, but each vertex divides by its own sum of weights, so that means that have not
come to rest take momentum from where there was none. What nothing holds has an energy of its mean m = sum m_v p_v / M alone,
M/2 (m - mean of s)^2 / h^2, and one of the rest. So a step d keeps its share of the rest, and takes m to the least at once:

    d_v <- d_v - sum m_u d_u / M + h^2 sum (-dE/dp)_u / M

which is the momentum that acts from outside, exactly, and lowers the energy by more than d.

Source: [PaperD] the Jacobi form after equation 6
Check: tests/soft/test_relatives.py and tests/soft/test_projective.py
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


def moved_as_a_whole(change: np.ndarray, force: np.ndarray, mass: np.ndarray, h: float) -> np.ndarray:
    """The step `change` [m] (n, 3) with the mean that `force`, -dE/dp [N] (n, 3), has the masses [kg] (n,) go in `h` [s]."""
    return change + (h * h * force.sum(axis=0) - mass @ change) / mass.sum()
