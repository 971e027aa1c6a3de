"""The substeps of cloth and solids: kick, iterate their block, move; each thing for itself, its pieces shared by threads.

Forces from outside act before the iterations, as implicit Euler has it. A thing that nothing holds, wind neither, falls as
free bodies do, half of its weight before and half after: its centre of mass follows the parabola exactly.
"""

from concurrent.futures import Executor

import numpy as np

from ..math.svd3 import LANES
from ..model.model import State
from ..model.soft_things import SoftThing, VertexPin
from ..scene.pose import turned
from ..solvers.soft.air import blow
from ..solvers.soft.methods import METHODS
from .measure import Measures

CLOSE = 1e-9
"""Iterations that change no velocity by more [m/s] are the last of a substep."""
STARTS_STILL = ("projective", "quasi-newton", "newton")
"""Methods whose iterations begin, in things that are held, where the vertices would go without the forces from outside.
Begun where these forces would take them, a few iterations would leave a sag of their own; so what rests is in balance."""
WORTH_SHARING = 20_000
"""Vertices and elements of a thing from which on a second thread pays."""
RELIEF = 1e-3
"""Error of a patch's volume, as a share of the relief's own [-]."""


class SoftSolver:
    """All cloth and solids of a world."""

    def __init__(self, things: tuple[SoftThing, ...], state: State, pool: Executor | None) -> None:
        self.bodies = [SoftBody(one, state, pool) for one in things]
        self.wind: tuple[float, float, float] | None = None
        """Velocity of the air [m/s]; None: there is none."""

    def take(self, state: State) -> None:
        """Follow the arrays of another state."""
        for body in self.bodies:
            body.take(state)

    def __call__(self, dt: float, substeps: int, gravity: tuple, drag: float) -> None:
        """Advance all things by `dt` [s]."""
        for body in self.bodies:
            body.advance(dt, substeps, np.array(gravity), drag, self.wind)

    def add_to(self, figures: Measures) -> Measures:
        """Figures of a step with those of the soft things."""
        return figures._replace(
            elastic=figures.elastic + sum(body.elastic_energy() for body in self.bodies),
            work=figures.work + sum(body.work for body in self.bodies),
            iterations=max(figures.iterations, *(body.iterations for body in self.bodies)),
            residual=max(figures.residual, *(body.residual for body in self.bodies)))


