"""Rows of contacts: a normal that only pushes, softly and beforehand, and friction within Coulomb's disc."""

from ..._jit import kernel
from ...couple.ports import load_at, push_row, row_speed, store_at, write_row
from ...equations.contact.coulomb import within_disc
from ...equations.contact.restitution import rebound_speed
from ...equations.rigid.soft_constraint import softness_by_frequency
from ...math.vec3 import add_scaled, cross, dot, load, perpendicular, scale, store, sub
from ...model.rows import APPROACH, FRICTION, GAP, IMPULSE, RESPONSE, RESTITUTION, SLIP, TOTAL

PUSH_SPEED = 3.0
"""Largest speed [m/s] at which a penetration is pushed out."""
DAMPING_RATIO = 10.0
"""Of the spring that pushes a penetration out [-]."""
RATE = 0.25
"""Frequency of that spring, as a share of the substeps' [-]."""
SLOP = 2e-4
"""Penetration [m] that is left alone, so that resting contacts do not come and go and heaps calm down."""
CREEP_BACK = 0.2
"""Share of a sticking contact's creep that a substep takes back [-]."""


@kernel
def prepare_contact(contacts, k, shapes, ports, motion, rows, work):
    """Rows of contact `k` for a whole step: its point and normal stay, its gap changes. Writes: rows 3k to 3k + 2, work"""
    s_a, s_b = contacts.shape[k, 0], contacts.shape[k, 1]
    a, b = shapes.body[s_a], shapes.body[s_b]
    point, n = load(contacts.position, k), load(contacts.normal, k)
    r_a, r_b = sub(point, load(motion.position, a)), sub(point, load(motion.position, b))
    t = perpendicular(n)
    s = cross(n, t)
    write_row(rows, 3 * k, ports, a, b, n, cross(r_a, n), cross(r_b, n))
    write_row(rows, 3 * k + 1, ports, a, b, t, cross(r_a, t), cross(r_b, t))
    write_row(rows, 3 * k + 2, ports, a, b, s, cross(r_a, s), cross(r_b, s))
    kept, crept = load(contacts.friction_impulse, k), load(contacts.slip, k)
    work.body[k, 0], work.body[k, 1] = a, b
    store_at(work.table, k, IMPULSE, (contacts.impulse[k], dot(kept, t), dot(kept, s)))
    store_at(work.table, k, TOTAL, (0.0, 0.0, 0.0))
    work.table[k, SLIP], work.table[k, SLIP + 1] = dot(crept, t), dot(crept, s)
    work.table[k, GAP] = contacts.separation[k]
    work.table[k, FRICTION] = max(shapes.friction[s_a], shapes.friction[s_b])
    work.table[k, RESTITUTION] = max(shapes.restitution[s_a], shapes.restitution[s_b])


@kernel
def meet(k, motion, rows, work):
    """Note the speed with which the surfaces meet, before any impulse. Writes: work"""
    work.table[k, APPROACH] = row_speed(rows, 3 * k, motion, work.body[k, 0], work.body[k, 1])


@kernel
def warm_start_contact(k, motion, rows, work):
    """Writes: velocities"""
    for r in range(3):
        push_row(rows, 3 * k + r, motion, work.body[k, 0], work.body[k, 1], work.table[k, IMPULSE + r])


@kernel
def solve_contact(k, motion, rows, work, h, relaxed):
    """Returns |d lambda| response. Writes: work, velocities"""
    a, b = work.body[k, 0], work.body[k, 1]
    change = solve_friction(k, a, b, motion, rows, work, h, relaxed)
    gap, response, kept = work.table[k, GAP], rows.table[3 * k, RESPONSE], work.table[k, IMPULSE]
    speed = row_speed(rows, 3 * k, motion, a, b)
    if gap > 0.0:
        new = kept - (speed + gap / h) / response
    elif relaxed:
        new = kept - speed / response
    else:
        soft = softness_by_frequency(RATE / h, DAMPING_RATIO, response, h)
        bias = max(soft.beta / h * min(gap + SLOP, 0.0), -PUSH_SPEED)
        new = kept - (speed + bias + soft.gamma * kept) / (response + soft.gamma)
    new = max(new, 0.0)
    work.table[k, IMPULSE] = new
    push_row(rows, 3 * k, motion, a, b, new - kept)
    return max(change, abs(new - kept) * response)


