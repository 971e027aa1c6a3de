"""Cracks, tessellations and rays. Oracles: both sides of an edge, trimesh, distances to triangles, spheres."""

import numpy as np
import pytest
import trimesh
from test_patch_measures import deformed, sheet

from pliant.patch.cast import points_at
from pliant.patch.measure import quadrature, shape_of, volume_and_gradient, volume_shares
from pliant.patch.surface import heights_of, samples_at, surface_of
from pliant.scene.errors import SceneError
from pliant.scene.patch import PatchMesh, Quadric

MESHES = {
    "ball": lambda: PatchMesh.sphere(0.5),
    "car": lambda: PatchMesh.car_body(),
    "sheet": lambda: sheet(Quadric.ellipsoid((0.3, 0.1, 0.0), (0.5, 0.4, 0.6), 0.2)),
}


def patch_points(mesh, face, place, positions=None):
    """Points [m] of the surface at places of faces, in the order given."""
    surface = surface_of(mesh)
    order = np.argsort(face, kind="stable")
    samples = heights_of(surface, samples_at(face, place, np.zeros(len(face)), len(mesh.faces)), mesh)
    out = np.empty((len(face), 3))
    out[order] = points_at(surface, shape_of(mesh, positions), samples)[0]
    return out


@pytest.mark.parametrize("name", MESHES)
def test_no_crack_at_rest_or_deformed(name):
    mesh = MESHES[name]()
    one, two, i, j = surface_of(mesh).edges.T
    rng = np.random.default_rng(2)
    along = rng.uniform(0.0, 1.0, (len(one), 1))
    rows = np.arange(len(one))
    weights = []
    for side, s in ((i, along[:, 0]), (j, 1.0 - along[:, 0])):
        weight = np.zeros((len(one), 3))
        weight[rows, side], weight[rows, (side + 1) % 3] = 1.0 - s, s
        weights.append(weight[:, 1:])
    for positions in (None, deformed(mesh, 1, 0.05), deformed(mesh, 2, 0.2)):
        a = patch_points(mesh, one.astype(np.int32), weights[0], positions)
        b = patch_points(mesh, two.astype(np.int32), weights[1], positions)
        assert len(a) and np.abs(a - b).max() <= 1e-12  # asked for: 1e-9


def test_a_crumpled_mesh_stays_finite():
    """Vertices thrown at random, one triangle folded onto itself, all vertices in one point: nothing is infinite."""
    mesh = MESHES["car"]()
    rng = np.random.default_rng(6)
    thrown = rng.normal(size=mesh.vertices.shape)
    folded = mesh.vertices.copy()
    folded[mesh.faces[0][0]] = folded[mesh.faces[0][1]]
    drawn = mesh.tessellate(0.02)
    for x in (thrown, folded, np.zeros_like(thrown)):
        points, normals = drawn.deformed(x)
        value, gradient = volume_and_gradient(mesh, x)
        assert np.isfinite(points).all() and np.isfinite(normals).all()
        assert np.isfinite(value) and np.isfinite(gradient).all() and np.isfinite(mesh.area(x))


@pytest.mark.parametrize("name", ("ball", "car"))
@pytest.mark.parametrize("tolerance", (0.1, 0.03, 0.004))
def test_a_tessellation_is_closed_and_as_near_as_asked(name, tolerance):
    mesh = MESHES[name]()
    drawn = mesh.tessellate(tolerance)
    other = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False)
    assert other.is_watertight and other.is_winding_consistent and other.euler_number == 2
    assert drawn.error <= tolerance
    moved, normals = drawn.deformed(deformed(mesh, 3))
    assert np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() <= 1e-12
    assert trimesh.Trimesh(moved, drawn.triangles, process=False).is_watertight
    rng = np.random.default_rng(5)
    for face in rng.choice(len(mesh.faces), 12, replace=False):
        place = rng.dirichlet((1, 1, 1), 40)[:, 1:]
        point = patch_points(mesh, np.full(40, face, np.int32), place)
        mine = drawn.vertices[drawn.triangles[drawn.face == face]]
        pairs = np.repeat(point, len(mine), axis=0)
        nearest = trimesh.triangles.closest_point(np.tile(mine, (40, 1, 1)), pairs)
        distance = np.linalg.norm(nearest - pairs, axis=1).reshape(40, -1).min(axis=1)
        # an edge may be coarser than its face: both are within the tolerance, their difference within two
        assert distance.max() <= 2.0 * tolerance


