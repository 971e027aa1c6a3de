"""From the noun to flat arrays: normals, which quadric reaches which face, and what cannot be a surface."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..equations.patch.relief_height import FOLDS
from ..model.schema import fill
from ..scene.errors import SceneError, fail
from ..scene.patch import PatchMesh
from .groups import Patches, Samples
from .heights import find_heights, vertex_normals

GAP = 1e-9
"""Patches whose heights differ along an edge by more than this share of the mesh's size disagree [-]."""
ALONG = 9
"""Points along an edge where two patches are compared."""
LATTICE = 6
"""A face is tried for folds at the corners of so many pieces a side, or more where a quadric is narrow."""
NARROW = 64
"""A quadric that needs more pieces a side than this to be seen is too narrow for its face."""


class Surface(NamedTuple):
    """A checked patch mesh."""

    patches: Patches
    edges: NDArray[np.int32]
    """(e, 4) edges between two faces: the faces, and the place of the edge in each (0: corners 0-1, 1: 1-2, 2: 2-0)."""
    reach: float
    """Largest height that is looked for [m]: the diagonal of the mesh."""
    pieces: NDArray[np.int64]
    """Pieces a side (m,) into which a face must be cut for no quadric to be overlooked: a power of two."""


_KNOWN: "WeakKeyDictionary[PatchMesh, Surface]" = WeakKeyDictionary()


def surface_of(mesh: PatchMesh) -> Surface:
    """The arrays of a patch mesh; refuses, by face, a relief that folds over and patches that disagree along an edge."""
    if mesh not in _KNOWN:
        reach = float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))
        weight = corner_weights(mesh.vertices, mesh.faces)
        normal = np.zeros(mesh.vertices.shape)
        vertex_normals(mesh.faces.copy(), weight, mesh.vertices.copy(), normal)
        first, quadric = shares_of(mesh, reach)
        patches = fill(
            Patches, face=mesh.faces, corner_weight=weight, vertex=mesh.vertices, normal=normal, first_quadric=first,
            quadric=quadric, coefficient=[coefficients(one.matrix) for one in mesh.quadrics],
            amplitude=[one.amplitude for one in mesh.quadrics],
        )  # fmt: skip
        surface = Surface(writable(patches), inner_edges(mesh.faces), reach, pieces_needed(mesh, first, quadric))
        check_directions(mesh, surface)
        check_folds(mesh, surface)
        check_edges(mesh, surface)
        _KNOWN[mesh] = surface
    return _KNOWN[mesh]


def writable(patches: Patches) -> Patches:
    """The same arrays, none of them read-only: a kernel has one signature."""
    return Patches(*(array if array.flags.writeable else array.copy() for array in patches))


def corner_weights(vertices, faces) -> NDArray[np.float64]:
    """Weights [1/m2] (m, 3) of vertex_normal.py: the angle of each corner over twice the area of its face."""
    corner = np.asarray(vertices)[faces]
    out, back = np.roll(corner, -1, axis=1) - corner, np.roll(corner, 1, axis=1) - corner
    across = np.linalg.norm(np.cross(out, back), axis=2)
    return np.arctan2(across, np.einsum("fci,fci->fc", out, back)) / across


def coefficients(matrix) -> list[float]:
    """The ten coefficients of perturbation.py from a symmetric matrix (4, 4)."""
    m = matrix
    return [m[0, 0], m[1, 1], m[2, 2], 2 * m[0, 1], 2 * m[0, 2], 2 * m[1, 2], 2 * m[0, 3], 2 * m[1, 3], 2 * m[2, 3], m[3, 3]]


