"""What the collision passes of cloth and solids know beforehand, and their scratch.

A thing's triangles lie in the leaves of a tree, four children a node, whose shape is settled once, by where the triangles are
at rest: neighbours stay neighbours however the thing is bent. Each vertex and each edge belongs to one triangle that has it,
so that a walk over triangles meets each of them once.
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from ...model.schema import Array, allocate, fill, index, real
from ...model.shapes import BOX, FIELD, HULL, Fields, Hulls, Shapes
from ...model.soft_contacts import CLOSED, Relief, Surfaces
from ...patch.surface import corner_weights

SLOP = 0.005
"""Gap below which what rests already gets contacts, at most [m]; as between bodies."""

INSIDE = 0.5
"""How deep in a solid vertices of others are still pushed out, as a share of the mean edge [-]."""

SLOP_OF_EDGE, SLOP_OF_OFFSET = 0.05, 0.2
"""The same as shares of the mean edge and of half the thickness [-]: small beside what the mesh resolves, so that contacts
of rest have the normals they will have when they touch, and more than gravity moves in a step."""

LEVELS = 16
FLAT_LEVELS = 3
"""Boxes up to this level may be found flat together with their neighbours, and so free of contacts among themselves."""

Rest: TypeAlias = Annotated[Array, real("n 3", "m", "where the movers were when the things were at rest, world frame")]


class Skin(NamedTuple):
    """Trees over the triangles of all things, in the order of the things; never changes."""

    order: Annotated[Array, index("f", "the triangle in each leaf")]
    level: Annotated[Array, index("t 17", "of each thing: row of the first box of each level; level 0 are the leaves")]
    depth: Annotated[Array, index("t", "its highest level, a single box")]
    first_node: Annotated[Array, index("l", "leaf i owns vertices first_node[i] to first_node[i + 1] of the list")]
    node: Annotated[Array, index("v", "the list: movers")]
    first_edge: Annotated[Array, index("l", "likewise edges")]
    edge: Annotated[Array, index("e", "the list: numbers of edges")]
    beside: Annotated[Array, index("f 3", "of each triangle, opposite to each corner: the triangle across that edge, or -1")]
    across: Annotated[Array, index("f 3", "that triangle's own corner, a mover, or -1")]
    fan: Annotated[Array, index("n", "a triangle of each mover, or -1")]
    wing: Annotated[Array, index("e 2", "of each edge: third corners of its two triangles, movers, or -1")]
    first_ring: Annotated[Array, index("m", "mover v has edges to ring[first_ring[v]] to ring[first_ring[v + 1] - 1]")]
    ring: Annotated[Array, index("r", "the list: movers")]
    first_near: Annotated[Array, index("m", "row i of low levels has common vertices with near[first_near[i]] and so on")]
    near: Annotated[Array, index("p", "the list: rows of the same level, itself among them, ascending")]
    first_point: Annotated[Array, index("g", "triangle f has points first_point[f] to first_point[f + 1] of a relief")]
    corner_weight: Annotated[Array, real("f 3", "1/m2", "of each corner in the normal of its vertex")]
    hollow: Annotated[Array, index("f", "1 where the relief of a solid lies below the triangle: it touches nothing itself")]
    covered: Annotated[Array, index("n", "1 for vertices that a point of the relief stands for, against bodies")]
    bulge: Annotated[Array, real("f", "m", "how far the relief of a triangle stands out, at most")]
    slop: Annotated[Array, real("t", "m", "gap below which the thing gets contacts at rest")]
    depth_in: Annotated[Array, real("t", "m", "how deep inside it something is still pushed out; 0 for a sheet")]
    length: Annotated[Array, real("t", "m", "mean length of its edges at rest")]


class Boxes(NamedTuple):
    """Where the triangles are and how far they may get within the step."""

    box: Annotated[Array, real("m 6", "m", "lower and upper corner of each node of the trees, as seen from the drifting thing")]
    facing: Annotated[Array, real("m 6", "-", "least and largest components of the unit normals in it, on low levels")]
    drift: Annotated[Array, real("t 3", "m/s", "mean velocity of each thing's vertices: its boxes hold what moves beside it")]
    stir: Annotated[Array, real("t", "m/s", "how fast they move beside it, root of the mean square; of sheets")]
    stilled: Annotated[Array, real("n", "m/s", "what was taken out of the motion of each mover, and may come back: state")]
    normal: Annotated[Array, real("n 3", "-", "of vertices of things with a relief")]
    reach: Annotated[Array, real("n", "m", "how far each vertex may get beside that drift, with thickness and slop")]
    sharp: Annotated[Array, real("e", "m", "how far each edge stands out over what lies beside it; very far for a rim")]
    nearest: Annotated[Array, real("n", "m", "from each vertex to the nearest triangle of that thing found so far")]
    inside: Annotated[Array, index("n", "of a vertex inside a solid: its contact, or -1")]
    beside: Annotated[Array, index("n", "the thing whose triangles a vertex was held against last, or -1")]
    past: Annotated[Array, index("n", "first of the old contacts of a vertex with triangles, or -1")]
    crossed: Annotated[Array, index("t", "an edge of each sheet that leads through triangles of its own, or -1")]
    pair: Annotated[Array, index("1024 4", "pairs of boxes still to be visited: rows and levels")]
    meeting: Annotated[Array, index("1024 5", "what may meet: thing, vertex or edge; thing, leaf or edge; 1 for edges")]
    meetings: Annotated[Array, index("1", "how many of these are waiting")]
    asked: Annotated[Array, index("n", "shape whose distance to a vertex was taken last, plus one")]
    distance: Annotated[Array, real("n 4", "m, -", "that distance and its gradient, world frame")]
    hit: Annotated[Array, index("f", "leaves found by one search")]
    stack: Annotated[Array, index("256 2", "boxes still to be visited: row and level")]


def skin_of(surfaces: Surfaces, rest: np.ndarray, relief: Relief | None = None) -> Skin:
    """The trees of surfaces whose movers lie at `rest` [m] (n, 3)."""
    things = len(surfaces.closed)
    level, depth = np.zeros((things, LEVELS + 1), np.int32), np.zeros(things, np.int32)
    order, length, row = [], np.zeros(things), 0
    for k in range(things):
        faces = np.arange(surfaces.first_face[k], surfaces.first_face[k + 1])
        order.append(faces[_grouped(rest[surfaces.face[faces]].mean(axis=1))])
        count = len(faces)
        level[k, 0], row = row, row + count
        while count > 1:
            depth[k] += 1
            count = -(-count // 4)
            level[k, depth[k]], row = row, row + count
        level[k, depth[k] + 1] = row
        edge = rest[surfaces.edge[surfaces.first_edge[k]:surfaces.first_edge[k + 1]]]
        length[k] = np.linalg.norm(edge[:, 1] - edge[:, 0], axis=1).mean() if len(edge) else 0.0
    first_near, near = _near_rows(surfaces, order, level, depth, row)
    leaves = np.concatenate(order).astype(np.int64) if order else np.zeros(0, np.int64)
    corner = surfaces.face[leaves]
    first_node, node = _owned(corner[:, :, None], surfaces.node[:, None])
    sides = np.stack([corner, np.roll(corner, -1, axis=1)], axis=2)
    first_edge, edge = _owned(np.sort(sides, axis=2), surfaces.edge)
    return fill(Skin, order=leaves, level=level, depth=depth, first_node=first_node, node=surfaces.node[node],
                first_edge=first_edge, edge=edge, **_neighbours(surfaces, len(rest)), length=length,
                first_near=first_near, near=near,
                **_relief(surfaces, rest, allocate(Relief, p=0) if relief is None else relief),
                slop=np.minimum(SLOP, SLOP_OF_EDGE * length + SLOP_OF_OFFSET * surfaces.offset),
                depth_in=np.where(surfaces.closed == CLOSED, INSIDE * length, 0.0))


class FaceWork(NamedTuple):
    """What triangles need against bodies."""

    first_corner: Annotated[Array, index("s", "shape i has corners first_corner[i] to first_corner[i + 1]: box, hull, field")]
    triangle: Annotated[Array, real("3 3", "m", "corners of the triangle that is looked at, in the frame of a shape")]
    ahead: Annotated[Array, real("3 3", "m", "the same where they would be after the step (rims.py)")]
    simplex: Annotated[Array, real("4 7", "m", "scratch of the search for nearest points")]


def face_work_of(shapes: Shapes, hulls: Hulls, fields: Fields) -> FaceWork:
    """Numbers for the corners of these shapes, and scratch."""
    work = allocate(FaceWork, s=len(shapes.kind) + 1)
    for i, (kind, data) in enumerate(zip(shapes.kind, shapes.data, strict=True)):
        first = {HULL: hulls.first_vertex, FIELD: fields.first_height}.get(int(kind))
        count = 8 if kind == BOX else 0 if first is None else first[data + 1] - first[data]
        work.first_corner[i + 1] = work.first_corner[i] + count
    return work


def boxes_of(skin: Skin, movers: int) -> Boxes:
    """Scratch for these trees, in a world of so many movers."""
    return allocate(Boxes, movers, f=len(skin.order), t=len(skin.depth), e=len(skin.wing), m=int(skin.level.max(initial=0)) + 1)


def _neighbours(surfaces: Surfaces, movers: int) -> dict[str, np.ndarray]:
    """Which triangles and edges lie beside each other; where more than two triangles share an edge, the first two do."""
    face = surfaces.face.astype(np.int64)
    count = len(face)
    pair = np.sort(np.stack([np.roll(face, -1, axis=1), np.roll(face, -2, axis=1)], axis=2).reshape(-1, 2), axis=1)
    name = pair[:, 0] * (np.int64(1) << 31) + pair[:, 1]
    order = np.argsort(name, kind="stable")
    twin = np.flatnonzero(np.diff(name[order]) == 0)
    twin = twin[np.diff(twin, prepend=-2) > 1]
    one, two = order[twin], order[twin + 1]
    beside, across = np.full(3 * count, -1), np.full(3 * count, -1)
    beside[one], beside[two] = two // 3, one // 3
    across[one], across[two] = face.ravel()[two], face.ravel()[one]
    wing = np.full((len(surfaces.edge), 2), -1)
    known, first = np.unique(name, return_index=True)
    edge = surfaces.edge.astype(np.int64)
    at = first[np.searchsorted(known, edge[:, 0] * (np.int64(1) << 31) + edge[:, 1])] if len(edge) else np.zeros(0, int)
    wing[:, 0], wing[:, 1] = face.ravel()[at], across[at]
    fan = np.full(movers, -1)
    fan[face.ravel()] = np.repeat(np.arange(count), 3)
    start, end = np.concatenate([edge[:, 0], edge[:, 1]]), np.concatenate([edge[:, 1], edge[:, 0]])
    around = np.argsort(start, kind="stable")
    return {"beside": beside.reshape(-1, 3), "across": across.reshape(-1, 3), "wing": wing, "fan": fan,
            "ring": end[around],
            "first_ring": np.searchsorted(start[around], np.arange(movers + 1))}


def _relief(surfaces: Surfaces, rest: np.ndarray, relief: Relief) -> dict[str, np.ndarray]:
    """What is to be known of the points of a relief beforehand."""
    faces = len(surfaces.face)
    bulge, hollow, covered = np.zeros(faces), np.zeros(faces), np.zeros(len(rest))
    np.maximum.at(bulge, relief.face, np.abs(relief.height))
    closed = np.repeat(surfaces.closed, np.diff(surfaces.first_face)) == CLOSED
    low = (relief.height < 0.0) & closed[relief.face]
    hollow[relief.face[low]] = 1
    stands_for = closed[relief.face] | (np.abs(relief.height) * relief.curve < 1e-9)  # a sheet has its own way from behind
    at = np.flatnonzero(stands_for & (relief.weight.max(axis=1, initial=0.0) > 1.0 - 1e-9))
    covered[surfaces.face[relief.face[at], relief.weight[at].argmax(axis=1)] if len(at) else []] = 1
    return {"first_point": np.searchsorted(relief.face, np.arange(faces + 1)), "bulge": bulge, "hollow": hollow,
            "covered": covered, "corner_weight": corner_weights(rest, surfaces.face) if len(relief.face) else
            np.zeros((faces, 3))}


def _near_rows(surfaces: Surfaces, order: list, level: np.ndarray, depth: np.ndarray, rows: int) -> tuple[np.ndarray, ...]:
    """Which boxes of low levels have a vertex in common, as first and list."""
    many, pairs = np.int64(1) << 31, [np.zeros(0, np.int64)]
    for k, faces in enumerate(order):
        node = surfaces.face[faces].ravel()
        by = np.argsort(node, kind="stable")
        leaf, size = by // 3, np.bincount(np.unique(node, return_inverse=True)[1])
        start = np.cumsum(size) - size
        # each corner with every corner at the same vertex
        one = np.repeat(np.arange(len(by)), np.repeat(size, size))
        two = np.arange(len(one)) - np.repeat(np.cumsum(np.repeat(size, size)) - np.repeat(size, size), np.repeat(size, size))
        two = two + np.repeat(np.repeat(start, size), np.repeat(size, size))
        for at in range(1, min(FLAT_LEVELS, depth[k]) + 1):
            pairs.append(np.unique((level[k, at] + leaf[one] // 4**at) * many + level[k, at] + leaf[two] // 4**at))
    found = np.sort(np.concatenate(pairs))
    return np.searchsorted(found // many, np.arange(rows + 1)), found % many


def _owned(parts: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of `wanted` (w, c) the first leaf that has it owns, as first and list; leaves have parts (leaf, 3, c)."""
    many = np.int64(1) << 31
    weigh = many ** np.arange(wanted.shape[1])[::-1]
    key, sought = (parts.astype(np.int64) * weigh).sum(axis=2).ravel(), (wanted.astype(np.int64) * weigh).sum(axis=1)
    known, place = np.unique(key, return_index=True)
    at = np.minimum(np.searchsorted(known, sought), len(known) - 1)
    missing = np.flatnonzero(known[at] != sought) if len(known) else np.arange(len(sought))
    if len(missing):
        raise ValueError(f"{wanted[missing[0]]} of the surfaces is in no triangle; leave it out, or add its triangles.")
    leaf = place[at] // 3
    order = np.argsort(leaf, kind="stable")
    return np.searchsorted(leaf[order], np.arange(len(parts) + 1)), order


def _grouped(points: np.ndarray) -> np.ndarray:
    """An order of points (n, 3) in which each four, each sixteen and so on lie close together: cut across the longest side."""
    full = 1
    while full < len(points):
        full *= 4
    parts, todo = [], [(np.arange(len(points)), full)]
    while todo:
        some, size = todo.pop()
        if size <= 1 or len(some) <= 1:
            parts.append(some)
            continue
        if len(some) <= size // 2:
            todo.append((some, size // 2))
            continue
        axis = np.ptp(points[some], axis=0).argmax()
        some = some[np.argsort(points[some, axis], kind="stable")]
        todo += [(some[size // 2:], size // 2), (some[:size // 2], size // 2)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
