"""Events at the end of a step: latches catch and let go, bodies break."""

import numpy as np

from ..model.joints import CATCHES, GONE, HOLDS, READY, Drives
from ..model.model import State

NEAR = 1e-4
"""A coordinate this near [rad or m] to a latch's place is there."""
REACH = 0.05
"""A latch that has not stopped its joint within this [rad or m] behind its place has missed it."""


def hold_at_start(latches: dict[str, int], drives: Drives, state: State, dt: float) -> None:
    """A latch whose joint starts at its place, or passes it in the first step, is ready for it. Writes: state.drives.engaged"""
    for k in latches.values():
        c = drives.coordinate[k]
        over, rate = state.coordinates.value[c] - drives.rest[k], state.coordinates.rate[c]
        if abs(over) < NEAR:
            state.drives.engaged[k] = HOLDS
        elif over * (over + rate * dt) <= 0.0:
            state.drives.engaged[k] = CATCHES


def latch_events(latches: dict[str, int], drives: Drives, state: State, dt: float, h: float) -> list[str]:
    """What happened, in words. Writes: state.drives.engaged

    A latch begins to catch when its joint would pass its place within the coming step of `dt` [s], and holds once it has
    stopped it there; it lets go when it is pulled with all its hold through a substep of `h` [s], and is ready again
    when the joint has left its place.
    """
    events, engaged = [], state.drives.engaged
    for name, k in latches.items():
        c = drives.coordinate[k]
        over, rate = state.coordinates.value[c] - drives.rest[k], state.coordinates.rate[c]
        if engaged[k] == CATCHES and abs(over) < NEAR and abs(rate) * dt < NEAR:
            engaged[k] = HOLDS
            events.append(f"latch '{name}' caught")
        elif engaged[k] == CATCHES and abs(over) > REACH + abs(rate) * dt and over * rate > 0.0:
            engaged[k] = GONE
            events.append(f"latch '{name}' missed")
        elif engaged[k] == HOLDS and abs(state.drives.impulse[k]) >= drives.max_effort[k] * h:
            engaged[k] = GONE
            events.append(f"latch '{name}' let go")
        elif engaged[k] == GONE and abs(over) > max(10.0 * NEAR, abs(rate) * dt):
            engaged[k] = READY
        elif engaged[k] == READY and (over * (over + rate * dt) <= 0.0 or abs(over) < NEAR):
            engaged[k] = CATCHES
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
