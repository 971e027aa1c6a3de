"""What is joined to a direct rope: who holds its ends, what pulls there, and whether a teleport would tear it away."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..model.joints import CYLINDRICAL, PRISMATIC, ROD
from ..model.rods import SLIDE
from ..model.rows import ARM_B
from ..scene.errors import fail
from ..scene.pose import turned
from .handle import world_points
from .rod_readings import slides, torque_on
from .rope import Reaction, matrices

_NEAR = 1e-3  # [m] what is joined no further from an end along the rope is joined to the end
_MOVED = 1e-9  # [m] a teleport may part held places so far
_LONGER = 0.01  # shares by which it may lengthen or shorten an element that does not stretch


class Acting(NamedTuple):
    """What something does to a link."""

    link: int
    along: float
    """Where, beyond the link's middle along its axis [m]."""
    force: np.ndarray
    """[N] (3,), world frame."""
    torque: np.ndarray
    """About there [N m] (3,), world frame."""


class RopeEnds:
    """Of one rope in a world, as it stands now."""

    def __init__(self, world, thing, index) -> None:
        self._world, self._thing, self._index = world, thing, index
        self._model, self._state = world._engine.model, world._engine.state

    def holds(self) -> dict[str, int]:
        """Rods that hold the ends, by "start" and "end"."""
        ends = self._world._index["end"]
        return {word: ends[key] for word in ("start", "end") if (key := f"{self._thing.name}.{word}") in ends}

    def span(self, word: str) -> float:
        """Length of rope [m] that bends and twists where an end is held: half an element, and that of a rope that holds it."""
        half, outer = 0.5 * float(self._index.lengths[0 if word == "start" else -1]), 0 if word == "start" else 1
        j, joints = self.holds().get(word), self._model.joints
        if j is None or not self._model.bodies.link[joints.body[j, outer]]:
            return half
        anchor = (joints.anchor_a, joints.anchor_b)[outer][j, 2]
        for rope in self._world._index["rope"].values():
            k = joints.body[j, outer] - rope.first
            if 0 <= k < len(rope.lengths) and k in (0, len(rope.lengths) - 1):
                its = 0.5 * float(rope.lengths[k])
                return half + its if abs(abs(anchor) - its) <= min(_NEAR, 0.5 * its) else half
        return half

    def held_at(self, word: str) -> np.ndarray | None:
        """Where the holder of an end holds it [m] (3,), world frame; None where none does, or it slides."""
        j = self.holds().get(word)
        return None if j is None or slides(self._model, j) else self._anchor(j, 0 if word == "start" else 1)

    def _anchor(self, j: int, side: int) -> np.ndarray:
        joints = self._model.joints
        return world_points(self._world, [joints.body[j, side]], [(joints.anchor_a, joints.anchor_b)[side][j]])[0]

    def joined(self) -> list[tuple[int, int]]:
        """Joints on its links that are not its own, and on which side of them the link is."""
        body, first, n = self._model.joints.body, self._index.first, len(self._index.lengths)
        found = np.argwhere((body >= first) & (body < first + n)).tolist()
        own = set(self._index.joints)
        return [(j, side) for j, side in found if j not in own]

    def _end(self, word: str) -> tuple[int, float, float]:
        """(link, where its end is along its axis [m], how near counts as there [m])."""
        k, sign = (0, -0.5) if word == "start" else (len(self._index.lengths) - 1, 0.5)
        length = float(self._index.lengths[k])
        return self._index.first + k, sign * length, min(_NEAR, 0.25 * length)

    def reaction(self, word: str, rods: bool = True) -> Reaction:
        """What joints, springs and vertices at an end do to the rope there, with or without `rods` that hold it."""
        return self._sum(self._tied(rods), word)

    def loads(self, word: str) -> Reaction:
        """What loads at an end, and forces applied there through the last step, do to the rope."""
        return self._sum(self._loaded(), word)

    def _sum(self, acting: list[Acting], word: str) -> Reaction:
        force, torque = np.zeros(3), np.zeros(3)
        link, end, _ = self._end(word)
        axis = matrices(self._state.motion.quaternion[link:link + 1])[0, :, 2]
        for one in acting:
            if self._at(one, word):
                force, torque = force + one.force, torque + one.torque + (one.along - end) * np.cross(axis, one.force)
        return Reaction(force, torque)

    def _at(self, one: Acting, word: str) -> bool:
        """Whether it acts at an end, or beyond it as if by a rod."""
        link, end, near = self._end(word)
        return one.link == link and np.sign(end) * (one.along - end) >= -near

    def beyond_middles(self) -> np.ndarray:
        """Half of what acts beyond the middles of the links, less half of what acts before them [N] (n, 3), world frame.

        The mean of the pulls on both ends of a link and this is the pull in its middle. What acts on an end of the rope is the
        pull there, and is left out.
        """
        total, words = np.zeros((len(self._index.lengths), 3)), () if self._thing.closed else ("start", "end")
        for one in self._tied() + self._loaded():
            if not any(self._at(one, word) for word in words):
                total[one.link - self._index.first] += 0.5 * np.sign(one.along) * one.force
        return total

    def _ours(self, body: int) -> bool:
        return 0 <= body - self._index.first < len(self._index.lengths)

    def _tied(self, rods: bool = True) -> list[Acting]:
        """All joints that are not its own, springs and vertices; with or without `rods` that hold its ends."""
        joints, all_, held = self._model.joints, self._ties() + self._springs(), self.holds().values()
        for j, side in self.joined():
            if j in held and not rods:
                continue
            sign, torque = 2.0 * side - 1.0, (2.0 * side - 1.0) * self._state.joints.torque[j]
            if joints.kind[j] == ROD:  # a held end is where its holder has it
                on = 1 - side if j in held else side
                torque = (1.0 if on == side else -1.0) * torque_on(self._model, self._state, j, on)
            anchor, (push, turn) = (joints.anchor_a, joints.anchor_b)[side][j], self._driven(j)
            force = sign * (self._state.joints.force[j] + push)
            if side == 0 and joints.kind[j] in (PRISMATIC, CYLINDRICAL):  # torques are told about the child's anchor
                torque = torque + np.cross(self._anchor(j, 1) - self._anchor(j, 0), force)
            all_.append(self._acting(joints.body[j, side], anchor, force, torque + sign * turn))
        return all_

    def _acting(self, link: int, lever, force: np.ndarray, torque: np.ndarray) -> Acting:
        """What is done at a `lever` [m] (3,) from the link's middle, its frame: beside its axis it is a torque more."""
        x, y, along = lever
        aside = matrices(self._state.motion.quaternion[link:link + 1])[0] @ (x, y, 0.0)
        return Acting(link, along, force, torque + np.cross(aside, force))

    def _driven(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """Force [N] and torque [N m] (3,) of all motors, springs, limits and friction of joint `j` on its second body."""
        drives, rows, push, turn = self._model.drives, self._world._engine.work.coordinate_rows.table, np.zeros(3), np.zeros(3)
        first = self._model.joints.first_coordinate[j]
        for c in range(first, first + self._model.joints.coordinates[j]):
            effort = self._state.drives.effort[drives.coordinate == c].sum()
            if rows[c, :3].any():
                push = push + effort * rows[c, :3]
            else:
                turn = turn + effort * rows[c, ARM_B:ARM_B + 3]
        return push, turn

    def _springs(self) -> list[Acting]:
        springs, found = self._state.sprung, []
        for side, anchors in ((0, springs.anchor_a), (1, springs.anchor_b)):
            for k in np.flatnonzero([self._ours(body) for body in springs.body[:, side]]):
                a, b = world_points(self._world, springs.body[k], (springs.anchor_a[k], springs.anchor_b[k]))
                towards = (b - a) / max(float(np.linalg.norm(b - a)), 1e-300)
                force = (-1.0 if side == 0 else 1.0) * self._state.springs.effort[k] * towards
                found.append(self._acting(springs.body[k, side], anchors[k], force, np.zeros(3)))
        return found

    def _ties(self) -> list[Acting]:
        """Of vertices held by one link, about their middle's place along it."""
        ties, found = self._state.tied, []
        for tie in self._world._index["tie"].values():
            group = slice(tie.first, tie.first + tie.count)
            link = ties.mover[tie.first, 0]
            if self._ours(link) and (ties.mover[group, 0] == link).all():
                pulls, along = -self._state.ties.force[group], ties.anchor[group, 2].mean()
                arms = (ties.anchor[group] - (0.0, 0.0, along)) @ matrices(self._state.motion.quaternion[link:link + 1])[0].T
                found.append(Acting(link, along, pulls.sum(axis=0), np.cross(arms, pulls).sum(axis=0)))
        return found

    def _loaded(self) -> list[Acting]:
        """All loads, and forces applied through the last step."""
        loads, pushes = self._world._loads, self._world._pushed
        return [*(self._load_on(place, load) for place, load in loads if self._ours(place.body)),
                *(self._acting(one.body, one.lever, one.force, one.torque) for one in pushes if self._ours(one.body))]

    def _load_on(self, place, load) -> Acting:
        """What a load does."""
        scale, parts = self._world.control.heard(load.scale), [load.force, load.torque]
        if load.follow:
            own = tuple(self._state.motion.quaternion[place.body].tolist())
            parts = [turned(own, turned(place.frame.quaternion, part)) for part in parts]
        force, torque = (scale * np.array(part) for part in parts)
        return self._acting(place.body, place.frame.position, force, torque)

    def pull(self, word: str, rods: bool = True) -> Reaction:
        """All that is done to an end, with or without what `rods` do that hold it."""
        held, loads = self.reaction(word, rods), self.loads(word)
        return Reaction(held.force + loads.force, held.torque + loads.torque)

    def give(self, word: str) -> np.ndarray:
        """How far loads draw an end out of its link [m] (3,): what its outer half element gives, which no rod stands for."""
        return self._half_gives(self._end(word)[0], self.loads(word).force)

    def _half_gives(self, link: int, force: np.ndarray) -> np.ndarray:
        """How far half an element gives [m] (3,), under a force."""
        k, axis = link - self._index.first, matrices(self._state.motion.quaternion[link:link + 1])[0, :, 2]
        along, laws = (force @ axis) * axis, self._index.laws
        return 0.5 * self._index.lengths[k] * (along / laws.stretch[k] + (force - along) / laws.shear[k])

    def given(self) -> np.ndarray:
        """How far loads between the ends draw points away from the middle between two links (n, 3) [m].

        A load is shared by two links (`shared_places`), so that the rod between them bears the mean of the pulls on its sides.
        """
        drawn = np.zeros((len(self._index.lengths) + (not self._thing.closed), 3))
        for (_, own), (place, load) in pairwise(self._world._loads):
            if own.name == load.name and self._ours(place.body):
                one = self._load_on(place, load)
                drawn[(one.link - self._index.first + (one.along > 0.0)) % len(drawn)] += self._half_gives(one.link, one.force)
        return drawn

    def check_move(self, points: np.ndarray, middles: np.ndarray, turns: np.ndarray) -> None:
        """Refuse new points (n, 3), middles and orientations of the links that its joints could not follow."""
        size = 2.0 * np.linalg.norm(middles - points[:len(middles)], axis=1)
        lengths, joints = self._index.lengths, self._model.joints
        off = np.where(np.isinf(self._index.laws.stretch), np.abs(size / lengths - 1.0), 0.0)
        k = int(np.argmax(off))
        if off[k] > _LONGER:
            raise fail(self._thing, f"positions makes element {k} {size[k]:.4g} m long, which is {lengths[k]:.4g} m and does "
                                    "not stretch; keep points as far apart as elements are long.")
        for word, j in self.holds().items():
            away = points[0 if word == "start" else -1] - self._anchor(j, 0 if word == "start" else 1)
            self._refuse(j, away - self._free(j, word) * (away @ self._free(j, word)), np.zeros(3))
        rods = set(self.holds().values())
        for j, side in self.joined():
            if j not in rods:
                k, anchor = joints.body[j, side] - self._index.first, (joints.anchor_a, joints.anchor_b)[side][j]
                here = middles[k] + np.array(turned(tuple(turns[k].tolist()), tuple(anchor.tolist())))
                self._refuse(j, here - self._anchor(j, 1 - side), self._anchor(j, side) - self._anchor(j, 1 - side))

    def _free(self, j: int, word: str) -> np.ndarray:
        """Direction in which the holder of an end leaves it free, world frame; zero where it does not."""
        if not slides(self._model, j):
            return np.zeros(3)
        holder = self._state.motion.quaternion[self._model.joints.body[j, 0 if word == "start" else 1]]
        axis = self._model.rods.table[self._model.joints.rod[j], SLIDE:SLIDE + 3]
        return np.array(turned(tuple(holder.tolist()), tuple(axis.tolist())))

    def _refuse(self, j: int, gap: np.ndarray, before: np.ndarray) -> None:
        """Raise where a joint would gape more than before."""
        distance = float(np.linalg.norm(gap))
        if distance > float(np.linalg.norm(before)) + _MOVED:
            index = self._world._index
            name = next((name for kind in ("hold", "joint") for name, k in index[kind].items() if k == j), "a joint")
            raise fail(self._thing, f"positions tears it {distance:.3g} m away from where '{name}' holds it; move what holds "
                                    "it first, or leave that place where it is.")
