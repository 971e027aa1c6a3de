"""Soft things meet each other at the relief of their patches: gaps by closed forms, and what patches bear of a contact."""

import numpy as np
import pytest
from convex_calls import random_quaternion, rotation
from soft_calls import Tables, sheet

from pliant.scene.patch import PatchMesh, Quadric

DT = 0.01
RADIUS = 0.5
ROUND = 1e-3 * RADIUS
"""A sphere of patches is one to this [m]."""


def two_balls(random, gap, meshes=True) -> tuple[Tables, PatchMesh]:
    """Two balls of twenty patches, each turned somehow, `gap` [m] apart, and coming towards each other."""
    mesh = PatchMesh.sphere(RADIUS)
    along = random.normal(size=3)
    along /= np.linalg.norm(along)
    tables = Tables()
    for side in (-1.0, 1.0):
        at = mesh.vertices @ rotation(random_quaternion(random)).T + side * (RADIUS + 0.5 * gap) * along
        tables.thing(at, mesh.faces, np.tile(-2.0 * side * along, (len(at), 1)), closed=1, offset=0.0)
    rest = np.vstack([np.zeros((1, 3)), mesh.vertices, mesh.vertices])
    tables.build(capacity=20000, rest=rest, meshes=[mesh, mesh] if meshes else [])
    tables.detect(DT)
    return tables, mesh


@pytest.mark.parametrize("gap", [-0.01, 0.0, 0.02])
def test_two_balls_of_patches_are_as_far_apart_as_balls(gap):
    """Oracle: two radii, to how round the balls are and twice as much again: between corners l = 0.3 R apart the relief is
    taken for parabolas, which err by l^4 / R^3 / 8. The patches' own triangles are 0.2 R farther apart."""
    random = np.random.default_rng(7)
    for _ in range(6):
        tables, _ = two_balls(random, gap)
        assert abs(tables.rows().separation.min() - gap) < 4.0 * ROUND
        bare, _ = two_balls(random, gap, meshes=False)
        assert bare.rows().separation.min(initial=1.0) > gap + 0.05 * RADIUS


def test_contacts_of_a_relief_are_borne_by_its_patches_along_one_line():
    """Oracle: statics. Weights of three corners of one patch add up to one on either side, and what pushes acts along one line
    through both patches, so that no turn comes of it."""
    random = np.random.default_rng(8)
    for _ in range(6):
        tables = two_balls(random, -0.005)[0]
        rows, x = tables.rows(), tables.motion.position
        assert len(rows.key) > 0 and (rows.mover >= 0).all() and (rows.mover < len(x)).all()
        patches = {tuple(sorted(face)) for face in tables.surfaces.face.tolist()}
        for side in (rows.mover[:, :3], rows.mover[:, 3:]):
            assert {tuple(sorted(three)) for three in side.tolist()} <= patches
        assert rows.weight[:, :3].sum(axis=1) == pytest.approx(1.0, abs=1e-12)
        assert rows.weight[:, 3:].sum(axis=1) == pytest.approx(1.0, abs=1e-12)
        places = np.einsum("ksc,kscx->ksx", rows.weight.reshape(-1, 2, 3), x[rows.mover].reshape(-1, 2, 3, 3))
        level = np.cross(places - rows.position[:, None], rows.normal[:, None])
        assert np.abs(level[rows.separation < 0.0]).max() < 1e-12  # but for what is far, where the relief is steep


def test_a_cloth_meets_its_own_hill():
    """Oracle: the height of a hill of a cloth that another part of it comes to lie over, flat and upside down, as in a fold."""
    corner = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    points, faces = sheet(5, 5, 0.4)
    both = np.vstack([[[0, 1, 2], [0, 2, 3]], faces[:, ::-1] + 4])
    mesh = PatchMesh(np.vstack([corner, points + np.array([0.0, 0.0, 3.0])]), both, (Quadric.ellipsoid(
        (0.0, 0.0, 0.0), (0.8, 0.8, np.inf), 0.1),), shares=[[0], [0], *([] for _ in faces)])
    for gap in (0.02, 0.03):
        tables = Tables()
        down = np.where(np.arange(len(mesh.vertices)) < 4, 0.0, -3.0)[:, None] * [0.0, 0.0, 1.0]
        tables.thing(np.vstack([corner, points + np.array([0.0, 0.0, 0.1 + gap])]), mesh.faces, down, itself=1, offset=0.002)
        tables.build(rest=np.vstack([np.zeros((1, 3)), mesh.vertices]), meshes=[mesh])
        tables.detect(DT)
        rows = tables.rows()
        top = rows.separation.argmin()
        assert rows.separation[top] == pytest.approx(gap - 0.004, abs=1e-9)
        assert np.abs(rows.normal[top]) == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)


def test_a_hollow_of_a_solid_is_hollow_for_soft_things():
    """Oracle: a dent in a face of a solid: what lies in it touches nothing, but would be inside the bare triangles."""
    corner = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, -2.0]])
    faces = [[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]
    dent = Quadric.ellipsoid((0.0, 0.0, 0.0), (0.8, 0.8, 0.8), -0.2)
    mesh = PatchMesh(corner, faces, (dent,), shares=[[0], [0], [], [], [], []])
    points, flat = sheet(2, 2, 0.02)
    for meshes, touches in (([mesh], False), ([], True)):
        tables = Tables()
        tables.thing(mesh.vertices, mesh.faces, closed=1, offset=0.0)
        tables.thing(points - [0.0, 0.0, 0.05], flat, offset=0.0)
        tables.build(meshes=meshes)
        tables.detect(DT)
        assert (tables.rows().separation < 0.0).any() == touches


def pair_of_sheets(tables) -> None:
    points, faces = sheet(3, 3, 0.1)
    tables.thing(points + np.array([0.013, 0.007, 5.005]), faces, offset=0.002)
    tables.thing(points + np.array([0.0, 0.0, 5.0]), faces, offset=0.002)


def test_things_without_a_relief_touch_to_the_bit_as_without_one_elsewhere():
    """Oracle: the same two sheets alone."""
    mesh, rows = PatchMesh.sphere(RADIUS), []
    for balls in (0, 2):
        tables = Tables()
        pair_of_sheets(tables)
        for k in range(balls):
            tables.thing(mesh.vertices + np.array([0.99 * k, 0.0, 0.0]), mesh.faces, closed=1, offset=0.0)
        tables.build(meshes=[None, None, *balls * [mesh]])
        tables.detect(DT)
        mine = tables.rows().mover[:, 3] < 33
        rows.append([column[mine] for column in tables.rows()[2:]])
        assert balls == 0 or not mine.all()
    assert len(rows[0][0]) > 0
    for one, other in zip(*rows, strict=True):
        np.testing.assert_array_equal(one, other)


def test_relief_over_tied_vertices_does_not_touch():
    """Oracle: two balls that overlap at a vertex each: tied there, the patches around it let each other pass, others do not."""
    mesh = PatchMesh.sphere(RADIUS)
    low = int((mesh.vertices @ mesh.vertices[0]).argmin())
    counts = []
    for tied in (False, True):
        tables = Tables()
        first = tables.thing(mesh.vertices, mesh.faces, closed=1, offset=0.0)
        second = tables.thing(mesh.vertices + 0.98 * (mesh.vertices[0] - mesh.vertices[low]), mesh.faces, closed=1, offset=0.0)
        tables.build(excluded=[(first, second + low)] if tied else [], meshes=[mesh, mesh])
        tables.detect(DT)
        counts.append(len(tables.rows().key))
    assert counts[0] > 0 and counts[1] == 0
