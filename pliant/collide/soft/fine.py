"""Surfaces that follow the relief of patches in small triangles, by which soft things meet each other, and their scratch."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...model.bodies import Motion
from ...model.schema import allocate, fill
from ...model.shapes import Excluded
from ...model.soft_contacts import Fine, Surfaces
from ...patch.cast import points_at
from ...patch.measure import shape_of
from ...patch.surface import corner_weights, heights_of, samples_at, surface_of
from ...patch.tessellate import Tessellation, tessellate
from ...scene.patch import PatchMesh
from .relief import FLAT
from .work import Boxes, Skin, boxes_of, skin_of

FOLLOWS = 0.04
"""How far the small triangles may be from the relief, as a share of the mean edge of the patches [-]: two to four along a side.
Over each the relief is taken for a parabola. Where many more than vertices can answer for are pressed flat they contradict each
other: of five balls of jelly in a heap, with half as much, energy rose by a third."""


class FineSurfaces(NamedTuple):
    """What soft things meet each other by, where some have a relief."""

    surfaces: Surfaces
    fine: Fine
    rest: np.ndarray
    """Movers and small corners [m] (n + p, 3): those of a thing beside each other as at rest."""
    skin: Skin


class FineWork(NamedTuple):
    """Scratch for these in one detector."""

    excluded: Excluded
    motion: Motion
    skin: Skin
    boxes: Boxes


def fine_of(surfaces: Surfaces, meshes: Sequence[PatchMesh | None], rest: np.ndarray) -> FineSurfaces | None:
    """Surfaces in which things made of patches (`meshes`: one a thing, or none) follow their relief; None: there is no relief.

    rest: where the movers were when the things were at rest [m] (n, 3).
    """
    made = [_triangles_of(surfaces, k, mesh) for k, mesh in enumerate(meshes)]
    if not any(made):
        return None
    made += [None] * (len(surfaces.closed) - len(made))
    pieces: list[_Piece] = []
    for k, one in enumerate(made):
        count = len(rest) + sum(len(piece.places) for piece in pieces)
        pieces.append(_bare(surfaces, k) if one is None else _followed(one, surfaces.first_face[k], count))
    whole = _Piece(*(np.concatenate(column) for column in zip(*pieces, strict=True)))
    firsts = {f"first_{name}": np.cumsum([0, *(len(getattr(piece, name)) for piece in pieces)]).astype(np.int32)
              for name in ("node", "face", "edge")}
    small = surfaces._replace(node=whole.node.astype(np.int32), face=whole.face.astype(np.int32),
                              edge=whole.edge.astype(np.int32), **firsts)
    rests, carried = np.concatenate([rest, whole.places]), whole.carried
    curve, reach = _curved(small, rests, whole.rise_edge)
    fine = fill(Fine, face=carried[:, 0], weight=carried[:, 1:4], height=carried[:, 4], under=whole.under,
                under_edge=whole.under_edge, rise=whole.rise, rise_edge=whole.rise_edge, curve=curve[len(rest):],
                reach=reach[len(rest):])
    # a vertex may be nearer to the relief than to its triangle, and the relief around that vertex nearer still: 1 + 4/3 + 4/3
    skin = skin_of(small, rests)._replace(bulge=4.0 * np.abs(fine.rise).max(axis=1),
                                          corner_weight=corner_weights(rests, small.face))
    return FineSurfaces(small, fine, rests, skin)


class _Piece(NamedTuple):
    """What one thing is met by: as in `Surfaces` and `Fine`; `carried`: patch, weights and height of each of its `places`."""

    node: np.ndarray
    face: np.ndarray
    edge: np.ndarray
    under: np.ndarray
    under_edge: np.ndarray
    rise: np.ndarray
    rise_edge: np.ndarray
    places: np.ndarray
    carried: np.ndarray


def _bare(surfaces: Surfaces, k: int) -> _Piece:
    """Thing `k` with its own triangles."""
    face = surfaces.face[surfaces.first_face[k]:surfaces.first_face[k + 1]]
    edge = surfaces.edge[surfaces.first_edge[k]:surfaces.first_edge[k + 1]]
    return _Piece(surfaces.node[surfaces.first_node[k]:surfaces.first_node[k + 1]], face, edge, np.full(len(face), -1),
                  np.full(len(edge), -1), np.zeros((len(face), 3)), np.zeros(len(edge)), np.zeros((0, 3)), np.zeros((0, 5)))


def _followed(one: Tessellation, base: int, count: int) -> _Piece:
    """A thing with the small triangles of its relief: its first patch is number `base`, its first small corner `count`."""
    sides = np.sort(np.stack([one.triangles, np.roll(one.triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    edge, first = np.unique(sides, axis=0, return_index=True)
    under, rise, at = one.face + base, _rise(one), np.unique(one.vertex, return_index=True)[1]
    place = one.samples.place[at]
    carried = np.column_stack([one.samples.face[at] + base, 1.0 - place.sum(axis=1), place, one.samples.height[at]])
    return _Piece(np.arange(len(one.vertices)) + count, one.triangles + count, edge + count, under, under[first // 3], rise,
                  rise.ravel()[first], one.vertices, carried)


def _curved(small: Surfaces, rests: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much the relief bends at corners [1/m] (n,), and how far it goes on so [m] (n,): by its rise over edges, `high`."""
    square = ((rests[small.edge[:, 1]] - rests[small.edge[:, 0]]) ** 2).sum(axis=1)
    top, curve = np.zeros((2, len(rests)))
    for end in small.edge.T:
        np.maximum.at(top, end, high)
        np.maximum.at(curve, end, 8.0 * high / square)
    return curve, np.sqrt(8.0 / 3.0 * top / np.maximum(curve, 1e-300))


