"""Vertices of cloth and solids that pins hold or move, and what these bear."""

import numpy as np

from ...equations.rigid.point_masses import levered
from ...model.model import State
from ...model.soft_things import SoftThing, VertexPin
from ...scene.pose import turned


def pins_of(thing: SoftThing, rows: np.ndarray) -> list[VertexPin]:
    """Those that hold vertices of a thing, `rows` (n,) as in the state; what the scene does not know of was made since, and
    stays where it is."""
    known = {pin.row: pin for pin in thing.pins}
    found = [(int(row), np.flatnonzero(rows == row)) for row in np.unique(rows[rows >= 0])]
    return [known.get(row) or VertexPin("", row, vertex, np.zeros((len(vertex), 3)), None) for row, vertex in found]


class Held:
    """Vertices that a pin holds or moves, and what it bears."""

    def __init__(self, pin: VertexPin, block) -> None:
        self.pin, self._block = pin, block

    def begin(self, state: State) -> None:
        """Nothing borne yet in this step."""
        state.soft.force[self.pin.row] = state.soft.torque[self.pin.row] = 0.0
        self._force, self._torque = np.zeros(3), np.zeros(3)

    def drive(self, position: np.ndarray, velocity: np.ndarray, end: float, h: float) -> None:
        """Velocities [m/s] that lead to where the pin is at time `end` [s]. Writes: velocity of its vertices"""
        v = self.pin.vertex
        if self.pin.driver is None:
            velocity[v] = 0.0
            return
        pose = self.pin.driver.pose(end)
        axes = np.array([turned(pose.quaternion, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])
        velocity[v] = (np.array(pose.position) + self.pin.arm @ axes - position[v]) / h

    def note(self, mass, position, before, velocity, gravity, impulse, pull, h: float) -> float:
        """Add what the pin bears in a substep; returns its work on the rest of the thing and on what touches it [J]."""
        v = self.pin.vertex
        inner = self._block.work.inner[:, v].sum(axis=0)
        borne = mass[v, None] * ((velocity[v] - before[v]) / h - gravity) - inner - (impulse[v] + pull[v]) / h
        self._force += borne.sum(axis=0)
        self._torque += levered(position[v] - position[v].mean(axis=0), borne)
        return -float(np.sum((h * inner + pull[v]) * velocity[v]))

    def finish(self, state: State, substeps: int) -> None:
        """Keep the means over the step."""
        state.soft.force[self.pin.row], state.soft.torque[self.pin.row] = self._force / substeps, self._torque / substeps
