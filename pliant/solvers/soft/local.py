"""The local step: every element projected on its constraints, LANES at a time.

Each leaves the push on its corners, -dE/dx of w/2 (distance to the constraint)^2, and that energy. The weight of a lane that
only fills up a block is zero. Every loop over lanes is free of branches and calls, so that it becomes vector instructions.
"""

from math import sqrt

from ..._jit import entry, kernel
from ...equations.elastic.bending_angle import bend_target
from ...equations.elastic.strain_projection import clamped
from ...equations.elastic.volume_projection import CLOSE, MOST_STEPS, area_step, first_guess, partner, volume_step
from ...math.svd3 import LANES, SIGMA, SVD_ROWS, svd3_lanes
from ...model.soft import Elements, ElementWork, Points, SoftWork

GIVEN = SVD_ROWS * LANES
"""Where the clamped volume is kept."""
FOUND = GIVEN + LANES
"""Where the least singular value with that volume is kept."""
STEP = FOUND + LANES
PULL = STEP + LANES
"""Where U^T P V, three numbers, is kept."""
LANE_ROWS = SVD_ROWS + 6


@entry
def project_cells(cells: Elements, place: Points, work: ElementWork, soft: SoftWork, first: int, last: int, task: int) -> int:
    """Blocks `first` to `last` of cells at `place`. Returns the sweeps of the decomposition. Writes: work, soft.lanes"""
    sweeps = 0
    for b in range(first, last):
        gradient_lanes(cells, place, soft.lanes, task, b)
        sweeps += svd3_lanes(soft.lanes, task)
        volume_lanes(cells.table, soft.lanes, task, b)
        pull_lanes(cells.table, work.energy, soft.lanes, task, b)
        push_lanes(cells.table, work.push, soft.lanes, task, b)
    return sweeps


@kernel
def gradient_lanes(cells, place, s, i, b):
    """F = D B of a block. Writes: s"""
    vertex, table = cells.vertex, cells.table
    for k in range(LANES):
        v0, v1, v2, v3 = vertex[b, k], vertex[b, LANES + k], vertex[b, 2 * LANES + k], vertex[b, 3 * LANES + k]
        b00, b01, b02 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k]
        b10, b11, b12 = table[b, 3 * LANES + k], table[b, 4 * LANES + k], table[b, 5 * LANES + k]
        b20, b21, b22 = table[b, 6 * LANES + k], table[b, 7 * LANES + k], table[b, 8 * LANES + k]
        x, y, z = place[v0, 0], place[v0, 1], place[v0, 2]
        d1, d2, d3 = place[v1, 0] - x, place[v2, 0] - x, place[v3, 0] - x
        s[i, k] = d1 * b00 + d2 * b10 + d3 * b20
        s[i, LANES + k] = d1 * b01 + d2 * b11 + d3 * b21
        s[i, 2 * LANES + k] = d1 * b02 + d2 * b12 + d3 * b22
        d1, d2, d3 = place[v1, 1] - y, place[v2, 1] - y, place[v3, 1] - y
        s[i, 3 * LANES + k] = d1 * b00 + d2 * b10 + d3 * b20
        s[i, 4 * LANES + k] = d1 * b01 + d2 * b11 + d3 * b21
        s[i, 5 * LANES + k] = d1 * b02 + d2 * b12 + d3 * b22
        d1, d2, d3 = place[v1, 2] - z, place[v2, 2] - z, place[v3, 2] - z
        s[i, 6 * LANES + k] = d1 * b00 + d2 * b10 + d3 * b20
        s[i, 7 * LANES + k] = d1 * b01 + d2 * b11 + d3 * b21
        s[i, 8 * LANES + k] = d1 * b02 + d2 * b12 + d3 * b22


@kernel
def volume_lanes(table, s, i, b):
    """The least singular value of the nearest cells whose volume is in range. Writes: s"""
    heavy = 0.0
    for k in range(LANES):
        heavy += table[b, 10 * LANES + k]
    for k in range(LANES):
        s3 = s[i, SIGMA + 2 * LANES + k]
        volume = s[i, SIGMA + k] * s[i, SIGMA + LANES + k] * s3
        s[i, GIVEN + k] = clamped(volume, table[b, 13 * LANES + k], table[b, 14 * LANES + k])
        s[i, FOUND + k] = first_guess(s3)
    if heavy == 0.0:
        return
    for _ in range(MOST_STEPS):
        for k in range(LANES):
            d3, step = volume_step(s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k], s[i, FOUND + k],
                                   s[i, GIVEN + k])
            s[i, FOUND + k], s[i, STEP + k] = d3, step
        left = 0
        for k in range(LANES):
            if s[i, STEP + k] >= CLOSE:
                left += 1
        if left == 0:
            break