@kernel
def solve_friction(k, a, b, motion, rows, work, h, relaxed):
    """Both tangents, within the disc that the normal impulse allows; returns |d lambda| response. Writes: work, velocities"""
    most = work.table[k, FRICTION] * work.table[k, IMPULSE]
    p, q = work.table[k, IMPULSE + 1], work.table[k, IMPULSE + 2]
    if most == 0.0 and p == 0.0 and q == 0.0:
        return 0.0
    back = 0.0 if relaxed else CREEP_BACK / h
    t, s = 3 * k + 1, 3 * k + 2
    new_p = p - (row_speed(rows, t, motion, a, b) + back * work.table[k, SLIP]) / rows.table[t, RESPONSE]
    new_q = q - (row_speed(rows, s, motion, a, b) + back * work.table[k, SLIP + 1]) / rows.table[s, RESPONSE]
    new_p, new_q, slips = within_disc(new_p, new_q, most)
    if slips:
        work.table[k, SLIP], work.table[k, SLIP + 1] = 0.0, 0.0
    work.table[k, IMPULSE + 1], work.table[k, IMPULSE + 2] = new_p, new_q
    push_row(rows, t, motion, a, b, new_p - p)
    push_row(rows, s, motion, a, b, new_q - q)
    return max(abs(new_p - p) * rows.table[t, RESPONSE], abs(new_q - q) * rows.table[s, RESPONSE])


@kernel
def advance_contact(k, motion, rows, work, h):
    """How gap and creep change in the substep, by the velocities that moved the bodies. Writes: work"""
    a, b = work.body[k, 0], work.body[k, 1]
    work.table[k, GAP] += h * row_speed(rows, 3 * k, motion, a, b)
    for r in range(2):
        if work.table[k, IMPULSE] > 0.0:
            work.table[k, SLIP + r] += h * row_speed(rows, 3 * k + 1 + r, motion, a, b)
        else:
            work.table[k, SLIP + r] = 0.0


@kernel
def bounce_contact(k, motion, rows, work, threshold):
    """Part with the speed of restitution where the surfaces met fast enough, and say so. Writes: work, velocities"""
    kept = work.table[k, IMPULSE]
    if work.table[k, RESTITUTION] == 0.0 or kept == 0.0:
        return False
    wanted = rebound_speed(work.table[k, APPROACH], work.table[k, RESTITUTION], threshold)
    if wanted == 0.0:
        return False
    a, b = work.body[k, 0], work.body[k, 1]
    new = max(kept + (wanted - row_speed(rows, 3 * k, motion, a, b)) / rows.table[3 * k, RESPONSE], 0.0)
    push_row(rows, 3 * k, motion, a, b, new - kept)
    work.table[k, IMPULSE] = new
    return True


@kernel
def sum_contact(k, work, bounced):
    """Add to the sum over the step; an impact is over and not a guess for the next substep. Writes: work"""
    for r in range(3):
        work.table[k, TOTAL + r] += work.table[k, IMPULSE + r]
        if bounced:
            work.table[k, IMPULSE + r] = 0.0


@kernel
def keep_contact(contacts, k, rows, work, dt):
    """Keep impulses and creep for the next step. Writes: contacts.impulse, .friction_impulse, .slip, .separation, .force"""
    n, t, s = load_at(rows.table, 3 * k, 0), load_at(rows.table, 3 * k + 1, 0), load_at(rows.table, 3 * k + 2, 0)
    contacts.impulse[k] = work.table[k, IMPULSE]
    contacts.separation[k] = work.table[k, GAP]
    store(contacts.friction_impulse, k, add_scaled(scale(work.table[k, IMPULSE + 1], t), work.table[k, IMPULSE + 2], s))
    push = add_scaled(scale(work.table[k, TOTAL], n), work.table[k, TOTAL + 1], t)
    store(contacts.force, k, scale(1.0 / dt, add_scaled(push, work.table[k, TOTAL + 2], s)))
    store(contacts.slip, k, add_scaled(scale(work.table[k, SLIP], t), work.table[k, SLIP + 1], s))
