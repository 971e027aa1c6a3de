"""Labelled voxels carried through the deformation of a solid: pictures as a scanner would take them, with the true motion."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..equations.elastic.deformation_gradient import cell_gradients
from ..scene.errors import SceneError

EDGE = 1e-9
"""By how much of its size a cell is taken larger [-], so that no centre falls between two cells."""


class Voxels(NamedTuple):
    """Labels on a grid; the centre of voxel (i, j, k) lies at origin + spacing (i, j, k)."""

    labels: np.ndarray
    """(a, b, c) whole numbers; 0 is outside."""
    origin: np.ndarray
    """[m] (3,)"""
    spacing: np.ndarray
    """[m] (3,)"""

    def centres(self) -> np.ndarray:
        """[m] (a, b, c, 3)"""
        return self.origin + self.spacing * np.moveaxis(np.indices(self.labels.shape), 0, -1)


class Carried(NamedTuple):
    """What became of voxels."""

    voxels: Voxels
    """On the same grid, made larger where the solid needs it: the label that each voxel's matter had before."""
    source: np.ndarray
    """Where that matter was [m] (a, b, c, 3); NaN outside."""
    displacement: np.ndarray
    """Of the matter in each voxel of the grid given [m] (a, b, c, 3); NaN outside."""


def carry(voxels: Voxels, rest: np.ndarray, cells: np.ndarray, positions: np.ndarray) -> Carried:
    """Voxels of a solid at rest after its vertices [m] (n, 3) have moved from `rest` to `positions`; cells (c, 4).

    Within a cell matter moves linearly, as it does in the solid. Every new voxel takes the label of the voxel in which its
    matter was; where that was a border, of the lower one.
    """
    given = Voxels(np.asarray(voxels.labels), *(np.broadcast_to(np.asarray(v, float), 3) for v in voxels[1:]))
    before = given.centres()
    after = places(before, given, rest, cells, positions)
    lost = int(np.count_nonzero(np.isnan(after[..., 0]) & (given.labels != 0)))
    if lost:
        raise SceneError(f"Voxels: {lost} voxels with labels lie outside the solid at rest; set them to 0, or move the grid.")
    lowest = np.minimum(np.ceil((positions.min(axis=0) - given.origin) / given.spacing - EDGE), 0.0).astype(int)
    highest = np.floor((positions.max(axis=0) - given.origin) / given.spacing + EDGE).astype(int)
    shape = np.maximum(highest, np.array(given.labels.shape) - 1) - lowest + 1
    grid = Voxels(np.zeros(shape, given.labels.dtype), given.origin + given.spacing * lowest, given.spacing)
    source = places(grid.centres(), grid, positions, cells, rest)
    index = np.floor((source - given.origin) / given.spacing + 0.5 - EDGE)
    with np.errstate(invalid="ignore"):
        inside = ((index >= 0) & (index < given.labels.shape)).all(axis=-1)
    grid.labels[inside] = given.labels[tuple(index[inside].astype(int).T)]
    return Carried(grid, source, after - before)


def places(centres: np.ndarray, grid: Voxels, start: np.ndarray, cells: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Where matter at the centres of a grid goes [m] (a, b, c, 3) when vertices (n, 3) go from `start` to `end`; else NaN."""
    out = np.full(centres.shape, np.nan)
    inverse, volume = cell_gradients(start, cells)
    first, top = start[cells[:, 0]], np.array(grid.labels.shape) - 1
    low, high = start[cells].min(axis=1), start[cells].max(axis=1)
    low = np.clip(np.ceil((low - grid.origin) / grid.spacing - EDGE), 0, None).astype(int)
    high = np.minimum(np.floor((high - grid.origin) / grid.spacing + EDGE).astype(int), top) + 1
    for c in np.flatnonzero(volume > 0.0):
        box = tuple(slice(a, b) for a, b in zip(low[c], high[c], strict=True))
        weight = (centres[box] - first[c]) @ inverse[c].T
        inside = (weight >= -EDGE).all(axis=-1) & (weight.sum(axis=-1) <= 1.0 + EDGE)
        moved = end[cells[c]] - start[cells[c]]  # taken alone, so that what has not moved stays where it is to the last bit
        out[box][inside] = centres[box][inside] + moved[0] + weight[inside] @ (moved[1:] - moved[0])
    return out


def save(path: str | Path, carried: Carried, **more: Any) -> None:
    """Write labels, origin, spacing, source and displacement to an NPZ file, and whatever else is named."""
    np.savez_compressed(path, **carried.voxels._asdict(), source=carried.source, displacement=carried.displacement, **more)
