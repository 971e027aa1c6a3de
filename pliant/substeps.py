"""How many substeps a world takes: as asked, or by what its ropes allow; settled when it is built."""

import os
from collections.abc import Sequence
from math import ceil, inf, sqrt

import numpy as np

from .compile.step_limits import StepLimit
from .couple.soft.pace import hardly_moved
from .model.bodies import FIXED
from .model.model import Model
from .model.soft_things import SoftThing
from .scene.errors import SceneError, shown

LONGEST = 1.0 / 480.0
"""[s] longest substep that "auto" chooses."""
LONGEST_SOFT, LONGEST_CARRIED = 1.0 / 60.0, 1.0 / 120.0
"""[s] the same for cloth and solids, whose steps are implicit: where they are all that moves, or cloth beside loose bodies that
are heavier than all of it, which it hardly moves; and beside other bodies."""
LONGEST_STEP = 1.0
"""[s] longest step for which "auto" chooses substeps."""
SHORTEST_STEP = 1e-9
"""[s] shortest step: below it nothing ordinary moves by more than rounding."""
SWELLS = 0.1
"""How far pressure may move closed cloth of method "position" in a substep, of its edges' length [-]: at 3 and ten iterations a
ball grew for ever, at 0.75 by 79 %, at 0.19 by 11 %, at 0.08 by 4.6 % of its volume, in place of 6.5."""
RARE_STEP = 0.1
"""[s] beyond this "auto" says what becomes rare."""
MOST = 10_000
SAFE = 0.9
"""Of the longest step of a rope, what "auto" takes at most [-]."""


def planned(world) -> int:
    """Substeps that a world takes in a step, whatever is in it; islands that need it take more for a while."""
    return max(world.substeps, world.soft_substeps) if world._engine.soft is not None else world.substeps


def pace(world) -> str:
    """Its steps in words, with the substeps that "auto" chose or a user did."""
    return f"steps of {1e3 * world.dt:.4g} ms, {in_substeps(planned(world), slower(world))}"


def slower(world) -> int | None:
    """Substeps of cloth and solids and of what they touch, where the rest of the world takes more."""
    return world.soft_substeps if world._engine.soft is not None and world.soft_substeps < world.substeps else None


def in_substeps(count: int, soft: int | None) -> str:
    """In how many substeps a step is taken, in words."""
    beside = f", {soft} for cloth, solids and what they hang on" if soft else ""
    return f"{count} {'substep' if count == 1 else 'substeps'} each{beside}"


def plan_soft(asked, dt: float, things: Sequence[SoftThing]) -> np.ndarray:
    """Substeps (t, 2) of islands with each cloth or solid: where nothing else moves that they move much, and beside others."""
    if not isinstance(asked, str):
        return np.full((len(things), 2), int(asked))
    longest = [[min(one, _swells(thing)) for one in (LONGEST_SOFT, LONGEST_CARRIED)] for thing in things]
    return np.array([[max(1, ceil(min(dt / one, MOST) - 1e-9)) for one in both] for both in longest], int).reshape(-1, 2)


def _swells(thing: SoftThing) -> float:
    """The time [s] in which pressure moves cloth by positions no further than its iterations bring back."""
    if thing.method != "position" or thing.pressure == 0.0:
        return inf
    corner = thing.model.vertices.rest[thing.faces]
    side = np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean()
    area = 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1).sum()
    return sqrt(SWELLS * side * float(thing.mass.sum()) / (area * abs(thing.pressure)))


def soft_alone(model: Model) -> bool:
    """Whether nothing in the whole world asks soft things for the shorter substeps of what is beside them."""
    moving = np.flatnonzero(model.bodies.kind != FIXED)
    return hardly_moved(model.bodies, moving, len(model.joints.kind), any(len(one.model.cells.vertex) for one in model.soft))


def settle(asked, dt: float, limits: dict[str, StepLimit], soft: bool = False) -> tuple[int, list[str]]:
    """(substeps of a step of `dt` [s], warnings about ropes that want shorter ones); `soft`: nothing but soft things moves."""
    if isinstance(asked, str) and asked == "auto":
        longest, name = min(((SAFE * min(limit.stiff, limit.taut), name) for name, limit in limits.items()),
                            default=(inf, ""))
        if dt > LONGEST_STEP:
            raise SceneError(f"World: dt is {dt:g} s, but it is the time between two pictures and must be at most "
                             f"{LONGEST_STEP:g} s; take 1/60 s, or give substeps yourself."
                             + (f" Did you mean {1e-3 * dt:g} s?" if 4.0 < dt < 1e3 else ""))
        if dt > longest * MOST:
            raise SceneError(f"World: Rope '{name}' by method 'impulse' needs substeps below {longest:.3g} s, more than {MOST} "
                             "in a step; take a shorter dt, fewer points, a softer rope, or another method.")
        count = max(1, ceil(dt / min(LONGEST_SOFT if soft else LONGEST, longest) - 1e-9))
        rare = f"dt is {dt:g} s: contacts are found and controls heard once in so long; take 1/60 s where anything touches"
        return count, [rare] if dt > RARE_STEP else []
    if isinstance(asked, bool) or not isinstance(asked, (int, np.integer)) or asked < 1:
        raise SceneError(f"World: substeps is {shown(asked)}; it must be a whole number of at least 1, or 'auto'.")
    if asked > MOST:
        raise SceneError(f"World: substeps is {asked}; it must be at most {MOST}.")
    h, warnings = dt / asked, []
    for name, limit in limits.items():
        if h > limit.stiff:
            warnings.append(f"Rope '{name}' by method 'impulse' bends and twists explicitly: substeps of {h:.3g} s will blow "
                            f"it up, it allows {limit.stiff:.3g} s; give substeps={ceil(dt / (SAFE * limit.stiff))} or 'auto'.")
        elif h > limit.taut:
            warnings.append(f"Rope '{name}' by method 'impulse' bears pulls explicitly: substeps of {h:.3g} s may blow it up "
                            f"if it carries all the weight at its ends, for which it allows {limit.taut:.3g} s; give "
                            f"substeps={ceil(dt / (SAFE * limit.taut))} or 'auto'.")
    return int(asked), warnings


def settle_threads(asked) -> int:
    """How many threads share the islands."""
    if asked is None:
        return os.cpu_count() or 1
    if isinstance(asked, bool) or not isinstance(asked, (int, np.integer)) or not 1 <= asked <= MOST:
        raise SceneError(f"World: threads is {shown(asked)}; it must be a whole number from 1 to {MOST}, or None for all.")
    return int(asked)
