"""A plane chain of rigid links whose joints open by a linear law: an independent reference for ropes that stretch and shear.

Each link has its centre (x, z) and angle θ. Joint k joins the end of link k−1 to the start of link k; the gap, seen along
and across link k−1 (the first: across link 0, for it turns freely), is held by EA/l̂ and GA/l̂, the bend as in
`oracle_chain.py`; l̂ = l, at the held end l/2. Integrated explicitly, so the joints need no solver at all.
"""

import numpy as np
from oracle_chain import Chain, bend_stiffness
from oracles import G
from scipy.integrate import solve_ivp


def swing(chain: Chain, stretching: float, shearing: float, times, tolerance: float = 1e-9) -> np.ndarray:
    """Tip (x, z) [m] (times, 2) of a chain hung on a ball at the origin, let go horizontal along +x; stiffnesses [N]."""
    length, mass, inertia = chain.link
    count = chain.links
    along_k, across_k = np.full(count, stretching / length), np.full(count, shearing / length)
    along_k[0] *= 2.0
    across_k[0] *= 2.0
    bend_k = bend_stiffness(chain)

    def derivative(_, y):
        x, z, angle, *_ = y.reshape(6, count)
        cosine, sine = np.cos(angle), np.sin(angle)
        start = np.stack([x - 0.5 * length * cosine, z - 0.5 * length * sine])
        end = np.stack([x + 0.5 * length * cosine, z + 0.5 * length * sine])
        before = np.concatenate([np.zeros((2, 1)), end[:, :-1]], axis=1)
        gap = start - before
        c, s = np.concatenate([cosine[:1], cosine[:-1]]), np.concatenate([sine[:1], sine[:-1]])
        pull, push = along_k * (c * gap[0] + s * gap[1]), across_k * (-s * gap[0] + c * gap[1])
        force = np.stack([c * pull - s * push, s * pull + c * push])  # on the end before; its opposite on the start
        bend = np.zeros(count + 1)
        bend[1:-1] = bend_k[1:] * np.sin(np.diff(angle))
        acceleration = -force / mass
        acceleration[:, :-1] += force[:, 1:] / mass
        acceleration[1] -= G
        torque = bend[1:] - bend[:-1]
        torque += 0.5 * length * (cosine * force[1] - sine * force[0])
        # The law is written in the frame of link k−1: turning it turns the force, which takes the torque gap × force.
        turning = gap[0] * force[1] - gap[1] * force[0]
        torque[:-1] += turning[1:] + 0.5 * length * (cosine[:-1] * force[1, 1:] - sine[:-1] * force[0, 1:])
        torque[0] += turning[0]
        return np.concatenate([y[3 * count :], acceleration[0], acceleration[1], torque / inertia])

    state = np.zeros((6, count))
    state[0] = (np.arange(count) + 0.5) * length
    found = solve_ivp(derivative, (0.0, float(np.max(times))), state.ravel(), "DOP853", t_eval=np.atleast_1d(times),
                      rtol=tolerance, atol=tolerance)
    x, z, angle, *_ = found.y.reshape(6, count, -1)
    return np.stack([x[-1] + 0.5 * length * np.cos(angle[-1]), z[-1] + 0.5 * length * np.sin(angle[-1])], axis=1)
