"""The bodies, joints, springs, contacts and direct ropes of an island that also holds soft things.

For the rows between them and soft things they are a block: solved from the start of the substep as often as the impulses of
those rows have changed, by the implicit substep of newton.py, which takes these impulses as forces from outside.
"""

from math import hypot

import numpy as np

from .._jit import bind, entry, kernel
from ..math.sym3 import load6
from ..model.bodies import DRIVEN, FIXED
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import ROD, SPRING
from ..model.model import Model, State, Workspace, sets_of
from ..model.rows import ANSWERING, FRAME, IMPULSE, LEVER_A, LEVER_B, PUSH
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..model.shapes import Shapes
from ..model.soft_contacts import SoftRows
from ..model.soft_things import VERTEX
from ..solvers.chain.measure import rod_energy
from ..solvers.rows.few_contacts import are_few
from ..solvers.tree.forest import forget_answers, pass_trees, take_answers
from .finish import finish_contacts, finish_rows
from .implicit import place_again
from .move import energy_of, go_back, keep_start, move_contacts, push_work, steer
from .newton import OPEN, newton
from .predict import move_from, remember
from .prepare import begin_island, prepare_contacts, prepare_inertia
from .soft_drives import DriveHold
from .sweep import is_touched, meet_contacts, sweep

EASE = 0.97
"""Share of a push that a contact between bodies takes up within a substep [-], as rows/contact.py has it."""


