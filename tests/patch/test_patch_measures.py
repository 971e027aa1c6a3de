"""Volume, area and mass with the relief. Oracles: closed forms, SciPy's integrals, trimesh, finite differences."""

import numpy as np
import pytest
import trimesh
from scipy.integrate import dblquad
from scipy.optimize import brentq

import pliant as pl
from pliant.compile.cells import bar_cells, cell_volumes
from pliant.compile.mass_properties import polyhedron
from pliant.patch.measure import (
    cell_of_face,
    mass_properties,
    quadrature,
    shape_of,
    vertex_volumes,
    volume_and_gradient,
    volume_shares,
)
from pliant.patch.quadrature import rule
from pliant.patch.surface import surface_of
from pliant.scene.patch import PatchMesh, Quadric


def sheet(*quadrics: Quadric, half: float = 1.0) -> PatchMesh:
    corner = half * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return PatchMesh(corner, [[0, 1, 2], [0, 2, 3]], quadrics)


def deformed(mesh: PatchMesh, seed: int, amount: float = 0.03) -> np.ndarray:
    """Vertices stretched, sheared, turned and shaken."""
    rng = np.random.default_rng(seed)
    size = np.ptp(mesh.vertices, axis=0).max()
    strain = np.eye(3) + 0.2 * rng.normal(size=(3, 3))
    return mesh.vertices @ strain.T + amount * size * rng.normal(size=mesh.vertices.shape) + rng.normal(size=3)


def test_the_rule_integrates_polynomials_of_degree_six():
    """Over the triangle u, v >= 0, u + v <= 1 the mean of u^i v^j is 2 i! j! / (i + j + 2)!."""
    from math import factorial

    place, weight = rule()
    for i in range(7):
        for j in range(7 - i):
            exact = 2.0 * factorial(i) * factorial(j) / factorial(i + j + 2)
            assert abs(weight @ (place[:, 1] ** i * place[:, 2] ** j) - exact) <= 1e-14


def test_a_polynomial_relief_has_its_exact_volume():
    """t = a (x + 1.5)^3 over a flat square of side 2: 2 a (2.5^4 - 0.5^4)/4; the rule is exact for cubes."""
    matrix = np.zeros((4, 4))
    matrix[0, 3] = matrix[3, 0] = 0.5
    matrix[3, 3] = 1.5
    mesh = sheet(Quadric(matrix, 0.05))
    moments, _ = volume_shares(mesh, quadrature(mesh, 1e-9), shape_of(mesh))
    exact = 2.0 * 0.05 * (2.5**4 - 0.5**4) / 4.0
    assert abs(moments[:, 0].sum() / exact - 1.0) <= 1e-13
    squared = 0.05**2 * (2.5**7 - 0.5**7) / 7.0  # first moment along z: the mean of t^2/2
    assert abs(moments[:, 3].sum() / squared - 1.0) <= 1e-13


def test_a_bump_that_begins_inside_the_patches_has_its_exact_volume_and_centre():
    """t = a (1 - r^2/R^2)^3: volume a pi R^2/4, height of its centre of mass 2 a/7."""
    mesh = sheet(Quadric.ellipsoid((0.1, -0.2, 0.0), (0.6, 0.6, np.inf), 0.3))
    moments, _ = volume_shares(mesh, quadrature(mesh, 1e-9), shape_of(mesh))
    total = moments.sum(axis=0)
    exact = 0.3 * np.pi * 0.36 / 4.0
    assert abs(total[0] / exact - 1.0) <= 1e-8
    np.testing.assert_allclose(total[1:4] / total[0], (0.1, -0.2, 2 * 0.3 / 7), atol=1e-8)


def test_area_of_a_bump():
    """The area of the graph of t over a disc, by SciPy: 2 pi int r sqrt(1 + t'^2) dr."""
    from scipy.integrate import quad

    mesh = sheet(Quadric.ellipsoid((0.0, 0.0, 0.0), (0.6, 0.6, np.inf), 0.3))
    disc = quad(lambda r: 2 * np.pi * r * np.sqrt(1 + (0.3 * 3 * (1 - r * r / 0.36) ** 2 * 2 * r / 0.36) ** 2), 0, 0.6)[0]
    exact = 4.0 - np.pi * 0.36 + disc
    assert abs(mesh.area(tolerance=1e-9) / exact - 1.0) <= 1e-8
    scene = pl.Scene()
    scene.add(pl.Cloth("shell", mesh, 2e-3, pl.Material(500.0, 1e6, poisson=0.3)))
    assert abs(pl.World(scene)["shell"].mass / exact - 1.0) <= 1e-3  # the share of the area that a solver's rule may miss


