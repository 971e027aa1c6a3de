"""Ties: a vertex held at a point of a body, of a link of a rope or of another vertex; three rows solved together."""

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...math.mat3 import sym_inverse
from ...math.quat import from_rotation_vector, load4, rotate
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, cross, load, neg, norm, scale, store, sub
from ...model.bodies import FIXED
from ...model.rows import QUATERNION
from ...model.soft_contacts import TIE_ANSWER, TIE_ARM, TIE_GAP, TIE_WAY
from ...model.soft_things import VERTEX
from .soft_contact import answer_of, point_speed, push_mover

PULL_SPEED = 3.0
"""How fast a tie is drawn together at most [m/s], as after a teleport."""


@kernel
def place_tie(ties, k, bodies, motion, work):
    """Lever and gap of tie `k` where its movers are. Writes: work"""
    a, b = ties.mover[k, 0], ties.mover[k, 1]
    arm = (0.0, 0.0, 0.0)
    if bodies.link[a] != VERTEX:
        arm = rotate(load4(motion.quaternion, a), load(ties.anchor, k))
    store_at(work.tie, k, TIE_ARM, arm)
    store_at(work.tie, k, TIE_WAY, (0.0, 0.0, 0.0))
    store_at(work.tie, k, TIE_GAP, sub(load(motion.position, b), add(load(motion.position, a), arm)))


@kernel
def turn_tie(ties, k, bodies, motion, start, state, work, h, pulls):
    """Lever of tie `k` where its body ends a substep of `h` [s] by its velocities now; if it `pulls` already, it does so there.

    The body's point goes round, from r0 to r1 = exp(h w) r0; with other velocities it would come to about h (dv + dw x r1)
    from there. So beside what velocities say by that lever its way is r1 - r0 - h w x r1. Links of ropes are short, and light
    ones flutter: they stay as they begin. Writes: work
    """
    a = ties.mover[k, 0]
    if bodies.link[a] != 0 or bodies.kind[a] == FIXED:
        return
    q = (start[a, QUATERNION], start[a, QUATERNION + 1], start[a, QUATERNION + 2], start[a, QUATERNION + 3])
    w, before, begun = load(motion.angular_velocity, a), load_at(work.tie, k, TIE_ARM), rotate(q, load(ties.anchor, k))
    arm = rotate(from_rotation_vector(scale(h, w)), begun)
    store_at(work.tie, k, TIE_ARM, arm)
    store_at(work.tie, k, TIE_WAY, add_scaled(sub(begun, arm), h, cross(w, arm)))
    if pulls:
        store_at(work.pull, a, 3, sub(load_at(work.pull, a, 3), cross(sub(arm, before), load(state.impulse, k))))


@kernel
def prepare_tie(ties, k, bodies, work):
    """Response of tie `k`. Writes: work"""
    a, own, arm = ties.mover[k, 0], work.answer[ties.mover[k, 1]], load_at(work.tie, k, TIE_ARM)
    x = tie_column(a, bodies, work, arm, (1.0, 0.0, 0.0))
    y = tie_column(a, bodies, work, arm, (0.0, 1.0, 0.0))
    z = tie_column(a, bodies, work, arm, (0.0, 0.0, 1.0))
    if own > 0.0:
        s = sym_inverse((x[0] + own, y[1] + own, z[2] + own, x[1], x[2], y[2]))
        store_at(work.tie, k, TIE_ANSWER, (s[0], s[1], s[2]))
        store_at(work.tie, k, TIE_ANSWER + 3, (s[3], s[4], s[5]))


@kernel
def tie_column(a, bodies, work, arm, e):
    """Velocity of what holds for a unit impulse along `e` on it [1/kg]."""
    if bodies.link[a] == VERTEX:
        return scale(work.answer[a], e)
    v, w = answer_of(work.response, a, e, cross(arm, e))
    return add(v, cross(w, arm))


@kernel
def push_tie(ties, k, bodies, motion, work, p):
    """Impulse `p` [N s] on the vertex, and its opposite on what holds it. Writes: velocities, work.pull"""
    arm = load_at(work.tie, k, TIE_ARM)
    push_mover(ties.mover[k, 1], bodies, motion, work, p, arm)
    push_mover(ties.mover[k, 0], bodies, motion, work, neg(p), arm)


@kernel
def closing(ties, k, bodies, motion, work, h):
    """Velocity of the vertex against what holds it, and what closes the gap within `h` [s]: to be zero [m/s]."""
    a, b, gap = ties.mover[k, 0], ties.mover[k, 1], load_at(work.tie, k, TIE_GAP)
    arm = load_at(work.tie, k, TIE_ARM)
    held_at = load(motion.velocity, a) if bodies.link[a] == VERTEX else point_speed(motion, a, arm)
    speed = add_scaled(sub(load(motion.velocity, b), held_at), 1.0 / h, load_at(work.tie, k, TIE_WAY))
    return add_scaled(speed, min(1.0 / h, PULL_SPEED / max(norm(gap), 1e-12)), gap)


@kernel
def solve_tie(ties, k, bodies, motion, state, work, h):
    """Returns |d lambda| response [m/s]. Writes: state.impulse, velocities, work.pull"""
    if not work.answer[ties.mover[k, 1]] > 0.0:
        return 0.0  # a vertex that is pinned as well
    speed = closing(ties, k, bodies, motion, work, h)
    s, w = load_at(work.tie, k, TIE_ANSWER), load_at(work.tie, k, TIE_ANSWER + 3)
    p = neg(sym_mul((s[0], s[1], s[2], w[0], w[1], w[2]), speed))
    store(state.impulse, k, add(load(state.impulse, k), p))
    push_tie(ties, k, bodies, motion, work, p)
    return norm(speed)


@kernel
def sum_tie(state, k, dt):
    """Writes: state.force"""
    store(state.force, k, add(load(state.force, k), scale(1.0 / dt, load(state.impulse, k))))
