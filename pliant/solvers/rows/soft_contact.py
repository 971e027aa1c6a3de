"""Contacts of soft things: a normal that only pushes and friction within Coulomb's disc, between sides of up to three movers.

A side moves with the weighted mean of its movers, and shares an impulse among them by the same weights, and above or below a
triangle with the moment that is left (borne_above.py); a body on it also turns about the lever to the contact, and answers as
the tree of joints does that it belongs to.
"""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.contact.borne_above import tipped
from ...equations.contact.coulomb import rub
from ...equations.rigid.joint_rows import bow
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, perpendicular, scale, store, sub
from ...model.soft_contacts import (
    ARM,
    COTANGENT,
    DISTANCE,
    GLIDED,
    HEFTS,
    IMPULSES,
    MEETING,
    RESPONSES,
    SOFTNESS,
    TANGENT,
    TOTALS,
)
from ...model.soft_things import VERTEX

PUSH_SHARE, PUSH_SPEED = 0.3, 1.0
"""Of a penetration, what a substep pushes out [-], and how fast at most [m/s]."""


@kernel
def begin_soft_contact(contacts, k, work):
    """Tangents and gap of contact `k`, and the impulse kept, for a step. Writes: work"""
    n, kept, row = load(contacts.normal, k), load(contacts.impulse, k), work.contact
    t = perpendicular(n)
    s = cross(n, t)
    store_at(row, k, TANGENT, t)
    store_at(row, k, COTANGENT, s)
    store_at(row, k, IMPULSES, (dot(kept, n), dot(kept, t), dot(kept, s)))
    store_at(row, k, TOTALS, (0.0, 0.0, 0.0))
    row[k, DISTANCE], row[k, GLIDED] = contacts.separation[k], 0.0


@kernel
def place_soft_contact(contacts, k, bodies, motion, work):
    """Lever of contact `k` where its body is, and how fast the two meet. Writes: work"""
    arm = (0.0, 0.0, 0.0)
    if bodies.link[contacts.mover[k, 0]] != VERTEX:
        arm = sub(load(contacts.position, k), load(motion.position, contacts.mover[k, 0]))
    store_at(work.contact, k, ARM, arm)
    work.contact[k, MEETING] = -dot(load(contacts.normal, k), parting(contacts, k, bodies, motion, arm))


@merged
def prepare_soft_contact(contacts, k, bodies, work):
    """Responses of contact `k`, and how its body answers. Writes: work"""
    arm, row = load_at(work.contact, k, ARM), work.contact
    respond(contacts, k, bodies, work, arm, load(contacts.normal, k), 0)
    respond(contacts, k, bodies, work, arm, load_at(row, k, TANGENT), 1)
    respond(contacts, k, bodies, work, arm, load_at(row, k, COTANGENT), 2)


@merged
def respond(contacts, k, bodies, work, arm, n, r):
    """Speed along `n`, direction `r` of contact `k`, that a unit impulse along it makes between the two sides [1/kg], its
    inverse, and the velocities that it gives a body. Writes: work"""
    total, m = 0.0, contacts.mover[k, 0]
    if bodies.link[m] == VERTEX:
        total = (contacts.weight[k, 0] ** 2 + tipping(contacts, k, 0, n) ** 2) * work.answer[m]
    else:
        v, w = answer_of(work.response, m, n, cross(arm, n))
        store_at(work.body, k, 6 * r, v)
        store_at(work.body, k, 6 * r + 3, w)
        total = dot(n, add(v, cross(w, arm)))
    for c in range(1, 6):
        m = contacts.mover[k, c]
        if m >= 0:
            total += (contacts.weight[k, c] ** 2 + tipping(contacts, k, c, n) ** 2) * work.answer[m]
    work.contact[k, RESPONSES + r] = total
    total += work.contact[k, SOFTNESS] if r == 0 else 0.0
    work.contact[k, HEFTS + r] = 1.0 / total if total > 0.0 else 0.0


@kernel
def answer_of(response, m, p, turn):
    """Changes of velocity and angular velocity of a body for an impulse `p` and an angular one."""
    return (add(mat_at(response, m, 0, p), mat_at(response, m, 3, turn)),
            add(mat_at(response, m, 18, p), mat_at(response, m, 21, turn)))


@kernel
def mat_at(response, m, c, v):
    """A 3 x 3 part of a 6 x 6 matrix, from column `c` of its table on, times `v`."""
    return (dot(load_at(response, m, c), v), dot(load_at(response, m, c + 6), v), dot(load_at(response, m, c + 12), v))


