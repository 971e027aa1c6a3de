"""`pliant check`: loads and builds a scene, without a step, and says whether it is sound and what is doubtful."""

import argparse
import math
from collections import Counter

from ..scene.errors import SceneError
from ..scene.files.scene_file import load
from ..scene.solid import Solid
from ..substeps import planned, slower
from .main import sentence
from .summary import as_json, counted

EMPTY = "Scene: there is nothing in it; add a Body, a Rope, a Cloth, …"


def command_check(options: argparse.Namespace) -> int:
    """A sound scene gets one line, then its warnings; with --json all is one object, also of a scene that is not sound."""
    if not options.json:
        print("\n".join(as_lines(checked(options))))
        return 0
    try:
        found = checked(options)
    except (SceneError, OSError) as error:
        found = {"file": options.scene, "ok": False, "things": {}, "warnings": [], "error": sentence(error)}
    print(as_json(found))
    return 0 if found["ok"] else 2


def checked(options: argparse.Namespace) -> dict:
    """What is to be said of a scene; the error of one that cannot be simulated goes on."""
    from ..watch.overlaps import overlaps_to_come
    from ..world import World

    scene = load(options.scene)
    world = World(scene, dt=options.dt, substeps=options.substeps or "auto", threads=options.threads, _ready=False)
    things = list(scene.flat())
    return {
        "file": options.scene,
        "ok": True,
        "things": dict(sorted(Counter(type(thing).__name__ for thing in things).items())),
        "bodies": len(world.body_names),
        "dt": world.dt,
        "substeps": planned(world),
        "soft_substeps": slower(world),
        "solids": {thing.name: cells_of(thing) for thing in things if isinstance(thing, Solid)},
        "warnings": [*([] if things else [EMPTY]), *world.warnings, *overlaps_to_come(world)],
        "error": None,
    }


def cells_of(thing: Solid) -> dict:
    """How well shaped the cells of a solid are: angles [degrees], the worst shape and the share filled of 1."""
    found = thing.quality
    return {"cells": len(thing.filling.cells), "smallest_dihedral": math.degrees(found.smallest_dihedral),
            "largest_dihedral": math.degrees(found.largest_dihedral), "worst_shape": found.worst_shape,
            "filled": found.filled}


def as_lines(found: dict) -> list[str]:
    """The same for people."""
    lines = [f"{found['file']}: sound; {counted(sum(found['things'].values()), 'thing')}, "
             f"{counted(found['bodies'], 'body', 'bodies')}, {counted(found['substeps'], 'substep')} of "
             f"{1e3 * found['dt'] / found['substeps']:.3g} ms"
             + (f", {found['soft_substeps']} for cloth, solids and what they hang on" if found["soft_substeps"] else "")]
    for name, one in found["solids"].items():
        filled = "" if one["filled"] == 1.0 else f", {100.0 * one['filled']:.1f} % of its surface filled"
        lines.append(f"  Solid '{name}': {counted(one['cells'], 'cell')}, dihedral angles {one['smallest_dihedral']:.0f} to "
                     f"{one['largest_dihedral']:.0f} degrees, worst shape {one['worst_shape']:.2g} of 1{filled}")
    return lines + [f"  warning: {warning}" for warning in found["warnings"]]