def test_volume_of_a_ball_with_spread_normals():
    """Along a direction N the surface has the radius r of r - |p| = a (1 - r^2/s^2)^3; V = int r^3/3 over all directions.

    With d the distance of a face's plane, dN = d/|p|^3 dA: SciPy integrates over one face of twenty.
    """
    mesh = PatchMesh.sphere(1.0)
    corner = mesh.vertices[mesh.faces[0]]
    across = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    d = corner[0] @ across / np.linalg.norm(across)
    quadric = mesh.quadrics[0]
    s2 = -1.0 / quadric.matrix[0, 0]

    def integrand(v, u):
        base = np.linalg.norm(corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[0]))
        r = brentq(lambda r: r - base - quadric.amplitude * max(1.0 - r * r / s2, 0.0) ** 3, base, base + 0.5, xtol=1e-15)
        return r**3 / 3.0 * d / base**3

    face = dblquad(integrand, 0.0, 1.0, 0.0, lambda u: 1.0 - u, epsabs=1e-11, epsrel=1e-11)[0] * np.linalg.norm(across)
    assert abs(mesh.volume(tolerance=1e-9) / (20.0 * face) - 1.0) <= 1e-8


@pytest.mark.parametrize("patches", (20, 80, 320))
def test_how_near_a_ball_is_to_a_sphere(patches, capsys):
    """The deviation falls with the spread of heights; the volume's error is at most three times the radius's."""
    mesh = PatchMesh.sphere(1.0, patches)
    drawn = mesh.tessellate(1e-3)
    radius = np.linalg.norm(drawn.vertices, axis=1)
    away = np.abs(radius - 1.0).max()
    tilt = np.arccos(np.clip((drawn.normals * drawn.vertices).sum(axis=1) / radius, -1.0, 1.0)).max()
    error = mesh.volume() / (4.0 / 3.0 * np.pi) - 1.0
    with capsys.disabled():
        print(f"\n{patches} patches: radius within {away:.1e} of 1, volume {error:+.1e}, normals within "
              f"{np.degrees(tilt):.3f} deg, creases {np.degrees(drawn.creases.max()):.4f} deg")
    assert away <= {20: 1e-4, 80: 5e-5, 320: 2e-5}[patches]
    assert abs(error) <= 3.0 * away * (1 + away)


def test_mass_volume_and_centre_use_the_relief():
    """A cube with a bump on one side: against trimesh on a fine tessellation, and far from the cube alone."""
    cube = trimesh.creation.box((1.0, 1.0, 1.0))
    mesh = PatchMesh.from_mesh(cube, [Quadric.ellipsoid((0.5, 0.0, 0.0), (0.5, 0.6, 0.6), 0.3)])
    got = mass_properties(mesh)
    drawn = mesh.tessellate(2e-4)
    other = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False)
    share = drawn.error * other.area / other.volume  # of the volume that the chords can miss
    assert abs(got.mass / other.volume - 1.0) <= share
    np.testing.assert_allclose(got.centre, other.center_mass, atol=share)
    np.testing.assert_allclose(got.inertia, other.moment_inertia, atol=2 * share * got.mass)
    base = polyhedron(mesh.vertices, mesh.faces)
    assert abs(got.mass - mesh.volume()) <= 1e-12
    assert got.mass > 1.05 * base.mass and got.centre[0] > base.centre[0] + 0.03


def test_inertia_by_moments_about_a_far_point():
    """The parallel axes taken the other way: all second moments about the origin of a body that stands away from it."""
    cube = trimesh.creation.box((1.0, 1.0, 1.0))
    mesh = PatchMesh.from_mesh(cube, [Quadric.ellipsoid((0.5, 0.0, 0.0), (0.5, 0.6, 0.6), 0.3)])
    x = mesh.vertices + np.array([0.7, -0.4, 0.9])
    m = volume_shares(mesh, quadrature(mesh, 1e-6), shape_of(mesh, x))[0].sum(axis=0)
    second = np.array([[m[4], m[7], m[8]], [m[7], m[5], m[9]], [m[8], m[9], m[6]]])
    second += np.eye(3) / 12.0 + np.outer((0.7, -0.4, 0.9), (0.7, -0.4, 0.9))
    centre = (m[1:4] + np.array([0.7, -0.4, 0.9])) / (1.0 + m[0])
    second -= (1.0 + m[0]) * np.outer(centre, centre)
    got = mass_properties(mesh, x)
    np.testing.assert_allclose(got.centre, centre, atol=1e-13)
    np.testing.assert_allclose(got.inertia, np.trace(second) * np.eye(3) - second, atol=1e-13)


def test_a_quadric_high_over_the_base_counts_where_another_lifts_the_surface_to_it():
    """The faces' own lists of quadrics give the heights that lists of all quadrics give."""
    x, y = np.meshgrid(np.linspace(-1.0, 1.0, 9), np.linspace(-1.0, 1.0, 9), indexing="ij")
    grid = np.stack([x, y, 0.0 * x], axis=-1).reshape(-1, 3)
    corner = (9 * np.arange(8)[:, None] + np.arange(8)).ravel()
    faces = np.concatenate([np.stack([corner, corner + 9, corner + 10], 1), np.stack([corner, corner + 10, corner + 1], 1)])
    hill, knob = Quadric.ellipsoid((0, 0, 0), (0.8, 0.8, np.inf), 0.5), Quadric.ellipsoid((0, 0, 0.5), (0.2, 0.2, 0.15), 0.02)
    lists = PatchMesh(grid, faces, (hill, knob))
    every = PatchMesh(grid, faces, (hill, knob), [[0, 1]] * len(faces))
    one, two = (quadrature(mesh, 1e-3) for mesh in (lists, every))
    assert abs(one.height.max() - 0.52) < 2e-3 and len(surface_of(lists).patches.quadric) < 2 * len(faces)
    assert abs((one.height * one.measure).sum() - (two.height * two.measure).sum()) <= 1e-12
    assert abs(lists.area() - every.area()) <= 1e-9


