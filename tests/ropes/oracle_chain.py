"""A plane chain of rigid links in its minimal coordinates, the angles: the exact oracle of a direct rope's discretisation.

n links of length l = L/n, mass m, inertia I = m(l²/12 + r²/4) about the centre; θ_i the angle of link i above +x [rad].
Joint k bends with the energy ½ (EI/l̂)(2 sin ½(θ_k − θ_{k−1}))², that is the moment (EI/l̂) sin(θ_k − θ_{k−1}), l̂ = l; a
clamp at the start is the same with l̂ = l/2. Joints do not open. Gravity pulls along −z. Nothing here knows of pliant.
"""

from typing import NamedTuple

import numpy as np
from oracles import G
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, solveh_banded
from scipy.optimize import brentq


class Chain(NamedTuple):
    """What a chain is made of; it hangs on a ball at the origin, or is clamped there."""

    links: int
    length: float
    """Of the whole [m]."""
    mass: float
    """Of the whole [kg]."""
    radius: float = 0.0
    bending: float = 0.0
    """EI [N·m²]."""
    bob: float = 0.0
    """Point mass at the free end [kg]."""
    clamp: float | None = None
    """Angle under which the start is clamped [rad]; None: a ball."""

    @property
    def link(self) -> tuple[float, float, float]:
        """(length [m], mass [kg], inertia [kg·m²]) of one link."""
        length, mass = self.length / self.links, self.mass / self.links
        return length, mass, mass * (length**2 / 12.0 + self.radius**2 / 4.0)


