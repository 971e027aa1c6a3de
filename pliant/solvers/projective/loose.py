"""Cloth that is tied to bodies may turn with them: local/global with the three rotations of the whole thing beside its factor.

Elements know nothing of a rotation of all, which inertia alone resists; but the constant matrix A takes it for strain: a sheet
on a hub would turn as if it were clamped. With the rotations E (3 n, 3) about the centre of mass, and M the masses over
the square of the step, one step turns first, then solves for the rest, then takes out what that has turned by:

    B = Q + (1 - Q M) A^-1 (1 - M Q)        Q = E C E^T,  C = (E^T M E)^-1

which is symmetric and definite, answers torques exactly, and costs three more solves. E is of one place: turned on by an angle
a, elements take a share a of it for strain, and where they resist that k times more than inertia does, iterations with k a^2
beyond about one lead away. So it is made where the substep is believed to end, and anew where that turns on.

Source: [PaperD] the constant matrix; the rotations beside it are ours
Check: tests/soft/test_turning_cloth.py
"""

import numpy as np


class LooseFrame:
    """The rotations of one thing that nothing pins, where its substep is believed to end."""

    def __init__(self, block) -> None:
        mass, self._factor, self._at = block.model.vertices.mass, block.factor, block.work.place.copy()
        arm = self._at - mass @ self._at / mass.sum()
        self._modes = np.stack([np.cross(axis, arm) for axis in np.eye(3)], axis=2)
        heavy = mass[:, None, None] / block.h**2 * self._modes
        inertia, self._heavy = np.einsum("nik,nil->kl", self._modes, heavy), heavy
        self._c = np.linalg.pinv(inertia, rcond=1e-9, hermitian=True)
        self._y = self._factor.solve(np.ascontiguousarray(heavy.reshape(len(mass), 9))).reshape(-1, 3, 3)
        self._whole = self._c + self._c @ np.einsum("nik,nil->kl", heavy, self._y) @ self._c

    def turned(self, place: np.ndarray) -> float:
        """By which angle it has turned from there to `place` [m] (n, 3), about, if that is little [rad]."""
        return float(np.linalg.norm(self._c @ np.einsum("nik,ni->k", self._heavy, place - self._at)))

    def solve(self, right: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Displacements [m] (n, 3) by forces [N] (n, 3)."""
        torque = np.einsum("nik,ni->k", self._modes, right)
        by = self._whole @ torque - self._c @ np.einsum("nik,ni->k", self._y, right)
        return self._factor.solve(np.ascontiguousarray(right)) + self._modes @ by - self._y @ (self._c @ torque)

    def part(self, vertices: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Rows and columns of B for these vertices (3 k, 3 k)."""
        modes, y = (one[vertices].reshape(-1, 3) for one in (self._modes, self._y))
        mixed = modes @ self._c @ y.T
        return np.kron(self._factor.part(vertices), np.eye(3)) + modes @ self._whole @ modes.T - mixed - mixed.T
