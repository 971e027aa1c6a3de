"""Implicit Euler in a frame that turns: where the way of a substep begins, and what its velocity is at the end.

Implicit Euler has one velocity a substep, that of the way: x1 = x0 + h c. Of what turns at w by R = exp(h w), r1 = R r0, that
way is not along the velocity w x r at either end, and c, taken for the next start, loses a share (w h)^2 of the angular
momentum. So velocities are kept as they are at the ends of substeps, and c begins where a rigid body would go, under the
centrifugal force of the turning frame,

    c* = v0 + (R - 1) r0 / h - w x r0 - h w x (w x R r0)        v1 = c + w x r1 - (1 - R^T) r1 / h

with r from the centre of mass of all that turns together, or from what holds it. What moves as a rigid body then comes to
c = (R - 1) r0 / h and v1 = w x r1 exactly, under the forces that hold it together; all else changes by h^2, less than implicit
Euler errs by. The changes, times masses, add up to zero about a centre of mass: momentum stays.

Source: [Hairer1996] implicit Euler; the frame that turns is ours
Check: tests/equations/test_turning_frame.py
"""

import numpy as np

from .point_masses import around, turned_by


def way_ahead(arm: np.ndarray, rate: np.ndarray, h: float) -> np.ndarray:
    """c* - v0 [m/s] (n, 3) of arms r0 [m] (n, 3) that turn at `rate` [rad/s] (3,) for `h` [s]."""
    ahead = turned_by(arm, h * rate)
    return (ahead - arm) / h - around(rate, arm) - h * around(rate, around(rate, ahead))


def way_home(arm: np.ndarray, rate: np.ndarray, h: float) -> np.ndarray:
    """v1 - c [m/s] (n, 3) of arms r1 [m] (n, 3)."""
    return around(rate, arm) - (arm - turned_by(arm, -h * rate)) / h
