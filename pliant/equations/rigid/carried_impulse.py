"""Carried impulse: what a force changes momenta by in a substep of BDF2, and the work that it does there.

With b = 2/3 a substep ends at v_n = (4 v_n-1 - v_n-2)/3 + b h F_n / m, so that momenta change by

    m (v_n - v_n-1) = m (v_n-1 - v_n-2) / 3 + b h F_n

Split among the forces that act, each has changed them by J_n = J_n-1 / 3 + b h F_n: a third of what it did before goes on.
With b = 1, implicit Euler, nothing does, J_n = h F_n. Either way kinetic energy changes by exactly the sum over all forces of

    W_n = J_n . (v_n + v_n-1) / 2

which therefore is the work of each. h F_n (v_n + v_n-1)/2 is that only at first order: where F changes within a few substeps,
as when a motor starts, it counts F_n as if it had acted since the last one.

What is moved from outside, by u_n through each substep, moves others by what its places are to BDF2: at (3 u_n - u_n-1)/2
where substeps end, which takes the place of v_n there. So what hangs on it gets all of its work; once it stands it gives none.

Where it is jolted from u' to u, as where a straight piece of its motion begins, it gives what hangs on it two impulses at once:
m (u - u') to a mass, which does its work at the mean speed, and h F to what bears with the force F, which is moved by h u. So
J . (v + v')/2, with the speeds v' and v where the substep begins and ends, lacks

    F . (h u - h (v + v')/2)

which with b = 1 is F . h (u - u')/2, of first order, and stays until as large a jolt comes back. In BDF2 it goes by itself,
being F . h (u - 2 u' + u'')/4; if a jolt breaks that off, both are F . h (u - u')/2 together. F is what it gave before the
jolt: a spring that was drawn by F gives J = h (F + k h u), and it is exact for that too. In the first substep of all nothing
was given before: there the ways h (u - u')/2 are kept until a substep without a jolt has shown F, exact for what stays as it is
and of second order else, F having changed by as much as it does in those substeps.

Source: [Hairer1996] section V.1 has BDF2; the split is derived here
Check: tests/equations/test_carried_impulse.py
"""

from ..._jit import kernel
from ...math.vec3 import scale, sub


@kernel
def carried_impulse(before, impulse, b):
    """J_n [N s] of J_n-1 and `impulse` = b h F_n; `b` = 0 where nothing is carried on."""
    return impulse + before / 3.0 if 0.0 < b < 1.0 else impulse


@kernel
def jolt_way(before, after, h):
    """Way [m] (3,) of a jolt from u' `before` to u `after` it (3,) [m/s] beyond that at the mean speed; F . it is its work."""
    return scale(0.5 * h, sub(after, before))
