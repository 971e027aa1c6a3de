"""The incremental potential of springs and dampers: slope, curvature, and a least value that loses energy.

Oracles: the energies of a spring and of a damper, differences of the potential, SciPy's least value.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

from pliant.equations.rigid.incremental_potential import stands_for, stiffness_across

EPS = np.finfo(float).eps


def draw(rng):
    """(k, c, rest, start, h)"""
    return (10.0 ** rng.uniform(-2, 6), 10.0 ** rng.uniform(-2, 4) * (rng.uniform() < 0.7), rng.uniform(0.0, 2.0),
            rng.uniform(0.1, 2.0), 10.0 ** rng.uniform(-4, -1))


def test_one_spring_stands_for_a_spring_and_a_damper():
    """k/2 (l - rest)^2 + c/(2 h) (l - l0)^2 and kappa/2 (l - a)^2 differ by the same at all lengths, but for rounding."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        k, c, rest, start, h = draw(rng)
        kappa, a = stands_for(k, c, rest, start, h)
        lengths = rng.uniform(0.0, 3.0, 20)
        both = 0.5 * k * (lengths - rest) ** 2 + 0.5 * c / h * (lengths - start) ** 2
        offset = both - 0.5 * kappa * (lengths - a) ** 2
        np.testing.assert_allclose(offset, offset[0], rtol=0, atol=64 * EPS * kappa * 9.0)


def test_across():
    """The second difference of the potential of a pulling spring when its end moves aside by e; a pushing one counts as none.

    Beyond f / l that has the term kappa (e / l)^2 / 4 and less, and rounding of the potential over e^2.
    """
    rng = np.random.default_rng(2)
    for _ in range(100):
        k, c, rest, start, h = draw(rng)
        kappa, a = stands_for(k, c, rest, start, h)
        length, e = rng.uniform(0.2, 3.0), 1e-4
        pull = kappa * (length - a)

        def potential(aside, kappa=kappa, a=a, length=length):
            return 0.5 * kappa * (np.hypot(length, aside) - a) ** 2

        found = 2.0 * (potential(e) - potential(0.0)) / e**2
        if pull < 0.0:
            assert stiffness_across(pull, length) == 0.0 and found < 1e-3 * kappa
        else:
            error = kappa * (1.0 + a / length) * (e / length) ** 2 + 16 * EPS * kappa * (length + a) ** 2 / e**2
            assert abs(stiffness_across(pull, length) - found) <= error


@pytest.mark.parametrize("seed", range(5))
def test_its_least_value_is_implicit_euler_and_loses_energy(seed):
    """A point mass between four springs that all pull: at SciPy's least value of Phi implicit Euler's equation holds, to what a
    search knows of a slope, and kinetic and elastic energy have fallen by 1/2 m |V - V*|^2 at least."""
    rng = np.random.default_rng(seed)
    anchors, m, h = 2.0 * rng.normal(size=(4, 3)), 10.0 ** rng.uniform(-1, 1), 0.05
    laws = [(10.0 ** rng.uniform(1, 4), 10.0 ** rng.uniform(-1, 1), 0.2) for _ in anchors]
    free = rng.normal(size=3)
    starts = np.linalg.norm(anchors, axis=1)
    stands = [stands_for(k, c, rest, start, h) for (k, c, rest), start in zip(laws, starts, strict=True)]

    def potential(v):
        lengths = np.linalg.norm(h * v - anchors, axis=1)
        return 0.5 * m * (v - free) @ (v - free) + sum(
            0.5 * kappa * (length - a) ** 2 for (kappa, a), length in zip(stands, lengths, strict=True))

    v = minimize(potential, np.zeros(3), method="BFGS", options={"gtol": 1e-10}).x
    ends = h * v - anchors
    lengths = np.linalg.norm(ends, axis=1)
    k, c, rest = np.transpose(laws)
    forces = k * (lengths - rest) + c * (lengths - starts) / h
    lacking = m * (v - free) + h * (forces / lengths) @ ends
    size = h * abs(forces).sum()
    assert np.linalg.norm(lacking) <= 1e-5 * size
    before, after = (0.5 * k @ (where - rest) ** 2 for where in (starts, lengths))
    assert 0.5 * m * v @ v + after + 0.5 * m * (v - free) @ (v - free) <= 0.5 * m * free @ free + before + 1e-5 * size
