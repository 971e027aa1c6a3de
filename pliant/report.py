"""What a step says of itself, and what a world holds in energy."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from .scene.noun import with_fields

_NUMBER = re.compile(r"(?<![\w.'])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?=[\s,;):]|$)")  # none within names in quotes
_WORST = {**dict.fromkeys(("substeps", "iterations", "residual", "penetration", "stretch", "drift"), max), "converged": min}


class Energy(NamedTuple):
    """Energies [J]."""

    kinetic: float
    """Of all that moves and turns [J]."""
    gravity: float
    """Of heights over z = 0 [J]."""
    elastic: float
    """In springs, ropes, cloth and solids [J]."""
    work: float
    """Done so far by motors, motions and forces from outside [J]."""

    @property
    def total(self) -> float:
        """Kinetic + gravity + elastic [J]."""
        return self.kinetic + self.gravity + self.elastic


class Report(NamedTuple):
    """How a step came out. `world.run` gives one for all its steps: time, energy and hash are those of the last step, the
    other figures the worst of all steps (`converged` only if all were), events and warnings those of all, a warning
    once, with the number of steps and the time of the first."""

    time: float
    """At the end of the step [s]."""
    substeps: int
    """Taken by the island that needed most; more than `world.substeps` where joints or energy asked for halves."""
    iterations: int
    """In all substeps, of the island that needed most: sweeps over the rows of its bodies, with the steps of Newton's method
    between them, or iterations of a cloth or a solid, whichever are more. Bodies beside soft things are solved anew in each
    iteration of these, so that ten iterations of a cloth on a ball are 23 here."""
    residual: float
    """What the last sweep still changed of a velocity, at most [m/s or rad/s]; 1e-6 counts as nothing."""
    converged: bool
    """Whether `residual` is below 1e-6. Where bodies touch, False is the rule and no fault: there sweeps end by their number
    (`world.iterations`) and go on from the same impulses in the next substep. Judge such a step by penetration and drift.
    False where nothing touches means that more substeps are needed."""
    penetration: float
    """Deepest overlap of bodies [m]; some tenths of a millimetre are how contacts bear (docs/solver.md)."""
    stretch: float
    """Largest relative lengthening of what should not stretch [-]."""
    drift: float
    """Largest gap in a joint [m]; above 1e-4 there is a warning."""
    energy: Energy
    """At the end of the step."""
    events: tuple[str, ...]
    """What happened: latches that caught or let go, bodies that broke, and, once each, cloth and solids by "quasi-newton" that
    touch or are attached: with few such rows they take the steps of "projective"."""
    warnings: tuple[str, ...]
    """What is not as it should be, each with the thing and the remedy; those about the scene are said again every step, and
    stand in `world.warnings`: `world.run` gathers all of them, each once."""
    hash: str
    """16 hexadecimal digits of the bits of all positions and velocities, to compare runs."""


for _class in (Energy, Report):
    _class.__doc__ = with_fields(_class, _class.__doc__)


class Gathered:
    """Many steps in one report: the worst figures, all events, each warning once."""

    def __init__(self, always: Collection[str] = ()) -> None:
        self._always = always
        self._last: Report | None = None
        self._worst: dict = {}
        self._events: list[str] = []
        self._warned: dict[str, _Warned] = {}

    def take(self, report: Report) -> None:
        """Count a step in."""
        for field, worse in _WORST.items():
            self._worst[field] = worse(self._worst.get(field, getattr(report, field)), getattr(report, field))
        self._events += report.events
        for text in report.warnings:
            kind = text if text in self._always else _NUMBER.sub("", text)
            there = self._warned.setdefault(kind, _Warned(text, report.time))
            there.steps += 1
            if _size(text) > _size(there.text):
                there.text = text
        self._last = report

    def report(self) -> Report | None:
        """That of the last step with the rest of all; None before a step. A warning says how often and since when it was given,
        unless it is one of those that are `always` given."""
        if self._last is None:
            return None
        warned = list(self._warned.values())
        told = tuple(one.text if one.steps == 1 or one.text in self._always else
                     f"{one.text} [in {one.steps} steps, first at t = {one.first:.4g} s]" for one in warned)
        return self._last._replace(**self._worst, events=tuple(self._events), warnings=told)


@dataclass
class _Warned:
    text: str
    """That with the largest first number of all that differ by numbers alone."""
    first: float
    steps: int = 0


def _size(text: str) -> float:
    """The first number in a warning, 0 if there is none; numbers within names in quotes are none."""
    found = next((match for match in _NUMBER.finditer(text) if match.group()), None)
    return 0.0 if found is None else abs(float(found.group()))


def digits(code: int) -> str:
    """A hash as 16 hexadecimal digits."""
    return f"{int(code) & (2**64 - 1):016x}"


def counted(steps: range, words: str):
    """The steps, with a bar behind `words`; without words plain."""
    if not words:
        return steps
    from rich.progress import track

    return track(steps, description=words)
