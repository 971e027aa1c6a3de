"""Soft against soft and cloth against itself: against all pairs, coal, closed forms, and from step to step."""

import coal
import numpy as np
import pytest
from convex_calls import random_quaternion, rotation
from soft_calls import Tables, sheet
from test_soft_points import to_triangle

from pliant.collide.soft.persist import EDGE_EDGE, FEATURES, VERTEX_FACE

DT = 0.01


def kinds_of(rows):
    return rows.key // (2 * FEATURES**2)


def two_sheets(random, rough, itself=0):
    """Two sheets, crumpled, one over the other."""
    tables, turn = Tables(), rotation(random_quaternion(random))
    for k in range(2):
        points, faces = sheet(7, 6, 0.1)
        points = points + random.normal(size=points.shape) * rough + np.array([0.037, 0.024, 0.02]) * k
        tables.thing(points @ turn.T, faces, random.normal(size=points.shape), offset=(0.004, 0.01)[k], itself=itself)
    return tables


def places(tables, rows, side):
    movers = rows.mover[:, 3 * side:3 * side + 3]
    return np.einsum("kc,kcx->kx", rows.weight[:, 3 * side:3 * side + 3], tables.motion.position[movers])


def gaps_of_vertices(tables):
    """The least gap of each vertex that has a contact with a triangle."""
    rows, out = tables.rows(), {}
    for k in np.flatnonzero(kinds_of(rows) == VERTEX_FACE):
        out[int(rows.mover[k, 3])] = min(float(rows.separation[k]), out.get(int(rows.mover[k, 3]), np.inf))
    return out


@pytest.mark.parametrize("seed", range(5))
def test_each_vertex_meets_the_nearest_point_of_the_other_sheet(seed):
    """Oracle: its distance to every triangle, one by one. A vertex within its margin has a contact at the nearest of them, or
    comes to lie on another in the next step, and has it once it goes the other way."""
    tables = two_sheets(np.random.default_rng(seed), 0.02)
    tables.build()
    tables.detect(DT)
    gaps, surfaces, motion = gaps_of_vertices(tables), tables.surfaces, tables.motion
    motion.velocity[:] *= -1.0
    tables.detect(DT)
    back = gaps_of_vertices(tables)
    thickness, tried = surfaces.offset.sum(), 0
    for k in range(2):
        faces = surfaces.face[surfaces.first_face[1 - k]:surfaces.first_face[2 - k]]
        for v in surfaces.node[surfaces.first_node[k]:surfaces.first_node[k + 1]]:
            nearest = min(to_triangle(motion.position[v], *motion.position[f]) for f in faces) - thickness
            assert gaps.get(int(v), np.inf) > nearest - 1e-12
            if nearest < tables.skin.slop.min():
                assert gaps.get(int(v), back.get(int(v))) == pytest.approx(nearest, abs=1e-12)
                assert int(v) in gaps or 2.0 * DT * np.linalg.norm(motion.velocity, axis=1).max() > nearest > 0.0
                tried += 1
    assert tried > 15


@pytest.mark.parametrize("seed", range(8))
def test_points_normals_and_weights_agree(seed):
    """Oracle: the two points, by weights; the way between them is the distance along the normal. Tolerance: rounding."""
    tables = two_sheets(np.random.default_rng(seed), 0.03, itself=1)
    tables.build()
    tables.detect(DT)
    rows = tables.rows()
    first = tables.surfaces.node[tables.surfaces.first_node[1]]
    offset = np.where(rows.mover[:, [0, 3]] >= first, tables.surfaces.offset[1], tables.surfaces.offset[0])
    a, b = places(tables, rows, 0), places(tables, rows, 1)
    across = np.einsum("kx,kx->k", b - a, rows.normal)
    assert np.abs(across - offset.sum(axis=1) - rows.separation).max() < 1e-12
    assert np.abs(np.linalg.norm(b - a, axis=1) - np.abs(across)).max() < 1e-9
    assert np.abs(rows.weight.reshape(-1, 2, 3).sum(axis=2) - 1.0).max() < 1e-12
    assert (rows.weight >= -1e-12).all() and (np.diff(rows.key) > 0).all() and (rows.shape == -1).all()
    middle = 0.5 * (a + rows.normal * offset[:, :1] + b - rows.normal * offset[:, 1:])
    assert np.abs(middle - rows.position).max() < 1e-12
    assert set(kinds_of(rows)) == {VERTEX_FACE, EDGE_EDGE}
    for mover in rows.mover:
        used = mover[mover >= 0]
        assert len(set(used.tolist())) == len(used)


