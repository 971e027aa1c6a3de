"""What is doubtful about a scene that can be simulated all the same: said in `world.warnings`, each with the remedy."""

import numpy as np

from ..scene.attachment import Attachment
from ..scene.body import Body, Ground, doubt_of_inertia
from ..scene.errors import fail, who
from ..scene.pose import Pose
from ..scene.rope import Rope
from ..scene.shape import Box, Capsule, Cylinder, HeightField, Mesh, Placed, Sphere
from ..scene.soft import Soft, soft_and_words
from ..scene.thing import Thing
from .draft import Draft
from .hulls import load_mesh
from .unit_doubts import doubt_fall, doubt_units

FAR = 0.05
"""Of a body's size: what is attached further outside its surface, beyond its own radius, is doubtful [-]."""


LIGHTEST = 0.01
"""A body of less density [kg/m3] is doubtful: air has 1.2, and lengths given in millimetres make it a billion times less."""


SHORTER = 5e-3
"""Of its path: a rope that is shorter by more, though no length is given, is doubtful [-]."""


def doubt(into: Draft) -> None:
    """Add to the warnings of a draft."""
    named = {thing.name: thing for thing in into.scene.flat()}
    things = list(named.values())
    into.warnings += [text for thing in things if isinstance(thing, Attachment) for text in _far(thing, named, into)]
    into.warnings += [text for thing in into.scene if isinstance(thing, Body) for text in _impossible(thing)]
    into.warnings += doubt_units(things) + doubt_fall(things, into.scene.gravity)
    into.warnings += [text for thing in things if isinstance(thing, Rope) for text in _cutting(thing, into)]
    into.warnings += _through([t for t in things if isinstance(t, Rope)], [t for t in things if isinstance(t, Ground)], into)


def _far(thing: Attachment, named: dict[str, Thing], into: Draft) -> list[str]:
    """An attachment that holds by an invisible rod: its point is far outside the body. Refused where no point is given."""
    found = []
    for name, other in ((thing.a, thing.b), (thing.b, thing.a)):
        body = named.get(name)
        if not isinstance(body, Body):
            continue
        points, reach = _points(other, named, into)
        if thing.at is not None and name == thing.b:
            points = np.array([Pose(body.position, body.quaternion).then(Pose(thing.at)).position])
        away = max((_outside(body, x) for x in points), default=0.0)
        if away <= reach + FAR * _size(body):
            continue
        if thing.at is None and soft_and_words(other) is None:
            raise fail(thing, f"'{other}' is {away:.4g} m away from the surface of '{name}'; move one of them there, or attach "
                              "the rope to the body with at, a point in the body's axes, to hold it there as if by a rod.")
        found.append(f"{who(thing)} holds '{other}' {away:.3g} m away from the surface of '{name}', as if by a rod between "
                     "them; move one of them there, unless that is meant")
    return found


def _points(name: str, named: dict[str, Thing], into: Draft) -> tuple[np.ndarray, float]:
    """Where a place on a rope or vertices are at the start (k, 3) [m], and how far they stand out themselves [m]."""
    soft = soft_and_words(name)
    thing = named.get(soft[0]) if soft is not None else None
    if isinstance(thing, Soft) and soft is not None:
        return thing.placed()[thing.numbers(soft[1])], 0.5 * getattr(thing, "thickness", 0.0)
    rope, _, place = name.partition("@" if "@" in name else ".")
    if rope not in into.index["rope"]:
        return np.zeros((0, 3)), 0.0
    index = into.index["rope"][rope]
    arcs = np.concatenate([[0.0], np.cumsum(index.lengths)])[:len(index.points)]
    s = {"start": 0.0, "end": arcs[-1]}.get(place)
    s = float(place) if s is None else s
    return np.array([[np.interp(s, arcs, column) for column in index.points.T]]), named[rope].radius  # type: ignore[attr-defined]


def _outside(body: Body, x) -> float:
    """How far a point [m], world frame, is outside a body [m]; 0 inside, and where it cannot be told."""
    local = Pose(body.position, body.quaternion).local(tuple(x))
    found = [_outside_shape(one.shape, Pose(one.position, one.quaternion).local(local)) for one in _pieces(body)]
    return min(found, default=0.0)


def _pieces(body: Body) -> tuple[Placed, ...]:
    """Its shapes, placed; none for a height field."""
    if isinstance(body.shape, tuple):
        return body.shape
    return () if isinstance(body.shape, HeightField) else (Placed(body.shape),)


