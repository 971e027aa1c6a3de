"""Calls into the convex narrow phase from Python, random shapes, and the same shapes for the library `coal`."""

import itertools

import coal
import numpy as np

from pliant._jit import kernel
from pliant.collide.convex import _shape, convex_manifold
from pliant.collide.convex_general import nearest
from pliant.collide.narrow_work import narrow_work
from pliant.compile.hulls import convex_hull, pack_hulls
from pliant.math.quat import axes, conj, qmul, rotate
from pliant.math.vec3 import sub
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE

KINDS = {SPHERE: "sphere", CAPSULE: "capsule", BOX: "box", CYLINDER: "cylinder", HULL: "hull"}
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))
STILL = np.array([1.0, 0.0, 0.0, 0.0])
WORK = narrow_work()
CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


@kernel
def _three(v):
    return v[0], v[1], v[2]


@kernel
def _four(v):
    return v[0], v[1], v[2], v[3]


@kernel
def _manifold(ka, pa, qa, sa, da, ha, kb, pb, qb, sb, db, hb, margin, work):
    return convex_manifold(
        ka, _three(pa), _four(qa), _three(sa), da, ha, kb, _three(pb), _four(qb), _three(sb), db, hb, margin, work
    )


@kernel
def _nearest(ka, pa, qa, sa, da, ha, kb, pb, qb, sb, db, hb, margin, work):
    back = conj(_four(qa))
    x, y, z = axes(qmul(back, _four(qb)))
    frame = (rotate(back, sub(_three(pb), _three(pa))), x, y, z)
    a, b = _shape(ka, _three(sa), da, ha), _shape(kb, _three(sb), db, hb)
    _, separation, normal, _ = nearest(
        a, ha.vertex, b, hb.vertex, frame, margin, work.simplex, work.vertex, work.face, work.plane, work.horizon
    )
    return separation, rotate(_four(qa), normal)


@kernel
def _many(times, ka, pa, qa, sa, da, ha, kb, pb, qb, sb, db, hb, margin, work):
    count = 0
    for _ in range(times):
        count += _manifold(ka, pa, qa, sa, da, ha, kb, pb, qb, sb, db, hb, margin, work)
    return count


class Solid:
    """One shape: kind, sizes as in `Shapes`, and the points of a hull."""

    def __init__(self, kind, size=(0.0, 0.0, 0.0), points=((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))):
        self.kind, self.size = kind, np.resize(np.append(np.asarray(size, float), (0.0, 0.0)), 3)
        self.polyhedron = convex_hull(np.asarray(points, float))
        self.hulls, self.data = pack_hulls([self.polyhedron]), 0 if kind == HULL else -1

    def at(self, position, quaternion=STILL):
        position, quaternion = np.asarray(position, float), np.asarray(quaternion, float)
        return self.kind, position, quaternion / np.linalg.norm(quaternion), self.size, self.data, self.hulls

    def coal(self):
        x, y, z = self.size
        if self.kind == SPHERE:
            return coal.Sphere(x)
        if self.kind == CAPSULE:
            return coal.Capsule(x, 2 * y)
        if self.kind == BOX:
            return coal.Box(2 * x, 2 * y, 2 * z)
        if self.kind == CYLINDER:
            return coal.Cylinder(x, 2 * y)
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for p in self.hulls.vertex:
            points.append(p)
        for k in range(len(self.hulls.plane)):
            face = self.hulls.corner[self.hulls.first_corner[k] : self.hulls.first_corner[k + 1]]
            for i in range(1, len(face) - 1):
                triangles.append(coal.Triangle(int(face[0]), int(face[i]), int(face[i + 1])))
        return coal.Convex(points, triangles)


def manifold(a, b, margin=0.0):
    """(positions, normals, separations, features) of the contact points of two placed solids."""
    n = _manifold(*a, *b, float(margin), WORK)
    return WORK.position[:n].copy(), WORK.normal[:n].copy(), WORK.separation[:n].copy(), WORK.feature[:n].copy()


def separation(a, b):
    """Signed distance and normal by search alone, without any choice among features."""
    s, n = _nearest(*a, *b, 1e9, WORK)
    return s, np.array(n)


def coal_distance(solid_a, a, solid_b, b, tolerance):
    """Signed distance and normal by coal, asked for `tolerance` [m]."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = tolerance
    request.gjk_max_iterations, request.epa_max_iterations = 1000, 1000
    poses = []
    for _, p, q, *_ in (a, b):
        poses.append(coal.Transform3s(rotation(q), p))
    d = coal.distance(solid_a.coal(), poses[0], solid_b.coal(), poses[1], request, result)
    return d, np.array(result.normal).ravel()


def rotation(q):
    return np.array(axes(tuple(q))).T


def random_solid(kind, random):
    size = random.uniform(0.2, 1.0, 3)
    points = random.normal(size=(20, 3))
    return Solid(kind, size, points / np.linalg.norm(points, axis=1)[:, None] * random.uniform(0.4, 1.0))


def random_quaternion(random):
    q = random.normal(size=4)
    return q / np.linalg.norm(q)
