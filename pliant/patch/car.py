"""The body of a car from a few volume patches: a coarse block with a cabin inside a smooth sum of quadrics."""

import numpy as np
from numpy.typing import NDArray

from ..compile.cells import cube_cells
from ..scene.patch import PatchMesh, Quadric

# All lengths in lengths of the car.
BUMPS = (
    ((-0.4277, 0.102, 0.1382), (0.2144, 0.252, 0.1958), 1.44),  # boot
    ((-0.2451, 0.1096, 0.1331), (0.2327, 0.268, 0.1896), 1.49),
    ((0.4015, 0.1072, 0.1277), (0.2874, 0.2616, 0.1806), 1.44),  # bonnet
    ((0.1721, 0.107, 0.1436), (0.2652, 0.2648, 0.2016), 1.56),
    ((-0.0429, 0.1159, 0.1405), (0.278, 0.1665, 0.1417), 2.73),  # doors
    ((-0.0249, 0.0, 0.1495), (0.3113, 0.1887, 0.1), 153.0),  # floor
    ((-0.1866, 0.1264, 0.2707), (0.2861, 0.1398, 0.2143), 1.27),  # cabin
    ((0.0357, 0.0905, 0.2664), (0.2733, 0.2101, 0.1982), 1.46),
    ((-0.1502, 0.0, 0.2538), (0.2873, 0.1866, 0.1805), 2.5),
    ((-0.3084, 0.2143, 0.0921), (0.1423, 0.1, 0.1), -1.02),  # wheel arches
    ((0.3097, 0.2172, 0.0874), (0.1316, 0.1, 0.1), -1.27),
)
"""Middle, half lengths and weight of each ellipsoid; with another on the other side unless its middle has y = 0. The surface
is where the sum of weight max(Q, 0)^3 is one, so that all blend into each other."""
STEEP = 20.0
"""How much the sum less one moves the surface outwards [-]: the surface leaves where it is one by a height over this times its
slope, and edges crease by about as little."""
INSET = 0.019
"""How far the vertices lie under the surface."""

# Stations run from the tail to the nose; the cabin stands between the second and fifth.
LOWER = (-0.5, -0.335, -0.115, 0.045, 0.215, 0.5)
"""x of the stations at sill and belt."""
ROOF = (-0.235, -0.105, 0.01, 0.13)
"""x of the cabin's stations at the roof."""
WIDTH = (0.195, 0.3, 0.19)
"""Half widths at sill, belt and roof."""
LEVEL = (0.05, 0.185, 0.4)
"""z at sill, belt and roof."""
CORE = (0.38, 0.15)
"""Vertices are sought along lines from an axis that ends at this |x|, at this z."""


def car_body(length: float) -> PatchMesh:
    """A car of `length` [m], nose towards x, z up from the ground; 80 cells."""
    inside = np.ones((5, 2, 2), bool)
    inside[[0, 4], :, 1] = False
    block = cube_cells(inside, np.zeros(3), np.ones(3))
    station, lane, level = np.rint(block.vertices).astype(int).T
    x = np.where(level == 2, np.take(ROOF, np.clip(station - 1, 0, 3)), np.take(LOWER, station))
    aim = np.stack([x, (lane - 1) * np.take(WIDTH, level), np.take(LEVEL, level)], axis=1)
    kept = (lane == 1) & (level == 1) & np.isin(station, (2, 3))  # inside, in the middle
    return PatchMesh.from_cells(length * np.where(kept[:, None], aim, under(aim)), block.cells, shaping(length))


def under(aim: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points INSET under the surface of a car of length 1, on the lines from its axis to `aim` (n, 3)."""
    end, height = CORE
    start = np.stack([np.clip(aim[:, 0], -end, end), np.zeros(len(aim)), np.full(len(aim), height)], axis=1)
    along = aim - start
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    near, far = np.zeros((len(aim), 1)), np.full((len(aim), 1), 0.5)
    bumps = shaping(1.0)
    for _ in range(50):
        middle = 0.5 * (near + far)
        inner = sum(one.amplitude * np.maximum(one(start + middle * along), 0.0) ** 3 for one in bumps)[:, None] > 0.0
        near, far = np.where(inner, middle, near), np.where(inner, far, middle)
    return start + (near - INSET) * along


def shaping(length: float) -> list[Quadric]:
    """The ellipsoids, and one that is 1 everywhere and taken away."""
    quadrics = [Quadric(np.diag([0.0, 0.0, 0.0, 1.0]), -STEEP * length)]
    for (x, y, z), half, weight in BUMPS:
        quadrics += [Quadric.ellipsoid(length * np.array([x, side * y, z]), length * np.array(half), STEEP * length * weight)
                     for side in ((-1.0, 1.0) if y else (0.0,))]
    return quadrics
