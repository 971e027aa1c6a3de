"""Points of patch meshes that touch bodies: a lattice over every triangle with a relief, where that stands out or bends."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...model.schema import fill
from ...model.soft_contacts import Relief, Surfaces
from ...patch.cast import points_at
from ...patch.groups import Samples
from ...patch.measure import shape_of
from ...patch.surface import Surface, heights_of, lattice, lattice_samples, samples_at, surface_of
from ...scene.patch import PatchMesh

PIECES, MOST_PIECES = 4, 16
"""A triangle is cut into so many pieces a side, or more, up to the second, where a quadric is narrow."""

FLAT = 1e-6
"""Points that stand out, and bend between them, by less than this share of the mesh's size are left to the triangle [-]."""

STEEP = 1e-3
"""Sine of the angle to the normal above which a way to a point beside is one along the surface [-]."""
STEP = 1e-4
"""Of the weights of a triangle's corners, by which tangents of a relief are differences [-]."""


def relief_of(surfaces: Surfaces, meshes: Sequence[PatchMesh | None]) -> Relief:
    """The points of all things that are made of patches; `meshes`: one a thing, whose faces are its triangles, in order;
    a thing without triangles touches nothing."""
    parts = [fill(Relief, **{name: [] for name in Relief._fields})]
    for k, mesh in enumerate(meshes):
        if mesh is not None and surfaces.first_face[k + 1] > surfaces.first_face[k]:
            part = relief_points(mesh)
            parts.append(part._replace(face=part.face + surfaces.first_face[k]))
    return fill(Relief, **{name: np.concatenate([getattr(part, name) for part in parts]) for name in Relief._fields})


def relief_points(mesh: PatchMesh) -> Relief:
    """Points of the relief of a mesh, each once, by triangle, whose number is that in the mesh."""
    surface = surface_of(mesh)
    shaped = np.diff(surface.patches.first_quadric) > 0
    pieces = np.clip(surface.pieces, PIECES, MOST_PIECES)
    parts = [_lattice_of(mesh, surface, np.flatnonzero(shaped & (pieces == count)), int(count))
             for count in np.unique(pieces[shaped])]
    if not parts:
        return fill(Relief, **{name: [] for name in Relief._fields})
    first = np.cumsum([0, *(len(part.samples.face) for part in parts)])
    one, two = (np.concatenate([part.beside[k] + at for part, at in zip(parts, first, strict=False)]) for k in range(2))
    whole = Samples(*(np.concatenate(column) for column in zip(*(part.samples for part in parts), strict=True)))
    point, normal = (np.concatenate(column) for column in zip(*(part.surface for part in parts), strict=True))
    # Neighbours share the points of an edge: the one with the smaller number keeps them.
    order = np.argsort(whole.face, kind="stable")
    weight = np.column_stack([1.0 - whole.place.sum(axis=1), whole.place])
    base = np.einsum("pc,pcx->px", weight, mesh.vertices[mesh.faces[whole.face]])[order]
    _, kept, same = np.unique(np.round(base / (1e-9 * surface.reach)).astype(np.int64), axis=0, return_index=True,
                              return_inverse=True)
    number = np.empty(len(order), np.int64)
    number[order], kept = same.ravel(), order[kept]
    bent, reach = _bends(number[one], number[two], point[kept], normal[kept], point[two] - point[one],
                         normal[two] - normal[one])
    curve = np.linalg.eigvalsh(bent)[:, -1]
    stands = np.maximum(np.abs(whole.height[kept]), np.abs(curve) * reach**2) > FLAT * surface.reach
    some = np.flatnonzero(stands)[np.argsort(kept[stands])]
    some = some[np.argsort(whole.face[kept[some]], kind="stable")]
    at = kept[some]
    tangent = _tangents(mesh, surface, whole.face[at], whole.place[at])
    form = np.einsum("pux,pxy,pvy->puv", tangent, bent[some], tangent).reshape(-1, 4)[:, [0, 1, 3]]
    return fill(Relief, face=whole.face[at], weight=weight[at], height=whole.height[at], slope=whole.slope[at], form=form,
                curve=curve[some], reach=reach[some], opens=_opening(mesh)[whole.face[at]])


