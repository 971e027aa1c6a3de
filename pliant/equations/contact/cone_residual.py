"""Signorini's and Coulomb's conditions of many contacts as one equation, and a step of Newton's method for it.

With impulses lambda along normal and tangents, speeds u = u_0 + K lambda and any positive d, contacts push and stick or slip as
they should where lambda is its own projection:

    lambda_n = max(lambda_n - u_n / d, 0),     lambda_t = P(lambda_t - u_t / d),  P on the disc of radius mu lambda_n

F = d (lambda - that) [m/s] is zero there. It has kinks, and between them derivatives: with z = lambda - u / d,

    it pushes (z_n > 0)   dF_n = K_n dlambda           else   dF_n = d dlambda_n
    it sticks (|z_t| <= mu lambda_n)  dF_t = K_t dlambda
    it slips, s = z_t/|z_t|           dF_t = d dlambda_t - d mu s dlambda_n - G (d dlambda_t - K_t dlambda),
                                      G = mu lambda_n / |z_t| (1 - s s^T)

Source: [Alart1991] the functional of an augmented Lagrangian for contact with friction, differentiated where it can be
Check: tests/soft/test_dense_contacts.py
"""

import numpy as np


def residual(own: np.ndarray, friction: np.ndarray, speed: np.ndarray, impulse: np.ndarray) -> np.ndarray:
    """F [m/s] (r, 3); own: d [1/kg] (r,)."""
    wanted = impulse - speed / own[:, None]
    np.maximum(wanted[:, 0], 0.0, out=wanted[:, 0])
    radius, size = friction * np.maximum(impulse[:, 0], 0.0), np.hypot(wanted[:, 1], wanted[:, 2])
    wanted[:, 1:] *= np.where(size > radius, radius / np.maximum(size, 1e-300), 1.0)[:, None]
    return own[:, None] * (impulse - wanted)


def newton_system(matrix: np.ndarray, own: np.ndarray, friction: np.ndarray, speed: np.ndarray, impulse: np.ndarray,
                  off: np.ndarray) -> np.ndarray:
    """The step of the impulses [N s] (r, 3) that makes F = `off` zero where its derivative holds."""
    z = impulse - speed / own[:, None]
    radius, size = friction * np.maximum(impulse[:, 0], 0.0), np.hypot(z[:, 1], z[:, 2])
    step = np.zeros_like(impulse)
    some = np.flatnonzero(z[:, 0] > 0.0)
    rest = np.flatnonzero(z[:, 0] <= 0.0)
    step[rest] = -off[rest] / own[rest, None]
    if not len(some):
        return step
    rows = (3 * some[:, None] + np.arange(3)).ravel()
    system, right = matrix[np.ix_(rows, rows)], -off[some]
    if step.any():
        # What does not push goes at once, and the others answer.
        pushed = (matrix[rows] @ step.ravel()).reshape(-1, 3)
    else:
        pushed = np.zeros_like(right)
    right[:, 0] -= pushed[:, 0]
    slips = size[some] > radius[some]
    right[~slips, 1:] -= pushed[~slips, 1:]
    for k in np.flatnonzero(slips):
        i, at = some[k], slice(3 * k + 1, 3 * k + 3)
        s = z[i, 1:] / size[i]
        g = (radius[i] / size[i]) * (np.eye(2) - np.outer(s, s))
        right[k, 1:] -= g @ pushed[k, 1:]
        system[at] = g @ system[at]
        system[at, at] += own[i] * (np.eye(2) - g)
        system[at, 3 * k] -= own[i] * friction[i] * s
    step[some] = np.linalg.solve(system, right.ravel()).reshape(-1, 3)
    return step
