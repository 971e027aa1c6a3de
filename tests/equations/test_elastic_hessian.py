"""Second derivatives of strain and volume potentials. Oracle: central differences of the forces."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "soft"))

from bars import bar, random_rotation, sheet

from pliant.solvers.newton.block import Newton
from pliant.solvers.newton.hessian import Hessian
from pliant.solvers.soft.mesh import cloth_model, solid_model


def models():
    """A block of cells, with and without dead zones, and a sheet that hardly resists bending."""
    points, cells = bar((2, 1, 1), (2.0, 1.0, 1.0))
    yield "cells", solid_model(points, cells, 1.0, 1.0, 0.3)
    yield "cells in a range", solid_model(points, cells, 1.0, 1.0, 0.3, strain=(0.95, 1.05), volume=(0.98, 1.02))
    points, triangles = sheet(2, 2, (1.0, 1.0))
    yield "sheet", cloth_model(points, triangles, 1.0, 1.0, 0.3, 0.5, bend=1e-9)  # whose matrix is above the true one


@pytest.mark.parametrize(("name", "model"), list(models()), ids=lambda x: x if isinstance(x, str) else "")
@pytest.mark.parametrize("seed", range(3))
def test_hessian_is_the_derivative_of_the_force(name, model, seed):
    """Central differences with step d: an error of order d^2 plus rounding over d. Kinks of a range are stepped over."""
    rng = np.random.default_rng(seed)
    rest = model.vertices.rest
    place = (rest + 0.15 * rng.normal(size=rest.shape)) @ random_rotation(rng).T
    block = Newton(model, place.copy(), np.zeros_like(place))
    block.begin(3.0)
    matrix = Hessian(block).at(place, 3.0, definite=False)
    assert abs(matrix - matrix.T).max() < 1e-12 * abs(matrix).max()
    d = 1e-6
    for _ in range(5):
        u = rng.normal(size=place.shape)
        force = []
        for side in (d, -d):
            block.work.place[:] = place + side * u
            force.append(block.forces().copy())
        measured = -(force[0] - force[1]).ravel() / (2 * d)
        assert np.abs(matrix @ u.ravel() - measured).max() < 1e-5 * np.abs(measured).max()
    mended = Hessian(block).at(place, 3.0, definite=True).toarray()
    assert np.linalg.eigvalsh(mended).min() > 0.0
