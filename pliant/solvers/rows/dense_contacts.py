"""Contacts that all answer each other: speeds u = u_0 + K lambda, lambda within Coulomb's cones, as one dense system.

Sweeps alone are slow where things are stiff: a push on one vertex moves all the others almost as much, and what tells them
apart is small. So after some sweeps all contacts are solved at once by Newton's method on cone_residual.py. Contacts that say
the same leave open what each of them bears: a change of theirs costs a little, and so is shared.
"""

import numpy as np

from ..._jit import bind, entry, kernel
from ...equations.contact.cone_residual import OPEN, SLIPS, add_slip
from ...equations.contact.coulomb import rub
from ...math.nonnegative import least_nonnegative
from ...math.vec3 import load, scale, store
from ...model.schema import allocate
from .active_factor import ActiveFactor, fill_border, take_border
from .cones import Cones, Friction, Square, Triples, find_kinds, measure

SWEEPS, WHOLE_STEPS, NEWTON_STEPS = 3, 20, 28
"""Sweeps before all contacts are solved at once; steps of that which are taken whole, and all of them at most. Active sets
change in leaps, and where contacts bear redundantly F first grows: of 180 systems of 24 contacts whole steps solved 175, in ten
on the mean; shortened until F falls they solved 65. Those that go round are shortened from the best place so far."""
FEWEST = 3
"""Steps that are left to the next one after solves that all of them did not meet, each of which halves them: contacts that go
round in one iteration of a block go round in the next as well. Where 190 contacts of cloth and a ball on a jelly did so, 2700
steps of one step of the world took 700 ms."""
CONTRARY, LAST_SWEEPS, SETTLES = 0.05, 30, 0.05
"""Rows that miss more [m/s] once they were solved contradict each other, as of cloth in a vice. Before that is said they are
swept so often from the best place, and taken if no more than this share of it is left [-]: that costs less than to solve them
anew by products. Of the scene `crash-plain` a hundredth was left where that could be, of a car dropped flat a fifth."""
LABOUR = 1e9
"""Multiplications that solving all at once may take in a step of the world: some 100 ms. What it did not settle by then, as
where many contacts slip while they are met, sweeps go on with; they come nearer too, and none of them adds energy."""
TURNS, RUBS, TURN_STEPS = 20, 10, 4
"""Turns in which what pushes is found exactly and what rubs by so many sweeps, where Newton's method goes round, and its steps
from each: without friction the first turn is all. Of a ball of patches between plates 26 contacts missed 0.5 m/s, and it went
through them, though all of them can be met: the matrix is definite."""
SHORTEST = 0.05
"""A step that would have to be shorter to come nearer is taken all the same [-]: active sets change in leaps."""
NEAR, EARLY = 1e-2, 2
"""Contacts that miss less than the first [m/s] by the impulses kept are begun with what each of them did at last, and so many
steps of Newton's method after that, in place of sweeps: a cushion of jelly under 20 kg took 57 steps of it in place of 84."""
EVEN = 1e-5
"""Added to the diagonal, as a share of its largest entry [-]."""


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
            new_y, new_z, _ = rub(y, z, speed[r, 1] + d_x * matrix[at, at + 1], speed[r, 2] + d_x * matrix[at, at + 2],
                                  1.0 / matrix[at + 1, at + 1], 1.0 / matrix[at + 2, at + 2], friction[r] * new_x)
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


@entry
def rub_contacts(matrix: Square, friction: Friction, speed: Triples, impulse: Triples, passes: int, close: float) -> float:
    """The same of what rubs alone, where contacts push as they do. Writes: speed, impulse"""
    change = 0.0
    for _ in range(passes):
        change = 0.0
        for r in range(len(friction)):
            at, most = 3 * r, friction[r] * impulse[r, 0]
            y, z = impulse[r, 1], impulse[r, 2]
            if most == 0.0 and y == 0.0 and z == 0.0:
                continue
            new_y, new_z, _ = rub(y, z, speed[r, 1], speed[r, 2], 1.0 / matrix[at + 1, at + 1], 1.0 / matrix[at + 2, at + 2],
                                  most)
            d_y, d_z = new_y - y, new_z - z
            impulse[r, 1], impulse[r, 2] = new_y, new_z
            change = max(change, abs(d_y) * matrix[at + 1, at + 1], abs(d_z) * matrix[at + 2, at + 2])
            if d_y != 0.0 or d_z != 0.0:
                for q in range(len(friction)):
                    for b in range(3):
                        c = 3 * q + b
                        speed[q, b] += d_y * matrix[at + 1, c] + d_z * matrix[at + 2, c]
        if change < close:
            break
    return change


