"""One shape over one height field, as the tests of contacts with fields share it."""

import numpy as np

from pliant.collide.detect import detect
from pliant.collide.work import collide_work
from pliant.compile.hulls import convex_hull, pack_fields, pack_hulls
from pliant.model.bodies import FIXED, Bodies, Motion
from pliant.model.contacts import Contacts
from pliant.model.schema import allocate
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, FIELD, HULL, PLANE, SPHERE, Excluded, Shapes

CELLS, SIDE = 21, 2.0  # cells of 0.1 m
SIZES = {
    SPHERE: (0.12, 0.0, 0.0),
    CAPSULE: (0.08, 0.15, 0.0),
    BOX: (0.15, 0.1, 0.06),
    CYLINDER: (0.12, 0.05, 0.0),
    HULL: (0.0, 0.0, 0.0),
}
HULL_POINTS = convex_hull(np.random.default_rng(0).normal(size=(14, 3)) * 0.08).vertices
LYING = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)


class Meeting:
    """One shape over one field, or over the plane z = 0 of the same frame."""

    def __init__(self, kind, heights, plane=False, frame=(1.0, 0.0, 0.0, 0.0), first=True, points=HULL_POINTS):
        self.ground, self.other = (0, 1) if first else (1, 0)
        self.bodies, self.motion, self.shapes = allocate(Bodies, 2), allocate(Motion, 2), allocate(Shapes, 2)
        self.bodies.kind[0] = FIXED
        self.motion.quaternion[:, 0] = self.shapes.quaternion[:, 0] = 1.0
        self.shapes.kind[[self.ground, self.other]] = PLANE if plane else FIELD, kind
        self.shapes.quaternion[self.ground] = frame
        self.shapes.body[self.other] = 1
        self.shapes.size[self.other] = SIZES[kind]
        self.shapes.size[self.ground] = 0.0 if plane else SIDE, 0.0 if plane else SIDE, 0.0
        self.shapes.data[self.ground], self.shapes.data[self.other] = 0, 0 if kind == HULL else -1
        self.hulls, self.fields = pack_hulls([convex_hull(points)]), pack_fields([heights])
        self.work, self.contacts = collide_work(self.shapes, self.hulls, self.fields, 32), allocate(Contacts, 32)

    def at(self, position, quaternion=(1.0, 0.0, 0.0, 0.0)):
        """Number of contacts; normals from the ground."""
        self.motion.position[1], self.motion.quaternion[1] = position, quaternion
        c, none = self.contacts, allocate(Excluded, 0)
        n = detect(self.bodies, self.shapes, self.hulls, self.fields, none, self.motion, c, self.work, 1.0 / 60.0)
        sign = 1.0 if self.ground == 0 else -1.0
        self.position, self.normal = c.position[:n].copy(), sign * c.normal[:n]
        self.separation, self.feature = c.separation[:n].copy(), c.feature[:n].copy()
        return n


def turn(rng):
    """Any quaternion."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def places(rng):
    """Points on cells, edges, diagonals and corners of the grid, away from its border."""
    for _ in range(25):
        x, y = rng.uniform(-0.5, 0.5, 2)
        i, j = rng.integers(-5, 5, 2) * 0.1
        yield from ((x, y), (i, y), (x, j), (i, j), (i + 0.03, j + 0.03))


def rough(seed, height):
    """Heights of rough ground, spread by `height` [m]."""
    return np.random.default_rng(seed).normal(size=(CELLS, CELLS)) * height
