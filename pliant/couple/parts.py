"""Steps in parts of islands where contacts would not hold for the whole: found in each, readings are of the whole.

Islands are numbered anew with the contacts of each part, so what the solver says of them is kept by their bodies, and told
of the islands that all contacts of the step make.
"""

from typing import TYPE_CHECKING

import numpy as np

from ..collide.ahead import FINER
from ..model.arena import pack
from ..model.bodies import FIXED, HASTENED, STEERED
from ..model.contacts import Contacts
from ..model.islands import Islands
from ..model.model import State

if TYPE_CHECKING:
    from .step import Engine


CROWD = 32
"""Bodies times parts, at most, of an island whose shapes would overlap."""


def advance_in(parts: np.ndarray, engine: "Engine", dt: float, substeps: int, iterations: int) -> None:
    """Advance islands whose bodies (b) are in more than one of `parts` by `dt` [s] in so many, each with contacts of its own;
    others whole.

    If some turn out to touch others, all goes back to the start, and those go in as many parts as they do.
    """
    start, whole, free = pack(engine.state), Whole(len(parts)), engine.model.bodies.kind != FIXED
    whole.keep(engine, _islands(engine, parts == 1), dt, substeps, iterations)
    found = [column.copy() for column in engine.state.contacts]
    for number in sorted(set(parts[parts > 1].tolist())):
        chosen = parts == number
        for column, old in zip(engine.state.contacts, found, strict=True):
            column[:len(old)] = old
        for _ in range(number):
            engine.find_contacts(dt / number)
            engine.find_islands()
            islands = _islands(engine, chosen)
            joined = np.isin(engine.work.islands.label, islands)
            if (free & joined & ~chosen).any():
                engine.begin_again(start)
                engine.find_all(dt)
                engine.find_islands()
                more = parts_of(engine.work.islands, np.maximum(parts, joined * parts[joined].max()), parts)
                advance_in(more, engine, dt, substeps, iterations)
                return
            engine.solve(islands, dt / number, -(-substeps // number), iterations)
            whole.add(engine, islands)
            given = engine.state.history.given
            given[chosen, STEERED:STEERED + 6] += dt / number * given[chosen, HASTENED:HASTENED + 6]
        whole.gather(engine, islands, number)
    whole.finish(engine)


def parts_of(islands: Islands, turns: np.ndarray, overlaps: np.ndarray) -> np.ndarray:
    """In how many parts the island of each body (b) goes: the most that a body asks for by how far it turns, or by how far it
    would overlap, if it is not crowded; 0 of bodies that are in none."""
    count = int(islands.count[0])
    by_turn, by_overlap = np.ones(count + 1, int), np.ones(count + 1, int)
    np.maximum.at(by_turn, islands.label, turns)
    np.maximum.at(by_overlap, islands.label, overlaps)
    bodies = np.diff(islands.first_body[:count + 1])
    while (crowded := (by_overlap[:count] > 1) & (bodies * by_overlap[:count] > CROWD)).any():
        by_overlap[:count][crowded] //= FINER
    return np.append(np.maximum(by_turn, by_overlap)[:count], 0)[islands.label]


def _islands(engine: "Engine", marked: np.ndarray) -> list[int]:
    """Numbers of the islands that hold `marked` bodies (b)."""
    found = np.unique(engine.work.islands.label[marked])
    return [int(k) for k in found if k >= 0]


class Whole:
    """What the parts of a step have had in common, and what was done whole beside them."""

    def __init__(self, count: int) -> None:
        """`count`: of movers."""
        self._tables: list[list[np.ndarray]] = []
        self._means: list[np.ndarray] = []
        self._first: list[np.ndarray] = []
        self._steady: list[np.ndarray] = []
        self._pushed: list[list[np.ndarray]] = []
        self._most = {name: np.zeros(count) for name in _MOST}
        self._substeps, self._work = np.zeros(count, int), np.zeros(count)

    def keep(self, engine: "Engine", islands: list[int], dt: float, substeps: int, iterations: int) -> None:
        """Advance `islands` whole."""
        engine.solve(islands, dt, substeps, iterations)
        own = _of(engine, islands)
        self._tables.append([column[own] for column in _table(engine.state)])
        self._note(engine, islands)

    def add(self, engine: "Engine", islands: list[int]) -> None:
        """After a part of `islands`."""
        means = _means(engine.state)
        if not self._means:
            self._first, self._means = [one.copy() for one in means], [np.zeros_like(one) for one in means]
            self._steady = [np.ones(one.shape, bool) for one in means]
        for whole, steady, first, new in zip(self._means, self._steady, self._first, means, strict=True):
            whole += new
            steady &= new == first
        table = _table(engine.state)
        pushed = np.flatnonzero(_of(engine, islands) & table[_FORCE].any(axis=1))
        self._pushed.append([column[pushed] for column in table])
        self._note(engine, islands)

    def _note(self, engine: "Engine", islands: list[int]) -> None:
        """What the solver says of `islands`, by their movers; work by the first of each."""
        found, outcome = engine.work.islands, engine.work.outcome
        own = np.isin(found.label, islands)
        island = found.label[own]
        for name, most in self._most.items():
            most[own] = np.maximum(most[own], getattr(outcome, name)[island])
        self._substeps[own] += outcome.substeps[island]
        self._work[found.body[found.first_body[islands]]] += outcome.work[islands]

    def gather(self, engine: "Engine", islands: list[int], number: int) -> None:
        """After the last of a `number` of parts of `islands`: their means over the step. Writes: engine.state

        Of a pair of shapes the first contact shows all, or one that is gone if none is left. What is steady keeps its bits.
        """
        for now, whole, steady in zip(_means(engine.state), self._means, self._steady, strict=True):
            np.copyto(now, whole / number, where=~steady)
        chosen = _of(engine, islands)
        left = [column[chosen] for column in _table(engine.state)]
        pushed = [np.concatenate(column) for column in zip(*self._pushed, strict=True)]
        pairs, of = np.unique(code_of(pushed[0]), return_inverse=True)
        last = np.zeros(len(pairs), int)
        np.maximum.at(last, of, np.arange(len(of)))
        force = np.zeros((len(pairs), 3))
        np.add.at(force, of, pushed[_FORCE] / number)
        gone = last[~np.isin(pairs, code_of(left[0]))]
        for c in _PUSHES:
            pushed[c][gone] = 0.0
        own = [np.concatenate((column, old[gone])) for column, old in zip(left, pushed, strict=True)]
        own = [column[_order(own)] for column in own]
        first = np.unique(code_of(own[0]), return_index=True)[1]
        own[_FORCE][:] = 0.0
        with_force = np.isin(code_of(own[0][first]), pairs)
        own[_FORCE][first[with_force]] = force
        self._tables.append(own)
        self._means, self._pushed = [], []

    def finish(self, engine: "Engine") -> None:
        """The contacts of all, the islands that they make, and what is to say of these. Writes: engine.state, .work"""
        contacts = engine.state.contacts
        enter(contacts, [np.concatenate(column)[:len(contacts.separation)] for column in zip(*self._tables, strict=True)])
        engine.find_islands()
        label, outcome = engine.work.islands.label, engine.work.outcome
        moved = label >= 0
        for name, most in (*self._most.items(), ("substeps", self._substeps)):
            told = getattr(outcome, name)
            told[:] = 0
            np.maximum.at(told, label[moved], most[moved].astype(told.dtype))
        outcome.work[:] = 0.0
        np.add.at(outcome.work, label[moved], self._work[moved])


_MOST = ("residual", "unruly", "drift", "iterations", "stopped")
"""Of what the solver says of an island: that of which the most of all parts counts."""

_FEATURE, _FORCE = 1, 8
"""Columns of contacts, after their count."""
_PUSHES = (5, 6)
"""Those that a next step would start from."""


def enter(contacts: Contacts, table: list[np.ndarray]) -> None:
    """Let these columns, which there is room for, be all contacts. Writes: contacts"""
    order = _order(table)
    contacts.count[0] = len(order)
    for column, new in zip(contacts[1:], table, strict=True):
        column[:len(order)] = new[order]


def _table(state: State) -> list[np.ndarray]:
    """The columns of the contacts in use."""
    return [column[:state.contacts.count[0]] for column in state.contacts[1:]]


def code_of(shape: np.ndarray) -> np.ndarray:
    """One number for each pair of shapes (n 2), in the same order."""
    return shape[:, 0].astype(np.int64) << 32 | shape[:, 1]


def _order(table: list[np.ndarray]) -> np.ndarray:
    """By pair of shapes, then by feature."""
    return np.lexsort((table[_FEATURE], table[0][:, 1], table[0][:, 0]))


def _of(engine: "Engine", islands: list[int]) -> np.ndarray:
    """Which contacts lie in `islands` (n)."""
    label, (shape, *_) = engine.work.islands.label, _table(engine.state)
    return np.asarray(np.isin(label[engine.model.shapes.body[shape]], islands).any(axis=1))


def _means(state: State) -> list[np.ndarray]:
    """Readings that are means over a step, or a part."""
    return [state.joints.force, state.joints.torque, state.joints.own, state.drives.effort, state.springs.effort,
            state.point_ropes.hold, state.point_ropes.mean]
