"""Hands on soft things: what `world.grab` draws to a place that may be moved."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.soft_things import SoftThing
from ..scene.errors import SceneError, number, shown, vector
from ..scene.places import things_of
from ..scene.soft import TYING, Soft, numbers_of
from ..scene.thing import name_of
from .grip_on_body import BodyGrip, grab_body
from .numbered import no_more

if TYPE_CHECKING:
    from ..world import World

STIFFNESS = 1e4
"""Of a grip whose stiffness is not given, for each kilogram of the thing [N/(m kg)]: it follows within about 0.02 s."""


class Grip:
    """Some vertices of one thing, drawn to a place as springs without damping do; they keep their places to each other.

    A later grip on the same vertices takes them over. What was let go, or holds none any more, is no more: all that is asked
    of it is refused, until a state is restored in which it held.
    """

    name: str
    """Of the thing whose vertices it holds."""

    def __init__(self, world: "World", soft: SoftThing, numbers: np.ndarray, target: np.ndarray, arm: np.ndarray) -> None:
        """arm: from the target to where the vertices are drawn [m] (n, 3)."""
        self._world, self._vertices, self._movers = world, soft.row + numbers, soft.first + numbers
        self.name, self._target, self._arm = soft.name, target, arm

    @property
    def target(self) -> np.ndarray:
        """Where the middle of its vertices is drawn to [m] (3,), world frame; assigning moves it."""
        self._mine()
        return self._target.copy()

    @target.setter
    def target(self, value) -> None:
        mine, self._target = self._mine(), np.array(vector(self._world, "the target of a grip", value))
        self._world._engine.state.soft.pulled_to[self._vertices[mine]] = self._target + self._arm[mine]

    @property
    def force(self) -> np.ndarray:
        """On what it holds, now [N] (3,), world frame."""
        state, mine = self._world._engine.state, self._mine()
        vertices = self._vertices[mine]
        away = state.soft.pulled_to[vertices] - state.motion.position[self._movers[mine]]
        return (state.soft.pull[vertices, None] * away).sum(axis=0)

    def release(self) -> None:
        """Let go."""
        held = self._vertices[self._mine()]
        self._world._engine.state.soft.pull[held] = 0.0
        for v in held.tolist():
            del self._world._grips[v]

    def _mine(self) -> np.ndarray:
        """Mask of the vertices that no other grip has taken over; if there are none, it is no more."""
        mine = np.array([self._world._grips.get(v) is self for v in self._vertices.tolist()], bool)
        if not mine.any():
            raise no_more(self.name)
        return mine

    def _as_plain(self) -> dict[str, Any]:
        """As a file has it; where the vertices are drawn is state."""
        mine, soft = self._mine(), self._world._index["soft"][self.name].number
        row = self._world._engine.model.soft[soft].row
        return {"name": self.name, "numbers": (self._vertices[mine] - row).tolist(), "target": self._target.tolist(),
                "number": self._world._hands.number(self)}


def grips_of(world: "World") -> list[Grip | BodyGrip]:
    """Those that hold something, in the order they were made."""
    return sorted({*world._grips.values(), *world._body_grips.values()}, key=world._hands.number)


def take_over(world: "World", grips: list[dict[str, Any]]) -> None:
    """Know of the grips on vertices that `_as_plain` told, which the state draws, and of no others; handles go on."""
    held = dict(world._grips)
    world._grips.clear()
    for one in grips:
        soft, numbers = world._engine.model.soft[world._index["soft"][one["name"]].number], np.array(one["numbers"], int)
        target, rows = np.array(one["target"]), soft.row + numbers
        grip = Grip(world, soft, numbers, target, world._engine.state.soft.pulled_to[rows] - target)
        present = held.get(int(rows[0]))
        if present is not None and (present in world._grips.values() or not np.array_equal(present._vertices, rows)):
            present = None
        world._grips |= dict.fromkeys(rows.tolist(), world._hands.follow(grip, one["number"], present))


def grab(world: "World", what, at, stiffness, max_force) -> Grip | BodyGrip:
    """A grip on the vertices that `what` names, on the vertex of a thing nearest to the point `at` [m], or on a body."""
    name = name_of(what)
    if isinstance(name, str) and name in things_of(world.scene) and not isinstance(world._things.get(name), Soft):
        return grab_body(world, name, at, stiffness, max_force)
    if max_force is not None:
        raise SceneError("World: max_force is given, but a grip on vertices pulls as a spring does; leave it out.")
    if isinstance(name, str) and name in world._index["soft"]:
        if at is None:
            raise SceneError(f"World: grab names '{name}' alone; give the point 'at' [m] to take its nearest vertex, or "
                             "thing.vertices(selector).")
        soft, numbers = thing_and_numbers(world, "what", name)
        places = world._engine.state.motion.position[soft.movers]
        numbers = np.array([int(np.linalg.norm(places - np.array(vector(world, "at", at)), axis=1).argmin())])
    elif isinstance(name, str) and "[" in name:
        soft, numbers = thing_and_numbers(world, "the thing to grab", name)
    else:
        raise SceneError(f"World: {shown(name)} cannot be grabbed; a grip holds a body, or vertices of a cloth or a solid.")
    if soft.method not in TYING:
        raise SceneError(f"World: '{soft.name}' is solved by method '{soft.method}', which cannot be grabbed; take "
                         f"{' or '.join(repr(word) for word in TYING)}.")
    held = numbers[world._engine.state.soft.pin[soft.row + numbers] >= 0]
    if len(held):
        raise SceneError(f"World: vertex {held[0]} of '{soft.name}' is pinned; grab others.")
    k = STIFFNESS * float(soft.mass.sum()) if stiffness is None else number(world, "stiffness", stiffness, "N/m", above=0.0)
    return _grip(world, soft, numbers, k)


def _grip(world: "World", soft: SoftThing, numbers: np.ndarray, stiffness: float) -> Grip:
    """One that holds the vertices where they are."""
    state, rows = world._engine.state, soft.row + numbers
    places = state.motion.position[soft.first + numbers]
    target = places.mean(axis=0)
    grip = Grip(world, soft, numbers, target, places - target)
    state.soft.pull[rows], state.soft.pulled_to[rows] = stiffness / len(rows), places
    world._grips |= dict.fromkeys(rows.tolist(), grip)
    world._hands.know(grip)
    return grip


def thing_and_numbers(world: "World", role: str, name: str) -> tuple[SoftThing, np.ndarray]:
    """A cloth or solid of the model, and the vertices of it that a name means: all, or those between its brackets."""
    if name in world._index["soft"]:
        soft = world._engine.model.soft[world._index["soft"][name].number]
        return soft, np.arange(len(soft.mass))
    thing, numbers = numbers_of(world.scene, role, name, world._things)
    return world._engine.model.soft[world._index["soft"][thing.name].number], numbers
