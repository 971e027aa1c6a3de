"""The local step of bends: how far inner edges are from their rest angles, and what the moments on them push with.

Between the two the moments of all edges are solved for (bending_moment.py).
"""

import numpy as np

from ..._jit import entry, kernel
from ...equations.elastic.bending_moment import halfway, turned_by
from ...math.svd3 import LANES
from ...math.vec3 import add, dot, load, scale, store
from ...model.soft import Elements, ElementWork, FoldCorners, Folds, Points, SoftWork
from .lanes import piece_of


@entry
def fold_bends(bends: Elements, place: Points, folds: Folds, first: int, last: int) -> None:
    """What edges `first` to `last` are away from their angles at rest. Writes: folds.away"""
    table = bends.table
    for e in range(first, last):
        b, k = e // LANES, e % LANES
        x0, x1, x2, x3 = four_corners(bends, place, b, k)
        c1, c2, c3 = table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]  # they sum to zero with that of x0
        y0 = c1 * (x1[0] - x0[0]) + c2 * (x2[0] - x0[0]) + c3 * (x3[0] - x0[0])
        y1 = c1 * (x1[1] - x0[1]) + c2 * (x2[1] - x0[1]) + c3 * (x3[1] - x0[1])
        y2 = c1 * (x1[2] - x0[2]) + c2 * (x2[2] - x0[2]) + c3 * (x3[2] - x0[2])
        r = table[b, 5 * LANES + k]
        if r != 0.0:
            n = halfway(x0, x1, x2, x3, table[b, 6 * LANES + k], table[b, 7 * LANES + k])[0]
            y0, y1, y2 = y0 - r * n[0], y1 - r * n[1], y2 - r * n[2]
        store(folds.away, e, (y0, y1, y2))


@entry
def bend_energies(folds: Folds, work: ElementWork) -> None:
    """Energies of all edges, from their moments. Writes: work"""
    for e in range(folds.away.shape[0]):
        work.energy[e // LANES, e % LANES] = 0.5 * dot(load(folds.away, e), load(folds.moment, e))


@entry
def push_bends(bends: Elements, place: Points, folds: Folds, corners: FoldCorners, soft: SoftWork, begin: int,
               end: int) -> None:
    """Pushes of all edges, from their moments: tasks `begin` to `end` of the vertices, and of the edges that are bent at rest.

    Each vertex asks its edges, which takes half the time of edges that add to their vertices. Writes: soft.inner
    """
    inner, moment = soft.inner, folds.moment
    for task in range(begin, end):
        first, last = piece_of(place, soft, task)
        for v in range(first, last):
            x = y = z = 0.0
            for q in range(corners.first[v], corners.first[v + 1]):
                e, c = corners.edge[q], corners.share[q]
                x, y, z = x + c * moment[e, 0], y + c * moment[e, 1], z + c * moment[e, 2]
            add_push(inner, task, v, (-x, -y, -z))
        first, last = piece_of(corners.bent, soft, task)
        for q in range(first, last):
            push_bent(bends, place, folds, inner, task, corners.bent[q])


@kernel
def push_bent(bends, place, folds, inner, task, e):
    """What edge `e`, bent at rest, pushes with besides: its rest angle turns with the corners. Writes: inner"""
    b, k = e // LANES, e % LANES
    x0, x1, x2, x3 = four_corners(bends, place, b, k)
    low1, low2 = bends.table[b, 6 * LANES + k], bends.table[b, 7 * LANES + k]
    g1, g2, g3 = turned_by(x0, x1, x2, x3, low1, low2, scale(bends.table[b, 5 * LANES + k], load(folds.moment, e)))
    add_push(inner, task, bends.vertex[b, k], scale(-1.0, add(g1, add(g2, g3))))
    add_push(inner, task, bends.vertex[b, LANES + k], g1)
    add_push(inner, task, bends.vertex[b, 2 * LANES + k], g2)
    add_push(inner, task, bends.vertex[b, 3 * LANES + k], g3)


@kernel
def add_push(inner, i, v, f):
    """Writes: inner"""
    inner[i, v, 0] += f[0]
    inner[i, v, 1] += f[1]
    inner[i, v, 2] += f[2]


@kernel
def four_corners(elements, place, b, k):
    """The four corners of an element."""
    vertex = elements.vertex
    return (load(place, vertex[b, k]), load(place, vertex[b, LANES + k]), load(place, vertex[b, 2 * LANES + k]),
            load(place, vertex[b, 3 * LANES + k]))


def fold_corners(corner: np.ndarray, table: np.ndarray, count: int) -> FoldCorners:
    """By vertex of `count`, of edges with corners (e, 4) and tables (e, r)."""
    order = np.argsort(corner.ravel(), kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(corner.ravel(), minlength=count))])
    return FoldCorners(first.astype(np.int32), (order // 4).astype(np.int32), table[:, :4].ravel()[order],
                       np.flatnonzero(table[:, 5]).astype(np.int32))