def matrices(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """(A [kg·m²] (n, n), p [N·m] (n,)): kinetic energy ½ Σ A_ij cos(θ_i − θ_j) θ_i' θ_j', gravity's Σ p_i sin θ_i.

    A_ij = m l² (n − ½ − max(i, j)) off the diagonal, A_ii = m l² (n − ¾ − i) + I, p_i = m g l (n − ½ − i), counted
    from 0; the bob adds its l² to every A_ij and its g l to every p_i.
    """
    length, mass, inertia = chain.link
    index = np.arange(chain.links)
    weight = mass * length**2 * (chain.links - 0.5 - np.maximum.outer(index, index))
    weight[index, index] = mass * length**2 * (chain.links - 0.75 - index) + inertia
    pull = mass * G * length * (chain.links - 0.5 - index)
    return weight + chain.bob * length**2, pull + chain.bob * G * length


def bend_stiffness(chain: Chain) -> np.ndarray:
    """EI/l̂ [N·m] of joint k (n,); the first is the clamp's or nought."""
    length = chain.link[0]
    stiffness = np.full(chain.links, chain.bending / length)
    stiffness[0] = 2.0 * chain.bending / length if chain.clamp is not None else 0.0
    return stiffness


def hanging_frequencies(chain: Chain, count: int) -> np.ndarray:
    """[rad/s] of small swings in a plane about the vertical, lowest first; exact for the chain of rigid links."""
    weight, pull = matrices(chain)
    return np.sqrt(eigh(_bend_matrix(chain) + np.diag(pull), weight, eigvals_only=True)[:count])


def free_frequencies(chain: Chain, count: int) -> np.ndarray:
    """[rad/s] of small swings without gravity (a clamped chain: the cantilever)."""
    weight, _ = matrices(chain)
    return np.sqrt(eigh(_bend_matrix(chain), weight, eigvals_only=True)[:count])


def _bend_matrix(chain: Chain) -> np.ndarray:
    stiffness = bend_stiffness(chain)
    matrix = np.diag(stiffness)
    k = np.arange(1, chain.links)
    matrix[k - 1, k - 1] += stiffness[k]
    matrix[k, k - 1] -= stiffness[k]
    matrix[k - 1, k] -= stiffness[k]
    return matrix


def resting_angles(chain: Chain) -> np.ndarray:
    """Angles [rad] (n,) of a clamped chain in balance with gravity, by shooting from the free end.

    What hangs beyond joint k pulls with −Σ m g (x_i − x_k), so θ_{k−1} = θ_k + arcsin(l̂/EI Σ m g (x_i − x_k)); the tip's
    angle is the one that ends at the clamp.
    """
    length, mass, _ = chain.link
    stiffness = bend_stiffness(chain)

    def shoot(tip: float) -> np.ndarray:
        angle = np.empty(chain.links + 1)
        angle[-1], beyond, moment = tip, chain.bob, 0.0
        for k in range(chain.links - 1, -1, -1):
            moment += G * length * np.cos(angle[k + 1]) * (beyond + 0.5 * mass)
            beyond += mass
            angle[k] = angle[k + 1] + np.arcsin(np.clip(moment / stiffness[k], -1.0, 1.0))
        return angle

    tip = brentq(lambda a: shoot(a)[0] - chain.clamp, chain.clamp - np.pi, chain.clamp, xtol=1e-15, rtol=1e-14)
    return shoot(tip)[1:]


def points_of(chain: Chain, angle: np.ndarray) -> np.ndarray:
    """Ends of the links (x, z) [m] (n + 1, 2) from their angles [rad] (n,)."""
    steps = chain.link[0] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def angular_acceleration(chain: Chain, angle: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """θ'' [rad/s²] (n,) in O(n): the forces in the joints solve a block-tridiagonal system, then each link's own law.

    With t, n along and across a link, joint k's force f_k acts on the start of link k, −f_{k+1} on its end:
    m c'' = mg + f_k − f_{k+1}, I θ'' = −½l n·(f_k + f_{k+1}) + τ; where two links meet, accelerations agree.
    """
    length, mass, inertia = chain.link
    count = chain.links
    moment = _moments(chain, angle)
    along, across = np.stack([np.cos(angle), np.sin(angle)], 1), np.stack([-np.sin(angle), np.cos(angle)], 1)
    own = 0.5 * length * (across * (moment / inertia)[:, None] - along * (rate**2)[:, None])  # end against centre
    size = count + (chain.bob > 0.0)
    block = (0.25 * length**2 / inertia) * across[:, :, None] * across[:, None, :]
    eye = np.eye(2) / mass
    diagonal, beside = np.zeros((size, 2, 2)), np.zeros((size, 2, 2))
    diagonal[:count] += eye + block
    diagonal[1:] += (eye + block)[: size - 1]
    beside[: size - 1] = (block - eye)[: size - 1]
    right = np.zeros((size, 2))
    right[:count] += own
    right[1:] += own[: size - 1]
    right[0] -= (0.0, -G)  # every other joint has the same gravity on both sides
    if chain.bob > 0.0:
        diagonal[-1] += np.eye(2) / chain.bob
    force = solveh_banded(_banded(diagonal, beside), right.ravel(), lower=True, check_finite=False).reshape(size, 2)
    whole = np.zeros((count + 1, 2))
    whole[:size] = force
    return (moment - 0.5 * length * np.einsum("ni,ni->n", across, whole[:-1] + whole[1:])) / inertia


def _moments(chain: Chain, angle: np.ndarray) -> np.ndarray:
    """Bending moment [N·m] on every link."""
    before = np.concatenate([[angle[0] if chain.clamp is None else chain.clamp], angle[:-1]])
    moment = -bend_stiffness(chain) * np.sin(angle - before)
    moment[:-1] -= moment[1:]
    return moment


def _banded(diagonal: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """Lower banded form (4, 2n) of a symmetric block-tridiagonal matrix with 2×2 blocks; beside[k]: block (k, k + 1)."""
    band = np.zeros((4, 2 * len(diagonal)))
    band[0, 0::2], band[0, 1::2] = diagonal[:, 0, 0], diagonal[:, 1, 1]
    band[1, 0::2], band[1, 1::2] = diagonal[:, 1, 0], beside[:, 1, 0]
    band[2, 0::2], band[2, 1::2] = beside[:, 0, 0], beside[:, 1, 1]
    band[3, 0::2] = beside[:, 0, 1]
    return band


def motion(chain: Chain, times, angle=None, rate=None, tolerance: float = 1e-10) -> np.ndarray:
    """Ends of the links (x, z) [m] (times, n + 1, 2) at the times [s], by DOP853; starts horizontal along +x, at rest."""
    count = chain.links
    start = np.zeros(2 * count)
    start[:count] = 0.0 if angle is None else angle
    start[count:] = 0.0 if rate is None else rate

    def derivative(_, y):
        return np.concatenate([y[count:], angular_acceleration(chain, y[:count], y[count:])])

    found = solve_ivp(derivative, (0.0, float(np.max(times))), start, "DOP853", t_eval=np.atleast_1d(times),
                      rtol=tolerance, atol=tolerance)
    return np.stack([points_of(chain, y[:count]) for y in found.y.T])


def energy(chain: Chain, angle: np.ndarray, rate: np.ndarray) -> float:
    """Kinetic, gravity's and bending's [J]."""
    weight, pull = matrices(chain)
    kinetic = 0.5 * rate @ (weight * np.cos(np.subtract.outer(angle, angle))) @ rate
    before = np.concatenate([[angle[0] if chain.clamp is None else chain.clamp], angle[:-1]])
    return float(kinetic + pull @ np.sin(angle) + bend_stiffness(chain) @ (1.0 - np.cos(angle - before)))