def inner_edges(faces) -> NDArray[np.int32]:
    """Edges that two faces share, with their place in each."""
    count = np.int64(faces.max()) + 1
    start, end = faces.astype(np.int64).ravel(), np.roll(faces, -1, axis=1).astype(np.int64).ravel()
    key = np.minimum(start, end) * count + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    twin = np.flatnonzero(np.diff(key[order]) == 0)
    a, b = order[twin], order[twin + 1]
    return np.stack([a // 3, b // 3, a % 3, b % 3], axis=1).astype(np.int32)


def shares_of(mesh: PatchMesh, reach: float) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The quadrics of each face: first (m + 1,), list; those named by the mesh, or those that may reach it.

    A height is not zero only where some quadric is positive on the base triangle. Over such a face all count that may
    be positive in the ball around it, as large as the heights there can be.
    """
    if mesh.shares is not None:
        counts = [len(one) for one in mesh.shares]
        return (np.cumsum([0, *counts]).astype(np.int32), np.array([k for one in mesh.shares for k in one], np.int32))
    corner = mesh.vertices[mesh.faces]
    middle = corner.mean(axis=1)
    radius = np.linalg.norm(corner - middle[:, None], axis=2).max(axis=1)
    amplitude = np.abs([one.amplitude for one in mesh.quadrics])
    touched = most_within(mesh, middle, radius).max(axis=1, initial=0.0) > 0.0
    height = np.full(len(middle), reach)
    for _ in range(4):
        most = most_within(mesh, middle, radius + height)
        height = np.minimum(reach, np.maximum(most, 0.0) ** 3 @ amplitude)
    used = (most > 0.0) & touched[:, None]
    return np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int32), np.nonzero(used)[1].astype(np.int32)


def most_within(mesh: PatchMesh, middle, radius) -> NDArray[np.float64]:
    """A bound (m, q) from above of each quadric in balls around `middle` (m, 3) of `radius` (m,) [m]."""
    out = np.zeros((len(middle), len(mesh.quadrics)))
    for k, one in enumerate(mesh.quadrics):
        slope = 2.0 * (middle @ one.matrix[:3, :3] + one.matrix[:3, 3])
        bend = max(float(np.linalg.eigvalsh(one.matrix[:3, :3])[-1]), 0.0)
        out[:, k] = one(middle) + np.linalg.norm(slope, axis=1) * radius + bend * radius**2
    return out


def pieces_needed(mesh: PatchMesh, first, quadric) -> NDArray[np.int64]:
    """Pieces a side (m,) so that at least three points stand across the narrowest quadric of each face.

    Along the face a quadric falls from its top value by the largest curvature c across it: half as wide as sqrt(top/c).
    """
    pieces = np.ones(len(mesh.faces), int)
    owner = np.repeat(np.arange(len(mesh.faces)), np.diff(first))
    corner = mesh.vertices[mesh.faces]
    one = corner[:, 1] - corner[:, 0]
    one = one / np.linalg.norm(one, axis=1, keepdims=True)
    two = np.cross(np.cross(one, corner[:, 2] - corner[:, 0]), one)
    plane = np.stack([one, two / np.linalg.norm(two, axis=1, keepdims=True)], axis=1)
    longest = np.linalg.norm(np.roll(corner, -1, axis=1) - corner, axis=2).max(axis=1)
    for k, each in enumerate(mesh.quadrics):
        faces = owner[quadric == k]
        block, line = each.matrix[:3, :3], each.matrix[:3, 3]
        top = each.matrix[3, 3] - line @ np.linalg.pinv(block) @ line
        if not len(faces) or top <= 0.0 or np.linalg.eigvalsh(block)[-1] > 1e-12 * np.abs(block).max():
            continue  # no top: it grows without end, and cannot hide between points
        steepest = -np.linalg.eigvalsh(plane[faces] @ block @ plane[faces].transpose(0, 2, 1))[:, 0]
        wanted = 1.5 * longest[faces] * np.sqrt(np.maximum(steepest, 0.0) / top)
        if wanted.max() > NARROW:
            raise fail(mesh, f"quadric {k} is {wanted.max() / 1.5:.0f} times narrower than face {faces[wanted.argmax()]}: "
                             "cut the mesh finer there.")
        pieces[faces] = np.maximum(pieces[faces], 1 << np.ceil(np.log2(np.maximum(wanted, 1.0))).astype(int))
    return pieces


def lattice_samples(mesh: PatchMesh, surface: Surface, faces, pieces: int) -> Samples:
    """Points with heights at the corners of faces (k,) cut into `pieces` a side; faces must be sorted."""
    places = lattice(pieces)
    face = np.repeat(faces, len(places)).astype(np.int32)
    samples = samples_at(face, np.tile(places, (len(faces), 1)), np.zeros(len(face)), len(mesh.faces))
    return heights_of(surface, samples, mesh)


def samples_at(face, place, measure, face_count: int) -> Samples:
    """Points without heights yet, sorted by face."""
    order = np.argsort(face, kind="stable")
    first = np.searchsorted(face[order], np.arange(face_count + 1))
    count = len(order)
    return fill(Samples, first=first, face=face[order], place=place[order], measure=measure[order],
                height=np.zeros(count), slope=np.zeros((count, 2)))


def heights_of(surface: Surface, samples: Samples, mesh: PatchMesh) -> Samples:
    """The same points with heights; refuses, by face and place, where there is not exactly one."""
    at, reason = find_heights(surface.patches, samples, surface.reach)
    if at >= 0:
        raise height_error(mesh, surface, int(samples.face[at]), samples.place[at], reason)
    return samples


def height_error(mesh: PatchMesh, surface: Surface, face: int, place, reason: int) -> SceneError:
    """What to say of a point that has no single height."""
    corner = mesh.vertices[mesh.faces[face]]
    u, v = place
    where = ", ".join(f"{x:.4g}" for x in (1.0 - u - v) * corner[0] + u * corner[1] + v * corner[2])
    if reason == FOLDS:
        return fail(mesh, f"the relief of face {face} folds over near ({where}) m: it has no single height there. "
                          "Take a smaller amplitude, or a quadric that falls off along the normal.")
    return fail(mesh, f"the relief of face {face} has no height within {surface.reach:.3g} m near ({where}) m: "
                      "take a smaller amplitude.")


def lattice(pieces: int) -> NDArray[np.float64]:
    """Places (k, 2) of the corners of a triangle cut into `pieces` a side."""
    i, j = np.meshgrid(np.arange(pieces + 1), np.arange(pieces + 1), indexing="ij")
    inside = (i + j) <= pieces
    return np.stack([i[inside], j[inside]], axis=1) / pieces


def check_directions(mesh: PatchMesh, surface: Surface) -> None:
    """Refuse faces whose corners' normals point apart, over which no direction can be interpolated."""
    normal = surface.patches.normal[mesh.faces]
    least = np.einsum("fci,fci->fc", normal, np.roll(normal, -1, axis=1)).min(axis=1)
    if least.min() < -0.9:
        raise fail(mesh, f"face {int(least.argmin())} lies between vertices whose normals point apart: "
                         "cut the mesh finer there.")


def check_folds(mesh: PatchMesh, surface: Surface) -> None:
    """Refuse a relief that folds over, at the points of a lattice on each face."""
    shaped = np.diff(surface.patches.first_quadric) > 0
    for pieces in np.unique(surface.pieces[shaped]):
        lattice_samples(mesh, surface, np.flatnonzero(shaped & (surface.pieces == pieces)), max(LATTICE, pieces))


def check_edges(mesh: PatchMesh, surface: Surface) -> None:
    """Refuse two patches whose heights differ along their common edge: only named shares can make them so."""
    if mesh.shares is None or not len(surface.edges):
        return
    along = np.linspace(0.0, 1.0, ALONG)
    height = [edge_heights(mesh, surface, surface.edges[:, side], surface.edges[:, 2 + side], s)
              for side, s in ((0, along), (1, along[::-1]))]
    gap = np.abs(height[0] - height[1]).max(axis=1)
    worst = int(gap.argmax())
    if gap[worst] > GAP * surface.reach:
        one, two = surface.edges[worst, :2]
        raise fail(mesh, f"faces {one} and {two} disagree along their edge by {gap[worst]:.3g} m: "
                         "give both the quadrics that reach it.")


def edge_heights(mesh: PatchMesh, surface: Surface, faces, sides, along) -> NDArray[np.float64]:
    """Heights [m] (e, points) along edges of faces, from each edge's first corner in that face."""
    weight = np.zeros((len(faces), len(along), 3))
    rows = np.arange(len(faces))[:, None]
    weight[rows, np.arange(len(along)), sides[:, None]] = 1.0 - along
    weight[rows, np.arange(len(along)), (sides[:, None] + 1) % 3] = along
    face = np.repeat(faces, len(along)).astype(np.int32)
    order = np.argsort(face, kind="stable")
    samples = samples_at(face, weight.reshape(-1, 3)[:, 1:], np.zeros(len(face)), len(mesh.faces))
    heights_of(surface, samples, mesh)
    height = np.empty(len(face))
    height[order] = samples.height
    return height.reshape(len(faces), len(along))
