"""What is doubtful about a scene that can be simulated all the same: said in `world.warnings`, each with the remedy."""

import numpy as np

from ..scene.attachment import Attachment
from ..scene.body import Body, Ground, doubt_of_inertia
from ..scene.errors import fail, who
from ..scene.pose import Pose
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.thing import Thing
from ..scene.vertex_words import soft_and_words
from .draft import Draft
from .extents import outside, size
from .mass_doubts import doubt_masses
from .mixture_doubts import doubt_mixtures
from .motion_doubts import doubt_motions
from .motions import Driver
from .sag_doubts import doubt_sag
from .soft_doubts import doubt_meshes
from .soft_sunk_doubts import doubt_soft_sunk
from .sunk_doubts import doubt_sunk
from .unit_doubts import doubt_fall, doubt_units
from .word_doubts import doubt_words

FAR = 0.05
"""Of a body's size: what is attached further outside its surface, beyond its own radius, is doubtful [-]."""
BACK = -0.9998
"""Cosine of the turn at a point of a path beyond which it turns back, 179 degrees [-]."""
SHORTER = 5e-3
"""Of its path: a rope that is shorter by more, though no length is given, is doubtful [-]."""


def doubt(into: Draft) -> None:
    """Add to the warnings of a draft."""
    named = {thing.name: thing for thing in into.scene.flat()}
    things = list(named.values())
    into.warnings += [text for thing in things if isinstance(thing, Attachment) for text in _far(thing, named, into)]
    into.warnings += [text for thing in into.scene if isinstance(thing, Body) for text in _impossible(thing)]
    into.warnings += doubt_masses(list(into.scene)) + doubt_sag(things, into.scene.gravity) + doubt_sunk(things)
    into.warnings += doubt_meshes(things) + doubt_soft_sunk(into)
    into.warnings += doubt_units(things) + doubt_fall(things, into.scene.gravity) + doubt_words(things)
    into.warnings += doubt_mixtures(into)
    into.warnings += [text for thing in things if isinstance(thing, Rope) for text in _cutting(thing, into)]
    into.warnings += [text for thing in things if isinstance(thing, Rope) for text in _folded(thing)]
    held = [pin.driver for one in into.soft for pin in one.pins if pin.driver is not None]
    into.warnings += doubt_motions([Driver(body, thing) for body, thing in into.driven] + held)
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
        away = max((outside(body, x) for x in points), default=0.0)
        if away <= reach + FAR * size(body):
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


def _impossible(body: Body) -> list[str]:
    """A body whose inertia, as given, nothing can have."""
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


def _folded(rope: Rope) -> list[str]:
    """A rope whose path goes back the way it came: elements folded onto each other bear no moment, and may turn either way."""
    steps = np.diff(np.vstack([rope.path, rope.path[:2]]) if rope.closed else rope.path, axis=0)
    along = steps / np.linalg.norm(steps, axis=1)[:, None]
    back = np.flatnonzero((along[1:] * along[:-1]).sum(axis=1) < BACK)
    if not len(back) or not rope.stiffness.bend.any():
        return []
    return [f"{who(rope)}: its path turns back on itself at its point {(int(back[0]) + 1) % len(rope.path)}, where one element "
            "is folded onto the next; lead it round in a bend, or give bend='limp'"]


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
