"""Perturbation of a plane by second-order functions: the cubed positive part of quadrics, summed.

    R(x) = sum a_k d_k(x),   d_k = Q_k^3 where Q_k >= 0, else 0,   Q_k(x) = (x, 1)^T M_k (x, 1)
    grad R = sum over Q_k > 0 of 3 a_k Q_k^2 grad Q_k

    R    relief function [m], object's rest frame
    a_k  amplitude [m]
    Q_k  quadric [-], its matrix kept as ten coefficients of (xx, yy, zz, xy, xz, yz, x, y, z, 1)

The cube makes d_k twice continuously differentiable where Q_k changes sign, so that a perturbation begins without a
visible border. A quadric along a line is a parabola, Q(p + t n) = A t^2 + B t + C.

Source: [PaperD] equations of a free-form patch, before its figure 1
Check: tests/equations/test_patch_perturbation.py
"""

from ..._jit import kernel
from ...math.vec3 import add_scaled, dot


@kernel
def quadric(coefficient, k, x):
    """Value [-] and gradient [1/m] of quadric `k` at `x` [m]."""
    c = coefficient
    gx = 2.0 * c[k, 0] * x[0] + c[k, 3] * x[1] + c[k, 4] * x[2]
    gy = 2.0 * c[k, 1] * x[1] + c[k, 3] * x[0] + c[k, 5] * x[2]
    gz = 2.0 * c[k, 2] * x[2] + c[k, 4] * x[0] + c[k, 5] * x[1]
    line = (c[k, 6], c[k, 7], c[k, 8])
    value = 0.5 * (gx * x[0] + gy * x[1] + gz * x[2]) + dot(line, x) + c[k, 9]
    return value, (gx + line[0], gy + line[1], gz + line[2])


@kernel
def quadric_along(coefficient, k, p, n):
    """The parabola (A, B, C) of quadric `k` along p + t n: A t^2 + B t + C."""
    c = coefficient
    value, gradient = quadric(coefficient, k, p)
    bend = (
        c[k, 0] * n[0] * n[0] + c[k, 1] * n[1] * n[1] + c[k, 2] * n[2] * n[2]
        + c[k, 3] * n[0] * n[1] + c[k, 4] * n[0] * n[2] + c[k, 5] * n[1] * n[2]
    )  # fmt: skip
    return bend, dot(gradient, n), value


@kernel
def relief(patches, face, x):
    """Relief function R [m] of a face at `x` [m] and its gradient [-]."""
    total, gradient = 0.0, (0.0, 0.0, 0.0)
    for j in range(patches.first_quadric[face], patches.first_quadric[face + 1]):
        k = patches.quadric[j]
        value, slope = quadric(patches.coefficient, k, x)
        if value > 0.0:
            strength = patches.amplitude[k] * value * value
            total += strength * value
            gradient = add_scaled(gradient, 3.0 * strength, slope)
    return total, gradient
