"""A step in parts, where what may touch something turns far: contacts are found in each, and readings are of the whole."""

import numpy as np

from ..model.islands import Outcome
from ..model.model import State
from .measure import Measures

MOST_PARTS = 32
"""Of a step."""


def parts_of(turn: float) -> int:
    """Into how many parts a step is taken in which shapes `turn` by so many times the angle that is safe: a power of two, so
    that substeps stay alike."""
    parts = 1
    while parts < MOST_PARTS and turn > parts:
        parts *= 2
    return parts


class Whole:
    """What the parts of a step have had in common."""

    def __init__(self) -> None:
        self.parts = 0
        self._means: list[np.ndarray] = []
        self._forces: dict[tuple[int, int], np.ndarray] = {}
        self._rows: dict[tuple[int, int], tuple] = {}
        self._work = self._residual = self._drift = self._unruly = 0.0
        self._substeps = self._iterations = 0

    def add(self, state: State, outcome: Outcome, count: int) -> None:
        """After a part."""
        means = _means(state)
        self._means = [old + new for old, new in zip(self._means, means, strict=True)] if self.parts else [
            one.copy() for one in means]
        self.parts += 1
        contacts = state.contacts
        for k, pair in enumerate(map(tuple, contacts.shape[:contacts.count[0]].tolist())):
            if contacts.force[k].any():
                self._forces[pair] = self._forces.get(pair, 0.0) + contacts.force[k]
                self._rows[pair] = tuple(column[k].copy() for column in contacts[1:])
        self._work += float(outcome.work[:count].sum())
        self._residual = max(self._residual, float(outcome.residual[:count].max(initial=0.0)))
        self._drift = max(self._drift, float(outcome.drift[:count].max(initial=0.0)))
        self._unruly = max(self._unruly, float(outcome.unruly[:count].max(initial=0.0)))
        self._substeps += int(outcome.substeps[:count].max(initial=0))
        self._iterations = max(self._iterations, int(outcome.iterations[:count].max(initial=0)))

    def finish(self, state: State) -> None:
        """Means over the whole step. Of a pair of shapes the first contact shows all, or one that is gone if none is left.

        Writes: state
        """
        for now, whole in zip(_means(state), self._means, strict=True):
            np.copyto(now, whole / self.parts)
        contacts = state.contacts
        left = set(map(tuple, contacts.shape[:contacts.count[0]].tolist()))
        for pair in [one for one in self._forces if one not in left][:len(contacts.separation) - contacts.count[0]]:
            for column, one in zip(contacts[1:], self._rows[pair], strict=True):
                column[contacts.count[0]] = one
            contacts.impulse[contacts.count[0]] = contacts.friction_impulse[contacts.count[0]] = 0.0
            contacts.count[0] += 1
        count = contacts.count[0]
        order = np.lexsort((contacts.feature[:count], contacts.shape[:count, 1], contacts.shape[:count, 0]))
        for column in contacts[1:]:
            column[:count] = column[:count][order]
        for k in range(count):
            contacts.force[k] = self._forces.pop(tuple(contacts.shape[k].tolist()), np.zeros(3)) / self.parts

    def add_to(self, figures: Measures) -> Measures:
        """The figures of the whole step."""
        return figures._replace(work=self._work, residual=self._residual, unruly=self._unruly, substeps=self._substeps,
                                drift=max(figures.drift, self._drift), iterations=self._iterations)


def _means(state: State) -> list[np.ndarray]:
    """Readings that are means over a step, or a part."""
    return [state.joints.force, state.joints.torque, state.joints.own, state.drives.effort, state.springs.effort]
