"""Events at the end of a step: latches catch and let go, bodies break, rows join what goes faster without them."""

import numpy as np

from ..model.islands import Islands
from ..model.joints import CATCHES, DRAWS, GONE, HOLDS, READY, Drives
from ..model.model import State

NEAR = 1e-4
"""A coordinate this near [rad or m] to a latch's place is there."""
REACH = 0.05
"""A latch that has not stopped its joint within this [rad or m] behind its place has missed it."""


def hold_at_start(latches: dict[str, int], drives: Drives, state: State, dt: float) -> None:
    """A latch whose joint starts at its place, or passes it in the first step, is ready for it.

    Writes: state.drives.engaged, .deflection
    """
    for k in latches.values():
        c = drives.coordinate[k]
        over, rate = state.coordinates.value[c] - drives.rest[k], state.coordinates.rate[c]
        if abs(over) < NEAR:
            state.drives.engaged[k] = HOLDS
        elif over * (over + rate * dt) <= 0.0:
            state.drives.engaged[k] = CATCHES
        state.drives.deflection[k] = over


def latch_events(latches: dict[str, int], drives: Drives, state: State, dt: float, h: float) -> list[str]:
    """What happened, in words. Writes: state.drives.engaged, .deflection (how far joints were from their latches)

    A latch begins to catch when its joint would pass its place within the coming step of `dt` [s], and holds once it has
    stopped it there. What it could not stop there it draws back, unless that ran out of its reach: then it has missed. It
    lets go when it is pulled with all its hold through a substep of `h` [s], and is ready again when the joint has left
    its place.
    """
    events, engaged = [], state.drives.engaged
    for name, k in latches.items():
        c = drives.coordinate[k]
        over, rate = state.coordinates.value[c] - drives.rest[k], state.coordinates.rate[c]
        passes, passed = over * (over + rate * dt) <= 0.0, over * state.drives.deflection[k] < 0.0
        gone_by = abs(over) > REACH + abs(rate) * dt and (engaged[k] == DRAWS or passed or over * rate > 0.0)
        if engaged[k] in (CATCHES, DRAWS) and abs(over) < NEAR and abs(rate) * dt < NEAR:
            engaged[k] = HOLDS
            events.append(f"latch '{name}' caught")
        elif engaged[k] in (CATCHES, DRAWS) and gone_by:
            engaged[k] = GONE
            events.append(f"latch '{name}' missed")
        elif engaged[k] == CATCHES and not passes:
            engaged[k] = DRAWS if passed or over * rate > 0.0 or abs(over) < REACH else READY  # something stopped it before
        elif engaged[k] == HOLDS and abs(state.drives.impulse[k]) >= drives.max_effort[k] * h:
            engaged[k] = GONE
            events.append(f"latch '{name}' let go")
        elif engaged[k] == GONE and abs(over) > max(10.0 * NEAR, abs(rate) * dt):
            engaged[k] = READY
        elif engaged[k] == READY and (passes or abs(over) < NEAR):
            engaged[k] = CATCHES
        state.drives.deflection[k] = over
    return events


def break_events(fragile: dict[str, tuple[int, float]], broken: np.ndarray, pressed: dict[str, tuple[float, str]]) -> list[str]:
    """What broke, in words: of `fragile` bodies (number, force that they bear [N]) those `pressed` harder. Writes: broken"""
    events = []
    for name, (k, bears) in fragile.items():
        force, by = pressed.get(name, (0.0, ""))
        if force > bears and not broken[k]:
            broken[k] = 1
            events.append(f"body '{name}' broke: '{by}' pressed it with {force:.3g} N, and it bears {bears:g} N")
    return events


def slowed_events(slowed: dict[str, int], islands: Islands) -> list[str]:
    """What may take the steps of local/global from now on, in words, each once: of `slowed` things (first vertex) by
    quasi-Newton those whose island has contacts or ties of soft things. Writes: slowed"""
    events = []
    for name, first in list(slowed.items()):
        i = islands.label[first]
        if i >= 0 and any(rows[i] != rows[i + 1] for rows in (islands.first_touch, islands.first_tie)):
            del slowed[name]
            events.append(f"'{name}' touches or is attached: with few such rows 'quasi-newton' takes the steps of 'projective'")
    return events