@kernel
def pull_lanes(table, energy, s, i, b):
    """U^T P V, diagonal: how strongly each singular value is pulled, and the energy. Writes: s, energy"""
    for k in range(LANES):
        s1, s2, s3 = s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, SIGMA + 2 * LANES + k]
        low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
        strain, volume = table[b, 9 * LANES + k], table[b, 10 * LANES + k]
        d3 = s[i, FOUND + k] if volume > 0.0 else s3
        m = d3 * (d3 - s3)
        a1, a2, a3 = clamped(s1, low, high) - s1, clamped(s2, low, high) - s2, clamped(s3, low, high) - s3
        c1, c2, c3 = partner(s1, m)[0] - s1, partner(s2, m)[0] - s2, d3 - s3
        energy[b, k] = 0.5 * (strain * (a1 * a1 + a2 * a2 + a3 * a3) + volume * (c1 * c1 + c2 * c2 + c3 * c3))
        s[i, PULL + k] = strain * a1 + volume * c1
        s[i, PULL + LANES + k] = strain * a2 + volume * c2
        s[i, PULL + 2 * LANES + k] = strain * a3 + volume * c3


@kernel
def push_lanes(table, push, s, i, b):
    """P = U diag(pull) V^T and the pushes P g on the corners. Writes: push"""
    for k in range(LANES):
        q1, q2, q3 = s[i, PULL + k], s[i, PULL + LANES + k], s[i, PULL + 2 * LANES + k]
        v00, v01, v02 = q1 * s[i, 9 * LANES + k], q2 * s[i, 10 * LANES + k], q3 * s[i, 11 * LANES + k]
        v10, v11, v12 = q1 * s[i, 12 * LANES + k], q2 * s[i, 13 * LANES + k], q3 * s[i, 14 * LANES + k]
        v20, v21, v22 = q1 * s[i, 15 * LANES + k], q2 * s[i, 16 * LANES + k], q3 * s[i, 17 * LANES + k]
        for r in range(3):
            u0, u1, u2 = s[i, 3 * r * LANES + k], s[i, (3 * r + 1) * LANES + k], s[i, (3 * r + 2) * LANES + k]
            p0, p1, p2 = u0 * v00 + u1 * v01 + u2 * v02, u0 * v10 + u1 * v11 + u2 * v12, u0 * v20 + u1 * v21 + u2 * v22
            f1 = p0 * table[b, k] + p1 * table[b, LANES + k] + p2 * table[b, 2 * LANES + k]
            f2 = p0 * table[b, 3 * LANES + k] + p1 * table[b, 4 * LANES + k] + p2 * table[b, 5 * LANES + k]
            f3 = p0 * table[b, 6 * LANES + k] + p1 * table[b, 7 * LANES + k] + p2 * table[b, 8 * LANES + k]
            push[b, r * LANES + k] = -(f1 + f2 + f3)
            push[b, (3 + r) * LANES + k] = f1
            push[b, (6 + r) * LANES + k] = f2
            push[b, (9 + r) * LANES + k] = f3


@entry
def project_triangles(triangles: Elements, place: Points, work: ElementWork, soft: SoftWork, first: int, last: int,
                      task: int) -> None:
    """Blocks `first` to `last` of triangles at `place`. Writes: work, soft.lanes"""
    for b in range(first, last):
        stretch_lanes(triangles, place, soft.lanes, task, b)
        area_lanes(triangles.table, soft.lanes, task, b)
        push_triangles(triangles.table, work, soft.lanes, task, b)


@kernel
def stretch_lanes(triangles, place, s, i, b):
    """Decompose F of a block: U in rows 0 … 5, V = (cosine, sine) in 9 and 10, singular values. Writes: s"""
    vertex, table = triangles.vertex, triangles.table
    for k in range(LANES):
        v0, v1, v2 = vertex[b, k], vertex[b, LANES + k], vertex[b, 2 * LANES + k]
        b00, b01, b10, b11 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]
        x, y, z = place[v0, 0], place[v0, 1], place[v0, 2]
        d0, d1, d2 = place[v1, 0] - x, place[v1, 1] - y, place[v1, 2] - z
        e0, e1, e2 = place[v2, 0] - x, place[v2, 1] - y, place[v2, 2] - z
        p0, p1, p2 = d0 * b00 + e0 * b10, d1 * b00 + e1 * b10, d2 * b00 + e2 * b10
        q0, q1, q2 = d0 * b01 + e0 * b11, d1 * b01 + e1 * b11, d2 * b01 + e2 * b11
        a, c, t = p0 * p0 + p1 * p1 + p2 * p2, q0 * q0 + q1 * q1 + q2 * q2, 2.0 * (p0 * q0 + p1 * q1 + p2 * q2)
        # The rotation that puts the longer column first: half the angle of (a - c, t), by its half-angle formulas.
        d = a - c
        root = sqrt(d * d + t * t) + 1e-300
        large = sqrt(0.5 * (root + abs(d)) / root)
        small = 0.5 * abs(t) / (root * (large if large > 0.5 else 0.5))
        round_ = root <= 1e-290
        cosine = 1.0 if round_ else (large if d >= 0.0 else small)
        sine = 0.0 if round_ else (small if d >= 0.0 else large)
        sine = -sine if t < 0.0 else sine
        a0, a1, a2 = cosine * p0 + sine * q0, cosine * p1 + sine * q1, cosine * p2 + sine * q2
        c0, c1, c2 = cosine * q0 - sine * p0, cosine * q1 - sine * p1, cosine * q2 - sine * p2
        long = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        some = long > 1e-150
        inverse = 1.0 / (long if some else 1.0)
        a0, a1, a2 = (a0 * inverse if some else 1.0), (a1 * inverse if some else 0.0), (a2 * inverse if some else 0.0)
        along = c0 * a0 + c1 * a1 + c2 * a2
        r0, r1, r2 = c0 - along * a0, c1 - along * a1, c2 - along * a2
        short = sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        flat = (short <= 1e-14 * long) | (short <= 1e-150)
        near = abs(a0) < 0.57735
        r0 = (0.0 if near else a1) if flat else r0
        r1 = (a2 if near else -a0) if flat else r1
        r2 = (-a1 if near else 0.0) if flat else r2
        inverse = 1.0 / sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        s[i, k], s[i, LANES + k], s[i, 2 * LANES + k] = a0, a1, a2
        s[i, 3 * LANES + k], s[i, 4 * LANES + k], s[i, 5 * LANES + k] = r0 * inverse, r1 * inverse, r2 * inverse
        s[i, 9 * LANES + k], s[i, 10 * LANES + k] = cosine, sine
        s[i, SIGMA + k], s[i, SIGMA + LANES + k] = long, (c0 * r0 + c1 * r1 + c2 * r2) * inverse


