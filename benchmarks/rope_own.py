"""pliant's own ropes behind the same calls as its peers, and the figures that only pliant has."""

import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

import pliant as pl

from .rope_cases import CASES, Case, give, stretch

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
    """Processor time of one Newton step of the direct rope [µs a link], with all else that its substep does.

    A swing in substeps of 2.5 ms, 20 to a step of the world so that what a call costs does not count; the first tenth of
    a second, when it begins to bend, is left out.
    """
    rope = Rope(CASES["swing"], links, 0.0025, 20)
    rope.run(0.1)
    rope.iterations, steps, begin = 0, 0, time.process_time()
    while steps < 2 or time.process_time() - begin < 0.1:
        rope.run(0.05)
        steps += 1
    spent = time.process_time() - begin
    return {"links": links, "us_a_link": 1e6 * spent / links / rope.iterations, "newton_a_step": rope.iterations / (20 * steps)}


def solve(method: str, points: int, passes: int = 20, steps: int = 20) -> dict:
    """Processor time of a step of 1/60 s of a falling clamped cable [s], as figure 8 asks; the first steps not counted.

    The direct rope takes the Newton steps it needs in a world. The methods of paper C take `passes` sweeps, by their
    standalone driver, until the last sweep changed no velocity by more than 1e-4 m/s. `give`: how much longer the cable
    is at the end, which tells how far from solved the solves were.
    """
    if method == "direct":
        rope = Rope(CASES["cable"], points - 1, 1.0 / 60.0)
        rope.run(2.0 / 60.0)
        rope.iterations, begin = 0, time.process_time()
        rope.run(steps / 60.0)
        spent, made, place = time.process_time() - begin, rope.iterations, rope.points()
    else:
        laid = _laid(method, points)
        laid.advance(1.0 / 60.0, 2, passes, 1e-4)
        begin = time.process_time()
        made = laid.advance(1.0 / 60.0, steps, passes, 1e-4)
        spent, place = time.process_time() - begin, laid.x
    return {"seconds": spent / steps, "failed": steps * int(not np.isfinite(place).all()), "of": steps,
            "evaluations": made / steps, "give": give(CASES["cable"], place)}


def _laid(method: str, points: int):
    """The cable as a rope of points and elements, alone; laid out by the helper of the tests."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "ropes"))
    from point_rope import lay

    from pliant.model.point_ropes import COMPLIANT, POSITION

    case = CASES["cable"]
    return lay({"position": POSITION, "compliant": COMPLIANT}[method], case.points(points - 1), mass=case.mass,
               radius=case.radius, bend=case.bending, twist=case.twisting, pinned=(0,), clamp_start=True)


def laden(links: int = 1000, times: float = 1000.0, steps: int = 120) -> dict:
    """Wall-clock time of a step of 1/60 s [s] of a rope that swings under a load of `times` its own weight: median, worst."""
    scene, end = pl.Scene(), 10.0 * np.array([np.sin(1.0), 0.0, -np.cos(1.0)])
    scene.add(pl.Rope("rope", path=[(0, 0, 0), end], points=links + 1, radius=0.01, mass=0.5, bend=1e-2, twist=1e-2))
    scene.add(pl.Body("load", pl.Sphere(0.2), mass=0.5 * times, position=end, collide=False))
    scene.pin("rope.start")
    scene.attach("rope.end", "load", at=(0, 0, 0))
    world, spent, most = pl.World(scene, dt=1.0 / 60.0, substeps=1, threads=1), [], 0.0
    world.step()  # compiles
    for _ in range(steps):
        begin = time.perf_counter()
        most = max(most, float(world.step().stretch))
        spent.append(time.perf_counter() - begin)
    return {"links": links, "seconds": float(np.median(spent)), "worst": max(spent), "stretch": most}


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