def test_faces_cut_unevenly_still_meet():
    """A cube with one broad and one narrow bump at its edges: closed at every tolerance."""
    broad = Quadric.ellipsoid((0.5, 0.1, 0.5), (0.5, 0.6, 0.6), 0.1)
    narrow = Quadric.ellipsoid((0.0, 0.48, 0.1), (0.1, 0.1, 0.2), 0.05)
    mesh = PatchMesh.from_mesh(trimesh.creation.box((1.0, 1.0, 1.0)), [broad, narrow])
    counts = set()
    for tolerance in np.geomspace(0.2, 0.002, 14):
        drawn = mesh.tessellate(tolerance)
        other = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False)
        assert other.is_watertight and other.is_winding_consistent and other.euler_number == 2 and drawn.error <= tolerance
        counts |= set(np.bincount(drawn.face))
    assert len(counts) > 10


def test_the_tessellation_converges_to_the_volume():
    """Chords leave out a volume of second order: a quarter of the tolerance, at most a quarter of the error, and slack."""
    mesh = MESHES["ball"]()
    exact = mesh.volume()
    errors = []
    for tolerance in (4e-2, 1e-2, 2.5e-3):
        drawn = mesh.tessellate(tolerance)
        volume = trimesh.Trimesh(drawn.vertices, drawn.triangles, process=False).volume
        errors.append(exact - volume)
        assert 0.0 < errors[-1] <= 1.05 * mesh.area() * drawn.error
    assert errors[2] < 0.3 * errors[1] < 0.09 * errors[0] * 1.2


@pytest.mark.parametrize("name", ("ball", "car"))
def test_the_deformed_volume_is_that_of_the_deformed_picture(name):
    """The volume inside fine triangles that follow the vertices; chords miss at most their error times the area."""
    mesh = MESHES[name]()
    drawn = mesh.tessellate(5e-4)
    for seed in (1, 2, 3):
        x = deformed(mesh, seed)
        other = trimesh.Trimesh(drawn.deformed(x)[0], drawn.triangles, process=False)
        assert abs(mesh.volume(x) - other.volume) <= 1.5 * drawn.error * other.area
        assert abs(mesh.area(x) / other.area - 1.0) <= 5e-3
        flat = trimesh.Trimesh(x, mesh.faces, process=False).volume
        assert abs(mesh.volume(x) - flat) > 5.0 * abs(mesh.volume(x) - other.volume)  # the base alone is no match


