"""Volumes of groups of cells. Oracles: cubes, Hooke's law, finite differences, rigid and affine maps, Newton's minimum."""

import numpy as np
import pytest
from bars import bar, random_rotation, settle
from scipy.spatial import Delaunay

from pliant.equations.elastic.deformation_gradient import cell_gradients
from pliant.equations.elastic.group_volume import grouped
from pliant.equations.elastic.material_weights import lame
from pliant.solvers.jacobi.block import Jacobi
from pliant.solvers.newton.block import Newton
from pliant.solvers.newton.hessian import Hessian
from pliant.solvers.projective.block import Projective
from pliant.solvers.projective.frame import SolidFrame
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.groups import group_parts
from pliant.solvers.soft.mesh import solid_model

YOUNG, POISSON, H = 1e5, 0.495, 10.0


def scattered(count=60, seed=0):
    """A cube of Delaunay's cells between points at random, with its corners, and which vertices are inside."""
    rng = np.random.default_rng(seed)
    corners = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    points = 0.1 * np.concatenate([corners, rng.uniform(0.1, 0.9, size=(count, 3))])
    cells = Delaunay(points).simplices.astype(np.int64)
    size = cell_gradients(points, cells)[1]
    cells[size < 0.0] = cells[size < 0.0][:, [0, 2, 1, 3]]
    return points, cells[np.abs(size) > 1e-12], np.arange(len(points)) >= 8


MESHES = {"cubes": lambda: bar((3, 2, 2), (0.3, 0.2, 0.2)), "scattered": lambda: scattered()[:2]}


def begun(model, place, method=Projective, h=H):
    """A block at `place` in a step so long that inertia hardly counts."""
    block = method(model, place.copy(), np.zeros_like(place))
    block.begin(h)
    return block


@pytest.mark.parametrize("grade", [1.0, 10.0])
def test_cubes_are_groups(grade):
    """Oracle: the mesh, made of cubes of five cells one after another."""
    points, cells = bar((4, 3, 2), (0.4, 0.3, 0.2), (grade, 1.0, 1.0))
    group = grouped(points, cells, cell_gradients(points, cells)[1])
    assert (group.reshape(-1, 5) == group.reshape(-1, 5)[:, :1]).all()
    assert len(np.unique(group)) == 24


def test_the_gradients_of_a_group_are_those_of_an_affine_map():
    """Oracle: F of an affine map is its matrix, in every group; the gradients sum to zero."""
    points, cells = scattered()[:2]
    corners, gradient, weight = group_parts(solid_model(points, cells, 1000.0, YOUNG, POISSON).groups)
    matrix = np.random.default_rng(1).normal(size=(3, 3))
    place = points @ matrix.T + [1.0, 2.0, 3.0]
    size = np.abs(gradient).max()
    found = np.einsum("eai,eaj->eij", place[corners], gradient)
    np.testing.assert_allclose(found, np.broadcast_to(matrix, found.shape), rtol=0, atol=1e-13 * size)
    np.testing.assert_allclose(gradient.sum(axis=1), 0.0, atol=1e-13 * size)
    mu, lam = lame(YOUNG, POISSON)
    assert weight.sum() == pytest.approx(3.0 * (lam - 24.0 * mu) * 1e-3, rel=1e-9)


@pytest.mark.parametrize("mesh", list(MESHES))
def test_it_obeys_hooke_whatever_the_mesh(mesh):
    """V (mu |e|^2 + lambda/2 (tr e)^2) for a small uniform strain e, up to its third power."""
    points, cells = MESHES[mesh]()
    strain = np.array([[2.0, 0.5, -0.3], [0.5, -1.0, 0.7], [-0.3, 0.7, 1.5]]) * 1e-5
    block = begun(solid_model(points, cells, 1000.0, YOUNG, POISSON), points @ (np.eye(3) + strain).T)
    block.forces()
    volume, (mu, lam) = cell_gradients(points, cells)[1].sum(), lame(YOUNG, POISSON)
    exact = volume * (mu * np.sum(strain**2) + 0.5 * lam * np.trace(strain) ** 2)
    assert block.element_energy() == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("squeezed", [0.7, -0.4])
@pytest.mark.parametrize("mesh", list(MESHES))
def test_pushes_are_the_slope_of_the_energy(mesh, squeezed):
    """Central differences, also where groups are inside out; their error is of order 1e-10 of the largest push."""
    points, cells = MESHES[mesh]()
    rng = np.random.default_rng(2)
    place = points * [1.0, 1.0, squeezed] + 0.01 * rng.normal(size=points.shape)
    model = solid_model(points, cells, 1000.0, YOUNG, POISSON)
    block = begun(model, points)
    block.work.aim[:], block.work.place[:] = place, place
    force, d = block.forces().copy(), 1e-6
    for v, k in ((0, 0), (5, 1), (7, 2), (len(points) - 1, 1)):
        ends = []
        for way in (d, -d):
            block.work.place[:] = place
            block.work.place[v, k] += way
            block.forces()
            ends.append(block.element_energy())
        assert (ends[1] - ends[0]) / (2.0 * d) == pytest.approx(force[v, k], abs=1e-6 * np.abs(force).max())


