"""How a soft thing answers the impulses of rows: here by the mass of its vertices alone; methods that know more say so.

A method with a constant matrix gives columns of its inverse in place of masses (solvers/projective/block.py).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags

from ...model.soft import SoftModel, SoftWork


class Answers:
    """The side of a block that rows see."""

    model: SoftModel
    work: SoftWork
    velocity: np.ndarray
    h: float
    _free: np.ndarray
    turn: np.ndarray | None = None
    seen: np.ndarray | None = None
    """Where x, y and z of its vertices answer each other: the rotation (3, 3) of the frame it is, and may be, solved in."""
    frame: Any = None
    """That frame, once it was made (solvers/projective/frame.py)."""
    curved_at: np.ndarray
    curved_for: np.ndarray
    """Where its second derivative was made that may be kept [m] (n, 3), and for steps of which length [s] (1,); zero: none."""
    hard = stiff = stiffer = 0.0
    """How many times more elements resist a typical vertex than its inertia does, as rows see it [-]; the same of solids whose
    second derivative is of use, and of those that may be solved in a frame."""

    def turn_along(self) -> bool:
        """Be solved in the frame of where it is believed to end, where the method knows one; whether it is."""
        return False

    def iterate(self) -> float:
        """Improve the velocities once; returns the largest change [m/s]."""
        raise NotImplementedError

    def move(self, change: np.ndarray) -> float:
        """Move by `change` [m] (n, 3) and write velocities; returns the largest change [m/s]."""
        raise NotImplementedError

    def response(self, vertex: int) -> np.ndarray:
        """How all velocities change with a unit impulse on `vertex` [1/kg] (n,): here, its own alone."""
        column = np.zeros(len(self.work.answer))
        column[vertex] = self.model.vertices.inverse_mass[vertex]
        return column

    def answer_whole(self, vertices: Sequence[int]) -> None:
        """Let these vertices answer rows as the whole block does, where the method knows how: here, by their mass."""

    def answer_together(self, vertices: np.ndarray) -> None:
        """Let rows see these vertices as they answer when all are pushed alike, where the method knows how: here, by mass."""
        self.work.answer[:] = self.model.vertices.inverse_mass

    def gains(self, vertices: np.ndarray) -> np.ndarray:
        """How the velocities of these vertices answer impulses on them [1/kg] (k, k), x, y and z alike: here, by mass."""
        return np.diag(self.model.vertices.inverse_mass[vertices])

    def alone(self, vertices: np.ndarray) -> np.ndarray:
        """How each of these vertices would answer an impulse while all others were held [1/kg] (k,): here, by mass."""
        return self.model.vertices.inverse_mass[vertices]

    def gains_along(self, vertices: np.ndarray) -> np.ndarray:
        """The same as `gains`, of x, y and z of each of them (3 k, 3 k)."""
        return np.kron(self.gains(vertices), np.eye(3))

    def resisting(self, vertices: np.ndarray, few: int) -> Callable[[np.ndarray], np.ndarray]:
        """About the impulses [N s] on these vertices, all free, by the changes of their velocities, both (k, 3)."""
        return diags(self.model.vertices.mass[vertices], format="csr").__matmul__

    def resists(self) -> csr_matrix:
        """The impulses on x, y and z of all vertices by the changes of their velocities [kg] (3 n, 3 n), in its frame."""
        return csr_matrix(diags(np.repeat(self.model.vertices.mass, 3)))

    def is_strained(self) -> bool:
        """Whether that is its second derivative itself (solvers/projective/strained.py)."""
        return False

    @property
    def made(self) -> int:
        """Which one, 0: none."""
        return 0

    def take_strain(self, rows: bool = False, keep: bool = False) -> bool:
        """Be solved by its second derivative where it is believed to end, where the method makes use of it; whether it is."""
        return False

    def strain_on(self, rows: bool) -> bool:
        """Make that second derivative anew where it is believed to end, if it was made elsewhere; whether it was."""
        return False

    def take_turns(self) -> bool:
        """Be solved with rotations of the whole beside, where the method has a factor; whether it is."""
        return False

    def strays(self) -> bool:
        """Whether it is solved in a frame that no longer fits."""
        return False

    def hold_frame(self) -> bool:
        """Be solved in a frame, where the method has seen one; whether it is another one than that."""
        return False

    def turn_on(self) -> bool:
        """Turn that frame to where it is believed to end, if it is off by much; whether it was."""
        return False

    def look(self, h: float, least: float) -> None:
        """See, before the first of some steps of `h` [s] with rows, how it lies, where the method makes use of it."""

    def answer_to(self, impulse: np.ndarray) -> np.ndarray:
        """How all velocities answer impulses [N s] (n, 3) on all vertices that are free [m/s] (n, 3)."""
        return self.model.vertices.inverse_mass[:, None] * impulse

    def take_impulses(self, impulse: np.ndarray) -> None:
        """The impulses of rows, so far in this step, are `impulse` [N s] (n, 3); velocities have not changed by them yet."""
        self.work.impulse[:] = impulse
        self.work.written[:] = self.velocity

    def iterate_held(self) -> float:
        """As `iterate`, where rows answer each iteration by `push`."""
        return self.iterate()

    def push(self, impulse: np.ndarray) -> float:
        """Move as impulses of rows, `impulse` [N s] (n, 3) by now, have changed; returns the largest change [m/s]."""
        change = self._answered(impulse)
        return 0.0 if change is None else self.move(self.h * change)

    def kick(self, impulse: np.ndarray) -> None:
        """The same for the velocities alone."""
        change = self._answered(impulse)
        if change is not None:
            self.velocity += change

    def _answered(self, impulse: np.ndarray) -> np.ndarray | None:
        """How velocities answer the change of the impulses of rows, if there is one."""
        change = self._free * (impulse - self.work.impulse)
        self.work.impulse[:] = impulse
        return self.answer_to(change) if change.any() else None
