"""The local step of cells: each projected on its strain and its volume, LANES at a time.

Each adds its push to its corners, -dE/dx of w/2 (distance to the constraint)^2, and leaves that energy. The weight of a lane
that only fills up a block is zero. For most cells their singular values are enough (isotropic_pull.py); narrow and inverted
ones, and those at whose equal singular values a range of strain begins, are decomposed.
"""

from math import sqrt

from ..._jit import entry, kernel, merged
from ...equations.elastic.isotropic_pull import NARROW, WIDE, end_of, pull_differences, straddles
from ...equations.elastic.strain_projection import clamped
from ...equations.elastic.volume_projection import CLOSE, MOST_STEPS, partner, volume_guess, volume_step, with_product
from ...math.eigen3 import symmetric_values
from ...math.svd3 import LANES, SIGMA, svd3, svd3_lanes
from ...math.vec3 import add_scaled, dot, scale
from ...model.soft import Elements, ElementWork, Points, SoftWork
from .examples import gradient_of
from .lanes import FOUND, GIVEN, PULL, PUSH, STEP, hand_over, lanes_above, piece_of, pulled_columns, pulled_row

FEW = 8
"""Up to so many narrow cells of a block are decomposed one by one; with more of them, the whole block."""


@entry
def project_cells(cells: Elements, place: Points, work: ElementWork, soft: SoftWork, begin: int, end: int) -> int:
    """The cells of tasks `begin` to `end` at `place`. Returns how many were decomposed. Writes: work, soft"""
    decomposed = 0
    for task in range(begin, end):
        first, last = piece_of(cells.vertex, soft, task)
        for b in range(first, last):
            gradient_lanes(cells, place, soft.lanes, task, b)
            values_lanes(cells.table, soft.lanes, task, b)
            narrow = lanes_above(soft.lanes, task, PULL, 1.0)
            decomposed += narrow
            if narrow <= FEW:
                volume_lanes(cells.table, soft.lanes, task, b)
                push_whole(cells.table, work, soft.lanes, task, b)
                for k in range(LANES if narrow > 0 else 0):
                    if soft.lanes[task, PULL + k] > 0.0:
                        push_alone(cells, place, work, soft.lanes, task, b, k)
            else:
                svd3_lanes(soft.lanes, task)
                volume_lanes(cells.table, soft.lanes, task, b)
                pull_lanes(cells.table, work.energy, soft.lanes, task, b)
                push_lanes(cells.table, soft.lanes, task, b)
            hand_over(cells.vertex, soft.lanes, task, b, 4, soft.inner)
    return decomposed


@kernel
def gradient_lanes(cells, place, s, i, b):
    """F = D B of a block. Writes: s

    Places are fetched in a loop of their own: vector instructions that gather take longer.
    """
    vertex, table = cells.vertex, cells.table
    for k in range(LANES):
        v0, v1, v2, v3 = vertex[b, k], vertex[b, LANES + k], vertex[b, 2 * LANES + k], vertex[b, 3 * LANES + k]
        for r in range(3):
            x = place[v0, r]
            s[i, 3 * r * LANES + k], s[i, (3 * r + 1) * LANES + k] = place[v1, r] - x, place[v2, r] - x
            s[i, (3 * r + 2) * LANES + k] = place[v3, r] - x
    for k in range(LANES):
        b00, b01, b02 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k]
        b10, b11, b12 = table[b, 3 * LANES + k], table[b, 4 * LANES + k], table[b, 5 * LANES + k]
        b20, b21, b22 = table[b, 6 * LANES + k], table[b, 7 * LANES + k], table[b, 8 * LANES + k]
        for r in range(3):
            d1, d2, d3 = s[i, 3 * r * LANES + k], s[i, (3 * r + 1) * LANES + k], s[i, (3 * r + 2) * LANES + k]
            s[i, 3 * r * LANES + k] = d1 * b00 + d2 * b10 + d3 * b20
            s[i, (3 * r + 1) * LANES + k] = d1 * b01 + d2 * b11 + d3 * b21
            s[i, (3 * r + 2) * LANES + k] = d1 * b02 + d2 * b12 + d3 * b22


