"""Ropes to arrays: links, the rods between them, and places on them."""

from math import cos, inf, pi, sin
from typing import NamedTuple

import numpy as np

from ..equations.rod.twist_angle import strains_of
from ..model.bodies import DYNAMIC
from ..model.joints import ROD
from ..model.rods import MEAN, RIGID, RIGID_BESIDE, SLIDING, SOFT
from ..scene.control import Load
from ..scene.errors import fail, unknown_name
from ..scene.material import material_of
from ..scene.places import check_arc
from ..scene.pose import Pose, inverted, product, turned
from ..scene.rope import Rope
from .draft import Draft, Place
from .rope_layout import drawn, enough_points, frames, lay, swing


class RopeIndex(NamedTuple):
    """Where a rope lies in the arrays."""

    first: int
    """Body of its first link."""
    lengths: np.ndarray
    """Of its elements, unstretched [m]."""
    joints: list[int]
    """Between its links, in order; of a ring also the closing one."""
    laws: "Section"
    points: np.ndarray
    """At the start [m]."""
    drawn: tuple
    """Quaternions that clamps hold its start and its end at."""


class Section(NamedTuple):
    """Stiffness of each element: E A, G A [N] (n,), E I (n, 2), G J (n,) [N m2]."""

    stretch: np.ndarray
    shear: np.ndarray
    bend: np.ndarray
    twist: np.ndarray

    def joint(self, parts: list[tuple[int, float]]) -> tuple[float, ...]:
        """Stiffness (gap 3, bend 2, twist) of lengths [m] of elements one after another: compliances add."""
        def of(values) -> float:
            softness = sum(length / values[k] if values[k] > 0.0 else inf for k, length in parts)
            return 1.0 / softness if softness > 0.0 else inf

        across, along = of(self.shear), of(self.stretch)
        return across, across, along, of(self.bend[:, 0]), of(self.bend[:, 1]), of(self.twist)


def draft_rope(thing: Rope, into: Draft) -> None:
    """Links and the rods between them."""
    if thing.break_tension < inf:
        raise fail(thing, "break_tension is given, but ropes cannot break yet; leave it out.")
    points, lengths = lay(thing, into)
    n, section = thing.elements, Section(*thing.stiffness)
    _check_closure(thing, into)
    turns = [product(q, _about_axis(thing.closure_twist * k / n)) for k, q in enumerate(frames(thing, points))]
    mass = thing.mass
    if mass is None:
        mass = material_of(thing, thing.material).density * pi * thing.radius**2 * sum(lengths)
    first = len(into.bodies.rows)
    ends = points[1:] if len(points) == n + 1 else np.vstack([points[1:], points[:1]])
    for k in range(n):
        m = mass * lengths[k] / sum(lengths)
        across = m * (thing.radius**2 / 4.0 + lengths[k] ** 2 / 12.0)
        inertia = np.array([across, across, m * thing.radius**2 / 2.0])
        into.bodies.add(kind=DYNAMIC, link=1, mass=m, inverse_mass=1.0 / m, inertia=inertia, inverse_inertia=1.0 / inertia)
        into.motion.add(position=0.5 * (points[k] + ends[k]), quaternion=turns[k])
    joints = [_rod(thing, into, first, k, (k + 1) % n, lengths, section, turns) for k in range(n if thing.closed else n - 1)]
    index = RopeIndex(first, lengths, joints, section, points, drawn(thing, turns))
    into.index["rope"][thing.name] = index
    for word, k, sign in (("start", 0, -0.5), ("end", n - 1, 0.5)):
        into.places[f"{thing.name}.{word}"] = Place(first + k, Pose((0.0, 0.0, sign * lengths[k])))


