"""Bend-twist torque: what neighbouring elements of a rope do to each other, explicitly.

Between two elements the energy is V = 1/2 sum_k K_kk / l^ (2 Im(p)_k - l^ u^_k)^2, p = conj(q_j) q_j+1, and the torques
tau = -1/2 Q^T dV/dq of (14) are, with G the rate of 2 Im(p) (darboux_vector.py) and world axes,

    m_k = (K_kk / l^) (2 Im(p)_k - l^ u^_k)
    tau_j+1 = -G^T m,   tau_j = +G^T m

A damper of time T adds T d(2 Im p)/dt to the bracket (Kelvin and Voigt), d(2 Im p)/dt = G (w_j+1 - w_j).

Misprints of (14): its bracket holds u^ where it needs l^ u^ (it is right for u^ = 0, the paper's case). Its B_k are
written for quaternions (x, y, z, w), its Q for (w, x, y, z). And q, -q: see darboux_vector.py.

These torques are explicit: neighbours swing against each other at w = 2 sqrt(K33 / (l^ I33)), and the step has to keep
h w < 2, that is h < l / sqrt(G / rho) for a round rope in twist (section_stiffness.py); bending asks for
h < l / sqrt(E / rho). With damping, h (h + 2 T) < (l / sqrt(G / rho))^2. A clamp half a length away, 2 K / l^, asks for no
less: 2 K + K on the first element's diagonal and K beside it stay within the 4 K of a long rope.

Source: [PaperA] equations 12-14, with l^ u^ in the bracket of (14)
Check: tests/equations/test_rod_bend_twist_torque.py
"""

from ..._jit import kernel
from ...math.vec3 import add_scaled, mul, sub
from .darboux_vector import bend_twist, rate, relative, torque


@kernel
def moment(p, q_left, spin, stiffness, rest, damping):
    """m [N m], axes of the left element; `spin` = w_right - w_left [rad/s, world axes], `damping` [s]."""
    strain = sub(bend_twist(p), rest)
    if damping > 0.0:
        strain = add_scaled(strain, damping, rate(p, q_left, spin))
    return mul(stiffness, strain)


@kernel
def torque_on_left(q_left, q_right, spin, stiffness, rest, damping):
    """tau_j [N m, world axes]; tau_j+1 is its opposite."""
    p = relative(q_left, q_right)
    return torque(p, q_left, moment(p, q_left, spin, stiffness, rest, damping))
