"""Worlds of bodies and soft things as bare tables, for tests of their collision detection."""

from typing import Any

import numpy as np

from pliant.collide.soft.detect import SoftDetector
from pliant.collide.soft.fine import fine_of
from pliant.collide.soft.relief import relief_of
from pliant.collide.soft.work import skin_of
from pliant.compile.hulls import convex_hull, pack_hulls
from pliant.model.bodies import FIXED, Bodies, Motion
from pliant.model.schema import allocate, fill
from pliant.model.shapes import FIELD, HULL, Excluded, Fields, Shapes
from pliant.model.soft_contacts import SoftContacts, Surfaces

STILL = (1.0, 0.0, 0.0, 0.0)


def sheet(across: int, along: int, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a flat rectangle around the origin."""
    i, j = (a.ravel() for a in np.indices((across, along)))
    a = i * (along + 1) + j
    b, c, d = a + along + 1, a + along + 2, a + 1
    x, y = np.meshgrid(np.arange(across + 1), np.arange(along + 1), indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3) * spacing
    return points - points.mean(axis=0), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


class Tables:
    """A world under construction: body 0 is the world; first all bodies, then all soft things."""

    def __init__(self) -> None:
        self.position, self.quaternion = [np.zeros(3)], [np.array(STILL)]
        self.velocity, self.spin, self.kind = [np.zeros(3)], [np.zeros(3)], [FIXED]
        self.shapes: list[dict[str, Any]] = []
        self.hulls: list[Any] = []
        self.heights: list[np.ndarray] = []
        self.things: list[dict[str, Any]] = []

    def mover(self, position, quaternion=STILL, velocity=(0, 0, 0), spin=(0, 0, 0), kind=0) -> int:
        self.position.append(np.array(position, float))
        self.quaternion.append(np.array(quaternion, float) / np.linalg.norm(quaternion))
        self.velocity.append(np.array(velocity, float))
        self.spin.append(np.array(spin, float))
        self.kind.append(kind)
        return len(self.kind) - 1

    def shape(self, body, kind, size=(0, 0, 0), position=(0, 0, 0), quaternion=STILL, points=None, heights=None, friction=0.5):
        data = -1
        if kind == HULL:
            data = len(self.hulls)
            self.hulls.append(convex_hull(np.asarray(points, float)))
        if kind == FIELD:
            data = len(self.heights)
            self.heights.append(np.asarray(heights, float))
        self.shapes.append({"kind": kind, "body": body, "position": position, "quaternion": quaternion, "data": data,
                            "size": np.resize(np.append(np.asarray(size, float), (0.0, 0.0)), 3), "friction": friction,
                            "restitution": 0.0})
        return len(self.shapes) - 1

    def thing(self, points, faces, velocities=None, closed=0, itself=0, offset=0.01, friction=0.3) -> int:
        velocities = np.zeros_like(points) if velocities is None else velocities
        first = len(self.kind)
        for p, v in zip(points, velocities, strict=True):
            self.mover(p, velocity=v)
        self.things.append({"faces": np.asarray(faces) + first, "mover": first, "closed": closed, "itself": itself,
                            "offset": offset, "friction": friction})
        return first

    def build(self, capacity=4096, excluded=(), rest=None, meshes=()) -> None:
        n = len(self.kind)
        self.bodies = allocate(Bodies, n)
        self.bodies.kind[:] = self.kind
        self.motion = fill(Motion, position=self.position, quaternion=self.quaternion, velocity=self.velocity,
                           angular_velocity=self.spin)
        names = ("kind", "body", "position", "quaternion", "size", "data", "friction", "restitution")
        self.shape_table = fill(Shapes, **{name: [one[name] for one in self.shapes] for name in names})
        self.hull_table = pack_hulls(self.hulls)
        self.fields = fill(Fields, first_height=np.cumsum([0, *(h.size for h in self.heights)]),
                           cells=[h.shape for h in self.heights],
                           height=np.concatenate([h.ravel() for h in self.heights]) if self.heights else [])
        self.surfaces = surfaces_of(self.things)
        self.rest = self.motion.position.copy() if rest is None else rest
        self.relief, self.small = relief_of(self.surfaces, meshes), fine_of(self.surfaces, meshes, self.rest)
        self.excluded = fill(Excluded, pair=sorted(min(a, b) * 2**32 + max(a, b) for a, b in excluded))
        self.detector(allocate(SoftContacts, capacity))

    def detector(self, contacts: SoftContacts) -> None:
        self.contacts = contacts
        self.skin = skin_of(self.surfaces, self.rest, self.relief)
        self.detect = SoftDetector(self.bodies, self.shape_table, self.hull_table, self.fields, self.surfaces, self.motion,
                                   contacts, self.excluded, self.rest, self.relief, small=self.small)

    def rows(self) -> SoftContacts:
        """The contacts in use."""
        count = self.contacts.count[0]
        return SoftContacts(self.contacts.count, *(one[:count] for one in self.contacts[1:]))


def surfaces_of(things) -> Surfaces:
    """Tables of surfaces from triangles of movers."""
    nodes = [np.unique(one["faces"]) for one in things]
    edges = [np.unique(np.sort(one["faces"][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0) for one in things]
    faces = [one["faces"] for one in things]
    count = {"node": nodes, "face": faces, "edge": edges}
    return fill(
        Surfaces, **{f"first_{name}": np.cumsum([0, *map(len, parts)]) for name, parts in count.items()},
        **{name: np.concatenate(parts) for name, parts in count.items()},
        **{name: [one[name] for one in things] for name in ("mover", "closed", "itself", "offset", "friction")},
    )
