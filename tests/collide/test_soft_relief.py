"""The relief of patches touches where it stands out: against the patches' own points, and against the bare triangles."""

import numpy as np
import pytest
from convex_calls import random_quaternion, rotation
from soft_calls import Tables

from pliant.collide.soft.persist import FEATURES, POINT_BODY, VERTEX_BODY
from pliant.collide.soft.relief import relief_points
from pliant.model.shapes import PLANE, SPHERE
from pliant.patch.cast import points_at
from pliant.patch.measure import shape_of
from pliant.patch.surface import heights_of, lattice_samples, samples_at, surface_of
from pliant.scene.patch import PatchMesh, Quadric

DT = 0.01


def bumpy(amplitude=0.2) -> PatchMesh:
    """A square of two triangles with a hill."""
    corner = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return PatchMesh(corner, [[0, 1, 2], [0, 2, 3]], (Quadric.ellipsoid((0.3, 0.1, 0.0), (0.5, 0.4, 0.6), amplitude),))


def points_of(mesh, vertices):
    """The points of the relief over deformed vertices, as the patches themselves place them."""
    relief, surface = relief_points(mesh), surface_of(mesh)
    samples = samples_at(relief.face, relief.weight[:, 1:], np.zeros(len(relief.face)), len(mesh.faces))
    return points_at(surface, shape_of(mesh, vertices), heights_of(surface, samples, mesh))[0]


def gap_to(mesh, ball) -> float:
    """How far the relief is from a place [m], by 200 pieces a side: they miss less than 1e-4 of what four a side do."""
    surface = surface_of(mesh)
    samples = lattice_samples(mesh, surface, np.arange(len(mesh.faces)), 200)
    return float(np.linalg.norm(points_at(surface, shape_of(mesh), samples)[0] - ball, axis=1).min())


def kinds_of(rows):
    return rows.key // (2 * FEATURES**2)


def test_points_are_those_of_the_patches_in_any_shape():
    """Oracle: the patches' own evaluation over the same deformed vertices; a plane above all of them, which looks at their
    lower sides. Upper ones touch where they are, to rounding; of others what is around them, as far as that bends."""
    random = np.random.default_rng(3)
    mesh = PatchMesh.sphere(0.5)
    for amount in (0.0, 0.02, 0.05):
        turn = rotation(random_quaternion(random))
        vertices = (mesh.vertices + amount * random.normal(size=mesh.vertices.shape)) @ turn.T
        tables = Tables()
        tables.shape(0, PLANE, position=(0.0, 0.0, 5.0))
        tables.thing(vertices, mesh.faces, closed=1, offset=0.003)
        tables.build(capacity=20000, rest=np.vstack([np.zeros((1, 3)), mesh.vertices]), meshes=[mesh])
        tables.detect(DT)
        rows = tables.rows()
        mine = kinds_of(rows) == POINT_BODY
        wanted, relief = points_of(mesh, vertices), relief_points(mesh)
        assert mine.sum() == len(wanted) > 100
        lower = wanted[:, 2] - 5.0 - 0.003 - rows.separation[mine]
        beside = np.linalg.norm((rows.position[mine] - wanted)[:, :2], axis=1)
        assert (beside <= relief.reach * (1.0 + 1e-12)).all()
        assert lower.min() > -1e-12 and (lower <= 0.5 * beside + 1e-12).all()  # by half of the slope, which is below one
        stays = beside < 1e-12
        assert stays.sum() > 0.5 * len(wanted) and np.abs(lower[stays]).max() < 1e-12
        assert (stays.sum() < len(wanted)) == (amount == 0.0), "what is flatter than at rest somewhere touches by its points"


