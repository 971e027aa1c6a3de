"""Rows of contacts: a normal that only pushes, softly and beforehand, and friction within Coulomb's disc."""

from ..._jit import kernel
from ...couple.ports import load_at, push_row, row_speed, write_row
from ...equations.contact.coulomb import within_disc
from ...equations.contact.restitution import rebound_speed
from ...equations.rigid.soft_constraint import softness_by_frequency
from ...math.vec3 import add_scaled, cross, dot, load, perpendicular, scale, store, sub

PUSH_SPEED = 3.0
"""Largest speed [m/s] at which a penetration is pushed out."""
DAMPING_RATIO = 10.0
"""Of the spring that pushes a penetration out [-]."""
RATE = 0.25
"""Frequency of that spring, as a share of the substeps' [-]."""


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
    work.friction[k] = max(shapes.friction[s_a], shapes.friction[s_b])
    work.restitution[k] = max(shapes.restitution[s_a], shapes.restitution[s_b])
    work.gap[k] = contacts.separation[k]
    kept, crept = load(contacts.friction_impulse, k), load(contacts.slip, k)
    store(work.impulse, k, (contacts.impulse[k], dot(kept, t), dot(kept, s)))
    work.slip[k, 0], work.slip[k, 1] = dot(crept, t), dot(crept, s)
    store(work.total, k, (0.0, 0.0, 0.0))


@kernel
def warm_start_contact(contacts, k, shapes, motion, rows, work):
    """Writes: velocities, work.approach"""
    a, b = shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]]
    for r in range(3):
        push_row(rows, 3 * k + r, motion, a, b, work.impulse[k, r])


@kernel
def meet(contacts, k, shapes, motion, rows, work):
    """Note the speed with which the surfaces meet, before any impulse. Writes: work.approach"""
    work.approach[k] = row_speed(rows, 3 * k, motion, shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]])


@kernel
def solve_contact(contacts, k, shapes, motion, rows, work, h, relaxed):
    """Returns |d lambda| response. Writes: work.impulse, velocities"""
    a, b = shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]]
    change = solve_friction(k, a, b, motion, rows, work, h, relaxed)
    gap, response, kept = work.gap[k], rows.response[3 * k], work.impulse[k, 0]
    speed = row_speed(rows, 3 * k, motion, a, b)
    if gap > 0.0:
        new = kept - (speed + gap / h) / response
    elif relaxed:
        new = kept - speed / response
    else:
        soft = softness_by_frequency(RATE / h, DAMPING_RATIO, response, h)
        bias = max(soft.beta / h * gap, -PUSH_SPEED)
        new = kept - (speed + bias + soft.gamma * kept) / (response + soft.gamma)
    new = max(new, 0.0)
    work.impulse[k, 0] = new
    push_row(rows, 3 * k, motion, a, b, new - kept)
    return max(change, abs(new - kept) * response)


@kernel
def solve_friction(k, a, b, motion, rows, work, h, relaxed):
    """Both tangents together, within the disc that the normal impulse allows. Writes: work.impulse, work.slip, velocities"""
    most = work.friction[k] * work.impulse[k, 0]
    p, q = work.impulse[k, 1], work.impulse[k, 2]
    if most == 0.0 and p == 0.0 and q == 0.0:
        return 0.0
    bias_t, bias_s = (0.0, 0.0) if relaxed else (0.2 / h * work.slip[k, 0], 0.2 / h * work.slip[k, 1])
    t, s = 3 * k + 1, 3 * k + 2
    new_p = p - (row_speed(rows, t, motion, a, b) + bias_t) / rows.response[t]
    new_q = q - (row_speed(rows, s, motion, a, b) + bias_s) / rows.response[s]
    new_p, new_q, slips = within_disc(new_p, new_q, most)
    if slips:
        work.slip[k, 0], work.slip[k, 1] = 0.0, 0.0
    work.impulse[k, 1], work.impulse[k, 2] = new_p, new_q
    push_row(rows, t, motion, a, b, new_p - p)
    push_row(rows, s, motion, a, b, new_q - q)
    return max(abs(new_p - p) * rows.response[t], abs(new_q - q) * rows.response[s])


@kernel
def advance_contact(contacts, k, shapes, motion, rows, work, h):
    """How gap and creep change in the substep, by the velocities that moved the bodies. Writes: work.gap, work.slip"""
    a, b = shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]]
    work.gap[k] += h * row_speed(rows, 3 * k, motion, a, b)
    if work.impulse[k, 0] > 0.0:
        work.slip[k, 0] += h * row_speed(rows, 3 * k + 1, motion, a, b)
        work.slip[k, 1] += h * row_speed(rows, 3 * k + 2, motion, a, b)
    else:
        work.slip[k, 0], work.slip[k, 1] = 0.0, 0.0


@kernel
def bounce_contact(contacts, k, shapes, motion, rows, work, threshold):
    """Part with the speed of restitution where the surfaces met fast enough, and say so. Writes: work.impulse, velocities"""
    if work.restitution[k] == 0.0 or work.impulse[k, 0] == 0.0:
        return False
    wanted = rebound_speed(work.approach[k], work.restitution[k], threshold)
    if wanted == 0.0:
        return False
    a, b = shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]]
    new = max(work.impulse[k, 0] + (wanted - row_speed(rows, 3 * k, motion, a, b)) / rows.response[3 * k], 0.0)
    push_row(rows, 3 * k, motion, a, b, new - work.impulse[k, 0])
    work.impulse[k, 0] = new
    return True


@kernel
def sum_contact(k, work, bounced):
    """Add to the sum over the step; an impact is over and not a guess for the next substep. Writes: work.total, work.impulse"""
    for r in range(3):
        work.total[k, r] += work.impulse[k, r]
        if bounced:
            work.impulse[k, r] = 0.0


@kernel
def keep_contact(contacts, k, rows, work):
    """Keep impulses and creep for the next step. Writes: contacts.impulse, .friction_impulse, .slip, .separation"""
    t, s = load_at(rows.jacobian, 3 * k + 1, 0), load_at(rows.jacobian, 3 * k + 2, 0)
    contacts.impulse[k] = work.impulse[k, 0]
    contacts.separation[k] = work.gap[k]
    store(contacts.friction_impulse, k, add_scaled(scale(work.impulse[k, 1], t), work.impulse[k, 2], s))
    store(contacts.slip, k, add_scaled(scale(work.slip[k, 0], t), work.slip[k, 1], s))