def _triangles_of(surfaces: Surfaces, k: int, mesh: PatchMesh | None) -> Tessellation | None:
    """Small triangles that follow the relief of thing `k`; None where it has none, or touches nothing."""
    edge = slice(surfaces.first_edge[k], surfaces.first_edge[k + 1])
    if mesh is None or edge.start == edge.stop:
        return None
    corner = mesh.vertices[mesh.faces]
    length = np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean()
    made = tessellate(mesh, FOLLOWS * float(length))
    return made if np.abs(made.samples.height).max() > FLAT * surface_of(mesh).reach else None


def _rise(made: Tessellation) -> np.ndarray:
    """How high [m] (j, 3) the relief is over the middle of the side after each corner of small triangles, at rest."""
    count = np.int64(len(made.vertices))
    known = made.samples.face * count + made.vertex
    order = np.argsort(known)
    at = order[np.searchsorted(known[order], made.face[:, None] * count + made.triangles)]
    place = made.samples.place[at]
    middle = (0.5 * (place + np.roll(place, -1, axis=1))).reshape(-1, 2)
    face = np.repeat(made.face, 3)
    order = np.argsort(face, kind="stable")
    surface = surface_of(made.mesh)
    samples = heights_of(surface, samples_at(face, middle, np.zeros(len(face)), len(made.mesh.faces)), made.mesh)
    point = np.empty((len(face), 3))
    point[order] = points_at(surface, shape_of(made.mesh), samples)[0]
    corner = made.vertices[made.triangles]
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    up = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    return np.einsum("jcx,jx->jc", point.reshape(-1, 3, 3) - 0.5 * (corner + np.roll(corner, -1, axis=1)), up)


def fine_work(small: FineSurfaces, base: Surfaces, excluded: Excluded) -> FineWork:
    """Scratch for such surfaces; `base`: those of the patches themselves, whose vertices `excluded` names."""
    count = len(small.rest)
    return FineWork(_excluded(small.fine, base, excluded, count), allocate(Motion, count), small.skin,
                    boxes_of(small.skin, count))


def _excluded(fine: Fine, base: Surfaces, excluded: Excluded, count: int) -> Excluded:
    """The pairs that never touch, with the corners of small triangles: all over patches that have a vertex of a pair."""
    one, two = excluded.pair >> 32, excluded.pair & 0xFFFFFFFF
    movers = count - len(fine.face)
    around: dict[int, list[int]] = {}
    named = np.zeros(movers, bool)
    named[one], named[two] = True, True
    for corner, face in enumerate(fine.face):
        for v in base.face[face]:
            if named[v]:
                around.setdefault(int(v), []).append(movers + corner)
    more = [excluded.pair]
    for a, b in zip(one.tolist(), two.tolist(), strict=True):
        if a in around or b in around:
            i, j = (grid.ravel() for grid in np.meshgrid(around.get(a, [a]), around.get(b, [b])))
            more.append((np.minimum(i, j).astype(np.int64) << 32) + np.maximum(i, j))
    return excluded._replace(pair=np.unique(np.concatenate(more)))
