"""pliant itself behind the same three calls as its peers."""

from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import numpy as np

import pliant as pl

from .checks import State, names
from .scenes import DT

try:
    VERSION = version("pliant")
except PackageNotFoundError:
    VERSION = "of this folder"


class Settings(NamedTuple):
    """What a user of pliant may choose."""

    substeps: int | str = "auto"
    iterations: int | None = None
    """Sweeps at most; None: as it comes."""


class World:
    """A scene in pliant."""

    name = "pliant"

    def __init__(self, scene: pl.Scene, settings: Settings) -> None:
        self.world = pl.World(scene, dt=DT, substeps=settings.substeps, threads=1)
        if settings.iterations is not None:
            self.world.iterations = settings.iterations
        chosen = " (auto)" if settings.substeps == "auto" else ""
        self.settings = f"{self.world.substeps} substeps{chosen}, {self.world.iterations} sweeps"
        self.controls = self.world.control
        self._names = names(scene)
        index = {name: i for i, name in enumerate(self.world.body_names)}
        self._rows = [index[name] for name in self._names]

    def step(self) -> None:
        """One output step."""
        self.world.step()

    def state(self) -> State:
        """Poses and velocities now."""
        positions, quaternions = self.world.body_poses()
        handles = [self.world[name] for name in self._names]
        return State(np.array(positions)[self._rows], np.array(quaternions)[self._rows],
                     np.array([h.velocity for h in handles]), np.array([h.angular_velocity for h in handles]))
