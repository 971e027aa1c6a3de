"""Sweeps of position based dynamics: strain, volume, bending, pins, one constraint after another."""

from ..._jit import entry, kernel
from ...equations.elastic.bending_angle import bend_target
from ...equations.elastic.position_projection import share_of
from ...equations.elastic.strain_projection import clamped
from ...equations.elastic.volume_projection import with_area, with_product
from ...math.svd3 import LANES, svd3, svd32
from ...math.vec3 import dot, load, scale, sub
from ...model.soft import Elements, Pins, SoftWork, Vertices
from ..soft.cells import corner_of, pulled
from ..soft.examples import gradient_of


@entry
def sweep_cells(cells: Elements, vertices: Vertices, work: SoftWork) -> None:
    """Strain, then volume of each cell. Writes: work.place"""
    for b in range(cells.vertex.shape[0]):
        for k in range(LANES):
            table = cells.table
            if table[b, 9 * LANES + k] > 0.0:
                u, s, v = svd3(gradient_of(cells, work.place, b, k))
                low, high = table[b, 11 * LANES + k], table[b, 12 * LANES + k]
                d = (clamped(s[0], low, high) - s[0], clamped(s[1], low, high) - s[1], clamped(s[2], low, high) - s[2])
                move_cell(cells, vertices, work.place, u, d, v, b, k)
            if table[b, 10 * LANES + k] > 0.0:
                u, s, v = svd3(gradient_of(cells, work.place, b, k))
                volume = s[0] * s[1] * s[2]
                wanted = clamped(volume, table[b, 13 * LANES + k], table[b, 14 * LANES + k])
                if wanted != volume:
                    move_cell(cells, vertices, work.place, u, sub(with_product(s, wanted), s), v, b, k)


@kernel
def move_cell(cells, vertices, place, u, d, v, b, k):
    """Move the corners of a cell so that its singular values change by `d`. Writes: place"""
    g1, g2 = corner_of(cells.table, b, k), corner_of(cells.table, b, 3 * LANES + k)
    g3 = corner_of(cells.table, b, 6 * LANES + k)
    q1, q2, q3 = pulled(u, d, v, g1), pulled(u, d, v, g2), pulled(u, d, v, g3)
    q0 = (-q1[0] - q2[0] - q3[0], -q1[1] - q2[1] - q3[1], -q1[2] - q2[2] - q3[2])
    a0, a1, a2, a3 = (cells.vertex[b, k], cells.vertex[b, LANES + k], cells.vertex[b, 2 * LANES + k],
                      cells.vertex[b, 3 * LANES + k])
    w = vertices.inverse_mass
    total = w[a0] * dot(q0, q0) + w[a1] * dot(q1, q1) + w[a2] * dot(q2, q2) + w[a3] * dot(q3, q3)
    share = share_of(dot(d, d), total)
    shift(place, a0, w[a0] * share, q0)
    shift(place, a1, w[a1] * share, q1)
    shift(place, a2, w[a2] * share, q2)
    shift(place, a3, w[a3] * share, q3)


@kernel
def shift(place, v, factor, q):
    """Writes: place"""
    place[v, 0] += factor * q[0]
    place[v, 1] += factor * q[1]
    place[v, 2] += factor * q[2]


@entry
def sweep_triangles(triangles: Elements, vertices: Vertices, work: SoftWork) -> None:
    """Strain, then area of each triangle. Writes: work.place"""
    for b in range(triangles.vertex.shape[0]):
        for k in range(LANES):
            table = triangles.table
            if table[b, 4 * LANES + k] > 0.0:
                move_triangle(triangles, vertices, work.place, b, k, False)
            if table[b, 5 * LANES + k] > 0.0:
                move_triangle(triangles, vertices, work.place, b, k, True)


