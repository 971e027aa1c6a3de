"""The twisting bar of paper D's figures 5 and 6: 4,320 free degrees of freedom, 4,095 strain constraints."""

import numpy as np
from bars import bar, turned

from pliant.solvers.newton.block import Newton
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.mesh import solid_model

H = 1.0 / 60.0
RATE = 2.0 * np.pi  # [rad/s] of each end, against each other
YOUNG, DENSITY = 1e5, 1000.0  # [Pa], [kg/m3]: a soft foam
SPACING = 0.01  # [m] between vertices


class TwistingBar:
    """A bar 0.91 m long whose ends turn against each other, half a turn each after half a second."""

    def __init__(self, counts=(91, 3, 3), poisson: float = 0.0, seconds: float = 0.5, h: float = H,
                 young: float = YOUNG) -> None:
        self.h = h
        self.points, cells = bar(counts, (SPACING * counts[0], 0.03, 0.03))
        self.points -= self.points.mean(axis=0)
        reach = self.points[:, 0].max() - 1e-9
        self.left, self.right = np.flatnonzero(self.points[:, 0] < -reach), np.flatnonzero(self.points[:, 0] > reach)
        self.model = solid_model(self.points, cells, DENSITY, young, poisson, held=np.concatenate([self.left, self.right]))
        self.time, x = 0.0, self.points.copy()
        block = QuasiNewton(self.model, x, np.zeros_like(x))
        while self.time < seconds - 0.5 * h:
            self.drive(block)
            block.advance(h, 15)
            self.time += h
        self.position, self.velocity = block.position.copy(), block.velocity.copy()

    def drive(self, block) -> None:
        """Velocities of the ends that turn them to where they are at the end of the step."""
        for ends, way in ((self.left, -1.0), (self.right, 1.0)):
            there = turned(way * RATE * (self.time + self.h), self.points[ends])
            block.velocity[ends] = (there - block.position[ends]) / self.h

    def begin(self, method, pool=None):
        """A block of some method at the start of the step that is looked at."""
        block = method(self.model, self.position.copy(), self.velocity.copy(), pool=pool)
        self.drive(block)
        block.begin(self.h)
        return block

    def converged(self):
        """Newton's block where nothing changes any more."""
        block = self.begin(Newton)
        for _ in range(40):
            if block.iterate() < 1e-14:
                break
        block.forces()
        return block
