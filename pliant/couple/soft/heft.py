"""Soft things as the ropes that they are tied to feel them: their mass at the ties, and what the ties then do.

Solved with nothing but the impulses of ties a light rope would answer by orders more than it does with what it holds. So the
trees of an island with ropes take up the mass of vertices as their blocks answer (solvers/tree/heft.py), and how these bodies
then move says what the ties have done.
"""

from typing import NamedTuple

import numpy as np

from ...model.islands import Islands
from ...model.joints import ROD
from ...model.rows import ASKED, BORNE
from ...model.sets import Linkage, Movers, Softwork
from ...model.soft_contacts import TIE_ARM, TIE_GAP, TIE_WAY
from ...model.soft_things import VERTEX
from ...solvers.rows.tie import PULL_SPEED
from .body import SoftBody

EVEN = 1e-9
"""Added to how vertices answer, as a share of the largest [-], lest those that are tied twice have no inverse."""


class Held(NamedTuple):
    """The ties of one body."""

    body: int
    tie: np.ndarray
    vertex: np.ndarray


class Weight(NamedTuple):
    """What they weigh to it."""

    weight: np.ndarray
    """Mass of the vertices as they answer each other [kg] (k, k)."""
    arm: np.ndarray
    """From the body to the ties [m] (k, 3), world frame."""
    borne: np.ndarray
    """All of it, as heft.py has it: mass, mass times arm, and how it turns (10,)."""
    closing: np.ndarray
    """Speed that closes the gaps of the ties [m/s] (k, 3)."""


class Heft:
    """Soft things tied to trees with ropes, one island at a time."""

    def __init__(self, movers: Movers, linkage: Linkage, softwork: Softwork, islands: Islands) -> None:
        self._movers, self._softwork, self._islands = movers, softwork, islands
        self._joint_kind, self._tree = linkage.joints.kind, linkage.tree.body
        self.groups: list[Held] = []
        self._answer: np.ndarray | None = None
        self._weights: list[Weight] = []

    def take(self, i: int) -> None:
        """Find them in island `i`, in a new step."""
        lists, bodies, self.groups = self._islands, self._movers.bodies, []
        if not (self._joint_kind[lists.joint[lists.first_joint[i]:lists.first_joint[i + 1]]] == ROD).any():
            return
        tie = lists.tie[lists.first_tie[i]:lists.first_tie[i + 1]]
        body, vertex = self._softwork.ties.mover[tie].T
        mine = (bodies.link[body] != VERTEX) & (bodies.tree[body] >= 0) & (bodies.inverse_mass[vertex] > 0.0)
        for k in np.unique(body[mine]):
            some = mine & (body == k)
            self.groups.append(Held(int(k), tie[some], vertex[some]))

    def weigh(self, things: list[SoftBody], h: float) -> None:
        """Note how the vertices answer each other in a substep `h` [s], as the rows of exact.py have it."""
        self._answer = None
        self._weigh([self._gain(one.vertex, things) for one in self.groups], h)

    def weigh_alone(self, answer: np.ndarray, h: float) -> None:
        """The same where each is swept for itself: by `answer` (b,) [1/kg] of all movers. Then `book` changes velocities."""
        self._answer = answer
        self._weigh([np.diag(answer[one.vertex]) for one in self.groups], h)

    def _weigh(self, gains: list[np.ndarray], h: float) -> None:
        """Bodies correct what they bear each for itself: with as many times less mass as there are, nothing is overshot."""
        self._weights = []
        for one, gain in zip(self.groups, gains, strict=True):
            even = EVEN * gain.diagonal().max() * np.eye(len(gain))
            weight, arm = np.linalg.inv(gain + even) / len(gains), self._softwork.work.tie[one.tie, TIE_ARM:TIE_ARM + 3]
            moments = arm.T @ weight @ arm
            turn = np.trace(moments) * np.eye(3) - moments
            borne = np.concatenate([[weight.sum()], weight.sum(axis=0) @ arm, turn[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]])
            self._weights.append(Weight(weight, arm, borne, self._closing(one, h)))

    def _gain(self, vertex: np.ndarray, things: list[SoftBody]) -> np.ndarray:
        gain = np.zeros((len(vertex), len(vertex)))
        for one in things:
            mine = np.flatnonzero((vertex >= one.thing.first) & (vertex < one.thing.first + len(one.thing.mass)))
            if len(mine):
                gain[np.ix_(mine, mine)] = one.block.gains((vertex[mine] - one.thing.first).astype(np.int64))
        return gain

    def ask(self) -> None:
        """Let the trees feel soft things in the coming solve. Writes: tree.body"""
        velocity = self._movers.motion.velocity
        for one, (weight, arm, borne, closing) in zip(self.groups, self._weights, strict=True):
            row, heft = self._tree[one.body], weight @ (velocity[one.vertex] + closing)
            row[BORNE:BORNE + 10] = borne
            row[ASKED:ASKED + 3], row[ASKED + 3:ASKED + 6] = heft.sum(axis=0), _turning(arm, heft)

    def book(self) -> None:
        """What ties did in that solve. Writes: impulses of ties, pulls, tree.body; velocities of vertices that are swept"""
        motion, work, state = self._movers.motion, self._softwork.work, self._softwork.state
        for one, (weight, arm, _, closing) in zip(self.groups, self._weights, strict=True):
            self._tree[one.body, BORNE] = 0.0
            x, y, z = motion.angular_velocity[one.body].tolist()
            there = motion.velocity[one.body] + arm @ ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))
            p = weight @ (there - motion.velocity[one.vertex] - closing)
            state.impulse[one.tie] += p
            work.pull[one.vertex, :3] += p  # a vertex is tied once
            work.pull[one.body, :3] -= p.sum(axis=0)
            work.pull[one.body, 3:] -= _turning(arm, p)
            if self._answer is not None:
                motion.velocity[one.vertex] += self._answer[one.vertex, None] * p

    def _closing(self, one: Held, h: float) -> np.ndarray:
        """What closes the gaps of ties within `h` [s] [m/s] (k, 3), as in solvers/rows/tie.py."""
        table = self._softwork.work.tie[one.tie]
        gap, way = table[:, TIE_GAP:TIE_GAP + 3], table[:, TIE_WAY:TIE_WAY + 3]
        most = PULL_SPEED / np.maximum(np.sqrt((gap * gap).sum(axis=1)), 1e-12)
        return gap * np.minimum(1.0 / h, most)[:, None] + way / h


def _turning(arm: np.ndarray, push: np.ndarray) -> tuple[float, float, float]:
    """The sum of arm x push over all rows: what is not symmetric of their products. (NumPy's own takes ten times as long.)"""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = (arm.T @ push).tolist()
    return yz - zy, zx - xz, xy - yx