def test_creases_are_those_of_a_flat_sided_body_and_none_in_a_flat_sheet():
    """A cube's twelve edges of a right angle, by their vertices, and the diagonals of its sides; sheared by one the edges
    along y meet at 45 and 135 degrees between normals."""
    cube = PatchMesh.from_mesh(trimesh.creation.box((1.0, 1.0, 1.0)))
    found = cube.creases()
    length = np.linalg.norm(np.diff(cube.vertices[found.edges], axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(found.angles, np.where(length < 1.1, np.pi / 2, 0.0), atol=1e-7)
    assert sorted(np.round(length**2)) == [1.0] * 12 + [2.0] * 6
    for edge, faces in zip(found.edges, found.faces, strict=True):
        assert all(set(edge) <= set(cube.faces[f]) for f in faces) and faces[0] != faces[1]
    sheared = cube.vertices + np.outer(cube.vertices[:, 2], (1.0, 0.0, 0.0))
    along = np.abs(np.diff(cube.vertices[found.edges], axis=1)[:, 0])
    of_y = (along > 0.5) @ [1, 2, 4] == 2
    np.testing.assert_allclose(np.sort(cube.creases(sheared).angles[of_y]), np.radians([45.0, 45.0, 135.0, 135.0]), atol=1e-7)
    plain = MESHES["sheet"]()
    assert plain.creases().angles.max() <= 1e-6  # equal normals: smooth across the edge
    drawn = cube.tessellate(0.1)
    np.testing.assert_allclose(drawn.creases, found.angles, atol=1e-7)
    np.testing.assert_allclose(drawn.normals, 2.0 * drawn.vertices / np.sqrt(3.0), atol=1e-14)  # the mean by angle


def test_a_small_bump_on_a_large_face_is_not_overlooked():
    """A bump 1/18 as wide as its face, by closed form, by rays and in the picture; a narrower one is refused."""
    mesh = sheet(Quadric.ellipsoid((0.137, 0.411, 0.0), (0.08, 0.08, np.inf), 0.02))
    moments, _ = volume_shares(mesh, quadrature(mesh, 1e-6), shape_of(mesh))
    assert abs(moments[:, 0].sum() / (0.02 * np.pi * 0.08**2 / 4.0) - 1.0) <= 1e-5
    drawn = mesh.tessellate(2e-3)
    assert drawn.error <= 2e-3 and abs(drawn.vertices[:, 2].max() - 0.02) <= 4e-3
    hits = mesh.cast([[-2.0, 0.411, 0.015], [-2.0, 0.411, 0.0201]], (1.0, 0.0, 0.0))
    x = 0.08 * np.sqrt(1.0 - (0.015 / 0.02) ** (1.0 / 3.0))  # where the bump is 15 mm high
    assert abs(hits.distance[0] - (2.137 - x)) <= 1e-9 and hits.face[1] == -1
    with pytest.raises(SceneError, match=r"quadric 0 is .* times narrower than face"):
        sheet(Quadric.ellipsoid((0.1, 0.4, 0.0), (0.01, 0.04, np.inf), 0.02)).check()


def test_rays_meet_a_ball_where_they_meet_a_sphere():
    """The ball is within 1e-4 of the sphere: a ray that meets it at the angle c is within 1e-4/c."""
    mesh = PatchMesh.sphere(1.0)
    rng = np.random.default_rng(1)
    along = rng.normal(size=(600, 3))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    origin = -3.0 * along + 0.7 * rng.normal(size=along.shape)
    hits = mesh.cast(origin, along)
    b = (origin * along).sum(axis=1)
    inside = b * b - (origin * origin).sum(axis=1) + 1.0
    sure, never = (inside > 0.01) & (np.linalg.norm(origin, axis=1) > 1.1), inside < -0.01
    assert sure.sum() > 200 and never.sum() > 50
    assert (hits.face[sure] >= 0).all() and (hits.face[never] < 0).all() and np.isinf(hits.distance[never]).all()
    cosine = np.sqrt(inside[sure])
    assert (np.abs(hits.distance[sure] - (-b[sure] - cosine)) <= 1e-4 / cosine * 1.5).all()
    angle = np.linalg.norm(np.cross(hits.normal[sure], hits.position[sure]), axis=1)
    assert angle.max() <= np.radians(0.2)


@pytest.mark.parametrize("positions", (None, "deformed"))
def test_every_meeting_is_on_the_surface(positions):
    """Parallel rays all over the car, many of them grazing its outline: the point at the place found is the point met."""
    mesh = MESHES["car"]()
    x = None if positions is None else deformed(mesh, 4, 0.02)
    middle = np.zeros(3) if x is None else x.mean(axis=0)
    along = np.array([-0.77, 0.54, -0.34])
    right = np.cross(along, (0.0, 0.0, 1.0))
    up = np.cross(right, along)
    s, t = np.meshgrid(np.linspace(-3.0, 3.0, 120), np.linspace(-2.0, 2.0, 80))
    origin = middle - 8.0 * along + s[..., None] * right + t[..., None] * up
    hits = mesh.cast(origin.reshape(-1, 3), along, x)
    met = hits.face >= 0
    assert met.sum() > 1200
    np.testing.assert_allclose(patch_points(mesh, hits.face[met], hits.place[met], x), hits.position[met], atol=1e-8)


def test_no_ray_passes_between_patches():
    mesh = PatchMesh.sphere(1.0)
    corner = mesh.vertices[mesh.faces]
    aims = np.concatenate([mesh.vertices[:12], (corner + np.roll(corner, 1, axis=1)).reshape(-1, 3) / 2.0])
    assert (mesh.cast(3.0 * aims, -aims).face >= 0).all()


@pytest.mark.parametrize(("radius", "away"), [(0.1, 0.0), (0.1, 100.0), (0.1, 1000.0), (1e-3, 1.0)])
def test_rays_meet_a_ball_that_is_far_from_the_origin(radius, away):
    """All of 4000 through its middle, as near to the sphere as they do at the origin (1e-4 R) and rounding leaves.

    A quadric knows x only through (x/R)^2, that is by 2^-52 (away/R)^2 of R; 8 % went through at a distance of 1 km.
    """
    plain = PatchMesh.sphere(radius, 80)
    own = plain.quadrics[0]
    mesh = PatchMesh(plain.vertices + away, plain.faces,
                     (Quadric.ellipsoid((away,) * 3, (1.0 / np.sqrt(-own.matrix[0, 0]),) * 3, own.amplitude),))
    along = np.random.default_rng(0).normal(size=(4000, 3))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    hits = mesh.cast(5.0 * radius * along + away, -along)
    rounding = 3.0 * 2.0**-52 * (away / radius) ** 2
    assert np.abs(hits.distance / radius - 4.0).max() < 1e-4 + 10.0 * rounding


@pytest.mark.parametrize("positions", (None, "deformed"))
def test_rays_agree_with_the_tessellation(positions):
    """Möller and Trumbore's test on fine triangles; a ray at an angle c to the surface may differ by the error over c."""
    mesh = MESHES["car"]()
    drawn = mesh.tessellate(1e-3)
    x = None if positions is None else deformed(mesh, 9, 0.02)
    points = drawn.vertices if x is None else drawn.deformed(x)[0]
    rng = np.random.default_rng(4)
    middle = points.mean(axis=0)
    away = rng.normal(size=(60, 3))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    origin = middle + 8.0 * away
    target = middle + 0.25 * rng.normal(size=(60, 3)) * np.ptp(points, axis=0)
    along = (target - origin) / np.linalg.norm(target - origin, axis=1, keepdims=True)
    hits = mesh.cast(origin, along, x)
    a, b, c = (points[drawn.triangles[:, k]] for k in range(3))
    compared = 0
    for r in range(60):
        h = np.cross(along[r], c - a)
        det = (h * (b - a)).sum(axis=1)
        s = origin[r] - a
        with np.errstate(divide="ignore", invalid="ignore"):
            u, q = (s * h).sum(axis=1) / det, np.cross(s, b - a)
            v, t = q @ along[r] / det, (q * (c - a)).sum(axis=1) / det
        met = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
        if hits.face[r] < 0 and not met.any():
            continue
        if hits.face[r] < 0 or not met.any():
            raise AssertionError(f"ray {r} meets only one of the two")
        grazing = abs(hits.normal[r] @ along[r])
        if grazing > 0.2:
            # the error, once for the picture's chords and once for their growth by the deformation
            assert abs(t[met].min() - hits.distance[r]) <= 2.0 * drawn.error / grazing
            compared += 1
    assert compared > 30