class Carriers:
    """What soft things are carried by, their arrays bound once."""

    def __init__(self, m: Model, s: State, w: Workspace) -> None:
        movers, linkage, drivetrain, springwork, touch = sets_of(m, s, w)
        rows = (movers, linkage, drivetrain, springwork, touch)
        any_body = bool(((m.bodies.link != VERTEX) & (m.bodies.kind != FIXED)).any())
        self._driven = m.bodies.kind
        self._springs, self._drives = (m.springs, s.springs), (m.drives, s.drives)
        self._islands, self._push, self._pull, self._carrier = w.islands, s.push, w.soft_rows.pull, w.soft_rows.carrier
        self._residual, self._miss, self._contacts = w.outcome.residual, 0.0, s.contacts
        self._touch, self._response = (w.contact_work.body, w.contact_work.table), w.soft_rows.response
        self._inverse_mass, self.leaning = m.bodies.inverse_mass, np.zeros(0, np.int32)
        self.open = 0.0
        """What joints have missed at most [-] at the end of a substep that they did not close in, since the step began."""
        self._drive_hold = DriveHold(m, s, w)
        self._begin = bind(begin_carriers, *rows, m.shapes, s.contacts, w.islands, w.outcome)
        self._start = bind(start_carriers, movers, linkage, touch, w.islands, likely=any_body)
        self._back = bind(return_carriers, movers, w.islands, likely=any_body)
        self._solve = bind(solve_carriers, *rows, w.islands, w.outcome, likely=any_body)
        self._answer = bind(answer_carriers, movers, linkage, w.soft_rows, w.islands, likely=any_body)
        self._along, self._tree = w.soft_rows.along, m.bodies.tree
        self._velocity, self._spin = s.motion.velocity, s.motion.angular_velocity
        self._spread = bind(spread_carriers, movers, linkage, w.soft_rows, w.islands, likely=any_body)
        self._relax = bind(relax_carriers, *rows, w.islands, w.outcome, likely=any_body)
        self._energy = bind(carried_energy, movers, linkage, w.islands, likely=any_body)
        self._finish = bind(finish_carriers, *rows, s.contacts, w.islands, w.outcome, likely=any_body)

    def begin(self, i: int) -> None:
        """Begin a step of island `i`."""
        self._begin(i)
        first = self._islands.first_body
        self.movers = self._islands.body[first[i]:first[i + 1]].copy()
        self._miss, self.open, self.leaning = 0.0, 0.0, np.zeros(0, np.int32)
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

    def energy(self, i: int, gravity: tuple) -> float:
        """Kinetic, of gravity, of rods and of springs [J]."""
        return (self._energy(i, gravity) if len(self.movers) else 0.0) + self._sprung(i)

    def _sprung(self, i: int) -> float:
        """Energy of springs, those in joints too [J]."""
        lists, (springs, state), (drives, joined) = self._islands, self._springs, self._drives
        k = lists.spring[lists.first_spring[i]:lists.first_spring[i + 1]]
        d = lists.drive[lists.first_drive[i]:lists.first_drive[i + 1]]
        d = d[drives.law[d] == SPRING]
        return 0.5 * float(springs.stiffness[k] @ state.deflection[k] ** 2 + drives.stiffness[d] @ joined.deflection[d] ** 2)

    def start(self, i: int, h: float, step: int) -> None:
        """Begin substep number `step` of `h` [s]."""
        if len(self.movers):
            self._start(i, h, step)

    def start_again(self, i: int) -> None:
        """Return to where the substep began."""
        if len(self.movers):
            self._back(i)

    def solve(self, i: int, h: float, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
        """Velocities and places at the end of the substep of `h` [s], with the pulls of soft things."""
        if len(self.movers):
            pull = self._pull[self.movers] / h
            self._push.force[self.movers] = self._force + pull[:, :3]
            self._push.torque[self.movers] = self._torque + pull[:, 3:]
            self._miss = self._solve(i, h, iterations, tolerance, gravity, drag)
            self._push.force[self.movers], self._push.torque[self.movers] = self._force, self._torque

    def answer(self, i: int, bodies: np.ndarray) -> None:
        """How the `bodies` (k,) that soft things touch or hang on answer, once `solve` has factored their trees."""
        if len(bodies):
            self._carrier[:len(bodies)] = bodies
            self._answer(i, len(bodies))
            self._drive_hold.hold(i, bodies)
            self.leaning = np.zeros(0, np.int32)

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
        return leaves or self._drive_hold.changed(i)

    def relax(self, i: int, h: float, iterations: int, tolerance: float) -> None:
        """Move by the velocities found, and take out what pushed contacts apart."""
        if len(self.movers):
            self._relax(i, h, iterations, tolerance)

    def note_pulls(self) -> None:
        """Of rows with soft things, before these are relaxed."""
        self._along[self.movers] = self._pull[self.movers]
        self._noted = self._velocity.copy(), self._spin.copy()

    def spread_pulls(self, i: int) -> None:
        """Let whole trees, with drives that hold them, answer what relaxed rows have pulled at single bodies of them: else
        momentum would be lost there. Writes: velocities of their bodies, impulses of drives"""
        k = self.movers[self._tree[self.movers] >= 0]
        if len(k):
            for now, noted in zip((self._velocity, self._spin), self._noted, strict=True):
                now[k] = noted[k]
            self._spread(i)
            change = np.hstack([self._velocity - self._noted[0], self._spin - self._noted[1]])
            self._drive_hold.react(change)
            self._velocity[k], self._spin[k] = self._noted[0][k] + change[k, :3], self._noted[1][k] + change[k, 3:]

    def finish(self, i: int, h: float, dt: float, gravity: tuple, last: bool) -> None:
        """Note what the substep did."""
        if len(self.movers):
            if not self._miss < OPEN:
                self.open = max(self.open, self._miss if self._miss < np.inf else np.inf)
                self._residual[i] = max(self._residual[i], self._miss / h)
            self._finish(i, h, dt, 2.0 * dt * hypot(*gravity), last)


@entry
def begin_carriers(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                   shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, i: int) -> None:
    """Begin a step. Writes: outcome, touch, ports, sums of the step"""
    begin_island(linkage.state, drivetrain.state, springwork.state, islands, outcome, i)
    prepare_inertia(movers, islands, i)
    prepare_contacts(touch, contacts, shapes, movers.ports, movers.motion, islands, i)


@entry
def carried_energy(movers: Movers, linkage: Linkage, islands: Islands, i: int, gravity: tuple) -> float:
    """Kinetic and gravity's energy [J] of the bodies of an island that no motion drives, and what its rods store."""
    energy, joints = energy_of(movers, islands, i, gravity), linkage.joints
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if joints.kind[islands.joint[m]] == ROD:
            energy += rod_energy(joints, islands.joint[m], linkage.rods.table, movers.motion)
    return energy


@entry
def start_carriers(movers: Movers, linkage: Linkage, touch: Touch, islands: Islands, i: int, h: float,
                   step: int) -> None:
    """Begin substep number `step` of `h` [s]. Writes: movers.start, .ports, touch.work, velocities of driven bodies"""
    prepare_inertia(movers, islands, i)
    steer(movers, islands, i, (step + 0.5) * h)
    keep_start(movers, islands, i)
    few = are_few(linkage.joints, movers.ports, islands, i)
    meet_contacts(touch, movers.ports, movers.motion, islands, i, h, few)


@entry
def return_carriers(movers: Movers, islands: Islands, i: int) -> None:
    """To the start of a substep. Writes: motion"""
    go_back(movers, islands, i)


@entry
def solve_carriers(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                   islands: Islands, outcome: Outcome, i: int, h: float, iterations: int, tolerance: float, gravity: tuple,
                   drag: float) -> float:
    """The substep from its start, by implicit Euler as soft things have it; returns what joints still miss [-].

    Writes: motion, impulses, scratch, outcome
    """
    go_back(movers, islands, i)
    miss, _ = newton(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, False, h, 1.0, iterations, tolerance,
                     gravity, drag)
    return miss


@entry
def answer_carriers(movers: Movers, linkage: Linkage, work: SoftRows, islands: Islands, i: int, count: int) -> None:
    """Responses of the first `count` carriers, those in trees through the trees. Writes: work.response, scratch

    Rows correct the impulses on several bodies of one tree each for itself: taken as many times as soft as there are such
    bodies, the tree is not overshot.
    """
    tree, part, response = linkage.tree, movers.bodies.tree, work.response
    for q in range(count):
        k = work.carrier[q]
        for c in range(36):
            response[k, c] = 0.0
        if part[k] < 0:
            inertia = load6(movers.ports.inverse_inertia, k)
            for c in range(3):
                response[k, 7 * c] = movers.ports.inverse_mass[k]
                response[k, 21 + 7 * c] = inertia[c]
            response[k, 22], response[k, 23], response[k, 29] = inertia[3], inertia[4], inertia[5]
            response[k, 27], response[k, 33], response[k, 34] = inertia[3], inertia[4], inertia[5]
            continue
        others = 0
        for c in range(6):
            tree.body[k, PUSH + c] = 1.0
            pass_trees(linkage, part, movers.ports, movers.motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
            for r in range(6):
                response[k, 6 * r + c] = tree.body[k, PUSH + r]
            if c == 0:
                for p in range(count):
                    if p != q and part[work.carrier[p]] >= 0 and moves(tree, work.carrier[p]):
                        others += 1
            forget_answers(part, tree, islands, i)
        for c in range(36):
            response[k, c] *= 1.0 + others


@entry
def spread_carriers(movers: Movers, linkage: Linkage, work: SoftRows, islands: Islands, i: int) -> None:
    """Velocities of all bodies of trees by what has pulled some of them since it was noted in work.along.

    Writes: velocities, scratch
    """
    tree, part = linkage.tree, movers.bodies.tree
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(6 if part[k] >= 0 else 0):
            tree.body[k, PUSH + c] = work.pull[k, c] - work.along[k, c]
    pass_trees(linkage, part, movers.ports, movers.motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
    take_answers(part, movers.motion, tree, islands, i)


@kernel
def moves(tree, k):
    """Whether body `k` answers a push elsewhere."""
    found = False
    for r in range(6):
        found |= tree.body[k, PUSH + r] != 0.0
    return found


@entry
def relax_carriers(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                   islands: Islands, outcome: Outcome, i: int, h: float, iterations: int, tolerance: float) -> None:
    """Positions by the velocities that rows with soft things have left, and rows without pushing out. Writes: as these do"""
    move_from(movers, islands, i, h)
    if is_touched(islands, i):
        move_contacts(touch, movers.motion, islands, i, h, are_few(linkage.joints, movers.ports, islands, i))
        sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, iterations, tolerance, True)


@entry
def finish_carriers(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                    contacts: Contacts, islands: Islands, outcome: Outcome, i: int, h: float, dt: float, threshold: float,
                    last: bool) -> None:
    """What the substep did, and after the `last` one what contacts keep. Writes: as finish.py says, outcome, history"""
    remember(movers, islands, i, h)
    place_again(movers, linkage, drivetrain, islands, i)
    outcome.work[i] += push_work(movers, islands, i, h)
    finish_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, 0.0)
    finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, 1.0, False)
    outcome.substeps[i] += 1
