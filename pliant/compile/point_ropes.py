"""Ropes of points and elements to arrays: papers A and C, and the ends that bodies carry."""

from math import inf, pi
from typing import NamedTuple

import numpy as np

from ..equations.rod.section_stiffness import section_inertia
from ..model.bodies import DRIVEN, DYNAMIC
from ..model.point_ropes import (
    BEFORE,
    BEND,
    BETWEEN,
    COMPLIANT,
    ELEMENT,
    ELEMENTS,
    HOLD,
    IMPULSE,
    KIND,
    LENGTH,
    POINT,
    POINTS,
    POSITION,
    REST,
    ROW,
    SHEAR,
    STRETCH,
    PointRopes,
)
from ..model.schema import allocate
from ..scene.attachment import Attachment, Pin
from ..scene.control import Load
from ..scene.errors import fail, unknown_name
from ..scene.material import material_of
from ..scene.places import NEAR, far
from ..scene.pose import Pose, inverted, product
from ..scene.rope import Rope
from .draft import Draft, Place
from .holds import Moved, check_turning, has_point, held_twice
from .rope_layout import clamped_ends, drawn, frames, lay
from .ropes import Section, rest_of, rope_place, turned_by

KINDS = {"impulse": IMPULSE, "position": POSITION, "compliant": COMPLIANT}
_SAME = (1.0, 0.0, 0.0, 0.0)
_STILL = (0.0, 0.0, 0.0)


class PointRopeIndex(NamedTuple):
    """Where a rope of points and elements lies in the arrays."""

    first: int
    """Mover of its first point."""
    element: int
    """Mover of the element after its first point."""
    number: int
    """Its row in the table of such ropes."""
    before: int
    """1 where a clamp holds its start, else 0."""
    lengths: np.ndarray
    """Of its elements, unstretched [m]."""
    masses: np.ndarray
    """Of its elements [kg]."""
    points: np.ndarray
    """At the start [m]."""
    movers: range
    """Points, elements and frames of clamps."""
    joints: list[int]
    """None: its elements are joined by rows of their own."""
    drawn: tuple
    """Quaternions that clamps hold its start and its end at."""


class PointRopeDraft:
    """A rope while its ends are still being held."""

    def __init__(self, thing: Rope, row: np.ndarray, table: np.ndarray) -> None:
        self.thing, self.row, self.table = thing, row, table
        self.carrier, self.hold = [-1, -1], np.zeros(2 * HOLD)
        self.hold[[3, HOLD + 3]] = 1.0


def draft_point_rope(thing: Rope, into: Draft) -> None:
    """Points, elements and the frames of clamps, side by side in the table of movers."""
    into.refused += [fail(thing, text) for text in _cannot(thing)]
    points, lengths = lay(thing, into)
    turns = frames(thing, points)
    held = drawn(thing, turns)
    mass = thing.mass
    if mass is None:
        mass = material_of(thing, thing.material).density * pi * thing.radius**2 * sum(lengths)
    masses = mass * lengths / sum(lengths)
    before, after = map(int, clamped_ends(thing, into))
    first, element = len(into.bodies.rows), len(into.bodies.rows) + len(points)
    for x, m in zip(points, 0.5 * (np.append(masses, 0.0) + np.append(0.0, masses)), strict=True):
        into.bodies.add(kind=DYNAMIC, mass=m, inverse_mass=1.0 / m)
        into.motion.add(position=x, quaternion=_SAME)
    middles = 0.5 * (points[1:] + points[:-1])
    for k in range(-before, len(lengths) + after):
        numbers = {}
        if 0 <= k < len(lengths):
            inertia = np.array(section_inertia(masses[k], thing.radius))
            numbers = {"inertia": inertia, "inverse_inertia": 1.0 / inertia}
        into.bodies.add(kind=DYNAMIC, **numbers)
        turn = held[0] if k < 0 else held[1] if k == len(lengths) else turns[k]
        into.motion.add(position=middles[min(max(k, 0), len(lengths) - 1)], quaternion=turn)
    row = np.zeros(7, int)
    row[[KIND, POINT, POINTS, ELEMENT]] = KINDS[thing.method], first, len(points), element
    row[[ELEMENTS, BEFORE]] = before + len(lengths) + after, before
    table = _table(thing, lengths, (held[0], *turns, held[1]), Section(*thing.stiffness), before, after)
    number = len(into.point_ropes)
    into.point_ropes.append(PointRopeDraft(thing, row, table))
    into.index["rope"][thing.name] = PointRopeIndex(first, element + before, number, before, lengths, masses, points,
                                                    range(first, len(into.bodies.rows)), [], held)
    into.places[f"{thing.name}.start"] = Place(first, Pose())
    into.places[f"{thing.name}.end"] = Place(first + len(points) - 1, Pose())


