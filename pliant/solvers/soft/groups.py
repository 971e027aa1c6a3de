"""The local step of groups of cells: the volume of each, by its mean deformation, LANES at a time as cells are (cells.py)."""

import numpy as np

from ..._jit import entry, kernel
from ...equations.elastic.deformation_gradient import corner_gradients
from ...equations.elastic.group_volume import GROUP_CORNERS, grouped, mean_gradients
from ...math.svd3 import LANES, svd3_lanes
from ...model.soft import GROUP_TABLE, Elements, ElementWork, Points, SoftWork, blocked, unblocked
from .cells import pull_lanes, volume_lanes
from .lanes import PUSH, piece_of, pulled_columns, pulled_row

VOLUME = 10
"""In a group's table: its weight."""


@entry
def project_groups(groups: Elements, place: Points, work: ElementWork, soft: SoftWork, begin: int, end: int) -> None:
    """The groups of tasks `begin` to `end` at `place`. Writes: work, soft"""
    for task in range(begin, end):
        first, last = piece_of(groups.vertex, soft, task)
        for b in range(first, last):
            mean_lanes(groups, place, soft.lanes, task, b)
            svd3_lanes(soft.lanes, task)
            volume_lanes(groups.table, soft.lanes, task, b)
            pull_lanes(groups.table, work.energy, soft.lanes, task, b)
            turn_back(soft.lanes, task)
            for a in range(GROUP_CORNERS):
                push_corner(groups, soft.lanes, task, b, a, soft.inner)


@kernel
def column_of(a):
    """Where in the table the gradient of corner `a` begins: around the weights and ranges, which lie as those of cells."""
    return 3 * a * LANES if a < 3 else (15 + 3 * (a - 3)) * LANES


@kernel
def mean_lanes(groups, place, s, i, b):
    """F of a block, by the places of the corners from the first. Writes: s"""
    vertex, table = groups.vertex, groups.table
    for k in range(9 * LANES):
        s[i, k] = 0.0
    for a in range(1, GROUP_CORNERS):
        c = column_of(a)
        for k in range(LANES):
            v, o = vertex[b, a * LANES + k], vertex[b, k]
            x, y, z = place[v, 0] - place[o, 0], place[v, 1] - place[o, 1], place[v, 2] - place[o, 2]
            g0, g1, g2 = table[b, c + k], table[b, c + LANES + k], table[b, c + 2 * LANES + k]
            s[i, k] += x * g0
            s[i, LANES + k] += x * g1
            s[i, 2 * LANES + k] += x * g2
            s[i, 3 * LANES + k] += y * g0
            s[i, 4 * LANES + k] += y * g1
            s[i, 5 * LANES + k] += y * g2
            s[i, 6 * LANES + k] += z * g0
            s[i, 7 * LANES + k] += z * g1
            s[i, 8 * LANES + k] += z * g2


@kernel
def turn_back(s, i):
    """P = U diag(pull) V^T in place of V, row by row. Writes: s"""
    for k in range(LANES):
        columns = pulled_columns(s, i, k)
        for r in range(3):
            row = pulled_row(s, i, k, r, columns)
            for c in range(3):
                s[i, (9 + 3 * r + c) * LANES + k] = row[c]


@kernel
def push_corner(groups, s, i, b, a, inner):
    """Add P g to corner `a` of a block. Writes: s, inner"""
    c, table = column_of(a), groups.table
    for k in range(LANES):
        g0, g1, g2 = table[b, c + k], table[b, c + LANES + k], table[b, c + 2 * LANES + k]
        for r in range(3):
            p0, p1, p2 = s[i, (9 + 3 * r) * LANES + k], s[i, (10 + 3 * r) * LANES + k], s[i, (11 + 3 * r) * LANES + k]
            s[i, PUSH + r * LANES + k] = p0 * g0 + p1 * g1 + p2 * g2
    for k in range(LANES):
        v = groups.vertex[b, a * LANES + k]
        for r in range(3):
            inner[i, v, r] += s[i, PUSH + r * LANES + k]


def group_elements(rest: np.ndarray, cells: np.ndarray, inverse: np.ndarray, volume: np.ndarray, lame: float,
                   ratios: tuple[float, float]) -> Elements:
    """Groups of cells with corners (c, 4), B (c, 3, 3), volumes [m3] (c,) that resist with `lame` [Pa].

    rest: vertices [m] (n, 3); ratios: range of a group's volume, of what it was.
    """
    group = grouped(rest, cells, volume)
    corners, gradient, total = mean_gradients(cells, corner_gradients(inverse), volume, group)
    table = np.zeros((len(total), GROUP_TABLE))
    table[:, :9], table[:, 15:] = gradient[:, :3].reshape(-1, 9), gradient[:, 3:].reshape(-1, 15)
    table[:, VOLUME], table[:, 11:15] = 3.0 * lame * total, (1.0, 1.0, *ratios)
    made = blocked(corners, table)
    if len(total) % LANES:
        made.table.reshape(len(made.table), -1, LANES)[-1, VOLUME, len(total) % LANES:] = 0.0
    return made


def group_parts(groups: Elements) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners (k, 8), gradients (k, 8, 3) and weights (k,) of groups."""
    count = int(groups.size[0])
    corners = unblocked(groups.vertex, GROUP_CORNERS, count).astype(np.int64)
    table = unblocked(groups.table, GROUP_TABLE, count)
    gradient = np.concatenate([table[:, :9].reshape(-1, 3, 3), table[:, 15:].reshape(-1, 5, 3)], axis=1)
    return corners, gradient, table[:, VOLUME]
