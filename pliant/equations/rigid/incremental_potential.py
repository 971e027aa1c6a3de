"""Incremental potential: what implicit Euler makes least, of springs and dampers that act together.

A step h of implicit Euler on bodies of mass M with springs of any stiffness k and dampers c, that resist what their length l
has really changed by, (l - l0) / h, asks for

    M (V - V*) = -h sum_s f_s J_s^T,      f_s = k (l_s - rest) + c (l_s - l0_s) / h       l and J where V leads in h

with V* the velocities under all other forces. That is the gradient of

    Phi(V) = 1/2 (V - V*)^T M (V - V*) + sum_s kappa_s / 2 (l_s(V) - a_s)^2

    kappa = k + c / h                     one spring that stands for both                    [N/m]
    a = (k rest + c l0 / h) / kappa       the length at which they pull no more together     [m]

so Newton's method that never lets Phi rise cannot run away, however many springs share a body and however stiff they are.
Along a spring its stiffness is kappa. Across it a pull f > 0 resists as a stiffness f / l does; a push is as much of a negative
one, which Newton's method leaves out: its matrix stays definite, and each of its steps leads downhill.

Where l is convex Phi makes the energy fall: with U its second sum, U(0) >= U(V) - h V . dU = U(V) + V . M (V - V*), that is

    1/2 V M V + U(V) + 1/2 |V - V*|^2 <= 1/2 V* M V* + U(0)

Source: [PaperB] equations 6 and 13 (implicit Euler of a spring and a damper); as a least value: [Gast2015], abstract
Check: tests/equations/test_incremental_potential.py
"""

from ..._jit import kernel


@kernel
def stands_for(k, c, rest, start, h):
    """(kappa [N/m], a [m]) of a spring and a damper, not both zero, of length `start` [m] when the step `h` [s] began."""
    kappa = k + c / h
    return kappa, (k * rest + c / h * start) / kappa


@kernel
def stiffness_across(pull, length):
    """Stiffness [N/m] across a spring that pulls with `pull` [N]; none where it pushes."""
    return max(pull, 0.0) / max(length, 1e-9)
