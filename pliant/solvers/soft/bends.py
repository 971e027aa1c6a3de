"""The local step of bends: how far each inner edge is from its rest angle, and what that pushes with."""

from ..._jit import entry, kernel
from ...equations.elastic.bending_angle import bend_target
from ...math.svd3 import LANES
from ...model.soft import Elements, ElementWork, Points, SoftWork


@entry
def project_bends(bends: Elements, place: Points, work: ElementWork, soft: SoftWork, first: int, last: int, task: int) -> None:
    """Blocks `first` to `last` of bends at `place`. Writes: work, soft.inner"""
    for b in range(first, last):
        for k in range(LANES):
            project_bend(bends, place, work, soft.inner, task, b, k)


@kernel
def project_bend(bends, place, work, inner, i, b, k):
    """One bend. Writes: work, inner"""
    vertex, table = bends.vertex, bends.table
    x0, x1 = corner(place, vertex[b, k]), corner(place, vertex[b, LANES + k])
    x2, x3 = corner(place, vertex[b, 2 * LANES + k]), corner(place, vertex[b, 3 * LANES + k])
    c1, c2, c3 = table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]  # they sum to zero with that of x0
    weight = table[b, 4 * LANES + k]
    y = (
        c2 * (x2[0] - x0[0]) + c3 * (x3[0] - x0[0]) + c1 * (x1[0] - x0[0]),
        c2 * (x2[1] - x0[1]) + c3 * (x3[1] - x0[1]) + c1 * (x1[1] - x0[1]),
        c2 * (x2[2] - x0[2]) + c3 * (x3[2] - x0[2]) + c1 * (x1[2] - x0[2]),
    )
    t = bend_target(y, x0, x1, x2, x3, table[b, 5 * LANES + k])
    d0, d1, d2 = t[0] - y[0], t[1] - y[1], t[2] - y[2]
    work.energy[b, k] = 0.5 * weight * (d0 * d0 + d1 * d1 + d2 * d2)
    for a in range(4):
        v, w = vertex[b, a * LANES + k], weight * table[b, a * LANES + k]
        inner[i, v, 0] += w * d0
        inner[i, v, 1] += w * d1
        inner[i, v, 2] += w * d2


@kernel
def corner(place, v):
    return place[v, 0], place[v, 1], place[v, 2]