def _check_closure(thing: Rope, into: Draft) -> None:
    """A joint bears G J/l times its twist up to a third of a turn, less beyond, and cannot tell more than half a turn."""
    twist, n = abs(thing.closure_twist), thing.elements
    need = f"take {enough_points(twist, True)} points or more"
    if twist >= pi * n:
        raise fail(thing, f"closure_twist is {thing.closure_twist:.6g} rad, {twist / n:.3g} in each of {n} joints, which can "
                          f"tell at most half a turn; {need}.")
    if twist > 0.5 * pi * n:
        into.warnings.append(f"Rope '{thing.name}': closure_twist turns each of {n} joints by {twist / n:.3g} rad, and beyond "
                             f"a third of a turn they give way; {need}")


def _rod(thing: Rope, into: Draft, first: int, a: int, b: int, lengths, section: Section, turns) -> int:
    """The joint from element `a` to element `b`."""
    half_a, half_b = 0.5 * lengths[a], 0.5 * lengths[b]
    law = section.joint([(a, half_a), (b, half_b)])
    rest = rest_of(thing, a, half_a + half_b, turns[a], turns[b])
    frame_b = (1.0, 0.0, 0.0, 0.0)
    if b < a:  # the closing joint of a ring: its frames meet untwisted, and then turned by the closure twist
        frame_b = _closing(thing, turns[a], turns[b])
        rest = rest_of(thing, a, half_a + half_b, turns[a], product(turns[b], frame_b)) if isinstance(thing.rest, str) else rest
    return add_rod(into, (first + a, first + b), ((0.0, 0.0, half_a), (0.0, 0.0, -half_b)), (SAME, frame_b), law, rest,
                    thing.damping, 0.5 * (lengths[a] + lengths[b]))


SAME = (1.0, 0.0, 0.0, 0.0)


def _closing(thing: Rope, q_a, q_b):
    """Frame on the first element that the last one's, carried on without twist, is turned to by its share of the twist."""
    a, b = turned(q_a, (0.0, 0.0, 1.0)), turned(q_b, (0.0, 0.0, 1.0))
    carried = product(swing(a, b, q_a), q_a)
    return product(product(inverted(q_b), carried), _about_axis(thing.closure_twist / thing.elements))


def _about_axis(angle: float):
    """A turn about d3 [rad]."""
    return cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)


def rest_of(thing: Rope, a: int, length: float, q_a, q_b) -> tuple[float, float, float]:
    """2 Im p without load."""
    if isinstance(thing.rest, str):
        if thing.rest == "straight":
            return 0.0, 0.0, 0.0
        share = thing.closure_twist / thing.elements  # which is no part of the shape without load
        w, x, y, z = product(inverted(q_a), product(q_b, _about_axis(-share)))
        sign = -2.0 if w < 0.0 else 2.0
        return sign * x, sign * y, sign * z
    u = thing.rest if thing.rest.shape == (3,) else thing.rest[a]
    if np.linalg.norm(length * u) > 2.0:
        raise fail(thing, f"rest turns by {np.linalg.norm(length * u):.3g} rad over {length:.3g} m between two elements; "
                          "they can tell at most half a turn: take more points.")
    return tuple((length * u).tolist())


def add_rod(into: Draft, bodies, anchors, turns, law, rest, damping: float, scale: float, slide=None, sliding=SLIDING,
            axis: float = MEAN) -> int:
    """The number of a new joint; `rest` as `rest_of`; `axis`: the left link's share in the way that it stretches."""
    rigid = np.isinf(law[2]) and np.isinf(law[0])
    kind = sliding if slide is not None else RIGID if rigid else SOFT
    gap = law[:3] if kind == SOFT else (0.0, 0.0, 0.0)
    gap = tuple(min(g, RIGID_BESIDE * min(gap)) for g in gap)
    reach = (anchors[0][2], anchors[1][2]) if _on_axes(anchors, turns) else (0.0, 0.0)
    rest = _strain_of(rest)
    rod = into.rods.add(table=(*law[3:], *rest, damping, scale, kind, *reach, axis, *gap, *(slide or (0.0, 0.0, 0.0))))
    return into.joints.add(kind=ROD, body=bodies, anchor_a=anchors[0], anchor_b=anchors[1], frame_a=turns[0], frame_b=turns[1],
                           rod=rod)


