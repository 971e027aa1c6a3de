"""Soft things as the ropes that they are tied to feel them: their mass at the ties, and what the ties then do.

Solved with nothing but the impulses of ties a light rope would answer by orders more than it does with what it holds. So the
trees of an island with ropes take up the mass of vertices as their blocks answer (solvers/tree/heft.py), and how these bodies
then move says what the ties have done.
"""

from typing import NamedTuple

import numpy as np

from ..model.islands import Islands
from ..model.joints import ROD
from ..model.rows import ASKED, BORNE
from ..model.sets import Linkage, Movers, Softwork
from ..model.soft_contacts import TIE_ARM, TIE_GAP
from ..model.soft_things import VERTEX
from ..solvers.rows.tie import PULL_SPEED
from .soft_body import SoftBody

EVEN = 1e-9
"""Added to how vertices answer, as a share of the largest [-], lest those that are tied twice have no inverse."""


class Held(NamedTuple):
    """The ties of one body."""

    body: int
    tie: np.ndarray
    vertex: np.ndarray


class Heft:
    """Soft things tied to trees with ropes, one island at a time."""

    def __init__(self, movers: Movers, linkage: Linkage, softwork: Softwork, islands: Islands) -> None:
        self._movers, self._softwork, self._islands = movers, softwork, islands
        self._joint_kind, self._tree = linkage.joints.kind, linkage.tree.body
        self.groups: list[Held] = []
        self._answer: np.ndarray | None = None
        self._weights: list[np.ndarray] = []

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

    def weigh(self, things: list[SoftBody]) -> None:
        """Note how the vertices answer each other, as the rows of soft_exact.py have it."""
        self._answer = None
        self._weigh([self._gain(one.vertex, things) for one in self.groups])

    def weigh_alone(self, answer: np.ndarray) -> None:
        """The same where each is swept for itself: by `answer` (b,) [1/kg] of all movers. Then `book` changes velocities."""
        self._answer = answer
        self._weigh([np.diag(answer[one.vertex]) for one in self.groups])

    def _weigh(self, gains: list[np.ndarray]) -> None:
        """Bodies correct what they bear each for itself: with as many times less mass as there are, nothing is overshot."""
        self._weights = []
        for gain in gains:
            even = EVEN * gain.diagonal().max() * np.eye(len(gain))
            self._weights.append(np.linalg.inv(gain + even) / len(gains))

    def _gain(self, vertex: np.ndarray, things: list[SoftBody]) -> np.ndarray:
        gain = np.zeros((len(vertex), len(vertex)))
        for one in things:
            mine = np.flatnonzero((vertex >= one.thing.first) & (vertex < one.thing.first + len(one.thing.mass)))
            if len(mine):
                gain[np.ix_(mine, mine)] = one.block.gains((vertex[mine] - one.thing.first).astype(np.int64))
        return gain

    def ask(self, h: float) -> None:
        """Let the trees feel soft things in the coming solve of `h` [s]. Writes: tree.body"""
        velocity, work = self._movers.motion.velocity, self._softwork.work.tie
        for one, weight in zip(self.groups, self._weights, strict=True):
            arm, row = work[one.tie, TIE_ARM:TIE_ARM + 3], self._tree[one.body]
            moments, heft = arm.T @ weight @ arm, weight @ (velocity[one.vertex] + self._closing(one, h))
            turn = np.trace(moments) * np.eye(3) - moments
            row[BORNE], row[BORNE + 1:BORNE + 4] = weight.sum(), weight.sum(axis=0) @ arm
            row[BORNE + 4:BORNE + 10] = turn[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
            row[ASKED:ASKED + 3], row[ASKED + 3:ASKED + 6] = heft.sum(axis=0), np.cross(arm, heft).sum(axis=0)

    def book(self, h: float) -> None:
        """What ties did in that solve. Writes: impulses of ties, pulls, tree.body; velocities of vertices that are swept"""
        motion, work, state = self._movers.motion, self._softwork.work, self._softwork.state
        for one, weight in zip(self.groups, self._weights, strict=True):
            self._tree[one.body, BORNE] = 0.0
            arm = work.tie[one.tie, TIE_ARM:TIE_ARM + 3]
            there = motion.velocity[one.body] + np.cross(motion.angular_velocity[one.body], arm)
            p = weight @ (there - motion.velocity[one.vertex] - self._closing(one, h))
            state.impulse[one.tie] += p
            np.add.at(work.pull[:, :3], one.vertex, p)
            work.pull[one.body, :3] -= p.sum(axis=0)
            work.pull[one.body, 3:] -= np.cross(arm, p).sum(axis=0)
            if self._answer is not None:
                np.add.at(motion.velocity, one.vertex, self._answer[one.vertex, None] * p)

    def _closing(self, one: Held, h: float) -> np.ndarray:
        """What closes the gaps of ties within `h` [s] [m/s] (k, 3), as in solvers/rows/tie.py."""
        gap = self._softwork.work.tie[one.tie, TIE_GAP:TIE_GAP + 3]
        return gap * np.minimum(1.0 / h, PULL_SPEED / np.maximum(np.linalg.norm(gap, axis=1), 1e-12))[:, None]
