"""Cloth and solids that start deep in the ground, in bodies or in each other: a doubt for each, with how deep."""

from typing import Any

import numpy as np

from ..scene.body import Body, Ground
from ..scene.cloth import Cloth
from ..scene.errors import who
from ..scene.soft import TOUCHING
from ..scene.solid import Solid
from .draft import Draft
from .extents import level
from .insides import Inside, Points, deepest, inside_of_solid, insides_of_body
from .soft import SoftDraft
from .sunk_doubts import SUNK

FEW = 3.0
"""Thicknesses of a cloth; what is no deeper is thought to touch [-]."""


def doubt_soft_sunk(into: Draft) -> list[str]:
    """Of soft things that touch; not of vertices that something holds, nor of things that are attached to each other."""
    soft = [one for one in into.soft if one.thing.collide and one.thing.method in TOUCHING]
    things = list(into.scene.flat()) if soft else []
    loose = [one for one in soft if _free(one).any()]
    found = [text for one in loose for ground in things if isinstance(ground, Ground) for text in _of_ground(one, ground)]
    insides = [one for body in things if isinstance(body, Body) and body.collide for one in insides_of_body(body)]
    insides += [inside_of_solid(one.thing) for one in soft if isinstance(one.thing, Solid)]
    pairs: dict[frozenset[str], tuple[float, Any, Any]] = {}
    for depth, a, b in _starts(loose, insides):
        pair = frozenset((a.name, b.name))
        known, *names = pairs.get(pair, (0.0, a, b))
        pairs[pair] = (max(depth, known), names[0], names[1])
    tied = _tied(into) if pairs else set()
    groups: dict[str, list[tuple[float, Any, Any]]] = {}
    for pair, one in pairs.items():
        if pair not in tied:
            groups.setdefault(one[1].name, []).append(one)
    return found + [_told(sorted(group, key=lambda one: -one[0])) for group in groups.values()]


def _told(group: list[tuple[float, Any, Any]]) -> str:
    """One sentence for all that a thing starts in, the deepest first."""
    depth, a, b = group[0]
    more = f" and in {len(group) - 1} more" if len(group) > 1 else ""
    return (f"{who(a)} starts in '{b.name}'{more}: at least {depth:.3g} m deep; it may stay there, so move them apart, or say "
            "collide=False of one if they are meant to be so")


def _of_ground(one: SoftDraft, ground: Ground) -> list[str]:
    """How deep the lowest of the vertices that nothing holds is in a ground."""
    thing: Any = one.thing
    sheet, heights = isinstance(thing, Cloth), thing.placed() @ np.array(ground.normal) - level(ground)
    depth = _half(thing) - float(heights[_free(one)].min())
    if depth <= 0.0 or depth <= (max(FEW * thing.thickness, _edge(thing)) if sheet else SUNK * float(np.ptp(heights))):
        return []
    way = "up by as much" if ground.normal[2] > 1.0 - 1e-9 else f"by as much along the normal of '{ground.name}'"
    fate = "may stay there" if sheet else "will be lifted out"
    return [f"{who(thing)} starts in '{ground.name}': {depth:.3g} m deep; it {fate}, so move it {way}, or say collide=False if "
            "it is meant to be there"]


def _starts(soft: list[SoftDraft], insides: list[Inside]) -> list[tuple[float, Any, Any]]:
    """(how deep [m], what, in what): points of soft things in solids and shapes, and middles of shapes in solids.

    Balls about a common point, one in each of two things, must be moved apart by both their radii: as deep are these at least.
    """
    boxes, found = np.array([one.box for one in insides]).reshape(-1, 2, 3), list[tuple[float, Any, Any]]()
    for one in soft:
        thing, placed, half = one.thing, one.thing.placed(), _half(one.thing)
        near = ((boxes[:, 0] < placed.max(axis=0)) & (boxes[:, 1] > placed.min(axis=0))).all(axis=1)
        others = [insides[k] for k in np.flatnonzero(near).tolist() if insides[k].owner is not thing]
        points = _points(one) if others else placed[:0]
        around = inside_of_solid(thing) if others and isinstance(thing, Solid) else None
        for other in others:
            limit = SUNK * (other.least if around is None else min(around.least, other.least))
            depth, at = deepest(points, other, max(limit, 2.0 * FEW * half) - half)
            if depth > 0.0:
                found.append((depth + (half if around is None else deepest(at, around, 0.0)[0]), thing, other.owner))
            if around is not None and other.piece is not None:
                depth, at = deepest(other.box.mean(axis=0)[None], around, limit)
                own, _ = deepest(at, other, 0.0)
                found += [(depth + own, other.owner, thing)] if own > 0.0 else []
    return found


def _free(one: SoftDraft) -> np.ndarray:
    """Which vertices neither a pin nor an attachment holds (n,)."""
    free = np.ones(len(one.thing.rest), bool)
    free[list(one.holder)] = False
    return free


def _points(one: SoftDraft) -> Points:
    """Free vertices at the start, and middles of triangles or cells between such [m] (n, 3), world frame."""
    free, placed, thing = _free(one), one.thing.placed(), one.thing
    corners = thing.filling.cells if isinstance(thing, Solid) else thing.faces
    corners = corners[free[corners].all(axis=1)]
    return np.concatenate([placed[free], placed[corners].mean(axis=1)])


def _half(thing: Any) -> float:
    """How far its surface stands out over its vertices [m]."""
    return 0.5 * thing.thickness if isinstance(thing, Cloth) else 0.0


def _edge(thing: Cloth) -> float:
    """The mean length of its edges [m]."""
    corner = thing.rest[thing.faces]
    return float(np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean())


def _tied(into: Draft) -> set[frozenset[str]]:
    """Pairs of names of things that attachments of vertices hold to each other."""
    names = {k: name for name, k in into.index["body"].items()}
    for name, index in into.index["soft"].items():
        names |= dict.fromkeys(range(index.first, index.first + index.size), name)
    return {frozenset(names.get(k, "") for k in row["mover"]) for row in into.ties.rows}
