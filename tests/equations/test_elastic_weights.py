"""Weights of materials: projections with them store the energy of Hooke's law for small strain. Oracle: Hooke's law."""

import numpy as np
import pytest

from pliant.equations.elastic.material_weights import bending_stiffness, cell_weights, lame, triangle_weights
from pliant.equations.elastic.volume_projection import with_area, with_product

YOUNG, POISSON = 3e5, 0.3


@pytest.mark.parametrize("seed", range(4))
def test_cells_obey_hooke_for_small_strain(seed):
    """E = V (mu |e|^2 + lambda/2 (tr e)^2); strains of size d leave a relative error of order d."""
    strain = 1e-5 * np.random.default_rng(seed).normal(size=3)
    s = tuple(np.sort(1.0 + strain)[::-1])
    weight = cell_weights(*lame(YOUNG, POISSON), np.array([0.7]))[0]
    near = np.array(with_product(s, 1.0))
    energy = 0.5 * weight[0] * np.sum(strain**2) + 0.5 * weight[1] * np.sum((near - s) ** 2)
    mu, lam = lame(YOUNG, POISSON)
    hooke = 0.7 * (mu * np.sum(strain**2) + 0.5 * lam * np.sum(strain) ** 2)
    assert abs(energy / hooke - 1.0) < 10 * np.abs(strain).max()


def test_a_pulled_cell_has_youngs_modulus_and_poissons_ratio():
    """Hooke: pulling a cell of unit volume along x by e with stress-free sides costs E e^2 / 2, at -nu e across."""
    mu, lam = lame(YOUNG, POISSON)
    e = np.array([1.0, -POISSON, -POISSON])
    assert mu * np.sum(e**2) + 0.5 * lam * np.sum(e) ** 2 == pytest.approx(YOUNG / 2, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_triangles_obey_hooke_in_plane_stress(seed):
    """Energy per area t E / (2 (1 - nu^2)) (e1^2 + e2^2 + 2 nu e1 e2)."""
    strain = 1e-5 * np.random.default_rng(seed).normal(size=2)
    s = np.sort(1.0 + strain)[::-1]
    weight = triangle_weights(YOUNG, POISSON, 2e-3, np.array([0.4]))[0]
    energy = 0.5 * weight[0] * np.sum(strain**2) + 0.5 * weight[1] * np.sum((np.array(with_area(*s, 1.0)) - s) ** 2)
    hooke = 0.4 * 2e-3 * YOUNG / (2 * (1 - POISSON**2)) * (np.sum(strain**2) + 2 * POISSON * np.prod(strain))
    assert abs(energy / hooke - 1.0) < 10 * np.abs(strain).max()


def test_plate_stiffness_is_that_of_a_beam_but_for_poisson():
    """D (1 - nu^2) per width = E I / width = E t^3 / 12."""
    assert bending_stiffness(YOUNG, POISSON, 2e-3) * (1 - POISSON**2) == pytest.approx(YOUNG * 8e-9 / 12, rel=1e-12)