@pytest.mark.parametrize("seed", range(12))
def test_two_sheets_apart_are_as_near_as_coal_says(seed):
    """Oracle: coal's distance of the two meshes, with a thickness that it fits in; edges of less prominence than the slop
    are left to vertices, which is worth at most the slop."""
    random = np.random.default_rng(100 + seed)
    tables = Tables()
    meshes = []
    for k in range(2):
        points, faces = sheet(5, 5, 0.2)
        points = points @ rotation(random_quaternion(random)).T + random.normal(size=points.shape) * 0.05
        points += np.array([0.0, 0.0, 1.2 * k])
        mesh = coal.BVHModelOBBRSS()
        mesh.beginModel(len(faces), len(points))
        for f in faces:
            mesh.addTriangle(*(points[c] for c in f))
        mesh.endModel()
        meshes.append(mesh)
        tables.thing(points, faces, offset=0.5)
    tables.build(capacity=100000)
    here = coal.Transform3s()
    d = coal.distance(meshes[0], here, meshes[1], here, coal.DistanceRequest(), coal.DistanceResult())
    tables.detect(DT)
    assert d > 0.0
    least = tables.rows().separation.min() + 1.0
    assert d - 1e-9 < least < d + tables.skin.slop.min()


def test_a_vertex_pushed_through_a_sheet_is_kept_on_its_side():
    """Oracle: its height less the thickness, above and below, also as it slides on to the next triangle."""
    tables = Tables()
    tables.thing(*sheet(2, 2, 0.5), offset=0.05)
    first = tables.thing(np.array([[-0.3, -0.2, 0.09], [-0.3, 0.6, 2.0], [0.4, -0.1, 2.0]]), [[0, 1, 2]], offset=0.05)
    tables.build()
    for k, height in enumerate(np.linspace(0.09, -0.08, 18)):
        tables.motion.position[first, 2] = height
        tables.motion.position[first, 0] = -0.3 + 0.02 * k
        tables.detect(DT)
        rows = tables.rows()
        mine = np.flatnonzero(rows.mover[:, 3] == first)
        assert len(mine) == 1 and rows.separation[mine[0]] == pytest.approx(height - 0.1, abs=1e-12)
        assert np.abs(rows.normal[mine[0]] - [0, 0, 1]).max() < 1e-9


def test_crossing_rims_meet_once_and_keep_their_side():
    """Two strips one triangle wide that cross like a plus. Oracle: the four crossings of their rims, at their gap."""
    points, faces = sheet(1, 1, 1.0)
    tables = Tables()
    tables.thing(points * (4.0, 0.4, 1.0), faces, offset=0.01)
    first = tables.thing(points * (0.4, 4.0, 1.0) + (0.0, 0.0, 0.02), faces, offset=0.01)
    tables.build()
    for height in np.linspace(0.021, -0.009, 13):
        tables.motion.position[first:, 2] = height
        assert tables.detect(DT) == 4
        rows = tables.rows()
        assert (kinds_of(rows) == EDGE_EDGE).all()
        assert rows.separation == pytest.approx(height - 0.02, abs=1e-12)
        assert np.abs(rows.normal - [0, 0, 1]).max() < 1e-9
        assert np.abs(np.abs(places(tables, rows, 0)[:, :2]) - 0.2).max() < 1e-12


