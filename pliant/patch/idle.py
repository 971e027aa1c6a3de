"""Which quadrics of a mesh shape nothing, because they are nowhere positive on its surface, and where they are instead."""

import numpy as np

from ..scene.patch import PatchMesh, Quadric
from .cast import points_at
from .measure import shape_of
from .surface import LATTICE, lattice_samples, surface_of


def idle_quadrics(mesh: PatchMesh) -> list[int]:
    """Numbers of the quadrics without effect; those of amplitude 0 are meant to have none.

    They are looked for at the points at which folds are: what hides between these is lower than a hundredth of its amplitude,
    since the points lie so close that within a third of its width from the top there is one.
    """
    surface, top = surface_of(mesh), np.full(len(mesh.quadrics), -np.inf)
    first, quadric = surface.patches.first_quadric, surface.patches.quadric
    owner = np.repeat(np.arange(len(mesh.faces)), np.diff(first))
    for pieces in np.unique(surface.pieces[owner]):
        faces = np.flatnonzero((np.diff(first) > 0) & (surface.pieces == pieces))
        samples = lattice_samples(mesh, surface, faces, max(LATTICE, int(pieces)))
        points = points_at(surface, shape_of(mesh), samples)[0]
        for k in np.unique(quadric[np.isin(owner, faces)]):
            here = np.isin(samples.face, owner[quadric == k])
            top[k] = max(top[k], mesh.quadrics[k](points[here]).max())
    return [k for k, one in enumerate(mesh.quadrics) if one.amplitude != 0.0 and top[k] <= 0.0]


def where_positive(one: Quadric) -> np.ndarray | None:
    """The middle (3,) [m] of what a quadric is positive in, empty where that is nothing; None where it has no end."""
    block, line = one.matrix[:3, :3], one.matrix[:3, 3]
    if np.linalg.eigvalsh(block)[-1] > -1e-12 * np.abs(block).max():
        return None
    middle = -np.linalg.solve(block, line)
    return middle if one.matrix[3, 3] + line @ middle > 0.0 else np.zeros(0)
