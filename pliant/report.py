"""What a step says of itself, and what a world holds in energy."""

import re
from typing import NamedTuple

from .scene.noun import with_fields

_NUMBER = re.compile(r"(?<![\w.'])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?=[\s,;):]|$)")  # none within names in quotes


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
    other figures the worst of all steps (`converged` only if all were), events and warnings those of all, a warning once."""

    time: float
    """At the end of the step [s]."""
    substeps: int
    """Taken by the island that needed most; more than `world.substeps` where joints or energy asked for halves."""
    iterations: int
    """Sweeps over the rows, in all substeps, of the island that needed most."""
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
    """What happened: latches that caught or let go, bodies that broke."""
    warnings: tuple[str, ...]
    """What is not as it should be, each with the thing and the remedy; those about the scene are said again every step."""
    hash: str
    """16 hexadecimal digits of the bits of all positions and velocities, to compare runs."""


for _class in (Energy, Report):
    _class.__doc__ = with_fields(_class, _class.__doc__)


def worst_of(worst: dict, report: Report) -> dict:
    """The worst figures so far, and all events."""
    if not worst:
        return {f: getattr(report, f) for f in (
            "substeps", "iterations", "residual", "converged", "penetration", "stretch", "drift", "events", "warnings")}
    for field in ("substeps", "iterations", "residual", "penetration", "stretch", "drift"):
        worst[field] = max(worst[field], getattr(report, field))
    worst["converged"] &= report.converged
    worst["events"] += report.events
    worst["warnings"] = told_once((*worst["warnings"], *report.warnings))
    return worst


def told_once(warnings: tuple[str, ...]) -> tuple[str, ...]:
    """Each warning once, also if its numbers differ: that with the largest first number."""
    kept: dict[str, str] = {}
    for text in warnings:
        kind = _NUMBER.sub("", text)
        if kind not in kept or _size(text) > _size(kept[kind]):
            kept[kind] = text
    return tuple(kept.values())


def _size(text: str) -> float:
    """The first number in a warning, 0 if there is none; numbers within names in quotes are none."""
    found = next((match for match in _NUMBER.finditer(text) if match.group()), None)
    return 0.0 if found is None else abs(float(found.group()))


def digits(code: int) -> str:
    """A hash as 16 hexadecimal digits."""
    return f"{int(code) & (2**64 - 1):016x}"
