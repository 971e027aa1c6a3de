"""Signorini's and Coulomb's conditions of a contact as one equation, with its derivative for Newton's method.

With impulses lambda along normal and tangents, speeds u = u_0 + K lambda and any positive d, a contact pushes and sticks or
slips as it should where lambda is its own projection:

    lambda_n = max(lambda_n - u_n / d, 0),     lambda_t = P(lambda_t - u_t / d),  P on the disc of radius mu lambda_n

F = d (lambda - that) [m/s] is zero there. It has kinks, and between them derivatives: with z = lambda - u / d,

    it pushes (z_n > 0)   dF_n = K_n dlambda           else   dF_n = d dlambda_n
    it sticks (|z_t| <= mu lambda_n)  dF_t = K_t dlambda
    it slips, s = z_t/|z_t|           dF_t = d (1 - G) dlambda_t - d mu s dlambda_n + G K_t dlambda,
                                      G = mu lambda_n / |z_t| (1 - s s^T)

Source: [Alart1991] the functional of an augmented Lagrangian for contact with friction, differentiated where it can be
Check: tests/soft/test_dense_contacts.py
"""

from math import sqrt

from ..._jit import kernel
from .coulomb import within_disc

OPEN, STICKS, SLIPS = 0, 1, 2


@kernel
def cone_residual(own, friction, u, x):
    """F [m/s] for speeds `u` [m/s] and impulses `x` [N s]; own: d [1/kg]."""
    y, z, _ = within_disc(x[1] - u[1] / own, x[2] - u[2] / own, friction * max(x[0], 0.0))
    return own * (x[0] - max(x[0] - u[0] / own, 0.0)), own * (x[1] - y), own * (x[2] - z)


@kernel
def add_slip(system, row, column, own, friction, s, g):
    """What a contact that slips has in dF beside G K_t: d (1 - G) and -d mu s. Writes: system, of the contact's three rows"""
    system[row + 1, column] -= own * friction * s[0]
    system[row + 2, column] -= own * friction * s[1]
    system[row + 1, column + 1] += own * (1.0 - g[0])
    system[row + 1, column + 2] -= own * g[1]
    system[row + 2, column + 1] -= own * g[1]
    system[row + 2, column + 2] += own * (1.0 - g[2])


@kernel
def cone_state(own, friction, u, x):
    """OPEN, STICKS or SLIPS; the direction s; the three numbers (xx, xy, yy) of G."""
    y, z, radius = x[1] - u[1] / own, x[2] - u[2] / own, friction * max(x[0], 0.0)
    size = sqrt(y * y + z * z)
    if not x[0] - u[0] / own > 0.0:
        return OPEN, (0.0, 0.0), (0.0, 0.0, 0.0)
    if size <= radius:
        return STICKS, (0.0, 0.0), (1.0, 0.0, 1.0)
    s, t, share = y / size, z / size, radius / size
    return SLIPS, (s, t), (share * t * t, -share * s * t, share * s * s)


@kernel
def kept_state(kind, own, friction, u, x):
    """The same as `cone_state` of a contact that is taken to do what it did before, `kind`, and its F.

    Where it slips, lambda_t is asked to lie on the circle, z_t within it or not; unless it is far within, and has no direction.
    """
    y, z, radius = x[1] - u[1] / own, x[2] - u[2] / own, friction * max(x[0], 0.0)
    size = sqrt(y * y + z * z)
    if kind == OPEN:
        return OPEN, (0.0, 0.0), (0.0, 0.0, 0.0), (own * x[0], own * x[1], own * x[2])
    if kind == STICKS or not size > 0.5 * radius:
        return STICKS, (0.0, 0.0), (1.0, 0.0, 1.0), u
    s, t, share = y / size, z / size, radius / size
    off = u[0], own * (x[1] - radius * s), own * (x[2] - radius * t)
    return SLIPS, (s, t), (share * t * t, -share * s * t, share * s * s), off
