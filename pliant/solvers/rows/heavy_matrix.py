"""The second derivative of heavy_contacts.py: a block of 6 x 6 for each pair of bodies that touch, and Cholesky's factor of it.

Rows lie one after another from the first of a body's neighbours in the order on, in the scratch of few contacts.
"""

from math import sqrt

from ..._jit import kernel
from ...couple.ports import load_at
from ...math.quat import load4
from ...math.sym3 import sym_mul, turned_diagonal
from ...math.vec3 import add, cross, dot, load, scale, sub
from ...model.rows import FRAME, IMPULSE, LEVER_A, LEVER_B, OFF
from .few_springs import first_row

WIDTH = 168
"""Entries of a row of the scratch."""
PLACE, MANY, FIRST, BEGINS, WHO, TRIED, SLOPE = 0, 1, 2, 3, 4, 5, 11
"""Columns of bodies while this lasts: place in the order, number of contacts, first neighbour in it, where its row begins; the
body at that place; velocities that are tried (6); slope of F (6), then the step."""


@kernel
def placed(movers, k):
    """Place of body `k` in the order, -1: it does not move."""
    return movers.start.tried[k, PLACE] if movers.bodies.inverse_mass[k] > 0.0 else -1.0


@kernel
def begin_row(movers, matrix, top, k):
    """Mass and inertia of body `k`, and what they give to the slope. Writes: matrix, movers.start.tried"""
    tried, motion, bodies = movers.start.tried, movers.motion, movers.bodies
    begins, wide = row_of(tried, k)
    for index in range(begins, begins + 6 * wide):
        matrix[top + index // WIDTH, index % WIDTH] = 0.0
    inertia = turned_diagonal(load4(motion.quaternion, k), load(bodies.inertia, k))
    p = scale(bodies.mass[k], sub(load_at(tried, k, TRIED), load(motion.velocity, k)))
    spin = sym_mul(inertia, sub(load_at(tried, k, TRIED + 3), load(motion.angular_velocity, k)))
    for c in range(3):
        tried[k, SLOPE + c], tried[k, SLOPE + 3 + c] = p[c], spin[c]
        axis = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        column = sym_mul(inertia, axis)
        add_entry(matrix, top, begins + c * wide + wide - 6 + c, bodies.mass[k])
        for r in range(3):
            add_entry(matrix, top, begins + (3 + r) * wide + wide - 3 + c, column[r])


@kernel
def row_of(tried, k):
    """(where the six rows of body `k` begin, how wide they are)."""
    return int(tried[k, BEGINS]), 6 * (int(tried[k, PLACE]) + 1 - int(tried[k, FIRST]))


@kernel
def add_entry(matrix, top, index, value):
    """Writes: matrix"""
    matrix[top + index // WIDTH, index % WIDTH] += value


@kernel
def add_contact(movers, touch, top, k, m, stiff):
    """Add contact `k`: its impulses to the slope, how `stiff` it is along its rows to the matrix. Writes: tried, matrix"""
    table, tried, body = touch.work.table, movers.start.tried, touch.work.body
    n, t, s = load_at(table, k, FRAME), load_at(table, k, FRAME + 3), load_at(table, k, FRAME + 6)
    x, y, z = sub(load_at(touch.few.state, m, OFF), load_at(table, k, IMPULSE))
    force = add(scale(x, n), add(scale(y, t), scale(z, s)))
    for side in range(2):
        one, sign = body[k, side], -1.0 if side == 0 else 1.0
        if placed(movers, one) < 0.0:
            continue
        arm = load_at(table, k, LEVER_A if side == 0 else LEVER_B)
        torque = cross(arm, force)
        for c in range(3):
            tried[one, SLOPE + c] -= sign * force[c]
            tried[one, SLOPE + 3 + c] -= sign * torque[c]
        for end in range(2):
            other = body[k, end]
            if 0.0 <= placed(movers, other) <= placed(movers, one):
                at = load_at(table, k, LEVER_A if end == 0 else LEVER_B)
                add_block(tried, touch.few.matrix, top, one, other, arm, at, 1.0 if side == end else -1.0, (n, t, s), stiff)


@kernel
def add_block(tried, matrix, top, one, other, arm, at, sign, frame, stiff):
    """How body `one` at `arm` feels body `other` at `at`. Writes: matrix"""
    begins, wide = row_of(tried, one)
    begins += 6 * (int(tried[other, PLACE]) - int(tried[one, FIRST]))
    for c in range(6):
        axis = (1.0 if c % 3 == 0 else 0.0, 1.0 if c % 3 == 1 else 0.0, 1.0 if c % 3 == 2 else 0.0)
        moved = axis if c < 3 else cross(axis, at)
        x, y, z = dot(frame[0], moved), dot(frame[1], moved), dot(frame[2], moved)
        force = add(scale(sign * stiff[0] * x, frame[0]), add(scale(sign * (stiff[1] * y + stiff[3] * z), frame[1]),
                                                              scale(sign * (stiff[2] * z + stiff[3] * y), frame[2])))
        torque = cross(arm, force)
        for r in range(3):
            add_entry(matrix, top, begins + r * wide + c, force[r])
            add_entry(matrix, top, begins + (3 + r) * wide + c, torque[r])


@kernel
def inner(matrix, top, p, q, count):
    """Sum of the products of `count` entries from `p` and from `q` on."""
    whole = 0.0
    for c in range(count):
        whole += matrix[top + (p + c) // WIDTH, (p + c) % WIDTH] * matrix[top + (q + c) // WIDTH, (q + c) % WIDTH]
    return whole


@kernel
def factor(tried, matrix, islands, i):
    """Cholesky's factor, row by row within its envelope. Writes: matrix"""
    top, first, count = first_row(islands, i), islands.first_body[i], bodies_in(tried, islands, i)
    for p in range(count):
        k = int(tried[islands.body[first + p], WHO])
        begins, wide = row_of(tried, k)
        low = int(tried[k, FIRST])
        for r in range(6):
            row = begins + r * wide
            for q in range(low, p + 1):
                other = int(tried[islands.body[first + q], WHO])
                at, broad = row_of(tried, other)
                left = max(low, int(tried[other, FIRST]))
                for c in range(6 if q < p else r + 1):
                    column, done = row + 6 * (q - low) + c, 6 * (q - left) + c
                    value = matrix[top + column // WIDTH, column % WIDTH] - inner(
                        matrix, top, row + 6 * (left - low), at + c * broad + 6 * (left - int(tried[other, FIRST])), done)
                    if q == p and c == r:
                        value = sqrt(max(value, 1e-300))
                    else:
                        own = at + c * broad + broad - 6 + c
                        value /= matrix[top + own // WIDTH, own % WIDTH]
                    matrix[top + column // WIDTH, column % WIDTH] = value


@kernel
def bodies_in(tried, islands, i):
    """How many bodies of an island move."""
    count = 0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        count += tried[islands.body[m], PLACE] >= 0.0
    return count


@kernel
def solve(tried, matrix, islands, i):
    """The step, in place of the slope; returns its largest entry [m/s or rad/s]. Writes: tried"""
    top, first, count, worst = first_row(islands, i), islands.first_body[i], bodies_in(tried, islands, i), 0.0
    for p in range(count):
        k = int(tried[islands.body[first + p], WHO])
        begins, wide = row_of(tried, k)
        for r in range(6):
            value, row = tried[k, SLOPE + r], begins + r * wide
            for c in range(wide - 6 + r):
                other = int(tried[islands.body[first + int(tried[k, FIRST]) + c // 6], WHO])
                value -= matrix[top + (row + c) // WIDTH, (row + c) % WIDTH] * tried[other, SLOPE + c % 6]
            own = row + wide - 6 + r
            tried[k, SLOPE + r] = value / matrix[top + own // WIDTH, own % WIDTH]
    for back in range(count):
        k = int(tried[islands.body[first + count - 1 - back], WHO])
        begins, wide = row_of(tried, k)
        for down in range(6):
            r = 5 - down
            row = begins + r * wide
            own = row + wide - 6 + r
            value = tried[k, SLOPE + r] / matrix[top + own // WIDTH, own % WIDTH]
            tried[k, SLOPE + r] = value
            for c in range(wide - 6 + r):
                other = int(tried[islands.body[first + int(tried[k, FIRST]) + c // 6], WHO])
                tried[other, SLOPE + c % 6] -= matrix[top + (row + c) // WIDTH, (row + c) % WIDTH] * value
    for m in range(first, islands.first_body[i + 1]):
        k = islands.body[m]
        if tried[k, PLACE] >= 0.0:
            for c in range(6):
                tried[k, SLOPE + c] = -tried[k, SLOPE + c]
                if not abs(tried[k, SLOPE + c]) <= worst:
                    worst = abs(tried[k, SLOPE + c])  # also when it is not a number
    return worst