@merged
def parting(contacts, k, bodies, motion, arm):
    """Velocity of side b against side a [m/s]. A body comes last: it waits for what the row before has done to it."""
    out = (0.0, 0.0, 0.0)
    for c in range(1, 6):
        m = contacts.mover[k, c]
        if m >= 0:
            out = add(out, carried_by(contacts, k, c, load(motion.velocity, m)))
    m = contacts.mover[k, 0]
    if bodies.link[m] == VERTEX:
        return add(out, carried_by(contacts, k, 0, load(motion.velocity, m)))
    return sub(out, point_speed(motion, m, arm))


@kernel
def tipping(contacts, k, c, p):
    """What mover `c` of contact `k` bears along the normal of an impulse `p`, beside its share."""
    return dot(load_at(contacts.tilt, k, 3 * c), p) if contacts.tilts[k] else 0.0


@kernel
def share_of(contacts, k, c, p):
    """What mover `c` of contact `k` bears of an impulse `p` on side b."""
    sign = 1.0 if c >= 3 else -1.0
    if contacts.tilts[k]:
        return scale(sign, tipped(contacts.weight[k, c], load_at(contacts.tilt, k, 3 * c), load(contacts.normal, k), p))
    return scale(sign * contacts.weight[k, c], p)


@kernel
def carried_by(contacts, k, c, v):
    """What the velocity `v` of mover `c` is of that at which the sides of contact `k` part."""
    out = scale(contacts.weight[k, c], v)
    if contacts.tilts[k]:
        out = add_scaled(out, dot(load(contacts.normal, k), v), load_at(contacts.tilt, k, 3 * c))
    return scale(1.0 if c >= 3 else -1.0, out)


@kernel
def turns(bodies, motion, m):
    """Whether mover `m` is a body that turns."""
    return bodies.link[m] != VERTEX and norm(load(motion.angular_velocity, m)) > 0.0


@kernel
def turning(contacts, k, motion, arm, h):
    """What a turning body takes its points along by beside their velocities, on average of `h` [s], as `parting` has it [m/s].

    They go round: by their velocities alone what sticks to them would leave them outwards, by r w^2 h / 2.
    """
    return scale(-contacts.weight[k, 0] / h, bow(load(motion.angular_velocity, contacts.mover[k, 0]), arm, h))


@kernel
def point_speed(motion, m, arm):
    """Velocity of a body's point at a lever [m/s]."""
    return add(load(motion.velocity, m), cross(load(motion.angular_velocity, m), arm))


@merged
def push_sides(contacts, k, bodies, motion, work, p):
    """Impulse `p` [N s] on side b, and its opposite on side a. Writes: velocities, work.pull"""
    arm = load_at(work.contact, k, ARM)
    for c in range(6):
        m = contacts.mover[k, c]
        if m >= 0:
            push_mover(m, bodies, motion, work, share_of(contacts, k, c, p), arm)


@merged
def push_mover(m, bodies, motion, work, p, arm):
    """Impulse `p` [N s] on a vertex, or on a body at a lever. Writes: velocities, work.pull"""
    store_at(work.pull, m, 0, add(load_at(work.pull, m, 0), p))
    if bodies.link[m] == VERTEX:
        store(motion.velocity, m, add_scaled(load(motion.velocity, m), work.answer[m], p))
        return
    turn = cross(arm, p)
    store_at(work.pull, m, 3, add(load_at(work.pull, m, 3), turn))
    v, w = answer_of(work.response, m, p, turn)
    store(motion.velocity, m, add(load(motion.velocity, m), v))
    store(motion.angular_velocity, m, add(load(motion.angular_velocity, m), w))


@merged
def push_along(contacts, k, bodies, motion, work, change):
    """Impulses `change` [N s] along normal and tangents of contact `k`. Writes: velocities, work.pull

    As `push_sides`, but a body, that all rows on it wait for, takes what was found ahead to be its answer.
    """
    row, table = work.contact, work.body
    m = contacts.mover[k, 0]
    if bodies.link[m] != VERTEX:
        v, w = load(motion.velocity, m), load(motion.angular_velocity, m)
        for r in range(3):
            v = add_scaled(v, -change[r], load_at(table, k, 6 * r))
            w = add_scaled(w, -change[r], load_at(table, k, 6 * r + 3))
        store(motion.velocity, m, v)
        store(motion.angular_velocity, m, w)
    p = scale(change[0], load(contacts.normal, k))
    p = add_scaled(add_scaled(p, change[1], load_at(row, k, TANGENT)), change[2], load_at(row, k, COTANGENT))
    if bodies.link[m] != VERTEX:
        store_at(work.pull, m, 0, sub(load_at(work.pull, m, 0), p))
        store_at(work.pull, m, 3, sub(load_at(work.pull, m, 3), cross(load_at(row, k, ARM), p)))
    else:
        push_vertex(m, motion, work, share_of(contacts, k, 0, p))
    for c in range(1, 6):
        m = contacts.mover[k, c]
        if m >= 0:
            push_vertex(m, motion, work, share_of(contacts, k, c, p))


