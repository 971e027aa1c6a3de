"""A stiff solid in the frame that turns with it: there its true second derivative is constant while it is hardly strained.

Local/global takes turning a cell for straining it, so that a stiff solid comes to where it belongs by a seventh of the way an
iteration, and by less where it bends. With linear elasticity in the solid's own frame, factorised once as well, it comes
there in two or three. Solids that are strained much, or soft, keep to local/global, which never overshoots.
"""

import numpy as np
from scipy.sparse import csr_matrix, diags

from ...equations.elastic.linear_stiffness import linear_stiffness
from ...math.sparse_cholesky import SparseCholesky
from ..soft.block import table_of
from ..soft.groups import group_parts

FAR = 0.1
"""How far a cell may be from the turned shape at rest, |F - R| [-]."""
MOST_COLUMNS, MOST_VERTICES = 2048, 3000
"""Columns of the inverse that are kept, and vertices up to which such a factor, nine times as full, is made."""


class SolidFrame:
    """Linear elasticity of one solid, for one length of step."""

    def __init__(self, block, pins: np.ndarray, h: float) -> None:
        """block: of cells alone, that resist any strain; pins [N/m] (n,)."""
        m, count = block.model, len(block.model.vertices.mass)
        corners, gradient, _ = block.parts()[0]
        table = table_of(m.cells)
        stiffness = linear_stiffness(count, corners, gradient, table[:, 9], table[:, 10])
        if len(m.groups.vertex):
            members, mean, weight = group_parts(m.groups)
            stiffness = stiffness + linear_stiffness(count, members, mean, np.zeros(len(weight)), weight)
        free = np.repeat((m.vertices.mass > 0.0).astype(float), 3)
        inertia = np.repeat(m.vertices.mass / h**2 + pins, 3)
        self.matrix = csr_matrix(diags(free) @ stiffness @ diags(free) + diags(free * inertia + (1.0 - free)))
        """[N/m] (3 n, 3 n); rows and columns of held vertices are those of the unit matrix."""
        self.factor = SparseCholesky(self.matrix, MOST_COLUMNS)
        self.alone = 3.0 / (h**2 * self.matrix.diagonal().reshape(-1, 3).sum(axis=1))
        """How each vertex would answer an impulse while all others were held [1/kg] (n,)."""
        each = np.arange(3 * len(corners)).reshape(-1, 1, 3).repeat(4, axis=1)
        across = np.broadcast_to(corners[:, :, None], gradient.shape)
        self._gradient = csr_matrix((gradient.ravel(), (each.ravel(), across.ravel())), shape=(3 * len(corners), count))
        self._weight = table[:, 9] / table[:, 9].sum()

    def turn(self, position: np.ndarray, slack: float = 1.0) -> np.ndarray | None:
        """The rotation (3, 3) of the solid at `position` [m] (n, 3); None where it is strained `slack` times too much."""
        f = (self._gradient @ position).reshape(-1, 3, 3).swapaxes(1, 2)
        u, _, v = np.linalg.svd(np.einsum("e,eij->ij", self._weight, f))
        if np.linalg.det(u @ v) < 0.0:
            return None
        far = ((f - u @ v) ** 2).sum(axis=(1, 2)).max()
        return u @ v if far < (slack * FAR) ** 2 else None

    def solve(self, right: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Displacements [m] (n, 3) by forces [N] (n, 3), of the solid turned by `turn`."""
        inner = np.ascontiguousarray((right @ turn).reshape(-1, 1))
        return self.factor.solve(inner).reshape(-1, 3) @ turn.T

    def part(self, vertices: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Rows and columns of the inverse for these vertices (3 k, 3 k)."""
        inner = self.factor.part(dofs(vertices)).reshape(len(vertices), 3, len(vertices), 3)
        return np.einsum("ix,axby,jy->aibj", turn, inner, turn, optimize=True).reshape(3 * len(vertices), -1)


def stiff(block) -> float:
    """How many times more elements than inertia resist a typical vertex of a solid that resists any strain [-]; others: 0."""
    m = block.model
    if not len(m.cells.vertex) or len(m.triangles.vertex) or len(m.examples.stretch) or block.enclosure:
        return 0.0
    table = table_of(m.cells)
    slack = (table[:, 11] != table[:, 12]) | ((table[:, 13] != table[:, 14]) & (table[:, 10] > 0.0)) | (table[:, 9] <= 0.0)
    return 0.0 if slack.any() else block.hard


def stiffer(block) -> float:
    """The same of those that may be solved in a frame: of cells alone, whose volumes are their own."""
    m = block.model
    return 0.0 if len(m.vertices.mass) > MOST_VERTICES or len(m.volumes.cell) else stiff(block)


def dofs(vertices: np.ndarray) -> np.ndarray:
    """Numbers of the three coordinates of each vertex (3 k,)."""
    return (3 * vertices[:, None] + np.arange(3)).ravel()
