"""What every engine must get right, computed from poses and velocities alone, so that none judges itself."""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

import pliant as pl

from .parts import anchor_of, rotation, rotations, solid, tree
from .scenes import LINK_LENGTH


class State(NamedTuple):
    """All bodies of a scene in the order of `names`; world frame."""

    positions: np.ndarray
    """Of the bodies' frames [m] (n, 3)."""
    quaternions: np.ndarray
    """(w, x, y, z) (n, 4)."""
    velocities: np.ndarray
    """Of the centres of mass [m/s] (n, 3)."""
    angular: np.ndarray
    """Angular velocities [rad/s] (n, 3)."""


def names(scene: pl.Scene) -> list[str]:
    """The bodies that can move, in the order of the scene."""
    return [t.name for t in scene.flat() if isinstance(t, pl.Body) and not t.fixed]


class Ledger:
    """Energy and joint gaps of a scene."""

    def __init__(self, scene: pl.Scene) -> None:
        order = {name: i for i, name in enumerate(names(scene))}
        bodies = {t.name: t for t in scene.flat() if isinstance(t, pl.Body)}
        solids = [solid(bodies[name]) for name in order]
        self.gravity = np.array(scene.gravity)
        self.mass = np.array([s.mass for s in solids])
        self.center = np.array([s.center for s in solids])
        self.inertia = np.array([s.inertia for s in solids])
        self.ends: list[tuple[int, np.ndarray, int, np.ndarray]] = []
        for child, joint in tree(scene).joint_of.items():
            if isinstance(joint, pl.Prismatic):
                continue
            anchor = anchor_of(joint, bodies[child])
            places = []
            for name in (joint.parent, child):
                body = bodies.get(name)
                moves = name in order
                turn = rotation(body.quaternion) if moves else np.eye(3)
                places += [order[name], turn.T @ (anchor - body.position)] if moves else [-1, anchor]
            self.ends.append(tuple(places))

    def centers(self, state: State) -> np.ndarray:
        """Centres of mass [m] (n, 3)."""
        return state.positions + np.einsum("nij,nj->ni", rotations(state.quaternions), self.center)

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic and gravitational energy [J]."""
        spin = np.einsum("nji,nj->ni", rotations(state.quaternions), state.angular)
        twice = self.mass @ (state.velocities**2).sum(1) + np.einsum("ni,nij,nj", spin, self.inertia, spin)
        return 0.5 * float(twice), float(-self.mass @ (self.centers(state) @ self.gravity))

    def gap(self, state: State) -> float:
        """Largest distance [m] between the two ends of a ball or hinge."""
        turn = rotations(state.quaternions)
        largest = 0.0
        for a, at_a, b, at_b in self.ends:
            end_a = at_a if a < 0 else state.positions[a] + turn[a] @ at_a
            end_b = at_b if b < 0 else state.positions[b] + turn[b] @ at_b
            largest = max(largest, float(np.linalg.norm(end_b - end_a)))
        return largest


def chain_reference(scene: pl.Scene, times) -> np.ndarray:
    """Tip of the chain (x, z) [m] at the times (n, 2), by Lagrange's equations of a planar chain of rods.

    With link angles θ below the horizontal and u = (cos θ, −sin θ): M_ij = A_ij cos(θ_i − θ_j), A_ij = m l² (n − ½ −
    max(i, j)) off the diagonal (counting from 0), A_ii = m l² (n − ¾ − i) + I, and M θ'' = g m l (n − ½ − i) cos θ_i −
    Σ_j A_ij sin(θ_i − θ_j) θ_j'². No engine is involved; integrated by DOP853 to 1e-11.
    """
    links = [t for t in scene.flat() if isinstance(t, pl.Body)]
    body, count, length = solid(links[0]), len(links), LINK_LENGTH
    index = np.arange(count)
    weight = body.mass * length**2 * (count - 0.5 - np.maximum.outer(index, index))
    weight[index, index] = body.mass * length**2 * (count - 0.75 - index) + body.inertia[0, 0]
    pull = -scene.gravity[2] * body.mass * length * (count - 0.5 - index)

    def rate(_, y):
        angle, speed = y[:count], y[count:]
        apart = np.subtract.outer(angle, angle)
        load = pull * np.cos(angle) - (weight * np.sin(apart)) @ speed**2
        return np.concatenate([speed, np.linalg.solve(weight * np.cos(apart), load)])

    result = solve_ivp(rate, (0.0, max(times)), np.zeros(2 * count), "DOP853", t_eval=times, rtol=1e-11, atol=1e-11)
    angle = result.y[:count]
    return length * np.stack([np.cos(angle).sum(0), -np.sin(angle).sum(0)], axis=1)


def chain_tip(state: State) -> np.ndarray:
    """Free end of the last link (x, z) [m]."""
    end = state.positions[-1] + rotation(state.quaternions[-1]) @ (0.0, 0.0, 0.5 * LINK_LENGTH)
    return end[[0, 2]]


def box_penetration(scene: pl.Scene, state: State) -> float:
    """Deepest overlap [m] of any two boxes (separating axes) or of a box and the ground plane z = 0."""
    half = 0.5 * np.array([(b.shape.x, b.shape.y, b.shape.z) for b in scene.flat() if isinstance(b, pl.Body)])
    turn = rotations(state.quaternions)
    lowest = state.positions[:, 2] - np.einsum("nj,nj->n", np.abs(turn[:, 2, :]), half)
    deepest = max(0.0, float(-lowest.min()))
    radius = np.linalg.norm(half, axis=1)
    apart = np.linalg.norm(state.positions[:, None] - state.positions[None], axis=2)
    for i, j in np.argwhere(np.triu(apart < radius[:, None] + radius[None], 1)):
        deepest = max(deepest, _overlap(state.positions[j] - state.positions[i], turn[i], half[i], turn[j], half[j]))
    return deepest


def _overlap(offset, turn_a, half_a, turn_b, half_b) -> float:
    """Smallest overlap [m] of two boxes over the fifteen axes; negative if apart."""
    axes = np.concatenate([turn_a.T, turn_b.T, np.cross(turn_a.T[:, None], turn_b.T[None]).reshape(9, 3)])
    size = np.linalg.norm(axes, axis=1)
    axes = axes[size > 1e-6] / size[size > 1e-6, None]
    reach = np.abs(axes @ turn_a) @ half_a + np.abs(axes @ turn_b) @ half_b
    return float((reach - np.abs(axes @ offset)).min())
