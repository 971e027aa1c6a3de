"""Attachments and pins to arrays: rods of half an element at the ends of ropes, plain joints elsewhere."""

from math import inf, pi
from typing import NamedTuple

import numpy as np

from ..model.bodies import DRIVEN
from ..model.joints import FIXED_JOINT, SPHERICAL
from ..model.rods import BEND, MEAN, OF_LEFT, OF_RIGHT, SLIDING, SLIDING_RIGHT
from ..scene.attachment import Attachment, Pin
from ..scene.body import Site
from ..scene.errors import SceneError, fail
from ..scene.motion import Motion
from ..scene.places import NEAR, far, no_slide
from ..scene.pose import Pose, inverted, product, turned
from ..scene.thing import WORLD
from .draft import Draft, Place
from .passing import let_pass
from .rope_layout import enough_points
from .ropes import SAME, RopeIndex, add_rod, rest_of, rope_place


class Moved(NamedTuple):
    """What a driver asks of a pin that a motion moves."""

    pin: Pin
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]

    @property
    def name(self) -> str:
        return self.pin.name

    @property
    def motion(self) -> Motion | None:
        return self.pin.motion


class RopeEnd(NamedTuple):
    """An end of a direct rope."""

    rope: str
    word: str
    """"start" or "end"."""

    @property
    def name(self) -> str:
        """As files write it."""
        return f"{self.rope}.{self.word}"


def draft_attachment(thing: Attachment, into: Draft) -> None:
    """A ball or clamp between two places; the end of a rope is held by the other, whichever is named first."""
    names, roles = (thing.a, thing.b), ("a", "b")
    if end_of(thing.a, into) is None and end_of(thing.b, into) is not None:
        names, roles = names[::-1], roles[::-1]
    there = rope_place(thing, roles[1], names[1], into)
    known = has_point(names[1], into)
    if thing.at is not None:
        if "@" in thing.b or end_of(thing.b, into) is not None:
            raise fail(thing, f"at is given, but b is '{thing.b}', a place on a rope already; leave at out, or name the rope "
                              "first.")
        there, known = Place(there.body, there.frame.then(Pose(thing.at))), True
    hold(thing, roles[0], names[0], there, known, thing.clamp, None, into, end_of(names[1], into))
    into.index["held"][thing.name] = rope_place(thing, "a", thing.a, into).body


def draft_pin(thing: Pin, into: Draft) -> None:
    """A ball or clamp to the world, or to what a motion drives."""
    where, end = thing.position, end_of(thing.what, into)
    if where is None:
        where = into.world_point(rope_place(thing, "what", thing.what, into), thing.what if end is None else end.name)
    body, frame = 0, Pose(where)
    if thing.motion is not None:
        check_turning(thing)
        body = into.bodies.add(kind=DRIVEN)
        into.motion.add(position=where, quaternion=SAME)
        into.driven.append((body, Moved(thing, where, SAME)))
        frame = Pose()
    hold(thing, "what", thing.what, Place(body, frame), True, thing.clamp, thing.slide, into)


def check_turning(thing: Pin) -> None:
    """A ball turns nothing: refuse a motion that only a clamp could follow."""
    if thing.motion is not None and thing.motion.rotations is not None and not thing.clamp:
        raise fail(thing, "its motion has rotations, but a pin without clamp holds a point and turns nothing; give clamp=True, "
                          "or leave the rotations out.")


def has_point(name: str, into: Draft) -> bool:
    """Whether a name means a point, and not a whole body on which any point will do."""
    return name == WORLD or "." in name or "@" in name or (name in into.scene and isinstance(into.scene[name], Site))


def end_of(name: str, into: Draft) -> RopeEnd | None:
    """The end of a direct rope that is meant: "tow.start", or "tow@0.0", which is the same."""
    if not isinstance(name, str):
        return None
    rope, _, word = name.partition("@" if "@" in name else ".")
    index = into.index["rope"].get(rope)
    if not isinstance(index, RopeIndex):
        return None
    if "@" not in name:
        return RopeEnd(rope, word) if word in ("start", "end") else None
    try:
        s = float(word)
    except ValueError:
        return None
    length = float(index.lengths.sum())
    if into.scene[rope].closed or 0.0 < s < length * (1.0 - 1e-9) or s < 0.0 or s > length * (1.0 + 1e-9):
        return None
    return RopeEnd(rope, "start" if s == 0.0 else "end")


