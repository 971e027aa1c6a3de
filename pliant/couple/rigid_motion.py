"""Point masses as if they were rigid: how they move with their momentum and angular momentum, and where that takes them."""

import numpy as np


def momenta(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arms from the centre of mass [m] (n, 3), its velocity [m/s] and the angular velocity [rad/s] of masses [kg] (n,)."""
    whole = mass.sum()
    arm, mean = position - mass @ position / whole, mass @ velocity / whole
    spin = (mass[:, None] * np.cross(arm, velocity)).sum(axis=0)
    inertia = (mass @ (arm**2).sum(axis=1)) * np.eye(3) - arm.T @ (mass[:, None] * arm)
    return arm, mean, np.linalg.lstsq(inertia, spin, rcond=1e-9)[0]  # points in a line leave one axis open


def rigid_motion(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Velocities [m/s] (n, 3) of the rigid motion with the momentum and angular momentum of point masses [kg] (n,)."""
    if mass.sum() == 0.0:
        return velocity
    arm, mean, turning = momenta(position, velocity, mass)
    return mean + np.cross(turning, arm)


def turned_ahead(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, h: float) -> np.ndarray:
    """Where point masses come to in `h` [s] [m] (n, 3) by that motion, which leaves their shape as it is.

    By half a turn or more nobody can tell where they come to: then they are not turned.
    """
    arm, mean, turning = momenta(position, velocity, mass)
    by = h * turning
    return position - arm + h * mean + (_turned(arm, by) if np.abs(by).max() < np.pi else arm)


def _turned(arms: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) turned by a rotation vector [rad], after Rodrigues."""
    angle = float(np.linalg.norm(by))
    if angle == 0.0:
        return arms
    axis = by / angle
    return np.cos(angle) * arms + np.sin(angle) * np.cross(axis, arms) + (1.0 - np.cos(angle)) * np.outer(arms @ axis, axis)
