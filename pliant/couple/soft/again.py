"""Steps of soft things that gained energy, taken again from where they began: of each island the try that gains least counts.

What pushes things out of each other brings energy where it contradicts itself, as in cloth that lies across itself: the work
that it did is then no less than the gain, shorter substeps only push faster, and the step is taken again without it. Other
gains are errors of iterations that ended too soon, which shorter substeps have fewer of. So islands do not disturb each other,
and a step is taken thrice at most, and once more if an earlier try was better.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..step import Engine
    from .solver import SoftSolver

FINER = 2
"""Times that a step of soft things that gained energy is taken again."""


class Manner(NamedTuple):
    """How an island is taken through a step again."""

    finer: int = 0
    """Times that its substeps are halved."""
    sunk: bool = False
    """Whether nothing is pushed out."""


def take_again(engine: "Engine", soft: "SoftSolver", start: np.ndarray, *settings) -> None:
    """Take a step that gained energy again from its `start`.

    The last try pushes nothing out: crumpled cloth across itself may be strained by that more than it had in motion.
    """
    tries: dict[int, list[tuple[float, Manner]]] = {}
    now: dict[int, Manner] = {}
    for k in range(FINER):
        for i, gain in soft.gained.items():
            tries.setdefault(i, []).append((gain, now.get(i, Manner())))
            now[i] = Manner(0, True) if k == 0 and i in soft.pushing else Manner(k + 1, k + 1 == FINER)
        _try(engine, soft, start, now, settings)
        if not soft.gained:
            break
    for i, manner in now.items():
        tries[i].append((soft.gained.get(i, 0.0), manner))
    best = {i: min(reversed(tried), key=lambda one: one[0])[1] for i, tried in tries.items()}
    if best != now:
        _try(engine, soft, start, best, settings)


def _try(engine: "Engine", soft: "SoftSolver", start: np.ndarray, manners: dict[int, Manner], settings: tuple) -> None:
    """Take a step from its `start`, islands in such manners."""
    np.copyto(engine.buffer, start)
    for i, manner in manners.items():
        soft.hasten(i, *manner)
    engine.advance(*settings)
