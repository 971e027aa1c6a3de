"""The rows between soft things and what they touch or hang on, as one dense system: filled, read off, and applied."""

from ..._jit import entry, kernel, merged
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, scale, store
from ...model.islands import Islands
from ...model.sets import Movers, Softwork
from ...model.soft_contacts import ARM, COTANGENT, DISTANCE, IMPULSES, TANGENT, TIE_ARM
from ...model.soft_matrix import PortOf, RowMatrix, RowTable
from ...model.soft_things import VERTEX
from ...solvers.rows.soft_contact import answer_of, gap_speed, parting, share_of, turning, turns
from ...solvers.rows.soft_follow import bowed
from ...solvers.rows.tie import closing
from ..ports import load_at, store_at


@entry
def list_rows(movers: Movers, softwork: Softwork, islands: Islands, table: RowTable, port_of: PortOf, i: int) -> int:
    """Write down all rows of island `i`; returns how many blocks are ties. Writes: table"""
    r = 0
    for m in range(islands.first_tie[i], islands.first_tie[i + 1]):
        k = islands.tie[m]
        a, b = softwork.ties.mover[k, 0], softwork.ties.mover[k, 1]
        if port_of[b] < 0:
            continue  # a vertex that is pinned as well
        _clear(table, r, k, load_at(softwork.work.tie, k, TIE_ARM))
        _add_mover(movers.bodies.link, port_of, table, r, 0, a, -1.0)
        _add_mover(movers.bodies.link, port_of, table, r, 3, b, 1.0)
        for c in range(9):
            table.direction[r, c] = 1.0 if c % 4 == 0 else 0.0
        r += 1
    ties = r
    for m in range(islands.first_touch[i], islands.first_touch[i + 1]):
        k = islands.touch[m]
        _clear(table, r, k, load_at(softwork.work.contact, k, ARM))
        for c in range(6):
            w = softwork.contacts.weight[k, c]
            _add_mover(movers.bodies.link, port_of, table, r, c, softwork.contacts.mover[k, c], w if c >= 3 else -w)
        store_at(table.direction, r, 0, load(softwork.contacts.normal, k))
        store_at(table.direction, r, 3, load_at(softwork.work.contact, k, TANGENT))
        store_at(table.direction, r, 6, load_at(softwork.work.contact, k, COTANGENT))
        table.tilts[r] = softwork.contacts.tilts[k]
        for c in range(6 if table.tilts[r] else 0):
            tilt, sign = load_at(softwork.contacts.tilt, k, 3 * c), 1.0 if c >= 3 else -1.0
            table.tip[r, 2 * c] = sign * dot(tilt, load_at(table.direction, r, 3))
            table.tip[r, 2 * c + 1] = sign * dot(tilt, load_at(table.direction, r, 6))
        table.friction[r] = softwork.contacts.friction[k]
        r += 1
    return ties


@merged
def _clear(table, r, k, arm):
    """Block `r` of tie or contact `k`, without movers. Writes: table"""
    table.number[r], table.body[r], table.tilts[r] = k, -1, 0
    store(table.arm, r, arm)
    for c in range(6):
        table.port[r, c], table.share[r, c] = -1, 0.0


@merged
def _add_mover(link, port_of, table, r, c, m, share):
    """Writes: table"""
    if m >= 0 and link[m] == VERTEX:
        table.port[r, c], table.share[r, c] = port_of[m], share
    elif m >= 0:
        table.body[r] = m


@entry
def fill_matrix(softwork: Softwork, table: RowTable, rows: RowMatrix, blocks: int, ports: int) -> None:
    """J A^-1 J^T of `blocks` blocks of rows that act on `ports` vertices and on bodies. Writes: rows.half, rows.matrix

    Vertices answer alike along x, y and z, so that two blocks answer each other by one number times the products of their
    directions, and by a few more where they tip triangles; bodies answer by six by six numbers.
    """
    for r in range(blocks):
        _halve(table, rows, r, 0, ports)
        for a in range(1, 3 if table.tilts[r] else 1):
            _halve(table, rows, r, a, ports)
        for q in range(r + 1):
            _meet(rows.matrix, table, softwork.work.response, r, q, _joined(table, rows.half, r, 0, q, 0))
            if table.tilts[r] or table.tilts[q]:
                _tip(table, rows, r, q)