def _strain_of(rest) -> tuple[float, float, float]:
    """What strains are where 2 Im p is `rest`."""
    x, y, z = 0.5 * np.array(rest)
    p = np.array([[np.sqrt(max(0.0, 1.0 - x * x - y * y - z * z)), x, y, z]])
    return tuple(strains_of(p)[0].tolist())


def _on_axes(anchors, turns) -> bool:
    """Whether a rod meets both bodies on their own third axes, its frames being theirs."""
    return all(tuple(a[:2]) == (0.0, 0.0) and a[2] != 0.0 for a in anchors) and all(tuple(q) == SAME for q in turns)


def rope_place(thing, role: str, name: str, into: Draft) -> Place:
    """A place, also one between the ends of a rope."""
    if isinstance(name, str) and "@" in name:
        return place_on_rope(thing, role, name, into.index["rope"])
    return into.place(thing, role, name)


def place_on_rope(thing, role: str, name: str, ropes: dict[str, RopeIndex]) -> Place:
    """The place "rope@1.25": on the link that holds this arc length [m]."""
    rope = name.partition("@")[0]
    if rope not in ropes:
        raise unknown_name(thing, role, rope, ropes)
    lengths = ropes[rope].lengths
    ends = np.cumsum(lengths)
    s = check_arc(thing, role, name, float(ends[-1]))
    k = min(int(np.searchsorted(ends, s)), len(ends) - 1)
    return Place(ropes[rope].first + k, Pose((0.0, 0.0, s - ends[k] + 0.5 * lengths[k])))


def turned_by(k: int, beyond: float, lengths, closed: bool) -> list[tuple[int, float]]:
    """Elements that share what acts `beyond` the middle of element `k` [m], and how much each takes, between two middles."""
    other = k + (1 if beyond > 0.0 else -1)
    other = other % len(lengths) if closed else other
    if beyond == 0.0 or not 0 <= other < len(lengths):
        return [(k, 1.0)]
    share = abs(beyond) / (0.5 * float(lengths[k] + lengths[other]))
    return [(k, 1.0 - share), (other, share)]


def draft_rope_load(thing: Load, into: Draft) -> None:
    """A load between the ends of a rope, shared among its links."""
    index = into.index["rope"][thing.on.partition("@")[0]]
    for place, share in shared_places(rope_place(thing, "on", thing.on, into), index):
        force, torque = (tuple(share * part for part in vector) for vector in (thing.force, thing.torque))
        into.loads.append((place, thing.replace(force=force, torque=torque)))


def shared_places(place: Place, index: RopeIndex) -> list[tuple[Place, float]]:
    """Places on links of a direct rope that share a force and a torque at a place on it, and how much each takes.

    What acts at z beyond the middle of a link, d before its end, goes by shares 1 - w and w to this link and the next: rods
    reach from middle to middle, so that they stretch and turn as the rope itself does on either side of the place. The next
    link's part acts on its end, this one's d / (1 - w) before its own: where the two ends are one point that is the same.
    """
    z, (own, *others) = place.frame.position[2], turned_by(
        place.body - index.first, place.frame.position[2], index.lengths, len(index.joints) == len(index.lengths))
    if not others:
        return [(place, 1.0)]
    (k, rest), (other, share), side = own, others[0], 1.0 if z > 0.0 else -1.0
    end = 0.5 * float(index.lengths[k])
    inner = Pose((0.0, 0.0, side * (end - (end - side * z) / rest)))
    outer = Pose((0.0, 0.0, -side * 0.5 * float(index.lengths[other])))
    return [(Place(index.first + k, inner), rest), (Place(index.first + other, outer), share)]
