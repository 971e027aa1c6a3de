"""Trees of joints: which joints make trees, in which order they are eliminated, and which close loops."""

from collections import deque

import numpy as np

from ..model.bodies import FIXED, PASSED
from ..model.joints import ROD, SPHERICAL
from ..model.rods import GAP_LAW, RIGID, SOFT, STRETCH
from ..scene.pose import turned
from .draft import Draft
from .ropes import RopeIndex

ANVIL, ANVIL_SOFT = 20.0, 1e3
"""Mass, in masses of its whole tree, that stands for what does not move where a tree reaches it a second time [-].

What it gives way by is made good by the impulse kept from one Newton step to the next; the lighter it is, the less a
light link beside it is lost in rounding. Behind a gap that stretches less is lost.
"""
ENDS, ROPE_ENDS, CLOSED = 4, 16, 64
"""Where a tree, without or with ropes, reaches what does not move so many times more, in all of a scene so many times, those
joints close loops instead: that matrix is dense, but it is exact, also where bars or ropes lie nearly straight and answer less
than any mass that stood for what does not move, and drives wait for no sweeps."""
FIRM = 1e11
"""Stiffness [N/m, N m/rad] of holds beyond those, in masses of what they hold [1/s2]: springs that are folded into their tree.

A straight cable of 0.5 kg/m gives way by 0.3 um on them, and by 34 um under 200 kg. Of forces is lost in rounding what goes as
the square of how much stiffer they are than a link is heavy, (FIRM h^2)^2 2e-16: a thousandth of a per cent at 1/480 s.
"""
SLACK = 0.99
"""Share of a rope's length by which places that it hangs between may be apart for it to count as slack [-]."""
EVEN = 1e3
"""A gap whose stiffnesses differ by no more than this share needs no such mass: they are folded in as they are [-]."""


def order_joints(into: Draft) -> None:
    """Reorder the draft's joints outermost first, mark their outer bodies, and the part of each body in its tree.

    What does not move is cut apart: each joint to it has its own end there. A breadth-first walk starts from one such end
    of each tree, or from its body with most joints: joints met on the way are tree joints, other ends among them, and
    the rest close loops, as do a few other ends. Driven joints are passed first, since trees solve their drives exactly and
    loops leave them to sweeps, which swing where something touches; knots between ropes last, so that in a net it is they that
    close loops, by three rows each. Reversed, the walk is the order of elimination.
    """
    rows, bodies = into.joints.rows, into.bodies.rows
    for row in bodies:
        row["tree"] = -1
    moves = [bool(row.get("inverse_mass", 0.0)) for row in bodies]
    at: dict[int, list[int]] = {}
    for j, row in enumerate(rows):
        for body in row["body"]:
            if moves[body]:
                at.setdefault(body, []).append(j)
    driven = {into.coordinates.rows[drive["coordinate"]]["joint"] for drive in into.drives.rows}
    held = sorted((j for j, row in enumerate(rows) if not all(moves[b] for b in row["body"])), key=lambda j: j not in driven)
    walk: list[int] = []
    outer = [-1] * len(rows)
    reached: set[int] = set()
    closed: list[int] = []
    for j in held:
        side = 1 if moves[rows[j]["body"][1]] else 0
        if rows[j]["body"][side] not in reached:
            outer[j] = side
            walk.append(j)
            _walk(into, rows[j]["body"][side], at, moves, driven, outer, reached, walk, closed)
    for start in sorted(at, key=lambda b: (-len(at[b]), b)):
        if start not in reached:
            bodies[start]["tree"] = 1
            _walk(into, start, at, moves, driven, outer, reached, walk, closed)
    for j, row in enumerate(rows):
        row["outer"] = outer[j]
    loops = [j for j in range(len(rows)) if outer[j] < 0]
    order = [*reversed(walk), *loops]
    _mark_passed(rows, bodies, order)
    _renumber(into, order)


def _mark_passed(rows: list[dict], bodies: list[dict], order: list[int]) -> None:
    """Links of ropes that only one joint is folded into, the one before their own. Writes: the bodies' parts"""
    inward: dict[int, list[int]] = {}
    for place, j in enumerate(order):
        if rows[j]["outer"] >= 0:
            inward.setdefault(rows[j]["body"][1 - rows[j]["outer"]], []).append(place)
    for place, j in enumerate(order):
        outer = rows[j]["body"][rows[j]["outer"]]
        if rows[j]["outer"] >= 0 and bodies[outer].get("link") == 1 and inward.get(outer) == [place - 1]:
            bodies[outer]["tree"] = PASSED


