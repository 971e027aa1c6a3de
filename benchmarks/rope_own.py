"""pliant's own ropes behind the same calls as its peers, and the figures that only pliant has."""

import time
from importlib.metadata import PackageNotFoundError, version

import numpy as np

import pliant as pl

from .rope_cases import CASES, Case, stretch

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


def newton_step(links: int) -> dict:
    """Processor time of one Newton step of the direct rope [µs a link], everything in a step of the world included.

    A swing in steps of 5 ms after a quarter second, when it bends everywhere; at least 20 steps and a tenth of a second.
    """
    rope = Rope(CASES["swing"], links, 0.005)
    rope.run(0.25 if links <= 1000 else 0.025)
    rope.iterations, steps, begin = 0, 0, time.process_time()
    while steps < 20 or time.process_time() - begin < 0.1:
        rope.run(0.005)
        steps += 1
    spent = time.process_time() - begin
    return {"links": links, "us_a_link": 1e6 * spent / links / max(rope.iterations, steps), "seconds": spent,
            "newton_a_step": rope.iterations / steps, "us_a_step": 1e6 * spent / steps}


def solve(method: str, points: int, steps: int = 20) -> dict:
    """Processor time of a step of 1/60 s of a falling clamped cable [s], as figure 8 asks; the first steps not counted."""
    rope = Rope(CASES["cable"], points - 1, 1.0 / 60.0, method=method)
    rope.run(2.0 / 60.0)
    rope.iterations, begin = 0, time.process_time()
    rope.run(steps / 60.0)
    spent = time.process_time() - begin
    return {"seconds": spent / steps, "failed": int(not np.isfinite(rope.points()).all()), "of": steps,
            "evaluations": rope.iterations / steps, "gap": rope.gap()}


def tow(seconds: float = 5.0) -> dict:
    """The built-in scene `tow`, headless: how many times faster than real time."""
    from pliant.scene.files.scene_file import load

    world = pl.World(load("tow"), threads=1)
    for name in world.control:
        world.control[name] = 0.5 if name == "throttle" else 0.0
    world.run(0.2)
    begin = time.process_time()
    report = world.run(seconds)
    spent = time.process_time() - begin
    return {"real_time": seconds / spent, "settings": f"{world.substeps} substeps (auto)", "stretch": float(report.stretch)}