@kernel
def factor_of(table, r, a, c):
    """Of block `r` the share of vertex `c`, or for a = 1 and 2 what it bears along the normal of that row."""
    return table.share[r, c] if a == 0 else (table.tip[r, 2 * c + a - 1] if table.tilts[r] else 0.0)


@merged
def _halve(table, rows, r, a, ports):
    """How ports answer factors `a` of block `r`. Writes: rows.half"""
    for p in range(ports):
        rows.half[3 * r + a, p] = 0.0
    for c in range(6):
        k = table.port[r, c]
        if k >= 0:
            f = factor_of(table, r, a, c)
            for p in range(ports):
                rows.half[3 * r + a, p] += f * rows.gain[k, p]


@merged
def _joined(table, half, r, a, q, b):
    """How factors `b` of block `q` answer factors `a` of block `r` [1/kg]."""
    w = 0.0
    for c in range(6):
        if table.port[q, c] >= 0:
            w += half[3 * r + a, table.port[q, c]] * factor_of(table, q, b, c)
    return w


@merged
def _tip(table, rows, r, q):
    """Add to the nine numbers of blocks `r` and `q` what their vertices bear along the normals. Writes: rows.matrix"""
    n, m = load_at(table.direction, r, 0), load_at(table.direction, q, 0)
    for b in range(1, 3 if table.tilts[q] else 1):
        w = _joined(table, rows.half, r, 0, q, b)
        for a in range(3):
            _add(rows.matrix, r, a, q, b, w * dot(load_at(table.direction, r, 3 * a), m))
    for a in range(1, 3 if table.tilts[r] else 1):
        w = _joined(table, rows.half, r, a, q, 0)
        for b in range(3):
            _add(rows.matrix, r, a, q, b, w * dot(n, load_at(table.direction, q, 3 * b)))
        for b in range(1, 3 if table.tilts[q] else 1):
            _add(rows.matrix, r, a, q, b, _joined(table, rows.half, r, a, q, b) * dot(n, m))


@kernel
def _add(matrix, r, a, q, b, one):
    """Add to how row `a` of block `r` and row `b` of block `q`, no later one, answer each other. Writes: matrix"""
    matrix[3 * r + a, 3 * q + b] += one
    if q < r:
        matrix[3 * q + b, 3 * r + a] += one


@merged
def _meet(matrix, table, response, r, q, w):
    """The nine numbers of blocks `r` and `q`, which soft things join by `w` [1/kg]. Writes: matrix"""
    joined = table.body[r] >= 0 and table.body[r] == table.body[q]
    arm_r, arm_q = load(table.arm, r), load(table.arm, q)
    for a in range(3):
        d = load_at(table.direction, r, 3 * a)
        u = scale(w, d)
        if joined:
            v, turn = answer_of(response, table.body[r], d, cross(arm_r, d))
            u = add(u, add(v, cross(turn, arm_q)))
        for b in range(3):
            one = dot(u, load_at(table.direction, q, 3 * b))
            matrix[3 * r + a, 3 * q + b] = one
            matrix[3 * q + b, 3 * r + a] = one


@entry
def add_along(table: RowTable, rows: RowMatrix, blocks: int, first: int, last: int) -> None:
    """Add to J A^-1 J^T what ports `first` to `last` answer of which x, y and z answer each other. Writes: rows.matrix"""
    port, share, gain = table.port, table.share, rows.along
    for r in range(blocks):
        for q in range(r + 1):
            if table.tilts[r] or table.tilts[q]:
                _join_corners(table, rows, r, q, first, last)
                continue
            x, y, z, meet = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False
            for c in range(6):
                i = port[r, c]
                for d in range(6 if first <= i < last else 0):
                    j = port[q, d]
                    if first <= j < last:
                        meet, w, at, b = True, share[r, c] * share[q, d], 3 * (i - first), 3 * (j - first)
                        x = add_scaled(x, w, load_at(gain, at, b))
                        y = add_scaled(y, w, load_at(gain, at + 1, b))
                        z = add_scaled(z, w, load_at(gain, at + 2, b))
            if meet:
                _join(rows.matrix, table, r, q, x, y, z)


@kernel
def along_of(table, r, a, c):
    """What vertex `c` of block `r` bears of a unit impulse along row `a`."""
    out = scale(table.share[r, c], load_at(table.direction, r, 3 * a))
    return add_scaled(out, factor_of(table, r, a, c), load_at(table.direction, r, 0)) if a > 0 else out


