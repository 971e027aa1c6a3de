"""Motions that jump: that do not begin where their thing is, or whose last place is not the first where they begin anew."""

import numpy as np

from ..scene.errors import who
from ..scene.pose import Pose
from .motions import Driver, turning

NEAR = 1e-3
"""Places further apart [m] are not the same."""
ALIKE = 1e-2
"""Neither are orientations that differ by more [rad]."""


def doubt_motions(drivers: list[Driver]) -> list[str]:
    """What prescribed motions do that is hardly meant."""
    return [text for driver in drivers for text in _starts_elsewhere(driver) + _closes_not(driver)]


def _starts_elsewhere(driver: Driver) -> list[str]:
    """Given as places and not as offsets, most likely."""
    jump = _jump(driver.start, driver.pose(0.0))
    if not jump:
        return []
    return [f"{who(driver.thing)}: its motion begins {jump} away from where it is, and jumps there in the first step; a motion "
            "is given as offsets from the start, let them begin with (0, 0, 0)"]


def _closes_not(driver: Driver) -> list[str]:
    if callable(driver.motion.times) or not driver.motion.loop:
        return []
    first, last = (driver.pose(float(driver.motion.times[k])) for k in (0, -1))
    jump = _jump(last, first)
    if not jump:
        return []
    return [f"{who(driver.thing)}: its motion is looped, and ends {jump} away from where it begins, so that it jumps back each "
            "time; let its last row be its first, or leave loop out"]


def _jump(one: Pose, other: Pose) -> str:
    """How far apart two poses are, in words; empty if they are not."""
    away = float(np.linalg.norm(np.subtract(one.position, other.position)))
    turned = float(np.linalg.norm(turning(one.quaternion, other.quaternion)))
    return " and ".join([f"{away:.4g} m"] * (away > NEAR) + [f"{turned:.3g} rad"] * (turned > ALIKE))
