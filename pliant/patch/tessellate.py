"""Triangles that follow the patches within a tolerance, without a crack, and go with them when they deform."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..scene.patch import PatchMesh
from .creases import edge_angles
from .groups import Samples
from .heights import place_points
from .measure import Shape, shape_of
from .quadrature import quadrature
from .surface import Surface, heights_of, lattice, lattice_samples, samples_at, surface_of

FINEST = 7
"""Edges are halved at most so often."""
CLOSE = 3
"""A relief is tried for folds as closely as where edges are halved so often."""
NEARLY = 1e-4
"""And as closely as by measures of this tolerance [-]; with a hundredth of it a car takes ten seconds."""


class Tessellation(NamedTuple):
    """Triangles of the surface at rest, and what carries them along."""

    mesh: PatchMesh
    """The patches that it was made from"""
    vertices: NDArray[np.float64]
    """[m] (k, 3)"""
    triangles: NDArray[np.int32]
    """(j, 3), counter-clockwise from outside; closed where the mesh is"""
    normals: NDArray[np.float64]
    """(k, 3), unit: the mean, by angle, of the normals of the patches that meet there"""
    face: NDArray[np.int32]
    """The patch of each triangle (j,)"""
    error: float
    """Largest distance [m] found between triangles and surface"""
    creases: NDArray[np.float64]
    """Largest angle [rad] (e,) between the patches on either side of each inner edge, in the order of `mesh.creases().edges`"""
    samples: Samples
    """Points of the patches: one for each patch that meets at a vertex"""
    vertex: NDArray[np.int32]
    """The vertex of each sample"""
    weight: NDArray[np.float64]
    """The angle [rad] that the patch of each sample spans at its vertex, at rest"""

    def deformed(self, positions: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Vertices [m] (k, 3) and normals (k, 3) when the mesh's vertices stand at positions (n, 3) [m]."""
        return placed(self.samples, self.vertex, self.weight, len(self.vertices), self.mesh, shape_of(self.mesh, positions))


def tessellate(mesh: PatchMesh, tolerance: float) -> Tessellation:
    """Triangles nowhere farther than `tolerance` [m] from the surface, measured between their corners.

    Each edge is halved as often as it needs, each face as often as it or one of its edges does; where a face is finer
    than its edge, the points on the edge move to the edge's next one. Both faces of an edge then have the same points. Edges
    are halved FINEST times at most: where that is not enough, `error` is larger than `tolerance`.
    """
    surface = surface_of(mesh)
    face_level, edge_level, error = levels(mesh, surface, tolerance)
    samples, vertex, triangles, face, count = assemble(mesh, face_level, edge_level)
    heights_of(surface, samples, mesh)
    points, _ = placed(samples, vertex, np.ones(len(vertex)), count, mesh, shape_of(mesh))
    weight = angles(points, triangles, face, samples.face, vertex)
    _, normals = placed(samples, vertex, weight, count, mesh, shape_of(mesh))
    bends = edge_angles(mesh, surface, 1 << max(3, int(face_level.max(initial=0))))
    return Tessellation(mesh, points, triangles, normals, face, error, bends, samples, vertex, weight)


def check_closely(mesh: PatchMesh) -> None:
    """Refuse what measures and tessellations would: a relief folds over first in places that are smaller than any lattice's."""
    surface = surface_of(mesh)
    quadrature(mesh, NEARLY)  # points that are closer where the relief is steep
    deviations(mesh, surface, shape_of(mesh), np.flatnonzero(np.diff(surface.patches.first_quadric) > 0), CLOSE)


def angles(points, triangles, face, sample_face, vertex) -> NDArray[np.float64]:
    """The angle [rad] that the triangles of each sample's face span at its vertex."""
    corner = points[triangles]
    out, back = np.roll(corner, -1, axis=1) - corner, np.roll(corner, 1, axis=1) - corner
    angle = np.arctan2(np.linalg.norm(np.cross(out, back), axis=2), np.einsum("fci,fci->fc", out, back))
    count = np.int64(len(points))
    wanted = sample_face * count + vertex
    order = np.argsort(wanted)
    at = order[np.searchsorted(wanted[order], (face[:, None] * count + triangles).ravel())]
    return np.asarray(np.bincount(at, angle.ravel(), len(vertex)), float)


def placed(samples: Samples, vertex, weight, count: int, mesh: PatchMesh, shape: Shape) -> tuple[NDArray, NDArray]:
    """Vertices and their mean normals from the samples that meet at them."""
    point, across = np.zeros((2, len(samples.face), 3))
    place_points(surface_of(mesh).patches.face, samples, *shape, point, across)
    vertices, normals = np.zeros((2, count, 3))
    vertices[vertex[::-1]] = point[::-1]  # where several meet, the first
    for k in range(3):
        normals[:, k] = np.bincount(vertex, weight * across[:, k], count)
    return vertices, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)


