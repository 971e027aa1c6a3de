"""The substeps of islands with cloth and solids: their blocks, the bodies that carry them, and the rows between, in turn.

Each iteration solves the bodies and every soft block with the impulses of the rows between them, then those rows: as the
blocks truly answer, by a matrix where rows are few (soft_exact.py), by products where they are many and of solids alone
(soft_many.py), so that every iteration is the least of the blocks' quadratic models under all rows. Many rows where there is
cloth, and rows that contradict each other, are swept, and a vertex answers as its block does when all vertices that rows act on
are pushed together, which is never too little; a last sweep takes vertices by their mass alone, so that what touches does not
sink in, and every impulse is momentum.
"""

from concurrent.futures import Executor

import numpy as np
from threadpoolctl import ThreadpoolController

from ..model.bodies import PAST_STEP, Motion
from ..model.model import Model, State, Workspace, sets_of, softwork_of
from ..model.soft_contacts import IMPULSES
from ..model.soft_things import VERTEX
from .carriers import Carriers
from .measure import Measures
from .soft_body import SoftBody
from .soft_energy import SMALL, calm
from .soft_exact import ExactRows
from .soft_heft import Heft
from .soft_many import ManyRows
from .soft_rows import NAMED, PUSHED, SoftRowSet

CLOSE_TOUCHED = 1e-6
"""Iterations that change no velocity by more [m/s] are the last of a substep where there are rows."""
PATIENCE, RESTLESS = 4, 5e-3
"""Where rows still change velocities by more [m/s] after the iterations asked for, so many times as many may be taken [-]:
the last sweep would store in cells what was never balanced."""
NEARLY, PAYS = 8e-3, 0.9
"""Below the first [m/s] they are only taken while the last half of the iterations asked for has left no more of the change than
this [-]: what neighbours of one sheet push against each other comes so slowly that more of them gain little. Above it they
are all taken: a sheet of 50 x 50 that fell on a ball rose by 0.7 J where slow ones were stopped at 0.03 m/s, by 0.08 J so."""
CONTRARY = 0.05
"""Rows that miss more [m/s] once they were solved contradict each other, as of cloth in a vice; swept, they share that."""
CLOSE_ROWS, FIRST_ROWS, CLOSE_SHARE = 1e-7, 1e-4, 0.01
"""How near [m/s] rows that are solved exactly come: at last, in the first iteration, and after one as a share of what it has
changed [-]."""
PASSES, LAST_PASSES = 2, 8
"""Sweeps of an iteration, and of the one for velocities alone."""


