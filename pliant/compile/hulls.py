"""Convex hulls, height fields and mesh files as the flat arrays that collision reads."""

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.schema import fill
from ..model.shapes import Fields, Hulls
from ..scene.errors import SceneError, mesh_name
from .mass_properties import fan, polyhedron

FLAT = 1e-6
"""Triangles whose corners leave a common plane by less than this share of the hull's size are one face [-]."""

KEPT = 64
"""Meshes that are kept for bodies that share them."""

_loaded: dict[tuple, "LoadedMesh"] = {}

FULL = 1e-4
"""A mesh that lacks less than this share of its hull's volume is convex [-]."""


class Polyhedron(NamedTuple):
    """A convex polyhedron."""

    vertices: NDArray[np.float64]
    """[m] (n, 3)"""
    faces: tuple[tuple[int, ...], ...]
    """Corners of each polygon, counter-clockwise from outside."""
    planes: NDArray[np.float64]
    """Outward unit normal and offset [m] of each face (m, 4): n.x = offset."""


class LoadedMesh(NamedTuple):
    """A closed mesh and what collision takes of it."""

    vertices: NDArray[np.float64]
    """[m] (n, 3)"""
    triangles: NDArray[np.int64]
    """(m, 3), counter-clockwise from outside"""
    hull: Polyhedron
    convex: bool
    """False: the hull is larger than the mesh, which the user should be told."""
    closed: bool = True
    """False: it has no inside that could be weighed."""


def convex_hull(points: ArrayLike, name: str = "the mesh") -> Polyhedron:
    """The hull of points (n, 3) [m], with coplanar triangles merged into polygons."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.asarray(points, float)
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        raise SceneError(f"{name} has no volume: give at least four points that are not in one plane.") from None
    used = np.sort(hull.vertices)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    vertices = points[used]
    triangles = _outward(vertices, number[hull.simplices], hull.equations[:, :3])
    faces = _merge(vertices, triangles, hull.neighbors)
    return Polyhedron(vertices, faces, _planes(vertices, faces))


def pack_hulls(hulls: Sequence[Polyhedron]) -> Hulls:
    """The group that collision reads; hull k of the list has number k."""
    shifts = np.cumsum([0, *(len(hull.vertices) for hull in hulls)])
    faces = [[c + shift for c in face] for hull, shift in zip(hulls, shifts, strict=False) for face in hull.faces]
    return fill(
        Hulls,
        first_vertex=shifts,
        first_face=np.cumsum([0, *(len(hull.faces) for hull in hulls)]),
        vertex=np.concatenate([hull.vertices for hull in hulls]) if hulls else [],
        first_corner=np.cumsum([0, *(len(face) for face in faces)]),
        corner=[corner for face in faces for corner in face],
        plane=np.concatenate([hull.planes for hull in hulls]) if hulls else [],
    )


def pack_fields(heights: Sequence[ArrayLike]) -> Fields:
    """The group that collision reads from tables of heights (nx, ny) [m]; field k of the list has number k."""
    tables = [np.asarray(table, float) for table in heights]
    return fill(
        Fields,
        first_height=np.cumsum([0, *(table.size for table in tables)]),
        cells=[table.shape for table in tables],
        height=np.concatenate([table.ravel() for table in tables]) if tables else [],
    )


def field_triangles(heights: ArrayLike, size: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices (n, 3) [m] and triangles (m, 3) of a height field, as collision sees it: each cell is cut from its
    corner of least x and y to the opposite one."""
    heights = np.asarray(heights, float)
    nx, ny = heights.shape
    x, y = np.linspace(-0.5 * size[0], 0.5 * size[0], nx), np.linspace(-0.5 * size[1], 0.5 * size[1], ny)
    vertices = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij")
    corner = (i * ny + j).ravel()
    right = np.stack([corner, corner + ny, corner + ny + 1], axis=1)
    left = np.stack([corner, corner + ny + 1, corner + 1], axis=1)
    return vertices, np.stack([right, left], axis=1).reshape(-1, 3)


def load_mesh(source: str | Path | tuple, scale: float | tuple[float, ...] = 1.0, may_be_open: bool = False) -> LoadedMesh:
    """A closed mesh from a file that trimesh reads, or from (vertices (n, 3), triangles (m, 3)), times `scale`.

    It may be open where nobody needs to know what it weighs: it then touches as its hull. The last KEPT meshes are kept, so
    that what many bodies share is read once; nobody may write to them."""
    key = _identity(source), str(scale)
    if key not in _loaded:
        mesh = _read_mesh(source, scale, may_be_open)
        for array in (mesh.vertices, mesh.triangles, mesh.hull.vertices, mesh.hull.planes):
            array.setflags(write=False)
        while len(_loaded) >= KEPT:
            _loaded.pop(next(iter(_loaded)))
        _loaded[key] = mesh
    if not _loaded[key].closed and not may_be_open:
        raise _not_closed(mesh_name(source))
    return _loaded[key]