@entry
def assemble(matrix: Square, own: Friction, friction: Friction, state: Cones, system: Square) -> int:
    """The equations of a step of Newton's method, those of contacts that push alone; returns how many these are.

    What does not push goes at once, and the others answer. Writes: system, state
    """
    count = 0
    for r in range(len(friction)):
        state.column[r] = -1
        store(state.step, r, (0.0, 0.0, 0.0))
        if state.kind[r] != OPEN:
            state.column[r] = count
            count += 1
        elif own[r] > 0.0:
            store(state.step, r, scale(-1.0 / own[r], load(state.off, r)))
    for r in range(len(friction)):
        if state.column[r] >= 0:
            _equations(matrix, own, friction, state, system, r)
    return count


@kernel
def _equations(matrix, own, friction, state, system, r):
    """The three equations of contact `r`. Writes: system, state.right"""
    s, g = (state.slip[r, 0], state.slip[r, 1]), (state.slip[r, 2], state.slip[r, 3], state.slip[r, 4])
    at, row = 3 * r, 3 * state.column[r]
    off, gone_x, gone_y, gone_z = load(state.off, r), 0.0, 0.0, 0.0
    for q in range(len(friction)):
        for b in range(3):
            x, y, z, c = matrix[at, 3 * q + b], matrix[at + 1, 3 * q + b], matrix[at + 2, 3 * q + b], 3 * state.column[q] + b
            y, z = g[0] * y + g[1] * z, g[1] * y + g[2] * z
            if state.column[q] >= 0:
                system[row, c], system[row + 1, c], system[row + 2, c] = x, y, z
            else:
                gone = state.step[q, b]
                gone_x, gone_y, gone_z = gone_x + gone * x, gone_y + gone * y, gone_z + gone * z
    if state.kind[r] == SLIPS:
        add_slip(system, row, row, own[r], friction[r], s, g)
    store(state.right, state.column[r], (-off[0] - gone_x, -off[1] - gone_y, -off[2] - gone_z))


ENTRIES = (assemble, fill_border, find_kinds, measure, rub_contacts, sweep_contacts, take_border)
"""All that solving them may call."""


