"""The one test of energy, for every test: nothing may appear that no motor, motion or load put in."""

import numpy as np

import pliant as pl

SHARE = 1e-3
"""Of the largest kinetic energy so far: what one linearisation a substep may add [-]."""
TOLERANCE = 1e-6
"""Speed [m/s] to which a step solves its rows: each may leave all bodies with as much."""
SLOP = 1e-3
"""How deep [m] contacts may sink; pushing that out again lifts a weight."""
SHUT = 1e-8
"""How far [m] joints may gape; so far what they bear, taken for its weight on Earth, may go up and down."""


class EnergyGuard:
    """Fails when E(t) - W(t) > E(0) + 1e-3 (largest kinetic energy so far) + sum m g slop.

    E(0) is the energy when the guard is made, W the work of motors, motions and loads since then. Give it to
    `world.on_step`. Without shapes that touch there is no slop but of joints. Added to that are rounding, and what speeds
    below the TOLERANCE of a step amount to, (sum m) TOLERANCE^2 / 2 in every one.
    """

    def __init__(self, world: pl.World) -> None:
        model, now = world._engine.model, world.energy()
        slop = SLOP if len(model.shapes.kind) else 0.0
        self.start = now.total - now.work
        self.kinetic = now.kinetic
        self.weight = float(model.bodies.mass.sum() * np.linalg.norm(model.gravity)) * slop
        self.weight += float(model.bodies.mass.sum()) * 9.81 * SHUT if len(model.joints.kind) else 0.0
        self.worst = 0.0
        self.left = self.sizes = 0.0
        self.mass = float(model.bodies.mass.sum())

    def __call__(self, world: pl.World) -> None:
        """Look at the world as it is now."""
        now = world.energy()
        self.kinetic = max(self.kinetic, now.kinetic)
        self.left += 0.5 * self.mass * TOLERANCE**2
        sizes = abs(now.kinetic) + abs(now.gravity) + abs(now.elastic) + abs(now.work) + abs(self.start)
        self.sizes = max(self.sizes, sizes)
        rounding = 1e3 * np.finfo(float).eps * self.sizes  # of the sums, which stays in them
        allowed = SHARE * self.kinetic + self.weight + self.left + rounding
        surplus = now.total - now.work - self.start
        self.worst = max(self.worst, surplus / allowed if allowed > 0.0 else 0.0)
        assert surplus <= allowed, (
            f"at t = {world.time:.6g} s there are {surplus:.6g} J from nowhere, {allowed:.6g} J allowed; E(0) = "
            f"{self.start:.6g} J, now {now}, largest kinetic energy so far {self.kinetic:.6g} J")


def never_gains(world: pl.World, steps: int, allowed: float) -> list:
    """Step so often, and return the reports: energy less work never rises by more than `allowed` [J] in a step, and nothing is
    warned of."""
    now, reports = world.energy(), []
    for _ in range(steps):
        before, report = now.total - now.work, world.step()
        now = report.energy
        reports.append(report)
        assert not report.warnings
        assert now.total - now.work <= before + allowed
    return reports
