"""Points of patch meshes that touch bodies: a lattice over every triangle with a relief, where that stands out."""

from collections.abc import Sequence

import numpy as np

from ...model.schema import fill
from ...model.soft_contacts import Relief, Surfaces
from ...patch.surface import lattice_samples, surface_of
from ...scene.patch import PatchMesh

PIECES, MOST_PIECES = 4, 16
"""A triangle is cut into so many pieces a side, or more, up to the second, where a quadric is narrow."""

FLAT = 1e-6
"""Points that stand out less than this share of the mesh's size are left to the triangle itself [-]."""


def relief_of(surfaces: Surfaces, meshes: Sequence[PatchMesh | None]) -> Relief:
    """The points of all things that are made of patches; `meshes`: one a thing, whose faces are its triangles, in order;
    a thing without triangles touches nothing."""
    face, weight, height = [np.zeros(0, int)], [np.zeros((0, 3))], [np.zeros(0)]
    for k, mesh in enumerate(meshes):
        if mesh is not None and surfaces.first_face[k + 1] > surfaces.first_face[k]:
            f, w, h = relief_points(mesh)
            face.append(f + surfaces.first_face[k])
            weight.append(w)
            height.append(h)
    return fill(Relief, face=np.concatenate(face), weight=np.concatenate(weight), height=np.concatenate(height))


def relief_points(mesh: PatchMesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangle (p,), weights of its corners (p, 3) and height [m] (p,) of points of the relief, each once, by triangle."""
    surface = surface_of(mesh)
    shaped = np.diff(surface.patches.first_quadric) > 0
    pieces = np.clip(surface.pieces, PIECES, MOST_PIECES)
    face, place, height = [np.zeros(0, int)], [np.zeros((0, 2))], [np.zeros(0)]
    for count in np.unique(pieces[shaped]):
        samples = lattice_samples(mesh, surface, np.flatnonzero(shaped & (pieces == count)), int(count))
        face.append(samples.face)
        place.append(samples.place)
        height.append(samples.height)
    f, p, h = np.concatenate(face), np.concatenate(place), np.concatenate(height)
    w = np.column_stack([1.0 - p.sum(axis=1), p])
    # Neighbours share the points of an edge: the one with the smaller number keeps them.
    order = np.argsort(f, kind="stable")
    base = np.einsum("pc,pcx->px", w, mesh.vertices[mesh.faces[f]])[order]
    _, first = np.unique(np.round(base / (1e-9 * surface.reach)).astype(np.int64), axis=0, return_index=True)
    kept = order[np.sort(first)]
    kept = kept[np.abs(h[kept]) > FLAT * surface.reach]
    return f[kept], w[kept], h[kept]
