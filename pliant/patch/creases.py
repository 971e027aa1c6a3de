"""Creases: by how much the surface bends sharply at the edges between patches, at rest and deformed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..scene.patch import PatchMesh
from .heights import place_points
from .measure import shape_of
from .surface import Surface, heights_of, samples_at, surface_of

PIECES = 16
"""An edge is tried at both its ends and between so many pieces."""


class Creases(NamedTuple):
    """The edges between two patches, and how sharp they are."""

    edges: NDArray[np.int32]
    """The two vertices of the mesh (e, 2) that each runs between"""
    faces: NDArray[np.int32]
    """The two patches (e, 2) that meet there"""
    angles: NDArray[np.float64]
    """Largest angle [rad] (e,) between the normals of the two along the edge; 0 where the surface is smooth"""


def creases(mesh: PatchMesh, positions: ArrayLike | None = None) -> Creases:
    """The creases of a mesh whose vertices stand at positions (n, 3) [m], or at rest."""
    surface = surface_of(mesh)
    faces, place = surface.edges[:, :2], surface.edges[:, 2]
    ends = np.stack([mesh.faces[faces[:, 0], (place + k) % 3] for k in range(2)], axis=1)
    return Creases(ends, faces.copy(), edge_angles(mesh, surface, PIECES, positions))


def edge_angles(mesh: PatchMesh, surface: Surface, pieces: int, positions: ArrayLike | None = None) -> NDArray[np.float64]:
    """Largest angle [rad] (e,) between the normals of the two patches along each inner edge."""
    if not len(surface.edges):
        return np.zeros(0)
    along = np.linspace(0.0, 1.0, pieces + 1)
    sides = []
    for side, s in ((0, along), (1, along[::-1])):
        faces, places = surface.edges[:, side], surface.edges[:, 2 + side]
        weight = np.zeros((len(faces), len(s), 3))
        rows = np.arange(len(faces))[:, None]
        weight[rows, np.arange(len(s)), places[:, None]] = 1.0 - s
        weight[rows, np.arange(len(s)), (places[:, None] + 1) % 3] = s
        face = np.repeat(faces, len(s)).astype(np.int32)
        order = np.argsort(face, kind="stable")
        samples = samples_at(face, weight.reshape(-1, 3)[:, 1:], np.zeros(len(face)), len(mesh.faces))
        heights_of(surface, samples, mesh)
        point, across = np.zeros((2, len(face), 3))
        place_points(surface.patches.face, samples, *shape_of(mesh, positions), point, across)
        normal = np.empty_like(across)
        normal[order] = across
        sides.append(normal.reshape(len(faces), len(s), 3))
    sine, cosine = np.linalg.norm(np.cross(sides[0], sides[1]), axis=2), (sides[0] * sides[1]).sum(axis=2)
    return np.arctan2(sine, cosine).max(axis=1)