def test_folded_cloth_touches_itself_layer_on_layer():
    """Oracle: two flat halves at a gap below the thickness, shifted against each other: each vertex over the other half has
    one level contact, at that gap. At the steep faces of the fold there are others."""
    points, faces = sheet(20, 10, 0.05)
    flat = points.copy()
    gap, radius = 0.008, 0.06
    over = points[:, 0] > 0.0
    points[over, 0] = -points[over, 0] - 0.013
    points[over, 2] = gap
    points[over, 1] += 0.017
    points[np.abs(flat[:, 0]) < radius] += (radius, 0.0, 0.5)
    tables = Tables()
    tables.thing(points, faces, itself=1, offset=0.005)
    tables.build(rest=np.vstack([np.zeros((1, 3)), flat]))
    tables.detect(DT)
    rows = tables.rows()
    level = np.abs(np.abs(rows.normal[:, 2]) - 1.0) < 1e-9
    assert rows.separation[level] == pytest.approx(gap - 0.01, abs=1e-12)
    by_vertex = (kinds_of(rows) == VERTEX_FACE) & level
    assert np.count_nonzero(level & ~by_vertex) < 3  # where the rims cross
    met = set(rows.mover[by_vertex, 3].tolist())
    assert len(met) == np.count_nonzero(by_vertex)
    halves = [np.flatnonzero(flat[:, 0] < -radius), np.flatnonzero(flat[:, 0] > radius)]
    for mine, others in (halves, halves[::-1]):
        low, high = points[others].min(axis=0), points[others].max(axis=0)
        within = ((points[mine, :2] > low[:2]) & (points[mine, :2] < high[:2])).all(axis=1)
        assert {int(v) + 1 for v in mine[within]} <= met
    assert len(met) > 140


def test_a_mesh_finer_than_its_thickness_is_left_alone():
    """Oracle: nothing touches in a sheet at rest, flat or bent as a whole, though neighbours are nearer than the thickness."""
    points, faces = sheet(20, 20, 0.01)
    tables = Tables()
    tables.thing(points, faces, itself=1, offset=0.012)
    tables.build()
    assert tables.detect(DT) == 0
    angle = points[:, 0] / 0.1
    tables.motion.position[1:] = np.stack([0.1 * np.sin(angle), points[:, 1], 0.1 * np.cos(angle)], axis=1)
    assert tables.detect(DT) == 0


def test_nothing_depends_on_where_the_things_stand_and_drift():
    """Oracle: the same, turned, shifted, and with a common velocity; tolerance: rounding."""
    random = np.random.default_rng(8)
    tables, moved = two_sheets(random, 0.03, itself=1), Tables()
    turn, shift = rotation(random_quaternion(random)), random.normal(size=3)
    for k in range(2):
        rows = slice(1 + 56 * k, 57 + 56 * k)
        moved.thing(np.array(tables.position[rows]) @ turn.T + shift, sheet(7, 6, 0.1)[1],
                    np.array(tables.velocity[rows]) @ turn.T + [7.0, -3.0, 2.0], offset=(0.004, 0.01)[k], itself=1)
    tables.build()
    moved.build(rest=tables.rest)
    assert tables.detect(DT) == moved.detect(DT) > 50
    one, other = tables.rows(), moved.rows()
    assert (one.key == other.key).all()
    assert np.abs(one.separation - other.separation).max() < 1e-12
    assert np.abs(one.normal @ turn.T - other.normal).max() < 1e-9
    assert np.abs(one.position @ turn.T + shift - other.position).max() < 1e-11


def test_things_without_triangles_touch_nothing():
    """Oracle: the same sheets with and without an empty thing before, between and after them."""
    counts = []
    for empty in (False, True):
        tables = Tables()
        for k in range(2):
            if empty:
                tables.thing(np.full((4, 3), 0.01 * k), np.zeros((0, 3), int), itself=1)
            points, faces = sheet(4, 4, 0.1)
            tables.thing(points + np.array([0.03, 0.02, 0.015]) * k, faces, offset=0.01, itself=1)
        if empty:
            tables.thing(np.zeros((2, 3)), np.zeros((0, 3), int))
        tables.build()
        counts.append(tables.detect(DT))
    assert counts[0] == counts[1] > 20