@pytest.mark.parametrize("mesh", list(MESHES))
def test_rigid_motion_leaves_no_force(mesh):
    """F is a rotation in every group: rounding alone is left."""
    points, cells = MESHES[mesh]()
    place = points @ random_rotation(np.random.default_rng(3)).T + [0.3, -0.5, 0.2]
    block = begun(solid_model(points, cells, 1000.0, YOUNG, POISSON), place)
    assert np.abs(block.forces()).max() < 1e-11 * lame(YOUNG, POISSON)[1] * 0.1**2


def test_patch():
    """Patch test on scattered cells: with the outer vertices moved by an affine map, the inner ones follow it exactly."""
    points, cells, inside = scattered()
    model = solid_model(points, cells, 1000.0, YOUNG, POISSON, held=np.flatnonzero(~inside))
    rng = np.random.default_rng(4)
    place = points @ (random_rotation(rng) @ (np.eye(3) + 0.1 * rng.uniform(-1, 1, size=(3, 3)))).T
    start = np.where(inside[:, None], place + 1e-3 * rng.normal(size=place.shape), place)
    block = Newton(model, start, np.zeros_like(start))
    settle(block)
    np.testing.assert_allclose(block.position, place, rtol=0, atol=1e-11)


@pytest.mark.parametrize(("method", "most"), [(Projective, 6000), (QuasiNewton, 500)])
def test_local_global_finds_newtons_minimum_and_never_upwards(method, most):
    """(E - E*) / (E0 - E*) < 1e-10, E falling at every iteration."""
    points, cells = bar((4, 2, 2), (0.4, 0.2, 0.2))
    model = solid_model(points, cells, 1000.0, 2e3, POISSON, held=np.flatnonzero(points[:, 0] < 1e-9))
    speed = np.random.default_rng(6).normal(size=points.shape) * 0.5
    speed[points[:, 0] < 1e-9] = 0.0

    def thrown(kind):
        block = kind(model, points.copy(), speed.copy())
        block.begin(1.0 / 60.0)
        block.forces()
        return block

    best = thrown(Newton)
    for _ in range(100):
        if best.iterate() < 1e-14:
            break
    best.forces()
    block = thrown(method)
    energies = [block.total_energy()]
    for _ in range(most):
        block.iterate()
        block.forces()
        energies.append(block.total_energy())
        if energies[-1] - best.total_energy() < 1e-11 * (energies[0] - best.total_energy()):
            break
    assert np.diff(energies).max() <= 1e-12 * abs(energies[0])
    assert abs(energies[-1] - best.total_energy()) < 1e-10 * (energies[0] - best.total_energy())


def test_newtons_matrix_is_the_slope_of_the_force():
    """Central differences of the forces where cells are strained and turned, and at rest the matrix of its own frame."""
    points, cells = MESHES["cubes"]()
    model = solid_model(points, cells, 1000.0, YOUNG, POISSON)
    rng = np.random.default_rng(7)
    place = points @ random_rotation(rng).T + 0.004 * rng.normal(size=points.shape)
    block = begun(model, place, Newton)
    matrix, d = Hessian(block).at(place, H, False), 1e-6
    for dof in (0, 4, 17, 50):
        ends = []
        for way in (d, -d):
            block.work.place[:] = place
            block.work.place.reshape(-1)[dof] += way
            ends.append(block.forces().ravel().copy())
        slope = (ends[1] - ends[0]) / (2.0 * d)
        np.testing.assert_allclose(slope, matrix[[dof]].toarray()[0], rtol=0, atol=1e-6 * np.abs(slope).max())
    plain = begun(model, points)
    frame, newton = SolidFrame(plain, np.zeros(len(points)), H), Hessian(begun(model, points, Newton)).at(points, H, False)
    assert abs(frame.matrix - newton).max() < 1e-9 * abs(newton).max()


@pytest.mark.parametrize("mesh", list(MESHES))
def test_the_order_of_cells_and_of_their_corners_does_not_matter(mesh):
    """Shuffled cells with corners turned round give the same groups, and forces that differ by rounding."""
    points, cells = MESHES[mesh]()
    rng = np.random.default_rng(8)
    order = rng.permutation(len(cells))
    shuffled = cells[order][:, [1, 2, 0, 3]]
    place = points + 0.003 * rng.normal(size=points.shape)
    one, two = (begun(solid_model(points, some, 1000.0, YOUNG, POISSON), place).forces() for some in (cells, shuffled))
    np.testing.assert_allclose(two, one, rtol=0, atol=1e-12 * np.abs(one).max())


@pytest.mark.parametrize("method", [Projective, QuasiNewton, Jacobi])
def test_energy_falls_and_momentum_stays(method):
    """From random velocities, with volumes of groups: the constant matrices lie above the energy of every method."""
    points, cells = MESHES["scattered"]()
    model = solid_model(points, cells, 1000.0, YOUNG, POISSON)
    speed = np.random.default_rng(9).normal(size=points.shape)
    block = method(model, points.copy(), speed)
    momentum = model.vertices.mass @ speed
    block.begin(1.0 / 60.0)
    block.forces()
    energies = [block.total_energy()]
    for _ in range(50):
        block.iterate()
        block.forces()
        energies.append(block.total_energy())
    assert np.diff(energies).max() <= 1e-12 * energies[0]
    if method is not Jacobi:  # which keeps it where it has converged
        assert np.abs(model.vertices.mass @ block.velocity - momentum).max() < 1e-12 * model.vertices.mass.sum()
