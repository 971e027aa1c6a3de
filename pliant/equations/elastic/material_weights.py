"""Weights of strain and volume constraints that make a given material, whatever the mesh.

For small strain e = sym(F) - I the distances that the constraints measure are

    strain (nearest rotation)          |F - R|^2  -> |e|^2
    volume (nearest det = 1), cells    -> (tr e)^2 / 3        area (nearest det = 1), triangles  -> (tr e)^2 / 2

so potentials w/2 (distance)^2 add up to Hooke's law  V (mu |e|^2 + lambda/2 (tr e)^2)  with

    cells       w = 2 mu V,     3 lambda V       mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu)(1 - 2 nu))
    triangles   w = 2 mu t A,   2 lambda' t A    lambda' = E nu / (1 - nu^2): stress across the thickness t is zero

Volume and area make the weights independent of the size of the elements. Bending of a plate costs D/2 (curvature)^2 per
area, D = E t^3 / (12 (1 - nu^2)); bending_moment.py makes that of the angles of edges.

nu < 0 needs a negative weight of volume, which only a method that mends its second derivative can take (Newton's). The energy
stays bounded: the nearest rotation has det = 1, so that the distance to it is the larger of the two, and 2 mu + 3 lambda > 0
for all nu > -1. nu = 1/2 would need an infinite one and is refused where a material is given.

    E young [Pa], nu Poisson's ratio [-], V [m3], t, A [m, m2], w [N m]

Source: [PaperD] equation 4, the weights
Check: tests/equations/test_elastic_weights.py
"""

import numpy as np


def lame(young: float, poisson: float) -> tuple[float, float]:
    """mu and lambda [Pa]."""
    return young / (2.0 * (1.0 + poisson)), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))


def cell_weights(mu: float, lam: float, volume: np.ndarray) -> np.ndarray:
    """Weights [N m] (c, 2) of strain and volume, from mu and lambda [Pa]."""
    return np.stack([2.0 * mu * volume, 3.0 * lam * volume], axis=1)


def triangle_weights(young: float, poisson: float, thickness: float, area: np.ndarray) -> np.ndarray:
    """Weights [N m] (t, 2) of strain and area."""
    mu, lam = young / (2.0 * (1.0 + poisson)), young * poisson / (1.0 - poisson * poisson)
    return np.stack([2.0 * mu * thickness * area, 2.0 * lam * thickness * area], axis=1)


def bending_stiffness(young: float, poisson: float, thickness: float) -> float:
    """D [N m] of a plate."""
    return young * thickness**3 / (12.0 * (1.0 - poisson * poisson))