def hold(thing, role: str, name: str, there: Place, at_point: bool, clamp: bool, slide, into: Draft,
         other: RopeEnd | None = None) -> None:
    """Join the place `name` to `there`: by a rod of half an element where it is the end of a rope, else by a plain joint.

    `other` is the end of a rope that stands there, if it is one: its half element bends and stretches with this one's.
    """
    here, end = rope_place(thing, role, name, into), end_of(name, into)
    if here.body == there.body:
        raise fail(thing, f"'{name}' and what holds it are places on one body; it needs two.")
    point = into.world_point(here, name if end is None else end.name)
    target = into.world_pose(there.body)
    if at_point:
        distance = float(np.linalg.norm(np.subtract(target.then(there.frame).position, point)))
        if distance > NEAR and ("." in name or "@" in name):
            raise far(thing, name, distance, target.then(there.frame).position)
        point = target.then(there.frame).position
    if end is not None:
        if end.name in into.index["end"]:
            raise held_twice(thing, name, next(n for n, j in into.index["hold"].items() if j == into.index["end"][end.name]))
        j = _hold_end(thing, into, end, there.body, point, clamp, slide, other)
        into.index["end"][end.name] = j
    else:
        if slide is not None:
            raise no_slide(thing)
        pose_a, pose_b = into.world_pose(there.body), into.world_pose(here.body)
        in_a, in_b = pose_a.inverse().then(Pose(point)), pose_b.inverse().then(Pose(point))
        j = into.joints.add(kind=FIXED_JOINT if clamp else SPHERICAL, body=(there.body, here.body), anchor_a=in_a.position,
                            anchor_b=in_b.position, frame_a=in_a.quaternion, frame_b=in_b.quaternion)
    let_pass(thing, there.body, here.body, None if end is None else False, into)
    into.index["hold"][thing.name] = j
    into.index["held"][thing.name] = here.body


def held_twice(thing, end: str, holder: str) -> SceneError:
    """The error of an end that a second thing is to hold."""
    return fail(thing, f"'{end}' is held by '{holder}' already, and an end has one holder; take one of the two away, and join "
                       "what else is to be held to that holder's body by a joint.")


def _hold_end(thing, into: Draft, end: RopeEnd, body: int, point, clamp: bool, slide, other: RopeEnd | None) -> int:
    """The holder stands on the rope's outer side: left of its start, right of its end."""
    index, who = into.index["rope"][end.rope], into.scene[end.rope]
    k, length, law = _half(end, into)
    link = index.first + k
    if other is not None:
        law = tuple(_in_series(a, b) for a, b in zip(law, _half(other, into)[2], strict=True))
    if not clamp:
        law = (*law[:3], 0.0, 0.0, 0.0)
    holder, own = into.world_pose(body), into.world_pose(link).quaternion
    held = own if other is not None else index.drawn[0 if end.word == "start" else 1]  # ropes hold each other as they lie
    frame = product(inverted(holder.quaternion), held)
    anchors = (holder.local(point), (0.0, 0.0, -0.5 * length if end.word == "start" else 0.5 * length))
    bodies, turns = (body, link), (frame, SAME)
    along = None
    if end.word == "end":
        bodies, anchors, turns = bodies[::-1], anchors[::-1], turns[::-1]
    if slide is not None:
        law = (inf, inf, inf, *law[3:])  # half an element rides in the pin: as at a free end, only the rest of the rope gives
        along = turned(inverted(holder.quaternion), slide)
    rest = (0.0, 0.0, 0.0)
    if clamp:
        pair = (held, own) if end.word == "start" else (own, held)
        rest = rest_of(who, 0 if end.word == "start" else len(index.joints) - 1, 0.5 * length, *pair)
    sliding, axis = (SLIDING, OF_RIGHT) if end.word == "start" else (SLIDING_RIGHT, OF_LEFT)
    return add_rod(into, bodies, anchors, turns, law, rest, who.damping, length, along, sliding, MEAN if clamp else axis)


def _half(end: RopeEnd, into: Draft) -> tuple[int, float, tuple[float, ...]]:
    """(element, its length [m], stiffness of its outer half) at an end of a rope."""
    index = into.index["rope"][end.rope]
    k = 0 if end.word == "start" else len(index.lengths) - 1
    length = float(index.lengths[k])
    return k, length, index.laws.joint([(k, 0.5 * length)])


def _in_series(a: float, b: float) -> float:
    """Stiffness of two springs one after the other."""
    return 0.0 if 0.0 in (a, b) else min(a, b) if inf in (a, b) else a * b / (a + b)


def warn_of_turns(into: Draft) -> None:
    """Say where motions twist ropes, clamped at both ends, further than their elements can tell: a quarter turn each."""
    for pin in into.scene.flat():
        if not isinstance(pin, Pin) or pin.motion is None or pin.motion.rotations is None:
            continue
        end, rotations = end_of(pin.what, into), pin.motion.rotations
        if end is None:
            continue
        far = RopeEnd(end.rope, "end" if end.word == "start" else "start").name
        if far not in into.index["end"] or not _twists(into, into.index["end"][far]):
            continue
        turn, n = float(np.linalg.norm(rotations, axis=1).max()), into.scene[end.rope].elements
        if turn > 0.5 * pi * n:
            into.warnings.append(f"Pin '{pin.name}' turns '{pin.what}' by {turn:.4g} rad, and the other end is clamped: {n} "
                                 f"elements twist by {0.5 * pi * n:.4g} rad at most, a quarter turn each; take "
                                 f"{enough_points(turn)} points or more")


def _twists(into: Draft, joint: int) -> bool:
    """Whether a rod bears twist, so that its holder is a clamp."""
    return into.rods.rows[into.joints.rows[joint]["rod"]]["table"][BEND + 2] > 0.0
