"""The body of a car from a few volume patches: a coarse block with a cabin, rounded and dented by quadrics."""

import numpy as np

from ..compile.cells import cube_cells
from ..scene.patch import PatchMesh, Quadric

# All lengths in lengths of the car. Stations run from the tail to the nose; the cabin stands between the second and fifth.
LOWER = (-0.5, -0.33, -0.12, 0.08, 0.22, 0.5)
"""x of the stations at sill and belt."""
ROOF = (-0.25, -0.12, 0.02, 0.1)
"""x of the cabin's stations at the roof."""
WIDTH = (0.19, 0.2, 0.15)
"""Half widths at sill, belt and roof."""
LEVEL = (0.07, 0.205, 0.325)
"""z at sill, belt and roof."""
WHEELS = (-0.31, 0.31)
"""x of the axles."""


def car_body(length: float) -> PatchMesh:
    """A car of `length` [m], nose towards x, z up from the ground; 80 cells."""
    inside = np.ones((5, 2, 2), bool)
    inside[[0, 4], :, 1] = False
    block = cube_cells(inside, np.zeros(3), np.ones(3))
    station, lane, level = np.rint(block.vertices).astype(int).T
    x = np.where(level == 2, np.take(ROOF, np.clip(station - 1, 0, 3)), np.take(LOWER, station))
    y = (lane - 1) * np.take(WIDTH, level) * np.where((level < 2) & np.isin(station, (0, 5)), 0.85, 1.0)
    z = np.take(LEVEL, level) - np.where((level == 1) & (station == 5), 0.035, 0.0)
    return PatchMesh.from_cells(length * np.stack([x, y, z], axis=1), block.cells, shaping(length))


def shaping(length: float) -> list[Quadric]:
    """Roof, bonnet and tail bulge; the wheels' arches are dents of the sides."""
    bumps = [
        ((-0.06, 0.0, 0.325), (0.22, 0.21, 0.1), 0.022),
        ((0.33, 0.0, 0.19), (0.24, 0.24, 0.1), 0.02),
        ((-0.42, 0.0, 0.2), (0.16, 0.24, 0.1), 0.015),
        ((0.5, 0.0, 0.13), (0.1, 0.24, 0.12), 0.02),
        ((-0.5, 0.0, 0.13), (0.1, 0.24, 0.12), 0.015),
    ]
    bumps += [((x, side * 0.2, 0.05), (0.095, 0.12, 0.115), -0.05) for x in WHEELS for side in (-1.0, 1.0)]
    return [Quadric.ellipsoid(length * np.asarray(middle), length * np.asarray(half), length * height)
            for middle, half, height in bumps]
