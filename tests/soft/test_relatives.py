"""Position based dynamics and Jacobi with inertia. Oracles: Newton's minimum, contradictory and consistent constraints."""

import numpy as np
import pytest
from bars import bar, sheet

from pliant.solvers.gauss_seidel.block import GaussSeidel
from pliant.solvers.jacobi.block import Jacobi
from pliant.solvers.newton.block import Newton
from pliant.solvers.soft.mesh import cloth_model, solid_model

H = 1.0 / 60.0


def squeezed(method, factor, order, poisson=0.0):
    """A bar whose ends are held `factor` times as far apart as they should be, its inside disturbed; cells in some order."""
    points, cells = bar((6, 2, 2), (0.6, 0.2, 0.2))
    ends = (points[:, 0] < 1e-9) | (points[:, 0] > 0.6 - 1e-9)
    model = solid_model(points, cells[order], 1000.0, 1e5, poisson, held=np.flatnonzero(ends))
    place = points * [factor, 1.0, 1.0]
    place[~ends] += 1e-3 * np.random.default_rng(1).normal(size=(np.count_nonzero(~ends), 3))
    block = method(model, place, np.zeros_like(place))
    block.begin(H)
    return block


ORDERS = [np.arange(120), np.random.default_rng(2).permutation(120)]


def test_contradictory_constraints():
    """Ends at half their distance: Gauss-Seidel goes round and round, by centimetres, and depends on the order.

    Jacobi comes to rest (1e-12 m) at Newton's minimum, whatever the order.
    """
    found = {}
    for method, most in ((GaussSeidel, 1000), (Jacobi, 3000)):
        for k, order in enumerate(ORDERS):
            block = squeezed(method, 0.5, order)
            changes = [H * block.iterate() for _ in range(most)]
            found[method, k] = block.work.place.copy(), min(changes[-100:]), max(changes[-100:])
    assert min(found[GaussSeidel, 0][1], found[GaussSeidel, 1][1]) > 1e-3
    assert np.abs(found[GaussSeidel, 0][0] - found[GaussSeidel, 1][0]).max() > 1e-2
    assert max(found[Jacobi, 0][2], found[Jacobi, 1][2]) < 1e-12
    assert np.abs(found[Jacobi, 0][0] - found[Jacobi, 1][0]).max() < 1e-12
    best = squeezed(Newton, 0.5, ORDERS[0])
    for _ in range(40):
        best.iterate()
    np.testing.assert_allclose(found[Jacobi, 0][0], best.work.place, rtol=0, atol=1e-10)


@pytest.mark.parametrize("poisson", [0.0, 0.3])
def test_consistent_constraints_are_met_by_gauss_seidel(poisson):
    """Ends where they should be: all singular values become 1 (and volumes), to rounding."""
    block = squeezed(GaussSeidel, 1.0, ORDERS[0], poisson)
    for _ in range(500):
        block.iterate()
    block.forces()
    assert block.elastic_energy() < 1e-20


def test_gauss_seidel_keeps_a_sheets_shape_and_its_momentum():
    """A curved sheet thrown about: it stays rigid within 1 %; inner constraints cannot change linear momentum."""
    points, triangles = sheet(5, 5, (0.5, 0.5))
    points[:, 2] = 0.05 * np.sin(5.0 * points[:, 0])
    model = cloth_model(points, triangles, 300.0, 1e5, 0.3, 1e-3)
    rng = np.random.default_rng(3)
    block = GaussSeidel(model, points.copy(), rng.normal(size=points.shape))
    mass = model.vertices.mass
    momentum = mass @ block.velocity
    for _ in range(30):
        block.advance(H, 60)
    np.testing.assert_allclose(mass @ block.velocity, momentum, rtol=0, atol=1e-12)
    distances = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (points, block.position)]
    assert np.abs(distances[1] - distances[0]).max() < 0.01 * distances[0].max()


def test_pinned_vertices_go_to_their_targets():
    """Gauss-Seidel: exactly."""
    points, cells = bar((3, 1, 1), (0.3, 0.1, 0.1))
    block = GaussSeidel(solid_model(points, cells, 1000.0, 1e5, 0.3), points.copy(), np.zeros_like(points))
    block.attach(0, 1.0, points[0] + [0.0, 0.0, 0.02])
    for _ in range(20):
        block.advance(H, 20)
    np.testing.assert_allclose(block.position[0], points[0] + [0.0, 0.0, 0.02], atol=1e-15)


def test_jacobi_never_raises_the_energy():
    """By construction: its diagonal lies above the matrix of local/global. Cells, triangles and bends."""
    rng = np.random.default_rng(4)
    points, triangles = sheet(6, 4, (0.6, 0.4))
    solid, cells = bar((4, 2, 2), (0.4, 0.2, 0.2))
    for model in (cloth_model(points, triangles, 300.0, 1e5, 0.3, 1e-3), solid_model(solid, cells, 1000.0, 1e5, 0.4)):
        rest = model.vertices.rest
        block = Jacobi(model, rest.copy(), 5.0 * rng.normal(size=rest.shape))
        block.begin(H)
        block.forces()
        energy = block.total_energy()
        for _ in range(100):
            block.iterate()
            block.forces()
            now = block.total_energy()
            assert now <= energy * (1.0 + 1e-13)
            energy = now


def test_refused_by_name():
    """Gauss-Seidel and Newton do not do examples, and say so."""
    points, cells = bar((2, 1, 1), (0.2, 0.1, 0.1))
    model = solid_model(points, cells, 1000.0, 1e5, 0.3, examples=[points * [1.5, 1.0, 1.0]], example_stiffness=1e4)
    for method in (GaussSeidel, Newton):
        with pytest.raises(ValueError, match=f"{method.__name__} does not do examples"):
            method(model, points.copy(), np.zeros_like(points))