@kernel
def area_lanes(table, s, i, b):
    """The smaller singular value of the nearest triangles whose area is in range. Writes: s"""
    heavy = 0.0
    for k in range(LANES):
        heavy += table[b, 5 * LANES + k]
    for k in range(LANES):
        s[i, GIVEN + k] = clamped(s[i, SIGMA + k] * s[i, SIGMA + LANES + k], table[b, 8 * LANES + k], table[b, 9 * LANES + k])
        s[i, FOUND + k] = first_guess(s[i, SIGMA + LANES + k])
    if heavy == 0.0:
        return
    for _ in range(MOST_STEPS):
        for k in range(LANES):
            d2, step = area_step(s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, FOUND + k], s[i, GIVEN + k])
            s[i, FOUND + k], s[i, STEP + k] = d2, step
        left = 0
        for k in range(LANES):
            if s[i, STEP + k] >= CLOSE:
                left += 1
        if left == 0:
            break


@kernel
def push_triangles(table, work, s, i, b):
    """Energies of a block, P = U diag(pull) V^T and the pushes on the corners. Writes: work"""
    push, energy = work.push, work.energy
    for k in range(LANES):
        s1, s2 = s[i, SIGMA + k], s[i, SIGMA + LANES + k]
        strain, area = table[b, 4 * LANES + k], table[b, 5 * LANES + k]
        low, high = table[b, 6 * LANES + k], table[b, 7 * LANES + k]
        d2 = s[i, FOUND + k] if area > 0.0 else s2
        a1, a2 = clamped(s1, low, high) - s1, clamped(s2, low, high) - s2
        c1, c2 = partner(s1, d2 * (d2 - s2))[0] - s1, d2 - s2
        energy[b, k] = 0.5 * (strain * (a1 * a1 + a2 * a2) + area * (c1 * c1 + c2 * c2))
        q1, q2 = strain * a1 + area * c1, strain * a2 + area * c2
        cosine, sine = s[i, 9 * LANES + k], s[i, 10 * LANES + k]
        # V diag(pull) is q1 (cosine, sine) and q2 (-sine, cosine); times B^T it gives each corner's share of u1 and u2.
        x1, y1 = q1 * cosine, q1 * sine
        x2, y2 = -q2 * sine, q2 * cosine
        m1, m2 = x1 * table[b, k] + y1 * table[b, LANES + k], x2 * table[b, k] + y2 * table[b, LANES + k]
        n1 = x1 * table[b, 2 * LANES + k] + y1 * table[b, 3 * LANES + k]
        n2 = x2 * table[b, 2 * LANES + k] + y2 * table[b, 3 * LANES + k]
        for r in range(3):
            u1, u2 = s[i, r * LANES + k], s[i, (3 + r) * LANES + k]
            f1, f2 = u1 * m1 + u2 * m2, u1 * n1 + u2 * n2
            push[b, r * LANES + k] = -(f1 + f2)
            push[b, (3 + r) * LANES + k] = f1
            push[b, (6 + r) * LANES + k] = f2


@entry
def project_bends(bends: Elements, place: Points, work: ElementWork, first: int, last: int) -> None:
    """Blocks `first` to `last` of bends at `place`. Writes: work"""
    for b in range(first, last):
        for k in range(LANES):
            project_bend(bends, place, work, b, k)


@kernel
def project_bend(bends, place, work, b, k):
    """One bend. Writes: work"""
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
        w = weight * table[b, a * LANES + k]
        work.push[b, 3 * a * LANES + k] = w * d0
        work.push[b, (3 * a + 1) * LANES + k] = w * d1
        work.push[b, (3 * a + 2) * LANES + k] = w * d2


@kernel
def corner(place, v):
    return place[v, 0], place[v, 1], place[v, 2]
