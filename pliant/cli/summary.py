"""What a run comes to: one dictionary, shown as aligned lines or as one JSON object."""

import json
import math

from ..report import Report
from ..substeps import in_substeps, planned, slower
from .readings import Readings, as_table, told

KEPT = 0.95
"""Share of real time from which on a run held to the clock has kept to it [-]."""

_WORST = ("converged", "residual", "penetration", "stretch", "drift")


def counted(number: int, one: str, many: str = "") -> str:
    """1 step, 2 steps, 3 bodies."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def summarise(name: str, world, wall: float, readings: Readings, report: Report | None = None, asked: float | None = None,
              interrupted: bool = False, busy: float | None = None, given: float | None = None) -> dict:
    """The summary of a run that took `wall` [s] by the clock, whose steps `readings` has counted.

    `report` is that of the run, if it has one; `asked` the time [s] that it was to simulate, None without an end; `busy` the
    time [s] in its steps, where it was held to the clock; `given` what the clock had room for [s], if not all of it, as pauses
    have none. Steps and simulated time are those since the last reset; all others are of all steps.
    """
    given = wall if given is None else given
    energy = world.energy()
    parts = ("kinetic", "gravity", "elastic", "total", "work")
    return {
        "scene": name,
        "dt": world.dt,
        "substeps": planned(world),
        "soft_substeps": slower(world),
        "most_substeps": planned(world) if report is None else report.substeps,
        "steps": readings.recent,
        "simulated_seconds": world.time,
        "steps_in_all": readings.steps,
        "simulated_in_all": readings.simulated,
        "interrupted": interrupted,
        "asked_seconds": asked,
        "wall_seconds": wall,
        "real_time_factor": readings.simulated / given if given > 0.0 else None,
        "held_to_clock": busy is not None,
        "step_seconds": wall if busy is None else busy,
        "energies": {part: float(getattr(energy, part)) for part in parts},
        "readings": readings.table(),
        "worst": {} if report is None else {figure: getattr(report, figure) for figure in _WORST},
        "events": [] if report is None else list(report.events),
        "warnings": list(world.warnings if report is None else report.warnings),
        "hash": world.hash(),
    }


def as_json(summary: dict) -> str:
    """One JSON object; what is not finite becomes null, because JSON has no word for it."""
    return json.dumps(_finite(summary), allow_nan=False)


def as_lines(summary: dict) -> str:
    """A few aligned lines."""
    energies = summary["energies"]
    step = 1e3 * summary["step_seconds"] / summary["steps_in_all"] if summary["steps_in_all"] else 0.0
    more = summary["steps_in_all"] - summary["steps"]
    rows = [
        ("scene", summary["scene"]),
        (
            "simulated",
            f"{summary['simulated_seconds']:.3f} s in {counted(summary['steps'], 'step')} of {1e3 * summary['dt']:.4g} ms, "
            + in_substeps(summary["substeps"], summary["soft_substeps"])
            + (f", at most {summary['most_substeps']}" if summary["most_substeps"] > summary["substeps"] else "")
            + (f"; since the last reset, and {counted(more, 'step')} before it" if more else "")
            + (f"; interrupted, {summary['asked_seconds']:g} s were asked for" if summary["interrupted"] else ""),
        ),
        ("wall clock", f"{summary['wall_seconds']:.3f} s, {step:.3f} ms a step"),
        ("speed", _speed(summary)),
        (
            "energy",
            f"{energies['total']:.6g} J (kinetic {told(energies['kinetic'])}, gravity {told(energies['gravity'])}, "
            f"elastic {told(energies['elastic'])}; work done {told(energies['work'])})",
        ),
        ("hash", summary["hash"]),
    ]
    rows += [("reading", line) for line in as_table(summary["readings"])]
    rows += [("event", event) for event in summary["events"]]
    rows += [("warning", warning) for warning in summary["warnings"]]
    return "\n".join(f"{label:<11} {text}" for label, text in rows)


def _speed(summary: dict) -> str:
    """How fast it ran; of a run held to the clock, how fast it could."""
    factor, busy = summary["real_time_factor"], summary["step_seconds"]
    could = summary["simulated_in_all"] / busy if busy > 0.0 else 0.0
    if factor is None:
        return "-"
    if not summary["held_to_clock"]:
        return f"{factor:.2f} times real time"
    if could >= 1.0 and factor >= KEPT:
        return f"held to the clock; its steps could run at {could:.2f} times real time"
    more = f"; its steps alone at {could:.2f}" if could > factor else ""
    return f"{min(factor, could):.2f} times real time{more}"  # in slow motion steps may take longer than they simulate


def _finite(value):
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
