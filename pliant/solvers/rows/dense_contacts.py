"""Contacts that all answer each other: speeds u = u_0 + K lambda, lambda within Coulomb's cones, as one dense system.

Sweeps alone are slow where things are stiff: a push on one vertex moves all the others almost as much, and what tells them
apart is small. So after some sweeps all contacts are solved at once by Newton's method on cone_residual.py. Contacts that say
the same leave open what each of them bears: a change of theirs costs a little, and so is shared.
"""

from typing import Annotated

import numpy as np

from ..._jit import entry
from ...equations.contact.cone_residual import newton_system, residual
from ...equations.contact.coulomb import within_disc
from ...model.schema import Array, real

SWEEPS, NEWTON_STEPS = 3, 8
"""Sweeps before all contacts are solved at once, and steps of that at most."""
SHORTEST = 0.05
"""A step that would have to be shorter to come nearer is taken all the same [-]: active sets change in leaps."""
EVEN = 1e-5
"""Added to the diagonal, as a share of its largest entry [-]."""

Square = Annotated[Array, real("k k", "1/kg", "how speeds along rows answer impulses along rows")]
Triples = Annotated[Array, real("r 3", "m/s, N s", "along the normal and two tangents of each contact")]
Friction = Annotated[Array, real("r", "-", "Coulomb")]


@entry
def sweep_contacts(matrix: Square, friction: Friction, speed: Triples, impulse: Triples, passes: int, close: float) -> float:
    """Visit all contacts up to `passes` times; returns the last change [m/s]. Writes: speed, impulse"""
    change = 0.0
    for _ in range(passes):
        change = 0.0
        for r in range(len(friction)):
            at = 3 * r
            if not matrix[at, at] > 0.0:
                continue
            x, y, z = impulse[r, 0], impulse[r, 1], impulse[r, 2]
            new_x = max(x - speed[r, 0] / matrix[at, at], 0.0)
            if new_x == 0.0 and x == 0.0 and y == 0.0 and z == 0.0:
                continue
            d_x = new_x - x
            new_y, new_z, _ = within_disc(y - (speed[r, 1] + d_x * matrix[at, at + 1]) / matrix[at + 1, at + 1],
                                          z - (speed[r, 2] + d_x * matrix[at, at + 2]) / matrix[at + 2, at + 2],
                                          friction[r] * new_x)
            d_y, d_z = new_y - y, new_z - z
            impulse[r, 0], impulse[r, 1], impulse[r, 2] = new_x, new_y, new_z
            change = max(change, abs(d_x) * matrix[at, at], abs(d_y) * matrix[at + 1, at + 1],
                         abs(d_z) * matrix[at + 2, at + 2])
            if d_x != 0.0 or d_y != 0.0 or d_z != 0.0:
                for q in range(len(friction)):
                    for b in range(3):
                        c = 3 * q + b
                        speed[q, b] += d_x * matrix[at, c] + d_y * matrix[at + 1, c] + d_z * matrix[at + 2, c]
        if change < close:
            break
    return change


class DenseContacts:
    """Contacts of one island in one step."""

    def __init__(self, matrix: np.ndarray, friction: np.ndarray) -> None:
        """matrix [1/kg] (3 r, 3 r); friction (r,)."""
        self.matrix, self.friction = np.array(matrix, order="C"), np.array(friction)
        self.matrix[np.diag_indices_from(matrix)] += EVEN * float(matrix.diagonal().max(initial=0.0))
        self._own = self.matrix.diagonal().reshape(-1, 3).max(axis=1)

    def solve(self, speed: np.ndarray, impulse: np.ndarray, close: float) -> float:
        """Change `impulse` [N s] (r, 3) until the speeds that belong to it are such as contacts allow, to `close` [m/s].

        Returns what is left [m/s]. Writes: impulse, speed
        """
        left = sweep_contacts(self.matrix, self.friction, speed, impulse, SWEEPS, close)
        best = (left, impulse.copy(), speed.copy())
        for _ in range(NEWTON_STEPS):
            if left < close:
                return left
            left = self._step(speed, impulse)
            if not left >= best[0]:
                best = (left, impulse.copy(), speed.copy())
        impulse[:], speed[:] = best[1:]
        np.maximum(impulse[:, 0], 0.0, out=impulse[:, 0])
        return min(best[0], sweep_contacts(self.matrix, self.friction, speed, impulse, SWEEPS, close))

    def _step(self, speed: np.ndarray, impulse: np.ndarray) -> float:
        """One step of Newton's method, shortened where it leads away; returns what is left [m/s]. Writes: speed, impulse"""
        off = residual(self._own, self.friction, speed, impulse)
        step = newton_system(self.matrix, self._own, self.friction, speed, impulse, off)
        turned, start, length = (self.matrix @ step.ravel()).reshape(-1, 3), np.linalg.norm(off), 1.0
        while True:
            off = residual(self._own, self.friction, speed + length * turned, impulse + length * step)
            if np.linalg.norm(off) < (1.0 - 1e-4 * length) * start or length < SHORTEST:
                break
            length *= 0.5
        speed += length * turned
        impulse += length * step
        return float(np.abs(off).max())