def levels(mesh: PatchMesh, surface: Surface, tolerance: float) -> tuple[NDArray, NDArray, float]:
    """How often to halve each face (m,) and each of its edges (m, 3), and the largest error that is left [m]."""
    count = len(mesh.faces)
    face_level, edge_level = np.zeros(count, int), np.zeros((count, 3), int)
    left = np.zeros(count)
    open_faces = np.arange(count)
    edge_open = np.ones((count, 3), bool)
    shape = shape_of(mesh)
    for level in range(FINEST + 1):
        inside, along = deviations(mesh, surface, shape, open_faces, level)
        edge_open[open_faces] &= along > tolerance
        left[open_faces] = inside
        edge_level[open_faces] = np.where(edge_open[open_faces], level + 1, edge_level[open_faces])
        open_faces = open_faces[inside > tolerance]
        face_level[open_faces] = level + 1
        if not len(open_faces):
            break
    face_level, edge_level = np.minimum(face_level, FINEST), np.minimum(edge_level, FINEST)
    one, two, i, j = surface.edges.T
    both = np.maximum(edge_level[one, i], edge_level[two, j])  # they agree but for rounding
    edge_level[one, i] = edge_level[two, j] = both
    return np.maximum(face_level, edge_level.max(axis=1)), edge_level, float(left.max())


