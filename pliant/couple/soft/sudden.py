"""Contacts of cloth and solids of what was met unforeseen in a step: sought along the way that bodies and vertices went.

Grips, moved pins, air and forces from outside change the speeds with which contacts are sought; so does strain: what snaps from
one shape to another, as a ball between plates does, gives half of its energy back within a step, and was nowhere near where it
goes. Of a solid that nothing draws those vertices count that went farther than was sought in all directions; not of one that
comes out of a tangle, through itself.
"""

from typing import TYPE_CHECKING

import numpy as np

from ...collide.meeting import MET
from ...collide.soft.persist import grow
from ...model.bodies import Motion
from ...model.model import Model
from ...model.soft_contacts import SoftContacts

if TYPE_CHECKING:
    from ..step import Engine

OLD = ("impulse", "force", "age")
"""Columns of contacts that new ones have nothing in."""
CROWD = 64
"""Contacts found for each vertex, from which on the way was one that nothing can have gone."""


class SuddenSoft:
    """What soft things of a world have met unforeseen in a step so far."""

    def __init__(self, model: Model) -> None:
        self._first, self._vertices = model.surfaces.mover, np.unique(model.surfaces.node)
        self._things = self._thing_of(self._vertices)
        self._movers = np.concatenate([np.arange(one.first, one.first + len(one.mass)) for one in model.soft])
        stirred = [one.pressure != 0.0 or any(pin.driver is not None for pin in one.pins) for one in model.soft]
        self._stirred = np.repeat(stirred, [len(one.mass) for one in model.soft])
        solid = np.array([len(one.model.cells.vertex) > 0 for one in model.soft])
        self._solid = solid[self._things]
        self._rows: list[list[np.ndarray]] = []
        self._room = 0

    def _thing_of(self, mover: np.ndarray) -> np.ndarray:
        """The thing that each vertex belongs to."""
        return np.asarray(np.searchsorted(self._first, mover, side="right") - 1)

    def begin(self, engine: "Engine", drawn: np.ndarray) -> bool:
        """A step in which nothing was met yet; whether there are solids, or vertices that grips, moved pins or air may draw.

        Writes: drawn of these
        """
        self._rows, self._room = [], 0
        now = self._stirred | (engine.state.soft.pull > 0.0)
        drawn[self._movers] = now
        return bool(now.any() or self._solid.any())

    def strays(self, engine: "Engine", before: Motion, marks: np.ndarray, ways: np.ndarray, dt: float) -> int:
        """How many `marks`ed vertices went by more than their slop elsewhere in a step `dt` [s] than they set out to, others of
        solids farther.

        Writes: ways of all
        """
        v, slop = self._vertices, engine.soft_slop[self._things]
        way = (engine.state.motion.position[v] - before.position[v]) / dt
        set_out = before.velocity[v]
        loose = self._solid & (engine.state.soft.scrambled[self._things] == 0.0)
        farther = np.where(loose, np.linalg.norm(way, axis=1) - np.linalg.norm(set_out, axis=1), 0.0)
        away = dt / slop * np.where(marks[v] > 0, np.linalg.norm(way - set_out, axis=1), farther)
        astray = (away > 1.0) & np.isfinite(away)
        ways[v, :3] = np.where(np.isfinite(way), way, set_out)
        ways[v, 6] = np.where(astray, away, 0.0)
        return int(astray.sum())

    def looks(self, engine: "Engine", astray: np.ndarray, dt: float) -> bool:
        """Whether movers `astray` (b) met in a step `dt` [s] what it had no contacts for, or room to say so lacks.

        `engine.state.motion` is where the step began, with the mean velocities of the way that was gone.
        """
        contacts, fresh = engine.state.soft_contacts, engine.seek_soft(dt)
        if (found := int(fresh.found.count[0])) > len(contacts.key):
            if found > CROWD * len(self._vertices):
                return False
            self._room = found
            return True
        new = self._met(fresh.found, engine.soft_slop, engine.state.motion, contacts, astray, dt)
        if len(new):
            columns = [column[new] * (name not in OLD) for name, column in fresh.found._asdict().items() if name != "count"]
            self._rows.append([column.astype(old.dtype) for column, old in zip(columns, fresh.found[1:], strict=True)])
            self._room = max(self._room, int(contacts.count[0]) + sum(len(rows[0]) for rows in self._rows))
        return len(new) > 0

    def _met(self, found: SoftContacts, slops: np.ndarray, motion: Motion, contacts: SoftContacts, astray: np.ndarray,
             dt: float) -> np.ndarray:
        """Which of the contacts `found` (n) the step had not, of what it led into each other."""
        key = found.key[:found.count[0]]
        mover = np.where(key[:, None] >= 0, found.mover[:found.count[0]], -1)  # what is not wanted may name what is no mover
        new = np.where(mover >= 0, astray[mover], False).any(axis=1)
        rows = np.flatnonzero(new & ~np.isin(key, contacts.key[:contacts.count[0]]))
        shape, one, two = found.shape[rows], self._thing_of(mover[rows, 0]), self._thing_of(mover[rows, 3])
        other = np.where(shape < 0, one, two)
        gap, slop = found.separation[rows] + dt * _parting(found, motion, rows), np.minimum(slops[two], slops[other])
        pair = np.where(shape < 0, -1 - one, shape).astype(np.int64) * len(slops) + two
        met = np.isin(pair, pair[gap < -MET * slop])
        return np.asarray(rows[met & (gap < slop)])

    def make_room(self, engine: "Engine") -> None:
        """For all that was met, before contacts are found."""
        contacts = engine.state.soft_contacts
        if len(contacts.key) < self._room:
            engine.adopt(engine.state._replace(soft_contacts=grow(contacts, 2 * self._room)))

    def add_to(self, contacts: SoftContacts) -> None:
        """Contacts of what was met to those found. Writes: contacts"""
        if not self._rows:
            return
        found = [column[:contacts.count[0]] for column in contacts[1:]]
        table = [np.concatenate(column) for column in zip(found, *self._rows, strict=True)]
        order = np.argsort(table[0], kind="stable")
        contacts.count[0] = len(order)
        for column, new in zip(contacts[1:], table, strict=True):
            column[:len(order)] = new[order]


def _parting(found: SoftContacts, motion: Motion, rows: np.ndarray) -> np.ndarray:
    """How fast [m/s] the gaps of contacts `rows` grow."""
    mover, weight = found.mover[rows], found.weight[rows] * np.repeat((-1.0, 1.0), 3)
    lever = found.position[rows][:, None] - motion.position[mover]
    there = motion.velocity[mover] + np.cross(motion.angular_velocity[mover], lever)
    return np.einsum("nc,ncd,nd->n", np.where(mover >= 0, weight, 0.0), there, found.normal[rows])
