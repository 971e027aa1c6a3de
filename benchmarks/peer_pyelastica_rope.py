"""Ropes in PyElastica: Cosserat rods stepped explicitly."""

from importlib.metadata import version

import elastica as ea
import numpy as np

from .rope_cases import Case, G, stretch

NAME = "PyElastica"
VERSION = version("pyelastica")


class _Simulator(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
    """What a rod needs here."""


class Rope:
    """Inextensible cases take `stiffer` times the EA that belongs to EI: it has no rigid edges.

    A clamp acts at the end: the rod begins half an element behind it, that element is held, and so the bend between the
    first two elements is that of the half link between clamp and first joint.
    """

    def __init__(self, case: Case, links: int, step: float, stiffer: float = 1.0) -> None:
        self.case, self.links, self.step = case, links, step
        self.settings = f"position Verlet, h {1e6 * step:.3g} µs" + (f", EA × {stiffer:g}" if stiffer != 1.0 else "")
        element = case.length / (links - 0.5) if case.clamped else case.length / links
        start = -0.5 * element if case.clamped else 0.0
        area, square = np.pi * case.radius**2, np.pi * case.radius**4 / 4.0
        self.rod = ea.CosseratRod.straight_rod(
            links, np.array([start, 0, 0]), np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), case.length - start, case.radius,
            case.mass / case.length / area, youngs_modulus=case.bending / square,
            shear_modulus=case.twisting / (2.0 * square))
        self.rod.shear_matrix *= stiffer
        self.simulator = _Simulator()
        self.simulator.append(self.rod)
        self.simulator.add_forcing_to(self.rod).using(ea.GravityForces, acc_gravity=np.array([0.0, 0.0, -G]))
        held = {"constrained_director_idx": (0,), "constrained_position_idx": (0, 1)} if case.clamped else {
            "constrained_position_idx": (0,)}
        self.simulator.constrain(self.rod).using(ea.FixedConstraint, **held)
        if case.drag:
            self.simulator.dampen(self.rod).using(
                ea.AnalyticalLinearDamper, uniform_damping_constant=case.drag, time_step=step)
        self.simulator.finalize()
        self.stepper, self.time = ea.PositionVerlet(), np.float64(0.0)

    def run(self, seconds: float) -> None:
        """Steps for that long."""
        h = np.float64(self.step)
        for _ in range(max(1, round(seconds / self.step))):
            self.time = self.stepper.step(self.simulator, self.time, h)

    def points(self) -> np.ndarray:
        """[m] (links + 1, 3); the first is the clamp, which of a clamped rod is in the middle of an element."""
        points = self.rod.position_collection.T.copy()
        points[0] = 0.0
        return points

    def gap(self) -> float:
        """Largest change of an element's length, of that length."""
        if self.case.clamped:
            return float(np.abs(self.rod.dilatation - 1.0).max())
        return stretch(self.case, self.points())
