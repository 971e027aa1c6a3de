"""Events at the end of a step: latches catch and let go."""

from ..model.joints import Drives
from ..model.model import State


def latch_events(latches: dict[str, int], drives: Drives, state: State, dt: float, h: float) -> list[str]:
    """What happened, in words. Writes: state.drives.engaged

    A latch lets go when it was pulled with all its hold through a substep of `h` [s]; it catches when the coordinate is
    at its place or would pass it within the coming step of `dt` [s], and not while it still stands where it let go.
    """
    events = []
    for name, k in latches.items():
        c = drives.coordinate[k]
        over, rate = state.coordinates.value[c] - drives.rest[k], state.coordinates.rate[c]
        engaged = state.drives.engaged[k]
        if engaged == 1 and abs(state.drives.impulse[k]) >= drives.max_effort[k] * h:
            state.drives.engaged[k] = 2
            events.append(f"latch '{name}' let go")
        elif engaged == 2 and abs(over) > max(1e-3, abs(rate) * h):
            state.drives.engaged[k] = 0
        elif engaged == 0 and (over == 0.0 or over * (over + rate * dt) <= 0.0 or abs(over) < 1e-4):
            state.drives.engaged[k] = 1
            events.append(f"latch '{name}' caught")
    return events
