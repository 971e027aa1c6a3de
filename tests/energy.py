"""The one test of energy, for every test: nothing may appear that no motor, motion or load put in."""

import numpy as np

import pliant as pl

SHARE = 1e-3
"""Of the largest kinetic energy so far: what one linearisation a substep may add [-]."""
SLOP = 1e-3
"""How deep [m] contacts may sink; pushing that out again lifts a weight."""


class EnergyGuard:
    """Fails when E(t) - W(t) > E(0) + 1e-3 (largest kinetic energy so far) + sum m g slop.

    E(0) is the energy when the guard is made, W the work of motors, motions and loads since then. Give it to
    `world.on_step`. Without shapes that touch there is no slop.
    """

    def __init__(self, world: pl.World) -> None:
        model, now = world._engine.model, world.energy()
        slop = SLOP if len(model.shapes.kind) else 0.0
        self.start = now.total - now.work
        self.kinetic = now.kinetic
        self.weight = float(model.bodies.mass.sum() * np.linalg.norm(model.gravity)) * slop
        self.worst = 0.0

    def __call__(self, world: pl.World) -> None:
        """Look at the world as it is now."""
        now = world.energy()
        self.kinetic = max(self.kinetic, now.kinetic)
        sizes = abs(now.kinetic) + abs(now.gravity) + abs(now.elastic) + abs(now.work) + abs(self.start)
        allowed = SHARE * self.kinetic + self.weight + 1e3 * np.finfo(float).eps * sizes  # the last: rounding of the sums
        surplus = now.total - now.work - self.start
        self.worst = max(self.worst, surplus / allowed if allowed > 0.0 else 0.0)
        assert surplus <= allowed, (
            f"at t = {world.time:.6g} s there are {surplus:.6g} J from nowhere, {allowed:.6g} J allowed; E(0) = "
            f"{self.start:.6g} J, now {now}, largest kinetic energy so far {self.kinetic:.6g} J")