class DenseContacts:
    """Contacts of one island, as many as they are; `renew` tells how they answer from now on."""

    def __init__(self, matrix: np.ndarray, friction: np.ndarray, speed: np.ndarray, impulse: np.ndarray) -> None:
        """matrix [1/kg] (3 r, 3 r); friction (r,); speed [m/s], impulse [N s] (r, 3): read and written in place."""
        size = len(friction)
        self._matrix, self._system = np.zeros((3 * size, 3 * size)), np.zeros((3 * size, 3 * size))
        self._own, self._friction = np.zeros(size), np.zeros(size)
        self._state = state = allocate(Cones, size)._replace(speed=speed, impulse=impulse)
        self._sweep = bind(sweep_contacts, self._matrix, self._friction, speed, impulse)
        self._rub = bind(rub_contacts, self._matrix, self._friction, speed, impulse)
        self._find = bind(find_kinds, self._own, self._friction, state)
        self._factor = ActiveFactor(self._matrix, self._own, self._friction, state)
        self._measure = bind(measure, self._own, self._friction, state)
        self._assemble = bind(assemble, self._matrix, self._own, self._friction, state, self._system)
        self.renew(matrix, friction)

    def renew(self, matrix: np.ndarray, friction: np.ndarray) -> None:
        """As many contacts answer otherwise: to bind kernels anew takes longer than to solve a few."""
        self._even = EVEN * float(matrix.diagonal().max(initial=0.0))
        self._matrix[:], self._friction[:] = matrix, friction
        self._matrix[np.diag_indices_from(self._matrix)] += self._even
        self._own[:] = self._matrix.diagonal().reshape(-1, 3).max(axis=1)
        self._factor.forget()
        self._known, self._steps = False, NEWTON_STEPS

    def solve(self, close: float) -> float:
        """Change the impulses until the speeds that belong to them are such as contacts allow, to `close` [m/s].

        Returns what is left [m/s], with what their share of the diagonal hides of contacts that contradict each other.
        Writes: impulse, speed
        """
        state, left = self._state, self._begin(close)
        best = (left, state.impulse.copy(), state.speed.copy())
        for k in range(self._steps):
            if left < close or self._factor.labour > LABOUR:
                break
            if k == WHOLE_STEPS:
                state.impulse[:], state.speed[:] = best[1:]
            left = self._step(k < WHOLE_STEPS)
            if left < best[0]:
                best = (left, state.impulse.copy(), state.speed.copy())
        self._steps = NEWTON_STEPS if left < close else max(self._steps // 2, FEWEST)
        if left >= close:
            state.impulse[:], state.speed[:] = best[1:]
            left = min(best[0], self._sweep(SWEEPS, close))
            left = left if left <= CONTRARY else self._sweep_on(left, close)
            left = left if left <= CONTRARY else self._go_in_turn(left, close)
        np.maximum(state.impulse[:, 0], 0.0, out=state.impulse[:, 0])  # Newton's method comes from both sides
        return max(left, self._even * float(np.abs(state.impulse).max(initial=0.0)))

    def _begin(self, close: float) -> float:
        """Steps of Newton's method, in the first of which contacts do what they did at last, if these come nearer; else sweeps.

        Returns what is left [m/s]. From one iteration of a block to the next few contacts begin to push or slip, and where many
        bear redundantly sweeps lead far from what they bore. Writes: impulse, speed
        """
        state = self._state
        state.step[:] = state.turned[:] = 0.0
        squares = self._measure(0.0)
        left = float(np.abs(state.off).max(initial=0.0))
        if left < close:
            return left
        if self._known and left < NEAR:
            kept = state.impulse.copy(), state.speed.copy()
            for k in range(1 + EARLY):
                left = self._step(True, k == 0)
                if left < close:
                    return left
            if self._measure(0.0) < squares:
                return left
            state.impulse[:], state.speed[:] = kept
        return self._sweep(SWEEPS, close)

    def _sweep_on(self, left: float, close: float) -> float:
        """Sweep on where `left` [m/s] was missed, if that settles it; returns what is left. Writes: impulse, speed"""
        state = self._state
        kept = state.impulse.copy(), state.speed.copy()
        swept = self._sweep(LAST_SWEEPS, close)
        if swept < SETTLES * left:
            return swept
        state.impulse[:], state.speed[:] = kept
        return left

    def _go_in_turn(self, left: float, close: float) -> float:
        """Where `left` [m/s] was missed, find in turn what pushes, exactly with what rubs as it is, and what rubs, by sweeps
        with what pushes as it is; Newton's method may go on from each. Returns what is left. Writes: impulse, speed
        """
        state, upright = self._state, np.ascontiguousarray(self._matrix[::3, ::3])
        impulse, speed, best = state.impulse, state.speed, (left, state.impulse.copy(), state.speed.copy())
        free = speed.ravel() - self._matrix @ impulse.ravel()
        for _ in range(TURNS):
            rubs = impulse * (0.0, 1.0, 1.0)
            impulse[:, 0] = least_nonnegative(upright, (free + self._matrix @ rubs.ravel())[::3], impulse[:, 0], close)
            rubbed, most = np.hypot(impulse[:, 1], impulse[:, 2]), self._friction * impulse[:, 0]
            impulse[:, 1:] *= (most / np.maximum(np.maximum(rubbed, most), 1e-300))[:, None]
            speed[:] = (free + self._matrix @ impulse.ravel()).reshape(-1, 3)
            self._rub(RUBS, close)
            kept = impulse.copy(), speed.copy()
            for k in range(1 + TURN_STEPS):
                left = self._step(True) if k else self._missed()
                if left < best[0]:
                    best = (left, impulse.copy(), speed.copy())
                if left < close:
                    return left
            impulse[:], speed[:] = kept
        impulse[:], speed[:] = best[1:]
        return best[0]

    def _missed(self) -> float:
        """How much contacts miss as they are [m/s]."""
        self._state.step[:] = self._state.turned[:] = 0.0
        self._measure(0.0)
        return float(np.abs(self._state.off).max(initial=0.0))

    def _solve_step(self) -> None:
        """Solve the equations: by a factor that is kept, unless many slip. Writes: state.step"""
        state = self._state
        if not self._factor.solve():
            count = self._assemble()
            self._factor.labour += (3 * count) ** 3 / 3
            solution = np.linalg.solve(self._system[:3 * count, :3 * count], state.right[:count].ravel())
            state.step[state.column >= 0] = solution.reshape(-1, 3)

    def _step(self, whole: bool, keeps: bool = False) -> float:
        """One step of Newton's method, shortened where it leads away; returns what is left [m/s]. Writes: speed, impulse

        `keeps`: contacts are taken to do what they did in the last one.
        """
        state, length = self._state, 1.0
        speed, impulse, step, turned = state.speed, state.impulse, state.step, state.turned
        step[:] = 0.0
        start = self._measure(0.0)
        self._find(keeps)
        self._known = True
        self._solve_step()
        np.matmul(self._matrix, step.ravel(), out=turned.ravel())
        while self._measure(length) > (1.0 - 1e-4 * length) ** 2 * start and not whole and length >= SHORTEST:
            length *= 0.5
        speed += length * turned
        impulse += length * step
        return float(np.abs(state.off).max())