def _opening(mesh: PatchMesh) -> np.ndarray:
    """How the normals of the vertices open outwards along the sides of faces [1/m] (m,), as `opening` has it, at rest."""
    shape = shape_of(mesh)
    way, turned = (np.roll(one[mesh.faces], -1, axis=1) - one[mesh.faces] for one in (shape.position, shape.normal))
    return (way * turned).sum(axis=(1, 2)) / (way**2).sum(axis=(1, 2))


class _Lattice(NamedTuple):
    """Points of some triangles, with the surface there (places and normals), and which lie beside each other."""

    samples: Samples
    surface: tuple[np.ndarray, np.ndarray]
    beside: tuple[np.ndarray, np.ndarray]


def _lattice_of(mesh: PatchMesh, surface: Surface, faces: np.ndarray, count: int) -> _Lattice:
    """The points of some faces, each cut into `count` pieces a side."""
    samples = lattice_samples(mesh, surface, faces, count)
    step = np.round(lattice(count) * count).astype(np.int64)
    apart = step[None] - step[:, None]
    code = np.where(np.abs(apart).max(axis=2) <= 1, 3 * apart[..., 0] + apart[..., 1], 0)
    ends = np.nonzero((code > 0) & (code < 4))  # (0, 1), (1, -1) and (1, 0)
    first = len(step) * np.arange(len(faces))[:, None]
    one, two = ((first + end).ravel() for end in ends)
    return _Lattice(samples, points_at(surface, shape_of(mesh), samples), (one, two))


def _bends(one: np.ndarray, two: np.ndarray, point: np.ndarray, normal: np.ndarray, way: np.ndarray,
           turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How the outward normal turns at points [1/m] (n, 3, 3), in their tangent planes, and how far it does so [m] (n,), by ways
    [m] (e, 3) between points `one` and `two` (e,) along which it is `turned` (e, 3); along none of these less than so."""
    count = len(point)
    ends, ways = np.concatenate([one, two]), np.concatenate([way, -way])
    across = np.cross(normal, np.where(np.abs(normal[:, :1]) < 0.5, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]))
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    frame = np.stack([across, np.cross(normal, across)], axis=1)
    flat = np.einsum("edx,ex->ed", frame[ends], ways)
    square = (ways**2).sum(axis=1)
    bend = np.tile((way * turned).sum(axis=1) / square[:len(way)], 2)
    size = np.linalg.norm(flat, axis=1)
    level = size > STEEP * np.sqrt(np.tile(square[:len(way)], 2))  # what stands on edge beside a point says nothing of it
    bend = np.where(level, bend, 0.0)
    x, y = np.where(level, flat.T / np.where(level, size, 1.0), 0.0)
    known = np.stack([x * x, 2.0 * x * y, y * y], axis=1)
    matrix, right, most, far = np.zeros((count, 3, 3)), np.zeros((count, 3)), np.full(count, -np.inf), np.zeros(count)
    np.add.at(matrix, ends, known[:, :, None] * known[:, None])
    np.add.at(right, ends, known * bend[:, None])
    found = np.einsum("nij,nj->ni", np.linalg.pinv(matrix, rcond=1e-6, hermitian=True), right)
    np.maximum.at(most, ends, np.where(level, bend - (known * found[ends]).sum(axis=1), -np.inf))
    most = np.where(np.isfinite(most), most, 0.0)
    np.maximum.at(far, ends, square)
    tensor = np.stack([found[:, [0, 1]], found[:, [1, 2]]], axis=1) + most[:, None, None] * np.eye(2)
    return np.einsum("nax,nab,nby->nxy", frame, tensor, frame), np.sqrt(far / 3.0)


def _tangents(mesh: PatchMesh, surface: Surface, face: np.ndarray, place: np.ndarray) -> np.ndarray:
    """S_u and S_v [m] (p, 2, 3) at places (p, 2) of faces (p,), ascending, at rest."""
    tangent = np.zeros((len(face), 2, 3))
    for k, way in enumerate(STEP * np.eye(2)):
        ends = [samples_at(face, place + side * way, np.zeros(len(face)), len(mesh.faces)) for side in (1.0, -1.0)]
        p, q = (points_at(surface, shape_of(mesh), heights_of(surface, end, mesh))[0] for end in ends)
        tangent[:, k] = (p - q) / (2.0 * STEP)
    return tangent
