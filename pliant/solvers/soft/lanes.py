"""Scratch of the local step: where the numbers of LANES elements at a time are kept, and what cells and triangles share.

Every loop over lanes is free of branches and calls, so that it becomes vector instructions.
"""

from ..._jit import kernel, merged
from ...math.svd3 import LANES, SVD_ROWS
from ...math.vec3 import dot

GIVEN = SVD_ROWS * LANES
"""Where the clamped volume or area is kept."""
FOUND = GIVEN + LANES
"""Where the least singular value with that volume is kept."""
STEP = FOUND + LANES
"""Where the last step towards it is kept; before, whether an element must be decomposed."""
PULL = STEP + LANES
"""Where U^T P V, three numbers, is kept."""
PUSH = PULL + 3 * LANES
"""Where the pushes on the corners are kept, three numbers each."""
LANE_ROWS = SVD_ROWS + 18


@kernel
def piece_of(rows, soft, task):
    """Which rows of a table are a task's: the first, and the one after the last."""
    count, tasks = rows.shape[0], soft.inner.shape[0]
    return count * task // tasks, count * (task + 1) // tasks


@kernel
def lanes_above(s, i, row, limit):
    """How many lanes of a row are at least `limit`: a count, because sums of whole numbers become vector instructions."""
    left = 0
    for k in range(LANES):
        if s[i, row + k] >= limit:
            left += 1
    return left


@kernel
def hand_over(vertex, s, i, b, corners, inner):
    """Add the pushes of a block to the vertices, in a fixed order. Writes: inner"""
    for a in range(corners):
        for k in range(LANES):
            v, row = vertex[b, a * LANES + k], PUSH + 3 * a * LANES + k
            inner[i, v, 0] += s[i, row]
            inner[i, v, 1] += s[i, row + LANES]
            inner[i, v, 2] += s[i, row + 2 * LANES]


@merged
def pulled_columns(s, i, k):
    """diag(pull) V^T of one lane, column by column."""
    q1, q2, q3 = s[i, PULL + k], s[i, PULL + LANES + k], s[i, PULL + 2 * LANES + k]
    return ((q1 * s[i, 9 * LANES + k], q2 * s[i, 10 * LANES + k], q3 * s[i, 11 * LANES + k]),
            (q1 * s[i, 12 * LANES + k], q2 * s[i, 13 * LANES + k], q3 * s[i, 14 * LANES + k]),
            (q1 * s[i, 15 * LANES + k], q2 * s[i, 16 * LANES + k], q3 * s[i, 17 * LANES + k]))


@merged
def pulled_row(s, i, k, r, columns):
    """Row `r` of P = U diag(pull) V^T of one lane."""
    u = s[i, 3 * r * LANES + k], s[i, (3 * r + 1) * LANES + k], s[i, (3 * r + 2) * LANES + k]
    return dot(u, columns[0]), dot(u, columns[1]), dot(u, columns[2])