@kernel
def values_lanes(table, s, i, b):
    """C = F^T F in rows 9 … 14 (xx yy zz xy xz yz), singular values, and which cells must be decomposed. Writes: s"""
    for k in range(LANES):
        f00, f01, f02 = s[i, k], s[i, LANES + k], s[i, 2 * LANES + k]
        f10, f11, f12 = s[i, 3 * LANES + k], s[i, 4 * LANES + k], s[i, 5 * LANES + k]
        f20, f21, f22 = s[i, 6 * LANES + k], s[i, 7 * LANES + k], s[i, 8 * LANES + k]
        xx, yy, zz = f00 * f00 + f10 * f10 + f20 * f20, f01 * f01 + f11 * f11 + f21 * f21, f02 * f02 + f12 * f12 + f22 * f22
        xy, xz, yz = f00 * f01 + f10 * f11 + f20 * f21, f00 * f02 + f10 * f12 + f20 * f22, f01 * f02 + f11 * f12 + f21 * f22
        l1, l2, l3 = symmetric_values(xx, yy, zz, xy, xz, yz)
        volume = f00 * (f11 * f22 - f12 * f21) - f01 * (f10 * f22 - f12 * f20) + f02 * (f10 * f21 - f11 * f20)
        narrow = (l3 <= NARROW * NARROW * l1) | (volume <= 0.0) | (volume >= WIDE * table[b, 14 * LANES + k])
        s1, s2, s3 = sqrt(l1), sqrt(l2 if l2 > 0.0 else 0.0), sqrt(l3 if l3 > 0.0 else 0.0)
        low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
        t1, t2, t3 = end_of(s1, low, high), end_of(s2, low, high), end_of(s3, low, high)
        narrow |= straddles(l1, l2, t1, t2) | straddles(l2, l3, t2, t3)
        s[i, PULL + k] = 1.0 if narrow else 0.0
        s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k] = s1, s2, s3
        s[i, 9 * LANES + k], s[i, 10 * LANES + k], s[i, 11 * LANES + k] = xx, yy, zz
        s[i, 12 * LANES + k], s[i, 13 * LANES + k], s[i, 14 * LANES + k] = xy, xz, yz


@kernel
def volume_lanes(table, s, i, b):
    """The least singular value of the nearest cells whose volume is in range. Writes: s"""
    heavy = 0.0
    for k in range(LANES):
        heavy += table[b, 10 * LANES + k]
    for k in range(LANES):
        s1, s2, s3 = s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k]
        given = clamped(s1 * s2 * s3, table[b, 13 * LANES + k], table[b, 14 * LANES + k])
        s[i, GIVEN + k], s[i, FOUND + k] = given, volume_guess(s1, s2, s3, given)
    if heavy == 0.0:
        return
    for _ in range(MOST_STEPS):
        for k in range(LANES):
            d3, step = volume_step(s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k], s[i, FOUND + k],
                                   s[i, GIVEN + k])
            s[i, FOUND + k], s[i, STEP + k] = d3, step
        if lanes_above(s, i, STEP, CLOSE) == 0:
            break


@kernel
def push_whole(table, work, s, i, b):
    """Energies of a block, P = F f(C) and the pushes P g on the corners. Writes: s, work"""
    energy = work.energy
    for k in range(LANES):
        s1, s2, s3 = s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k]
        low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
        strain, volume = table[b, 9 * LANES + k], table[b, 10 * LANES + k]
        d3 = s[i, FOUND + k] if volume != 0.0 else s3
        m = d3 * (d3 - s3)
        (d1, q1), (d2, q2) = partner(s1, m), partner(s2, m)
        a1, a2, a3 = clamped(s1, low, high) - s1, clamped(s2, low, high) - s2, clamped(s3, low, high) - s3
        c1, c2, c3 = d1 - s1, d2 - s2, d3 - s3
        energy[b, k] = 0.5 * (strain * (a1 * a1 + a2 * a2 + a3 * a3) + volume * (c1 * c1 + c2 * c2 + c3 * c3))
        t1, t2, t3 = end_of(s1, low, high), end_of(s2, low, high), end_of(s3, low, high)
        f1, f2, f3 = pull_differences(s1, s2, s3, t1, t2, t3, q1, q2, d3 + d3 - s3, strain, volume, m)
        l1, l2 = s1 * s1, s2 * s2
        xx, yy, zz = s[i, 9 * LANES + k], s[i, 10 * LANES + k], s[i, 11 * LANES + k]
        xy, xz, yz = s[i, 12 * LANES + k], s[i, 13 * LANES + k], s[i, 14 * LANES + k]
        ax, ay, az, bx, by, bz = xx - l1, yy - l1, zz - l1, xx - l2, yy - l2, zz - l2
        s[i, 9 * LANES + k] = f1 + f2 * ax + f3 * (ax * bx + xy * xy + xz * xz)
        s[i, 10 * LANES + k] = f1 + f2 * ay + f3 * (xy * xy + ay * by + yz * yz)
        s[i, 11 * LANES + k] = f1 + f2 * az + f3 * (xz * xz + yz * yz + az * bz)
        s[i, 12 * LANES + k] = f2 * xy + f3 * (ax * xy + xy * by + xz * yz)
        s[i, 13 * LANES + k] = f2 * xz + f3 * (ax * xz + xy * yz + xz * bz)
        s[i, 14 * LANES + k] = f2 * yz + f3 * (xy * xz + ay * yz + yz * bz)
    for k in range(LANES):
        xx, yy, zz = s[i, 9 * LANES + k], s[i, 10 * LANES + k], s[i, 11 * LANES + k]
        xy, xz, yz = s[i, 12 * LANES + k], s[i, 13 * LANES + k], s[i, 14 * LANES + k]
        for r in range(3):
            g0, g1, g2 = s[i, 3 * r * LANES + k], s[i, (3 * r + 1) * LANES + k], s[i, (3 * r + 2) * LANES + k]
            p0, p1, p2 = g0 * xx + g1 * xy + g2 * xz, g0 * xy + g1 * yy + g2 * yz, g0 * xz + g1 * yz + g2 * zz
            push_corners(table, s, i, b, k, r, p0, p1, p2)


