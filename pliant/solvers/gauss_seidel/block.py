"""The block of position based dynamics: constraints met one after another, without stiffness."""

import numpy as np

from ..soft.block import SoftBlock
from .sweep import sweep_bends, sweep_cells, sweep_pins, sweep_triangles


class GaussSeidel(SoftBlock):
    """Position based dynamics."""

    carries_examples = False
    keeps_inertia = False

    def iterate(self) -> float:
        """Every constraint once, in the order of the mesh."""
        self.take_up()
        before = self.work.place.copy()
        m = self.model
        sweep_cells(m.cells, m.vertices, self.work)
        self.relief.sweep()
        sweep_triangles(m.triangles, m.vertices, self.work)
        sweep_bends(m.bends, m.vertices, self.work)
        if self.enclosure:
            self.enclosure.sweep(m.vertices.inverse_mass)
        sweep_pins(self.pins, m.vertices, self.work)
        change = self.work.place - before
        self.work.place[:] = before
        return self.move(np.ascontiguousarray(change))
