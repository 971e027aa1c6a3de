"""Hands on soft things: what `world.grab` draws to a place that may be moved."""

from typing import TYPE_CHECKING

import numpy as np

from .grip_on_body import BodyGrip, grab_body
from .model.soft_things import SoftThing
from .scene.errors import SceneError, number, shown, vector
from .scene.places import things_of
from .scene.soft import TYING, Soft, numbers_of
from .scene.thing import name_of

if TYPE_CHECKING:
    from .world import World

STIFFNESS = 1e4
"""Of a grip whose stiffness is not given, for each kilogram of the thing [N/(m kg)]: it follows within about 0.02 s."""


class Grip:
    """Some vertices of one thing, drawn to a place as springs without damping do; they keep their places to each other.

    A later grip on the same vertices takes them over.
    """

    def __init__(self, world: "World", soft: SoftThing, numbers: np.ndarray, stiffness: float) -> None:
        self._world, self._vertices, self._movers = world, soft.row + numbers, soft.first + numbers
        state, vertices = world._engine.state, self._vertices
        self._target = state.motion.position[self._movers].mean(axis=0)
        self._arm = state.motion.position[self._movers] - self._target
        state.soft.pull[vertices] = stiffness / len(vertices)
        state.soft.pulled_to[vertices] = state.motion.position[self._movers]
        world._grips |= dict.fromkeys(vertices.tolist(), self)

    @property
    def target(self) -> np.ndarray:
        """Where the middle of its vertices is drawn to [m] (3,), world frame; assigning moves it."""
        return self._target.copy()

    @target.setter
    def target(self, value) -> None:
        self._target = np.array(vector(self._world, "the target of a grip", value))
        mine = self._mine()
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
        self._world._engine.state.soft.pull[self._vertices[self._mine()]] = 0.0

    def _mine(self) -> np.ndarray:
        """Mask of the vertices that no other grip has taken over."""
        return np.array([self._world._grips.get(v) is self for v in self._vertices.tolist()], bool)


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
    return Grip(world, soft, numbers, k)


def thing_and_numbers(world: "World", role: str, name: str) -> tuple[SoftThing, np.ndarray]:
    """A cloth or solid of the model, and the vertices of it that a name means: all, or those between its brackets."""
    if name in world._index["soft"]:
        soft = world._engine.model.soft[world._index["soft"][name].number]
        return soft, np.arange(len(soft.mass))
    thing, numbers = numbers_of(world.scene, role, name, world._things)
    return world._engine.model.soft[world._index["soft"][thing.name].number], numbers
