"""Rods where their links are: levers, frames and gaps, the rows' Jacobians, and what they aim at."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rod.darboux_vector import relative
from ...equations.rod.mean_axis import carry, direction, left_arm, mean_axis, right_arm
from ...equations.rod.twist_angle import strain_and_rates, strain_of
from ...math.mat3 import mat_vec
from ...math.quat import load4, qmul, rotate, third_axis, unrotate
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, scale, sub
from ...model.bodies import FIXED, PAST_POSITION, PAST_TURN
from ...model.rods import (
    ALONG,
    ASIDE_INNER,
    ASIDE_OUTER,
    AXIS,
    BEND,
    GAP_LAW,
    KAPPA,
    LAG,
    LEFT_REACH,
    OLD,
    R_INNER,
    R_OUTER,
    RATE,
    RAW_BEND,
    RAW_GAP,
    REST,
    RIGHT_REACH,
    SLIDE,
    SLIDING,
    SLIDING_RIGHT,
    SOFT,
    STRETCH,
)


@merged
def rod_frames(joints, j, rods, motion):
    """(levers of the left and the right link to where they meet, gap, left frame, right frame).

    Links that slide meet at the right link's point; where the left one slides along the right, at the left link's. A gap
    that is to close is left out: before it has, it would be a lever by which the pull spins thin links about their axes.
    One that stretches adds to both levers, see mean_axis.py.
    """
    a, b, k = joints.body[j, 0], joints.body[j, 1], joints.rod[j]
    q_a, q_b = load4(motion.quaternion, a), load4(motion.quaternion, b)
    left, right = rods[k, LEFT_REACH], rods[k, RIGHT_REACH]
    if left != 0.0:  # then so is the other: between two links of a rope, short work
        r_a, r_b = scale(left, third_axis(q_a)), scale(right, third_axis(q_b))
    else:
        r_a, r_b = rotate(q_a, load(joints.anchor_a, j)), rotate(q_b, load(joints.anchor_b, j))
        q_a, q_b = qmul(q_a, load4(joints.frame_a, j)), qmul(q_b, load4(joints.frame_b, j))
    gap = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    law = rods[k, GAP_LAW]
    if law == SLIDING_RIGHT:
        r_b = sub(r_b, gap)
    elif law == SLIDING:
        r_a = add(r_a, gap)
    return r_a, r_b, gap, q_a, q_b


@kernel
def gap_axis(rods, k, q_a, q_b):
    """(d, s) of a gap that stretches, between frames q_a and q_b."""
    return mean_axis(third_axis(q_a), third_axis(q_b), rods[k, AXIS])


@merged
def see_rod(joints, j, rods, motion, give, h):
    """(r_b, r_a, G, kappa, gap / h, bend / h) of rod `j` where its links are; b is the outer one. Writes: give at its rod"""
    k, side = joints.rod[j], joints.outer[j]
    r_a, r_b, gap, q_a, q_b = rod_frames(joints, j, rods, motion)
    if rods[k, GAP_LAW] == SOFT:
        r_a, r_b = place_gap(rods, k, give, side, r_a, r_b, gap, q_a, q_b)
    p, lag = relative(q_a, q_b), rods[k, LAG]
    bend, G = strain_and_rates(p, q_a)
    bend = sub(bend, load_at(rods, k, REST))
    if lag > 0.0:
        gap, bend = less_before(rods, k, give, q_a, q_b, gap, bend, lag / (h + lag))
    if side != 1:
        r_a, r_b = r_b, r_a
    return r_b, r_a, G, stiffness_over(rods, k, h), scale(1.0 / h, gap), scale(1.0 / h, bend)


@kernel
def stiffness_over(rods, k, h):
    """kappa of rod `k` [N m s2/rad]."""
    return scale(h * (h + rods[k, LAG]), load_at(rods, k, BEND))


@merged
def place_rod(joints, j, rods, motion, work, h):
    """Jacobian and aim of rod `j` where its links are, moving as they do. Writes: work at its rod"""
    k, table = joints.rod[j], work.table
    r_b, r_a, G, kappa, gap, bend = see_rod(joints, j, rods, motion, work.give, h)
    keep_place(table, k, r_b, r_a, G)
    store_at(table, k, KAPPA, kappa)
    v_a, w_a = load(motion.velocity, joints.body[j, 0]), load(motion.angular_velocity, joints.body[j, 0])
    v_b, w_b = load(motion.velocity, joints.body[j, 1]), load(motion.angular_velocity, joints.body[j, 1])
    store_at(table, k, RAW_GAP, sub(gap, parting(joints, j, rods, work, v_a, w_a, v_b, w_b)))
    store_at(table, k, RAW_BEND, sub(bend, mat_vec(G, sub(w_b, w_a))))


@merged
def keep_place(table, k, r_b, r_a, G):
    """Writes: table at rod `k`"""
    store_at(table, k, R_OUTER, r_b)
    store_at(table, k, R_INNER, r_a)
    store_at(table, k, RATE, G[0])
    store_at(table, k, RATE + 3, G[1])
    store_at(table, k, RATE + 6, G[2])


@merged
def parting(joints, j, rods, work, v_a, w_a, v_b, w_b):
    """How fast the gap of rod `j`, once placed, opens where its left and right link move so [m/s]."""
    k, table = joints.rod[j], work.table
    r_a, r_b = lever(joints, j, table, 0), lever(joints, j, table, 1)
    speed = sub(add(v_b, cross(w_b, r_b)), add(v_a, cross(w_a, r_a)))
    if rods[k, GAP_LAW] == SOFT:
        leaning = dot(aside(joints, j, work.give, 1), w_b) - dot(aside(joints, j, work.give, 0), w_a)
        speed = add_scaled(speed, leaning, load_at(work.give, k, ALONG))
    return speed


@kernel
def place_gap(rods, k, give, side, r_a, r_b, gap, q_a, q_b):
    """Levers of a gap that stretches. Writes: give at its rod"""
    d, s = gap_axis(rods, k, q_a, q_b)
    across, along = rods[k, STRETCH], rods[k, STRETCH + 2]
    more_a, c_a = left_arm(gap, d, s, third_axis(q_a), rods[k, AXIS], across, along)
    more_b, c_b = right_arm(gap, d, s, third_axis(q_b), rods[k, AXIS], across, along)
    store_at(give, k, ALONG, d)
    store_at(give, k, ASIDE_OUTER, c_b if side == 1 else c_a)
    store_at(give, k, ASIDE_INNER, c_a if side == 1 else c_b)
    return add(r_a, more_a), add(r_b, more_b)


@kernel
def less_before(rods, k, give, q_a, q_b, gap, bend, share):
    """Gap and bend of a damped rod less a share of what they were when the substep started; see `look_back`."""
    if rods[k, GAP_LAW] == SOFT:
        own, (d, _) = carrier(rods, k, q_a, q_b), gap_axis(rods, k, q_a, q_b)
        e = third_axis(own)
        gap = add_scaled(gap, -share, carry(e, direction(d, e), rotate(own, load_at(give, k, OLD))))
    old = load_at(give, k, OLD + 3)
    if dot(bend, old) < -1.0 and is_straight(rods, k):
        old = neg(old)  # it has passed half a turn
    return gap, add_scaled(bend, -share, old)


@kernel
def is_straight(rods, k):
    """Whether rod `k` is straight when free: p and -p, the shorter and the longer way, are then the same to it."""
    return rods[k, REST] == 0.0 and rods[k, REST + 1] == 0.0 and rods[k, REST + 2] == 0.0


@kernel
def carrier(rods, k, q_a, q_b):
    """The frame that carries a gap as it spins: the left one, or that of the only link."""
    return q_a if rods[k, AXIS] > 0.0 else q_b


@kernel
def look_back(joints, j, rods, bodies, motion, past, work, b):
    """Gap and bend of a damped rod where the substep starts from, for b of 1 or 2/3. Writes: work at its rod

    With e' = e_n or (4 e_n - e_n-1)/3 the rod's law is k (e + lag (e - e')/(b h)). The speed of e at the end of the
    substep would not do instead: as links turn by w h it differs from what has happened by a share (w h)^2 / 2, which a
    strong damper would let the rod stretch by.
    """
    k = joints.rod[j]
    if rods[k, LAG] == 0.0:
        return
    left, right = joints.body[j, 0], joints.body[j, 1]
    gap, bend = apart(joints, j, rods, load(motion.position, left), load4(motion.quaternion, left),
                      load(motion.position, right), load4(motion.quaternion, right))
    if b < 1.0:
        x_a, q_a = place_before(bodies, left, motion, past)
        x_b, q_b = place_before(bodies, right, motion, past)
        early, earlier = apart(joints, j, rods, x_a, q_a, x_b, q_b)
        gap = sub(scale(4.0 / 3.0, gap), scale(1.0 / 3.0, early))
        bend = sub(scale(4.0 / 3.0, bend), scale(1.0 / 3.0, earlier))
    store_at(work.give, k, OLD, gap)
    store_at(work.give, k, OLD + 3, sub(bend, load_at(rods, k, REST)))


@kernel
def place_before(bodies, k, motion, past):
    """Position and quaternion of body `k` one substep before."""
    if bodies.kind[k] == FIXED:
        return load(motion.position, k), load4(motion.quaternion, k)
    return load_at(past, k, PAST_POSITION), (past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2],
                                             past[k, PAST_TURN + 3])


@kernel
def frames_at(joints, j, x_a, q_a, x_b, q_b):
    """(gap [m], left frame, right frame) of a rod for bodies at `x`, `q`."""
    gap = sub(add(x_b, rotate(q_b, load(joints.anchor_b, j))), add(x_a, rotate(q_a, load(joints.anchor_a, j))))
    return gap, qmul(q_a, load4(joints.frame_a, j)), qmul(q_b, load4(joints.frame_b, j))


@kernel
def apart(joints, j, rods, x_a, q_a, x_b, q_b):
    """Gap of a rod seen from its axis [m], axes of its carrier, and its bend and twist [-], for bodies at `x`, `q`."""
    gap, q_a, q_b = frames_at(joints, j, x_a, q_a, x_b, q_b)
    own, (d, _) = carrier(rods, joints.rod[j], q_a, q_b), gap_axis(rods, joints.rod[j], q_a, q_b)
    e = third_axis(own)
    return unrotate(own, carry(direction(d, e), e, gap)), strain_of(relative(q_a, q_b))


@kernel
def load_mat(table, k, c):
    return load_at(table, k, c), load_at(table, k, c + 3), load_at(table, k, c + 6)


@kernel
def lever(joints, j, table, side):
    """From the centre of the left (0) or right (1) link of rod `j` to where they meet."""
    return load_at(table, joints.rod[j], R_OUTER if side == max(joints.outer[j], 0) else R_INNER)


@kernel
def aside(joints, j, give, side):
    """c of the left (0) or right (1) link of rod `j`, whose gap stretches."""
    return load_at(give, joints.rod[j], ASIDE_OUTER if side == max(joints.outer[j], 0) else ASIDE_INNER)


@kernel
def slide_of(joints, j, rods, motion):
    """Direction along which the gap of rod `j` is free, world frame."""
    k = joints.rod[j]
    side = 1 if rods[k, GAP_LAW] == SLIDING_RIGHT else 0
    return rotate(load4(motion.quaternion, joints.body[j, side]), load_at(rods, k, SLIDE))


@kernel
def let_slide(joints, j, rods, motion, impulse):
    """What rod `j` pushes by, nothing of it along where it slides by now: an axis that turns leaves some behind.

    Writes: impulse at `j`
    """
    push = load_at(impulse, j, 0)
    if rods[joints.rod[j], GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        push = add_scaled(push, -dot(d, push), d)
        store_at(impulse, j, 0, push)
    return push
