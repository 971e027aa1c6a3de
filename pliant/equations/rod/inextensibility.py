"""Inextensibility: distances between neighbouring points of a rope are kept, all at once, in time proportional to N.

    G_i = |r_i+1 - r_i| - l_i = 0,   dG_i/dt = (v_i+1 - v_i).n_i,   n_i = (r_i+1 - r_i) / |r_i+1 - r_i|

With impulses p_i along n_i, V becomes V + M^-1 J^T p, and J V = 0 asks for A p = -J V with A = J M^-1 J^T tridiagonal:

    diagonal 1/m_i + 1/m_i+1,   beside it -(n_i.n_i+1) / m_i+1

A is symmetric and diagonally dominant: the sweep of Thomas solves it without pivoting. Forwards, with d_i the diagonal and
u_i the element above it, u'_i = u_i / (d_i - u_i-1 u'_i-1) and y_i = (b_i - u_i-1 y_i-1) / (d_i - u_i-1 u'_i-1); then
backwards p_i = y_i - u'_i p_i+1.

Dominant is not definite: where both ends are held and the rope is straight, one combination of impulses moves nothing.
The diagonal is therefore made larger by SLACK of itself, which gives way by that fraction of a speed.

What A p = -J V leaves is the turning of n within the step: speeds at right angles to the rope lengthen it by
(h w)^2 / 2 a step, w its angular velocity. That drift is taken out of the positions, not of the velocities (split
impulses): A p* = -ERP G, r_i moves by the M^-1 J^T p*.

Tension acts along the n of the beginning of the step, explicitly: across a taut rope neighbours swing against each other at
2 sqrt(T / (m l)), and a tension T asks for h < sqrt(m l / T), whatever holds the lengths.

Source: [PaperA] equations 7-11
Check: tests/equations/test_rod_inextensibility.py
"""

from ..._jit import kernel
from ...math.vec3 import dot, norm, scale, sub

SLACK = 1e-9
"""Fraction by which the diagonal is enlarged [-]."""


@kernel
def direction(left, right):
    """(n, |r_i+1 - r_i| [m]) of an element between two points [m]; (0, 0, 1) where the points coincide."""
    chord = sub(right, left)
    distance = norm(chord)
    if distance < 1e-300:
        return (0.0, 0.0, 1.0), 0.0
    return scale(1.0 / distance, chord), distance


@kernel
def above(n, n_next, inverse_mass_between):
    """Element above the diagonal [1/kg], of the row of `n` and the column of `n_next`."""
    return -dot(n, n_next) * inverse_mass_between


@kernel
def eliminate(inverse_mass_left, inverse_mass_right, upper_before, reduced_before):
    """1 / (d_i - u_i-1 u'_i-1) [kg]; zero where both points are held, which takes no impulse."""
    diagonal = inverse_mass_left + inverse_mass_right
    if diagonal == 0.0:
        return 0.0
    return 1.0 / (diagonal * (1.0 + SLACK) - upper_before * reduced_before)
