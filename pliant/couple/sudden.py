"""Steps taken again with contacts of what was met unforeseen: sought along the way that bodies went, not as they set out.

Islands that met nothing so have the same contacts as before, and keep their bits.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._jit import bind
from ..collide.ahead import FINER, MOST
from ..collide.persist import grow
from ..collide.work import CollideWork
from ..model.arena import pack
from ..model.bodies import Motion
from ..model.contacts import Contacts
from ..model.model import Model, State, Workspace
from .parts import code_of, enter
from .stray import met_astray, note_pushed, strays

if TYPE_CHECKING:
    from .step import Engine

AGAIN = 4
"""Times that a step is taken again, at most: what is met may be pushed into what stands behind it."""
OLD = ("impulse", "friction_impulse", "slip", "force", "age")
"""Columns of contacts that new ones have nothing in."""


class Start(NamedTuple):
    """Where a step began."""

    buffer: np.ndarray
    state: State
    kept: np.ndarray

    def return_to(self, engine: "Engine") -> None:
        """Writes: engine.state"""
        np.copyto(self.buffer, self.kept)
        engine.begin_again((self.buffer, self.state))


class Sudden:
    """What a step has met unforeseen so far, and looks after it for more."""

    def __init__(self, model: Model) -> None:
        count = len(model.bodies.kind)
        self._before = Motion(np.zeros((count, 3)), np.zeros((count, 4)), np.zeros((count, 3)), np.zeros((count, 3)))
        self._marks, self._ways = np.zeros(count, np.int32), np.zeros((count, 7))
        self._driven, self._watching = len(model.drives.law) + len(model.springs.stiffness) > 0, False
        self._rows: list[list[np.ndarray]] = []
        self._room, self._parts = 0, np.ones(count, np.int32)

    def bind(self, m: Model, s: State, w: Workspace, scratch: CollideWork, likely: bool) -> None:
        """Give the kernels their arrays."""
        self._scratch = scratch
        self._kept, then = pack(s)
        for new, old in zip(then.motion, self._before, strict=True):  # of the step that is under way
            np.copyto(new, old)
        self._before = then.motion
        self._note_pushed = bind(note_pushed, w.islands, s.push, self._marks, likely=likely)
        self._strays = bind(strays, m.bodies, m.shapes, scratch.extents, w.islands, s.push, self._before, s.motion, self._marks,
                            self._ways, likely=likely)
        self._met_astray = bind(met_astray, m.shapes, scratch.extents, s.motion, s.contacts, scratch.pairs, scratch.fresh,
                                self._ways, likely=likely)

    def set_out(self, engine: "Engine") -> Start | None:
        """Keep the state with which a step begins; None if nothing in it can be sudden."""
        push = engine.state.push
        self._rows, self._room = [], 0
        self._watching = self._driven or bool(push.force.any() or push.torque.any() or push.turning.any())
        if not self._watching:
            return None
        np.copyto(self._kept, engine.buffer)
        return Start(engine.buffer, engine.state, self._kept)

    def note_islands(self) -> None:
        """Which of them may be sudden, before they are found anew for parts of the step."""
        if self._watching:
            self._note_pushed()

    def looks(self, engine: "Engine", dt: float) -> bool:
        """Whether bodies have strayed in a step `dt` [s] and met what it had no contacts for, or room to say so lacks."""
        if self._strays(dt, engine.in_parts) == 0:
            return False
        motion, contacts = engine.state.motion, engine.state.contacts
        end, lacks, met = [one.copy() for one in motion], False, 0
        for now, then in zip(motion, (*self._before[:2], self._ways[:, :3], self._ways[:, 3:6]), strict=True):
            now[:] = then
        if (found := engine.seek(dt)) > len(contacts.separation):
            self._room, lacks = found, True
        elif self._met_astray(dt):
            met = self._note(engine, dt)
            self._room = max(self._room, int(contacts.count[0]) + sum(len(rows[0]) for rows in self._rows))
        for now, then in zip(motion, end, strict=True):
            now[:] = then
        return lacks or met > 0

    def _note(self, engine: "Engine", dt: float) -> int:
        """Keep the contacts that were met, and in how many parts that asks for; their number. Writes: engine.overlaps"""
        pairs, fresh = self._scratch.pairs, self._scratch.fresh
        used = np.flatnonzero(pairs.number[:pairs.count[0]])
        for rows in self._rows:
            used = used[~np.isin(code_of(pairs.shape[used]), code_of(rows[0]))]
        if not len(used):
            return 0
        at = np.concatenate([np.arange(pairs.begin[k], pairs.begin[k] + pairs.number[k]) for k in used])
        new = [column[at] * (name not in OLD) for name, column in fresh._asdict().items() if name != "count"]
        if not self._rows:
            self._parts[:] = 1
        self._rows.append([column.astype(old.dtype) for column, old in zip(new, fresh[1:], strict=True)])
        engine.overlaps[:] = 1
        if engine.overlap(dt) > 1:
            finer = FINER ** np.ceil(np.log(np.maximum(self._ways[:, 6], 1.0)) / np.log(FINER**2))
            asked = np.where(finer <= MOST, np.maximum(engine.overlaps, finer), 1)
            self._parts[:] = np.where(engine.overlaps > 1, np.maximum(self._parts, asked), self._parts)
        return len(at)

    def make_room(self, engine: "Engine") -> None:
        """For all that was met, before contacts are found."""
        contacts = engine.state.contacts
        if len(contacts.separation) < self._room:
            engine.adopt(engine.state._replace(contacts=grow(contacts, 2 * self._room)))

    def add_to(self, contacts: Contacts) -> None:
        """Contacts of what was met to those found. Writes: contacts"""
        if self._rows:
            found = [column[:contacts.count[0]] for column in contacts[1:]]
            enter(contacts, [np.concatenate(column) for column in zip(found, *self._rows, strict=True)])

    def ask(self, parts: np.ndarray) -> int:
        """In how many parts what was met asks bodies to go, at most. Writes: parts"""
        if not self._rows:
            return 1
        np.maximum(parts, self._parts, out=parts)
        return int(parts.max())
