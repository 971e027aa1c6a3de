"""The local step of triangles: each projected on its strain and its area, LANES at a time, as cells are (cells.py)."""

from math import sqrt

from ..._jit import entry, kernel
from ...equations.elastic.isotropic_pull import NARROW, WIDE, flat_differences
from ...equations.elastic.strain_projection import clamped
from ...equations.elastic.volume_projection import CLOSE, MOST_STEPS, area_guess, area_step, partner
from ...math.svd3 import LANES, SIGMA
from ...model.soft import Elements, ElementWork, Points, SoftWork
from .lanes import FOUND, GIVEN, PULL, PUSH, STEP, hand_over, lanes_above, piece_of


@entry
def project_triangles(triangles: Elements, place: Points, work: ElementWork, soft: SoftWork, begin: int, end: int) -> None:
    """The triangles of tasks `begin` to `end` at `place`. Writes: work, soft"""
    for task in range(begin, end):
        first, last = piece_of(triangles.vertex, soft, task)
        for b in range(first, last):
            gradient_lanes(triangles, place, soft.lanes, task, b)
            if lanes_above(soft.lanes, task, PULL, 1.0) == 0:
                area_lanes(triangles.table, soft.lanes, task, b)
                push_whole(triangles.table, work, soft.lanes, task, b)
            else:
                stretch_lanes(soft.lanes, task)
                area_lanes(triangles.table, soft.lanes, task, b)
                push_triangles(triangles.table, work, soft.lanes, task, b)
            hand_over(triangles.vertex, soft.lanes, task, b, 3, soft.inner)


@kernel
def gradient_lanes(triangles, place, s, i, b):
    """F of a block in rows 0 … 5, column by column, C = F^T F (xx yy xy) in 9 … 11, singular values, whether to decompose.

    Writes: s
    """
    vertex, table = triangles.vertex, triangles.table
    for k in range(LANES):
        v0, v1, v2 = vertex[b, k], vertex[b, LANES + k], vertex[b, 2 * LANES + k]
        for r in range(3):
            x = place[v0, r]
            s[i, r * LANES + k], s[i, (3 + r) * LANES + k] = place[v1, r] - x, place[v2, r] - x
    for k in range(LANES):
        b00, b01, b10, b11 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]
        d0, d1, d2 = s[i, k], s[i, LANES + k], s[i, 2 * LANES + k]
        e0, e1, e2 = s[i, 3 * LANES + k], s[i, 4 * LANES + k], s[i, 5 * LANES + k]
        p0, p1, p2 = d0 * b00 + e0 * b10, d1 * b00 + e1 * b10, d2 * b00 + e2 * b10
        q0, q1, q2 = d0 * b01 + e0 * b11, d1 * b01 + e1 * b11, d2 * b01 + e2 * b11
        xx, yy, xy = p0 * p0 + p1 * p1 + p2 * p2, q0 * q0 + q1 * q1 + q2 * q2, p0 * q0 + p1 * q1 + p2 * q2
        half, mean = 0.5 * (xx - yy), 0.5 * (xx + yy)
        gap = sqrt(half * half + xy * xy)
        small = mean - gap
        narrow = (small <= NARROW * NARROW * mean) | (table[b, 6 * LANES + k] != table[b, 7 * LANES + k])
        narrow |= xx * yy - xy * xy >= (WIDE * table[b, 9 * LANES + k]) ** 2
        s[i, PULL + k] = 1.0 if narrow else 0.0
        s[i, SIGMA + k], s[i, SIGMA + LANES + k] = sqrt(mean + gap), sqrt(small if small > 0.0 else 0.0)
        s[i, k], s[i, LANES + k], s[i, 2 * LANES + k] = p0, p1, p2
        s[i, 3 * LANES + k], s[i, 4 * LANES + k], s[i, 5 * LANES + k] = q0, q1, q2
        s[i, 9 * LANES + k], s[i, 10 * LANES + k], s[i, 11 * LANES + k] = xx, yy, xy


