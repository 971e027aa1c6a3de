"""Soft constraint: a spring with a damper written as a velocity constraint.

A spring of stiffness k and damping c on any G(X_i, X_j), integrated by implicit Euler over a step h with G linearised
once, G(t + h) = G + h J V, gives the impulse

    lambda = -h (k (G + h J V) + c J V)

which is the velocity constraint

    J V + (beta / h) G + gamma lambda = 0
    gamma = 1 / (h (h k + c)),   beta = h k / (h k + c)

    G       how far the spring is from rest                       [m or rad]
    J V     how fast that changes, at the end of the step         [m/s or rad/s]
    lambda  impulse of the spring over the step                   [N s or N m s]

k -> infinity gives gamma = 0, beta = 1 (rigid); c -> infinity gives gamma = 0, beta = 0 (locked where it is). The
paper prints beta -> 0 for both.

Sequential impulses visit one constraint after another; with lambda so far, the missing part is

    (J M^-1 J^T + gamma) d_lambda = -J V - (beta / h) G - gamma lambda

Source: [PaperB] equations 6, 13, 15
Check: tests/equations/test_soft_constraint.py
"""

from math import pi
from typing import NamedTuple

from ..._jit import kernel


class Softness(NamedTuple):
    """The two numbers of a soft constraint."""

    beta: float  # [-]
    gamma: float  # [1/kg or 1/(kg m2)]


@kernel
def softness(k, c, h):
    """Coefficients for stiffness `k` [N/m] and damping `c` [N s/m], not both zero, over a step `h` [s]."""
    return Softness(h * k / (h * k + c), 1.0 / (h * (h * k + c)))


@kernel
def softness_by_frequency(frequency, ratio, response, h):
    """The same for the spring that makes the mass 1 / `response` swing at `frequency` [Hz] with damping `ratio` [-].

    k = (2 pi f)^2 / response and c = 2 ratio (2 pi f) / response: contacts and joints are pushed back this way, alike
    for light and heavy bodies.
    """
    w = 2.0 * pi * frequency
    return Softness(h * w / (h * w + 2.0 * ratio), response / (h * w * (h * w + 2.0 * ratio)))


@kernel
def missing_impulse(speed, bias, gamma, response, accumulated):
    """Impulse [N s] still missing: `speed` = J V, `bias` = beta G / h, `response` = J M^-1 J^T."""
    return -(speed + bias + gamma * accumulated) / (response + gamma)


@kernel
def deflection(k, c, G, gamma, accumulated, h):
    """How far [m] from rest the spring ends a step that it began at `G`, by its own impulse.

    G + h J V = G c / (h k + c) - h gamma lambda. Its elastic energy is k/2 of that squared; taken from the geometry
    instead, energy would seem to come and go with the curvature that one linearisation leaves out.
    """
    if k == 0.0:
        return 0.0
    return G * c / (h * k + c) - h * gamma * accumulated