def _identity(source: str | Path | tuple) -> tuple:
    """What a mesh is told from others by: the file as it is now, or all its numbers."""
    if isinstance(source, (str, Path)):
        if not os.path.isfile(source):
            raise SceneError(f"{mesh_name(source)} is not there: give the path of an existing file.")
        file = os.stat(source)
        return os.path.abspath(source), file.st_mtime_ns, file.st_size
    arrays = [np.ascontiguousarray(one) for one in source]
    return tuple((one.shape, str(one.dtype), sha256(one.tobytes()).digest()) for one in arrays)


def _not_closed(name: str) -> SceneError:
    return SceneError(f"{name} is not closed: fill its holes, or use its convex parts as separate shapes.")


def _read_mesh(source: str | Path | tuple, scale: float | tuple[float, ...], may_be_open: bool) -> LoadedMesh:
    import trimesh

    mesh: Any  # trimesh declares only the base of what it loads
    name = mesh_name(source)
    if isinstance(source, (str, Path)):
        try:
            mesh = trimesh.load(source, force="mesh")
        except Exception as error:  # readers of many formats raise many kinds
            raise SceneError(f"{name} cannot be read ({error}): export it as STL, OBJ or PLY.") from error
        if not len(mesh.faces):
            raise SceneError(f"{name} holds no triangles: export it as STL, OBJ or PLY, with its faces.")
    else:
        mesh = trimesh.Trimesh(*source)
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    if not mesh.is_watertight and may_be_open:
        vertices = np.multiply(scale, mesh.vertices)
        return LoadedMesh(vertices, np.array(mesh.faces, np.int64), convex_hull(vertices, name), True, False)
    if not mesh.is_watertight:
        raise _not_closed(name)
    if not mesh.is_winding_consistent:
        mesh.fix_normals()
    if not mesh.is_winding_consistent:
        raise SceneError(f"{name} has triangles turned against their neighbours: recompute its normals.")
    vertices, triangles = np.multiply(scale, mesh.vertices), np.array(mesh.faces, np.int64)
    hull = convex_hull(vertices, name)
    volume = polyhedron(vertices, triangles).mass
    if volume < 0.0:
        triangles, volume = triangles[:, ::-1].copy(), -volume
    return LoadedMesh(vertices, triangles, hull, volume > (1.0 - FULL) * hull_volume(hull))


def hull_volume(hull: Polyhedron) -> float:
    """[m3]"""
    return polyhedron(hull.vertices, fan(hull.faces)).mass


def _outward(vertices, triangles, normals):
    """The triangles turned so that they run counter-clockwise seen from the side of their normals."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    flip = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals) < 0.0
    triangles = triangles.copy()
    triangles[flip] = triangles[flip][:, ::-1]
    return triangles


def _merge(vertices, triangles, neighbours) -> tuple[tuple[int, ...], ...]:
    """Polygons of the triangles that lie in one plane, grown from the largest triangle of each plane."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    area = np.linalg.norm(cross, axis=1)
    tolerance = FLAT * np.ptp(vertices, axis=0).max()
    face_of = np.full(len(triangles), -1)
    faces: list[tuple[int, ...]] = []
    normals = cross / np.maximum(area, 1e-300)[:, None]
    off = np.einsum("tkcj,tj->tkc", vertices[triangles[neighbours]] - a[:, None, None], normals)
    level = (np.abs(off).max(axis=2) < 1.001 * tolerance).any(axis=1)  # the others are faces alone, whatever rounding says
    turned = np.take_along_axis(triangles, (triangles.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1).tolist()
    for seed in np.lexsort((np.arange(len(area)), -np.round(area / area.max(), 9))):
        if face_of[seed] >= 0:
            continue
        normal = cross[seed] / area[seed]
        face_of[seed] = len(faces)
        if not level[seed]:
            faces.append(tuple(turned[seed]))
            continue
        group, queue = [seed], [seed]
        while queue:
            for near in sorted(neighbours[queue.pop()]):
                away = np.abs((vertices[triangles[near]] - a[seed]) @ normal).max()
                if face_of[near] < 0 and away < tolerance and cross[near] @ normal >= 0.0:
                    face_of[near] = len(faces)
                    group.append(near)
                    queue.append(near)
        faces.append(_outline(triangles[group]))
    return tuple(sorted(faces))


def _outline(triangles) -> tuple[int, ...]:
    """The border of some connected triangles, counter-clockwise, from its smallest vertex."""
    edges = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    following = {i: j for i, j in edges if (j, i) not in edges}
    start = min(following)
    loop, here = [start], following[start]
    while here != start:
        loop.append(here)
        here = following[here]
    return tuple(loop)


def _planes(vertices, faces):
    """Newell's normal of each polygon, and the offset that leaves none of its corners outside (m, 4)."""
    planes = np.empty((len(faces), 4))
    counts = np.array([len(face) for face in faces])
    for count in np.unique(counts):
        some = np.flatnonzero(counts == count)
        corners = vertices[np.array([faces[k] for k in some])]
        arms = corners - corners.mean(axis=1, keepdims=True)
        normal = np.cross(arms, np.roll(arms, -1, axis=1)).sum(axis=1)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        planes[some] = np.c_[normal, np.einsum("fcj,fj->fc", corners, normal).max(axis=1)]
    return planes