class SoftBody:
    """One cloth or solid: its block, what pushes it from outside, and what its pins bear."""

    def __init__(self, thing: SoftThing, state: State, pool: Executor | None) -> None:
        self.thing = thing
        self.work, self.iterations, self.residual = 0.0, 0, 0.0
        rows, motion = thing.movers, state.motion
        model = thing.model
        size = len(thing.mass) + LANES * sum(len(one.vertex) for one in (model.cells, model.triangles, model.bends))
        pool = pool if size > WORTH_SHARING else None
        self.block = METHODS[thing.method](thing.model, motion.position[rows], motion.velocity[rows], None, pool)
        self.free = thing.model.vertices.inverse_mass > 0.0
        self.held = [Held(pin, self.block) for pin in thing.pins]
        self._starts_still = bool(thing.pins) and thing.method in STARTS_STILL
        self._answer = thing.model.vertices.inverse_mass[:, None]
        self._looked = np.full((len(thing.mass), 3), np.nan)
        self.take(state)

    def take(self, state: State) -> None:
        """Follow the arrays of another state."""
        self.state, rows = state, self.thing.movers
        self.block.follow(state.motion.position[rows], state.motion.velocity[rows])
        shares = self.block.blend.share
        if len(shares):
            self.block.blend.share = state.soft.share[self.thing.share:self.thing.share + len(shares)]
        self._looked[:] = np.nan

    def advance(self, dt: float, substeps: int, gravity: np.ndarray, drag: float, wind) -> None:
        """Advance by `dt` [s]."""
        h, time = dt / substeps, float(self.state.clock.time[0])
        self.work, self.iterations, self.residual = 0.0, 0, 0.0
        for one in self.held:
            one.begin(self.state)
        for k in range(substeps):
            self._substep(h, time + (k + 1) * h, gravity, drag, wind)
            if not np.isfinite(self.block.velocity).all():
                return
        for one in self.held:
            one.finish(self.state, substeps)

    def _substep(self, h: float, end: float, gravity: np.ndarray, drag: float, wind) -> None:
        block, position, velocity = self.block, self.block.position, self.block.velocity
        before = velocity.copy()
        for one in self.held:
            one.drive(position, velocity, end, h)
        impulse = h * self.state.push.force[self.thing.movers]
        early = h if self.held or self._drags(wind) else 0.5 * h
        self._kick(early, gravity, drag, impulse * (early / h))
        air = self._air(before, wind, h)
        velocity += self._answer * air
        block.begin(h)
        if self._starts_still:
            np.copyto(block.work.place, position + h * before, where=self.free[:, None])
        for _ in range(self.thing.iterations):
            change = block.iterate()
            self.iterations += 1
            if not change >= CLOSE:
                break
        self.residual = max(self.residual, change)
        position[:] = block.work.place
        self._kick(h - early, gravity, drag, impulse * (1.0 - early / h))
        impulse += air
        self.work += 0.5 * float(np.sum(impulse[self.free] * (before + velocity)[self.free]))
        if self.held:
            self._look()
            for one in self.held:
                self.work += one.note(self.thing.mass, position, before, velocity, gravity, impulse, h)

    def _kick(self, h: float, gravity: np.ndarray, drag: float, impulse: np.ndarray) -> None:
        """Velocities under weight, drag and pushes for `h` [s]. Writes: velocities of vertices that are free"""
        if h > 0.0:
            velocity = self.block.velocity
            kicked = velocity / (1.0 + h * drag) + h * gravity + self._answer * impulse
            np.copyto(velocity, kicked, where=self.free[:, None])

    def _air(self, before: np.ndarray, wind, h: float) -> np.ndarray:
        """Impulses [N s] (n, 3) of wind and pressure."""
        impulse, thing = np.zeros_like(before), self.thing
        drags = self._drags(wind)
        pressure = thing.pressure if thing.patches is None else 0.0
        if drags or pressure != 0.0:
            blow(thing.faces, thing.face_mass if drags else np.zeros_like(thing.face_mass), self.block.position, before,
                 self.block.velocity, impulse, wind or (0.0, 0.0, 0.0), pressure, h)
        if thing.patches is not None and thing.pressure != 0.0:
            from ..patch.measure import volume_and_gradient

            impulse += h * thing.pressure * volume_and_gradient(thing.patches, self.block.position, RELIEF)[1]
        return impulse

    def _drags(self, wind) -> bool:
        return wind is not None and bool(self.thing.face_mass.any())

    def _look(self) -> None:
        """Bring pushes and energies of all elements up to date with the positions. Writes: scratch of the block"""
        block = self.block
        if np.array_equal(self._looked, block.position):
            return
        share = block.blend.share.copy()
        block.work.place[:] = block.position
        block.project()
        block.blend.share[:] = share  # looking changes no state
        self._looked[:] = block.position

    def elastic_energy(self) -> float:
        """Of its elements now [J]."""
        self._look()
        return float(sum(work.energy.sum() for work in (self.block.cells, self.block.triangles, self.block.bends)))


class Held:
    """Vertices that a pin holds or moves, and what it bears."""

    def __init__(self, pin: VertexPin, block) -> None:
        self.pin, self._block = pin, block

    def begin(self, state: State) -> None:
        """Nothing borne yet in this step."""
        state.soft.force[self.pin.row] = state.soft.torque[self.pin.row] = 0.0
        self._force, self._torque = np.zeros(3), np.zeros(3)

    def drive(self, position: np.ndarray, velocity: np.ndarray, end: float, h: float) -> None:
        """Velocities [m/s] that lead to where the pin is at time `end` [s]. Writes: velocity of its vertices"""
        v = self.pin.vertex
        if self.pin.driver is None:
            velocity[v] = 0.0
            return
        pose = self.pin.driver.pose(end)
        axes = np.array([turned(pose.quaternion, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])
        velocity[v] = (np.array(pose.position) + self.pin.arm @ axes - position[v]) / h

    def note(self, mass, position, before, velocity, gravity, impulse, h: float) -> float:
        """Add what the pin bears in a substep; returns its work on the rest of the thing [J]."""
        v = self.pin.vertex
        inner = self._block.work.inner[:, v].sum(axis=0)
        borne = mass[v, None] * ((velocity[v] - before[v]) / h - gravity) - inner - impulse[v] / h
        self._force += borne.sum(axis=0)
        self._torque += np.cross(position[v] - position[v].mean(axis=0), borne).sum(axis=0)
        return -h * float(np.sum(inner * velocity[v]))

    def finish(self, state: State, substeps: int) -> None:
        """Keep the means over the step."""
        state.soft.force[self.pin.row], state.soft.torque[self.pin.row] = self._force / substeps, self._torque / substeps
