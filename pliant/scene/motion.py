"""A prescribed motion: offsets from where the thing starts, as a table in time or as a function."""

from typing import Any

import numpy as np

from .errors import fail
from .thing import Part


class Motion(Part, frozen=True):
    """Offsets from the start: times (n,) [s], positions (n, 3) [m], rotation vectors (n, 3) [rad], also many turns.

    Straight between the times, or smooth (cubic, at rest at the ends); held after the last, or looped. Instead of the
    table a function t -> (offset (3,) [m], quaternion (4,)) may be given; such a scene cannot be written to a file.
    """

    times: Any
    positions: Any = None
    rotations: Any = None
    smooth: bool = False
    loop: bool = False

    def __post_init__(self) -> None:
        if callable(self.times):
            if self.positions is not None or self.rotations is not None:
                raise fail(self, "a function takes no positions or rotations beside it.")
            return
        times = self._table("times", self.times, None)
        if len(times) < 2 or (np.diff(times) <= 0.0).any():
            raise fail(self, "times must be two or more numbers that grow.")
        for field in ("positions", "rotations"):
            if getattr(self, field) is not None:
                table = self._table(field, getattr(self, field), 3)
                if len(table) != len(times):
                    raise fail(self, f"{field} has {len(table)} rows for {len(times)} times; give one row a time.")
                self._set(**{field: table})
        if self.positions is None and self.rotations is None:
            raise fail(self, "give positions, rotations or both.")
        self._set(times=times)

    def _table(self, field: str, value, width: int | None) -> np.ndarray:
        try:
            table = np.ascontiguousarray(value, float)
        except (TypeError, ValueError):
            table = np.zeros((0, 0, 0))
        if table.ndim != (1 if width is None else 2) or (width and table.shape[1] != width):
            raise fail(self, f"{field} must be {'a list of numbers' if width is None else 'rows of three numbers'}.")
        if not np.isfinite(table).all():
            raise fail(self, f"{field} has numbers that are not finite.")
        return table