def test_masses_of_vertices_add_up():
    for mesh in (PatchMesh.sphere(0.2), PatchMesh.car_body()):
        assert abs(vertex_volumes(mesh).sum() / mesh.volume() - 1.0) <= 1e-12
        owner = cell_of_face(mesh)
        for f in (0, len(owner) // 2, len(owner) - 1):
            assert set(mesh.faces[f]) <= set(mesh.cells[owner[f]])


def knobbed(height):
    """A slab of cubes of 0.1 m with a hill of `height` [m] in the middle of its upper face."""
    slab = bar_cells((0.4, 0.4, 0.1), (4, 4, 1))
    hill = Quadric.ellipsoid((0.02, 0.03, 0.05), (0.12, 0.12, 0.08), height)
    return PatchMesh.from_cells(slab.vertices, slab.cells, (hill,))


@pytest.mark.parametrize("mesh", [PatchMesh.car_body(), knobbed(0.03), knobbed(-0.02)])
def test_masses_of_vertices_have_the_centre_of_the_relief(mesh):
    """Total and centre of mass of the vertices are those of the body with its relief, by quadrature, to rounding.

    Lumped on the base triangles alone the centre is off by more than a hundredth of the relief's height.
    """
    mass, body = vertex_volumes(mesh), mass_properties(mesh)
    size = np.ptp(mesh.vertices, axis=0).max()
    assert mass.min() > 0.0 and abs(mass.sum() / body.mass - 1.0) <= 1e-12
    np.testing.assert_allclose(mass @ mesh.vertices / mass.sum(), body.centre, rtol=0, atol=1e-12 * size)
    # Half a relief's height above the triangle that bears it: what weights on its corners alone would miss.
    share = volume_shares(mesh, quadrature(mesh, 1e-6), shape_of(mesh))
    missed = share[0][:, 1:4].sum(axis=0) - np.einsum("mc,mci->i", share[1], mesh.vertices[mesh.faces])
    assert np.abs(missed).max() / body.mass > 1e-5 * size


def test_a_hill_higher_than_its_cells_leaves_every_vertex_some_mass():
    """Ten times as high as a cell is thick: no vertex below a tenth of what its cells give, the total still right."""
    thin = bar_cells((0.4, 0.4, 0.01), (4, 4, 1))
    mesh = PatchMesh.from_cells(thin.vertices, thin.cells, (Quadric.ellipsoid((0, 0, 0.005), (0.15, 0.15, np.inf), 0.1),))
    quarter = cell_volumes(thin.vertices, thin.cells) / 4.0
    bare = np.bincount(thin.cells.ravel(), np.repeat(quarter, 4), len(thin.vertices))
    mass = vertex_volumes(mesh)
    assert (mass >= (0.1 - 1e-12) * bare).all() and abs(mass.sum() / mesh.volume() - 1.0) <= 1e-12


def test_volume_changes_as_its_gradient_says_when_deformed():
    """Central differences along random directions; the error of a step h is h^2/6 times a third derivative of order V."""
    for mesh in (PatchMesh.sphere(0.5), PatchMesh.car_body(1.0)):
        x = deformed(mesh, 3)
        value, gradient = volume_and_gradient(mesh, x)
        rng, h = np.random.default_rng(4), 1e-5
        for _ in range(4):
            step = h * rng.normal(size=x.shape)
            measured = mesh.volume(x + step) - mesh.volume(x - step)
            scale = np.linalg.norm(gradient) * np.linalg.norm(step)
            assert abs(0.5 * measured - (gradient * step).sum()) <= 1e-6 * scale
        # a body moved or turned as a whole keeps its volume
        assert np.abs(gradient.sum(axis=0)).max() <= 1e-12 * np.abs(gradient).sum()
        assert np.abs(np.cross(x - x.mean(axis=0), gradient).sum(axis=0)).max() <= 1e-12 * np.abs(gradient).sum()
        assert value > 0.0


def test_a_coarse_rule_is_good_enough_for_a_solver():
    """The points of tolerance 1e-3 give the relief's volume to a part in a thousand, at rest and deformed."""
    mesh = PatchMesh.car_body(1.0)
    for shape in (shape_of(mesh), shape_of(mesh, deformed(mesh, 7))):
        coarse = volume_shares(mesh, quadrature(mesh, 1e-3), shape)[0][:, 0]
        fine = volume_shares(mesh, quadrature(mesh, 1e-6), shape)[0][:, 0]
        assert np.abs(coarse - fine).sum() <= 2e-3 * np.abs(fine).sum()
