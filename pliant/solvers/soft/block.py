"""A soft thing as a block of the engine, whatever solves it.

Velocities are the common currency. `begin` takes positions x and velocities v* after the kick; every `iterate` improves
p = x + h v and writes v back. Between two of them rows may change the velocity of single vertices: `work.answer` [1/kg] says
how a vertex answers an impulse, and what rows have changed is taken up as impulses J = dv / answer that go on acting until
the step ends. `response` makes a vertex answer as the whole block does, not as its mass alone.
"""

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from scipy.sparse import csr_matrix

from ..._jit import bind
from ...equations.elastic.deformation_gradient import corner_gradients
from ...equations.elastic.implicit_euler import stiffness_matrix
from ...equations.rigid.point_masses import turned_ahead
from ...math.sparse_cholesky import SparseCholesky
from ...math.svd3 import LANES
from ...model.schema import allocate
from ...model.soft import Compliance, Elements, ElementWork, Folds, Pins, SoftModel, SoftWork, unblocked
from .answers import Answers
from .bends import bend_energies, fold_bends, fold_corners, push_bends
from .cells import project_cells
from .enclosure import Enclosure
from .examples import Blend
from .groups import group_parts, project_groups
from .lanes import LANE_ROWS
from .mesh import counts
from .patches import Relief
from .tangle import Tangle
from .triangles import project_triangles
from .vertices import begin_vertices, clear, collect, hand_out, take_impulses, vertex_energy

TASKS = 4
"""Pieces that the work is cut into, whatever the number of threads: each adds up for itself."""
FIRM = 1e6
"""Mass of a vertex that is held, of the whole thing's, where it is seen as a rigid body [-]."""
WORTH_SHARING = 2000
"""With fewer vertices and elements than this a second thread would not pay."""


