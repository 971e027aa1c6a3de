"""The bodies, joints, springs, contacts and direct ropes of an island that also holds soft things.

For the rows between them and soft things they are a block: solved from the start of the substep as often as the impulses of
those rows have changed, by the implicit substep of newton.py, which takes these impulses as forces from outside.
"""

from collections.abc import Callable
from math import hypot, nan

import numpy as np

from ..._jit import bind
from ...model.bodies import DRIVEN, FIXED
from ...model.joints import SPRING
from ...model.model import Model, State, Workspace, sets_of
from ...model.rows import FRAME, IMPULSE, LATE, LEVER_A, LEVER_B
from ...model.soft_things import VERTEX
from ..newton import OPEN
from ..swing import come_home, lead_bodies
from .carried import (
    answer_carriers,
    begin_carriers,
    carried_energy,
    finish_carriers,
    relax_carriers,
    return_carriers,
    solve_carriers,
    spread_carriers,
    start_carriers,
)
from .drives import DriveHold

EASE = 0.97
"""Share of a push that a contact between bodies takes up within a substep [-], as rows/contact.py has it."""


class Carriers:
    """What soft things are carried by, their arrays bound once."""

    def __init__(self, m: Model, s: State, w: Workspace) -> None:
        sets = sets_of(m, s, w)
        movers, linkage = sets.movers, sets.linkage
        any_body = bool(((m.bodies.link != VERTEX) & (m.bodies.kind != FIXED)).any())
        self._driven = m.bodies.kind
        self._springs, self._drives = (s.sprung, s.springs), (m.drives, s.drives)
        self._islands, self._push, self._pull, self._carrier = w.islands, s.push, w.soft_rows.pull, w.soft_rows.carrier
        self._residual, self._miss, self._contacts = w.outcome.residual, 0.0, s.contacts
        self._left = 0.0
        self._touch, self._response = (w.contact_work.body, w.contact_work.table), w.soft_rows.response
        self._mass, self._leads, self._still = m.bodies.mass, False, np.zeros((len(m.bodies.mass), 6))
        self._inverse_mass, self.leaning = m.bodies.inverse_mass, np.zeros(0, np.int32)
        self.open = 0.0
        """What joints have missed at most [-] at the end of a substep that they did not close in, since the step began."""
        self._drive_hold = DriveHold(m, s, w)
        self._begin = bind(begin_carriers, sets, m.shapes, s.contacts, w.islands, w.outcome)
        self._lead = bind(lead_bodies, sets, w.islands, likely=any_body and len(m.joints.kind) > 0)
        self._home = bind(come_home, movers, w.islands, likely=any_body and len(m.joints.kind) > 0)
        self.led, self.swung = False, 0.0
        """Whether joints alone have led the bodies first in this substep; what they gained by that since the step began [J]."""
        self._start = bind(start_carriers, sets, w.islands, likely=any_body)
        self._back = bind(return_carriers, movers, w.islands, likely=any_body)
        self._solve = bind(solve_carriers, sets, w.islands, w.outcome, likely=any_body)
        self._answer = bind(answer_carriers, movers, linkage, w.soft_rows, w.islands, likely=any_body)
        self._along, self._tree = w.soft_rows.along, m.bodies.tree
        self._from, self._velocity, self._spin = movers.start.table, s.motion.velocity, s.motion.angular_velocity
        self._spread = bind(spread_carriers, movers, linkage, w.soft_rows, w.islands, likely=any_body)
        self._relax = bind(relax_carriers, sets, w.islands, w.outcome, likely=any_body)
        self._energy = bind(carried_energy, movers, linkage, w.islands, likely=any_body)
        self._finish = bind(finish_carriers, sets, s.contacts, w.islands, w.outcome, likely=any_body)

    def begin(self, i: int) -> None:
        """Begin a step of island `i`."""
        self._begin(i)
        first = self._islands.first_body
        self.movers = self._islands.body[first[i]:first[i + 1]].copy()
        self._miss, self.open, self.leaning = 0.0, 0.0, np.zeros(0, np.int32)
        self.led, self.swung = False, 0.0
        self._force, self._torque = self._push.force[self.movers], self._push.torque[self.movers]

    def driven(self, i: int) -> bool:
        """Whether springs, drives or driven bodies give it energy or take some."""
        lists = self._islands
        return bool(lists.first_spring[i] < lists.first_spring[i + 1] or lists.first_drive[i] < lists.first_drive[i + 1]
                    or (self._driven[lists.body[lists.first_body[i]:lists.first_body[i + 1]]] == DRIVEN).any())

    def sunk(self, i: int) -> float:
        """How deep bodies of the island have sunk into each other and the ground [m]."""
        lists = self._islands
        k = lists.contact[lists.first_contact[i]:lists.first_contact[i + 1]]
        return float(-self._contacts.separation[k].min(initial=0.0))

    def energies(self, i: int, gravity: tuple) -> tuple[float, float]:
        """Kinetic, of gravity, of rods and of springs [J]; and the same without that of gravity."""
        sprung = self._sprung(i)
        if not len(self.movers):
            return sprung, sprung
        return self._energy(i, gravity) + sprung, self._energy(i, (0.0, 0.0, 0.0)) + sprung

    def _sprung(self, i: int) -> float:
        """Energy of springs, those in joints too [J]."""
        lists, (springs, state), (drives, joined) = self._islands, self._springs, self._drives
        k = lists.spring[lists.first_spring[i]:lists.first_spring[i + 1]]
        d = lists.drive[lists.first_drive[i]:lists.first_drive[i + 1]]
        d = d[drives.law[d] == SPRING]
        return 0.5 * float(springs.stiffness[k] @ state.deflection[k] ** 2 + drives.stiffness[d] @ joined.deflection[d] ** 2)

    def weigh(self, i: int, bearing: np.ndarray, borne: float) -> None:
        """Say for a step whether joints may lead bodies first: where soft things, `borne` [kg] in all, are lighter than each of
        the jointed bodies `bearing` (k,) them. What is heavier leads, and light links would be thrown about."""
        joined = bearing[self._tree[bearing] >= 0]
        jointed = self._islands.first_joint[i] < self._islands.first_joint[i + 1]
        self._leads = bool(jointed and len(joined) and borne < self._mass[joined].min())

    def lead(self, i: int, h: float, step: int, gravity: tuple, drag: float) -> None:
        """Let joints lead the bodies first in substep number `step` of `h` [s], where they can (swing.py)."""
        self._lag, gain, self._power = nan, 0.0, 0.0
        if self._leads:
            self._lag, gain, self._power = self._lead(i, h, step, gravity, drag)
        self.led = self._lag == self._lag
        self.swung += gain if self.led else 0.0
        self._given = np.where(self.led & (self._tree[self.movers] >= 0), 0.0, 1.0)[:, None]

    def start(self, i: int, h: float, step: int) -> None:
        """Begin substep number `step` of `h` [s]."""
        if len(self.movers):
            self._start(i, h, step)
            self._left = self._residual[i]

    def start_again(self, i: int) -> None:
        """Return to where the substep began."""
        if len(self.movers):
            self._back(i)

    def solve(self, i: int, h: float, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
        """Velocities and places at the end of the substep of `h` [s], with the pulls of soft things."""
        if len(self.movers):
            pull = self._pull[self.movers] / h
            self._push.force[self.movers] = self._given * self._force + pull[:, :3]
            self._push.torque[self.movers] = self._given * self._torque + pull[:, 3:]
            self._residual[i] = self._left  # what earlier iterations have left is solved again
            self._miss = self._solve(i, h, iterations, tolerance, gravity, drag, self.led)
            self._push.force[self.movers], self._push.torque[self.movers] = self._force, self._torque

    def answer(self, i: int, bodies: np.ndarray) -> None:
        """How the `bodies` (k,) that soft things touch or hang on answer, once `solve` has factored their trees."""
        if len(bodies):
            self._carrier[:len(bodies)] = bodies
            self._answer(i, len(bodies))
            self.leaning = np.zeros(0, np.int32)
        self._drive_hold.hold(i, bodies)

    def lean(self, i: int, bodies: np.ndarray) -> bool:
        """Let `bodies` that lie on what does not move answer pushes into it as little as contacts give way. Writes: response

        A light body between a heavy soft thing and the ground would be taken to be thrown aside. A contact that presses takes
        away R j (R j)^T / (j R j) of the answer R, j its normal with the lever, but for the softness of contacts.
        Returns whether there are such.
        """
        lists, (pairs, table) = self._islands, self._touch
        k = lists.contact[lists.first_contact[i]:lists.first_contact[i + 1]]
        side = np.isin(pairs[k, 1], bodies).astype(int)
        on = np.isin(pairs[k, side], bodies) & (self._inverse_mass[pairs[k, 1 - side]] == 0.0)
        k, side = k[on & (table[k, IMPULSE] > 0.0)], side[on & (table[k, IMPULSE] > 0.0)]
        self.leaning = k
        for c, s in zip(k, side, strict=True):
            normal = (2 * s - 1.0) * table[c, FRAME:FRAME + 3]
            row = np.concatenate([normal, np.cross(table[c, (LEVER_A, LEVER_B)[s] + np.arange(3)], normal)])
            answer = self._response[pairs[c, s]].reshape(6, 6)
            along = answer @ row
            if row @ along > 1e-9 * np.trace(answer):
                answer -= EASE * np.outer(along, along) / (row @ along)
        return len(k) > 0

    def lets_go(self, i: int, away: bool) -> bool:
        """Whether a contact that bodies were taken to lean on bears nothing now, leaning leads `away`, or other drives hold.

        Where a body slips its friction follows what it leans by: iterations may throw that ever further from side to side.
        """
        leaves = len(self.leaning) > 0 and (away or bool((self._touch[1][self.leaning, IMPULSE] <= 0.0).any()))
        return leaves or self.drives_change(i)

    def drives_change(self, i: int) -> bool:
        """Whether other drives are between their bounds than bodies were last found to answer with."""
        return self._drive_hold.changed(i)

    def drives_give_way(self, i: int, *how) -> bool:
        """Whether others of the drives are between their bounds once they bear what soft things pull by now: what stays where
        it is between two jaws does not show it. Writes: as `solve`"""
        lists = self._islands
        if lists.first_drive[i] == lists.first_drive[i + 1]:
            return False
        self.solve(i, *how)
        return self.drives_change(i)

    def relax(self, i: int, h: float, iterations: int, tolerance: float) -> None:
        """Move by the velocities found, and take out what pushed contacts apart."""
        before = self._speeds() if self.led else self._still
        if len(self.movers):
            self._relax(i, h, iterations, tolerance, self.led)
        self.late = self._speeds() - before if self.led else self._still.copy()
        """What velocities (b, 6) have more since, of what acts from outside late, and of turning."""
        loose = self.movers[self._tree[self.movers] < 0]
        if not self.led:
            self.late[loose, 3:] = self._from[loose, LATE + 3:LATE + 6]

    def answer_relaxed(self, i: int, relax: Callable[[], float]) -> bool:
        """Let whole trees, with drives that hold them, answer what rows with soft things pull at single bodies of them as they
        `relax`: else momentum would be lost there. Returns whether all those drives still are between their bounds.

        Writes: velocities of their bodies, impulses of drives
        """
        self._along[self.movers] = self._pull[self.movers]
        self._noted = self._speeds() - self.late
        self._drive_hold.note()
        relax()
        k = self.movers[self._tree[self.movers] >= 0]
        if len(k):
            self._take(k, self._noted + self.late)
            self._spread(i)
            self.react()
        return not self.drives_change(i)

    def react(self) -> np.ndarray:
        """Let drives that hold answer how velocities differ from those noted; returns how they do then (b, 6).

        Writes: velocities of trees, impulses of drives
        """
        change = self._speeds() - self._noted
        self._drive_hold.react(change)
        self._take(self.movers[self._tree[self.movers] >= 0], self._noted + change)
        return change

    def stop_drives(self, i: int) -> None:
        """Back to what was noted, but for drives that have come to their bounds since: these push by all that they can.

        Writes: velocities, impulses of drives
        """
        self._take(self.movers, self._noted + self.late + self._drive_hold.stop(i))

    def _speeds(self) -> np.ndarray:
        """Velocities and angular velocities of all movers now (b, 6)."""
        return np.hstack([self._velocity, self._spin])

    def _take(self, k: np.ndarray, speeds: np.ndarray) -> None:
        """Writes: velocities of movers `k`"""
        self._velocity[k], self._spin[k] = speeds[k, :3], speeds[k, 3:]

    def finish(self, i: int, h: float, dt: float, gravity: tuple, last: bool) -> None:
        """Note what the substep did."""
        if len(self.movers):
            if not self._miss < OPEN:
                self.open = max(self.open, self._miss if self._miss < np.inf else np.inf)
                self._residual[i] = max(self._residual[i], self._miss / h)
            self._finish(i, h, dt, 2.0 * dt * hypot(*gravity), last, self.led)
            if self.led:  # velocities that lag behind by so much show less energy where something pushes along them
                self.swung += self._lag * (self._power - self._home(i, gravity))