@kernel
def move_triangle(triangles, vertices, place, b, k, area):
    """Move the corners of a triangle to its strain or its area. Writes: place"""
    table = triangles.table
    a0, a1, a2 = triangles.vertex[b, k], triangles.vertex[b, LANES + k], triangles.vertex[b, 2 * LANES + k]
    d, e = sub(load(place, a1), load(place, a0)), sub(load(place, a2), load(place, a0))
    b00, b01, b10, b11 = table[b, k], table[b, LANES + k], table[b, 2 * LANES + k], table[b, 3 * LANES + k]
    u, s, v = svd32((d[0] * b00 + e[0] * b10, d[1] * b00 + e[1] * b10, d[2] * b00 + e[2] * b10),
                    (d[0] * b01 + e[0] * b11, d[1] * b01 + e[1] * b11, d[2] * b01 + e[2] * b11))
    t0, t1 = wanted_stretch(s, table, b, k, area)
    c0, c1 = t0 - s[0], t1 - s[1]
    # V has the columns (cosine, -sine) and (sine, cosine).
    m0, m1 = c0 * (v[0] * b00 - v[1] * b01), c1 * (v[1] * b00 + v[0] * b01)
    n0, n1 = c0 * (v[0] * b10 - v[1] * b11), c1 * (v[1] * b10 + v[0] * b11)
    q1 = (m0 * u[0][0] + m1 * u[1][0], m0 * u[0][1] + m1 * u[1][1], m0 * u[0][2] + m1 * u[1][2])
    q2 = (n0 * u[0][0] + n1 * u[1][0], n0 * u[0][1] + n1 * u[1][1], n0 * u[0][2] + n1 * u[1][2])
    q0 = (-q1[0] - q2[0], -q1[1] - q2[1], -q1[2] - q2[2])
    w = vertices.inverse_mass
    share = share_of(c0 * c0 + c1 * c1, w[a0] * dot(q0, q0) + w[a1] * dot(q1, q1) + w[a2] * dot(q2, q2))
    shift(place, a0, w[a0] * share, q0)
    shift(place, a1, w[a1] * share, q1)
    shift(place, a2, w[a2] * share, q2)


@kernel
def wanted_stretch(s, table, b, k, area):
    """The two singular values of the nearest triangle within range."""
    if not area:
        low, high = table[b, 6 * LANES + k], table[b, 7 * LANES + k]
        return clamped(s[0], low, high), clamped(s[1], low, high)
    wanted = clamped(s[0] * s[1], table[b, 8 * LANES + k], table[b, 9 * LANES + k])
    if s[0] >= s[1]:
        return with_area(s[0], s[1], wanted)
    large, small = with_area(s[1], s[0], wanted)
    return small, large


@entry
def sweep_bends(bends: Elements, vertices: Vertices, work: SoftWork) -> None:
    """The angle of each inner edge. Writes: work.place"""
    place, w = work.place, vertices.inverse_mass
    for b in range(bends.vertex.shape[0]):
        for k in range(LANES):
            if bends.table[b, 4 * LANES + k] <= 0.0:
                continue
            a0, a1, a2, a3 = (bends.vertex[b, k], bends.vertex[b, LANES + k], bends.vertex[b, 2 * LANES + k],
                              bends.vertex[b, 3 * LANES + k])
            c0, c1 = bends.table[b, k], bends.table[b, LANES + k]
            c2, c3 = bends.table[b, 2 * LANES + k], bends.table[b, 3 * LANES + k]
            x0, x1, x2, x3 = load(place, a0), load(place, a1), load(place, a2), load(place, a3)
            y = (c1 * (x1[0] - x0[0]) + c2 * (x2[0] - x0[0]) + c3 * (x3[0] - x0[0]),
                 c1 * (x1[1] - x0[1]) + c2 * (x2[1] - x0[1]) + c3 * (x3[1] - x0[1]),
                 c1 * (x1[2] - x0[2]) + c2 * (x2[2] - x0[2]) + c3 * (x3[2] - x0[2]))
            q = sub(bend_target(y, x0, x1, x2, x3, bends.table[b, 5 * LANES + k]), y)
            total = dot(q, q) * (w[a0] * c0 * c0 + w[a1] * c1 * c1 + w[a2] * c2 * c2 + w[a3] * c3 * c3)
            share = share_of(dot(q, q), total)
            shift(place, a0, w[a0] * share, scale(c0, q))
            shift(place, a1, w[a1] * share, scale(c1, q))
            shift(place, a2, w[a2] * share, scale(c2, q))
            shift(place, a3, w[a3] * share, scale(c3, q))


@entry
def sweep_pins(pins: Pins, vertices: Vertices, work: SoftWork) -> None:
    """A pinned vertex goes to its target. Writes: work.place"""
    for v in range(pins.weight.shape[0]):
        if pins.weight[v] > 0.0 and vertices.inverse_mass[v] > 0.0:
            work.place[v, 0] = pins.target[v, 0]
            work.place[v, 1] = pins.target[v, 1]
            work.place[v, 2] = pins.target[v, 2]
