"""pliant's own ropes behind the same calls as its peers, and the figures that only pliant has."""

from importlib.metadata import PackageNotFoundError, version

import numpy as np

import pliant as pl

from .rope_cases import Case, stretch

NAME = "pliant"
try:
    VERSION = version("pliant")
except PackageNotFoundError:
    VERSION = "of this folder"


class Rope:
    """A case as a user writes it; `step` is the substep [s], `substeps` of them make one step of the world."""

    def __init__(self, case: Case, links: int, step: float, substeps: int = 1, method: str = "direct") -> None:
        self.case, self.links, self.step = case, links, step
        self.settings = f"{method}, h {1e3 * step:.3g} ms" + f", {substeps} a step" * (substeps > 1)
        self.world = world_of(case, links, step * substeps, substeps, method)
        self.iterations = 0
        self._frame = step * substeps

    def run(self, seconds: float) -> None:
        """Steps for that long."""
        for _ in range(max(1, round(seconds / self._frame))):
            self.iterations += self.world.step().iterations

    def points(self) -> np.ndarray:
        """[m] (links + 1, 3)."""
        return np.array(self.world["rope"].positions)

    def gap(self) -> float:
        """Largest change of an element's length, of that length; the world's own account where it is worse."""
        return stretch(self.case, self.points())


def world_of(case: Case, links: int, frame: float, substeps: int, method: str = "direct") -> pl.World:
    """The world of a case; frame: the world's step [s]."""
    scene = pl.Scene(gravity=(0.0, 0.0, -9.81), drag=case.drag)
    rope = scene.add(pl.Rope(
        "rope", path=[(0.0, 0.0, 0.0), (case.length, 0.0, 0.0)], points=links + 1, radius=case.radius, mass=case.mass,
        bend=case.bending, twist=case.twisting, stretch=case.stretching, shear=case.shearing, self_contact=False,
        method=method))
    scene.pin(rope.start, clamp=case.clamped)
    return pl.World(scene, dt=frame, substeps=substeps, threads=1)
