"""How drives of joints hold the bodies that soft things touch or hang on.

A body answers pushes as its tree of joints lets it, R; a motor, spring or damper on a joint that is between its bounds answers
them too, at once: with its row j, which asks for j V + gamma lambda = const., what is left is

    R' = R - R j (R j)^T / (j R j + gamma)

one drive after the other. Without that a light hub on a motor would be taken to be free, and come to the motor's speed, with
what hangs on it, by the share that it has of the whole mass an iteration.
"""

import numpy as np

from ..._jit import bind, entry
from ...math.vec3 import neg
from ...model.islands import Islands
from ...model.model import Model, State, Workspace, sets_of
from ...model.rows import ANSWERING, ARM_A, ARM_B, GAMMA, HIGH, LOW, PUSH
from ...model.sets import Drivetrain, Linkage, Movers
from ...model.soft_contacts import SoftRows
from ...solvers.tree.forest import forget_answers, pass_trees
from ..ports import load_at, store_at

MOST_DRIVES = 24
"""Drives of an island that are asked at most."""


class DriveHold:
    """Drives of all islands, their arrays bound once."""

    def __init__(self, m: Model, s: State, w: Workspace) -> None:
        movers, linkage, drivetrain = sets_of(m, s, w)[:3]
        self._islands, self._drivetrain, self._joint_body = w.islands, drivetrain, m.joints.body
        self._response, self._along = w.soft_rows.response, w.soft_rows.along
        self._tree, self._held, self._noted = m.bodies.tree, np.zeros(0, np.int64), np.zeros(0)
        self._answers: list[tuple[int, np.ndarray, float]] = []
        self._ask = bind(answer_drive, movers, linkage, drivetrain, w.soft_rows, w.islands, likely=len(m.drives.law) > 0)

    def holding(self, i: int) -> np.ndarray:
        """Numbers of the drives of island `i` that are between their bounds."""
        lists, law = self._islands, self._drivetrain.law.table
        k = lists.drive[lists.first_drive[i]:lists.first_drive[i + 1]]
        if not len(k):
            return k
        impulse = self._drivetrain.state.impulse[k]
        return k[(law[k, LOW] < impulse) & (impulse < law[k, HIGH])][:MOST_DRIVES]

    def changed(self, i: int) -> bool:
        """Whether others do than `hold` took."""
        return self.holding(i).tolist() != self._held.tolist()

    def hold(self, i: int, bodies: np.ndarray) -> None:
        """Let `bodies` answer as drives that are between their bounds let them. Writes: response of bodies"""
        self._held = self.holding(i)
        law, self._answers = self._drivetrain.law.table, []
        for k in self._held:
            self._ask(i, int(k))
            along = self._along.copy()
            for _, other, whole in self._answers:
                along -= self._speed(int(k), other) / whole * other
            whole = self._speed(int(k), along) + law[k, GAMMA]
            if whole > 0.0:
                self._answers.append((int(k), along, whole))
        for _, along, whole in self._answers:
            for m in bodies[self._tree[bodies] >= 0]:
                self._response[m] -= np.outer(along[m], along[m]).ravel() / whole

    def note(self) -> None:
        """What drives have pushed by now."""
        self._noted = self._drivetrain.state.impulse.copy()

    def stop(self, i: int) -> np.ndarray:
        """Let only those that `hold` took and that have come to their bounds differ from what was noted; returns the change
        (b, 6) of velocities by that. Writes: impulses"""
        impulse, change = self._drivetrain.state.impulse, np.zeros_like(self._along)
        for k in np.setdiff1d(self._held, self.holding(i)):
            self._ask(i, int(k))
            change += (impulse[k] - self._noted[k]) * self._along
            self._noted[k] = impulse[k]
        impulse[:] = self._noted
        return change

    def react(self, change: np.ndarray) -> None:
        """Let drives that hold answer a change (b, 6) of the velocities of trees, within bounds. Writes: change, impulses"""
        law, impulse = self._drivetrain.law.table, self._drivetrain.state.impulse
        for k, along, whole in self._answers:
            new = min(max(impulse[k] - self._speed(k, change) / whole, law[k, LOW]), law[k, HIGH])
            change += (new - impulse[k]) * along
            impulse[k] = new

    def _speed(self, k: int, velocity: np.ndarray) -> float:
        """Along the row of drive `k`, of velocities (b, 6) of bodies."""
        c = self._drivetrain.drives.coordinate[k]
        (a, b), row = self._joint_body[self._drivetrain.coordinates.joint[c]], self._drivetrain.rows.table[c]
        way = row[:3] @ (velocity[b, :3] - velocity[a, :3])
        return float(way + row[ARM_B:ARM_B + 3] @ velocity[b, 3:] - row[ARM_A:ARM_A + 3] @ velocity[a, 3:])


@entry
def answer_drive(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, work: SoftRows, islands: Islands, i: int,
                 k: int) -> None:
    """Velocities of bodies by a unit impulse of drive `k`, through their trees. Writes: work.along, scratch"""
    c = drivetrain.drives.coordinate[k]
    j, tree, rows, part = drivetrain.coordinates.joint[c], linkage.tree, drivetrain.rows.table, movers.bodies.tree
    a, b = linkage.joints.body[j, 0], linkage.joints.body[j, 1]
    for m in range(work.along.shape[0]):
        for r in range(6):
            work.along[m, r] = 0.0
    n = load_at(rows, c, 0)
    if part[a] >= 0:
        store_at(tree.body, a, PUSH, neg(n))
        store_at(tree.body, a, PUSH + 3, neg(load_at(rows, c, ARM_A)))
    if part[b] >= 0:
        store_at(tree.body, b, PUSH, n)
        store_at(tree.body, b, PUSH + 3, load_at(rows, c, ARM_B))
    pass_trees(linkage, part, movers.ports, movers.motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] >= 0:
            for r in range(6):
                work.along[islands.body[m], r] = tree.body[islands.body[m], PUSH + r]
    forget_answers(part, tree, islands, i)
