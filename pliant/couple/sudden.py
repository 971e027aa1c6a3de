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
from ..model.model import Model, State, Workspace
from .parts import code_of, enter
from .soft.sudden import SuddenSoft
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
        (self._marks, self._drawn), self._ways = np.zeros((2, count), np.int32), np.zeros((count, 7))
        self._driven = self._watching = False
        self._rows: list[list[np.ndarray]] = []
        self._room, self._parts = 0, np.ones(count, np.int32)
        self._soft = SuddenSoft(model) if len(model.surfaces.node) else None

    def bind(self, m: Model, s: State, w: Workspace, scratch: CollideWork, meet: bool) -> None:
        """Give the kernels their arrays; `meet`: bodies may meet each other."""
        self._scratch, self._meet, likely = scratch, meet, meet or self._soft is not None
        self._driven = len(m.drives.law) + len(s.sprung.stiffness) > 0
        self._kept, then = pack(s)
        for new, old in zip(then.motion, self._before, strict=True):  # of the step that is under way
            np.copyto(new, old)
        self._before = then.motion
        self._note_pushed = bind(note_pushed, w.islands, s.push, self._drawn, self._marks, likely=meet)
        self._strays = bind(strays, m.bodies, m.shapes, scratch.extents, w.islands, s.push, self._before, s.motion, self._drawn,
                            self._marks, self._ways, likely=likely)
        self._met_astray = bind(met_astray, m.shapes, scratch.extents, s.motion, s.contacts, scratch.pairs, scratch.fresh,
                                self._ways, likely=meet)

    def set_out(self, engine: "Engine") -> Start | None:
        """Keep the state with which a step begins; None if nothing in it can be sudden."""
        if not self._meet and self._soft is None:
            return None
        push = engine.state.push
        self._rows, self._room = [], 0
        drawn = self._soft is not None and self._soft.begin(engine, self._drawn)
        self._watching = drawn or self._driven or bool(push.force.any() or push.torque.any() or push.turning.any())
        if not self._watching:
            return None
        np.copyto(self._kept, engine.buffer)
        return Start(engine.buffer, engine.state, self._kept)

    def note_islands(self) -> None:
        """Which of them may be sudden, before they are found anew for parts of the step."""
        if self._watching:
            self._note_pushed()

    def looks(self, engine: "Engine", dt: float) -> bool:
        """Whether something has strayed in a step `dt` [s] and met what it had no contacts for, or room to say so lacks."""
        count = self._strays(dt, engine.in_parts)
        if self._soft is not None:
            count += self._soft.strays(engine, self._before, self._marks, self._ways, dt)
        if count == 0:
            return False
        motion, end = engine.state.motion, [one.copy() for one in engine.state.motion]
        for now, then in zip(motion, (*self._before[:2], self._ways[:, :3], self._ways[:, 3:6]), strict=True):
            now[:] = then
        found = self._meet and self._look(engine, dt)
        if self._soft is not None:
            found = self._soft.looks(engine, self._ways[:, 6] > 0.0, dt) or found
        for now, then in zip(motion, end, strict=True):
            now[:] = then
        return found

    def _look(self, engine: "Engine", dt: float) -> bool:
        """The same of bodies alone, as they are at the start of their ways."""
        contacts = engine.state.contacts
        if (found := engine.seek(dt)) > len(contacts.separation):
            self._room = found
            return True
        if not (self._met_astray(dt) and self._note(engine, dt)):
            return False
        self._room = max(self._room, int(contacts.count[0]) + sum(len(rows[0]) for rows in self._rows))
        return True

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
        if self._soft is not None:
            self._soft.make_room(engine)

    def add_to(self, state: State) -> None:
        """Contacts of what was met to those found. Writes: state.contacts, .soft_contacts"""
        contacts = state.contacts
        if self._soft is not None:
            self._soft.add_to(state.soft_contacts)
        if self._rows:
            found = [column[:contacts.count[0]] for column in contacts[1:]]
            enter(contacts, [np.concatenate(column) for column in zip(found, *self._rows, strict=True)])

    def ask(self, parts: np.ndarray) -> int:
        """In how many parts what was met asks bodies to go, at most. Writes: parts"""
        if not self._rows:
            return 1
        np.maximum(parts, self._parts, out=parts)
        return int(parts.max())
