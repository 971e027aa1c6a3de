"""What a user cares for in a run: forces, tensions, angles and places of the things that a scene names, now and at most.

A tension is the largest along its rope, a strain that of the cell or triangle farthest from rest, and a thing is pressed by the
largest force that one other thing bears on it with. A solid has the pressure on each triangle of its surface, and what presses
there, whose sum is the contact force but for friction.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ..handles.contact_list import presses
from ..scene.attachment import Attachment, Pin
from ..scene.body import Body
from ..scene.joint import Joint, Latch
from ..scene.robot import Robot
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.solid import Solid
from ..scene.spring import JointSpring, Spring

_ORDER = (Rope, Attachment, Pin, Soft, Spring, JointSpring, Joint, Latch, Robot, Body)
SHOWN = 16
"""Things in the table for people, at most; JSON has all of them."""
JOINTS = 8
"""Joints of one robot in it, at most."""
WATCHED = 200
"""Rows whose largest value is followed, at most: looking takes time in every step."""


class Reading(NamedTuple):
    """One row."""

    name: str
    what: str
    unit: str
    read: Callable[[], float | list[float] | bool]
    followed: bool = True
    """Whether its largest value is kept."""


class Readings:
    """All rows of a world, followed from step to step."""

    def __init__(self, world) -> None:
        self._world, self._press = world, _Presses(world)
        things = sorted(world.scene, key=lambda thing: next((k for k, c in enumerate(_ORDER) if isinstance(thing, c)), 99))
        self.rows = [row for thing in things for row in _rows(thing, world, self._press)]
        self._followed = [(k, row.read) for k, row in enumerate(self.rows) if row.followed][:WATCHED]
        self._largest = dict.fromkeys((k for k, _ in self._followed), 0.0)
        self.steps, self.simulated, self.seconds, self.busy = 0, 0.0, 0.0, 0.0
        self._recent, self._time = 0, world.time
        self._begun = perf_counter()
        world.on_step(self._look)

    def begin(self, _) -> None:
        """Before a step: from here on time counts as `busy` [s], until it is done."""
        self._begun = perf_counter()

    def _look(self, _) -> None:
        """After every step: keep what is larger than before, and how long looking took [s]."""
        self.steps += 1
        self.simulated += self._world.dt
        self._recent = self._recent + 1 if self._world.time > self._time else 1
        self._time = self._world.time
        start = perf_counter()
        self.busy += start - self._begun
        self._follow()
        self.seconds += perf_counter() - start

    @property
    def recent(self) -> int:
        """Steps since the world was put back to its start; all if it was not. `steps`, `simulated` [s] are of all."""
        return self._recent if self._world.time >= self._time else 0

    def _follow(self) -> None:
        for k, read in self._followed:
            self._largest[k] = max(self._largest[k], abs(read()))  # type: ignore[arg-type]

    def table(self) -> list[dict]:
        """Name, quantity, unit, value now, and the largest size of it after any step, where that was followed."""
        self._follow()  # the end counts too
        return [{"name": row.name, "what": row.what, "unit": row.unit, "value": row.read(), "largest": self._largest.get(k)}
                for k, row in enumerate(self.rows)]


class _Presses:
    """Contact forces between all pairs of things, summed once a step."""

    def __init__(self, world) -> None:
        self._world, self._time = world, -1.0
        self._most: dict[str, tuple[float, str]] = {}

    def on(self, name: str) -> float:
        """The largest force with which one other thing presses on this one [N]."""
        if self._time != self._world.time:
            self._time, self._most = self._world.time, presses(self._world.contacts)
        return self._most.get(name, (0.0, ""))[0]


class _Felt:
    """What the body of a vehicle feels."""

    def __init__(self, world, handle) -> None:
        self._world, self._handle, self._mean = world, handle, 0.0
        self._time, self._before = world.time, handle.velocity

    def mean(self) -> float:
        """Size of its acceleration, mean over the last step [m/s2]."""
        passed = self._world.time - self._time
        if passed != 0.0:  # negative after a reset
            now = self._handle.velocity
            self._mean = float(np.linalg.norm(now - self._before)) / passed if passed > 0.0 else 0.0
            self._time, self._before = self._world.time, now
        return self._mean


def _rows(thing, world, press: _Presses) -> Iterator[Reading]:
    """What is worth reading of a thing."""
    name = thing.name
    if isinstance(thing, Robot):
        root = next((part for part in thing.parts() if isinstance(part, Body)), None)
        if root is not None and not root.fixed:
            yield from _moving(name, world[root.name])
            yield Reading(name, "acceleration", "m/s2", _Felt(world, world[root.name]).mean)
        joints = [part for part in thing.parts() if isinstance(part, Joint)]
        for joint in sorted(joints, key=lambda one: one.motor is None):  # those with motors first
            yield from _driven(joint, world[joint.name])
    elif isinstance(thing, Body) and not thing.fixed:
        if thing.collide:
            yield Reading(name, "pressed", "N", lambda: press.on(name))
        if np.isfinite(thing.break_force):
            yield Reading(name, "broken", "", lambda: world[name].broken, False)
        yield from _moving(name, world[name])
    elif isinstance(thing, Soft):
        if thing.collide:  # type: ignore[attr-defined]
            yield Reading(name, "pressed", "N", lambda: press.on(name))
            if isinstance(thing, Solid):
                yield Reading(name, "pressure", "Pa", lambda: world[name].pressure.tolist(), False)
                yield Reading(name, "patch forces", "N", lambda: (world[name].pressure * world[name].areas).tolist(), False)
        yield Reading(name, "strain", "-", lambda: float(np.abs(world[name].strain).max()))
        if getattr(thing, "examples", ()):
            yield Reading(name, "blend", "-", lambda: world[name].blend.tolist(), False)
            yield Reading(name, "examples in it", "-", lambda: 1.0 - float(world[name].blend[0]))
            yield Reading(name, "residual of the blend", "-", lambda: world[name].blend_distance)
    elif isinstance(thing, Rope):
        yield Reading(name, "tension", "N", lambda: float(world[name].tension.max()))
    elif isinstance(thing, (Attachment, Pin)):
        yield Reading(name, "force", "N", lambda: float(np.linalg.norm(world[name].force)))
    elif isinstance(thing, Spring):
        yield Reading(name, "length", "m", lambda: world[name].length)
        yield Reading(name, "force", "N", lambda: world[name].force)
    elif isinstance(thing, JointSpring):
        yield Reading(name, "effort", _effort(world.scene[thing.joint].coordinates[thing.coordinate]),
                      lambda: world[name].torque)
    elif isinstance(thing, Latch):
        yield Reading(name, "holds", "", lambda: world[name].engaged, False)
        yield Reading(name, "effort", _effort(world.scene[thing.joint].coordinates[0]), lambda: world[name].force)
    elif isinstance(thing, Joint):
        yield from _jointed(thing, world[name])


def _effort(coordinate: str) -> str:
    return "N m" if coordinate == "angle" else "N"


def _moving(name: str, handle) -> Iterator[Reading]:
    yield Reading(name, "position", "m", lambda: handle.position.tolist(), False)
    yield Reading(name, "speed", "m/s", lambda: float(np.linalg.norm(handle.velocity)))


def _jointed(thing: Joint, handle) -> Iterator[Reading]:
    yield from _driven(thing, handle)
    yield Reading(thing.name, "force", "N", lambda: float(np.linalg.norm(handle.force)))


def _driven(thing: Joint, handle) -> Iterator[Reading]:
    """Where a joint is, and what its motor gives."""
    if thing.coordinates:
        turns = thing.coordinates[0] == "angle"
        yield Reading(thing.name, thing.coordinates[0], "rad" if turns else "m",
                      lambda: handle.angle if turns else handle.travel)
        if thing.motor is not None:
            yield Reading(thing.name, "effort", _effort(thing.coordinates[0]), lambda: handle.effort)


def as_table(rows: list[dict]) -> list[str]:
    """A line for each thing, for people; the first of a scene with many, and no contact that never was."""
    things: dict[str, list[str]] = {}
    for row in rows:
        if np.any(row["value"]) or row["largest"] or row["what"] not in ("pressed", "pressure", "patch forces"):
            things.setdefault(row["name"], []).append(_said(**row))
    joints = Counter(name.partition("/")[0] for name in things if "/" in name)
    seen: Counter[str] = Counter()
    shown = []
    for name in things:
        robot = name.partition("/")[0] if "/" in name else ""
        seen[robot] += 1
        if not robot or seen[robot] <= JOINTS:
            shown.append((name, ", ".join(things[name])))
        elif seen[robot] == joints[robot]:
            shown.append((robot, f"… and {joints[robot] - JOINTS} joints more, with --json"))
    wide = max((len(name) for name, _ in shown[:SHOWN]), default=0)
    lines = [f"{name:<{wide}}  {said}" for name, said in shown[:SHOWN]]
    return lines + ([f"… and {len(shown) - SHOWN} things more, with --json"] if len(shown) > SHOWN else [])


def told(value: float, beside: float | None = None) -> str:
    """A number in four digits; 0 for what is left of rounding, by itself or beside a much larger number."""
    return "0" if abs(value) < max(1e-12, 1e-9 * abs(beside or 0.0)) else f"{value:.4g}"


def _said(name: str, what: str, unit: str, value: float | list[float] | bool, largest: float | None) -> str:
    """One reading in words: tension 63.82 N (at most 190.9)."""
    if isinstance(value, bool):
        return f"{what} {'yes' if value else 'no'}"
    if what in ("pressure", "patch forces"):  # of each triangle of its surface
        return _of_patches(what, np.asarray(value))
    words = f"({', '.join(f'{round(v, 3) + 0.0:.3f}' for v in value)})" if isinstance(value, list) else told(value, largest)
    most = f" (at most {told(largest)})" if largest is not None and what != "speed" else ""
    return f"{what} {words}{'' if unit == '-' else f' {unit}'}{most}"


def _of_patches(what: str, values: np.ndarray) -> str:
    """A reading of each patch in words: pressure at most 1.2e+04 Pa, on 40 of 512 patches."""
    if what == "patch forces":
        return f"in all {told(values.sum())} N upon them"
    return f"pressure at most {told(values.max())} Pa, on {np.count_nonzero(values)} of {len(values)} patches"
