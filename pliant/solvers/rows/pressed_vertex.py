"""A vertex pressed between two bodies: what one of them pushes the other bears, and the vertex itself hardly answers.

Visited in turn, two contacts of a vertex of mass m under a body of mass M come nearer to what they bear by m / M a visit. So
the contact k with the lighter body A is also changed together with j, of what lies below it, by one push that goes through,

    d lambda_k = d lambda_j = d,  n_j = -n_k:   u_k + u_j + (r_A + r_B + r_v |n_k + n_j|^2) d = 0,   lambda >= 0

with u the speeds that must not be negative and r how the bodies A, B and the vertex v answer; and likewise by a rub, as far as
friction of both bears it. That is one more direction along which the same energy is made least: where sweeps end is the same.

Check: tests/soft/test_pressed_vertex.py
"""

from math import sqrt

from ..._jit import kernel, merged
from ...couple.ports import load_at
from ...math.vec3 import add, add_scaled, dot, load, scale, sub
from ...model.soft_contacts import ARM, COTANGENT, DISTANCE, IMPULSES, RESPONSES, SOFTNESS, TANGENT
from ...model.soft_things import VERTEX
from .soft_contact import gap_speed, parting, push_sides

OPPOSED = -0.99
"""The cosine of the normals of two contacts up to which one pushes on to the other [-]: a push leaves the vertex a seventh of
itself at most."""
FIRM = 1e-9
"""Answers below this share of what the vertex answers are rounding [-]: neither body yields."""


@kernel
def find_below(contacts, k, bodies, work):
    """Note contact `k` of a body with one vertex, if that touches none that is heavier. Writes: work.below"""
    a, v = contacts.mover[k, 0], contacts.mover[k, 3]
    if bodies.link[a] != VERTEX and v >= 0 and contacts.mover[k, 4] < 0:
        j = work.below[v]
        if j < 0 or bodies.inverse_mass[a] < bodies.inverse_mass[contacts.mover[j, 0]]:
            work.below[v] = k


@kernel
def find_through(contacts, k, bodies, work):
    """Which contact below contact `k` of a body with one vertex bears what it pushes, -1: none. Writes: work.through"""
    a, v = contacts.mover[k, 0], contacts.mover[k, 3]
    work.through[k] = -1
    if bodies.link[a] != VERTEX and v >= 0 and contacts.mover[k, 4] < 0:
        j = work.below[v]
        if contacts.mover[j, 0] != a and dot(load(contacts.normal, j), load(contacts.normal, k)) < OPPOSED:
            work.through[k] = j


@merged
def pass_push(contacts, k, j, bodies, motion, work, h, relaxed):
    """Push from contact `k` through its vertex to contact `j`. Writes: work, velocities"""
    row, n, m = work.contact, load(contacts.normal, k), load(contacts.normal, j)
    beside = add(n, m)
    answer = row[k, RESPONSES] + row[j, RESPONSES] + work.answer[contacts.mover[k, 3]] * (dot(beside, beside) - 2.0)
    answer += row[k, SOFTNESS] + row[j, SOFTNESS]
    if answer > FIRM * row[k, RESPONSES]:
        speed = dot(n, parting(contacts, k, bodies, motion, load_at(row, k, ARM)))
        speed += dot(m, parting(contacts, j, bodies, motion, load_at(row, j, ARM)))
        speed += row[k, SOFTNESS] * row[k, IMPULSES] + row[j, SOFTNESS] * row[j, IMPULSES]
        speed += gap_speed(row[k, DISTANCE], contacts.slop[k], h, relaxed)
        speed += gap_speed(row[j, DISTANCE], contacts.slop[j], h, relaxed)
        push = max(-speed / answer, -min(row[k, IMPULSES], row[j, IMPULSES]))
        row[k, IMPULSES] += push
        row[j, IMPULSES] += push
        push_sides(contacts, k, bodies, motion, work, scale(push, n))
        push_sides(contacts, j, bodies, motion, work, scale(push, m))


@merged
def pass_rub(contacts, k, j, bodies, motion, work):
    """Rub from contact `k` through its vertex, as far as both contacts of it stick. Writes: work, velocities"""
    row, t, s = work.contact, load_at(work.contact, k, TANGENT), load_at(work.contact, k, COTANGENT)
    answer = max(row[k, RESPONSES + 1], row[k, RESPONSES + 2]) + max(row[j, RESPONSES + 1], row[j, RESPONSES + 2])
    answer -= 2.0 * work.answer[contacts.mover[k, 3]]
    if answer > FIRM * row[k, RESPONSES + 1]:
        speed = sub(parting(contacts, k, bodies, motion, load_at(row, k, ARM)),
                    parting(contacts, j, bodies, motion, load_at(row, j, ARM)))
        p = add_scaled(scale(-dot(t, speed) / answer, t), -dot(s, speed) / answer, s)
        share = min(reach(contacts, k, row, p), reach(contacts, j, row, scale(-1.0, p)))
        rub_by(contacts, k, bodies, motion, work, scale(share, p))
        rub_by(contacts, j, bodies, motion, work, scale(-share, p))


@kernel
def rub_by(contacts, k, bodies, motion, work, p):
    """Let contact `k` rub by `p` [N s] more, but for its part along the normal. Writes: work, velocities"""
    row, t, s = work.contact, load_at(work.contact, k, TANGENT), load_at(work.contact, k, COTANGENT)
    along, across = dot(t, p), dot(s, p)
    row[k, IMPULSES + 1] += along
    row[k, IMPULSES + 2] += across
    push_sides(contacts, k, bodies, motion, work, add_scaled(scale(along, t), across, s))


@kernel
def reach(contacts, k, row, p):
    """The share, up to one, of a rub `p` [N s] that friction of contact `k` bears beside what it bears now [-]."""
    x, y, radius = row[k, IMPULSES + 1], row[k, IMPULSES + 2], contacts.friction[k] * row[k, IMPULSES]
    dx, dy = dot(load_at(row, k, TANGENT), p), dot(load_at(row, k, COTANGENT), p)
    inside, square, along = radius * radius - x * x - y * y, dx * dx + dy * dy, x * dx + y * dy
    if inside <= 0.0:
        return 0.0
    if square + 2.0 * along <= inside:
        return 1.0
    return (sqrt(along * along + square * inside) - along) / square
