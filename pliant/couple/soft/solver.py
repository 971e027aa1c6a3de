"""The steps of islands with cloth and solids: their substeps, and the energy that a step must not gain."""

from concurrent.futures import Executor
from math import ceil, isfinite

import numpy as np
from threadpoolctl import ThreadpoolController

from ...equations.rigid.point_masses import momenta
from ...model.bodies import DRIVEN, DYNAMIC, FIXED, PAST_STEP, Motion
from ...model.model import Model, State, Workspace, sets_of, softwork_of
from ...model.soft_things import VERTEX
from ..measure import Measures
from .body import SoftBody
from .carriers import Carriers
from .common import How
from .energy import MUCH, MUCH_OF_CLOTH, SMALL, SOME_OF_CLOTH, calm
from .pace import Pace, hardly_moved
from .pressed import cloth_of
from .substep import SoftSubstep
from .turning_groups import TurningGroups

ASTRAY = 0.02
"""How far normals may turn from where it was found how rows answer [rad]."""
BEYOND = 1e100
"""Speeds [m/s] from which on no float may hold what is computed of their squares."""
ANGLE, MOST_FOR_TURNING = 0.5, 16
"""How far bodies that hold soft things and solids with a relief turn in a substep [rad], unless that takes more substeps than
the second."""
WILD = 1e3
"""Gains of so many times what an island had in motion and strain, was given, and 1 J a kilogram [-], are no error that could be
taken out of its motion: where it has come to is as wrong, as if that were no number."""
FALLING, SLOWLY = 2.0, 5e-3
"""What meets faster than so many times what weight and pressure inside add in a substep, and this [m/s], is stopped, not
borne: a balloon between two plates is drawn to them by its pressure, 2.5 m/s a substep of 1/120 s."""