class SoftSolver:
    """All cloth and solids of a world, and what they touch or hang on."""

    def __init__(self, model: Model, state: State, pool: Executor | None) -> None:
        self.model = model
        self.bodies = [SoftBody(one, state, pool) for one in model.soft]
        self.wind: tuple[float, float, float] | None = None
        """Velocity of the air [m/s]; None: there is none."""
        self.gained: list[int] = []
        """Islands that gained energy in the last step, more than could be taken out again."""
        self._algebra = ThreadpoolController().select(user_api="blas")

    def take(self, state: State, work: Workspace) -> None:
        """Follow the arrays of another state."""
        self.state, self.islands, self.outcome = state, work.islands, work.outcome
        self.softwork, self.row = softwork_of(self.model, state, work), work.soft_rows
        self.carriers = Carriers(self.model, state, work)
        movers, linkage = sets_of(self.model, state, work)[:2]
        self.heft = Heft(movers, linkage, self.softwork, work.islands)
        self.rows = SoftRowSet(movers, self.softwork, work.islands, work.outcome)
        self.kinds: list[ExactRows | ManyRows] = [kind(movers, self.softwork, work.islands) for kind in (ExactRows, ManyRows)]
        for body in self.bodies:
            body.take(state)

    def __call__(self, dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
        """Advance all islands with soft things by `dt` [s].

        Linear algebra keeps to one thread meanwhile: its matrices are small, so that threads of its own would wait for each
        other longer than they compute, and how many a machine has would show in the last bits.
        """
        self.gained = []
        with self._algebra.limit(limits=1):
            for i in range(self.islands.count[1], self.islands.count[0]):
                things = [one for one in self.bodies if self.islands.label[one.thing.first] == i]
                self._advance(i, things, dt, substeps, iterations, tolerance, gravity, drag)

    def _advance(self, i: int, things: list[SoftBody], dt: float, substeps: int, iterations: int, tolerance: float,
                 gravity: tuple, drag: float) -> None:
        h, time, fall = dt / substeps, float(self.state.clock.time[0]), np.array(gravity)
        carriers, rows, pull = self.carriers, self.rows, self.row.pull
        carriers.begin(i)
        lists = self.islands
        alone = not len(carriers.movers) and lists.first_tie[i] == lists.first_tie[i + 1] and (
            lists.first_touch[i] == lists.first_touch[i + 1])
        self.heft.take(i)
        kinds = [] if alone else [one for one in self.kinds if one.take(i, things)]
        for one in things:
            one.begin()
            if any(isinstance(kind, ExactRows) for kind in kinds):
                one.block.look(h)
        watched = not alone and carriers.counted(i) and all(one.thing.method != "position" for one in things)
        before = self._energy(i, things, gravity) + self._lift(things, fall) if watched else 0.0
        for step in range(substeps):
            carriers.start(i)
            for one in things:
                pull[one.thing.movers] = 0.0
                one.start(h, time + (step + 1) * h, fall, drag, self.wind, alone)
            pull[carriers.movers] = 0.0
            if not alone:
                rows.place(i, step == 0)
            if alone:
                for one in things:
                    one.go_alone()
            elif not any(self._solve_exactly(kind, i, things, h, iterations, tolerance, gravity, drag) for kind in kinds):
                self._solve(i, things, h, iterations, tolerance, gravity, drag)
                # What presses where rows contradict each other, as in a vice, has no work that could be counted.
                watched = watched and not carriers.driven(i)
            if not all(one.finite for one in things):
                return
            for one in things:
                one.finish(h, fall, drag, pull[one.thing.movers, :3])
            rows.finish(i, dt, step == substeps - 1)
            carriers.finish(i, h, dt, gravity, step == substeps - 1)
        for one in things:
            one.end(substeps)
        if watched:
            after, work = self._energy(i, things, gravity), self.outcome.work[i] + sum(one.work for one in things)
            mass = self.model.bodies.mass[self.islands.label == i].sum()
            if after - before - work > SMALL * (abs(after) + abs(before)) and calm(
                    things, after - before - work, 0.5 * mass * float(fall @ fall) * dt * dt):
                self.gained.append(i)

    def _lift(self, things: list[SoftBody], fall: np.ndarray) -> float:
        """What lifts things out of what they were put into, as by hand [J]."""
        weight = float(np.linalg.norm(fall)) * sum(float(one.thing.mass.sum()) for one in things)
        return weight * self._deepest()

    def stop(self, start: Motion) -> None:
        """Leave the islands that gained where the step started from, at rest: of all that can be done what adds no energy.

        Where something drives them, standing still would be work too: they go on. Writes: motion and impulses of the others
        """
        motion = self.state.motion
        self.gained = [i for i in self.gained if not self.carriers.driven(i)]
        for i in self.gained:
            mine = self.islands.label == i
            for now, before in zip(motion[:2], start[:2], strict=True):
                now[mine] = before[mine]
            motion.velocity[mine] = motion.angular_velocity[mine] = 0.0
            self.state.history.table[mine, PAST_STEP] = 0.0
            self.softwork.state.impulse[self._ties(i)] = 0.0
            self._forget(i)

    def _energy(self, i: int, things: list[SoftBody], gravity: tuple) -> float:
        """Of an island that holds no rods [J]."""
        return self.carriers.energy(i, gravity) + sum(one.energy(gravity) for one in things)

    def _solve_exactly(self, exact: ExactRows | ManyRows, i: int, things: list[SoftBody], h: float, iterations: int,
                       tolerance: float, gravity: tuple, drag: float, framed: bool = True) -> bool:
        """A substep of things whose rows are solved together: every iteration meets all of them as the blocks answer.

        Stiff solids that nothing is tied to are solved in their own frames, `framed`, unless they strain too much on the way.
        Returns False where they could not be met, and everything is as it was before but for what contacts kept: forgotten.
        """
        rows, pull, carriers, borne = self.rows, self.row.pull, self.carriers, self.softwork.state.impulse[self._ties(i)]
        exact.place(i)
        if any(one.thing.method == "position" for one in things):
            self._forget(i)
        rows.start(i)
        for one in things:
            one.hold(h, pull[one.thing.movers, :3], framed and exact.frames)
        heft = self.heft
        heft.weigh(things)
        close = FIRST_ROWS
        for k in range(max(one.thing.iterations for one in things)):
            before = [one.block.work.place.copy() for one in things]
            if k == 0 or not heft.groups:
                carriers.solve(i, h, iterations, tolerance, gravity, drag)
            if k == 0:
                carriers.answer(i, exact.bodies)
                exact.fill(things)
            for one in things:
                one.iterate_held()
            if heft.groups:
                self._carry(i, h, iterations, tolerance, gravity, drag)
                for one in things:
                    one.push(pull[one.thing.movers, :3])
            if exact.solve(h, False, close) > CONTRARY:
                self._start_again(i, things, borne)
                return False
            for one in things:
                one.push(pull[one.thing.movers, :3])
            change = max(float(np.abs(one.block.work.place - at).max()) for one, at in zip(things, before, strict=True)) / h
            if any(one.block.strays() for one in things):
                self._start_again(i, things, borne)
                exact.forget()
                return self._solve_exactly(exact, i, things, h, iterations, tolerance, gravity, drag, False)
            if change < CLOSE_TOUCHED:
                break
            close = min(close, max(CLOSE_ROWS, CLOSE_SHARE * change))
        self._carry(i, h, iterations, tolerance, gravity, drag)
        for one in things:
            one.push(pull[one.thing.movers, :3])
            one.residual = max(one.residual, change)
            one.move()
        rows.move(i, h)
        carriers.relax(i, h, iterations, tolerance)
        exact.solve(h, True, CLOSE_ROWS)
        for one in things:
            one.kick(pull[one.thing.movers, :3])
        return True

    def _carry(self, i: int, h: float, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
        """Solve the bodies, those of trees with ropes together with what is tied to them."""
        self.heft.ask(h)
        self.carriers.solve(i, h, iterations, tolerance, gravity, drag)
        self.heft.book(h)

    def _ties(self, i: int) -> np.ndarray:
        """Numbers of the ties of island `i`."""
        return self.islands.tie[self.islands.first_tie[i]:self.islands.first_tie[i + 1]]

    def _start_again(self, i: int, things: list[SoftBody], borne: np.ndarray) -> None:
        """Back to the start of the iterations of a substep, where ties had `borne` so much, without what contacts kept."""
        self.softwork.state.impulse[self._ties(i)] = borne
        self.row.pull[self.carriers.movers] = 0.0
        for one in things:
            self.row.pull[one.thing.movers] = 0.0
            one.start_again()
        self._forget(i)

    def _solve(self, i: int, things: list[SoftBody], h: float, iterations: int, tolerance: float, gravity: tuple,
               drag: float) -> None:
        """A substep of things that rows join with bodies and with each other, by sweeps."""
        rows, most = self.rows, max(one.thing.iterations for one in things)
        pushed, carriers = self._pushed(i, h)
        for one in things:
            self._answer(one, pushed)
        if any(one.thing.method == "position" for one in things):
            self._forget(i)
        rows.start(i)
        for one in things:
            one.stand(h)
        change, changes = np.inf, np.full(PATIENCE * most, np.inf)
        for k in range(PATIENCE * most):
            if k == 0 or not self.heft.groups:
                self.carriers.solve(i, h, iterations, tolerance, gravity, drag)
            if k == 0:
                self.carriers.answer(i, carriers)
                rows.prepare(i)
                self.heft.weigh_alone(self.row.answer)
            changes[k] = change = max(change, *(one.iterate() for one in things))
            calm = change < RESTLESS or (change < NEARLY and change > PAYS * changes[k - max(most // 2, 1)])
            if change < CLOSE_TOUCHED or (k >= most - 1 and calm) or k == PATIENCE * most - 1:
                break
            if self.heft.groups:
                self._carry(i, h, iterations, tolerance, gravity, drag)
            change = rows.sweep(i, h, PASSES, tolerance, False)
        for one in things:
            one.balance(self.row.pull[one.thing.movers, :3])
            self.row.answer[one.thing.movers] = one.thing.model.vertices.inverse_mass
            one.residual = max(one.residual, change)
        rows.prepare(i)
        rows.sweep(i, h, LAST_PASSES, tolerance, False)
        self.heft.weigh_alone(self.row.answer)
        self._carry(i, h, iterations, tolerance, gravity, drag)
        for one in things:
            one.move()
        rows.move(i, h)
        self.carriers.relax(i, h, iterations, tolerance)
        rows.sweep(i, h, LAST_PASSES, tolerance, True)

    def _forget(self, i: int) -> None:
        """Start without the impulses kept: position based dynamics has no forces that would balance them."""
        first, last = self.islands.first_touch[i:i + 2]
        self.row.contact[self.islands.touch[first:last], IMPULSES:IMPULSES + 3] = 0.0

    def _pushed(self, i: int, h: float) -> tuple[np.ndarray, np.ndarray]:
        """Movers that rows are likely to push: those tied, that touched, that would come through; and all bodies they have."""
        self.rows.mark(i, h)
        mine = (self.model.bodies.link != VERTEX) & (self.islands.label == i)
        return np.flatnonzero(self.row.mark == PUSHED), np.flatnonzero((self.row.mark >= NAMED) & mine)

    def _answer(self, one: SoftBody, pushed: np.ndarray) -> None:
        """Let the vertices among these movers answer as their block does when all of them are pushed together."""
        mine = pushed - one.thing.first
        one.block.answer_together(mine[(mine >= 0) & (mine < len(one.thing.mass))])
        self.row.answer[one.thing.movers] = one.block.work.answer

    def add_to(self, figures: Measures) -> Measures:
        """Figures of a step with those of the soft things."""
        return figures._replace(
            elastic=figures.elastic + sum(one.elastic_energy() for one in self.bodies if one.thing.method != "position"),
            work=figures.work + sum(body.work for body in self.bodies),
            iterations=max(figures.iterations, *(body.iterations for body in self.bodies)),
            residual=max(figures.residual, *(body.residual for body in self.bodies)),
            penetration=max(figures.penetration, self._deepest()))

    def _deepest(self) -> float:
        """Penetration [m] of what touches soft things."""
        contacts = self.state.soft_contacts
        return float(-contacts.separation[:contacts.count[0]].min(initial=0.0))
