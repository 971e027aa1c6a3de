"""Warnings of ropes that lie inside bodies, which they do not touch in this version: looked for now and then."""

from typing import TYPE_CHECKING

import numpy as np

from ..compile.extents import outside, radius, size
from ..scene.attachment import Attachment
from ..scene.body import Body
from ..scene.rope import Rope
from ..scene.shape import HeightField

if TYPE_CHECKING:
    from ..world import World

EVERY = 60
"""Steps from one look to the next; the first step has one."""
NEAR = 2.0
"""Elements from a hold that are not looked at [-]; of the body that holds it, as much of the rope as that is large too."""


class RopesInBodies:
    """Says once of a rope where it first was inside a body, and goes on saying so until the world is reset."""

    def __init__(self, world: "World") -> None:
        self._steps, self._time = 0, 0.0
        self._said: dict[str, str] = {}
        told = " ".join(text for text in world.warnings if "nothing in this version" in text)
        self._ropes = {thing.name: thing for thing in world.scene if isinstance(thing, Rope) and thing.collide
                       and f"'{thing.name}'" not in told}
        self._bodies = [thing for thing in world.scene.flat() if isinstance(thing, Body) and thing.collide
                        and not isinstance(thing.shape, HeightField)] if self._ropes else []
        self._numbers = np.array([world._index["body"][body.name] for body in self._bodies], int)
        # the solver knows where centres of mass are: of shapes inside the ball that holds them, else as given
        self._radii = np.array([(r := radius(body)) + max(r, float(np.linalg.norm(body.center_of_mass or 0.0)))
                                for body in self._bodies])
        self._holds = {name: _held(world, name) for name in self._ropes}

    def __call__(self, world: "World") -> tuple[str, ...]:
        """Warnings after a step."""
        if not len(self._numbers):
            return ()
        if world.time < self._time:
            self._steps, self._said = 0, {}
        self._time = world.time
        if self._steps % EVERY == 0:
            for name in self._ropes:
                if name not in self._said:
                    self._look(world, name)
        self._steps += 1
        return tuple(self._said.values())

    def _look(self, world: "World", name: str) -> None:
        points, lengths = world[name].positions, world._index["rope"][name].lengths
        points = np.vstack([points, points[:1]]) if self._ropes[name].closed else points
        ends = np.concatenate([[0.0], np.cumsum(lengths)])
        middles, arcs = 0.5 * (points[1:] + points[:-1]), 0.5 * (ends[1:] + ends[:-1])
        centers = world._engine.state.motion.position[self._numbers]
        apart = np.maximum(middles.min(axis=0) - centers, centers - middles.max(axis=0)).max(axis=1)
        for k in np.flatnonzero(apart < self._radii).tolist():
            body, looked = self._bodies[k], np.linalg.norm(middles - centers[k], axis=1) < self._radii[k]
            for s, owner in self._holds[name]:
                mine = size(body) if owner == _owner(body.name) else 0.0
                looked &= np.abs(arcs - s) > max(NEAR * float(lengths.max()), mine)
            pose = world[body.name]._pose() if looked.any() else None
            for i in np.flatnonzero(looked).tolist():
                if outside(body, middles[i], pose) == 0.0:
                    self._said[name] = (
                        f"At t = {self._time:.6g} s Rope '{name}' is inside '{body.name}', {arcs[i]:.3g} m from its start: "
                        "ropes touch nothing in this version, neither drums nor edges; keep it clear by where it is held, or "
                        "say collide=False")
                    return


def _owner(name: str) -> str:
    """The robot of a link, or the body itself."""
    return name.partition("/")[0]


def _held(world: "World", rope: str) -> list[tuple[float, str]]:
    """Where a rope is attached [m] from its start, and to which body or robot."""
    whole, found = float(world._index["rope"][rope].lengths.sum()), []
    names = {number: name for name, number in world._index["body"].items()}
    for one in world.scene:
        if isinstance(one, Attachment):
            for mine, other in ((one.a, one.b), (one.b, one.a)):
                owner, _, place = mine.partition("@" if "@" in mine else ".")
                if owner == rope and place:
                    s = {"start": 0.0, "end": whole}.get(place)
                    at = world._places.get(other)
                    found.append((float(place) if s is None else s, _owner(names.get(at.body, "") if at else "")))
    return found
