"""Bodies, ground and sites to arrays: mass, principal frame, collision shapes."""

from typing import Any

import numpy as np

from ..model.bodies import DRIVEN, DYNAMIC, FIXED
from ..model.shapes import BOX, CAPSULE, CYLINDER, FIELD, HULL, PLANE, SPHERE
from ..scene.body import Body, Ground, Site
from ..scene.errors import SceneError, fail
from ..scene.pose import Pose, frame_along
from ..scene.shape import Box, Capsule, Cylinder, HeightField, Mesh, Placed, Sphere
from ..scene.thing import WORLD
from . import mass_properties as mass
from .draft import Draft, Place
from .hulls import LoadedMesh, load_mesh

_WATER = 1000.0  # [kg/m3]


def draft_world(into: Draft) -> None:
    """Body 0: the world itself."""
    into.bodies.add(kind=FIXED)
    into.motion.add(position=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0))
    into.places[WORLD] = Place(0, Pose())


def draft_ground(thing: Ground, into: Draft) -> None:
    """A plane fixed to the world."""
    n = thing.normal
    origin = (0.0, 0.0, thing.height) if abs(n[2]) > 1e-9 else tuple(thing.height * c for c in n)
    into.shapes.add(kind=PLANE, body=0, position=origin, quaternion=frame_along(n), data=-1,
                    friction=thing.friction, restitution=thing.restitution)


def draft_body(thing: Body, into: Draft) -> None:
    """A rigid body with its shapes, turned to its principal axes."""
    pieces = [_Piece(thing, piece) for piece in _placed(thing.shape)]
    own = Pose(thing.position, thing.quaternion)
    numbers: dict[str, Any] = {}
    if thing.fixed or thing.motion is not None:
        kind, inner = (FIXED if thing.fixed else DRIVEN), Pose()
    else:
        numbers, inner = _mass(thing, pieces)
        kind = DYNAMIC
    k = into.bodies.add(kind=kind, **numbers)
    at = own.then(inner)
    still = kind != DYNAMIC
    into.motion.add(position=at.position, quaternion=at.quaternion, velocity=(0, 0, 0) if still else thing.velocity,
                    angular_velocity=(0, 0, 0) if still else thing.angular_velocity)
    into.places[thing.name] = Place(k, inner.inverse())
    into.index["body"][thing.name] = k
    if thing.motion is not None:
        into.driven.append((k, thing))
    for piece in pieces:
        piece.draft(into, k, inner.inverse())


def draft_site(thing: Site, into: Draft) -> None:
    """A named place on a body."""
    if thing.body not in into.places and thing.body in into.scene and isinstance(into.scene[thing.body], Site):
        draft_site(into.scene[thing.body], into)  # a site on a site that was added later
    base = into.place(thing, "body", thing.body)
    into.places[thing.name] = Place(base.body, base.frame.then(Pose(thing.position, thing.quaternion)))


class _Piece:
    """One shape of a body, its mesh loaded once."""

    mesh: LoadedMesh
    """Of a Mesh only."""

    def __init__(self, body: Body, placed: "Placed | _Bare") -> None:
        self.body, self.shape, self.pose = body, placed.shape, Pose(placed.position, placed.quaternion)
        if isinstance(self.shape, Mesh):
            try:
                self.mesh = load_mesh(self.shape.source, self.shape.scale, _weighed(body))
            except SceneError as error:
                raise fail(body, str(error)) from None

    def properties(self) -> mass.MassProperties:
        """For density 1."""
        s = self.shape
        if isinstance(s, Box):
            one = mass.box(s.x, s.y, s.z)
        elif isinstance(s, Sphere):
            one = mass.sphere(s.radius)
        elif isinstance(s, Capsule):
            one = mass.capsule(s.radius, s.length)
        elif isinstance(s, Cylinder):
            one = mass.cylinder(s.radius, s.length)
        elif self.mesh.closed:
            one = mass.polyhedron(self.mesh.vertices, self.mesh.triangles)
        else:
            one = mass.polyhedron(self.mesh.hull.vertices, mass.fan(self.mesh.hull.faces))
        return one.placed(self.pose.position, self.pose.quaternion)

    def draft(self, into: Draft, k: int, own: Pose) -> None:
        """A collision shape on body `k`, whose own frame lies at `own` in the solver's."""
        s = self.shape
        if not self.body.collide:
            return
        size, data = (0.0, 0.0, 0.0), -1
        if isinstance(s, Box):
            kind, size = BOX, (0.5 * s.x, 0.5 * s.y, 0.5 * s.z)
        elif isinstance(s, Sphere):
            kind, size = SPHERE, (s.radius, 0.0, 0.0)
        elif isinstance(s, Capsule):
            kind, size = CAPSULE, (s.radius, 0.5 * s.length, 0.0)
        elif isinstance(s, Cylinder):
            kind, size = CYLINDER, (s.radius, 0.5 * s.length, 0.0)
        elif isinstance(s, HeightField):
            kind, size, data = FIELD, (*s.size, 0.0), len(into.fields)
            into.fields.append(s.heights)
        else:
            kind, data = HULL, len(into.hulls)
            into.hulls.append(self.mesh.hull)
            if not self.mesh.convex or not self.mesh.closed:
                what = "convex" if self.mesh.closed else "closed"
                into.warnings.append(f"Body '{self.body.name}': its mesh is not {what}; it collides as its hull.")
        at = own.then(self.pose)
        into.shapes.add(kind=kind, body=k, position=at.position, quaternion=at.quaternion, size=size, data=data,
                        friction=self.body.friction, restitution=self.body.restitution)


def _weighed(body: Body) -> bool:
    """Whether the shape of a body need not say what it weighs, and how evenly, so that its mesh may be open."""
    given = body.mass is not None and body.inertia is not None and body.center_of_mass is not None
    return given or (not body.collide and (body.fixed or body.motion is not None))


def _placed(shape) -> "tuple[Placed | _Bare, ...]":
    if isinstance(shape, tuple):
        return shape
    if isinstance(shape, HeightField):
        return (_Bare(shape),)
    return (Placed(shape),)


class _Bare:
    """A height field where a placed shape is expected."""

    position, quaternion = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)

    def __init__(self, shape: HeightField) -> None:
        self.shape = shape


def _mass(thing: Body, pieces: list[_Piece]) -> tuple[dict, Pose]:
    """Mass and principal moments, and the solver's frame in the body's own."""
    whole = mass.combined([piece.properties() for piece in pieces])
    density = thing.mass / whole.mass if thing.mass is not None else thing.density or _WATER
    whole = whole.scaled(density)
    centre = np.asarray(thing.center_of_mass if thing.center_of_mass is not None else whole.centre, float)
    if thing.inertia is not None:
        xx, yy, zz, xy, xz, yz = (*thing.inertia, 0.0, 0.0, 0.0)[:6]
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        tensor = whole.inertia
    if not np.isfinite(tensor).all():
        raise fail(thing, "its moments of inertia are no numbers; its size or mass is too small or too large.")
    moments, turn = mass.principal_axes(tensor)
    if not np.isfinite(moments).all() or moments.min() <= 0.0:
        raise fail(thing, f"its principal moments of inertia are {moments} kg m2; they must be positive.")
    numbers = {"mass": whole.mass, "inertia": moments}
    numbers |= {"inverse_mass": 1.0 / whole.mass, "inverse_inertia": 1.0 / moments}
    (cx, cy, cz), (w, x, y, z) = centre.tolist(), np.asarray(turn, float).tolist()
    return numbers, Pose((cx, cy, cz), (w, x, y, z))
