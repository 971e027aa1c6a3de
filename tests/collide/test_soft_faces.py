"""Bodies that reach between the vertices of cloth and solids: against coal, closed forms, and from step to step."""

import coal
import numpy as np
import pytest
from convex_calls import KINDS, random_quaternion, random_solid, rotation
from soft_calls import Tables, sheet

from pliant.collide.soft.faces import BETTER
from pliant.collide.soft.persist import CORNER_BODY, FACE_BODY, FEATURES, VERTEX_BODY
from pliant.model.bodies import FIXED
from pliant.model.shapes import BOX, CAPSULE, FIELD, SPHERE

DT = 0.01
OFFSET = 0.01


def kinds_of(rows):
    return rows.key // (2 * FEATURES**2)


def coal_distance(solid, turn, centre, corners):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-8, 1000
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for p in corners:
        points.append(p)
    triangles.append(coal.Triangle(0, 1, 2))
    triangle = coal.Convex(points, triangles)
    return coal.distance(solid.coal(), coal.Transform3s(turn, centre), triangle, coal.Transform3s(), request, result)


@pytest.mark.parametrize("kind", KINDS)
def test_the_nearest_point_has_a_contact_and_none_is_nearer(kind):
    """Oracle: coal's distance of body and triangle; what lies between vertices may be left out by BETTER of the slop.

    1e-6 is allowed to coal, a hundred times what it is asked for. What comes to lie on another face (test_soft_vertices.py) is
    met by its nearest point once it goes the other way.
    """
    random = np.random.default_rng(kind)
    inside = 0
    for _ in range(150):
        solid, q = random_solid(kind, random), random_quaternion(random)
        corners = random.uniform(-1.5, 1.5, (3, 3))
        tables, centre = Tables(), random.uniform(-0.7, 0.7, 3)
        body = tables.mover(centre, q)
        tables.shape(body, kind, solid.size, points=solid.hulls.vertex)
        tables.thing(corners, [[0, 1, 2]], offset=OFFSET)
        tables.build()
        d = coal_distance(solid, rotation(q), centre, corners)
        if d < 0.01:
            continue
        # as fast as takes them just out of reach, or just within it
        speed = (d - OFFSET - tables.skin.slop[0]) / DT
        towards = random_quaternion(random)[:3]
        if not tables.detect.stout:
            continue  # what is thin has contacts of its own (test_soft_rods.py)
        for share in (0.99, 1.01):
            tables.motion.velocity[body] = towards / np.linalg.norm(towards) * speed * share
            count, rows = tables.detect(DT), tables.rows()
            if d > OFFSET + tables.skin.slop[0] + 0.01 and share < 1.0:
                assert count == 0
        if d > OFFSET + tables.skin.slop[0]:
            tables.motion.velocity[body] *= 1.1
            tables.detect(DT)
        rows = tables.rows()
        if not len(rows.key) or (kinds_of(rows)[rows.separation.argmin()] == VERTEX_BODY
                                 and rows.separation.min() < d - OFFSET - 1e-6):
            tables.motion.velocity[body] *= -1.0
            tables.detect(DT)
            rows = tables.rows()
        assert rows.separation.min() > d - OFFSET - 1e-6
        assert rows.separation.min() < d - OFFSET + BETTER * tables.skin.slop[0] + 1e-6
        nearest = rows.separation.argmin()
        inside += kinds_of(rows)[nearest] != VERTEX_BODY
        place = rows.weight[nearest, 3:] @ tables.motion.position[rows.mover[nearest, 3:]]
        middle = place - rows.normal[nearest] * (OFFSET + 0.5 * rows.separation[nearest])
        assert np.linalg.norm(middle - rows.position[nearest]) < 1e-6
    assert inside > 15


def test_a_ball_pushed_through_a_sheet_is_kept_on_its_side():
    """Oracle: the height of the centre less radius and offset, above and below the sheet; tolerance: rounding."""
    tables = Tables()
    ball = tables.mover((0.13, 0.07, 0.2))
    tables.shape(ball, SPHERE, (0.1,))
    tables.thing(*sheet(1, 1, 1.0), offset=OFFSET)
    tables.build()
    for height in np.linspace(0.11, -0.095, 42):
        tables.motion.position[ball, 2] = height
        assert tables.detect(DT) == 1
        rows = tables.rows()
        assert rows.separation[0] == pytest.approx(height - 0.1 - OFFSET, abs=1e-12)
        assert np.abs(rows.normal[0] - [0, 0, -1]).max() < 1e-12
        assert rows.weight[0, 3:].sum() == pytest.approx(1.0, abs=1e-12) and (rows.age[0] > 0 or height == 0.11)
    tables.motion.position[ball, 2] = -0.3
    assert tables.detect(DT) == 0
    tables.motion.position[ball, 2] = -0.11
    tables.detect(DT)
    assert np.abs(tables.rows().normal[0] - [0, 0, 1]).max() < 1e-12