@merged
def push_vertex(m, motion, work, p):
    """Impulse `p` [N s] on a vertex. Writes: velocities, work.pull"""
    store_at(work.pull, m, 0, add(load_at(work.pull, m, 0), p))
    store(motion.velocity, m, add_scaled(load(motion.velocity, m), work.answer[m], p))


@kernel
def soft_impulse(contacts, k, work):
    """Of contact `k` on side b in this substep [N s]."""
    p = scale(work.contact[k, IMPULSES], load(contacts.normal, k))
    p = add_scaled(p, work.contact[k, IMPULSES + 1], load_at(work.contact, k, TANGENT))
    return add_scaled(p, work.contact[k, IMPULSES + 2], load_at(work.contact, k, COTANGENT))


@kernel
def gap_speed(gap, slop, h, relaxed):
    """What a gap [m] adds to the speed along the normal that must not be negative [m/s]: room to move, or a push out.

    A penetration up to `slop` [m] is left alone.
    """
    if gap > 0.0:
        return gap / h
    return 0.0 if relaxed else max(PUSH_SHARE * min(gap + slop, 0.0) / h, -PUSH_SPEED)


@merged
def solve_soft_contact(contacts, k, bodies, motion, work, h, relaxed):
    """Returns |d lambda| response [m/s]. Writes: work, velocities"""
    row, n = work.contact, load(contacts.normal, k)
    if not row[k, RESPONSES] > 0.0:
        return 0.0
    speed = parting(contacts, k, bodies, motion, load_at(row, k, ARM))
    kept, gap = row[k, IMPULSES], row[k, DISTANCE]
    miss = dot(n, speed) + gap_speed(gap, contacts.slop[k], h, relaxed) + row[k, SOFTNESS] * kept
    new = max(kept - miss * row[k, HEFTS], 0.0)
    p, q = row[k, IMPULSES + 1], row[k, IMPULSES + 2]
    if new == 0.0 and kept == 0.0 and p == 0.0 and q == 0.0:
        return 0.0
    t, s = load_at(row, k, TANGENT), load_at(row, k, COTANGENT)
    if not relaxed and turns(bodies, motion, contacts.mover[k, 0]):
        speed = add(speed, turning(contacts, k, motion, load_at(row, k, ARM), h))
    new_p, new_q, _ = rub(p, q, dot(t, speed), dot(s, speed), row[k, HEFTS + 1], row[k, HEFTS + 2],
                          contacts.friction[k] * new)
    store_at(row, k, IMPULSES, (new, new_p, new_q))
    push_along(contacts, k, bodies, motion, work, (new - kept, new_p - p, new_q - q))
    return max(abs(new - kept) * row[k, RESPONSES], abs(new_p - p) * row[k, RESPONSES + 1],
               abs(new_q - q) * row[k, RESPONSES + 2])


@kernel
def advance_soft_contact(contacts, k, bodies, motion, work, h):
    """How the gap changes in the substep, and where a body that turns takes it. Writes: work, contacts.position"""
    speed = parting(contacts, k, bodies, motion, load_at(work.contact, k, ARM))
    work.contact[k, DISTANCE] += h * dot(load(contacts.normal, k), speed)
    work.contact[k, GLIDED] = 0.0
    for c in range(3, 6 if turns(bodies, motion, contacts.mover[k, 0]) else 3):
        if contacts.mover[k, c] >= 0:
            way = scale(h * contacts.weight[k, c], load(motion.velocity, contacts.mover[k, c]))
            store(contacts.position, k, add(load(contacts.position, k), way))


@kernel
def sum_soft_contact(k, work, falling):
    """Add up the impulses of a substep. What has stopped things that met faster than `falling` [m/s] is over, and not what
    the next substep will need: it begins without. Writes: work"""
    for r in range(3):
        work.contact[k, TOTALS + r] += work.contact[k, IMPULSES + r]
    if work.contact[k, MEETING] > falling:
        store_at(work.contact, k, IMPULSES, (0.0, 0.0, 0.0))


@kernel
def keep_soft_contact(contacts, k, work, dt):
    """Keep what the next step and readers ask for. Writes: contacts"""
    t, s = load_at(work.contact, k, TANGENT), load_at(work.contact, k, COTANGENT)
    store(contacts.impulse, k, soft_impulse(contacts, k, work))
    contacts.separation[k] = work.contact[k, DISTANCE]
    total = scale(work.contact[k, TOTALS], load(contacts.normal, k))
    total = add_scaled(add_scaled(total, work.contact[k, TOTALS + 1], t), work.contact[k, TOTALS + 2], s)
    store(contacts.force, k, scale(1.0 / dt, total))

