"""Says of cloth and solids that they are deep in a body, the ground or each other and stay so: time, place and remedy.

Looked for now and then. What has come through a plate has vertices on both sides, near to the face that would let them out, and
no contact that says so: the middles of cells, or triangles, are looked for too.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..collide.soft.detect import passing_of
from ..compile.extents import level, radius
from ..compile.insides import deepest, insides_of_body
from ..scene.body import Body, Ground
from ..scene.shape import HeightField
from ..scene.soft import TOUCHING
from ..scene.solid import Solid

if TYPE_CHECKING:
    from ..world import World

EVERY, LASTING = 15, 0.25
"""Steps from one look to the next; and [s] what comes out sooner, as what was hit hard does, is not told."""
SUNK, THROUGH, LEAST = 0.1, 0.4, 1e-3
"""A solid is deep beyond the first share of its least extent, and in what is thin beyond the second of that [-]: at half of it
it is as near to the far side; but not if it is no deeper than the last [m]. At rest it is a hundredth deep at most."""
SHEETS = 3.0
"""Thicknesses of a cloth: it is deep beyond these and a mean edge, however thin what it is in [-]."""

Deep = dict[tuple[str, str], tuple[float, np.ndarray]]


class SoftInOthers:
    """The same text as long as it is so, also when it is so again."""

    def __init__(self, world: "World") -> None:
        self._steps, self._time = 0, 0.0
        things: list[Any] = [world._things[one.name] for one in world._engine.model.soft]
        self._names, self._limits = [one.name for one in things], np.array([_limit_of(one) for one in things])
        self._watched = [k for k, one in enumerate(things) if one.collide and one.method in TOUCHING]
        self._sheet = [not isinstance(one, Solid) for one in things]
        self._corners = [one.filling.cells if isinstance(one, Solid) else one.faces for one in things]
        around = list(world.scene.flat()) if self._watched else []
        self._bodies = [one for one in around if isinstance(one, Body) and one.collide
                        and not isinstance(one.shape, HeightField)]
        self._numbers = np.array([world._index["body"][one.name] for one in self._bodies], int)
        self._radii = np.array([radius(one) + float(np.linalg.norm(one.center_of_mass or 0.0)) for one in self._bodies])
        self._grounds = [one for one in around if isinstance(one, Ground)]
        self._since: dict[tuple[str, str], tuple[float, str]] = {}
        self._said: dict[tuple[str, str], str] = {}

    def __call__(self, world: "World") -> list[str]:
        """Warnings after a step."""
        if world.time < self._time:
            self._steps, self._since = 0, {}
        self._steps, self._time = self._steps + 1, world.time
        if self._watched and self._steps % EVERY == 0:
            self._look(world)
        return [self._said[pair] for pair in self._since if pair in self._said]

    def _look(self, world: "World") -> None:
        """Note what is deep now, and say so of what was so at the last looks too."""
        now = {}
        for pair, (depth, place) in self._deep(world).items():
            where = ", ".join(f"{x:.3g}" for x in place.round(4) + 0.0)
            since, text = now[pair] = self._since.get(pair) or (
                world.time, f"'{pair[0]}' is {depth:.2g} m deep in '{pair[1]}' at t = {world.time:.6g} s, at ({where}) m, and "
                "stays there: take smaller steps or more substeps, softer material or more cells, or press less")
            if world.time - since >= LASTING - 1e-9 and not _told(world, pair):
                self._said.setdefault(pair, text)
        self._since = now

    def _deep(self, world: "World") -> Deep:
        """How deep [m] things are in others, and where [m] (3,), of those that are deep; by names."""
        found, engine = self._deep_in_each_other(world), world._engine
        passing = passing_of(engine.model.excluded, engine.state.tied, engine.state.ties).pair
        centres = engine.state.motion.position[self._numbers]
        for k in self._watched:
            thing, name, limit = engine.model.soft[k], self._names[k], float(self._limits[k])
            points = self._points(k, thing.model.vertices.inverse_mass > 0.0, engine.state.motion.position[thing.movers])
            for ground in self._grounds:
                depth = level(ground) - points @ np.array(ground.normal)
                if depth.max(initial=0.0) > limit:
                    found[name, ground.name] = float(depth.max()), points[depth.argmax()]
            own = passing[(passing & 0xffffffff >= thing.first) & (passing & 0xffffffff < thing.first + len(thing.mass))] >> 32
            low, high = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
            apart = np.maximum(low - centres, centres - high).max(axis=1, initial=-np.inf)
            for n in np.flatnonzero((apart < self._radii) & ~np.isin(self._numbers, own)).tolist():
                body = self._bodies[n]
                for one in insides_of_body(body, world[body.name]._pose()):
                    most = limit if self._sheet[k] else max(min(limit, THROUGH * one.least), LEAST)
                    depth, at = deepest(points, one, most)
                    if depth > found.get((name, body.name), (0.0,))[0]:
                        found[name, body.name] = depth, at[0]
        return found

    def _points(self, k: int, free: np.ndarray, position: np.ndarray) -> np.ndarray:
        """Free vertices of a thing and the middles of cells, or triangles, between such [m] (n, 3)."""
        corners = self._corners[k]
        return np.concatenate([position[free], position[corners[free[corners].all(axis=1)]].mean(axis=1)])

    def _deep_in_each_other(self, world: "World") -> Deep:
        """The same of soft things among each other, by what their contacts say."""
        contacts, found = world._engine.state.soft_contacts, Deep()
        first = np.array([one.first for one in world._engine.model.soft])
        rows = np.flatnonzero((contacts.shape < 0) & (contacts.separation < -LEAST))
        rows = rows[rows < contacts.count[0]]
        one, other = (np.searchsorted(first, contacts.mover[rows, side], side="right") - 1 for side in (3, 0))
        depth = -contacts.separation[rows]
        for n in np.flatnonzero((one != other) & (depth > np.minimum(self._limits[one], self._limits[other]))).tolist():
            pair = self._names[one[n]], self._names[other[n]]
            if depth[n] > found.get(pair, (0.0,))[0]:
                found[pair] = float(depth[n]), contacts.position[rows[n]].copy()
        return found


def _told(world: "World", pair: tuple[str, str]) -> bool:
    """Whether it was said when the world was built that one starts in the other."""
    return any("starts in" in text and all(f"'{name}'" in text for name in pair) for text in world.warnings)


def _limit_of(thing) -> float:
    """Depth [m] beyond which a thing is deep in others."""
    if isinstance(thing, Solid):
        return max(SUNK * float(np.ptp(thing.rest, axis=0).min()), LEAST)
    corner = thing.rest[thing.faces]
    return max(SHEETS * thing.thickness, float(np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean()))