class SoftBlock(Answers):
    """What all methods share; each has its own `iterate`."""

    carries_examples = True
    keeps_inertia = True
    """Whether inertia pulls during the iterations; else it is only where they begin."""

    def __init__(self, model: SoftModel, position: np.ndarray, velocity: np.ndarray, pins: Pins | None = None,
                 pool: Executor | None = None) -> None:
        """position [m], velocity [m/s] (n, 3): read and written in place, views of the table of movers."""
        n = len(model.vertices.mass)
        if len(model.examples.stretch) and not self.carries_examples:
            raise ValueError(f"{type(self).__name__} does not do examples; take the method 'projective' or 'quasi-newton'.")
        self.model = model
        self.pins = allocate(Pins, n) if pins is None else pins
        self.work = allocate(SoftWork, n, t=TASKS, l=LANE_ROWS * LANES)
        self.work.answer[:] = model.vertices.inverse_mass
        self.cells, self.triangles, self.bends, self.groups = (
            _element_work(e) for e in (model.cells, model.triangles, model.bends, model.groups))
        self.blend = Blend(model, self.work, self.cells)
        self.tangle = Tangle(model, self.cells, self.work)
        self.relief = Relief(model, self.cells, self.work)
        self.enclosure = Enclosure(model, self.triangles, self.work)
        works = (self.cells, self.triangles, self.bends, self.groups)
        self._energies = [one.energy.reshape(-1) for one in works if len(one.energy)]
        self.h, self.curved_at, self.curved_for = 0.0, np.zeros((n, 3)), np.zeros(1)
        size = n + sum(counts(e)[0] for e in (model.cells, model.triangles, model.bends))
        self.pool = pool if size > WORTH_SHARING else None
        self._helpers = min(TASKS, getattr(pool, "_max_workers", 2)) - 1
        self._change, self._free = np.zeros((n, 3)), (model.vertices.inverse_mass > 0.0)[:, None].astype(float)
        self.follow(position, velocity)
        m, w = model, self.work
        kinds = ((project_cells, m.cells, self.cells), (project_triangles, m.triangles, self.triangles),
                 (project_groups, m.groups, self.groups))
        self._project = [bind(project, elements, w.place, work, w) for project, elements, work in kinds if len(elements.vertex)]
        self._clear, self._collect = bind(clear, w), bind(collect, m.vertices, self.pins, w)
        self._energy = bind(vertex_energy, m.vertices, self.pins, w)
        edges = counts(m.bends)[0]
        self.folds = allocate(Folds, e=edges)
        self.moments = [SparseCholesky(compliance_of(m.compliance))] if edges else []
        """The factor of S, if there are inner edges."""
        self._fold = bind(fold_bends, m.bends, w.place, self.folds)
        self._push = bind(push_bends, m.bends, w.place, self.folds, fold_corners(corners_of(m.bends), table_of(m.bends), n), w)
        self._bend = bind(bend_energies, self.folds, self.bends)

    def follow(self, position: np.ndarray, velocity: np.ndarray) -> None:
        """Read and write these arrays from now on [m], [m/s] (n, 3)."""
        self.position, self.velocity = position, velocity
        vertices = self.model.vertices
        self._begin = bind(begin_vertices, vertices, position, velocity, self.work)
        self._take = bind(take_impulses, vertices, velocity, self.work)
        self._hand = bind(hand_out, vertices, self._change, velocity, self.work)

    def begin(self, h: float) -> None:
        """Start a step of `h` [s] from `position` and `velocity`."""
        self.take_length(h)
        self._begin(h)
        self.see(self.work.aim)
        if self.tangle.ahead and self.keeps_inertia:
            # From an inverted place iterations might find another shape at rest; carried along as a whole, momentum stays.
            mass = self.model.vertices.mass
            along = mass @ (self.work.aim - self.work.start) / mass.sum()
            np.copyto(self.work.place, self.work.start + along, where=self._free > 0.0)

    def see(self, aim: np.ndarray) -> bool:
        """Take tangled cells, normals and moments of patches where it is, on its way to `aim` [m] (n, 3).

        Returns whether its energy may be another one so.
        """
        if changed := self.tangle.begin(self.position, aim):
            self.relief.leave_out(self.tangle.work.cell)
        self.look_on(aim)
        return changed or bool(self.enclosure) or len(self.model.volumes.cell) > 0

    def look_on(self, aim: np.ndarray) -> None:
        """Take normals and moments of patches, and what is enclosed, where it is, but turned as on its way to `aim` [m] (n, 3):
        volumes seen along the normals of before would be too small by half the square of the angle."""
        if self.enclosure or len(self.model.volumes.cell):
            mass = self.model.vertices.mass
            firm = np.where(mass > 0.0, mass, FIRM * mass.sum())
            place = turned_ahead(self.position, aim - self.position, firm, 1.0)
            self.relief.begin(place)
            self.enclosure.begin(place)

    def take_length(self, h: float) -> None:
        """Be ready for steps of `h` [s]."""
        if h != self.h:
            self.h = h
            self.prepare()

    def prepare(self) -> None:
        """What has to be made anew when the length of the step or the pins have changed."""

    def hold(self) -> None:
        """Other vertices than before have no mass, and are held."""
        self._free[:] = (self.model.vertices.inverse_mass > 0.0)[:, None]
        self.work.answer[:] = self.model.vertices.inverse_mass
        self.enclosure.hold()
        self.forget()
        if self.h:
            self.prepare()

    def advance(self, h: float, iterations: int = 10, acceleration=(0.0, 0.0, 0.0)) -> float:
        """One whole step on its own: kick, iterate, move. Returns the last change [m/s]."""
        free = self.model.vertices.inverse_mass > 0.0
        self.velocity[free] += h * np.asarray(acceleration, float)
        self.begin(h)
        change = 0.0
        for _ in range(iterations):
            change = self.iterate()
        self.position += h * self.velocity
        return change

    def attach(self, vertex: int, stiffness: float, target) -> None:
        """Pull `vertex` to `target` [m] (3,) with `stiffness` [N/m]; the last attachment of a vertex counts."""
        self.pins.weight[vertex] = stiffness
        self.pins.target[vertex] = target
        self.change_pins()

    def detach(self, vertex: int) -> None:
        """Let `vertex` go."""
        self.pins.weight[vertex] = 0.0
        self.change_pins()

    def change_pins(self) -> None:
        """Weights of pins have changed: by default everything is prepared anew."""
        if self.h:
            self.prepare()

    def forces(self) -> np.ndarray:
        """Unbalanced force at `work.place` [N] (n, 3): -dE/dp. Also brings energies and pushes up to date."""
        self.project()
        self._collect(self.h)
        return self.work.right

    def project(self) -> None:
        """Energies and pushes of all elements at `work.place`."""
        if self.moments:
            self._project_and_bear()
            self.share(self._push)
        else:
            self.share(self._project_some)
        if self.tangle:
            self.tangle.project()
        if len(self.model.examples.stretch):
            self.blend.project()
        if len(self.model.volumes.cell):
            self.relief.project()
        if self.enclosure:
            self.enclosure.project()

    def project_apart(self) -> None:
        """The same with every cell by itself, also of those that are tangled: what their energy is, whatever moves them."""
        kept = self.tangle.lay_aside()
        self.relief.leave_out(self.tangle.work.cell)
        self.project()
        self.tangle.work = kept
        self.relief.leave_out(kept.cell)

    def _project_some(self, begin: int, end: int) -> None:
        self._clear(begin, end)
        for project in self._project:
            project(begin, end)

    def _project_and_bear(self) -> None:
        """Project all elements, and find the moments on all inner edges, which a second thread can do meanwhile.

        The solve for them lets no other thread begin anything before it ends, so that this one begins to project first.
        """
        helper = self.pool.submit(self._bear) if self.pool is not None else None
        self._project_some(0, TASKS)
        if helper is None or helper.cancel():
            self._bear()
        else:
            helper.result()

    def _bear(self) -> None:
        """The moments on all inner edges: one solve."""
        self._fold(0, len(self.folds.away))
        for factor in self.moments:
            factor.solve(self.folds.away, self.folds.moment)

    def elastic_energy(self) -> float:
        """Of elements and pins where `forces` last looked [J]."""
        away = self.pins.target - self.work.place
        pulled = self.pins.weight @ np.einsum("ni,ni->n", away, away)
        return self.element_energy() + 0.5 * float(pulled)

    def element_energy(self) -> float:
        """Of elements alone, where `forces` last looked [J]."""
        if self.moments:
            self._bend()  # which most iterations are not asked for
        return float(sum(np.add.reduce(energy) for energy in self._energies))

    def total_energy(self) -> float:
        """E of equation 5 with the rows' impulses, where `forces` last looked [J]: what iterations make smaller."""
        return float(self._energy(self.h)) + self.element_energy()

    def take_up(self) -> float:
        """What rows have changed since velocities were handed out becomes impulses; returns the largest change [m/s].

        Every iteration begins with this: here, too, cells that are not inside out any more take rotations of their own again.
        """
        if self.tangle and self.tangle.undone(self.work.place):
            self.relief.leave_out(self.tangle.work.cell)
            self.forget()
        return self._take(self.h)

    def iterate_alone(self) -> float:
        """As `iterate`, where no rows act."""
        return self.iterate()

    def shift(self, change: np.ndarray) -> None:
        """Let inertia lead elsewhere, by `change` [m] (n, 3)."""
        np.add(self.work.aim, change, out=self.work.aim)

    def forget(self) -> None:
        """The energy is another one now: what was learnt of it no longer holds."""

    def move(self, change: np.ndarray) -> float:
        """Move by `change` [m] (n, 3) and write velocities; returns the largest change [m/s]."""
        if change is not self._change:
            self._change[:] = change
        return self._hand(self.h)

    def stiffness(self):
        """The constant matrix of all elements [N/m] (n, n), pins left out."""
        return stiffness_matrix(len(self.model.vertices.mass), self.parts())

    def parts(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Corners (e, k), A (e, k, d) and weights (e,) of cells, triangles, volume patches, groups, bends."""
        m = self.model
        weight = self.blend.weights() if len(m.examples.stretch) else 0.0
        parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for elements, side, first in ((m.cells, 3, 9), (m.triangles, 2, 4)):
            corners, table = corners_of(elements), table_of(elements)
            inverse = table[:, : side * side].reshape(-1, side, side)
            both = table[:, first] + table[:, first + 1] + (weight if side == 3 else 0.0)
            parts.append((corners, corner_gradients(inverse), both))
        some = m.volumes.cell
        parts.append((parts[0][0][some], parts[0][1][some], m.volumes.weight))
        parts.append(group_parts(m.groups))
        bends = table_of(m.bends)
        parts.append((corners_of(m.bends), bends[:, :4, None], bends[:, 4]))
        return parts

    def share(self, work: Callable[[int, int], None]) -> None:
        """work(first task, last) for all tasks; threads, where there are any, take the next that is left."""
        if self.pool is None:
            work(0, TASKS)
            return
        tasks = iter(range(TASKS))

        def some() -> None:
            for task in tasks:
                work(task, task + 1)

        helpers = [self.pool.submit(some) for _ in range(self._helpers)]
        some()
        for helper in helpers:
            if not helper.cancel():
                helper.result()


def corners_of(elements: Elements) -> np.ndarray:
    """Corners (e, k)."""
    count, corners = counts(elements)
    return unblocked(elements.vertex, corners, count).astype(np.int64)


def table_of(elements: Elements) -> np.ndarray:
    """Tables (e, r)."""
    return unblocked(elements.table, elements.table.shape[1] // LANES, counts(elements)[0])


def compliance_of(compliance: Compliance) -> csr_matrix:
    """S (e, e)."""
    return csr_matrix((compliance.value, compliance.column, compliance.first))


def _element_work(elements: Elements) -> ElementWork:
    return ElementWork(np.zeros((len(elements.vertex), LANES)))