def _walk(into: Draft, start: int, at, moves, driven: set[int], outer, reached: set[int], walk: list[int],
          closed: list[int]) -> None:
    """Reach all bodies that hang together with `start`. Writes: outer, reached, walk, closed, and the bodies' parts"""
    rows, bodies = into.joints.rows, into.bodies.rows
    reached.add(start)
    bodies[start]["tree"] = max(bodies[start]["tree"], 0)
    queue, first = [start], len(walk)
    ready = deque[tuple[int, int]](), deque[tuple[int, int]](), deque[tuple[int, int]]()

    def meet(body: int) -> None:
        for j in at[body]:
            ready[0 if j in driven else 2 if _is_knot(into, rows[j]) else 1].append((j, body))

    meet(start)
    while any(ready):
        j, inner = next(one for one in ready if one).popleft()
        a, b = rows[j]["body"]
        beyond, side = (b, 1) if a == inner else (a, 0)
        if outer[j] >= 0 or beyond in reached:
            continue
        outer[j] = side
        walk.append(j)
        if moves[beyond]:
            reached.add(beyond)
            bodies[beyond]["tree"] = 0
            queue.append(beyond)
            meet(beyond)
    ends = [j for j in walk[first:] if not moves[rows[j]["body"][outer[j]]]]
    members = {j for b in queue for j in at[b]}
    ropes = any(rows[j]["kind"] == ROD for j in members)
    mass = sum(bodies[b]["mass"] for b in queue)
    few = 0 < len(ends) <= (ROPE_ENDS if ropes else ENDS) and len(closed) + len(ends) <= CLOSED
    if few and not any(_gives(into, rows[j]) for j in ends) and not _is_slack(into, walk[first - 1:], outer, ends):
        for j in ends:
            outer[j] = -1
            walk.remove(j)
        closed += ends
        ends = []
    springs = ropes and not few
    for j in ends:
        if springs and not _gives(into, rows[j]):
            _hold_as_spring(into, rows[j], outer[j])
        else:
            rows[j]["anvil"] = _anvil(into, rows[j]) * mass
    for j in members if ropes else ():
        if outer[j] < 0 and not _gives(into, rows[j]):
            rows[j]["anvil"] = ANVIL * mass


def _hold_as_spring(into: Draft, row: dict, outer: int) -> None:
    """Let a joint to what does not move hold as a stiff spring, which is folded into its tree. Writes: its row, or its rod's"""
    row["spring"] = FIRM * into.bodies.rows[row["body"][1 - outer]]["mass"]
    if row["kind"] == ROD:
        rod = into.rods.rows[row["rod"]]
        table = list(rod["table"])
        table[GAP_LAW], table[STRETCH:STRETCH + 3] = SOFT, [row["spring"]] * 3
        rod["table"] = tuple(table)


def _gives(into: Draft, row: dict) -> bool:
    """Whether a joint is a rod whose gap stretches or slides."""
    return row["kind"] == ROD and into.rods.rows[row["rod"]]["table"][GAP_LAW] != RIGID


def _is_slack(into: Draft, walk: list[int], outer: list[int], ends: list[int]) -> bool:
    """Whether a tree is nothing but one rope between two places that stay, less far apart than it is long.

    Such a rope never comes to lie straight, a mass stands well for what does not move, and it is solved in fewer passes.
    """
    rows, bodies = into.joints.rows, into.bodies.rows
    if len(ends) > 1 or any(rows[j]["kind"] != ROD for j in walk):
        return False
    sides = [(walk[0], outer[walk[0]]), (ends[0], 1 - outer[ends[0]])]
    first, last = (rows[j]["body"][side] for j, side in sides)
    ropes = [rope for rope in into.index["rope"].values() if isinstance(rope, RopeIndex)]
    rope = next((rope for rope in ropes if rope.first <= first < rope.first + len(rope.lengths)), None)
    if rope is None or len(walk) != len(rope.lengths) + 1 or any(
            bodies[rows[j]["body"][1 - side]]["kind"] != FIXED for j, side in sides):
        return False
    anchors = [rows[j]["anchor_b" if side == 1 else "anchor_a"] for j, side in sides]
    places = [np.add(into.motion.rows[k]["position"], turned(into.motion.rows[k]["quaternion"], anchor))
              for k, anchor in zip((first, last), anchors, strict=True)]
    middles = np.cumsum(rope.lengths) - 0.5 * np.array(rope.lengths)
    along = [middles[k - rope.first] + anchor[2] for k, anchor in zip((first, last), anchors, strict=True)]
    return bool(np.linalg.norm(places[1] - places[0]) < SLACK * abs(along[1] - along[0]))


def _is_knot(into: Draft, row: dict) -> bool:
    """Whether a joint holds two links of ropes by a point, as an attachment along their lengths does."""
    return row["kind"] == SPHERICAL and all(into.bodies.rows[b].get("link") == 1 for b in row["body"])


def _anvil(into: Draft, row: dict) -> float:
    """Mass that a joint needs, in masses of its tree."""
    table = into.rods.rows[row["rod"]]["table"] if row["kind"] == ROD else None
    if table is None or table[GAP_LAW] != SOFT:
        return ANVIL
    stiffness = table[STRETCH:STRETCH + 3]
    return ANVIL_SOFT if max(stiffness) > EVEN * min(stiffness) else 0.0


def _renumber(into: Draft, order: list[int]) -> None:
    new = {old: k for k, old in enumerate(order)}
    into.joints.rows = [into.joints.rows[old] for old in order]
    for row in into.coordinates.rows:
        row["joint"] = new[row["joint"]]
    into.index["joint"] = {name: new[j] for name, j in into.index["joint"].items()}
    for kind in ("hold", "end"):
        into.index[kind] = {name: new[j] for name, j in into.index[kind].items()}
    for rope in into.index["rope"].values():
        rope.joints[:] = [new[j] for j in rope.joints]
