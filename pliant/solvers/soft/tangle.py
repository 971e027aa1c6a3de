"""Cells that are inside out where a step begins, and those around them: they take one rotation in common for that step.

Not where something presses on them: what is pressed inside out returns by the rotation and the volume of each cell as the push
ends, while together they would give way, and a jelly of which a hard hit turned 24 cells was crushed until 132 were.
"""

import numpy as np

from ..._jit import bind, entry, kernel
from ...equations.elastic.common_rotation import tangles
from ...equations.elastic.strain_projection import clamped
from ...math.polar import rotation_of
from ...math.svd3 import LANES
from ...math.vec3 import add_scaled, dot, scale, sub
from ...model.schema import allocate
from ...model.soft import Elements, ElementWork, Flags, Points, SoftModel, SoftWork, TangleWork, unblocked
from .cells import corner_of, gradient_lanes, push_alone
from .examples import gradient_of
from .lanes import PULL, PUSH, lanes_above


class Tangle:
    """The cells of a solid that are tangled during a step; false where there are none."""

    def __init__(self, model: SoftModel, cells: ElementWork, soft: SoftWork) -> None:
        self._model, self._cells, self._soft = model, cells, soft
        self._count = int(model.cells.size[0])
        self._flag, self._looked = np.zeros(self._count, np.int32), np.zeros_like(soft.place)
        self._find = bind(find_inverted, model.cells, self._looked, soft, self._flag, likely=self._count > 0)
        self._corners = np.zeros((0, 4), np.int64)
        self.work = self._none = allocate(TangleWork, c=0, p=0)
        self.ahead = False
        """Whether inertia alone would turn cells inside out, and none is yet."""
        self.pressed = False
        """Whether something touches or holds it."""
        self.scrambled = np.ones(1)
        """1 from when its vertices were placed until no cell is inside out; so long those that are tangle, pressed or not."""

    def __bool__(self) -> bool:
        return len(self.work.cell) > 0

    def begin(self, position: np.ndarray, aim: np.ndarray) -> bool:
        """Look for them at `position` [m] (n, 3) and, where there are some, at `aim` [m] (n, 3); returns whether they changed.

        Sound at `position`, but not at `aim`: nothing is tangled, but iterations must not begin from there.
        """
        before, cells = self.work.cell, self._model.cells
        here, there = self._inverted(position), self._inverted(aim)
        self.ahead = here == 0 and there > 0
        if not here:
            self.scrambled[0] = 0.0
        if here and (self.scrambled[0] or not self.pressed):
            self._corners = self._corners if len(self._corners) else unblocked(cells.vertex, 4, self._count)
            cell, piece = tangles(self._corners, np.flatnonzero(self._flag), len(position))
            self.work = TangleWork(cell.astype(np.int32), piece.astype(np.int32), np.zeros((int(piece.max()) + 1, 9)))
        elif len(before):
            self.work = self._none
        if here or there:
            self._flag[:] = 0
        return not np.array_equal(before, self.work.cell)

    def _inverted(self, place: np.ndarray) -> int:
        """How many cells are inside out at `place` [m] (n, 3), and which."""
        if not self._count:
            return 0
        self._looked[:] = place
        return self._find()

    def undone(self, place: np.ndarray) -> bool:
        """Whether no cell is inside out at `place` [m] (n, 3) any more; then there is no tangle for the rest of the step."""
        done = self._inverted(place) == 0
        self._flag[:] = 0
        if done:
            self.work = self._none
        return done

    def lay_aside(self) -> TangleWork:
        """Let every cell be by itself; returns what they had in common."""
        kept, self.work = self.work, self._none
        return kept

    def project(self) -> None:
        """Put their common pushes and energies in place of their own."""
        push_together(self._model.cells, self._soft.place, self.work, self._cells, self._soft)

    def weights(self) -> np.ndarray:
        """How strongly each of them is pulled to the common rotation [N m] (k,)."""
        b, k = self.work.cell // LANES, self.work.cell % LANES
        table = self._model.cells.table
        strain = table[b, 9 * LANES + k]
        return np.where(strain > 0.0, strain, table[b, 10 * LANES + k])


