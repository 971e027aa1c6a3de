"""Mass properties against closed forms, trimesh's own integrals and the parallel-axis theorem."""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.compile.hulls import convex_hull, field_triangles, hull_volume, load_mesh, pack_fields, pack_hulls
from pliant.compile.mass_properties import (
    box,
    capsule,
    combined,
    cylinder,
    fan,
    polyhedron,
    principal_axes,
    quaternion_of,
    rotation_matrix,
    sphere,
)
from pliant.scene.errors import SceneError

EPS = np.finfo(float).eps


def turn(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def close(a, b, tolerance):
    """Mass, centre and inertia agree within `tolerance` relative to the size of each."""
    size = max(1e-3, np.abs(b.centre).max())
    assert abs(a.mass - b.mass) <= tolerance * abs(b.mass)
    assert np.abs(a.centre - b.centre).max() <= tolerance * size
    assert np.abs(a.inertia - b.inertia).max() <= tolerance * (np.abs(b.inertia).max() + b.mass * size * size)


def test_box_equals_its_polyhedron_and_a_stack_of_halves():
    whole = box(0.3, 0.5, 0.7)
    mesh = trimesh.creation.box((0.3, 0.5, 0.7))
    close(polyhedron(mesh.vertices, mesh.faces), whole, 100 * EPS)
    half = box(0.3, 0.5, 0.35)
    unit = (1.0, 0.0, 0.0, 0.0)
    close(combined([half.placed((0, 0, 0.175), unit), half.placed((0, 0, -0.175), unit)]), whole, 100 * EPS)


def test_polyhedron_agrees_with_trimesh_far_from_the_origin():
    rng = np.random.default_rng(3)
    for _ in range(5):
        mesh = trimesh.convex.convex_hull(rng.normal(size=(40, 3)) * [1.0, 0.5, 0.2] + rng.normal(size=3))
        ours = polyhedron(mesh.vertices, mesh.faces)
        # trimesh integrates about the origin: it loses digits as (distance / size)^2, here below 1e3
        assert abs(ours.mass - mesh.volume) < 1e3 * 100 * EPS * mesh.volume
        assert np.abs(ours.centre - mesh.center_mass).max() < 1e3 * 100 * EPS
        assert np.abs(ours.inertia - mesh.moment_inertia).max() < 1e3 * 1000 * EPS * np.abs(ours.inertia).max()


@pytest.mark.parametrize("kind", ["sphere", "cylinder", "capsule"])
def test_curved_shapes_are_the_limit_of_their_meshes(kind):
    """Inscribed meshes converge as (angle of a facet)^2: two of them extrapolate to fourth order."""
    found, exact = [], {"sphere": sphere(0.4), "cylinder": cylinder(0.4, 0.9), "capsule": capsule(0.4, 0.9)}[kind]
    for n in (64, 128):
        mesh = {
            "sphere": lambda n=n: trimesh.creation.capsule(height=0.0, radius=0.4, count=[n, n]),
            "cylinder": lambda n=n: trimesh.creation.cylinder(radius=0.4, height=0.9, sections=n),
            "capsule": lambda n=n: trimesh.creation.capsule(height=0.9, radius=0.4, count=[n, n]),
        }[kind]()
        found.append(polyhedron(mesh.vertices, mesh.faces))
    step = 2.0 * np.pi / 64
    for name in ("mass", "inertia"):
        coarse, fine, true = (np.asarray(getattr(m, name)) for m in (*found, exact))
        assert np.abs(fine - true).max() < step**2 * np.abs(true).max()
        if kind == "cylinder":
            assert np.abs((4.0 * fine - coarse) / 3.0 - true).max() < step**4 * np.abs(true).max()


def test_placing_and_combining_obey_the_parallel_axis_theorem():
    rng = np.random.default_rng(5)
    for _ in range(10):
        parts = [box(0.2, 0.3, 0.4), cylinder(0.1, 0.5), sphere(0.2), capsule(0.1, 0.3)]
        placed = [part.placed(rng.normal(size=3), turn(rng)) for part in parts]
        whole = combined(placed)
        about = rng.normal(size=3)

        def seen(body, about=about):
            d = body.centre - about
            return body.inertia + body.mass * (d @ d * np.eye(3) - np.outer(d, d))

        separately = sum(seen(part) for part in placed)
        assert np.abs(seen(whole) - separately).max() < 100 * EPS * np.abs(separately).max()


def test_principal_axes_rebuild_the_tensor_by_a_proper_rotation():
    rng = np.random.default_rng(7)
    for _ in range(50):
        moments = np.sort(rng.uniform(1.0, 3.0, 3))
        rotation = rotation_matrix(turn(rng))
        tensor = rotation @ np.diag(moments) @ rotation.T
        found, q = principal_axes(tensor)
        r = rotation_matrix(q)
        assert abs(np.linalg.norm(q) - 1.0) < 10 * EPS and abs(np.linalg.det(r) - 1.0) < 100 * EPS
        assert np.abs(np.sort(found) - moments).max() < 100 * EPS
        assert np.abs(r @ np.diag(found) @ r.T - tensor).max() < 200 * EPS
        again, same = principal_axes(tensor)
        assert (again == found).all() and (same == q).all() and q[0] >= 0.0


def test_a_diagonal_tensor_keeps_its_axes():
    for moments in ([3.0, 1.0, 2.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]):
        found, q = principal_axes(np.diag(moments))
        assert found.tolist() == moments and q.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_a_nearly_diagonal_tensor_turns_only_a_little():
    tensor = np.diag([3.0, 1.0, 2.0])
    tensor[0, 1] = tensor[1, 0] = 1e-6
    found, q = principal_axes(tensor)
    # first order of perturbation theory: the angle is 1e-6 / (3 - 1), its half in the quaternion
    assert abs(abs(q[3]) - 0.25e-6) < 1e-12 and np.abs(found - [3.0, 1.0, 2.0]).max() < 1e-12


def test_quaternion_of_inverts_rotation_matrix():
    rng = np.random.default_rng(9)
    for q in [turn(rng) for _ in range(50)] + [np.eye(4)[k] for k in range(4)]:
        r = rotation_matrix(q)
        assert np.abs(rotation_matrix(quaternion_of(r)) - r).max() < 100 * EPS


def test_hull_of_a_box_has_six_square_faces_outward():
    rng = np.random.default_rng(11)
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    points = (np.vstack([cube, rng.uniform(-1, 1, (50, 3))])) @ rotation_matrix(turn(rng)).T + [3.0, 1.0, 2.0]
    hull = convex_hull(points)
    assert len(hull.vertices) == 8 and sorted(map(len, hull.faces)) == [4] * 6
    assert abs(hull_volume(hull) - 8.0) < 1e-13
    inside = hull.vertices.mean(axis=0)
    assert (hull.planes[:, :3] @ inside < hull.planes[:, 3] - 0.999).all()
    for face, plane in zip(hull.faces, hull.planes, strict=True):
        a, b, c = hull.vertices[list(face[:3])]
        assert np.cross(b - a, c - b) @ plane[:3] > 3.999


def test_every_edge_of_a_hull_runs_once_each_way():
    rng = np.random.default_rng(13)
    mesh = trimesh.creation.cylinder(radius=0.3, height=0.2, sections=24)
    for points in (rng.normal(size=(80, 3)), mesh.vertices, mesh.vertices.astype(np.float32)):
        hull = convex_hull(points)
        edges = [(f[k], f[(k + 1) % len(f)]) for f in hull.faces for k in range(len(f))]
        assert len(set(edges)) == len(edges) and {(j, i) for i, j in edges} == set(edges)
        assert len(hull.vertices) - len(edges) // 2 + len(hull.faces) == 2  # Euler
        assert (hull.planes[:, :3] @ hull.vertices.T - hull.planes[:, 3:]).max() < 1e-6
    assert sorted(map(len, convex_hull(mesh.vertices).faces)) == [4] * 24 + [24] * 2


def test_packed_hulls_and_fields_say_where_each_begins():
    a, b = convex_hull(trimesh.creation.box((1, 1, 1)).vertices), convex_hull(np.eye(4)[:, :3])
    packed = pack_hulls([a, b])
    assert packed.first_vertex.tolist() == [0, 8, 12] and packed.first_face.tolist() == [0, 6, 10]
    corners = packed.corner[packed.first_corner[6] : packed.first_corner[7]]
    assert (packed.vertex[corners] == b.vertices[list(b.faces[0])]).all()
    assert len(packed.plane) == 10 and len(pack_hulls([]).vertex) == 0
    fields = pack_fields([np.zeros((2, 3)), np.arange(12.0).reshape(4, 3)])
    assert fields.first_height.tolist() == [0, 6, 18] and fields.height[6 + 1 * 3 + 2] == 5.0


def test_field_triangles_cover_the_rectangle_and_look_up():
    rng = np.random.default_rng(15)
    vertices, triangles = field_triangles(rng.normal(size=(5, 4)), (2.0, 1.5))
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    up = np.cross(b - a, c - a)[:, 2]
    assert (up > 0.0).all() and abs(0.5 * up.sum() - 3.0) < 1e-13


def test_meshes_are_refused_unless_closed_and_told_unless_convex(tmp_path):
    mesh = trimesh.creation.icosphere(1)
    mesh.export(tmp_path / "ball.stl")
    ball = load_mesh(tmp_path / "ball.stl", 0.1)
    # an STL stores single precision: relative error 2^-24 a coordinate, three coordinates in a volume
    assert ball.convex and abs(hull_volume(ball.hull) - 1e-3 * mesh.volume) < 1e-5 * 1e-3 * mesh.volume
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    mesh.export(tmp_path / "open.stl")
    with pytest.raises(SceneError, match=r"open\.stl' is not closed: fill its holes"):
        load_mesh(tmp_path / "open.stl")
    with pytest.raises(SceneError, match="is not there"):
        load_mesh(tmp_path / "nothing.stl")
    dented = trimesh.creation.annulus(0.5, 1.0, 0.4)
    ring = load_mesh((dented.vertices, dented.faces))
    assert not ring.convex and abs(polyhedron(ring.vertices, ring.triangles).mass - dented.volume) < 1e-12
    assert len(fan(ring.hull.faces)) > 0


def test_meshes_are_stretched_and_mirrored():
    """Oracle: the mesh that trimesh makes by the same matrix; its volume is the product of the factors times as large."""
    mesh, scale = trimesh.creation.icosphere(1), (0.5, -2.0, 3.0)
    mesh.apply_translation((0.3, 0.2, -0.1))
    loaded = load_mesh((mesh.vertices, mesh.faces), scale)
    mirrored = mesh.copy()
    mirrored.apply_transform(np.diag((*scale, 1.0)))
    mine, wanted = polyhedron(loaded.vertices, loaded.triangles), polyhedron(mirrored.vertices, mirrored.faces)
    assert mine.mass == pytest.approx(3.0 * mesh.volume, rel=1e-12) and loaded.convex
    assert np.abs(mine.centre - wanted.centre).max() < 1e-12 and np.abs(mine.inertia - wanted.inertia).max() < 1e-11


def test_what_is_weighed_by_its_numbers_may_be_open():
    """Oracle: the fall of a free body; the closed mesh, whose hull is that of the open one, and on which it comes to rest."""
    mesh = trimesh.creation.icosphere(1)
    faces = mesh.faces[1:]
    given = {"mass": 2.0, "inertia": (1.0, 2.0, 2.5), "center_of_mass": (0.1, 0.0, 0.0)}
    for more in ({"collide": False, **given}, {"collide": False, "fixed": True}):
        scene = pl.Scene()
        scene.add(pl.Body("shell", pl.Mesh((mesh.vertices, faces)), **more))
        world = pl.World(scene)
        world.run(0.5)
        assert world["shell"].position[2] == pytest.approx(0.0 if "fixed" in more else -0.5 * 9.81 * 0.25, abs=1e-12)
    heights = []
    for shown in (mesh.faces, faces):
        scene = pl.Scene()
        scene.add(pl.Ground())
        scene.add(pl.Body("shell", pl.Mesh((mesh.vertices, shown)), position=(0, 0, 1.2), **given))
        world = pl.World(scene)
        assert world.warnings == ([] if len(shown) > len(faces) else
                                  ["Body 'shell': its mesh is not closed; it collides as its hull."])
        world.run(1.0)
        heights.append(world["shell"].position.tolist())
    assert heights[0] == heights[1]
    for more in ({}, {"mass": 1.0}, {"collide": False, "mass": 1.0}):
        scene = pl.Scene()
        scene.add(pl.Body("shell", pl.Mesh((mesh.vertices, faces)), **more))
        with pytest.raises(SceneError, match="Body 'shell': Mesh is not closed"):
            pl.World(scene)
