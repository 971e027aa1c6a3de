"""One cloth or solid in a substep: kick, iterate its block, move; and what its pins bear.

Forces from outside act before the iterations, as implicit Euler has it. A thing that nothing holds or touches, wind neither,
falls as free bodies do, half of its weight before and half after: its centre of mass follows the parabola exactly.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import cached_property

import numpy as np

from ...equations.rigid.point_masses import spin_of, turned_more
from ...math.svd3 import LANES
from ...model.model import State
from ...model.soft_things import SoftThing
from ...solvers.projective.strained import SLOW
from ...solvers.soft.block import corners_of
from ...solvers.soft.methods import block_of
from .air import Air
from .pins import Held, pins_of
from .ranks import narrow_ranks
from .starts import STARTS_STILL, swing, turn_ahead, turn_firmly

CLOSE = 1e-9
"""Iterations that change no velocity by more [m/s] are the last of a substep of what nothing touches."""
WORTH_SHARING = 20_000
"""Vertices and elements of a thing from which on a second thread pays."""


class SoftBody:
    """One cloth or solid: its block, what pushes it from outside, and what its pins bear."""

    def __init__(self, thing: SoftThing, state: State, pool: Executor | None) -> None:
        self.thing = thing
        self.work, self._more, self.iterations, self.residual = 0.0, 0.0, 0, 0.0
        rows, motion = thing.movers, state.motion
        model = thing.model
        size = len(thing.mass) + LANES * sum(len(one.vertex) for one in (model.cells, model.triangles, model.bends))
        pool = pool if size > WORTH_SHARING else None
        self.block = block_of(thing.method, thing.model)(thing.model, motion.position[rows], motion.velocity[rows], None, pool)
        self.free = thing.model.vertices.inverse_mass > 0.0
        self.held: list[Held] = []
        self._rows = np.full(len(thing.mass), -1)
        self._air = Air(thing, self.block)
        self._answer, self._led = thing.model.vertices.inverse_mass[:, None], ~self.free
        self.solid, self.turns = len(thing.model.cells.vertex) > 0, self.block.keeps_inertia
        self._looked = np.full((len(thing.mass), 3), np.nan)
        self.take(state)
        self.pin()

    @cached_property
    def ranks(self) -> np.ndarray:
        """Places (n,) of its vertices in the order that leaves a narrow band of what they answer."""
        model = self.thing.model
        kinds = (model.cells, model.bends, model.triangles)
        return narrow_ranks(model.vertices.rest, next(corners_of(one) for one in kinds if len(one.vertex)))

    def take(self, state: State) -> None:
        """Follow the arrays of another state."""
        self.state, rows = state, self.thing.movers
        self.stilled = state.soft.stilled[rows]
        self.block.follow(state.motion.position[rows], state.motion.velocity[rows])
        number, mine = self.thing.number, slice(self.thing.row, self.thing.row + len(self.thing.mass))
        self.block.curved_at, self.block.curved_for = state.soft.curved_at[mine], state.soft.curved_for[number:number + 1]
        self.block.tangle.scrambled = state.soft.scrambled[number:number + 1]
        shares = self.block.blend.share
        if len(shares):
            self.block.blend.follow(state.soft.share[self.thing.share:self.thing.share + len(shares)])
        self._looked[:] = np.nan
        self.block.look_on(self.block.position)

    def pin(self) -> None:
        """Let pins hold the vertices that the state says. Writes: masses of the thing's model"""
        rows = self.state.soft.pin[self.thing.row:self.thing.row + len(self.thing.mass)]
        if np.array_equal(rows, self._rows):
            return
        self._rows[:] = rows
        self.held = [Held(pin, self.block) for pin in pins_of(self.thing, rows)]
        free, vertices = rows < 0, self.thing.model.vertices
        if np.array_equal(free, self.free):
            return
        vertices.mass[:] = np.where(free, self.thing.mass, 0.0)
        vertices.inverse_mass[:] = np.where(free, 1.0 / self.thing.mass, 0.0)
        self.free[:] = free
        self.block.hold()

    def begin(self, touched: bool, tied: np.ndarray, adrift: bool) -> None:
        """Begin a step; `touched`: something may touch it or what it is tied to; `tied`: what ties of its island join;
        `adrift`: nothing from outside holds or bears that, so that all of it keeps its angular momentum."""
        self.touched, self.adrift = touched, adrift
        own = tied - self.thing.first
        self._led[:] = ~self.free
        self._led[own[(own >= 0) & (own < len(self.free))]] = True
        self.stilled[:] = 0.0
        self.work, self._more, self.iterations, self.residual = 0.0, 0.0, 0, 0.0
        for one in self.held:
            one.begin(self.state)
        pins, mine = self.block.pins, slice(self.thing.row, self.thing.row + len(self.thing.mass))
        pins.target[:] = self.state.soft.pulled_to[mine]
        if not np.array_equal(pins.weight, self.state.soft.pull[mine]):
            pins.weight[:] = self.state.soft.pull[mine]
            self.block.change_pins()
        self.grabbed = bool(pins.weight.any())
        self.block.tangle.pressed = touched or self.grabbed or bool(self._led.any())
        if self.block.see(self.block.position):  # what lags behind begins here, whatever was before
            self._looked[:] = np.nan

    def start(self, h: float, end: float, gravity: np.ndarray, drag: float, wind, free: bool, turning) -> None:
        """Begin a substep of `h` [s] up to the time `end` [s]; `free`: nothing but its pins holds or touches it; `turning`: by
        what velocities are larger along their way (turning.py) [m/s] (n, 3), or 0."""
        block, velocity = self.block, self.block.velocity
        self._before, self._flies, self._looked[:1] = velocity.copy(), free, np.nan
        for one in self.held:
            one.drive(block.position, velocity, end, h)
        self._impulse = h * self.state.push.force[self.thing.movers]
        self._late = 0.0 if self.held or self.grabbed or not free or self._air.drags(wind) else 0.5 * h
        self._kick(h - self._late, gravity, drag, self._impulse * (1.0 - self._late / h))
        velocity += self._answer * self._air.start(wind, self._before, h)
        self._plain = velocity.copy()
        velocity += turning
        self._momentum, self._kicked = self.thing.mass @ velocity, velocity.copy()
        block.begin(h)
        self._breathe(True)
        self._made = 0
        if (self.held or self.grabbed or self.thing.pressure != 0.0) and free:
            self._stand(h)

    def start_again(self) -> None:
        """Return to where the iterations of the substep begin."""
        self.block.velocity[:] = self._kicked
        self.block.begin(self.block.h)

    def stand(self, h: float) -> None:
        """Begin the iterations of a thing that rows are swept on."""
        self.block.take_up()
        self._stand(h)

    def iterate(self) -> float:
        """Improve the velocities once; returns the largest change [m/s]."""
        return self._improve(self.block.iterate)

    def _improve(self, iterate: Callable[[], float]) -> float:
        """One iteration; after 1, 2, 4, 8 … air does what it does by the velocities now. Returns the largest change [m/s]."""
        self.iterations, self._made = self.iterations + 1, self._made + 1
        if self._made > 1 and (self._made - 1) & (self._made - 2) == 0:
            self._breathe(False)
        change = iterate()
        return change if change >= CLOSE else max(change, self._breathe(False))

    def _breathe(self, held: bool) -> float:
        """Take up how air pushes by now; returns the largest change [m/s]. Writes: where the block's inertia leads"""
        change = self._answer * self._air.again(held)
        if change.any():
            self.block.shift(self.block.h * change)
            self._momentum, self._kicked = self._momentum + self.thing.mass @ change, self._kicked + change
        return float(np.abs(change).max())

    def go_alone(self) -> None:
        """Iterate and move as what nothing joins to others: stiff solids in the frame that they turn into.

        Linear elasticity, which that frame has, knows nothing of pulls that stiffen: where it leads away, it is left for the
        second derivative, and so is local/global. What few iterations of Jacobi leave strained stays so, and was energy from
        nowhere if they began strained along the velocities: they begin where a rigid body would come to.
        """
        if self.thing.method == "jacobi":
            turn_firmly(self.block, self._plain, self.thing.mass, ~self.free, self.block.h)
        framed, change = self._turn_ahead(), np.inf
        strained = not framed and self._take_strain()
        for k in range(self.thing.iterations):
            framed = framed and (k == 0 or self.block.turn_along())
            before, change = change, self._improve(self.block.iterate_alone)
            if not change >= CLOSE:
                break
            if framed and change > before:
                framed, self.block.turn = False, None
                strained = self._take_strain()
            elif strained and change > SLOW * before:
                self.block.strain_on(False)
        self.residual = max(self.residual, change)
        self.move()

    def hold(self, h: float, pull: np.ndarray, framed: bool) -> bool:
        """Begin the iterations with the impulses `pull` [N s] (n, 3) that rows have kept; `framed`: in its own frame, if it has
        one, and where it comes to by turning. Returns whether this is another frame than the last."""
        self.block.take_impulses(pull)
        self._stand(h)
        if not framed or self.grabbed or self.block.seen is None:
            return False
        turn_ahead(self.block, self._before, self.thing.mass, ~self.free, h)
        return self.block.hold_frame()

    def _stand(self, h: float) -> None:
        """Begin them where neither forces from outside nor impulses kept have moved the vertices yet."""
        if self.thing.method in STARTS_STILL:
            np.copyto(self.block.work.place, self.block.position + h * self._before, where=self.free[:, None])
            if self._led.any() and not self.solid:
                swing(self.block, np.where(self._led[:, None], self._before, self._plain), self.thing.mass, self._led, h)

    def _take_strain(self) -> bool:
        """Be solved by the second derivative; quasi-Newton learns it by itself."""
        return self.thing.method == "projective" and self.block.take_strain()

    def _turn_ahead(self) -> bool:
        """Begin the iterations of a stiff solid where it comes to by turning as a rigid body, about its pins if it has any, not
        by stretching along its velocities; whether it is solved in its frame there."""
        block = self.block
        if self.thing.method != "projective" or self.grabbed or not block.stiffer > 0.0:
            return False
        drawn = block.work.place.copy()
        turn_ahead(block, self._plain, self.thing.mass, ~self.free, block.h)
        framed = block.turn_along()
        if not framed:
            block.work.place[:] = drawn
        return framed

    def iterate_held(self) -> float:
        """Improve the velocities once, where rows act; returns the largest change [m/s]."""
        return self._improve(self.block.iterate_held)

    def push(self, pull: np.ndarray) -> float:
        """Answer the impulses of rows, `pull` [N s] (n, 3) by now; returns the largest change [m/s]."""
        return self.block.push(pull)

    def kick(self, pull: np.ndarray) -> None:
        """Answer them where the velocities alone are to change."""
        self.block.kick(pull)

    def balance(self, pull: np.ndarray) -> None:
        """Give it, where no pin holds it, the momentum and angular momentum that impulses of rows `pull` [N s] (n, 3) brought;
        the second where all of its island keeps it, else what rests on an edge would tip over it before it bends.

        Iterations that were shortened before they converged leave some of it out. It moves as a rigid body: nothing strains.
        """
        if not self.held and not self.grabbed:
            mass, velocity, start = self.thing.mass, self.block.velocity, self.block.work.start
            velocity += (self._momentum + pull.sum(axis=0) - mass @ velocity) / mass.sum()
            if self.adrift and self.turns:
                velocity[:] = turned_more(start, velocity, mass, spin_of(start, mass[:, None] * self._kicked + pull, mass))

    def move(self) -> None:
        """To where the velocities lead."""
        self.block.take_up()
        self.block.position[:] = self.block.work.place

    def finish(self, h: float, gravity: np.ndarray, drag: float, pull: np.ndarray, turning) -> None:
        """Note what the substep did; `pull` [N s] (n, 3) is what rows did to the vertices, `turning` as at its start."""
        velocity, before = self.block.velocity, self._before
        self._turn_home(pull, turning)
        self._kick(self._late, gravity, drag, self._impulse * (self._late / h))
        impulse, moved = self._impulse, self.block.position - self.block.work.start
        if self.grabbed:
            pins = self.block.pins
            impulse = impulse + h * pins.weight[:, None] * (pins.target - self.block.position)
        # Forces by where the vertices went: contacts have stopped some of them since. Wind changes with the velocities.
        mean, free = 0.5 * (before + velocity), self.free
        done = float(np.sum((impulse * moved / h + self._air.gust * mean)[free]))
        impulse = impulse + self._air.gust
        most = max(float(np.sum((impulse * one)[free])) for one in (mean, velocity))
        self.work += done
        self._more += max(0.0, most - done)
        if self.thing.pressure != 0.0:  # p dV
            self.work += float(np.sum((self._air.swell * moved)[free])) / h
            impulse = impulse + self._air.swell
        if self.held:
            self._look()
            for one in self.held:
                self.work += one.note(self.thing.mass, self.block.position, before, velocity, gravity, impulse, pull, h)

    def _turn_home(self, pull: np.ndarray, turning) -> None:
        """Velocities where the substep ends, not along its way, and, where nothing is pinned, with the angular momentum that
        pushes have brought: iterations ended too soon, or that took turning for straining, leave some of it out. Tied cloth
        that could not turn in its iterations would tremble so.

        Writes: velocity
        """
        block, mass = self.block, self.thing.mass
        block.velocity += turning
        turns = self.turns and (self.solid or self._flies or block.turn is not None)
        if turns and not (self.held or self.grabbed) and not (self.touched and np.ndim(turning) == 0):
            pushes = mass[:, None] * (self._plain - self._before) + pull
            spin = spin_of(block.work.start, mass[:, None] * self._before, mass) + spin_of(block.position, pushes, mass)
            block.velocity[:] = turned_more(block.position, block.velocity, mass, spin)

    def end(self, substeps: int) -> None:
        """End a step."""
        for one in self.held:
            one.finish(self.state, substeps)

    @property
    def blown(self) -> float:
        """The most speed that pressure inside gave a vertex in the substep [m/s]."""
        return float(np.abs(self._answer * self._air.swell).max())

    @property
    def most_work(self) -> float:
        """What forces from outside may have done in the step at most [J]: in implicit Euler they act on the last velocities."""
        return self.work + self._more

    @property
    def finite(self) -> bool:
        """Whether all its velocities are."""
        return bool(np.isfinite(self.block.velocity).all())

    def _kick(self, h: float, gravity: np.ndarray, drag: float, impulse: np.ndarray) -> None:
        """Velocities under weight, drag and pushes for `h` [s]. Writes: velocities of vertices that are free"""
        if h > 0.0:
            velocity = self.block.velocity
            kicked = velocity / (1.0 + h * drag) + h * gravity + self._answer * impulse
            np.copyto(velocity, kicked, where=self.free[:, None])

    def _look(self, apart: bool = False) -> None:
        """Bring pushes and energies of all elements up to date with the positions, `apart`: of each by itself.

        Writes: scratch of the block
        """
        block, apart = self.block, apart and bool(self.block.tangle)
        if not apart and np.array_equal(self._looked, block.position):
            return
        share = block.blend.share.copy()
        block.work.place[:] = block.position
        (block.project_apart if apart else block.project)()
        block.blend.share[:] = share  # looking changes no state
        self._looked[:] = np.nan if apart else block.position

    def energies(self, gravity: tuple) -> tuple[float, float]:
        """Kinetic, of gravity and elastic [J]; and the same without that of gravity."""
        mass, block = self.thing.mass, self.block
        x, y, z = block.velocity.T
        with np.errstate(over="ignore"):  # more than a float holds is infinite, and refused as such
            kinetic = 0.5 * float(mass @ (x * x + y * y + z * z))
        elastic = self.elastic_energy()
        return kinetic - float((mass @ block.position) @ np.array(gravity)) + elastic, kinetic + elastic

    def elastic_energy(self) -> float:
        """Of its elements now [J]; of tangled cells each by itself too, or it would jump as these come and go."""
        self._look(apart=True)
        return self.block.element_energy()