def test_a_ball_of_patches_rests_on_its_relief_and_not_on_its_triangles():
    """Oracle: a sphere's radius. Its triangles are inside by 5 % and more; the relief is a sphere within 1e-3 of the radius,
    and that is what touches, however its points lie: they would miss its lowest place by the sagitta of 0.05 m, 0.6 mm."""
    mesh, random = PatchMesh.sphere(0.5), np.random.default_rng(5)
    bare = []
    for _ in range(5):
        vertices = mesh.vertices @ rotation(random_quaternion(random)).T + [0.0, 0.0, 0.5]
        tables = Tables()
        tables.shape(0, PLANE)
        tables.thing(vertices, mesh.faces, closed=1, offset=0.0)
        tables.build(capacity=20000, rest=np.vstack([np.zeros((1, 3)), mesh.vertices]), meshes=[mesh])
        tables.motion.velocity[1:, 2] = -10.0
        tables.detect(DT)
        rows = tables.rows()
        lowest = rows.separation[kinds_of(rows) == POINT_BODY].min()
        assert -1e-3 * 0.5 < lowest < 1e-3 * 0.5
        by_vertex = rows.separation[kinds_of(rows) == VERTEX_BODY]
        bare.append(by_vertex.min() if len(by_vertex) else 0.1)
        assert bare[-1] > lowest + 0.02


def test_a_hill_on_a_part_of_a_cell_has_points():
    """Oracle: its height over the face, 1 cm, as the quadric says. At its foot points beside each other stand on edge."""
    corner = np.array([(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)], float)
    hill = Quadric.ellipsoid((0.1, 0.1, 0), (0.05, 0.05, 0.05), 0.01)
    relief = relief_points(PatchMesh.from_cells(corner, [[0, 1, 2, 3]], (hill,)))
    assert len(relief.face) and all(np.isfinite(column).all() for column in relief)
    assert 0.005 < relief.height.max() <= 0.01


def test_a_body_meets_the_hill_before_the_plain():
    """Oracle: a ball over the top of a hill of a flat square, its gap to the hill by many more points, to a fifth of what the
    few miss: they take it to bend as much every way."""
    mesh = bumpy()
    wanted = points_of(mesh, mesh.vertices)
    top = wanted[wanted[:, 2].argmax()]
    assert top[2] > 0.05
    for meshes, count in (([mesh], 1), ([None], 0)):
        tables = Tables()
        ball = tables.mover(top + np.array([0.0, 0.0, 0.3]))
        tables.shape(ball, SPHERE, (0.3,))
        tables.thing(mesh.vertices, mesh.faces, offset=0.001)
        tables.build(meshes=meshes)
        tables.detect(DT)
        rows = tables.rows()
        assert min(len(rows.key), 1) == count
        if count:
            ball = tables.motion.position[ball]
            missed = np.linalg.norm(wanted - ball, axis=1).min() - gap_to(mesh, ball)
            assert rows.separation.min() == pytest.approx(gap_to(mesh, ball) - 0.301, abs=0.2 * missed)


def test_a_hollow_of_a_solid_is_hollow():
    """Oracle: a dent in a face of a solid, and a ball that fits in it: the bare triangles would push it out."""
    corner = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, -2.0]])
    faces = [[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]
    dent = Quadric.ellipsoid((0.3, 0.1, 0.0), (0.5, 0.4, 0.6), -0.2)
    mesh = PatchMesh(corner, faces, (dent,), shares=[[0], [0], [], [], [], []])
    wanted = points_of(mesh, mesh.vertices)
    bottom = wanted[wanted[:, 2].argmin()]
    assert bottom[2] < -0.05
    for meshes, touches in (([mesh], False), ([None], True)):
        tables = Tables()
        ball = tables.mover((bottom[0], bottom[1], 0.03))
        tables.shape(ball, SPHERE, (0.04,))
        tables.thing(mesh.vertices, mesh.faces, closed=1, offset=0.0)
        tables.build(meshes=meshes)
        tables.detect(DT)
        gap = np.linalg.norm(wanted - tables.motion.position[ball], axis=1).min() - 0.04
        assert (gap > tables.skin.slop[0]) and (tables.rows().separation < 0.0).any() == touches
