"""Attachments of vertices to arrays: to bodies, to places on ropes and to vertices of other things."""

from typing import Any, NamedTuple

import numpy as np

from ..scene.attachment import Attachment
from ..scene.errors import fail
from ..scene.places import NEAR, check_vertices
from ..scene.pose import Pose
from ..scene.soft import TYING
from ..scene.thing import WORLD
from ..scene.vertex_words import spoken
from .draft import Draft, Place
from .holds import has_point
from .point_ropes import on_point_rope
from .ropes import rope_place
from .soft import SoftIndex, hold_vertices, on_soft, vertices_of


class TieIndex(NamedTuple):
    """Where the ties of an attachment lie in the arrays."""

    first: int
    count: int
    sign: int
    """Of the force on what is held: 1 if that is the vertices, -1 if they hold it."""


def draft_soft_attachment(thing: Attachment, into: Draft) -> None:
    """Vertices held at points of something that moves, one tie each."""
    for end in (thing.a, thing.b):
        if on_point_rope(end, into.index["rope"]):
            raise fail(thing, f"'{end}' is on a rope of points and elements, which vertices cannot be attached to; take method "
                              "'direct' for the rope.")
    check_vertices(thing)
    first = len(into.ties.rows)
    if on_soft(thing.a, into) and on_soft(thing.b, into):
        _tie_things(thing, into)
    else:
        vertices, other = (thing.a, thing.b) if on_soft(thing.a, into) else (thing.b, thing.a)
        index, numbers = _tied(thing, vertices, into)
        if other == WORLD:
            raise fail(thing, f"'{vertices}' is attached to the world; hold it with scene.pin instead.")
        place = rope_place(thing, "a" if other == thing.a else "b", other, into)
        _tie(thing, vertices, index, numbers, _target(thing, other, place), has_point(other, into), into)
    into.index["tie"][thing.name] = TieIndex(first, len(into.ties.rows) - first, 1 if on_soft(thing.a, into) else -1)


def _tied(thing: Attachment, name: str, into: Draft) -> tuple[SoftIndex, np.ndarray]:
    """The vertices of one side, which nothing else may hold."""
    index, numbers = vertices_of(thing, "a" if name == thing.a else "b", name, into)
    one: Any = into.soft[index.number].thing
    if one.method not in TYING:
        raise fail(thing, f"'{one.name}' is solved by method '{one.method}', which cannot attach vertices to what moves; take "
                          f"{' or '.join(repr(word) for word in TYING)}.")
    hold_vertices(thing, into.soft[index.number], numbers)
    return index, numbers


def _target(thing: Attachment, other: str, place: Place) -> Place:
    """Where on the other thing."""
    if thing.at is None or other != thing.b:
        return place
    return Place(place.body, place.frame.then(Pose(thing.at)))


def _tie(thing: Attachment, name: str, index: SoftIndex, numbers: np.ndarray, place: Place, at_point: bool,
         into: Draft) -> None:
    """Each vertex to the point of the other thing where it is now."""
    body, at = into.world_pose(place.body), into.soft[index.number].thing.placed()[numbers]
    if thing.at is not None or at_point:
        x = np.array(body.then(place.frame).position)
        away = float(np.linalg.norm(at.mean(axis=0) - x))
        if away > NEAR:
            raise fail(thing, f"the middle of '{name}' is {away:.4g} m away from where it is to be held; move one of them "
                              "there.")
    for number, x in zip(numbers.tolist(), at, strict=True):
        into.ties.add(mover=(place.body, index.first + number), anchor=body.local(tuple(x.tolist())))
        into.excluded.add((place.body, index.first + number))


def _tie_things(thing: Attachment, into: Draft) -> None:
    """Vertices of two things in pairs, each with the nearest."""
    (a, some), (b, others) = _tied(thing, thing.a, into), _tied(thing, thing.b, into)
    here, there = into.soft[a.number].thing.placed()[some], into.soft[b.number].thing.placed()[others]
    for k, j in enumerate(paired(thing, some, here, there)):
        pair = b.first + int(others[j]), a.first + int(some[k])
        into.ties.add(mover=pair)
        into.excluded.add(pair)


def paired(thing: Attachment, some: np.ndarray, here: np.ndarray, there: np.ndarray) -> list[int]:
    """Which of the places `there` [m] (k, 3) each of the vertices `some` (k,), which are `here` [m] (k, 3), is tied to."""
    if len(here) != len(there):
        raise fail(thing, f"'{spoken(thing.a)}' is {len(here)} vertices and '{spoken(thing.b)}' {len(there)}; they are tied in "
                          "pairs: choose as many of each.")
    away = np.linalg.norm(here[:, None] - there[None], axis=2)
    nearest = away.argmin(axis=1)
    worst = int(away.min(axis=1).argmax())
    if away[worst, nearest[worst]] > NEAR or len(set(nearest.tolist())) < len(some):
        raise fail(thing, f"vertex {some[worst]} of '{spoken(thing.a)}' is {away[worst, nearest[worst]]:.4g} m away from the "
                          f"nearest vertex of '{spoken(thing.b)}'; vertices are tied in pairs that lie in one place.")
    return nearest.tolist()

