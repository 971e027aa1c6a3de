"""What `world.pin`, `world.attach` and `world.detach` hold and let go while a world runs: vertices of cloth and solids.

A pin takes their mass out of the factor, as one of the scene does; an attachment is rows, one tie a vertex, behind those of
the scene. Both tables are state, and grow where they have no free rows left.
"""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compile.point_ropes import on_point_rope
from ..compile.soft_ties import TieIndex, paired
from ..handles.handle import Handle
from ..handles.handle_of import handle_of
from ..model.soft_contacts import Ties
from ..model.soft_things import SoftState
from ..pushes import place_of
from ..scene.attachment import Attachment, Pin
from ..scene.body import Body
from ..scene.errors import SceneError, fail, nearest, shown
from ..scene.places import NEAR, check_vertices
from ..scene.pose import Pose
from ..scene.soft import TYING, Soft
from ..scene.thing import WORLD, reference
from ..scene.vertex_words import soft_and_words, spoken
from . import grip, grip_on_body
from .grip import thing_and_numbers

if TYPE_CHECKING:
    from ..world import World

MADE = -1
"""In the index of pins: one that the scene does not know of."""
SPARE = 8
"""Rows that a table grows by at least."""


def pin(world: "World", what, position, clamp: bool, motion, slide, name: str | None) -> Handle:
    """Hold vertices where they are."""
    what = reference(world, "what", what)
    thing = Pin(name or f"{spoken(what)}-pin", what, position, clamp, motion, slide)
    _check_new(world, thing)
    if not _on_soft(world, what):
        raise fail(thing, f"'{what}' is no vertices of a cloth or a solid, which alone can be pinned while a world runs; pin "
                          "it in the scene, or hold a body by world.grab.")
    check_vertices(thing)
    if motion is not None:
        raise fail(thing, "motion is given, but only pins of a scene are moved by one; move the target of a grip (world.grab).")
    soft, numbers = thing_and_numbers(world, "what", what)
    _check_free(world, thing, soft, numbers)
    movers = soft.first + numbers
    middle = world._engine.state.motion.position[movers].mean(axis=0)
    if thing.position is not None and (far := float(np.linalg.norm(middle - thing.position))) > NEAR:
        raise fail(thing, f"the middle of '{spoken(what)}' is {far:.4g} m away from where it is to be held; leave position "
                          "out.")
    row = _free_row(world, "pinned", 1)
    state = world._engine.state
    state.soft.pin[soft.row + numbers] = row
    state.motion.velocity[movers] = 0.0
    _hold_pins(world, soft.number)
    _begin(world, thing, "pinned", (soft.number, MADE, row))
    return handle_of(world, thing.name)


def attach(world: "World", a, b, at, clamp: bool, name: str | None) -> Handle:
    """Hold vertices to a body, a site, a place on a direct rope, or other vertices."""
    a, b = reference(world, "a", a), reference(world, "b", b)
    thing = Attachment(name or f"{spoken(a)}-{spoken(b)}", a, b, at, clamp)
    _check_new(world, thing)
    if not (_on_soft(world, a) or _on_soft(world, b)):
        raise fail(thing, f"neither '{a}' nor '{b}' is vertices of a cloth or a solid, which alone can be attached while a "
                          "world runs; attach them in the scene, or join bodies by a Latch, which lets go.")
    check_vertices(thing)
    ties = _ties(world, thing)
    rows = slice(first := _free_row(world, "tie", count := len(ties.mover)), first + count)
    state = world._engine.state
    for array, new in zip(state.tied, ties, strict=True):
        array[rows] = new
    state.ties.holds[rows] = 1
    world._engine.tell_detector()
    _begin(world, thing, "tie", TieIndex(first, count, 1 if _on_soft(world, a) else -1))
    return handle_of(world, thing.name)


