"""Forces from outside: loads of the scene, and what `world.apply_force` puts in for one step."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .compile.point_ropes import elements_at, on_point_rope, shares_of
from .compile.ropes import place_on_rope, shared_places
from .model.bodies import LEVERED, OWN, TURNS, Push
from .scene.body import Body
from .scene.control import Load
from .scene.errors import SceneError, vector
from .scene.places import no_place
from .scene.pose import inverted, turned
from .scene.soft import numbers_of
from .scene.thing import name_of
from .scene.vertex_words import soft_and_words

if TYPE_CHECKING:
    from .world import World

_NOTHING = (0.0, 0.0, 0.0)


class Pushed(NamedTuple):
    """What `apply_force` did to a link of a direct rope, whose tension counts it."""

    body: int
    lever: tuple[float, float, float]
    """[m], frame of the link."""
    force: np.ndarray
    """[N] (3,), world frame."""
    torque: np.ndarray
    """[N m] (3,), world frame."""

    def plain(self) -> list:
        """As a file has it."""
        return [int(self.body), *(np.asarray(part).tolist() for part in self[1:])]

    @classmethod
    def of(cls, plain: list) -> "Pushed":
        """What `plain` gave."""
        body, lever, force, torque = plain
        return cls(body, tuple(lever), np.array(force), np.array(torque))


def apply_force(world: "World", what, force: np.ndarray, torque: np.ndarray, at) -> None:
    """Push something through the next step: force [N], torque [N m], world frame, at the point `at` [m] or where it is."""
    name, index = name_of(what), world._index
    if isinstance(name, str) and on_point_rope(name, index["rope"]):
        _push_rope(world, name, force, torque, at)
        return
    if soft_and_words(name) or (isinstance(name, str) and name in index["soft"]):
        _push_soft(world, name, force, torque, at)
        return
    place = place_of(world, world.scene, "the thing to push", name)
    motion, lever = world._engine.state.motion, _NOTHING
    if at is not None:
        away = np.array(vector(world, "at", at)) - motion.position[place.body]
        lever = turned(inverted(tuple(motion.quaternion[place.body].tolist())), tuple(away.tolist()))
    elif name not in index["body"]:
        lever = place.frame.position
    parts = [(place.body, lever, 1.0)]
    if at is None and isinstance(name, str) and "@" in name:
        shared = shared_places(place, index["rope"][name.partition("@")[0]])
        parts = [(part.body, part.frame.position, share) for part, share in shared]
    for body, lever, share in parts:
        _push(world, body, share * force, share * torque, lever)
        if world._engine.model.bodies.link[body] == 1:
            world._pushing.append(Pushed(body, lever, share * force, share * torque))


def apply_load(world: "World", place, load: Load) -> None:
    """A load of the scene, as its control says."""
    scale = world.control.heard(load.scale)
    lever = _NOTHING if isinstance(world._things.get(load.on), Body) else place.frame.position
    if not load.follow:
        _push(world, place.body, scale * np.array(load.force), scale * np.array(load.torque), lever)
        return
    row = world._engine.state.push.turning[place.body]
    force, torque = (scale * np.array(turned(place.frame.quaternion, v)) for v in (load.force, load.torque))
    row[TURNS] = 1.0
    row[OWN:OWN + 3] += force
    row[OWN + 3:] += torque + np.cross(lever, force)


def clear(push: Push) -> None:
    """Nothing pushes."""
    for array in push:
        array.fill(0.0)


def _push(world: "World", body: int, force: np.ndarray, torque: np.ndarray, lever) -> None:
    """Force [N] and torque [N m], world frame, at a lever [m] in the solver's frame of the body."""
    push = world._engine.state.push
    push.force[body] += force
    push.torque[body] += torque
    if any(lever) and force.any():
        push.turning[body, TURNS] = 1.0
        push.turning[body, LEVERED:OWN] += np.outer(lever, force).ravel()


def _push_rope(world: "World", name: str, force: np.ndarray, torque: np.ndarray, at) -> None:
    """Push a place on a rope of points and elements: the points beside it, and turn its element."""
    if at is not None:
        raise SceneError(f"'{name}' is a place already; leave 'at' out, or name another with rope.at(s).")
    ropes, nothing = world._index["rope"], np.zeros(3)
    for place, share in shares_of(world.scene, name, ropes, world._places):
        _push(world, place.body, share * force, nothing, place.frame.position)
    for element, share in elements_at(world.scene, name, ropes):
        _push(world, element, nothing, share * torque, _NOTHING)


def _push_soft(world: "World", name: str, force: np.ndarray, torque: np.ndarray, at) -> None:
    """Share a force [N] evenly among vertices."""
    if at is not None or torque.any():
        raise SceneError(f"World: {'at' if at is not None else 'torque'} is given for '{name}', but vertices take forces, "
                         "and take them where they are; choose them by thing.vertices.")
    if name in world._index["soft"]:
        rows = np.arange(world._index["soft"][name].size)
        thing = world._things[name]
    else:
        thing, rows = numbers_of(world.scene, "the thing to push", name, world._things)
    world._engine.state.push.force[world._index["soft"][thing.name].first + rows] += force / len(rows)


def place_of(world: "World", user, role: str, name):
    """The body of a place by name, and where on it, on behalf of `user`."""
    if isinstance(name, str) and "@" in name:
        return place_on_rope(user, role, name, world._index["rope"])
    if not isinstance(name, str) or name not in world._places:
        raise no_place(user, role, name, world._things)
    return world._places[name]
