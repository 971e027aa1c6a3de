"""What several exact tests share: turns, slopes and worlds of one body."""

from math import cos, sin

import numpy as np

import pliant as pl

G = 9.81


def about(axis, angle: float) -> tuple[float, float, float, float]:
    """The quaternion of a turn by `angle` [rad] about a unit axis."""
    return cos(0.5 * angle), *(sin(0.5 * angle) * c for c in axis)


def turned(q, v) -> np.ndarray:
    """The vector `v` turned by the quaternion `q`."""
    w, u, v = q[0], np.asarray(q[1:], float), np.asarray(v, float)
    return v + 2.0 * np.cross(u, np.cross(u, v) + w * v)


def slope(alpha: float) -> tuple[np.ndarray, np.ndarray, tuple]:
    """(normal, direction of descent, quaternion) of a plane that falls towards +x at `alpha` [rad]."""
    return np.array([sin(alpha), 0, cos(alpha)]), np.array([cos(alpha), 0, -sin(alpha)]), about((0, 1, 0), alpha)


def single(joint, body: pl.Body, *more, gravity=(0.0, 0.0, 0.0), dt=1 / 240, substeps=1) -> pl.World:
    """A world of one body on one joint."""
    scene = pl.Scene(gravity=gravity)
    for thing in (body, joint, *more):
        scene.add(thing)
    return pl.World(scene, dt=dt, substeps=substeps)