@merged
def push_corners(table, s, i, b, k, r, p0, p1, p2):
    """Component `r` of the pushes P g on the four corners of one cell, by row `r` of P. Writes: s"""
    f1 = p0 * table[b, k] + p1 * table[b, LANES + k] + p2 * table[b, 2 * LANES + k]
    f2 = p0 * table[b, 3 * LANES + k] + p1 * table[b, 4 * LANES + k] + p2 * table[b, 5 * LANES + k]
    f3 = p0 * table[b, 6 * LANES + k] + p1 * table[b, 7 * LANES + k] + p2 * table[b, 8 * LANES + k]
    s[i, PUSH + r * LANES + k] = -(f1 + f2 + f3)
    s[i, PUSH + (3 + r) * LANES + k] = f1
    s[i, PUSH + (6 + r) * LANES + k] = f2
    s[i, PUSH + (9 + r) * LANES + k] = f3


@kernel
def pull_lanes(table, energy, s, i, b):
    """U^T P V, diagonal: how strongly each singular value is pulled, and the energy. Writes: s, energy"""
    for k in range(LANES):
        s1, s2, s3 = s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k]
        low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
        strain, volume = table[b, 9 * LANES + k], table[b, 10 * LANES + k]
        d3 = s[i, FOUND + k] if volume != 0.0 else s3
        m = d3 * (d3 - s3)
        a1, a2, a3 = clamped(s1, low, high) - s1, clamped(s2, low, high) - s2, clamped(s3, low, high) - s3
        c1, c2, c3 = partner(s1, m)[0] - s1, partner(s2, m)[0] - s2, d3 - s3
        energy[b, k] = 0.5 * (strain * (a1 * a1 + a2 * a2 + a3 * a3) + volume * (c1 * c1 + c2 * c2 + c3 * c3))
        s[i, PULL + k] = strain * a1 + volume * c1
        s[i, PULL + LANES + k] = strain * a2 + volume * c2
        s[i, PULL + 2 * LANES + k] = strain * a3 + volume * c3


@kernel
def push_lanes(table, s, i, b):
    """P = U diag(pull) V^T and the pushes P g on the corners. Writes: s"""
    for k in range(LANES):
        columns = pulled_columns(s, i, k)
        for r in range(3):
            p0, p1, p2 = pulled_row(s, i, k, r, columns)
            push_corners(table, s, i, b, k, r, p0, p1, p2)


@kernel
def push_alone(cells, place, work, s, i, b, k):
    """Energy and pushes of one cell, decomposed. Writes: s, work"""
    table = cells.table
    strain, volume = table[b, 9 * LANES + k], table[b, 10 * LANES + k]
    low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
    u, e, v = svd3(gradient_of(cells, place, b, k))
    d = with_product(e, clamped(e[0] * e[1] * e[2], table[b, 13 * LANES + k], table[b, 14 * LANES + k]))
    a = (clamped(e[0], low, high) - e[0], clamped(e[1], low, high) - e[1], clamped(e[2], low, high) - e[2])
    c = (d[0] - e[0], d[1] - e[1], d[2] - e[2])
    work.energy[b, k] = 0.5 * (strain * dot(a, a) + volume * dot(c, c))
    q = (strain * a[0] + volume * c[0], strain * a[1] + volume * c[1], strain * a[2] + volume * c[2])
    f1, f2 = pulled(u, q, v, corner_of(table, b, k)), pulled(u, q, v, corner_of(table, b, 3 * LANES + k))
    f3 = pulled(u, q, v, corner_of(table, b, 6 * LANES + k))
    for r in range(3):
        s[i, PUSH + r * LANES + k] = -(f1[r] + f2[r] + f3[r])
        s[i, PUSH + (3 + r) * LANES + k] = f1[r]
        s[i, PUSH + (6 + r) * LANES + k] = f2[r]
        s[i, PUSH + (9 + r) * LANES + k] = f3[r]


@kernel
def pulled(u, d, v, g):
    """Q g with Q = U diag(d) V^T."""
    return add_scaled(add_scaled(scale(d[0] * dot(v[0], g), u[0]), d[1] * dot(v[1], g), u[1]), d[2] * dot(v[2], g), u[2])


@kernel
def corner_of(table, b, column):
    """Row of B that begins at `column`: the gradient of one corner."""
    return table[b, column], table[b, LANES + column], table[b, 2 * LANES + column]
