"""Vertices inside closed soft things and at their corners: pushed out the nearest way, to the right side."""

import numpy as np
import pytest
from soft_calls import Tables
from test_soft_pairs import DT, kinds_of
from test_soft_points import to_triangle

from pliant.collide.soft.persist import VERTEX_FACE
from pliant.model.soft_contacts import CLOSED


def ball(levels, radius):
    import trimesh

    mesh = trimesh.creation.icosphere(levels, radius)
    return np.array(mesh.vertices), np.array(mesh.faces)


def test_a_vertex_in_a_solid_is_pushed_out_the_nearest_way():
    """Oracle: the nearest triangle of all, by distance; normals outward."""
    random = np.random.default_rng(4)
    points, faces = ball(2, 0.5)
    inside = 0
    for _ in range(60):
        tables = Tables()
        out = random.normal(size=3)
        out /= np.linalg.norm(out)
        # below the surface of the triangle under it by some, then outside
        depth = random.uniform(-0.04, 0.03)
        tables.thing(points, faces, closed=1, offset=0.005)
        tip = out * (0.49 + depth)
        first = tables.thing(np.array([tip, out * 3 + [0.5, 0, 0], out * 3 - [0, 0.5, 0]]), [[0, 1, 2]], offset=0.005)
        tables.build()
        tables.detect(DT)
        rows = tables.rows()
        distance = [to_triangle(tip, *points[f]) for f in faces]
        near = points[faces[int(np.argmin(distance))]]
        n = np.cross(near[1] - near[0], near[2] - near[0])
        n /= np.linalg.norm(n)
        behind = (tip - near[0]) @ n < 0.0
        mine = np.flatnonzero((rows.mover[:, 3] == first) & (kinds_of(rows) == VERTEX_FACE))
        if behind:
            assert len(mine) == 1 and rows.separation[mine[0]] == pytest.approx(-min(distance) - 0.01, abs=1e-12)
            assert np.abs(rows.normal[mine[0]] - n).max() < 1e-9
            inside += 1
        elif min(distance) < 0.01:
            assert rows.separation[mine].min() == pytest.approx(min(distance) - 0.01, abs=1e-12)
    assert inside > 15


def dented(size, dent):
    """A cube whose top is pressed in at its middle: corners, then that middle; faces counter-clockwise from outside."""
    x = 0.5 * size
    points = [(-x, -x, -x), (x, -x, -x), (x, x, -x), (-x, x, -x), (-x, -x, x), (x, -x, x), (x, x, x), (-x, x, x),
              (0.0, 0.0, x - dent)]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 8), (5, 6, 8), (6, 7, 8), (7, 4, 8)]
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
        faces += [(a, b, b + 4), (a, b + 4, a + 4)]
    return np.array(points), np.array(faces)


@pytest.mark.parametrize("below", [0.003, -0.003])
def test_inside_and_outside_are_told_apart_where_a_corner_is_nearest(below):
    """A tip below the bottom of a dent, or above that of a bump: the corner there is nearest, the sign is that of the side."""
    tables = Tables()
    points, faces = dented(1.0, np.sign(below) * 0.2)
    tables.thing(points, faces, closed=CLOSED, offset=0.0)
    tip = np.array([0.0, 0.0, points[8, 2] - below])
    tables.thing(tip + np.array([(0, 0, 0), (0.1, 0, 0.5), (-0.1, 0.1, 0.5), (-0.1, -0.1, 0.5)]),
                 np.array([(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]), closed=CLOSED, offset=0.0)
    tables.build()
    tables.detect(DT)
    rows = tables.rows()
    at = [k for k in range(len(rows.key)) if kinds_of(rows)[k] == VERTEX_FACE and rows.mover[k, 3] == tables.surfaces.node[9]]
    assert [rows.separation[k] for k in at] == pytest.approx([-below], abs=1e-12)
    np.testing.assert_allclose(rows.normal[at], [(0.0, 0.0, 1.0)], atol=1e-12)


def test_two_equal_cubes_part_upwards_at_their_edges():
    """One stands on the other, corner on corner: every normal between them is upright, from the lower to the upper."""
    tables = Tables()
    for height in (0.0, 1.0):
        points, faces = dented(1.0, 0.0)
        tables.thing(points + np.array([0.0, 0.0, height]), faces, closed=CLOSED, offset=0.0)
    tables.build()
    tables.detect(DT)
    rows = tables.rows()
    first = tables.surfaces.node[tables.surfaces.first_node[1]]
    assert {int(v) for v in rows.mover[kinds_of(rows) == VERTEX_FACE, 3]} >= {*range(first, first + 4)}
    up = np.where(rows.mover[:, 3] >= first, 1.0, -1.0)
    np.testing.assert_allclose(rows.normal, up[:, None] * np.array([(0.0, 0.0, 1.0)]), atol=1e-12)