def test_a_fast_ball_is_met_before_it_passes():
    """Oracle: half a metre above the sheet and 60 m/s, which is more than half a metre a step."""
    tables = Tables()
    ball = tables.mover((0.13, 0.07, 0.5), velocity=(0, 0, -60.0))
    tables.shape(ball, SPHERE, (0.05,))
    tables.thing(*sheet(1, 1, 1.0), offset=OFFSET)
    tables.build()
    assert tables.detect(DT) >= 1
    rows = tables.rows()
    row = kinds_of(rows).tolist().index(FACE_BODY)
    assert rows.separation[row] == pytest.approx(0.5 - 0.05 - OFFSET, abs=1e-12) and rows.normal[row, 2] == -1.0


def test_a_box_stands_on_its_corners():
    """Oracle: a level box over two large triangles, with four corners at one height and none else."""
    tables = Tables()
    tables.shape(tables.mover((0.1, 0.0, 0.21)), BOX, (0.15, 0.1, 0.2))
    tables.thing(*sheet(1, 1, 2.0), offset=OFFSET)
    tables.build()
    for height in (0.21, 0.2, 0.1):
        tables.motion.position[1, 2] = height
        assert tables.detect(DT) == 4
        rows = tables.rows()
        assert (kinds_of(rows) == CORNER_BODY).all()
        assert rows.separation == pytest.approx(height - 0.2 - OFFSET, abs=1e-12)
        corners = np.array([0.1, 0.0, 0.0]) + np.array([0.15, 0.1, 0.0]) * [[x, y, 0] for x in (-1, 1) for y in (-1, 1)]
        places = np.einsum("kc,kcx->kx", rows.weight[:, 3:], tables.motion.position[rows.mover[:, 3:]])
        assert np.abs(np.sort(places, axis=0) - np.sort(corners, axis=0)).max() < 1e-12


def test_a_rod_across_an_edge_is_held_once():
    """A capsule over the edge that two triangles share. Oracle: one contact, on the edge, not one of each triangle."""
    tables = Tables()
    tables.shape(tables.mover((0.0, 0.0, 0.105), (np.cos(np.pi / 4), np.sin(np.pi / 4) * np.sqrt(0.5),
                                                -np.sin(np.pi / 4) * np.sqrt(0.5), 0)), CAPSULE, (0.1, 0.05))
    points, faces = sheet(1, 1, 2.0)
    points[[1, 2], 2] = -0.2  # the shared edge is a ridge from corner 0 to corner 3
    tables.thing(points, faces, offset=0.001)
    tables.build()
    tables.detect(DT)
    rows = tables.rows()
    assert (kinds_of(rows) == FACE_BODY).all() and len(rows.key) == 1
    assert np.count_nonzero(rows.weight[0, 3:] > 1e-9) == 2
    assert rows.separation[0] == pytest.approx(0.105 - 0.1 - 0.001, abs=1e-9)


def test_solids_are_felt_from_outside_alone():
    """Oracle: a tetrahedron larger than the ball, touched from outside, then with the ball inside it."""
    points = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2.0]])
    faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    out = np.ones(3) / np.sqrt(3)
    for depth, count in ((0.09, 1), (-0.2, 0)):
        tables = Tables()
        tables.shape(tables.mover(np.full(3, 2 / 3) + out * depth), SPHERE, (0.1,))
        tables.thing(points, faces, closed=1, offset=0.0)
        tables.build()
        assert tables.detect(DT) == count
        if count:
            assert np.abs(tables.rows().normal[0] + out).max() < 1e-12
            assert tables.rows().separation[0] == pytest.approx(depth - 0.1, abs=1e-12)


def test_a_peak_carries_the_triangle_over_it():
    """Oracle: a single raised corner of a field under the middle of a triangle larger than the field's cells."""
    heights = np.zeros((5, 5))
    heights[2, 2] = 0.3
    tables = Tables()
    tables.shape(0, FIELD, (2.0, 2.0), heights=heights)
    points, faces = sheet(1, 1, 1.6)
    tables.thing(points + np.array([0.1, 0.2, 0.29]), faces, offset=OFFSET)
    tables.build()
    assert tables.detect(DT) == 1
    rows = tables.rows()
    assert kinds_of(rows)[0] == CORNER_BODY and np.abs(rows.normal[0] - [0, 0, 1]).max() < 1e-12
    assert rows.separation[0] == pytest.approx(0.29 - 0.3 - OFFSET, abs=1e-12)
    assert rows.weight[0, 3:] @ tables.motion.position[rows.mover[0, 3:]] == pytest.approx([0, 0, 0.29], abs=1e-12)


def test_a_fold_that_stands_on_a_table_is_lifted_not_pushed_off_it():
    """Upright triangles 1 mm deep in a table 1 m wide: the shortest way out, up, is that of their vertices; none is longer."""
    tables = Tables()
    body = tables.mover((0.0, 0.0, 0.0), kind=FIXED)
    tables.shape(body, BOX, (0.5, 0.5, 0.05))
    points = np.array([(0.1, -0.02, 0.049), (0.1, 0.02, 0.049), (0.1, 0.02, 0.089), (0.1, -0.02, 0.089)])
    tables.thing(points, [(0, 1, 2), (0, 2, 3)], offset=0.0005)
    tables.build()
    for _ in range(3):
        tables.detect(0.01)
    rows = tables.rows()
    assert rows.separation.min() == pytest.approx(-0.0015, abs=1e-12)
    np.testing.assert_allclose(rows.normal[rows.separation < 0.0], [(0.0, 0.0, 1.0)] * 2, atol=1e-12)
