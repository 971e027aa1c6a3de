"""Volumes of patches as constraints. Oracles: finite differences, cells without relief, the volume of the deformed surface."""

import numpy as np
import pytest
from bars import bar, random_rotation, settle

from pliant.model.soft import PatchVolumes
from pliant.scene.patch import PatchMesh
from pliant.solvers.gauss_seidel.block import GaussSeidel
from pliant.solvers.newton.block import Newton
from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.mesh import solid_model
from pliant.solvers.soft.patches import volumes_at, with_patches

H = 1.0 / 60.0
TOLERANCE = 1e-6
"""Of the relief's volume."""


def ball(poisson=0.45, patches=20, held=(), **ranges):
    """A ball of patches and its model, with and without the relief in its constraints."""
    mesh = PatchMesh.sphere(0.1, patches)
    plain = solid_model(mesh.vertices, mesh.cells, 1000.0, 1e5, poisson, held=held, in_groups=False, **ranges)
    copy = plain._replace(cells=plain.cells._replace(table=plain.cells.table.copy()))
    return mesh, with_patches(copy, mesh, TOLERANCE), plain


def begun(model, place, method=Projective):
    """A block at `place` at the start of a long step, its relief as it is there."""
    block = method(model, place.copy(), np.zeros_like(place))
    block.begin(1.0)
    return block


def test_volumes_of_patches_add_up_to_that_of_the_body():
    """Cells and reliefs have side walls in common: their sum is the volume of the closed surface, at rest and deformed."""
    mesh, model, _ = ball()
    rng = np.random.default_rng(1)
    for place in (mesh.vertices, mesh.vertices * [1.2, 0.9, 1.0] + 0.005 * rng.normal(size=mesh.vertices.shape)):
        assert volumes_at(model, place)[0].sum() == pytest.approx(mesh.volume(place, TOLERANCE), rel=1e-12)


def test_pushes_are_the_slope_of_the_energy():
    """Central differences along random directions, the normals lagging: error of order step^2, 1e-7 of the force's size."""
    mesh, model, _ = ball()
    rng = np.random.default_rng(2)
    place = mesh.vertices * [1.15, 0.9, 0.95] + 0.004 * rng.normal(size=mesh.vertices.shape)
    block = begun(model, place)
    forces = block.forces().copy()
    for _ in range(4):
        way, step, energy = rng.normal(size=place.shape), 1e-7, []
        for sign in (1.0, -1.0):
            block.work.place[:] = place + sign * step * way
            block.project()
            energy.append(block.cells.energy.sum())
        slope = (energy[0] - energy[1]) / (2 * step)
        assert slope == pytest.approx(-np.sum(forces * way), abs=1e-7 * np.linalg.norm(forces) * np.linalg.norm(way))


