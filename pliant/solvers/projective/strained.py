"""A stiff solid that is strained, by its true second derivative where it is believed to end, as Newton's method has it.

Local/global comes nearer by about one part in as many as elements resist more than inertia, of rubber at 60 Hz one in 1e5: what
is twisted, thrown or pressed would move as in honey, and what is left open is energy that nobody brought in. The derivative,
made definite, is factorised anew where iterations come slowly.
"""

import numpy as np

from ...math.sparse_cholesky import SparseCholesky
from ..newton.block import NARROW
from ..newton.hessian import Hessian
from ..soft.block import corners_of, table_of
from ..soft.groups import group_parts
from .frame import MOST_COLUMNS, dofs

MOST_VERTICES = 800
"""Up to so many a factor is made within a step: about 16 us a vertex."""
SLOW = 0.3
"""Iterations that leave more of the change than this [-] ask for a new one."""
KEPT, SAME = 0.02, 0.025
"""How far vertices may come, of a cell's edge [-], before the one of the last substep is no longer begun with; and, over how
many times more cells resist a change of volume than of shape, before a new one may be another by more than a twentieth."""
AWAY = 30.0
"""How many times more than the first an iteration may change a velocity [-]: it leads away."""


class StrainedFrame:
    """The second derivative of one solid in one substep, in place of that of its frame."""

    def __init__(self, block) -> None:
        self._hessian, self._block = Hessian(block), block
        rest, corner = block.model.vertices.rest, corners_of(block.model.cells)
        self._edge = float(np.linalg.norm(rest[corner[:, 1]] - rest[corner[:, 0]], axis=1).mean())
        table, groups = table_of(block.model.cells), group_parts(block.model.groups)[2]
        volume = float(table[:, 10].sum() + groups.sum() + block.model.volumes.weight.sum())
        self._same = min(KEPT, SAME * float(table[:, 9].sum()) / max(volume, 1e-300))
        self._at, self._h, self._mended = np.full_like(rest, np.nan), 0.0, False
        self.made = 0
        """How many times it was made."""

    def make(self, rows: bool, keep: bool, begun: bool = False) -> bool:
        """At `work.place` now, as it is, or made definite where it is not; whether it was. `keep`: unless the last one was made
        near by, or, if iterations have `begun`, so near that a new one would do no better.

        `rows`: columns of the inverse are asked for too.
        """
        block = self._block
        if keep and block.curved_for[0] == block.h:
            way = block.work.place - block.curved_at
            # One that was made definite brings iterations slowly, and so would a new one.
            near = self._same if begun and not self._mended else KEPT
            if np.abs(way - way.mean(axis=0)).max() < near * self._edge:
                if self._h != block.h or not np.array_equal(self._at, block.curved_at):  # of another state, as of a restored
                    self._factorise(block.curved_at, True)
                return False
        if len(block.model.volumes.cell):
            block.project()
        self._factorise(block.work.place, rows)
        # Tangled cells and the relief of patches lag behind: it could not be made again by places alone.
        again = rows and not block.tangle and not len(block.model.volumes.cell)
        block.curved_at[:], block.curved_for[0] = self._at, block.h if again else 0.0
        return True

    def _factorise(self, place: np.ndarray, rows: bool) -> None:
        """Make it at `place` [m] (n, 3)."""
        block, band = self._block, self._hessian.band
        self._at[:], self._h, self.made = place, block.h if rows else 0.0, self.made + 1
        narrow = band.width <= NARROW
        for definite in (False, True) if narrow else (True,):
            self.matrix, self._mended = self._hessian.at(place, block.h, definite), definite and narrow
            try:
                self.factor = band.factor(self.matrix.data) if narrow else SparseCholesky(self.matrix, MOST_COLUMNS)
                break
            except np.linalg.LinAlgError:
                continue
        self.alone = 3.0 / (block.h**2 * self.matrix.diagonal().reshape(-1, 3).sum(axis=1))
        """How each vertex would answer an impulse while all others were held [1/kg] (n,)."""

    def solve(self, right: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Displacements [m] (n, 3) by forces [N] (n, 3)."""
        return self.factor.solve(np.ascontiguousarray(right).reshape(-1, 1)).reshape(-1, 3)

    def part(self, vertices: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Rows and columns of the inverse for these vertices (3 k, 3 k)."""
        return self.factor.part(dofs(vertices))