def detach(world: "World", name) -> None:
    """Let go the vertices that a pin or an attachment holds; one that was made while the world ran is gone then."""
    index = world._index
    if not isinstance(name, str) or (name not in index["tie"] and name not in index["pinned"]):
        remedy = ("A Latch lets a joint go." if isinstance(name, str) and name in world._things else
                  nearest(name, [*index["tie"], *index["pinned"]]) if isinstance(name, str) else "Give its name.")
        raise SceneError(f"World: {shown(name)} is no pin or attachment of vertices; only these can be let go while a world "
                         f"runs. {remedy}")
    _check_thread(world)
    state = world._engine.state
    if name in index["tie"]:
        first, count, _ = index["tie"][name]
        rows = slice(first, first + count)
        held = bool(state.ties.holds[rows].any())
        state.ties.holds[rows], state.ties.impulse[rows], state.ties.force[rows] = 0, 0.0, 0.0
        world._engine.tell_detector()
    else:
        number, _, row = index["pinned"][name]
        held = bool((state.soft.pin == row).any())
        state.soft.pin[state.soft.pin == row] = -1
        state.soft.force[row] = state.soft.torque[row] = 0.0
        _hold_pins(world, number)
    if held:
        world._happenings.note(f"{type(world._things[name]).__name__.lower()} '{name}' let go")
    if name in world._made:
        _forget(world, name)


def as_plain(world: "World") -> list[dict[str, Any]]:
    """What was made while the world ran, as a file has it."""
    found = []
    for name, thing in world._made.items():
        kind = "tie" if isinstance(thing, Attachment) else "pinned"
        fields = (thing.a, thing.b, thing.at) if isinstance(thing, Attachment) else (thing.what,)
        found.append({"name": name, "kind": kind, "fields": fields, "rows": list(world._index[kind][name])})
    return found


def take_over(world: "World", header: dict[str, Any]) -> None:
    """Know what the header of a file tells, of holds and of grips, and of nothing else that was made while the world ran."""
    grip_on_body.take_over(world, header.get("grips", []))
    grip.take_over(world, header.get("soft_grips", []))
    for name in list(world._made):
        _forget(world, name)
    for one in header.get("made", []):
        if one["kind"] == "tie":
            a, b, at = one["fields"]
            _know(world, Attachment(one["name"], a, b, None if at is None else tuple(at)), "tie", TieIndex(*one["rows"]))
        else:
            _know(world, Pin(one["name"], *one["fields"]), "pinned", tuple(one["rows"]))


def _begin(world: "World", thing: Pin | Attachment, kind: str, rows) -> None:
    """Go on with what holds now."""
    _know(world, thing, kind, rows)
    world._happenings.note(f"{type(thing).__name__.lower()} '{thing.name}' took hold")


def _know(world: "World", thing: Pin | Attachment, kind: str, rows) -> None:
    world._made[thing.name] = world._things[thing.name] = thing
    world._index[kind][thing.name] = rows


def _forget(world: "World", name: str) -> None:
    """Know no more of what was made while the world ran."""
    del world._made[name], world._things[name]
    for kind in ("tie", "pinned"):
        world._index[kind].pop(name, None)


def _free_row(world: "World", kind: str, count: int) -> int:
    """The first of so many rows side by side of pins or ties that nothing stands in; the tables grow where there are none."""
    state = world._engine.state
    size = len(state.ties.holds if kind == "tie" else state.soft.force)
    taken = np.zeros(size + count, bool)
    for rows in world._index[kind].values():
        first, many = rows[:2] if kind == "tie" else (rows[2], 1)
        taken[first:first + many] = True
    runs = np.convolve(taken, np.ones(count), "valid")
    row = int(np.argmin(runs))
    if row + count > size:
        more = max(size, count, SPARE)
        groups = ("tied", "ties") if kind == "tie" else ("soft",)
        world._engine.adopt(state._replace(**{group: _grown(getattr(state, group), more) for group in groups}))
    return row


def _grown(group, more: int):
    """Ties, or pins of soft things, with so many rows more."""
    fields = ("force", "torque") if isinstance(group, SoftState) else group._fields
    longer = {name: np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])
              for name, array in group._asdict().items() if name in fields}
    return group._replace(**longer)


def _hold_pins(world: "World", number: int) -> None:
    """Let the factors follow; the second derivative that a solid was solved by last was of other vertices than are free now."""
    world._engine.state.soft.curved_for[number] = 0.0
    if world._engine.soft is not None:
        world._engine.soft.pin()


