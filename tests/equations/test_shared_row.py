"""Soft rows on one coordinate, taken together, do what they do apart."""

import numpy as np
import pytest

from pliant.equations.rigid.shared_row import conductance, shared_bias, shared_gamma


@pytest.mark.parametrize("seed", range(5))
def test_one_row_has_the_speed_and_the_impulse_of_all(seed):
    """Oracle: NumPy's solution of all rows with the speed as one more unknown, M (u - u0) = sum lambda_i."""
    rng = np.random.default_rng(seed)
    n, mass, start = 4, rng.uniform(0.1, 10.0), rng.normal()
    gamma, bias = 10.0 ** rng.uniform(-4, 2, n), rng.normal(size=n)
    system = np.block([[np.diag(gamma), np.ones((n, 1))], [-np.ones((1, n)), np.array([[mass]])]])
    *apart, speed = np.linalg.solve(system, [*-bias, mass * start])
    total = sum(conductance(g) for g in gamma)
    drawn = sum(b * conductance(g) for b, g in zip(bias, gamma, strict=True))
    gamma_all, bias_all = shared_gamma(total), shared_bias(total, drawn)
    together = -(start + bias_all) / (1.0 / mass + gamma_all)
    assert start + together / mass == pytest.approx(speed, rel=1e-12, abs=1e-13)
    scale = np.abs(apart).max()
    assert together == pytest.approx(sum(apart), abs=1e-10 * scale)
    shares = [(bias_all + gamma_all * together - b) * conductance(g) for b, g in zip(bias, gamma, strict=True)]
    assert shares == pytest.approx(apart, abs=1e-10 * scale)


def test_a_rigid_row_decides_alone():
    """Oracle: the limit of ever smaller gamma of one of two rows, at which the speed is minus its bias."""
    assert shared_gamma(-1.0) == 0.0
    for gamma in (1e-6, 1e-9, 1e-12):
        total, drawn = conductance(gamma) + conductance(2.0), 0.3 * conductance(gamma) - 0.8 * conductance(2.0)
        assert shared_gamma(total) == pytest.approx(0.0, abs=2 * gamma)
        assert shared_bias(total, drawn) == pytest.approx(0.3, abs=2 * gamma)
