"""Which soft things and bodies of an island turn together: those that are tied to each other, about what holds them."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ...model.bodies import DYNAMIC
from ...model.islands import Islands
from ...model.joints import FIXED_JOINT, REVOLUTE, ROD, SPHERICAL, UNIVERSAL
from ...model.sets import Linkage, Movers, Softwork
from ...model.soft_things import VERTEX
from ...scene.pose import turned
from .body import SoftBody
from .turning import FASTEST, FIRM, ROLLING, SLOWEST, Members, Turning

HINGES = (REVOLUTE, SPHERICAL, UNIVERSAL, FIXED_JOINT)
"""Joints that leave nothing but turning."""


class TurningGroups:
    """Those of one island at a time."""

    def __init__(self, movers: Movers, linkage: Linkage, softwork: Softwork, islands: Islands) -> None:
        self._movers, self._joints, self._ties, self._islands = movers, linkage.joints, softwork.ties, islands
        self._groups: list[tuple[list[SoftBody], Members]] = []
        self._led = False
        self._turning: list[tuple[list[SoftBody], Members, Turning]] = []
        self._least = SLOWEST

    def take(self, i: int, things: list[SoftBody]) -> None:
        """Find those of island `i`, in a new step."""
        self._least = _least_angle(things)
        solids = [one for one in things if one.turns and not one.grabbed and self._least < FASTEST]
        body, label = self._labels(i, solids)
        self._groups = []
        for k in np.unique(label[:len(solids)]):
            mine = [one for one, of in zip(solids, label, strict=False) if of == k]
            bodies = body[label[len(solids):] == k]
            together = self._members(i, mine, bodies)
            self._groups += [(mine, together)] if together else [
                ([one], found) for one in mine if (found := self._members(i, [one], body[:0]))]

    def _labels(self, i: int, solids: list[SoftBody]) -> tuple[np.ndarray, np.ndarray]:
        """The bodies that ties of island `i` name, and numbers (n,) of what each of `solids`, then of these, is tied into."""
        tie = self._islands.tie[self._islands.first_tie[i]:self._islands.first_tie[i + 1]]
        if not len(tie) or not solids:
            return tie[:0], np.arange(len(solids))
        first = np.array([one.thing.first for one in solids] + [len(self._movers.bodies.link)])
        sides = self._ties.mover[tie]
        which = np.searchsorted(first, sides, side="right") - 1  # the solid of each side, if it is one's vertex
        for k, one in enumerate(solids):
            which[(which == k) & (sides >= one.thing.first + len(one.thing.mass))] = -1
        soft = self._movers.bodies.link[sides] == VERTEX
        body = np.unique(sides[~soft])
        node = np.where(soft, which, len(solids) + np.searchsorted(body, sides))
        edge = node[(node >= 0).all(axis=1)]
        size = len(solids) + len(body)
        return body, connected_components(coo_matrix((np.ones(len(edge)), edge.T), shape=(size, size)), directed=False)[1]

    def _members(self, i: int, things: list[SoftBody], bodies: np.ndarray) -> Members | None:
        """Of solids and the bodies they are tied to; None where those are held by what may give way."""
        table, held = self._movers.bodies, []
        free = np.concatenate([one.free for one in things])
        firm = np.zeros(len(bodies), bool)
        for n, k in enumerate(bodies):
            if table.kind[k] != DYNAMIC:
                firm[n] = True
            elif table.tree[k] >= 0:
                anchors = self._anchors(i, int(k))
                if anchors is None:
                    return None
                firm[n] = not anchors
                held += anchors
        mass = np.concatenate([*(one.thing.mass for one in things), table.mass[bodies]])
        loose = np.concatenate([free, ~firm])
        spin = np.concatenate([np.zeros((len(free), 3)), table.inertia[bodies]])
        heavy = FIRM * mass[loose].sum()
        about = [one.thing.mass @ ((one.block.position - one.block.position.mean(axis=0)) ** 2).sum(axis=1) for one in things]
        spin[len(free):][firm] = FIRM * float(sum(about))
        mover = np.concatenate([*(np.arange(one.thing.first, one.thing.first + len(one.thing.mass)) for one in things), bodies])
        return Members(mover, np.where(loose, mass, heavy), loose, spin, np.array(held).reshape(-1, 3))

    def _anchors(self, i: int, k: int) -> list[np.ndarray] | None:
        """Places at rest that body `k` is hinged to [m]; [] where it hangs on other bodies that are hinged to such; None where
        its tree slides, or floats, or has ropes."""
        lists, joints, table, motion = self._islands, self._joints, self._movers.bodies, self._movers.motion
        out, anchored = [], False
        for j in lists.joint[lists.first_joint[i]:lists.first_joint[i + 1]]:
            if joints.kind[j] == ROD or joints.kind[j] not in HINGES:
                return None
            a, b = joints.body[j]
            for other, own, anchor in ((a, b, joints.anchor_a[j]), (b, a, joints.anchor_b[j])):
                if table.inverse_mass[other] == 0.0:
                    anchored = True
                    if own == k and table.kind[other] != DYNAMIC and not motion.velocity[other].any():
                        out.append(motion.position[other] + turned(motion.quaternion[other], anchor))
        return out if anchored else None

    def start(self, things: list[SoftBody], h: float, led: bool) -> list:
        """What velocities of each thing have more along the way of a substep of `h` [s] [m/s] (n, 3); 0: nothing.
        Bodies of trees that joints have `led` (swing.py) have that already.

        Writes: velocity of bodies
        """
        motion, self._led = self._movers.motion, led
        made = [(solids, members, Turning(members, motion, h)) for solids, members in self._groups]
        self._turning = [one for one in made if self._least < one[2].angle < FASTEST]
        return self._share(things, [one.out for _, _, one in self._turning])

    def end(self, things: list[SoftBody]) -> list:
        """The same of the velocities at its end."""
        return self._share(things, [one.home() for _, _, one in self._turning])

    def _share(self, things: list[SoftBody], changes: list[np.ndarray]) -> list:
        out: dict[int, np.ndarray] = {}
        for (solids, members, _), change in zip(self._turning, changes, strict=True):
            first = 0
            for one in solids:
                out[id(one)] = change[first:first + len(one.thing.mass)]
                first += len(one.thing.mass)
            bodies = members.mover[first:]
            loose = np.where(self._led & (self._movers.bodies.tree[bodies] >= 0), 0.0, 1.0)
            self._movers.motion.velocity[bodies] += loose[:, None] * change[first:]
        return [out.get(id(one), 0.0) for one in things]


def _least_angle(things: list[SoftBody]) -> float:
    """Angle of a substep [rad] from which on what turns in their island is looked at; FASTEST: nothing is.

    Where there is cloth that is touched, sweeps leave open what would be taken for turning.
    """
    if not any(one.touched for one in things):
        return SLOWEST
    return ROLLING if all(one.solid and one.turns for one in things) else FASTEST