def _on_soft(world: "World", name: str) -> bool:
    found = soft_and_words(name)
    return isinstance(world._things.get(name if found is None else found[0]), Soft)


def _check_thread(world: "World") -> None:
    if world._driver not in (None, threading.get_ident()):
        raise RuntimeError("A viewer is stepping this world; let it do that by viewer.order(lambda world: …), or stop it first "
                           "(viewer.stop()).")


def _check_new(world: "World", thing: Pin | Attachment) -> None:
    """Refuse a name that is taken, and to change what a viewer steps."""
    _check_thread(world)
    if thing.name in world._things:
        raise SceneError(f"World: the name '{thing.name}' is already taken; give another by name=.")


def _check_free(world: "World", thing: Pin | Attachment, soft, numbers: np.ndarray) -> None:
    """Refuse vertices that something holds already."""
    state, index = world._engine.state, world._index
    pinned = state.soft.pin[soft.row + numbers]
    held = [(int(v), f"Pin '{name}'") for v, row in zip(numbers, pinned, strict=True)
            for name, (_, _, mine) in index["pinned"].items() if row == mine]
    tied = {int(m): k for k, pair in enumerate(state.tied.mover.tolist()) if state.ties.holds[k] for m in pair}
    held += [(int(v), f"Attachment '{name}'") for v in numbers if (k := tied.get(soft.first + int(v), -1)) >= 0
             for name, one in index["tie"].items() if one.first <= k < one.first + one.count]
    if held:
        raise fail(thing, f"vertex {held[0][0]} of '{soft.name}' is held by {held[0][1]} already; a vertex has one holder: let "
                          "that go first (world.detach), or leave the vertex out.")


def _ties(world: "World", thing: Attachment) -> Ties:
    """Of each vertex to the point of the other thing where it is now, or to the vertex there."""
    motion = world._engine.state.motion
    sides = [(name, *_tied(world, thing, name)) for name in (thing.a, thing.b) if _on_soft(world, name)]
    name, soft, numbers = sides[0]
    movers = soft.first + numbers
    if len(sides) == 2:
        others = sides[1][1].first + sides[1][2]
        nearest = paired(thing, numbers, motion.position[movers], motion.position[others])
        return Ties(np.stack([others[nearest], movers], axis=1).astype(np.int32), np.zeros((len(movers), 3)))
    other = thing.b if name == thing.a else thing.a
    if other == WORLD:
        raise fail(thing, f"'{spoken(name)}' is attached to the world; hold it with world.pin instead.")
    if on_point_rope(other, world._index["rope"]):
        raise fail(thing, f"'{other}' is on a rope of points and elements, which vertices cannot be attached to; take method "
                          "'direct' for the rope.")
    place = place_of(world, thing, "a" if other == thing.a else "b", other)
    frame = place.frame.then(Pose(thing.at)) if thing.at is not None and other == thing.b else place.frame
    body = Pose(tuple(motion.position[place.body].tolist()), tuple(motion.quaternion[place.body].tolist()))
    at, point = motion.position[movers], np.array(body.then(frame).position)
    far = float(np.linalg.norm(at.mean(axis=0) - point))
    if far > NEAR and (thing.at is not None or not isinstance(world._things.get(other), Body)):
        raise fail(thing, f"the middle of '{spoken(name)}' is {far:.4g} m away from where it is to be held; move one of them "
                          "there.")
    anchors = np.array([body.local(tuple(x)) for x in at.tolist()])
    return Ties(np.stack([np.full(len(movers), place.body), movers], axis=1).astype(np.int32), anchors)


def _tied(world: "World", thing: Attachment, name: str) -> tuple[Any, np.ndarray]:
    """The thing and the vertices of one side, which nothing else may hold."""
    soft, numbers = thing_and_numbers(world, "a" if name == thing.a else "b", name)
    if soft.method not in TYING:
        raise fail(thing, f"'{soft.name}' is solved by method '{soft.method}', which cannot attach vertices to what moves; "
                          f"take {' or '.join(repr(word) for word in TYING)}.")
    _check_free(world, thing, soft, numbers)
    return soft, numbers
