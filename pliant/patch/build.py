"""Patch meshes from triangle meshes, from single patches, and a ball."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scene.cloth import Sheet
from ..scene.errors import SceneError, fail, mesh_name, shown
from ..scene.patch import FreeFormPatch, PatchMesh, Quadric
from ..scene.shape import Mesh
from .surface import surface_of

BASE = 0.95
"""Radius of the vertices under a ball of radius 1 [-]: low enough that the relief is nowhere thin."""
STEEP = 1e9
"""Amplitude of a ball's quadric in radii [-]: the surface follows the quadric's zero to about STEEP^(-1/3)/10."""


def triangle_mesh(source: Any) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices (n, 3) [m] and faces (m, 3) from a Sheet, a Mesh, a file that trimesh reads, a trimesh, or a pair of arrays.

    Equal vertices are one; faces turned against their neighbours are turned round.
    """
    import trimesh

    if isinstance(source, Sheet):
        return source.triangles()
    if isinstance(source, Mesh):
        vertices, faces = triangle_mesh(source.source)
        mirrored = np.prod(np.broadcast_to(source.scale, 3)) < 0.0
        return np.multiply(source.scale, vertices), np.ascontiguousarray(faces[:, ::-1]) if mirrored else faces
    name = mesh_name(source)
    mesh: Any  # trimesh declares only the base of what it loads
    if isinstance(source, (str, Path)):
        if not os.path.isfile(source):
            raise SceneError(f"{name} is not there: give the path of an existing file.")
        try:
            mesh = trimesh.load(source, force="mesh", process=False)
        except Exception as error:  # readers of many formats raise many kinds
            raise SceneError(f"{name} cannot be read ({error}): export it as STL, OBJ or PLY.") from error
        if not len(mesh.faces):
            raise SceneError(f"{name} holds no triangles: export it as STL, OBJ or PLY, with its faces.")
    elif isinstance(source, trimesh.Trimesh):
        mesh = source.copy()
    else:
        if not isinstance(source, (list, tuple)) or len(source) != 2:
            raise fail(PatchMesh, f"the mesh is {shown(source)}; it must be a Sheet, a Mesh, a file, a trimesh, or (vertices, "
                                  "faces).")
        plain = PatchMesh(*source)  # the noun says what is wrong with arrays
        mesh = trimesh.Trimesh(plain.vertices, plain.faces, process=False)
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    if not mesh.is_winding_consistent:
        trimesh.repair.fix_winding(mesh)
    if mesh.is_watertight and mesh.volume < 0.0:
        mesh.invert()
    return np.array(mesh.vertices, float), np.array(mesh.faces, np.int32)


def joined(patches: Sequence[FreeFormPatch]) -> PatchMesh:
    """A mesh of patches whose corners meet; corners nearer than a billionth of the mesh's size are one."""
    if not isinstance(patches, (list, tuple)) or not patches or not all(isinstance(one, FreeFormPatch) for one in patches):
        raise fail(PatchMesh, f"patches is {shown(patches)}; it must be a list of FreeFormPatch.")
    solid = [one.apex is not None for one in patches]
    if any(solid) and not all(solid):
        raise fail(PatchMesh, f"patch {solid.index(False)} has no apex though others have: give all of them one, or none.")
    corners = np.concatenate([one.triangle for one in patches] + [[one.apex] for one in patches if one.apex is not None])
    vertices, number = merged(corners)
    count = len(patches)
    faces = number[: 3 * count].reshape(-1, 3)
    cells = np.column_stack([number[3 * count :], faces]) if all(solid) else None
    known: dict[bytes, int] = {}
    quadrics: list[Quadric] = []
    shares = []
    for one in patches:
        share = []
        for quadric in one.quadrics:
            key = quadric.matrix.tobytes() + np.float64(quadric.amplitude).tobytes()
            if key not in known:
                known[key] = len(quadrics)
                quadrics.append(quadric)
            share.append(known[key])
        shares.append(tuple(sorted(share)))  # one order of summing on both sides of an edge
    mesh = PatchMesh(vertices, faces, tuple(quadrics), tuple(shares), cells)
    surface_of(mesh)
    return mesh


def merged(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The different ones among points (n, 3) [m], in order of appearance, and the number of each point among them."""
    from scipy.spatial import cKDTree

    near = cKDTree(points).query_pairs(1e-9 * float(np.ptp(points, axis=0).max()), output_type="ndarray")
    leader = np.arange(len(points))
    for a, b in near[np.lexsort((near[:, 1], near[:, 0]))]:
        leader[b] = min(leader[b], leader[a])
    kept, number = np.unique(leader, return_inverse=True)
    return points[kept], number.astype(np.int32)


def ball(radius: float, patches: int) -> PatchMesh:
    """A ball: an icosahedron, cut finer or not, inside the sphere, and one quadric, zero just outside it.

    Over a vertex direction the surface solves t = a q^3, q = 1 - |x|^2/s^2; for a large amplitude a the root lies near
    q = 0, a little inside by (t/a)^(1/3): the more patches, the less t varies, and the less the surface leaves a sphere.
    """
    import trimesh

    levels = {20 * 4**k: k for k in range(6)}
    if isinstance(patches, bool) or not isinstance(patches, (int, np.integer)) or patches not in levels:
        raise fail(PatchMesh, f"patches is {shown(patches)}; a ball has {', '.join(map(str, levels))}.")
    mesh: Any = trimesh.creation.icosphere(levels[patches])
    vertices, faces = np.array(mesh.vertices, float), np.array(mesh.faces, np.int32)
    vertices *= BASE * radius / np.linalg.norm(vertices, axis=1, keepdims=True)
    lowest = float(np.linalg.norm(vertices[faces].mean(axis=1), axis=1).min())
    shrink = [np.sqrt(1.0 - ((radius - base) / (STEEP * radius)) ** (1.0 / 3.0)) for base in (BASE * radius, lowest)]
    edge = 2.0 * radius / sum(shrink)
    quadric = Quadric.ellipsoid((0.0, 0.0, 0.0), (edge, edge, edge), STEEP * radius)
    return filled(PatchMesh(vertices, faces, (quadric,)))


def filled(mesh: PatchMesh) -> PatchMesh:
    """The same mesh with a cell under each face, to a vertex in the middle; for bodies that can be seen whole from it."""
    if mesh.cells is not None:
        return mesh
    from .measure import check_closed

    check_closed(mesh)
    middle = mesh.vertices.mean(axis=0)
    corner = mesh.vertices[mesh.faces] - middle
    hidden = np.flatnonzero(np.linalg.det(corner) <= 1e-9 * np.ptp(mesh.vertices, axis=0).max() ** 3)
    if len(hidden):
        raise fail(mesh, f"face {hidden[0]} cannot be seen from the middle ({len(hidden)} such faces): give cells.")
    cells = np.column_stack([np.full(len(mesh.faces), len(mesh.vertices)), mesh.faces])
    return PatchMesh(np.vstack([mesh.vertices, middle]), mesh.faces, mesh.quadrics, mesh.shares, cells)