@merged
def _join_corners(table, rows, r, q, first, last):
    """`_join` of blocks whose corners bear moments too. Writes: rows.matrix"""
    for a in range(3):
        for c in range(6):
            i = table.port[r, c]
            if not first <= i < last:
                continue
            push, at = along_of(table, r, a, c), 3 * (i - first)
            for d in range(6):
                j = table.port[q, d]
                if not first <= j < last:
                    continue
                u, b = (0.0, 0.0, 0.0), 3 * (j - first)
                for x in range(3):
                    u = add_scaled(u, push[x], load_at(rows.along, at + x, b))
                for e in range(3):
                    _add(rows.matrix, r, a, q, e, dot(u, along_of(table, q, e, d)))


@merged
def _join(matrix, table, r, q, x, y, z):
    """Add the nine numbers of blocks `r` and `q`, whose vertices answer by the matrix of rows x, y and z. Writes: matrix"""
    for a in range(3):
        d = load_at(table.direction, r, 3 * a)
        u = add_scaled(add_scaled(scale(d[0], x), d[1], y), d[2], z)
        for b in range(3):
            _add(matrix, r, a, q, b, dot(u, load_at(table.direction, q, 3 * b)))


@entry
def read_rows(movers: Movers, softwork: Softwork, table: RowTable, ties: int, blocks: int, h: float, relaxed: bool) -> None:
    """Speeds of all rows now, and impulses of contacts. Writes: table

    `relaxed`: contacts are not pushed out, and ties are to go on as they did (`ListedRows.go_on`).
    """
    work = softwork.work
    for r in range(blocks):
        k = table.number[r]
        if r < ties:
            if not relaxed:
                store(table.speed, r, closing(softwork.ties, k, movers.bodies, movers.motion, work, h))
            continue
        parts = speed = parting(softwork.contacts, k, movers.bodies, movers.motion, load(table.arm, r))
        table.speed[r, 0] = dot(speed, load_at(table.direction, r, 0))
        if not relaxed and turns(movers.bodies, movers.motion, softwork.contacts.mover[k, 0]):
            speed = add(speed, turning(softwork.contacts, k, movers.motion, load(table.arm, r), h))
        for a in range(1, 3):
            table.speed[r, a] = dot(speed, load_at(table.direction, r, 3 * a))
        gap = work.contact[k, DISTANCE]
        table.speed[r, 0] += gap_speed(gap, softwork.contacts.slop[k], h, relaxed)
        if relaxed and gap > 0.0:
            table.speed[r, 0] += bowed(softwork.contacts, k, softwork.shapes, movers.motion, parts, h)
        store(table.impulse, r, load_at(work.contact, k, IMPULSES))


@entry
def push_rows(movers: Movers, softwork: Softwork, table: RowTable, ties: int, blocks: int) -> None:
    """Let the impulses of all rows change. Writes: softwork, velocities of bodies, pulls on all movers

    Vertices get their velocities from their own blocks.
    """
    work, motion, link = softwork.work, movers.motion, movers.bodies.link
    for r in range(blocks):
        k, p = table.number[r], scale(table.change[r, 0], load_at(table.direction, r, 0))
        p = add_scaled(p, table.change[r, 1], load_at(table.direction, r, 3))
        p = add_scaled(p, table.change[r, 2], load_at(table.direction, r, 6))
        if r < ties:
            store(softwork.state.impulse, k, add(load(softwork.state.impulse, k), p))
            _pull(link, softwork.ties.mover[k, 0], motion, work, neg(p), load(table.arm, r))
            _pull(link, softwork.ties.mover[k, 1], motion, work, p, load(table.arm, r))
            continue
        store_at(work.contact, k, IMPULSES, load(table.impulse, r))
        for c in range(6):
            m = softwork.contacts.mover[k, c]
            if m >= 0:
                _pull(link, m, motion, work, share_of(softwork.contacts, k, c, p), load(table.arm, r))


@merged
def _pull(link, m, motion, work, p, arm):
    """Impulse `p` [N s] on a vertex, or on a body at a lever. Writes: work.pull, velocities of bodies"""
    store_at(work.pull, m, 0, add(load_at(work.pull, m, 0), p))
    if link[m] != VERTEX:
        turn = cross(arm, p)
        store_at(work.pull, m, 3, add(load_at(work.pull, m, 3), turn))
        v, w = answer_of(work.response, m, p, turn)
        store(motion.velocity, m, add(load(motion.velocity, m), v))
        store(motion.angular_velocity, m, add(load(motion.angular_velocity, m), w))