def deviations(mesh: PatchMesh, surface: Surface, shape: Shape, faces, level: int) -> tuple[NDArray, NDArray]:
    """Largest distance [m] of faces (k,) and of their edges (k, 3) from triangles with edges halved `level` times.

    Measured at the points of a lattice four times as fine, at least of 16 a side, against the triangles at the same place.
    """
    inside, along = np.zeros(len(faces)), np.zeros((len(faces), 3))
    for needed in np.unique(surface.pieces[faces]):
        which = np.flatnonzero(surface.pieces[faces] == needed)
        fine = max(16, 4 << level, 2 * int(needed))
        for part in np.array_split(which, -(-len(which) * fine * fine // 4_000_000)):  # a few hundred megabytes at a time
            inside[part], along[part] = deviations_at(mesh, surface, shape, faces[part], 1 << level, fine)
    return inside, along


def deviations_at(mesh: PatchMesh, surface: Surface, shape: Shape, faces, pieces: int, fine: int) -> tuple[NDArray, NDArray]:
    """The same, for triangles of `pieces` a side and a lattice of `fine` a side."""
    samples = lattice_samples(mesh, surface, faces, fine)
    out, across = np.zeros((2, len(samples.face), 3))
    place_points(surface.patches.face, samples, *shape, out, across)
    places = lattice(fine)
    point = out.reshape(len(faces), len(places), 3)
    corner, weight = enclosing(places, pieces, fine)
    flat = np.einsum("pc,kpci->kpi", weight, point[:, corner])
    away = np.linalg.norm(point - flat, axis=2)
    u, v = places.T
    sides = (v == 0.0, u + v > 1.0 - 0.5 / fine, u == 0.0)
    return away.max(axis=1), np.stack([away[:, side].max(axis=1) for side in sides], axis=1)


def enclosing(places, pieces: int, fine: int) -> tuple[NDArray, NDArray]:
    """For places of the fine lattice: the corners (p, 3), by number there, and weights of the coarse triangle around it."""
    number = np.zeros((fine + 1, fine + 1), int)
    whole = np.rint(places * fine).astype(int)
    number[whole[:, 0], whole[:, 1]] = np.arange(len(places))
    step = fine // pieces
    cell = np.minimum(whole // step, pieces - 1)
    over = cell.sum(axis=1) > pieces - 1  # on the slanted border: the cell below
    cell[over, 0] -= 1
    low = cell < 0
    cell[low[:, 0], 1] -= 1
    cell = np.maximum(cell, 0)
    a, b = (whole / step - cell).T
    upper = a + b > 1.0 + 1e-12
    i, j = cell.T * step
    one = np.where(upper[:, None], np.stack([i + step, j + step], 1), np.stack([i, j], 1))
    two, three = np.stack([i + step, j], 1), np.stack([i, j + step], 1)
    corner = np.stack([number[tuple(c.T)] for c in (one, two, three)], axis=1)
    weight = np.where(upper[:, None], np.stack([a + b - 1.0, 1.0 - b, 1.0 - a], 1), np.stack([1.0 - a - b, a, b], 1))
    return corner, weight


def assemble(mesh: PatchMesh, face_level, edge_level) -> tuple[Samples, NDArray, NDArray, NDArray, int]:
    """Samples, the vertex of each, triangles, the face of each triangle, and the number of vertices."""
    faces, places, keys, triangles, owners, start = [], [], [], [], [], 0
    for level in np.unique(face_level):
        which = np.flatnonzero(face_level == level)
        place, local = grid(1 << level)
        whole = snapped(place, 1 << level, edge_level[which])
        keys.append(vertex_keys(mesh.faces[which], which, whole))
        places.append(whole.reshape(-1, 3))
        faces.append(np.repeat(which, len(place)))
        shift = start + np.arange(len(which))[:, None, None] * len(place)
        triangles.append((local + shift).reshape(-1, 3))
        owners.append(np.repeat(which, len(local)))
        start += len(which) * len(place)
    face, place = np.concatenate(faces), np.concatenate(places)
    _, vertex = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    vertex = vertex.ravel()
    corner = vertex[np.concatenate(triangles)]
    whole = (corner[:, 0] != corner[:, 1]) & (corner[:, 1] != corner[:, 2]) & (corner[:, 2] != corner[:, 0])
    order = np.argsort(face, kind="stable")
    # a point that a face sees several times, moved along its edge, counts once in the mean of normals
    pair = face[order] * np.int64(vertex.max() + 1) + vertex[order]
    _, once = np.unique(pair, return_index=True)
    order = order[np.sort(once)]
    samples = samples_at(face[order].astype(np.int32), place[order][:, 1:], np.zeros(len(order)), len(mesh.faces))
    owner = np.concatenate(owners)[whole].astype(np.int32)
    return samples, vertex[order].astype(np.int32), corner[whole].astype(np.int32), owner, int(vertex.max()) + 1


def grid(pieces: int) -> tuple[NDArray, NDArray]:
    """Whole places (p, 2) of a lattice of `pieces` a side and its triangles (t, 3)."""
    place = np.rint(lattice(pieces) * pieces).astype(int)
    number = np.full((pieces + 2, pieces + 2), -1)
    number[place[:, 0], place[:, 1]] = np.arange(len(place))
    i, j = place[place.sum(axis=1) < pieces].T
    upward = np.stack([number[i, j], number[i + 1, j], number[i, j + 1]], axis=1)
    i, j = place[place.sum(axis=1) < pieces - 1].T
    downward = np.stack([number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]], axis=1)
    return place, np.concatenate([upward, downward])


def snapped(place, pieces: int, edge_level) -> NDArray[np.float64]:
    """Barycentric weights (k, p, 3) of the lattice in each face, points on an edge moved to the edge's own."""
    i, j = place.T
    weight = np.stack([pieces - i - j, i, j], axis=1)
    out = np.tile(weight / pieces, (len(edge_level), 1, 1))
    for side in range(3):
        start, end = side, (side + 1) % 3
        on = np.flatnonzero(weight[:, 3 - start - end] == 0)
        coarse = (1 << edge_level[:, side])[:, None]
        along = np.floor(weight[on, end] * coarse / pieces + 0.5)  # every point of the edge's own is met by some
        out[:, on, 3 - start - end] = 0.0
        out[:, on, end] = along / coarse
        out[:, on, start] = 1.0 - along / coarse
    return out


def vertex_keys(corner, which, weight) -> NDArray[np.int64]:
    """Keys (k p, 4) equal for points that are one: at a corner, on an edge (the same from both faces), inside a face."""
    units = np.rint(weight * (1 << FINEST)).astype(np.int64)
    top = 1 << FINEST
    key = np.zeros((*weight.shape[:2], 4), np.int64)
    key[..., 0], key[..., 1] = 2, np.asarray(which)[:, None]
    key[..., 2:] = units[..., 1:]
    for side in range(3):
        a, b = corner[:, side][:, None], corner[:, (side + 1) % 3][:, None]
        on = units[..., 3 - side - (side + 1) % 3] == 0
        along = np.where(a < b, units[..., (side + 1) % 3], units[..., side])
        for k, value in enumerate((1, np.minimum(a, b), np.maximum(a, b), along)):
            key[..., k] = np.where(on, value, key[..., k])
    for c in range(3):
        at = units[..., c] == top
        for k, value in enumerate((0, corner[:, c][:, None], 0, 0)):
            key[..., k] = np.where(at, value, key[..., k])
    return key.reshape(-1, 4)
