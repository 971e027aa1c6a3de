"""Stiffness of a round section: how a rope of a given material resists bending, twisting, stretching and shearing.

    K11 = K22 = E pi r^4 / 4     bending, E times the second moment of area         [N m2]
    K33 = G pi r^4 / 2           twisting, G times the polar moment of area         [N m2]
    EA = E pi r^2, GA = G pi r^2 stretching and shearing                            [N]

Paper A prints K11 = K22 = E pi r^2 / 4 and K33 = G pi r^2 / 2, which has the dimension of a force; with the data it gives
no step was found that holds. The exponent is 4; `power` = 2 is there to show what is printed.

Source: [PaperA] equation 13 and the line below it, with r^4 in place of r^2
Check: tests/equations/test_rod_section_stiffness.py
"""

from math import pi
from typing import NamedTuple


class SectionStiffness(NamedTuple):
    """Of a whole section; divide by a length to get what resists a strain over it."""

    bend: float  # [N m2]
    twist: float  # [N m2]
    stretch: float  # [N]
    shear: float  # [N]


def section_stiffness(young: float, shear: float, radius: float, power: int = 4) -> SectionStiffness:
    """From Young's modulus and the shear modulus [Pa] and the radius [m]; `power` of the radius in bending and twisting."""
    if power not in (2, 4):
        raise ValueError(f"power = {power}: 4, or 2 as paper A prints it")
    area = pi * radius**2
    return SectionStiffness(young * pi * radius**power / 4.0, shear * pi * radius**power / 2.0, young * area, shear * area)


def section_inertia(mass: float, radius: float) -> tuple[float, float, float]:
    """Moments of inertia [kg m2] of an element along d1, d2, d3: a thin disc of its mass, as papers A and C have it.

    I11 = I22 = m r^2 / 4, I33 = I11 + I22. The mass of papers A and C sits in the points, which also carry the turning
    of an element about its middle.
    """
    side = 0.25 * mass * radius**2
    return side, side, 2.0 * side


def twist_step_limit(length: float, shear: float, density: float) -> float:
    """Largest step [s] at which explicit twisting between elements of `length` [m] is stable: l / sqrt(G / rho).

    A chain of discs I33 = rho pi r^4 l / 2 joined by springs GJ / l^ swings fastest, neighbours against each other, at
    w = 2 sqrt(G / rho) / l; semi-implicit Euler needs h w < 2. A wave of twist may not cross an element in a step.
    """
    return length / (shear / density) ** 0.5
