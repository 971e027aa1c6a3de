"""Points of patch meshes that touch bodies: a lattice over every triangle with a relief, where that stands out or bends."""

from collections.abc import Sequence

import numpy as np

from ...model.schema import fill
from ...model.soft_contacts import Relief, Surfaces
from ...patch.cast import points_at
from ...patch.measure import shape_of
from ...patch.surface import Surface, lattice, lattice_samples, surface_of
from ...scene.patch import PatchMesh

PIECES, MOST_PIECES = 4, 16
"""A triangle is cut into so many pieces a side, or more, up to the second, where a quadric is narrow."""

FLAT = 1e-6
"""Points that stand out, and bend between them, by less than this share of the mesh's size are left to the triangle [-]."""


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
    whole = Relief(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    whole = Relief(*(column[np.argsort(whole.face, kind="stable")] for column in whole))
    # Neighbours share the points of an edge: the one with the smaller number keeps them, with what bends most beside them.
    base = np.einsum("pc,pcx->px", whole.weight, mesh.vertices[mesh.faces[whole.face]])
    _, first, same = np.unique(np.round(base / (1e-9 * surface.reach)).astype(np.int64), axis=0, return_index=True,
                               return_inverse=True)
    curve, reach = np.full(len(first), -np.inf), np.zeros(len(first))
    np.maximum.at(curve, same.ravel(), whole.curve)
    np.maximum.at(reach, same.ravel(), whole.reach)
    whole = whole._replace(curve=curve[same.ravel()], reach=reach[same.ravel()])
    kept = np.sort(first)
    stands = np.maximum(np.abs(whole.height), np.abs(whole.curve) * whole.reach**2)[kept] > FLAT * surface.reach
    return fill(Relief, **{name: getattr(whole, name)[kept[stands]] for name in Relief._fields})


def _lattice_of(mesh: PatchMesh, surface: Surface, faces: np.ndarray, count: int) -> Relief:
    """The points of some faces, each cut into `count` pieces a side."""
    samples = lattice_samples(mesh, surface, faces, count)
    point, normal = (one.reshape(len(faces), -1, 3).swapaxes(0, 1) for one in points_at(surface, shape_of(mesh), samples))
    one, two = _beside(count)
    way = point[two] - point[one]
    square = np.einsum("efx,efx->ef", way, way)
    bend = np.einsum("efx,efx->ef", way, normal[two] - normal[one]) / square
    curve, longest = np.full(point.shape[:2], -np.inf), np.zeros(point.shape[:2])
    for end in (one, two):
        np.maximum.at(curve, end, bend)
        np.maximum.at(longest, end, square)
    place = samples.place
    return Relief(samples.face, np.column_stack([1.0 - place.sum(axis=1), place]), samples.height, samples.slope,
                  curve.T.ravel(), np.sqrt(longest.T / 3.0).ravel())


def _beside(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of a lattice of `count` pieces a side that lie beside each other, as two lists of ends."""
    step = np.round(lattice(count) * count).astype(np.int64)
    apart = step[None] - step[:, None]
    code = np.where(np.abs(apart).max(axis=2) <= 1, 3 * apart[..., 0] + apart[..., 1], 0)
    one, two = np.nonzero((code > 0) & (code < 4))  # (0, 1), (1, -1) and (1, 0)
    return one, two