@entry
def find_inverted(cells: Elements, place: Points, soft: SoftWork, flag: Flags) -> int:
    """Flags cells that are inside out at `place` too; returns how many there are. Writes: flag, soft.lanes"""
    found, s = 0, soft.lanes
    for b in range(cells.vertex.shape[0]):
        gradient_lanes(cells, place, s, 0, b)
        for k in range(LANES):
            f00, f01, f02 = s[0, k], s[0, LANES + k], s[0, 2 * LANES + k]
            f10, f11, f12 = s[0, 3 * LANES + k], s[0, 4 * LANES + k], s[0, 5 * LANES + k]
            f20, f21, f22 = s[0, 6 * LANES + k], s[0, 7 * LANES + k], s[0, 8 * LANES + k]
            volume = f00 * (f11 * f22 - f12 * f21) - f01 * (f10 * f22 - f12 * f20) + f02 * (f10 * f21 - f11 * f20)
            s[0, PULL + k] = 0.0 if volume > 0.0 else 1.0
        if lanes_above(s, 0, PULL, 1.0) > 0:
            for k in range(min(LANES, flag.shape[0] - b * LANES)):
                if s[0, PULL + k] > 0.0:
                    flag[b * LANES + k] = 1
                    found += 1
    return found


@entry
def push_together(cells: Elements, place: Points, tangle: TangleWork, work: ElementWork, soft: SoftWork) -> None:
    """Pushes w (R - F) g and energies of tangled cells in place of their own. Writes: tangle.turn, work, soft"""
    common_turns(cells, place, tangle)
    for n in range(tangle.cell.shape[0]):
        b, k = tangle.cell[n] // LANES, tangle.cell[n] % LANES
        push_alone(cells, place, work, soft.lanes, 0, b, k)
        f, turn = gradient_of(cells, place, b, k), load_turn(tangle.turn, tangle.piece[n])
        low, high = cells.table[b, 11 * LANES + k], cells.table[b, 12 * LANES + k]
        size, w = clamped(1.0, low, high), weight_of(cells.table, b, k)
        p = sub(scale(size, turn[0]), f[0]), sub(scale(size, turn[1]), f[1]), sub(scale(size, turn[2]), f[2])
        work.energy[b, k] = 0.5 * w * (dot(p[0], p[0]) + dot(p[1], p[1]) + dot(p[2], p[2]))
        total = (0.0, 0.0, 0.0)
        for a in range(3):
            g, column = corner_of(cells.table, b, 3 * a * LANES + k), PUSH + 3 * (a + 1) * LANES + k
            push = scale(w, add_scaled(add_scaled(scale(g[0], p[0]), g[1], p[1]), g[2], p[2]))
            total = add_scaled(total, -1.0, push)
            give(soft, cells.vertex[b, (a + 1) * LANES + k], push, column)
        give(soft, cells.vertex[b, k], total, PUSH + k)


@kernel
def common_turns(cells, place, tangle):
    """The rotation next to the sum of w F of each piece. Writes: tangle.turn"""
    turn = tangle.turn
    for c in range(turn.shape[0]):
        for r in range(9):
            turn[c, r] = 0.0
    for n in range(tangle.cell.shape[0]):
        b, k, c = tangle.cell[n] // LANES, tangle.cell[n] % LANES, tangle.piece[n]
        f, w = gradient_of(cells, place, b, k), weight_of(cells.table, b, k)
        for i in range(3):
            for j in range(3):
                turn[c, 3 * i + j] += w * f[i][j]
    for c in range(turn.shape[0]):
        found = rotation_of(load_turn(turn, c))
        for i in range(3):
            for j in range(3):
                turn[c, 3 * i + j] = found[i][j]


@kernel
def load_turn(turn, c):
    """The matrix of a piece, by columns."""
    return ((turn[c, 0], turn[c, 1], turn[c, 2]), (turn[c, 3], turn[c, 4], turn[c, 5]), (turn[c, 6], turn[c, 7], turn[c, 8]))


@kernel
def weight_of(table, b, k):
    """How strongly a cell is pulled to the common rotation [N m]."""
    strain = table[b, 9 * LANES + k]
    return strain if strain > 0.0 else table[b, 10 * LANES + k]


@kernel
def give(soft, v, push, column):
    """A push on vertex `v`, in place of the one that lies in scratch at `column`. Writes: soft.inner"""
    for r in range(3):
        soft.inner[0, v, r] += push[r] - soft.lanes[0, column + r * LANES]