def _cannot(thing: Rope) -> list[str]:
    """What a rope asks for that its method has not."""
    reasons = []
    if thing.method == "impulse":
        for field in ("stretch", "shear"):
            value = getattr(thing, field)
            if isinstance(value, str) or np.isfinite(value).any():
                reasons.append(f"{field} is given, but by method 'impulse' a rope has none; leave it out, or take method "
                               "'compliant' or 'direct'.")
    if thing.break_tension < inf:
        reasons.append(f"break_tension is given, but by method '{thing.method}' a rope cannot break; leave it out.")
    return reasons


def _table(thing: Rope, lengths, turns, section: Section, before: int, after: int) -> np.ndarray:
    """Rows of the elements: lengths and stiffness, and of the joint after each bending, twisting and rest.

    `turns` are those that a clamp holds the start at, of the elements, and that a clamp holds the end at.
    """
    n = len(lengths)
    table = np.zeros((before + n + after, 10))
    table[:, [STRETCH, SHEAR, BETWEEN]] = inf, inf, 1.0
    body = slice(before, before + n)
    table[body, LENGTH], table[body, STRETCH], table[body, SHEAR] = lengths, section.stretch, section.shear
    for k in range(-before, n + after - 1):
        parts = [(j, 0.5 * lengths[j]) for j in (k, k + 1) if 0 <= j < n]
        between = sum(length for _, length in parts)
        row = table[before + k]
        row[BEND:BEND + 3], row[BETWEEN] = section.joint(parts)[3:], between
        row[REST:REST + 3] = rest_of(thing, min(max(k, 0), n - 2), between, turns[k + 1], turns[k + 2])
    return table


def on_point_rope(name, ropes: dict) -> str | None:
    """The rope of points and elements that a place lies on: "tow.start", "tow@1.25"."""
    if not isinstance(name, str):
        return None
    rope = name.partition("@")[0] if "@" in name else name.rpartition(".")[0]
    return rope if isinstance(ropes.get(rope), PointRopeIndex) else None


def draft_point_attachment(thing: Attachment, into: Draft) -> None:
    """A body carries the end of a rope, whichever of the two is named first."""
    ropes = into.index["rope"]
    sides = [on_point_rope(name, ropes) for name in (thing.a, thing.b)]
    if all(sides):
        into.refused.append(fail(thing, f"by methods other than 'direct' ropes cannot be attached to ropes ('{thing.a}' and "
                                        f"'{thing.b}'); put a small body between them, or take method 'direct' for both."))
        return
    end, holder, sign = (thing.a, thing.b, 1.0) if sides[0] else (thing.b, thing.a, -1.0)
    if sides[0] and thing.at is not None:
        place = into.place(thing, "b", holder)
        there, known = Place(place.body, place.frame.then(Pose(thing.at))), True
    else:
        there, known = rope_place(thing, "b" if sides[0] else "a", holder, into), has_point(holder, into)
        if thing.at is not None:
            into.refused.append(fail(thing, f"at is given, but b is '{end}', a place on a rope, which has no axes; name the "
                                            "rope first."))
    _carry(thing, end, there, known, thing.clamp, sign, into)


def draft_point_pin(thing: Pin, into: Draft) -> None:
    """The world carries the end of a rope, or what a motion drives does."""
    ropes = into.index["rope"]
    rope = on_point_rope(thing.what, ropes) or ""
    if thing.slide is not None:
        into.refused.append(fail(thing, f"slide is given, but '{thing.what}' is a place on a rope by method "
                                        f"'{into.scene[rope].method}', which cannot slide; take method 'direct'."))
    where = thing.position
    if where is None:
        where = tuple(ropes[rope].points[-1 if thing.what.endswith(".end") else 0].tolist())
    body, frame = 0, Pose(where)
    if thing.motion is not None:
        check_turning(thing)
        body, frame = into.bodies.add(kind=DRIVEN), Pose()
        into.motion.add(position=where, quaternion=_SAME)
        into.driven.append((body, Moved(thing, where, _SAME)))
    _carry(thing, thing.what, Place(body, frame), True, thing.clamp, 1.0, into)


