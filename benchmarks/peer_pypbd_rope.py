"""Ropes in pyPBD: its direct solver for stiff rods (Deul et al.), and its Gauss-Seidel on the same joints (XPBD)."""

from importlib.metadata import version

import numpy as np
import pypbd as pbd

from .rope_cases import Case

NAME = "pyPBD"
VERSION = version("pypbd")


class Rope:
    """kind: "direct" or "sweeps". pyPBD's gravity is along −y and a rod's axis is its bodies' y: (x, z) are its (x, y)."""

    def __init__(self, case: Case, links: int, kind: str, step: float, iterations: int = 1) -> None:
        self.case, self.links = case, links
        self.settings = f"{kind}, {iterations} iteration{'s' * (iterations > 1)}, h {1e3 * step:.3g} ms"
        if np.isfinite(case.stretching):
            raise ValueError("pyPBD fixes the compliance of stretch")
        self.simulation = pbd.Simulation.getCurrent()
        self.simulation.initDefault()
        self.model, self.stepper = self.simulation.getModel(), self.simulation.getTimeStep()
        self.step = step
        pbd.TimeManager.getCurrent().setTimeStepSize(step)
        controller = pbd.TimeStepController
        self.stepper.setValueUInt(controller.NUM_SUB_STEPS, 1)
        self.stepper.setValueUInt(controller.MAX_ITERATIONS, iterations)
        # Its second-order update left the swing 46 % off at h = 1 ms, where the first-order one is 2.8 % off.
        self.stepper.setValueInt(controller.VELOCITY_UPDATE_METHOD, controller.ENUM_VUPDATE_FIRST_ORDER)
        self._bodies()
        self._joints(kind)

    def _bodies(self) -> None:
        """The wall, which has no mass and so does not move, and the links."""
        case, link = self.case, self.case.length / self.links
        mass = case.mass / self.links
        across, along = mass * (link**2 / 12 + case.radius**2 / 4), mass * case.radius**2 / 2
        bodies = self.model.getRigidBodies()
        turn = np.array([0.0, 0.0, -np.sqrt(0.5), np.sqrt(0.5)])  # (x, y, z, w)
        for i in range(-1, self.links):
            body = pbd.RigidBody()
            shape = pbd.VertexData(), pbd.IndexedFaceMesh(), np.ones(3)
            inertia = np.array([across, along, across]) if i >= 0 else np.ones(3)
            body.initBody(mass if i >= 0 else 0.0, np.array([(i + 0.5) * link, 0.0, 0.0]), inertia, turn, *shape)
            bodies.append(body)
        self.bodies = [bodies[i] for i in range(self.links + 1)]

    def _joints(self, kind: str) -> None:
        """A clamp is half a link long; a ball has a billionth of the stiffness."""
        case, count, link = self.case, self.links, self.case.length / self.links
        square = np.pi * case.radius**4 / 4.0
        young, torsion = np.full(count, case.bending / square), np.full(count, case.twisting / (2.0 * square))
        lengths = np.full(count, link)
        if case.clamped:
            lengths[0] *= 0.5
        else:
            young[0] *= 1e-9
            torsion[0] *= 1e-9
        places = [np.array([i * link, 0.0, 0.0]) for i in range(count)]
        if kind == "direct":
            pairs = [(i, i + 1) for i in range(count)]
            self.model.addDirectPositionBasedSolverForStiffRodsConstraint(
                pairs, places, [case.radius] * count, list(lengths), list(young), list(torsion))
        else:
            for i in range(count):
                self.model.addStretchBendingTwistingConstraint(
                    i, i + 1, places[i], case.radius, lengths[i], young[i], torsion[i])

    def run(self, seconds: float) -> None:
        """Steps for that long."""
        for _ in range(max(1, round(seconds / self.step))):
            self.stepper.step(self.model)

    def settle(self, seconds: float) -> None:
        """The case's drag over that long, which pyPBD does not have; called outside the clock."""
        keep = float(np.exp(-self.case.drag * seconds))
        for body in self.bodies[1:]:
            body.setVelocity(keep * np.ravel(body.getVelocity()))
            body.setAngularVelocity(keep * np.ravel(body.getAngularVelocity()))

    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        half = 0.5 * self.case.length / self.links
        centre = np.array([np.ravel(b.getPosition()) for b in self.bodies[1:]])
        along = np.array([b.getRotationMatrix()[:, 1] for b in self.bodies[1:]])
        return (centre - half * along)[:, [0, 2, 1]], (centre + half * along)[:, [0, 2, 1]]

    def points(self) -> np.ndarray:
        """[m] (links + 1, 3), z up."""
        start, end = self._ends()
        return np.concatenate([start[:1], end])

    def gap(self) -> float:
        """Largest opening of a joint, of a link's length."""
        start, end = self._ends()
        before = np.concatenate([np.zeros((1, 3)), end[:-1]])
        return float(np.linalg.norm(start - before, axis=1).max()) * self.links / self.case.length
