"""The Jacobi block: every constraint for itself, every vertex the mean of what they propose, inertia included."""

import numpy as np

from ...equations.elastic.jacobi_inertia import vertex_stiffness
from ..soft.block import SoftBlock


class Jacobi(SoftBlock):
    """Jacobi with inertia."""

    def prepare(self) -> None:
        """How stiffly each vertex is held by all that acts on it [N/m]."""
        v = self.model.vertices
        if self.enclosure:
            raise ValueError("Jacobi does not do fillings of closed cloth; take the method 'projective' or 'quasi-newton'.")
        self._stiff = vertex_stiffness(self.parts(), v.mass, v.inverse_mass, self.pins.weight, self.h)

    def iterate(self) -> float:
        """All proposals, then the mean."""
        self.take_up()
        return self.move(np.ascontiguousarray(self.forces() / self._stiff[:, None]))