@kernel
def stretch_lanes(s, i):
    """Decompose F of a block: U in rows 0 … 5, V = (cosine, sine) in 9 and 10, singular values. Writes: s"""
    for k in range(LANES):
        p0, p1, p2 = s[i, k], s[i, LANES + k], s[i, 2 * LANES + k]
        q0, q1, q2 = s[i, 3 * LANES + k], s[i, 4 * LANES + k], s[i, 5 * LANES + k]
        a, c, t = s[i, 9 * LANES + k], s[i, 10 * LANES + k], 2.0 * s[i, 11 * LANES + k]
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
        s1, s2 = s[i, SIGMA + k], s[i, SIGMA + LANES + k]
        given = clamped(s1 * s2, table[b, 8 * LANES + k], table[b, 9 * LANES + k])
        s[i, GIVEN + k], s[i, FOUND + k] = given, area_guess(s1, s2, given)
    if heavy == 0.0:
        return
    for _ in range(MOST_STEPS):
        for k in range(LANES):
            d2, step = area_step(s[i, SIGMA + k], s[i, SIGMA + LANES + k], s[i, FOUND + k], s[i, GIVEN + k])
            s[i, FOUND + k], s[i, STEP + k] = d2, step
        if lanes_above(s, i, STEP, CLOSE) == 0:
            break


@kernel
def push_whole(table, work, s, i, b):
    """Energies of a block, P = F f(C) and the pushes on the corners. Writes: s, work"""
    energy = work.energy
    for k in range(LANES):
        s1, s2 = s[i, SIGMA + k], s[i, SIGMA + LANES + k]
        length, strain, area = table[b, 6 * LANES + k], table[b, 4 * LANES + k], table[b, 5 * LANES + k]
        d2 = s[i, FOUND + k] if area != 0.0 else s2
        m = d2 * (d2 - s2)
        d1, q1 = partner(s1, m)
        a1, a2, c1, c2 = length - s1, length - s2, d1 - s1, d2 - s2
        energy[b, k] = 0.5 * (strain * (a1 * a1 + a2 * a2) + area * (c1 * c1 + c2 * c2))
        f1, f2 = flat_differences(s1, s2, q1, d2 + d2 - s2, strain * length, area, m)
        f1 -= strain + f2 * s1 * s1
        w00, w11, w01 = f1 + f2 * s[i, 9 * LANES + k], f1 + f2 * s[i, 10 * LANES + k], f2 * s[i, 11 * LANES + k]
        # f(C) B^T: what each of the two outer corners takes of the two columns of F.
        m1, m2 = w00 * table[b, k] + w01 * table[b, LANES + k], w01 * table[b, k] + w11 * table[b, LANES + k]
        n1 = w00 * table[b, 2 * LANES + k] + w01 * table[b, 3 * LANES + k]
        n2 = w01 * table[b, 2 * LANES + k] + w11 * table[b, 3 * LANES + k]
        for r in range(3):
            u1, u2 = s[i, r * LANES + k], s[i, (3 + r) * LANES + k]
            f1, f2 = u1 * m1 + u2 * m2, u1 * n1 + u2 * n2
            s[i, PUSH + r * LANES + k] = -(f1 + f2)
            s[i, PUSH + (3 + r) * LANES + k] = f1
            s[i, PUSH + (6 + r) * LANES + k] = f2


@kernel
def push_triangles(table, work, s, i, b):
    """Energies of a block, P = U diag(pull) V^T and the pushes on the corners. Writes: s, work"""
    energy = work.energy
    for k in range(LANES):
        s1, s2 = s[i, SIGMA + k], s[i, SIGMA + LANES + k]
        strain, area = table[b, 4 * LANES + k], table[b, 5 * LANES + k]
        low, high = table[b, 6 * LANES + k], table[b, 7 * LANES + k]
        d2 = s[i, FOUND + k] if area != 0.0 else s2
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
            s[i, PUSH + r * LANES + k] = -(f1 + f2)
            s[i, PUSH + (3 + r) * LANES + k] = f1
            s[i, PUSH + (6 + r) * LANES + k] = f2
