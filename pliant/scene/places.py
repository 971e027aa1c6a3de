"""Places by name, looked up as soon as something is to be held there: a mistake is met in the line that makes it.

What only a world can tell (who else holds a place, what a method cannot do) is left to when that is built.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .attachment import Attachment, Pin
from .body import Body, Site
from .control import Load
from .errors import SceneError, fail, nearest, shown, unknown_name, who
from .pose import Pose
from .rope import Rope
from .soft import Soft, numbers_of
from .thing import WORLD, Thing
from .vertex_words import soft_and_words

if TYPE_CHECKING:
    from .scene import Scene

NEAR = 1e-3
"""[m] Places on ropes further than this from where they are to be held are not held."""


def check_hold(hold: Attachment | Pin, scene: "Scene") -> None:
    """Refuse an attachment or a pin of a place that is not there, or of a rope far from where it is to be held."""
    things = things_of(scene)
    names = {"what": hold.what} if isinstance(hold, Pin) else {"a": hold.a, "b": hold.b}
    for role, name in names.items():
        _check_place(hold, role, name, things)
        if soft_and_words(name) is not None:
            check_vertices(hold)
    if isinstance(hold, Pin):
        _check_pin(hold, things)
    for role, name in names.items():
        here = _point(name, None, scene, things)
        there = _goal(hold, role, scene, things)
        if here is None or there is None or not isinstance(things.get(_stem(name)), Rope):
            continue
        distance = float(np.linalg.norm(np.subtract(here, there)))
        if distance > NEAR:
            raise far(hold, name, distance, there, names.get("b") == WORLD and hold.at is None)  # type: ignore[union-attr]


def check_vertices(hold: Attachment | Pin) -> None:
    """Refuse to hold more of vertices than where they are."""
    word = "clamp" if hold.clamp else "slide" if getattr(hold, "slide", None) is not None else None
    if word is not None:
        raise fail(hold, f"{word} is given, but vertices are held by where they are alone; hold several of them, and leave it "
                         "out.")


def no_slide(pin: Pin) -> SceneError:
    """An error for a pin that would let something slide that is no end of a rope."""
    return fail(pin, "slide is for the ends of ropes; use a Prismatic joint here.")


def _check_pin(pin: Pin, things: Mapping[str, Any]) -> None:
    if pin.what == WORLD:
        raise fail(pin, "what is the world itself; pin a body, a site, a place on a rope or vertices to it.")
    if pin.slide is not None and soft_and_words(pin.what) is None and not isinstance(things.get(_stem(pin.what)), Rope):
        raise no_slide(pin)


def far(hold: Attachment | Pin, name: str, distance: float, there: Any, to_world: bool = False) -> SceneError:
    """An error for a place that is not `there` [m], world frame, where it is to be held."""
    point = ", ".join(f"{float(c) + 0.0:.6g}" for c in there)
    remedy = "hold it where it is by scene.pin" if to_world else "move one of them there"
    return fail(hold, f"'{name}' is {distance:.4g} m away from where it is to be held, ({point}) m; {remedy}.")


def no_place(user: Any, role: str, name: Any, things: Mapping[str, Any]) -> SceneError:
    """An error for a name that means no place: what it is instead, or the nearest that does."""
    thing, vertices = things.get(name) if isinstance(name, str) else None, soft_and_words(name)
    takes_all = isinstance(user, (Attachment, Pin, Load)) or not isinstance(user, Thing)  # a world that is to push something
    if isinstance(thing, Rope):
        return fail(user, f"{role} is '{name}', a whole Rope; name a place on it: '{name}.start', '{name}.end' or "
                          f"'{name}@1.25', which rope.start, rope.end and rope.at(s) give.")
    if thing is not None:
        must = "a body or a site"
        if isinstance(user, Attachment):
            must = "a body, a site, a place on a rope, vertices of a cloth or a solid, or 'world'"
        elif takes_all:
            must = "a body, a site, a place on a rope, or vertices of a cloth or a solid"
        return fail(user, f"{role} is '{name}', a {type(thing).__name__}; it must be {must}.")
    stem, bracket, _ = name.partition("[") if isinstance(name, str) else ("", "", "")
    if bracket and vertices is None and isinstance(things.get(stem), Soft):
        return fail(user, f"{role} is {shown(name)}, with a bracket that nothing closes; write vertices as '{stem}[0-24,30]'.")
    if vertices is not None and isinstance(things.get(vertices[0]), Soft):
        return fail(user, f"{role} is '{name}', vertices of {who(things[vertices[0]])}, which only attachments, pins, loads "
                          "and grips take; attach a body to them, and name that.")
    if vertices is not None:
        soft = [one.name for one in things.values() if isinstance(one, Soft)]
        hint = nearest(vertices[0], soft, "Its cloth and solids are") if soft else "The scene has neither cloth nor solids."
        return fail(user, f"{role} is {shown(name)}, and '{vertices[0]}' is not in the scene. {hint}")
    places = [WORLD, *(one.name for one in things.values() if isinstance(one, (Body, Site)))]
    if takes_all:
        places += [one.name for one in things.values() if isinstance(one, Soft)]
    places += [f"{one.name}.{end}" for one in things.values() if isinstance(one, Rope) for end in ("start", "end")]
    return unknown_name(user, role, name, places)


def things_of(scene: "Scene") -> dict[str, Any]:
    """All things by name: robots, and their parts."""
    return {one.name: one for one in (*scene, *scene.flat())}


def _stem(name: str) -> str:
    """The rope of "tow.start" or "tow@1.25"."""
    return name.partition("@" if "@" in name else ".")[0]


def _check_place(user: Any, role: str, name: str, things: Mapping[str, Any]) -> None:
    thing, rope = things.get(name), things.get(_stem(name))
    if name == WORLD or isinstance(thing, (Body, Site, Soft)):
        return
    vertices = soft_and_words(name)
    if vertices is not None and isinstance(things.get(vertices[0]), Soft):
        numbers_of(user, role, name, things)
        return
    if "@" in name:
        if not isinstance(rope, Rope):
            raise unknown_name(user, role, _stem(name), [one.name for one in things.values() if isinstance(one, Rope)], "rope")
        check_arc(user, role, name, _longest(rope))
    elif not isinstance(rope, Rope) or name not in (rope.start.name, rope.end.name):
        raise no_place(user, role, name, things)


def check_arc(user: Any, role: str, name: str, longest: float) -> float:
    """The arc length [m] of a place "tow@1.25" on a rope that is so long [m]."""
    rope, _, word = name.partition("@")
    try:
        s = float(word)
    except ValueError:
        raise fail(user, f"{role} is '{name}'; a place on a rope is written 'rope@1.25', with its arc length [m].") from None
    if not 0.0 <= s <= longest * (1.0 + 1e-9):
        raise fail(user, f"{role} is at {s:g} m of '{rope}', which is {longest:.6g} m long; stay within it.")
    return s


def _longest(rope: Rope) -> float:
    """What a rope is long at most [m]: along the chords of its points it may be a little shorter."""
    given = rope.length if rope.length is not None else None if isinstance(rope.points, int) else rope.points
    if given is not None:
        return float(np.max(given))
    path = np.vstack([rope.path, rope.path[:1]]) if rope.closed else rope.path
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _point(name: str, at: Any, scene: "Scene", things: Mapping[str, Any]) -> Any:
    """Where a place is at the start [m], world frame; None where it is a whole body, or where only a world can tell."""
    thing, rope = things.get(name), things.get(_stem(name))
    if name == WORLD or isinstance(thing, (Body, Site)):
        if at is None and isinstance(thing, Body):
            return None
        return scene.pose_of(name).then(Pose(at or (0.0, 0.0, 0.0))).position
    if isinstance(rope, Rope) and "@" not in name and thing is None:
        return rope.path[0 if name == rope.start.name else -1]
    return None


def _goal(hold: Attachment | Pin, role: str, scene: "Scene", things: Mapping[str, Any]) -> Any:
    """Where the other side of an attachment holds, or a pin; None where any point will do."""
    if isinstance(hold, Pin):
        return hold.position
    return _point(hold.b, hold.at, scene, things) if role == "a" else _point(hold.a, None, scene, things)
