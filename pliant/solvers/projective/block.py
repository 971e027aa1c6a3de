"""The local/global block: project all elements, then solve with one constant factor.

What is pinned at the start belongs to the factor. Attachments that come and go are kept beside it in Schur form, so they
cost one column of the inverse each, once.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np
from scipy.sparse import csr_matrix, kron

from ...equations.elastic.implicit_euler import step_matrix
from ...math.definite_inverse import inverse
from ...math.sparse_cholesky import SparseCholesky
from ...model.soft import Pins, SoftModel
from ..soft.block import SoftBlock
from ..soft.search import shortened
from .frame import SolidFrame, dofs, stiff, stiffer
from .loose import LooseFrame
from .strained import MOST_VERTICES, StrainedFrame

MOST_BESIDE = 256
"""Attachments kept beside the factor; with more of them it is made anew."""
STIFF, CLOSE_BY = 30.0, 0.3
"""How many times more than inertia the elements of a solid that nothing touches resist [-] from which on it turns faster in a
frame of its own; and how far it may be strained there, of what is allowed where rows push: bars that are twisted by more come
to their minimum sooner by local/global."""
OFF = 0.1
"""How much a frame's elements may resist a solid that turns on by its own, of what inertia does [-]: turned a little too
far, it takes some of that turning for strain, and the angle squared times how stiff the solid is slows down all iterations."""
BATCH = 64
"""Columns of the inverse solved for together."""


class Projective(SoftBlock):
    """Local/global implicit Euler."""

    def __init__(self, model: SoftModel, position: np.ndarray, velocity: np.ndarray, pins: Pins | None = None,
                 pool: Executor | None = None) -> None:
        super().__init__(model, position, velocity, pins, pool)
        self._at_first = self._inside = self.pins.weight.copy()
        self._elements = self.stiffness()
        self._ports: set[int] = set()
        self._rigid: SolidFrame | None = None
        self._strained: StrainedFrame | None = None
        self._ahead: np.ndarray | None = None

    def begin(self, h: float) -> None:
        """Start a step."""
        super().begin(h)
        self.turn = None

    def strays(self) -> bool:
        """Whether it is solved in its own frame, but strained too much for that where it is believed to end."""
        if self.turn is None or self.frame is not self._rigid:
            return False
        self._ahead = self._turned(2.0)
        self.seen = None if self._ahead is None else self.turn
        return self.seen is None

    def turn_on(self) -> bool:
        """Turn the frame that it is solved in to where `strays` has seen it, if that is far; whether it was."""
        if self.turn is not None and isinstance(self.frame, LooseFrame):
            return self.hard * self.frame.turned(self.work.place) ** 2 > OFF and self.take_turns()
        if self.turn is None or self.frame is not self._rigid or self._ahead is None:
            return False
        far = self.stiffer * float(((self.turn - self._ahead) ** 2).sum()) > 2.0 * OFF
        self.turn = self.seen = self._ahead if far else self.turn
        return far

    def hold_frame(self) -> bool:
        """Be solved in the frame it was seen in last, or in that of where it begins, if that is far; whether it has changed."""
        if self.seen is None:
            return False
        self.frame, self.turn, self._ahead = self._rigid, self.seen, self._turned(1.0)
        if self._ahead is None:
            self.turn = self.seen = None
            return True
        return self.turn_on()

    def look(self, h: float, least: float) -> None:
        """See, before the first of some steps of `h` [s] with rows, how it is turned, if it is a solid at least so stiff."""
        self.take_length(h)
        stiff = self.stiffer >= least
        if self._rigid is None and stiff:
            self._rigid = SolidFrame(self, self._inside, h)
        self.frame = self._rigid
        self.seen = self._rigid.turn(self.position) if self._rigid is not None and stiff else None

    def turn_along(self) -> bool:
        """Be solved in the frame of where it is believed to end, if it is a stiff solid and hardly strained there."""
        if self.stiffer < STIFF:
            return False
        if self._rigid is None:
            self._rigid = SolidFrame(self, self._inside, self.h)
        self.frame, self.turn = self._rigid, self._turned(CLOSE_BY)
        return self.turn is not None

    def is_strained(self) -> bool:
        """Whether it is solved by its second derivative now."""
        return self.turn is not None and self.frame is self._strained

    @property
    def made(self) -> int:
        """Which second derivative it is solved by now, 0: by none."""
        return self._strained.made if self._strained is not None and self.is_strained() else 0

    def take_strain(self, rows: bool = False, keep: bool = False) -> bool:
        """Be solved by its second derivative where it is believed to end, if it is a stiff solid of few vertices; `keep`: by
        the last one, if that was found near by."""
        if self.stiff < STIFF or len(self.position) > MOST_VERTICES or not np.isfinite(self.work.place).all():
            return False
        self._strained = self._strained or StrainedFrame(self)
        self._strained.make(rows, keep)
        self.frame, self.turn = self._strained, np.eye(3)
        return True

    def strain_on(self, rows: bool) -> bool:
        """Make its second derivative anew where it is believed to end, if it is solved by one of elsewhere; whether it was."""
        return self._strained is not None and self.is_strained() and self._strained.make(rows, True, True)

    def take_turns(self) -> bool:
        """Be solved with rotations of the whole beside the factor, if it is cloth that nothing pins; whether it is."""
        m = self.model
        if len(m.cells.vertex) or self.pins.weight.any() or self.enclosure or not (m.vertices.inverse_mass > 0.0).all():
            return False
        self.frame, self.turn = LooseFrame(self), np.eye(3)
        return True

    def _turned(self, slack: float) -> np.ndarray | None:
        """The rotation (3, 3) of the frame where it is believed to end, unless it is strained `slack` times too much there."""
        if self._rigid is None or not np.isfinite(self.work.place).all():
            return None
        return self._rigid.turn(self.work.place, slack)

    def prepare(self) -> None:
        """Factorise for the present length of step."""
        matrix = step_matrix(self._elements, self.model.vertices.mass, self._inside, self.h)
        self.factor, self._alone = SparseCholesky(matrix), 1.0 / (self.h**2 * matrix.diagonal())
        self._matrix = matrix
        free = self.model.vertices.mass > 0.0
        self.hard = float(np.median(self.resistance()[free])) if free.any() else 0.0
        self.frame, self._rigid, self.stiff, self.stiffer = None, None, stiff(self), stiffer(self)
        self.change_pins()

    def hold(self) -> None:
        """Other vertices than before have no mass, and are held: the factor is made anew, once."""
        self._strained = self.turn = self.seen = None
        super().hold()

    def change_pins(self) -> None:
        """Bring the factor in line with the pins' weights: which are inside depends on them alone, not on what was before."""
        if not self.h:
            return
        wanted = np.where(self.model.vertices.inverse_mass == 0.0, self._at_first, self.pins.weight)
        beside = wanted - self._at_first
        inside = wanted if (beside < 0.0).any() or np.count_nonzero(beside) > MOST_BESIDE else self._at_first
        if not np.array_equal(inside, self._inside):
            self._inside = inside
            self.prepare()
            return
        beside = wanted - inside
        self.factor.change({int(v): float(beside[v]) for v in np.flatnonzero(beside)})
        self.answer_whole(sorted(self._ports))

    def solve(self, right: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """The global step [m] (n, 3) for the forces `right` [N] (n, 3); in `out`, if that is given and no frame is taken."""
        if self.frame is not None and self.turn is not None:
            return self.frame.solve(right, self.turn)
        return self.enclosure.solved_with(self.factor, self.factor.solve(right, out))

    def iterate(self) -> float:
        """One local and one global step."""
        self.take_up()
        step = self.solve(self.forces(), self._change)
        return self.move(shortened(self, self.work.right.copy(), step) * step if self.is_strained() else step)

    def response(self, vertex: int) -> np.ndarray:
        """How all velocities answer a unit impulse on `vertex` [1/kg] (n,), x, y and z alike; rows now see it so."""
        vertex = int(vertex)
        if self.model.vertices.inverse_mass[vertex] == 0.0:
            return np.zeros(len(self.work.answer))
        column = self.factor.changed_columns([vertex])[:, 0] / self.h**2
        column[self.model.vertices.inverse_mass == 0.0] = 0.0
        self._ports.add(vertex)
        self.work.answer[vertex] = column[vertex]
        return column

    def answer_whole(self, vertices: Sequence[int]) -> None:
        """Let rows see these vertices as `response` says, many at a time; about a third of a solve each, once."""
        free = [int(v) for v in vertices if self.model.vertices.inverse_mass[v] > 0.0]
        for first in range(0, len(free), BATCH):
            some = free[first:first + BATCH]
            self.work.answer[some] = self.factor.changed_columns(some)[some, np.arange(len(some))] / self.h**2
        self._ports.update(free)

    def answer_together(self, vertices: np.ndarray) -> None:
        """Let rows see these vertices as they answer when all of them are pushed alike; others by their mass.

        With the answers w = A^-1 / h^2 of all to all, vertex i then answers by the sum of w_ij. Rows that correct their
        impulses by such answers at once, each for itself, cannot overshoot: for w_ij >= 0 the diagonal matrix of these sums
        exceeds w by a positive semidefinite one (Gershgorin), and pushes that are alike are answered exactly.
        """
        free = self.model.vertices.inverse_mass > 0.0
        self.work.answer[:] = self.model.vertices.inverse_mass
        vertices = vertices[free[vertices]]
        if len(vertices):
            pushed = np.zeros((len(free), 1))
            pushed[vertices] = 1.0
            together = self.factor.solve(pushed)[vertices, 0] / self.h**2
            self.work.answer[vertices] = np.maximum(together, self._alone[vertices])

    def gains(self, vertices: np.ndarray) -> np.ndarray:
        """How the velocities of these vertices, all free, answer impulses on them [1/kg] (k, k), x, y and z alike."""
        return self.factor.part(vertices) / self.h**2

    def alone(self, vertices: np.ndarray) -> np.ndarray:
        """How each of these vertices would answer an impulse while all others were held [1/kg] (k,)."""
        return (self._alone if self.frame is None or self.turn is None else self.frame.alone)[vertices]

    def resistance(self) -> np.ndarray:
        """How much more each vertex resists in a step than its inertia does [-] (n,)."""
        return self.model.vertices.inverse_mass / self._alone

    def gains_along(self, vertices: np.ndarray) -> np.ndarray:
        """The same as `gains`, of x, y and z of each of them (3 k, 3 k)."""
        if self.frame is None or self.turn is None:
            return super().gains_along(vertices)
        return self.frame.part(vertices, self.turn) / self.h**2

    def resisting(self, vertices: np.ndarray, few: int) -> Callable[[np.ndarray], np.ndarray]:
        """About the impulses on these vertices, all free, by the changes of their velocities, up to `few` numbers exactly."""
        if self.frame is None or self.turn is None:
            plain = inverse(self.gains(vertices)) if len(vertices) <= few else self.h**2 * self._matrix[vertices][:, vertices]
            return plain.__matmul__
        turn, some = self.turn, dofs(vertices)
        whole = self.h**2 * (
            inverse(self.frame.factor.part(some)) if len(some) <= few else self.frame.matrix[some][:, some])
        return lambda change: (whole @ (change @ turn).ravel()).reshape(-1, 3) @ turn.T

    def resists(self) -> csr_matrix:
        """The impulses on x, y and z of all vertices by the changes of their velocities [kg] (3 n, 3 n), in its frame."""
        return self.h**2 * (kron(self._matrix, np.eye(3)) if self.frame is None or self.turn is None else self.frame.matrix)

    def answer_to(self, impulse: np.ndarray) -> np.ndarray:
        """How all velocities answer impulses [N s] (n, 3) on all vertices that are free [m/s] (n, 3)."""
        return self.solve(np.ascontiguousarray(impulse)) / self.h**2
