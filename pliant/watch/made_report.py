"""The report of a step, with what its figures give cause to warn of."""

from typing import TYPE_CHECKING

import numpy as np

from ..couple.measure import Measures
from ..couple.step import TOLERANCE
from ..report import Energy, Report, digits
from .overlaps import DEEP, overlaps

if TYPE_CHECKING:
    from ..world import World

_UNSETTLED = 0.1  # [m/s] what a step without contacts leaves open beyond this is reported


def made_report(world: "World", figures: Measures, events) -> Report:
    """How a step came out."""
    engine = world._engine
    energy = Energy(figures.kinetic, figures.gravity, figures.elastic, engine.state.clock.work[0].item())
    substeps = max(figures.substeps, world.soft_substeps if engine.soft is not None else world.substeps)
    return Report(world.time, substeps, figures.iterations, figures.residual, figures.residual < TOLERANCE, figures.penetration,
                  figures.stretch, figures.drift, energy, tuple(events), (*world.warnings, *_warnings(world, figures, energy)),
                  digits(figures.hash))


def unruly_springs(world: "World") -> list[str]:
    """Springs of each island that were not solved, or gained what was then taken out of its motion, with the time; and bodies
    of those without springs that stood still, where something may touch: elsewhere `_unsettled` tells."""
    engine, found = world._engine, []
    islands, model = engine.work.islands, engine.model
    speeds = engine.work.outcome.unruly[:islands.count[0]]
    for i in np.flatnonzero(speeds > _UNSETTLED):
        names = []
        for name, (kind, k) in world._index["spring"].items():
            ends = model.springs.body[k] if kind == "spring" else (
                model.joints.body[model.coordinates.joint[model.drives.coordinate[k]]])
            if (islands.label[ends] == i).any():
                names.append(f"'{name}'")
        names += [f"of the grip on '{grip.name}'" for k, grip in world._body_grips.items() if islands.label[k] == i]
        if not names and engine.state.contacts.count[0]:
            found.append(_stood(world, int(i), float(speeds[i])))
        if not names:
            continue
        who = f"spring {names[0]}" + (f" and {len(names) - 1} more on the same bodies" if len(names) > 1 else "")
        found.append(f"{who} did not settle at t = {world.time:.6g} s: a speed of {speeds[i]:.2g} m/s that it should not have "
                     "given was taken out of the motion; take smaller steps or more substeps, or a softer spring")
    return found


def _stood(world: "World", i: int, speed: float) -> str:
    """Of the bodies of island `i`, which missed so much [m/s] that they stood still."""
    label = world._engine.work.islands.label
    names = [f"'{name}'" for name, k in world._index["body"].items() if label[k] == i]
    who = f"{names[0]} and {len(names) - 1} more on the same joints" if len(names) > 1 else (names or ["a body"])[0]
    return (f"{who} stood still in a part of the step to t = {world.time:.6g} s, because what drives, holds or rubs there was "
            f"not solved ({speed:.2g} m/s are missing): take smaller steps, less friction, or motors with bounds")


def _warnings(world: "World", figures: Measures, energy: Energy) -> list[str]:
    """Of joints that gape or overrun limits, ropes and joints that did not settle, and what the watchers of ropes saw."""
    engine, time = world._engine, world.time
    found = world._watch_gaps(world, figures.drift) + world._watch_limits(world, figures.overrun)
    if figures.penetration > DEEP and time < 1.5 * world.dt:
        found += overlaps(world)
    if len(engine.model.joints.kind) and not engine.state.contacts.count[0]:
        found += _unsettled(world)
    if figures.unruly > _UNSETTLED:
        found += unruly_springs(world)
    if engine.soft is not None and engine.soft.gained:
        label, gained = engine.work.islands.label, engine.soft.gained
        names = [name for name, one in world._index["soft"].items() if label[one.first] in gained]
        found += [f"'{name}' gained energy in a step, and in finer ones too; it was stopped, with all that it touches: take "
                  "smaller steps, or softer material" for name in names]
    found += world._watch_cloth(world) + world._watch_sunk(world) + world._watch_fallen(world)
    found += world._watch(engine, time, world.dt, world.substeps)
    found += [*world._watch_direct(engine, figures.fold, time, world.dt), *world._watch_bodies(world)]
    return found + world._watch_gains(world, energy, figures, bool(found))


def _unsettled(world: "World") -> list[str]:
    """Of joints that touch nothing and did not settle in the last step."""
    engine = world._engine
    outcome, count = engine.work.outcome, engine.work.islands.count[0]
    left = float(outcome.residual[:count].max(initial=0.0))  # cloth and solids aside
    if not left > _UNSETTLED or outcome.stopped[:count].any():
        return []
    what = "ropes or loops" if len(engine.model.rods.table) else "joints"
    return [f"{what} did not settle in a step ({left:.2g} m/s are missing at t = {world.time:.6g} s): take smaller steps"]
