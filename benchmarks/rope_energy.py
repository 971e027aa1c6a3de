"""The energy of one implicit step of a discrete Cosserat cable, with its gradient: what the rivals of figure 8 minimise.

Points x_i and elements q_j as in paper C, x_0 held, a clamp of half length before q_0:

    E = Σ m|x − x*|²/2h² + Σ I_k (2 Im(q̄* q))_k²/2h² + m g z
        + Σ ½ l (GA Γ1² + GA Γ2² + EA Γ3²),   Γ = Rᵀ(x_{j+1} − x_j)/l − e3
        + Σ ½ l̂ (EI u1² + EI u2² + GJ u3²),   u = (2/l̂) Im(q̄_j q_{j+1})

x*, q*: where the step would end without forces. The unknowns are the free points and all quaternions, not kept unit: the
energy reads q/|q|, and a term (|q|² − 1)² keeps their length, which the energy does not see. With h infinite the energy is
the potential alone, its minimum the cable at rest.
"""

from dataclasses import dataclass

import numpy as np

G = 9.81


@dataclass(frozen=True)
class Cable:
    """Paper C's cable by its numbers; 0.1 kg in all."""

    points: int
    length: float = 1.0
    radius: float = 0.025
    mass: float = 0.1
    bending: float = 0.1
    twisting: float = 0.5
    stretching: float = 1e3
    """EA [N]; paper C's 2e8 N cannot be told from a rigid cable, and most solves of the rivals fail with it."""
    shearing: float = 1e3

    @property
    def element(self) -> float:
        """Length of an element [m]."""
        return self.length / (self.points - 1)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Straight along +x at rest: points [m] (n, 3) and quaternions (n − 1, 4), which turn z into x."""
        points = np.zeros((self.points, 3))
        points[:, 0] = np.linspace(0.0, self.length, self.points)
        return points, np.tile([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0], (self.points - 1, 1))


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion products (n, 4)."""
    w, x, y, z = a.T
    s, t, u, v = b.T
    return np.stack([w * s - x * t - y * u - z * v, w * t + x * s + y * v - z * u,
                     w * u - x * v + y * s + z * t, w * v + x * u - y * t + z * s], axis=1)


def conjugate(q: np.ndarray) -> np.ndarray:
    """(n, 4)."""
    return q * (1.0, -1.0, -1.0, -1.0)


def pure(v: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) as quaternions (n, 4)."""
    return np.concatenate([np.zeros((len(v), 1)), v], axis=1)


class StepEnergy:
    """E and its gradient over one flat vector of unknowns."""

    def __init__(self, cable: Cable, h: float, points_ahead: np.ndarray, turns_ahead: np.ndarray) -> None:
        self.cable, self.h = cable, h
        self.points_ahead, self.turns_ahead = points_ahead, turns_ahead
        self.wall = cable.start()[1][0]
        self.held = points_ahead[0].copy()
        count = cable.points - 1
        mass = cable.mass / count
        self.mass = np.full(cable.points, mass)
        self.mass[[0, -1]] *= 0.5
        # A turning element carries its own inertia only: its points carry their mass themselves.
        self.inertia = mass * cable.radius**2 * np.array([0.25, 0.25, 0.5])
        self.span = np.full(count, cable.element)
        self.span[0] *= 0.5
        self.gauge = cable.bending / cable.element
        self.evaluations = 0

    def pack(self, points: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Unknowns, element by element: the point at its end, its quaternion (7 (n − 1),)."""
        return np.concatenate([points[1:], turns], axis=1).ravel()

    def unpack(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and quaternions (n − 1, 4), not unit."""
        rows = unknowns.reshape(-1, 7)
        return np.concatenate([self.held[None], rows[:, :3]]), rows[:, 3:]

    def __call__(self, unknowns: np.ndarray) -> tuple[float, np.ndarray]:
        """E [J] and its gradient."""
        self.evaluations += 1
        points, raw = self.unpack(unknowns)
        size = np.linalg.norm(raw, axis=1, keepdims=True)
        turns = raw / size
        energy, by_point = self._gravity_and_inertia(points)
        more, by_chord, by_turn = self._stretch(points, turns)
        energy += more
        by_point[1:] += by_chord
        by_point[:-1] -= by_chord
        for part in (self._bend, self._spin):
            more, gradient = part(turns)
            energy += more
            by_turn += gradient
        by_turn = (by_turn - turns * np.sum(turns * by_turn, axis=1, keepdims=True)) / size
        excess = size**2 - 1.0
        energy += 0.5 * self.gauge * float(np.sum(excess**2))
        by_turn += 2.0 * self.gauge * excess * raw
        return energy, np.concatenate([by_point[1:], by_turn], axis=1).ravel()

    def _gravity_and_inertia(self, points):
        away = (points - self.points_ahead) / self.h
        energy = 0.5 * float(self.mass @ np.sum(away**2, axis=1)) + G * float(self.mass @ points[:, 2])
        gradient = self.mass[:, None] * away / self.h
        gradient[:, 2] += self.mass * G
        return energy, gradient

    def _stretch(self, points, turns):
        """<W, q̄ c q> = <qW, cq>, so its gradient by q is −2 c q W and by c is q W q̄."""
        cable, length = self.cable, self.cable.element
        chord = pure(np.diff(points, axis=0) / length)
        strain = product(product(conjugate(turns), chord), turns)[:, 1:] - (0.0, 0.0, 1.0)
        force = length * strain * (cable.shearing, cable.shearing, cable.stretching)
        energy = 0.5 * float(np.sum(force * strain))
        turned = product(turns, pure(force))
        return energy, product(turned, conjugate(turns))[:, 1:] / length, -2.0 * product(chord, turned)

    def _bend(self, turns):
        """<W, q̄_j q_{j+1}> = <q_j W, q_{j+1}>: gradients q_j W and −q_{j+1} W; the sign of q is the nearer one."""
        before = np.concatenate([self.wall[None], turns[:-1]])
        sign = np.where(np.sum(before * turns, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
        bend = 2.0 * sign * product(conjugate(before), turns)[:, 1:]
        moment = bend * (self.cable.bending, self.cable.bending, self.cable.twisting) / self.span[:, None]
        push = pure(2.0 * sign * moment)
        gradient = product(before, push)
        gradient[:-1] -= product(turns, push)[1:]
        return 0.5 * float(np.sum(moment * bend)), gradient

    def _spin(self, turns):
        """Turning away from the predicted quaternion."""
        sign = np.where(np.sum(self.turns_ahead * turns, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
        away = 2.0 * sign * product(conjugate(self.turns_ahead), turns)[:, 1:] / self.h
        momentum = away * self.inertia
        return 0.5 * float(np.sum(momentum * away)), product(self.turns_ahead, pure(2.0 * sign * momentum / self.h))
