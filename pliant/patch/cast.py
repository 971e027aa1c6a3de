"""Rays against the implicit form of a patch mesh, at rest or deformed: where they first meet it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..scene.errors import fail
from ..scene.patch import PatchMesh
from .groups import Samples
from .heights import place_points
from .measure import Shape, shape_of
from .rays import cast_rays
from .surface import Surface, heights_of, lattice_samples, samples_at, surface_of

BOX = 8
"""Pieces a side of the lattice that finds the box around a patch."""
STEPS = 32
"""Pieces of a ray within the box around a patch, more where a quadric is narrow: two meetings nearer than one piece are
told apart by the valley between them."""
MARGIN = 0.125
"""What the box is larger by on each side, as a share of its largest side [-]."""


class Hits(NamedTuple):
    """First meetings of rays with a surface."""

    distance: NDArray[np.float64]
    """[m] (r,) from the origin; infinite where a ray meets nothing"""
    position: NDArray[np.float64]
    """[m] (r, 3); not a number where there is no meeting"""
    normal: NDArray[np.float64]
    """(r, 3), unit, outwards; not a number where there is no meeting"""
    face: NDArray[np.int32]
    """The patch (r,); -1 where there is no meeting"""
    place: NDArray[np.float64]
    """(r, 2) barycentric u, v: weights of the patch's corners 1 and 2"""


def cast(mesh: PatchMesh, origins: ArrayLike, directions: ArrayLike, positions: ArrayLike | None = None) -> Hits:
    """Where rays from `origins` (r, 3) [m] along `directions` (r, 3), or one for all, first meet the surface.

    The mesh's vertices stand at `positions` (n, 3) [m], or at rest.
    """
    try:
        origin, along = (np.array(np.atleast_2d(one), float) for one in (origins, directions))
    except (TypeError, ValueError, OverflowError):
        origin = along = np.zeros((0, 0))
    if origin.shape[1:] != (3,) or along.shape[1:] != (3,) or len(along) not in (1, len(origin)):
        raise fail(mesh, "origins must have shape (r, 3) and directions (r, 3) or (3,).")
    length = np.linalg.norm(along, axis=1, keepdims=True)
    if not (np.isfinite(origin).all() and np.isfinite(length).all() and (length > 0.0).all()):
        raise fail(mesh, "origins and directions must be finite, and no direction zero.")
    along = np.ascontiguousarray(np.broadcast_to(along / length, origin.shape)).copy()
    surface, shape = surface_of(mesh), shape_of(mesh, positions)
    count = len(origin)
    distance, face, place = np.zeros(count), np.zeros(count, np.int32), np.zeros((count, 2))
    steps = STEPS * max(1, int(surface.pieces.max()) // 8)
    cast_rays(surface.patches, *shape, *boxes(mesh, surface, shape), origin, along, steps, distance, face, place)
    hit = face >= 0
    normal = np.full((count, 3), np.nan)
    normal[hit] = normals_at(mesh, surface, shape, face[hit], place[hit])
    distance[~hit] = np.inf
    position = np.full((count, 3), np.nan)
    position[hit] = origin[hit] + distance[hit, None] * along[hit]
    return Hits(distance, position, normal, face, place)


def boxes(mesh: PatchMesh, surface: Surface, shape: Shape) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of boxes around the patches, lower and upper [m] (m, 3)."""
    lower, upper = np.zeros((2, len(mesh.faces), 3))
    for pieces in np.unique(surface.pieces):
        faces = np.flatnonzero(surface.pieces == pieces)
        samples = lattice_samples(mesh, surface, faces, max(BOX, int(pieces)))
        point = points_at(surface, shape, samples)[0].reshape(len(faces), -1, 3)
        lower[faces], upper[faces] = point.min(axis=1), point.max(axis=1)
    margin = MARGIN * (upper - lower).max(axis=1, keepdims=True)
    return lower - margin, upper + margin


def points_at(surface: Surface, shape: Shape, samples: Samples) -> tuple[NDArray, NDArray]:
    """Points [m] and unit normals of samples."""
    point, across = np.zeros((2, len(samples.face), 3))
    place_points(surface.patches.face, samples, *shape, point, across)
    return point, across


def normals_at(mesh: PatchMesh, surface: Surface, shape: Shape, face, place) -> NDArray[np.float64]:
    """Unit normals (r, 3) at places (r, 2) of faces (r,)."""
    order = np.argsort(face, kind="stable")
    inside = np.clip(place, 0.0, 1.0)  # a meeting at a wall may stand a rounding beyond it
    samples = heights_of(surface, samples_at(face, inside, np.zeros(len(face)), len(mesh.faces)), mesh)
    normal = np.empty((len(face), 3))
    normal[order] = points_at(surface, shape, samples)[1]
    return normal
