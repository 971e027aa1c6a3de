"""Signed distances of points to shapes, against closed forms, coal, all triangles of a field, and their own gradient."""

import coal
import numpy as np
import pytest

from pliant._jit import kernel
from pliant.collide.soft.point_shape import point_to_shape
from pliant.compile.hulls import convex_hull, pack_hulls
from pliant.model.schema import fill
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, FIELD, HULL, PLANE, SPHERE, Fields

NO_HULLS = pack_hulls([])
NO_FIELDS = fill(Fields, first_height=[0], cells=[], height=[])
BOUNDED = {SPHERE: (0.4,), CAPSULE: (0.2, 0.5), BOX: (0.3, 0.5, 0.2), CYLINDER: (0.4, 0.3)}


@kernel
def _call(kind, size, data, hulls, fields, p, limit):
    return point_to_shape(kind, (size[0], size[1], size[2]), data, hulls, fields, (p[0], p[1], p[2]), limit)


def signed(kind, size, p, hulls=NO_HULLS, fields=NO_FIELDS, limit=10.0):
    size = np.append(np.asarray(size, float), (0.0, 0.0, 0.0))[:3]
    distance, normal = _call(kind, size, 0, hulls, fields, np.asarray(p, float), limit)
    return distance, np.array(normal)


def closed_form(kind, size, p):
    """Signed distance of a point by hand."""
    if kind == PLANE:
        return p[2]
    if kind == SPHERE:
        return np.linalg.norm(p) - size[0]
    if kind == CAPSULE:
        return np.linalg.norm(p - [0, 0, np.clip(p[2], -size[1], size[1])]) - size[0]
    out = np.abs(p) - size if kind == BOX else np.array([np.hypot(p[0], p[1]) - size[0], abs(p[2]) - size[1]])
    return np.linalg.norm(np.maximum(out, 0.0)) + min(out.max(), 0.0)


@pytest.mark.parametrize("kind", [PLANE, *BOUNDED])
def test_closed_forms(kind):
    """Oracle: formulas for each shape; tolerance: rounding of numbers of order 1."""
    random = np.random.default_rng(kind)
    size = np.array(BOUNDED.get(kind, ()))
    for p in random.uniform(-0.8, 0.8, (300, 3)):
        assert signed(kind, size, p)[0] == pytest.approx(closed_form(kind, size, p), abs=1e-14)


def hull_of(random):
    points = random.normal(size=(16, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None] * random.uniform(0.4, 1.0, 3))


def test_hulls():
    """Oracle outside: coal with a ball around the point, to four times the gap that it is asked for. Inside: every plane."""
    random, asked, inside = np.random.default_rng(5), 1e-6, 0
    for _ in range(30):
        body = hull_of(random)
        hulls = pack_hulls([body])
        solid = coal.BVHModelOBBRSS()
        solid.beginModel(0, len(hulls.vertex))
        solid.addVertices(hulls.vertex)
        solid.endModel()
        solid.buildConvexHull(False, "Qt")
        for p in random.uniform(-1, 1, (30, 3)):
            found, normal = signed(HULL, (), p, hulls)
            heights = hulls.plane[:, :3] @ p - hulls.plane[:, 3]
            if heights.max() <= 0.0:
                assert found == pytest.approx(heights.max(), abs=1e-14)
                inside += 1
                continue
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            request.gjk_tolerance = asked
            here, there = coal.Transform3s(), coal.Transform3s(np.eye(3), p)
            d = coal.distance(solid.convex, here, coal.Sphere(1e-3), there, request, result)
            assert found == pytest.approx(d + 1e-3, abs=4 * asked)
            # the normal leads from the nearest point, which is on the hull
            foot = p - found * normal
            assert (hulls.plane[:, :3] @ foot - hulls.plane[:, 3]).max() == pytest.approx(0.0, abs=1e-12)
    assert inside > 50


def field_of(random, nx=7, ny=6, size=(3.0, 2.5)):
    height = random.uniform(-0.3, 0.3, (nx, ny))
    fields = fill(Fields, first_height=[0, nx * ny], cells=[(nx, ny)], height=height.ravel())
    x, y = np.linspace(-0.5, 0.5, nx) * size[0], np.linspace(-0.5, 0.5, ny) * size[1]
    corner = np.stack([*np.meshgrid(x, y, indexing="ij"), height], axis=-1)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    return fields, size, np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, d, c], 2).reshape(-1, 3, 3)])


def to_triangle(p, a, b, c):
    """Distance of a point to a triangle: over its inside, or to its nearest side."""
    n = np.cross(b - a, c - a)
    if all(np.cross(t - s, p - s) @ n >= 0.0 for s, t in ((a, b), (b, c), (c, a))):
        return abs((p - a) @ n) / np.linalg.norm(n)
    sides = ((s, t - s, np.clip((p - s) @ (t - s) / ((t - s) @ (t - s)), 0.0, 1.0)) for s, t in ((a, b), (b, c), (c, a)))
    return min(np.linalg.norm(p - s - share * e) for s, e, share in sides)


def test_fields():
    """Oracle: the nearest of all triangles; above or below by the triangle in the same column. Tolerance: rounding."""
    random = np.random.default_rng(7)
    fields, size, triangles = field_of(random)
    below = 0
    for p in random.uniform(-1, 1, (300, 3)) * (1.49, 1.24, 0.6):
        found, _ = signed(FIELD, size, p, fields=fields)
        nearest = min(to_triangle(p, *t) for t in triangles)
        assert abs(found) == pytest.approx(nearest, abs=1e-13)
        columns = [np.linalg.solve(np.array([t[1, :2] - t[0, :2], t[2, :2] - t[0, :2]]).T, p[:2] - t[0, :2]) for t in triangles]
        over = min(range(len(columns)), key=lambda k: max(-columns[k].min(), columns[k].sum() - 1.0))
        surface = triangles[over, 0, 2] + columns[over] @ (triangles[over, 1:, 2] - triangles[over, 0, 2])
        assert (found > 0.0) == (p[2] > surface)
        below += found < 0.0
    assert 50 < below < 250
    assert signed(FIELD, size, (1.6, 0.0, -1.0), fields=fields)[0] > 1e200


@pytest.mark.parametrize("kind", [*BOUNDED, HULL, FIELD])
def test_normal_is_the_gradient(kind):
    """Oracle: central differences; error h^2 times the third derivative, which off the ridges is at most 1/d^2 at distance
    d >= 0.02 from the nearest point, and rounding over h."""
    random = np.random.default_rng(10 + kind)
    fields, size, _ = field_of(random)
    hulls, h, tried = pack_hulls([hull_of(random)]), 1e-6, 0
    size = size if kind == FIELD else BOUNDED.get(kind, ())
    for p in random.uniform(-0.7, 0.7, (200, 3)):
        d, normal = signed(kind, size, p, hulls, fields)
        ends = [[signed(kind, size, p + s * h * e, hulls, fields)[0] for s in (1, -1)] for e in np.eye(3)]
        one_sided = np.array([[(up - d) / h, (d - down) / h] for up, down in ends])
        if abs(d) < 0.02 or np.abs(one_sided[:, 0] - one_sided[:, 1]).max() > 1e-3:
            continue  # a ridge of the distance lies in between
        slope = np.array([up - down for up, down in ends]) / (2 * h)
        assert np.linalg.norm(slope - normal) < 10 * h**2 / d**2 + 1e-15 / h * 10
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-14)
        tried += 1
    assert tried > 120
