"""The Jacobi block: every constraint for itself, every vertex the mean of what they propose, inertia included."""

import numpy as np

from ...equations.elastic.jacobi_inertia import moved_as_a_whole, vertex_stiffness
from ..soft.block import SoftBlock


class Jacobi(SoftBlock):
    """Jacobi with inertia."""

    def prepare(self) -> None:
        """How stiffly each vertex is held by all that acts on it [N/m]."""
        v = self.model.vertices
        if self.enclosure:
            raise ValueError("Jacobi does not do fillings of closed cloth; take the method 'projective' or 'quasi-newton'.")
        self._stiff = vertex_stiffness(self.parts(), v.mass, v.inverse_mass, self.pins.weight, self.h)
        self._loose = not self.pins.weight.any() and bool(self._free.all())

    def iterate(self) -> float:
        """All proposals, then the mean; what nothing holds moves as a whole as all forces together have it.

        Returns what the forces that were unbalanced would add to a velocity [m/s], at most: where elements are stiff an
        iteration changes little, however far it is from where they balance.
        """
        self.take_up()
        force, v = self.forces(), self.model.vertices
        change = force / self._stiff[:, None]
        if self._loose:
            change = moved_as_a_whole(change, force, v.mass, self.h)
        self.move(np.ascontiguousarray(change))
        return self.h * float(np.abs(v.inverse_mass[:, None] * force).max())