def _carry(thing, end: str, there: Place, known: bool, clamp: bool, sign: float, into: Draft) -> None:
    """Let the body at `there` carry an end; `sign` is -1 where the rope holds the other thing in the user's words."""
    if "@" in end:
        into.refused.append(fail(thing, f"'{end}' lies along a rope by method '{into.scene[end.partition('@')[0]].method}', "
                                        "which can be held at its start and its end alone; take method 'direct'."))
        return
    name, _, word = end.rpartition(".")
    if word not in ("start", "end"):
        raise unknown_name(thing, "the place on a rope", end, [f"{name}.start", f"{name}.end"])
    index, side = into.index["rope"][name], 0 if word == "start" else 1
    rope = into.point_ropes[index.number]
    if rope.carrier[side] >= 0:
        raise held_twice(thing, end, next(n for n, held in into.index["grip"].items() if held[:2] == (name, side)))
    holder, point = into.world_pose(there.body), tuple(index.points[-side].tolist())
    if known:
        target = holder.then(there.frame).position
        distance = float(np.linalg.norm(np.subtract(target, point)))
        if distance > NEAR:
            raise far(thing, end, distance, target)
        point = target
    mover = index.first + side * (len(index.points) - 1)
    anchor = holder.local(point)
    rope.carrier[side] = there.body
    rope.hold[HOLD * side:HOLD * side + HOLD] = (*anchor, *product(inverted(holder.quaternion), index.drawn[side]))
    into.bodies.rows[mover].update(mass=0.0, inverse_mass=0.0)
    carrier = into.bodies.rows[there.body]
    if carrier.get("inverse_mass", 0.0) > 0.0:  # the last half element rides in its carrier's centre of mass
        carrier["mass"] += 0.5 * index.masses[-side]
        carrier["inverse_mass"] = 1.0 / carrier["mass"]
    into.places[end] = Place(there.body, Pose(anchor))
    into.index["grip"][thing.name] = (name, side, sign)


def draft_point_load(thing: Load, into: Draft) -> None:
    """Forces go to the points on either side of a place, or to what carries it; torques to its element."""
    rope = on_point_rope(thing.on, into.index["rope"]) or ""
    if thing.follow and any(thing.force):
        into.refused.append(fail(thing, f"its force follows a place on a rope by method '{into.scene[rope].method}', whose "
                                        "points do not turn; take method 'direct', or follow=False."))
    for place, share in shares_of(thing, thing.on, into.index["rope"], into.places):
        force = (share * thing.force[0], share * thing.force[1], share * thing.force[2])
        into.loads.append((place, thing.replace(force=force, torque=_STILL, follow=False)))
    if any(thing.torque):
        for element, share in elements_at(thing, thing.on, into.index["rope"]):
            torque = (share * thing.torque[0], share * thing.torque[1], share * thing.torque[2])
            into.loads.append((Place(element, Pose()), thing.replace(force=_STILL, torque=torque)))


def shares_of(thing, name: str, ropes: dict, places: dict[str, Place]) -> list[tuple[Place, float]]:
    """Places that share a force on a place on a rope of points and elements, and how much each takes."""
    if name in places:
        return [(places[name], 1.0)]
    rope = on_point_rope(name, ropes) or ""
    k, share = _element(thing, name, ropes)
    index = ropes[rope]
    both = []
    for i, part in ((k, 1.0 - share), (k + 1, share)):
        end = "start" if i == 0 else "end" if i == len(index.points) - 1 else None
        if part > 0.0:
            both.append((places[f"{rope}.{end}"] if end else Place(index.first + i, Pose()), part))
    return both


def elements_at(thing, name: str, ropes: dict) -> list[tuple[int, float]]:
    """Elements (movers) that share a torque at a place on a rope, and how much each takes."""
    rope = ropes[on_point_rope(name, ropes)]
    if "@" not in name:
        return [(rope.element + (len(rope.lengths) - 1 if name.endswith(".end") else 0), 1.0)]
    k, along = _element(thing, name, ropes)
    shares = turned_by(k, (along - 0.5) * float(rope.lengths[k]), rope.lengths, False)
    return [(rope.element + element, share) for element, share in shares]


def _element(thing, name: str, ropes: dict) -> tuple[int, float]:
    """The element of "rope@1.25" and how far along it that is [-]."""
    rope, _, arc = name.partition("@")
    try:
        s = float(arc)
    except ValueError:
        raise fail(thing, f"the place is '{name}'; one on a rope is written 'rope@1.25', with its arc length [m].") from None
    ends = np.cumsum(ropes[rope].lengths)
    if not 0.0 <= s <= ends[-1] * (1.0 + 1e-9):
        raise fail(thing, f"the place is at {s:g} m of '{rope}', which is {ends[-1]:.6g} m long; stay within it.")
    k = min(int(np.searchsorted(ends, s)), len(ends) - 1)
    return k, float(np.clip(1.0 - (ends[k] - s) / ropes[rope].lengths[k], 0.0, 1.0))


def freeze_point_ropes(into: Draft) -> PointRopes:
    """The group of arrays."""
    drafts = into.point_ropes
    group = allocate(PointRopes, len(drafts), r=sum(len(one.table) for one in drafts))
    row = 0
    for k, one in enumerate(drafts):
        group.rope[k] = one.row
        group.rope[k, ROW] = row
        group.carrier[k], group.hold[k], group.damping[k] = one.carrier, one.hold, one.thing.damping
        group.row[row:row + len(one.table)] = one.table
        row += len(one.table)
    return group
