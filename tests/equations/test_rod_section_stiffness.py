"""Stiffness of a round section against integrals over it, and the step limit against the eigenvalues of a chain of discs."""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from pliant.equations.rod.section_stiffness import section_inertia, section_stiffness, twist_step_limit


def test_moments_of_area_are_integrals_over_the_section():
    """EI = E int y^2 dA, GJ = G int r^2 dA, over strips and rings of a disc of radius 1, times r^4."""
    E, G, r = 2.0e5, 7.0e4, 0.013
    strips, error = quad(lambda y: y * y * 2.0 * sqrt(1.0 - y * y), -1.0, 1.0)
    rings, _ = quad(lambda s: s * s * 2.0 * pi * s, 0.0, 1.0)
    made = section_stiffness(E, G, r)
    assert made.bend == pytest.approx(E * strips * r**4, rel=2.0 * error)
    assert made.twist == pytest.approx(G * rings * r**4, rel=1e-14)
    assert (made.stretch, made.shear) == pytest.approx((E * pi * r * r, G * pi * r * r), rel=1e-15)


def test_power_two_is_what_paper_a_prints():
    made = section_stiffness(0.05e6, 0.1e6, 0.015, power=2)
    assert made.bend == pytest.approx(0.05e6 * pi * 0.015**2 / 4.0, rel=1e-15)
    assert made.twist == pytest.approx(0.1e6 * pi * 0.015**2 / 2.0, rel=1e-15)
    with pytest.raises(ValueError, match="power"):
        section_stiffness(1.0, 1.0, 1.0, power=3)


def test_the_step_limit_is_that_of_the_fastest_swing():
    """Semi-implicit Euler needs h w < 2; w from the eigenvalues of n discs, which lie within (pi / 2n)^2 of the limit."""
    length, r, G, density, n = 0.2, 0.015, 0.1e6, 1200.0, 60
    inertia = section_inertia(density * pi * r * r * length, r)[2]
    chain = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    chain[0, 0] = 3.0  # clamped half a length away
    chain[-1, -1] = 1.0
    fastest = sqrt(np.linalg.eigvalsh(chain)[-1] * section_stiffness(1.0, G, r).twist / length / inertia)
    assert twist_step_limit(length, G, density) == pytest.approx(2.0 / fastest, rel=(pi / (2 * n)) ** 2)
    assert twist_step_limit(2.8 / 14, 0.1e6, 1200.0) == pytest.approx(0.02191, abs=5e-6)  # paper A's rope of 15 points
