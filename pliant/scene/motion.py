"""A prescribed motion: offsets from where the thing starts, as a table in time or as a function."""

from math import inf
from typing import Any

import numpy as np

from .errors import LONGEST, fail, shown, table, truth
from .thing import Part

MOST = {"positions": LONGEST, "rotations": 1e9}
"""Largest numbers of a table [m], [rad]."""


class Motion(Part, frozen=True):
    """Offsets from the start: times (n,) [s], positions (n, 3) [m], rotation vectors (n, 3) [rad], also many turns.

    Straight between the times, or smooth (cubic, at rest at the ends and in pauses); held after the last, or looped. Instead of
    the table a function t -> (offset (3,) [m], quaternion (4,)) may be given; such a scene cannot be written to a file.

    A looped one jumps back unless its last row is its first, or whole turns from it. There is no moving surface: for a conveyor
    take a long plate that goes on, not looped, Motion([0, 60], [(0, 0, 0), (30, 0, 0)]), or a row of rollers, driven by
    rotations or VelocityMotors; friction takes along what lies on them.
    """

    times: Any
    """(n,) [s], growing; or a function t -> (offset (3,) [m], quaternion (4,))."""
    positions: Any = None
    """Offsets (n, 3) [m], world frame."""
    rotations: Any = None
    """Rotation vectors (n, 3) [rad] about its own origin, world frame, also of many turns."""
    smooth: bool = False
    """Whether it goes through the table by cubics, at rest at the ends and where two rows are alike, and not straight."""
    loop: bool = False
    """Whether it begins anew after the last time; else it stays there."""

    def __post_init__(self) -> None:
        self._set(smooth=truth(self, "smooth", self.smooth), loop=truth(self, "loop", self.loop))
        if callable(self.times):
            if self.positions is not None or self.rotations is not None:
                raise fail(self, "a function takes no positions or rotations beside it.")
            return
        times = table(self, "times", self.times, (2, inf))
        if (np.diff(times) <= 0.0).any():
            raise fail(self, "times must be two or more numbers that grow.")
        for field in ("positions", "rotations"):
            if getattr(self, field) is not None:
                rows = table(self, field, getattr(self, field), (1, inf), (3, 3))
                if len(rows) != len(times):
                    raise fail(self, f"{field} has {len(rows)} rows for {len(times)} times; give one row a time.")
                if np.abs(rows).max() > MOST[field]:
                    raise fail(self, f"{field} has numbers beyond {MOST[field]:g}; all must be below that.")
                self._set(**{field: rows})
        if self.positions is None and self.rotations is None:
            raise fail(self, "give positions, rotations or both.")
        self._set(times=times)


def motion_of(thing, value) -> Motion | None:
    """The motion of a thing: none, a Motion, or that of a function of time; or an error."""
    if value is None or isinstance(value, Motion):
        return value
    if not callable(value):
        raise fail(thing, f"motion is {shown(value)}; it must be a Motion, or a function t -> (offset, quaternion).")
    return Motion(value)