def _outside_shape(shape, p) -> float:
    """The same of one shape, in its own frame; of a mesh at least so far."""
    x, y, z = np.abs(p)
    if isinstance(shape, Box):
        return float(np.linalg.norm(np.maximum((x - 0.5 * shape.x, y - 0.5 * shape.y, z - 0.5 * shape.z), 0.0)))
    if isinstance(shape, Sphere):
        return max(0.0, float(np.linalg.norm(p)) - shape.radius)
    beyond, aside = max(0.0, z - 0.5 * shape.length) if not isinstance(shape, Mesh) else 0.0, float(np.hypot(x, y))
    if isinstance(shape, Capsule):
        return max(0.0, float(np.hypot(aside, beyond)) - shape.radius)
    if isinstance(shape, Cylinder):
        return float(np.hypot(max(0.0, aside - shape.radius), beyond))
    planes = load_mesh(shape.source, shape.scale, may_be_open=True).hull.planes
    return max(0.0, float((planes[:, :3] @ np.array(p) - planes[:, 3]).max()))


def _volume(shape) -> float:
    """[m3]; 0 of meshes and height fields, which are not looked into."""
    if isinstance(shape, Box):
        return shape.x * shape.y * shape.z
    if isinstance(shape, Sphere):
        return 4.0 / 3.0 * np.pi * shape.radius**3
    if isinstance(shape, (Capsule, Cylinder)):
        caps = 4.0 / 3.0 * np.pi * shape.radius**3 if isinstance(shape, Capsule) else 0.0
        return np.pi * shape.radius**2 * shape.length + caps
    return 0.0


def _size(body: Body) -> float:
    """The largest length of a body's shapes [m]."""
    return max((_length(one.shape) for one in _pieces(body)), default=np.inf)


def _length(shape) -> float:
    if isinstance(shape, Box):
        return max(shape.x, shape.y, shape.z)
    if isinstance(shape, Mesh):
        return float(np.ptp(load_mesh(shape.source, shape.scale, may_be_open=True).hull.vertices, axis=0).max())
    return 2.0 * shape.radius + (0.0 if isinstance(shape, Sphere) else shape.length)


def _impossible(body: Body) -> list[str]:
    """A body whose mass or inertia, as given, nothing can have."""
    volume = sum(_volume(one.shape) for one in _pieces(body))
    if body.mass is not None and not body.fixed and body.mass < LIGHTEST * volume:
        return [f"{who(body)}: {body.mass:g} kg in {volume:.3g} m3 are {body.mass / volume:.2g} kg/m3; lengths are in metres, "
                "check them"]
    if body.inertia is None:
        return []
    xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
    told = doubt_of_inertia(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    return [f"{who(body)}: {told}"] if told else []


def _cutting(rope: Rope, into: Draft) -> list[str]:
    """A rope that is shorter than its path, since its elements cut corners or bends of it."""
    if rope.length is not None or not isinstance(rope.points, int):
        return []
    path = np.vstack([rope.path, rope.path[:1]]) if rope.closed else rope.path
    drawn, laid = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()), float(into.index["rope"][rope.name].lengths.sum())
    if drawn - laid <= SHORTER * drawn:
        return []
    remedy = "take more points" if rope.closed else f"take more points, or give length={drawn:.6g}"
    return [f"{who(rope)}: its path is {drawn:.4g} m long, but its {rope.elements} elements cut corners of it and make it "
            f"{laid:.4g} m{'' if rope.mass is not None else ', and as much lighter'}; {remedy}"]


def _through(ropes: list[Rope], grounds: list[Ground], into: Draft) -> list[str]:
    """Ropes that can come to the ground, and will fall through it, unless they are said to touch nothing."""
    sinking = [f"'{rope.name}'" for rope in ropes if rope.collide and any(_reaches(rope, one, into) for one in grounds)]
    if not sinking:
        return []
    one = len(sinking) == 1
    return [f"{'Rope' if one else 'Ropes'} {', '.join(sinking)} {'touches' if one else 'touch'} nothing in this version: "
            f"{'it falls' if one else 'they fall'} through '{grounds[0].name}' and through bodies; keep "
            f"{'it' if one else 'them'} above by where {'it is' if one else 'they are'} held, or say collide=False"]


def _reaches(rope: Rope, ground: Ground, into: Draft) -> bool:
    """Whether a rope could hang down to a ground from its highest point at the start."""
    index, normal = into.index["rope"][rope.name], np.array(ground.normal)
    origin = (0.0, 0.0, ground.height) if abs(normal[2]) > 1e-9 else ground.height * normal
    return bool(((index.points - origin) @ normal).max() - float(index.lengths.sum()) < rope.radius)