def test_without_a_relief_it_is_the_product_of_singular_values():
    """The nearest cell of the right volume, found twice: pushes and energies of mildly deformed cells agree to 1e-10."""
    points, cells = bar((2, 2, 1), (0.2, 0.2, 0.1))
    plain = solid_model(points, cells, 1000.0, 1e5, 0.4)
    rows = np.arange(len(cells))
    table = plain.cells.table.copy()
    weight = table[rows // 64, 10 * 64 + rows % 64]
    table[:, 10 * 64:11 * 64] = 0.0
    size = np.linalg.det(points[cells[:, 1:]] - points[cells[:, :1]]) / 6.0
    none = PatchVolumes(rows.astype(np.int32), weight, size, np.repeat(size[:, None], 2, axis=1),
                        np.zeros(len(cells) + 1, np.int32), np.zeros(0, np.int32), np.zeros((0, 6)))
    other = plain._replace(cells=plain.cells._replace(table=table), volumes=none)
    rng = np.random.default_rng(3)
    place = points * [1.1, 0.95, 1.0] + 0.01 * rng.normal(size=points.shape)
    one, two = begun(plain, place), begun(other, place)
    expected = one.forces()
    np.testing.assert_allclose(two.forces(), expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(two.cells.energy, one.cells.energy, rtol=0, atol=1e-10 * one.cells.energy.max())
    assert abs(two.stiffness() - one.stiffness()).max() < 1e-12 * abs(one.stiffness()).max()


@pytest.mark.parametrize("method", [Projective, QuasiNewton, Newton])
def test_rigid_motion_leaves_no_force_and_energy_falls(method):
    """A ball turned and shifted is at rest; thrown out of shape, its energy falls at every iteration, momentum stays."""
    mesh, model, _ = ball()
    rng = np.random.default_rng(4)
    moved = mesh.vertices @ random_rotation(rng).T + [0.3, -0.2, 0.1]
    assert np.abs(begun(model, moved, method).forces()).max() < 1e-9 * 1e5 * 0.1**2
    block = method(model, moved, 2.0 * rng.normal(size=moved.shape))
    momentum = model.vertices.mass @ block.velocity
    block.begin(H)
    block.forces()
    energy = block.total_energy()
    for _ in range(60):
        block.iterate()
        block.forces()
        now = block.total_energy()
        assert now <= energy + 1e-12 * abs(energy)
        energy = now
    np.testing.assert_allclose(model.vertices.mass @ block.velocity, momentum, rtol=0, atol=1e-12 * model.vertices.mass.sum())


def test_local_global_finds_newtons_minimum():
    """|p - p*| < 1e-9 of the ball's size, in a step from random velocities."""
    mesh, model, _ = ball(0.4)
    speed = np.random.default_rng(5).normal(size=mesh.vertices.shape)
    places = []
    for method, most in ((Newton, 300), (QuasiNewton, 600)):
        block = method(model, mesh.vertices.copy(), speed.copy())
        block.begin(H)
        for _ in range(most):
            if block.iterate() < 1e-13:
                break
        places.append(block.work.place.copy())
    assert np.abs(places[0] - places[1]).max() < 1e-9 * 0.2


def squeezed(model, mesh, caps, depth) -> float:
    """Volume with its relief, of what it was, of a ball whose poles are pushed in by `depth` [m] each."""
    place = mesh.vertices.copy()
    place[caps, 2] -= np.sign(place[caps, 2]) * depth
    block = Newton(model, place, np.zeros_like(place))
    for _ in range(4):  # the normals lag: a few steps, each so long that inertia does not count
        settle(block, most=100, close=1e-12)
    return mesh.volume(block.position, TOLERANCE) / mesh.volume(None, TOLERANCE)


def test_squeezed_ball_keeps_the_volume_of_its_relief():
    """nu = 0.4995, two opposite vertices pushed in by 0.4 of the radius each: within 0.1 %.

    Cells whose own volume alone is kept, under the same relief, lose five times as much and more.
    """
    mesh = PatchMesh.sphere(0.1, 80)
    poles = np.flatnonzero(np.abs(mesh.vertices[:, 2]) > 0.09)
    assert len(poles) == 2
    _, model, plain = ball(0.4995, 80, poles)
    kept, lost = (abs(squeezed(one, mesh, poles, 0.04) - 1.0) for one in (model, plain))
    print(f"volume off by {kept:.2e} with the relief, {lost:.2e} without")
    assert kept < 0.001 and lost > 5.0 * kept


def test_a_range_of_volumes_is_a_dead_zone():
    """Between 0.8 and 1.2 of a patch's volume, relief included, nothing resists; outside, its end is found again."""
    mesh, model, _ = ball(0.45, volume=(0.8, 1.2))
    rest = volumes_at(model, mesh.vertices)[0]
    for factor, free in ((1.04, True), (0.95, True), (1.15, False)):
        block = begun(model, factor * mesh.vertices)
        before = block.cells.energy.sum()
        block.project()
        inside = volumes_at(model, factor * mesh.vertices)[0] / rest
        strain = 0.5 * np.sum(model.cells.table[:, 9 * 64:10 * 64].ravel()[:20]) * 3.0 * (factor - 1.0) ** 2
        assert before == 0.0 and (abs(block.cells.energy.sum() - strain) < 1e-9 * strain) == free
        assert ((inside > 0.8) & (inside < 1.2)).all() == free


def test_gauss_seidel_brings_volumes_into_range():
    """Volumes between 0.9 and 1.1, started 1.3 times as wide: all end in range within 1 %."""
    mesh, model, _ = ball(0.45, strain=(0.5, 2.0), volume=(0.9, 1.1))
    rest = volumes_at(model, mesh.vertices)[0]
    block = GaussSeidel(model, 1.3 * mesh.vertices, np.zeros_like(mesh.vertices))
    for _ in range(30):
        block.advance(H, 20)
        block.velocity[:] = 0.0
    ratio = volumes_at(model, block.position)[0] / rest
    assert ratio.min() > 0.89 and ratio.max() < 1.11
