"""Contacts of round bodies with cloth and solids follow what is round within a step, whatever it spins.

A ball touches a vertex along the way d from its centre to it. In a substep h with the velocity w of the vertex as seen from
the centre, |d + h w|^2 - |d|^2 = 2 h w . (d + h w / 2): so the gap changes by h w . n, to third order, with n along
d + h w / 2, where half the substep is over. By n as it was when the contact was found, or at the start of the substep, the
vertex ahead would be nearer than it will be, and pushed, and forces would lean ahead and brake by N v h / (2 R). The lever is
along n, so that a ball without friction is not spun. A triangle's normal is its own; the lever alone follows.

Check: tests/soft/test_rolling_over.py
"""

from ..._jit import kernel
from ...collide.soft.persist import FEATURES
from ...couple.ports import load_at, store_at
from ...math.quat import load4, qmul, rotate
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, store, sub
from ...model.shapes import CAPSULE, CYLINDER, SPHERE
from ...model.soft_contacts import COTANGENT, TANGENT

ALONE, FLAT, NONE = 0, 1, -1
"""Of contacts that follow: with a vertex, with a triangle; and of others."""
LEVEL = 0.1
"""Sine of the angle by which the side of a cylinder may lean on what it touches [-]."""
ALIKE = 0.5
"""Cosine of the angle from which on a normal is another one [-]."""


@kernel
def follows(contacts, shapes, k):
    """How contact `k` follows what is round: ALONE, FLAT or NONE."""
    name = contacts.key[k] >> 1
    kind = name // (FEATURES * FEATURES)
    if contacts.shape[k] < 0 or kind > 1:
        return NONE
    form = shapes.kind[contacts.shape[k]]
    return kind if form == SPHERE or form == CAPSULE or form == CYLINDER else NONE


@kernel
def middle_of(shapes, motion, s, p, n):
    """Whether shape `s` is round along `n`, and the point of its axle that is nearest to `p` [m]."""
    b, kind = shapes.body[s], shapes.kind[s]
    q = load4(motion.quaternion, b)
    c = add(load(motion.position, b), rotate(q, load(shapes.position, s)))
    if kind == SPHERE:
        return True, c, (0.0, 0.0, 0.0)
    axle = rotate(qmul(q, load4(shapes.quaternion, s)), (0.0, 0.0, 1.0))
    along, half = dot(sub(p, c), axle), shapes.size[s, 1]
    if kind == CYLINDER:
        return abs(along) <= half and abs(dot(n, axle)) < LEVEL, add_scaled(c, along, axle), axle
    if abs(along) <= half:
        return True, add_scaled(c, along, axle), axle
    return True, add_scaled(c, half if along > 0.0 else -half, axle), (0.0, 0.0, 0.0)


@kernel
def follow_soft_contact(contacts, k, shapes, motion, work, h):
    """Normal, tangents and place of contact `k` in the middle of a substep `h` [s]; returns the angle it turned by [rad].

    Writes: contacts.normal, .position, work
    """
    how = follows(contacts, shapes, k)
    if how == NONE:
        return 0.0
    s, n, p, v = contacts.shape[k], load(contacts.normal, k), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for c in range(3, 6):
        m = contacts.mover[k, c]
        if m >= 0:
            p = add_scaled(p, contacts.weight[k, c], load(motion.position, m))
            v = add_scaled(v, contacts.weight[k, c], load(motion.velocity, m))
    ok, c, axle = middle_of(shapes, motion, s, p, n)
    if not ok:
        return 0.0
    body, turned = shapes.body[s], 0.0
    if how == ALONE:
        carried = add(load(motion.velocity, body),
                      cross(load(motion.angular_velocity, body), sub(c, load(motion.position, body))))
        d = add_scaled(sub(p, c), 0.5 * h, sub(v, carried))
        d = add_scaled(d, -dot(d, axle), axle)
        size = norm(d)
        if size < 1e-12 or dot(d, n) < ALIKE * size:
            return 0.0
        d = scale(1.0 / size, d)
        turned = norm(sub(d, n))
        n = d
        store(contacts.normal, k, n)
        _turn_tangents(work.contact, k, n)
    store(contacts.position, k, add_scaled(c, shapes.size[s, 0], n))
    return turned


@kernel
def _turn_tangents(row, k, n):
    """Writes: row"""
    t = load_at(row, k, TANGENT)
    t = add_scaled(t, -dot(t, n), n)
    t = scale(1.0 / norm(t), t)
    store_at(row, k, TANGENT, t)
    store_at(row, k, COTANGENT, cross(n, t))


@kernel
def bowed(contacts, k, shapes, motion, speed, h):
    """How much faster [m/s] contact `k`, whose sides part with this `speed` [m/s], may close in the next substep than by its
    normal now, since that turns: by h w^2 / R, w the velocity across."""
    if follows(contacts, shapes, k) != ALONE:
        return 0.0
    n, s = load(contacts.normal, k), contacts.shape[k]
    radius = shapes.size[s, 0]
    w = add_scaled(speed, radius, cross(load(motion.angular_velocity, shapes.body[s]), n))
    w = add_scaled(w, -dot(w, n), n)
    if shapes.kind[s] != SPHERE:
        axle = rotate(qmul(load4(motion.quaternion, shapes.body[s]), load4(shapes.quaternion, s)), (0.0, 0.0, 1.0))
        w = add_scaled(w, -dot(w, axle), axle)
    return h * dot(w, w) / radius
