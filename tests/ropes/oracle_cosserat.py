"""A plane rod that bends, stretches and shears under its weight, as a boundary value problem: the limit of ever finer links.

With the angle θ(s) of the section's normal t, b across it, and N(s) = (0, −w (L − s)) what hangs beyond s:

    r' = (1 + N·t/EA) t + (N·b/GA) b,   EI θ'' = −(r' × N),   θ(0) given, θ'(L) = 0

(Reissner's plane rod.) Nothing here knows of pliant.
"""

import numpy as np
from scipy.integrate import solve_bvp


def heavy_cantilever(s, length: float, weight: float, bending: float, stretching: float, shearing: float,
                     clamp: float = 0.0) -> np.ndarray:
    """Points (x, z) [m] of arcs `s` of a rod clamped at the origin at the angle `clamp`; `weight` in all [N]."""
    per_length = weight / length

    def derivative(at, y):
        angle, curvature = y[0], y[1]
        t, b = np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])
        down = -per_length * (length - at)
        slope = (1.0 + down * t[1] / stretching) * t + (down * b[1] / shearing) * b
        return np.stack([curvature, -slope[0] * down / bending, slope[0], slope[1]])

    mesh = np.linspace(0.0, length, 201)
    guess = np.stack([np.full_like(mesh, clamp), np.zeros_like(mesh), mesh * np.cos(clamp), mesh * np.sin(clamp)])
    for part in (0.05, 0.2, 0.5, 1.0):  # the load is raised in steps, so that the guess is near
        per_length = part * weight / length
        found = solve_bvp(derivative, lambda a, b: np.array([a[0] - clamp, b[1], a[2], a[3]]), mesh, guess, tol=1e-10,
                          max_nodes=100_000)
        assert found.success, found.message
        guess = found.sol(mesh)
    return found.sol(np.asarray(s, float))[2:].T
