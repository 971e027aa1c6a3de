"""Position based dynamics: the least move, by mass, that meets one linearised constraint.

For C(p) >= 0 wanted to be 0,

    dp_v = -(1/m_v) grad_v C  C / sum_u |grad_u C|^2 / m_u

A strain or volume constraint has C = |F - pi|, the distance to its set, of gradient (F - pi) g_v / C (deformation_gradient.py):

    dp_v = (1/m_v) q_v |Q|^2 / sum_u |q_u|^2 / m_u,     Q = pi - F,  q_v = Q g_v

and a bending constraint the same with Q = target - y, q_v = k_v Q. There is no stiffness in it: a constraint is met, as far
as those after it let it be, and the answer depends on their order and on how often one goes round.

Source: [PaperD] equation 6 and the formula for dp after it
Check: tests/soft/test_relatives.py
"""

from ..._jit import kernel


@kernel
def share_of(distance_squared, weighted_squares):
    """|Q|^2 / sum_u |q_u|^2 / m_u; nothing where nothing can move or nothing is violated."""
    return distance_squared / weighted_squares if weighted_squares > 1e-300 else 0.0
