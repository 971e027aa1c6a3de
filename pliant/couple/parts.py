"""Steps in parts of islands where what may touch something turns far: contacts are found in each, readings are of the whole."""

from typing import TYPE_CHECKING

import numpy as np

from ..model.arena import pack
from ..model.bodies import FIXED, HASTENED, STEERED
from ..model.islands import Outcome
from ..model.model import State
from .measure import Measures

if TYPE_CHECKING:
    from .step import Engine

MOST_PARTS = 32
"""Of a step."""


def parts_of(turns: float) -> int:
    """Into how many parts a step is taken in which shapes turn so many times by the angle that is safe: a power of two, so that
    substeps stay alike."""
    parts = 1
    while parts < MOST_PARTS and turns > parts:
        parts *= 2
    return parts


def advance_in(parts: int, engine: "Engine", far: np.ndarray, dt: float, substeps: int, iterations: int) -> "Whole":
    """Advance islands that hold bodies marked as `far` (b) by `dt` [s] in `parts`, each with contacts of its own; others whole.

    If these turn out to touch others, all go in parts.
    """
    (_, start), whole = pack(engine.state), Whole()
    turning = _islands(engine, far)
    chosen = np.isin(engine.work.islands.label, turning)
    calm = (engine.model.bodies.kind != FIXED) & ~chosen
    engine.solve([k for k in range(engine.work.islands.count[0]) if k not in turning], dt, substeps, iterations)
    whole.keep(engine, turning)
    for _ in range(parts):
        engine.find_contacts(dt / parts)
        turning = _islands(engine, chosen)
        if calm[np.isin(engine.work.islands.label, turning)].any():
            engine.adopt(start)
            engine.find_contacts(dt)
            return advance_in(parts, engine, np.ones_like(far), dt, substeps, iterations)
        engine.solve(turning, dt / parts, -(-substeps // parts), iterations)
        whole.add(engine, turning)
        given = engine.state.history.given
        given[:, STEERED:STEERED + 6] += dt / parts * given[:, HASTENED:HASTENED + 6]
    whole.finish(engine.state)
    return whole


def _islands(engine: "Engine", marked: np.ndarray) -> list[int]:
    """Numbers of the islands that hold `marked` bodies (b), found anew."""
    engine.find_islands()
    found = np.unique(engine.work.islands.label[marked.astype(bool)])
    return [int(k) for k in found if k >= 0]


class Whole:
    """What the parts of a step have had in common, and what was done whole beside them."""

    def __init__(self) -> None:
        self.parts = 0
        self._means: list[np.ndarray] = []
        self._forces: dict[tuple[int, int], np.ndarray] = {}
        self._rows: dict[tuple[int, int], tuple] = {}
        self._beside: list[np.ndarray] = []
        self._own = np.zeros(0, bool)
        self._work = self._residual = self._drift = self._unruly = 0.0
        self._substeps = self._iterations = self._most = 0

    def keep(self, engine: "Engine", turning: list[int]) -> None:
        """Of islands that are not `turning` and were advanced whole: their contacts as they are now."""
        self._beside = [column[~_of(engine, turning)] for column in _table(engine.state)]
        others = [k for k in range(engine.work.islands.count[0]) if k not in turning]
        self._note(engine.work.outcome, others)
        self._most = int(engine.work.outcome.substeps[others].max(initial=0))

    def add(self, engine: "Engine", turning: list[int]) -> None:
        """After a part of the islands `turning`."""
        means = _means(engine.state)
        self._means = [old + new for old, new in zip(self._means, means, strict=True)] if self.parts else [
            one.copy() for one in means]
        self.parts += 1
        contacts = engine.state.contacts
        for k in np.flatnonzero(_of(engine, turning)).tolist():
            if contacts.force[k].any():
                pair = (int(contacts.shape[k, 0]), int(contacts.shape[k, 1]))
                self._forces[pair] = self._forces.get(pair, 0.0) + contacts.force[k]
                self._rows[pair] = tuple(0.0 * column[k] if c in _PUSHES else column[k].copy()
                                         for c, column in enumerate(contacts[1:]))
        self._own = _of(engine, turning)
        self._note(engine.work.outcome, turning)
        self._substeps += int(engine.work.outcome.substeps[turning].max(initial=0))

    def _note(self, outcome: Outcome, islands: list[int]) -> None:
        self._work += float(outcome.work[islands].sum())
        self._residual = max(self._residual, float(outcome.residual[islands].max(initial=0.0)))
        self._drift = max(self._drift, float(outcome.drift[islands].max(initial=0.0)))
        self._unruly = max(self._unruly, float(outcome.unruly[islands].max(initial=0.0)))
        self._iterations = max(self._iterations, int(outcome.iterations[islands].max(initial=0)))

    def finish(self, state: State) -> None:
        """Means over the whole step. Of a pair of shapes the first contact shows all, or one that is gone if none is left.

        Writes: state
        """
        for now, whole in zip(_means(state), self._means, strict=True):
            np.copyto(now, whole / self.parts)
        contacts, own = state.contacts, [column[self._own] for column in _table(state)]
        left = set(map(tuple, own[0].tolist()))
        gone = [self._rows[pair] for pair in self._forces if pair not in left]
        own = [np.concatenate((column, np.array([row[c] for row in gone]).reshape(-1, *column.shape[1:])))
               for c, column in enumerate(own)] if gone else own
        force, order = np.zeros_like(own[_FORCE]), np.lexsort((own[_FEATURE], own[0][:, 1], own[0][:, 0]))
        own = [column[order] for column in own]
        for k, pair in enumerate(map(tuple, own[0].tolist())):
            force[k] = self._forces.pop(pair, np.zeros(3)) / self.parts
        own[_FORCE] = force
        table = [np.concatenate(both)[:len(contacts.separation)] for both in zip(own, self._beside, strict=True)]
        order = np.lexsort((table[_FEATURE], table[0][:, 1], table[0][:, 0]))
        contacts.count[0] = len(order)
        for column, new in zip(contacts[1:], table, strict=True):
            column[:len(order)] = new[order]

    def add_to(self, figures: Measures) -> Measures:
        """The figures of the whole step."""
        return figures._replace(work=self._work, residual=self._residual, unruly=self._unruly, iterations=self._iterations,
                                drift=max(figures.drift, self._drift), substeps=max(self._substeps, self._most))


_FEATURE, _FORCE = 1, 8
"""Columns of contacts, after their count."""
_PUSHES = (5, 6)
"""Those that a next step would start from."""


def _table(state: State) -> list[np.ndarray]:
    """The columns of the contacts in use."""
    return [column[:state.contacts.count[0]] for column in state.contacts[1:]]


def _of(engine: "Engine", islands: list[int]) -> np.ndarray:
    """Which contacts lie in `islands` (n)."""
    label, (shape, *_) = engine.work.islands.label, _table(engine.state)
    return np.asarray(np.isin(label[engine.model.shapes.body[shape]], islands).any(axis=1))


def _means(state: State) -> list[np.ndarray]:
    """Readings that are means over a step, or a part."""
    return [state.joints.force, state.joints.torque, state.joints.own, state.drives.effort, state.springs.effort,
            state.point_ropes.hold, state.point_ropes.mean]
