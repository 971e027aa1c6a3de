"""The two cases of the benchmark `ropes`, told once for every engine: a swinging rope and a clamped cable that settles."""

from dataclasses import dataclass, field
from math import pi

import numpy as np

G = 9.81
"""[m/s²], along −z."""


@dataclass(frozen=True)
class Case:
    """A rope from the origin along +x, at rest, pinned or clamped at its start."""

    name: str
    length: float
    radius: float
    mass: float
    bending: float
    """EI [N·m²]."""
    twisting: float
    """GJ [N·m²]."""
    stretching: float
    """EA [N]; infinite: inextensible."""
    shearing: float
    """GA [N]."""
    clamped: bool
    seconds: float
    """How long it runs [s]."""
    tip: tuple[float, float]
    """Where its tip belongs (x, z) [m]: at the end, and in the last `hold` seconds."""
    tolerance: float
    """Allowed distance from it, of the length."""
    drag: float = 0.0
    """On all momenta [1/s]."""
    give: float = 0.01
    """Largest change of the whole length allowed at any time, of that length."""
    hold: float = 0.0
    demand: str = field(default="", compare=False)

    def points(self, links: int) -> np.ndarray:
        """Ends of the links at the start [m] (links + 1, 3)."""
        points = np.zeros((links + 1, 3))
        points[:, 0] = np.linspace(0.0, self.length, links + 1)
        return points


_RADIUS, _LENGTH, _YOUNG, _SHEAR = 0.015, 2.8, 0.05e6, 0.1e6
_AREA = pi * _RADIUS**2
_SWING = {
    "length": _LENGTH, "radius": _RADIUS, "mass": 1200.0 * _AREA * _LENGTH, "bending": _YOUNG * _AREA * _RADIUS**2 / 4.0,
    "twisting": _SHEAR * _AREA * _RADIUS**2 / 2.0, "clamped": False, "seconds": 1.0, "tolerance": 0.01}

CASES = {
    "swing": Case(
        "swing", **_SWING, stretching=np.inf, shearing=np.inf, tip=(-1.869, -1.788),
        demand="inextensible: its length never changes by more than 1 %; the tip at t = 1 s within 1 % of the length of the "
               "converged solution"),
    "stretchy": Case(
        "stretchy", **_SWING, stretching=_YOUNG * _AREA, shearing=_SHEAR * _AREA, tip=(0.707, -4.885), give=np.inf,
        demand="EA from the same Young's modulus, linear law; the tip at t = 1 s within 1 % of the length"),
    "cable": Case(
        "cable", 1.0, 0.025, 0.1, 0.1, 0.5, np.inf, np.inf, True, 10.0, (0.66233653, -0.69540444), 0.001,
        drag=4.0, hold=1.0,
        demand="inextensible: its length never changes by more than 1 %; settles: in the last of 10 s the tip stays within "
               "0.1 % of the exact heavy elastica"),
}


def tip_error(case: Case, points: np.ndarray) -> float:
    """Distance of the last point from where it belongs, of the length."""
    return float(np.linalg.norm(points[-1, [0, 2]] - case.tip)) / case.length


def give(case: Case, points: np.ndarray) -> float:
    """Change of the whole length, of that length."""
    return abs(float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) / case.length - 1.0)


def stretch(case: Case, points: np.ndarray) -> float:
    """Largest change of an element's length, of that length; for ropes that must not stretch."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return float(np.abs(lengths * (len(points) - 1) / case.length - 1.0).max())