class SoftSolver:
    """All cloth and solids of a world, and what they touch or hang on."""

    def __init__(self, model: Model, state: State, pool: Executor | None) -> None:
        self.model = model
        self.bodies = [SoftBody(one, state, pool) for one in model.soft]
        self.wind: tuple[float, float, float] | None = None
        """Velocity of the air [m/s]; None: there is none."""
        self.gained: dict[int, float] = {}
        """Islands that gained more energy in the last step than could be taken out again, and what share of it [-];
        up to MUCH: those whose ropes did not close, and what they miss [-]."""
        self.pushing: set[int] = set()
        """Those of them whose gain what pushes out may have brought."""
        self._lost: list[int] = []
        """Those that gained beyond measure in the last step and go on."""
        self.plan = np.ones((len(model.soft), 2), int)
        """Substeps of each thing's island: where it is hardly moved by others, and else."""
        self.adapts = True
        """Whether it may take more substeps than it is told, not only to take a step again."""
        self.taken = 0
        """Substeps of the last step, of the island that took most."""
        self._pace = Pace()
        self._algebra = ThreadpoolController().select(user_api="blas")

    def take(self, state: State, work: Workspace) -> None:
        """Follow the arrays of another state."""
        self.state, self.islands, self.outcome = state, work.islands, work.outcome
        softwork = softwork_of(self.model, state, work)
        self.carriers = Carriers(self.model, state, work)
        self._impulse, self._pull, self._ties = softwork.state.impulse, work.soft_rows.pull, softwork.ties
        movers, linkage = sets_of(self.model, state, work)[:2]
        self.substep = SoftSubstep(movers, linkage, softwork, work.islands, work.outcome, self.carriers)
        self.turning = TurningGroups(movers, linkage, softwork, work.islands)
        self._pace.take(softwork, state.soft.pace, np.array([one.thing.first for one in self.bodies]))
        for body in self.bodies:
            body.take(state)
        self.pin()

    def pin(self) -> None:
        """Let pins hold the vertices that the state says. Writes: masses and kinds of vertices in the model"""
        table = self.model.bodies
        for body in self.bodies:
            body.pin()
            rows, vertices = body.thing.movers, body.thing.model.vertices
            table.mass[rows], table.inverse_mass[rows] = vertices.mass, vertices.inverse_mass
            table.kind[rows] = np.where(body.free, DYNAMIC, DRIVEN)

    def __call__(self, dt: float, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
        """Advance all islands with soft things by `dt` [s], each in as many substeps as its plan and its pace are.

        Linear algebra keeps to one thread meanwhile: its matrices are small, so that threads of its own would wait for each
        other longer than they compute, and how many a machine has would show in the last bits.
        """
        self.gained, self.pushing, self.taken, lists = {}, set(), 0, self.islands
        with self._algebra.limit(limits=1):
            for i in range(lists.count[1], lists.count[0]):
                numbers = self._numbers(i)
                planned = self._planned(i, numbers)
                count = max(self._pace.of(numbers, planned), self._for_turning(i, dt))
                if self._pace.sunk(numbers):
                    self._leave_sunk(i)
                how = How(dt / count, iterations, tolerance, gravity, drag)
                self._pace.begin(numbers, count, (self._touches(i), self.substep.ties(i)))
                left = self._advance(i, [self.bodies[k] for k in numbers], dt, count, how)
                if self._pace.probes(numbers):
                    self.pushing.add(i)
                self._pace.settle(numbers, planned, left, self.adapts)
                self.taken = max(self.taken, count)

    def _planned(self, i: int, numbers: list[int]) -> int:
        """How many substeps island `i` is planned with, by what is in it: nothing else in the world matters."""
        lists, solids = self.islands, any(len(self.bodies[k].thing.model.cells.vertex) for k in numbers)
        joints = lists.first_joint[i + 1] - lists.first_joint[i]
        alone = hardly_moved(self.model.bodies, np.flatnonzero(lists.label == i), joints, solids)
        return int(self.plan[numbers, 0 if alone else 1].max())

    def _touches(self, i: int) -> np.ndarray:
        """Numbers of the contacts of soft things in island `i`."""
        return self.islands.touch[self.islands.first_touch[i]:self.islands.first_touch[i + 1]]

    def _for_turning(self, i: int, dt: float) -> int:
        """How many substeps of `dt` [s] bodies that hold soft things, and solids with a relief, ask for: as many as let them
        turn by ANGLE at most."""
        if not self.adapts:
            return 1
        bodies = self._ties.mover[self.substep.ties(i), 0]
        turn = dt * float(np.abs(self.state.motion.angular_velocity[bodies]).max(initial=0.0))
        for k in self._numbers(i):
            thing, motion = self.bodies[k].thing, self.state.motion
            if len(thing.model.volumes.cell):
                rate = momenta(motion.position[thing.movers], motion.velocity[thing.movers], thing.mass)[2]
                turn = max(turn, dt * float(np.linalg.norm(rate)))
        return min(MOST_FOR_TURNING, ceil(turn / ANGLE)) if isfinite(turn) else 1

    def _alone(self, i: int) -> bool:
        """Whether nothing holds or touches the soft thing that island `i` is, but for its pins."""
        lists = self.islands
        return all(first[i] == first[i + 1] for first in (lists.first_body, lists.first_tie, lists.first_touch))

    def _adrift(self, i: int) -> bool:
        """Whether nothing from outside holds or bears island `i`, whose parts touch each other."""
        lists, mover = self.islands, self.state.soft_contacts.mover[self._touches(i)]
        others = (lists.first_joint, lists.first_spring, lists.first_contact, lists.first_rope)
        if any(first[i] != first[i + 1] for first in others):
            return False
        return len(mover) > 0 and bool((self.model.bodies.inverse_mass[mover[mover >= 0]] > 0.0).all())

    def _numbers(self, i: int) -> list[int]:
        """Of the soft things in island `i`."""
        return [k for k, one in enumerate(self.bodies) if self.islands.label[one.thing.first] == i]

    def hasten(self, i: int, times: int, sunk: bool) -> None:
        """Let island `i` take twice the substeps, so many times, and push nothing out if `sunk`; to be called where the step
        started from. Writes: state.pace, slop of its contacts"""
        numbers = self._numbers(i)
        self._pace.hasten(numbers, self._planned(i, numbers), times, sunk)
        if sunk:
            self._leave_sunk(i)

    def _advance(self, i: int, things: list[SoftBody], dt: float, substeps: int, how: How) -> float:
        """Advance island `i`, and take out what it gained; returns what sweeps have left open [m/s]."""
        fall, carriers = np.array(how.gravity), self.carriers
        carriers.begin(i)
        alone = self._alone(i)
        kinds = self._begin(i, things, how.h, alone)
        known = all(one.thing.method != "position" for one in things)
        had = self._energies(i, things, how.gravity) if known else (0.0, 0.0, 0.0)
        lift, sunk = self._lift(i, fall), carriers.sunk(i)
        swept, self.substep.pushed_out = False, 0.0
        for step in range(substeps):
            met = self._go(i, things, kinds, step, how, fall, alone)
            swept = swept or not met
            if not all(one.finite for one in things):
                self.gained[i] = np.inf
                return 0.0
            for one, turning in zip(things, self.turning.end(things), strict=True):
                one.finish(how.h, fall, how.drag, self._pull[one.thing.movers, :3], turning)
            drawn = how.h * float(np.linalg.norm(fall)) + max(one.blown for one in things)
            self.substep.rows.finish(i, dt, FALLING * drawn + SLOWLY, step == substeps - 1)
            carriers.finish(i, how.h, dt, how.gravity, step == substeps - 1)
        for one in things:
            one.end(substeps)
        light = not all(len(one.thing.model.cells.vertex) for one in things)
        left = self._calm(i, things, had, lift, sunk, fall, dt) if known else 0.0
        if left > (MUCH_OF_CLOTH if light else MUCH):
            self.gained[i] = left
        if self.substep.heft.groups and carriers.open > 0.0 and self.gained.get(i, 0.0) <= MUCH:
            self.gained[i] = min(carriers.open, MUCH)  # such steps are taken again too, but nothing is stopped for it
        if light and left > SOME_OF_CLOTH:
            return np.inf
        return max(one.residual for one in things) if known and swept else 0.0

    def _calm(self, i: int, things: list[SoftBody], had: tuple[float, float, float], lift: float, sunk: float, fall: np.ndarray,
              dt: float) -> float:
        """Take out what island `i` has gained in a step since it `had` so much (`_energies`); returns what is left, as a share
        [-]. What pushes out raises, solids after it has strained them, and leaves neither speed nor cloth strained.

        `lift`: the most that pushing out may do [J]; `sunk`: how deep its bodies lay in each other [m].
        """
        (before, moving, low), (after, _, high) = had, self._energies(i, things, tuple(fall))
        work = self.outcome.work[i] + sum(one.most_work for one in things)
        mass = self.model.bodies.mass[self.islands.label == i].sum()
        work += self.carriers.swung
        work += min(self.substep.pushed_out, lift, max(0.0, high - low))
        work += mass * float(np.linalg.norm(fall)) * max(0.0, sunk - self.carriers.sunk(i))
        gain, fallen = after - before - work, 0.5 * mass * float(fall @ fall) * dt * dt
        if 0.0 < gain <= self.substep.pushed_out:
            self.pushing.add(i)
        if not gain < WILD * (moving + abs(work) + mass):
            return np.inf
        return calm(things, gain, fallen) if not gain <= SMALL * (abs(after) + abs(before)) else 0.0

    def _begin(self, i: int, things: list[SoftBody], h: float, alone: bool) -> list:
        """Begin a step of substeps of `h` [s]; returns what may solve its rows together."""
        self.substep.heft.take(i)
        for one in things:
            one.block.take_length(h)
        kinds = [] if alone else [one for one in self.substep.kinds if one.take(i, things)]
        kinds = kinds[:1] if cloth_of(things) else kinds  # what contradicts itself in one contradicts itself in the other
        tied = self._ties.mover[self.substep.ties(i)].ravel()
        adrift, mass = self._adrift(i), sum(float(one.thing.mass.sum()) for one in things)
        named = np.concatenate([tied, self.state.soft_contacts.mover[self._touches(i), 0]])  # bodies are first, and alone
        self.carriers.weigh(i, np.unique(named[self.model.bodies.link[named] != VERTEX]), mass)
        for one in things:
            one.begin(len(self._touches(i)) > 0, tied, adrift)
        self.turning.take(i, things)
        for one in things:
            if kinds:
                one.block.look(h, min(kind.stiff for kind in kinds))
        return kinds

    def _go(self, i: int, things: list[SoftBody], kinds: list, step: int, how: How, fall: np.ndarray, alone: bool) -> bool:
        """A substep; whether its rows were not swept."""
        carriers, end = self.carriers, float(self.state.clock.time[0]) + (step + 1) * how.h
        carriers.lead(i, how.h, step, how.gravity, how.drag)
        ways = self.turning.start(things, how.h, carriers.led)
        carriers.start(i, how.h, step)
        for one, turning in zip(things, ways, strict=True):
            self._pull[one.thing.movers] = 0.0
            one.start(how.h, end, fall, how.drag, self.wind, alone, turning)
        self._pull[carriers.movers] = 0.0
        if alone:
            for one in things:
                one.go_alone()
            return True
        turned = self.substep.rows.place(i, step == 0, how.h)
        for kind in kinds if turned > ASTRAY else []:
            kind.forget()
        for kind in kinds:
            if (kind.tries and self.substep.swept(i, things, how, True)) or self.substep.exactly(kind, i, things, how):
                return True
        self.substep.swept(i, things, how)
        return False

    def _lift(self, i: int, fall: np.ndarray) -> float:
        """The most that may lift an island out of what it was put into, as by hand [J]."""
        weight = float(np.linalg.norm(fall)) * float(self.model.bodies.mass[self.islands.label == i].sum())
        return weight * self._deepest(self._touches(i))

    def _leave_sunk(self, i: int) -> None:
        """Push nothing out of island `i`, until contacts are found anew. Writes: slop of its contacts"""
        self.state.soft_contacts.slop[self._touches(i)] = np.inf

    def stop(self, start: Motion) -> None:
        """Leave the islands that gained where the step started from, at rest: of all that can be done what adds no energy.

        Where something drives them, standing still would be work too: they go on. So does what flies, and what came with more
        than a float holds: no step brought that, and it is refused, as what gains beyond measure and goes on is.
        Writes: motion and impulses of the others
        """
        motion, gained = self.state.motion, self.gained
        self.gained = {i: left for i, left in self.gained.items() if left > MUCH and not self.carriers.driven(i) and (
            left == np.inf or not self._alone(i)) and np.abs(start.velocity[self.islands.label == i]).max() < BEYOND}
        self._lost = [i for i, left in gained.items() if left == np.inf and i not in self.gained]
        for i in self.gained:
            mine = self.islands.label == i
            for now, before in zip(motion[:2], start[:2], strict=True):
                now[mine] = before[mine]
            motion.velocity[mine] = motion.angular_velocity[mine] = 0.0
            self.state.history.table[mine, PAST_STEP] = 0.0
            self._impulse[self.substep.ties(i)] = 0.0
            self.substep.forget(i)
            self.outcome.work[i] = 0.0
            for one in self.bodies:
                one.work = 0.0 if mine[one.thing.first] else one.work
        if self.gained:
            fixed = self.model.bodies.kind == FIXED  # an impulse that is not finite moves even those
            for now, before in zip(motion, start, strict=True):
                now[fixed] = before[fixed]

    def _energies(self, i: int, things: list[SoftBody], gravity: tuple) -> tuple[float, float, float]:
        """Of an island [J]: all, what is not of gravity, and what pushing out may bring: of gravity and strain of solids."""
        carried, soft = self.carriers.energies(i, gravity), [one.energies(gravity) for one in things]
        whole, bare = (carried[k] + sum(one[k] for one in soft) for k in range(2))
        return whole, bare, whole - bare + sum(one.elastic_energy() for one in things if one.solid)

    def add_to(self, figures: Measures) -> Measures:
        """Figures of a step with those of the soft things; energy beyond measure is as bad as none."""
        elastic = [0.0 if one.thing.method == "position" else one.elastic_energy() for one in self.bodies]
        lost = [one.thing.first for one, energy in zip(self.bodies, elastic, strict=True)
                if not isfinite(energy + one.work) or self.islands.label[one.thing.first] in self._lost]
        return figures._replace(
            bad=lost[0] if lost and figures.bad < 0 else figures.bad,
            elastic=figures.elastic + sum(elastic),
            work=figures.work + sum(body.work for body in self.bodies),
            substeps=max(figures.substeps, self.taken),
            iterations=max(figures.iterations, *(body.iterations for body in self.bodies)),
            residual=max(figures.residual, *(body.residual for body in self.bodies)),
            penetration=max(figures.penetration, self._deepest(slice(self.state.soft_contacts.count[0]))))

    def _deepest(self, touches) -> float:
        """Penetration [m] of these contacts of soft things."""
        return float(-self.state.soft_contacts.separation[touches].min(initial=0.0))
