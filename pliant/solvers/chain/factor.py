"""Rods placed and folded: Jacobians where the links are, what the rows aim at, and the factor towards the inner link."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import store_row6
from ...equations.rod.chain_elimination import at_centre, lean, let_part, let_turn, shift
from ...equations.rod.darboux_vector import bend_twist, rate_matrix, relative
from ...math.mat3 import mat_vec, sym_add, sym_inverse, weighted_square
from ...math.quat import axes, load4, qmul, rotate, third_axis, unrotate
from ...math.sym3 import store6, sym_mul
from ...math.vec3 import add, add_scaled, cross, dot, load, neg, scale, sub
from ...model.bodies import FIXED, PAST_POSITION, PAST_TURN
from ...model.rods import (
    ALONG,
    AROUND,
    ASIDE,
    BEND,
    GAMMA_GAP,
    GAP_LAW,
    HAT,
    KAPPA,
    LAG,
    MEET,
    OLD,
    R_INNER,
    R_OUTER,
    RATE,
    RAW_BEND,
    RAW_GAP,
    REST,
    RIGID,
    SHIFTED,
    SLIDE,
    SLIDING,
    SLIDING_RIGHT,
    SOFT,
    STRETCH,
    TURN,
)
from ...model.rows import PULLED

PUSHED = 0.45
"""Most of a link's inertia across that a push at one of its ends may take away [-]: below one half."""


@merged
def begin_link(bodies, k, motion, ports, body):
    """D = M of a link, which is round about d3, and nothing folded in yet. Writes: ports.inverse_inertia, body at `k`"""
    d = third_axis(load4(motion.quaternion, k))
    m, s = bodies.mass[k], bodies.inverse_inertia[k, 0]
    t = bodies.inverse_inertia[k, 2] - s
    store6(ports.inverse_inertia, k, (s + t * d[0] * d[0], s + t * d[1] * d[1], s + t * d[2] * d[2], t * d[0] * d[1],
                                      t * d[0] * d[2], t * d[1] * d[2]))
    s = bodies.inertia[k, 0]
    t = bodies.inertia[k, 2] - s
    for c in range(36, PULLED + 6):
        body[k, c] = 0.0
    body[k, 0], body[k, 7], body[k, 14] = m, m, m
    body[k, 6], body[k, 12], body[k, 13] = 0.0, 0.0, 0.0
    for c in range(3):
        body[k, 18 + c], body[k, 24 + c], body[k, 30 + c] = 0.0, 0.0, 0.0
    body[k, 21], body[k, 28], body[k, 35] = s + t * d[0] * d[0], s + t * d[1] * d[1], s + t * d[2] * d[2]
    body[k, 27], body[k, 33], body[k, 34] = t * d[0] * d[1], t * d[0] * d[2], t * d[1] * d[2]


@merged
def rod_frames(joints, j, rods, motion):
    """(levers of the left and the right link to where they meet, gap, left frame, right frame).

    Links that stretch meet at the right link's point as seen from the left one's axis; those that slide at the right
    link's; where the left one slides along the right, at the left link's. A gap that is to close is left out: before it
    has, it would be a lever by which the pull spins thin links about their axes.
    """
    a, b = joints.body[j, 0], joints.body[j, 1]
    q_a, q_b = load4(motion.quaternion, a), load4(motion.quaternion, b)
    r_a, r_b = turned_anchor(q_a, load(joints.anchor_a, j)), turned_anchor(q_b, load(joints.anchor_b, j))
    gap = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    law = rods[joints.rod[j], GAP_LAW]
    if law == SLIDING_RIGHT:
        r_b = sub(r_b, gap)
    elif law == SLIDING:
        r_a = add(r_a, gap)
    q_a = turned_frame(q_a, load4(joints.frame_a, j))
    if law == SOFT:
        d = third_axis(q_a)
        r_a = add_scaled(r_a, dot(gap, d), d)
    return r_a, r_b, gap, q_a, turned_frame(q_b, load4(joints.frame_b, j))


@kernel
def turned_anchor(q, r):
    """An anchor in the world's axes; that of a link lies on its axis, which is short work."""
    if r[0] == 0.0 and r[1] == 0.0:
        return scale(r[2], third_axis(q))
    return rotate(q, r)


@kernel
def turned_frame(q, own):
    """A rod's frame on a body in the world's axes; on a link it mostly is the link's own."""
    if own[1] == 0.0 and own[2] == 0.0 and own[3] == 0.0:
        return q
    return qmul(q, own)


@merged
def place_rod(joints, j, rods, motion, work, h):
    """Jacobian and aim of rod `j` where its links are, moving as they do. Writes: work at its rod"""
    k = joints.rod[j]
    a, b, side = joints.body[j, 0], joints.body[j, 1], joints.outer[j]
    r_a, r_b, gap, q_a, q_b = rod_frames(joints, j, rods, motion)
    p = relative(q_a, q_b)
    G = rate_matrix(p, q_a)
    store_at(work, k, R_OUTER, r_b if side == 1 else r_a)
    store_at(work, k, R_INNER, r_a if side == 1 else r_b)
    store_at(work, k, RATE, G[0])
    store_at(work, k, RATE + 3, G[1])
    store_at(work, k, RATE + 6, G[2])
    lag = rods[k, LAG]
    store_at(work, k, KAPPA, scale(h * (h + lag), load_at(rods, k, BEND)))
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    parting = sub(add(load(motion.velocity, b), cross(w_b, r_b)), add(load(motion.velocity, a), cross(w_a, r_a)))
    if rods[k, GAP_LAW] == SOFT:
        d = third_axis(q_a)
        c = cross(gap, d)
        store_at(work, k, ALONG, d)
        store_at(work, k, ASIDE, c)
        parting = add_scaled(parting, -dot(c, w_a), d)
    bend = sub(bend_twist(p), load_at(rods, k, REST))
    if lag > 0.0:
        gap, bend = less_before(rods, k, work, q_a, gap, bend, lag / (h + lag))
    store_at(work, k, RAW_GAP, sub(scale(1.0 / h, gap), parting))
    store_at(work, k, RAW_BEND, sub(scale(1.0 / h, bend), mat_vec(G, sub(w_b, w_a))))


@kernel
def less_before(rods, k, work, frame, gap, bend, share):
    """Gap and bend of a damped rod less a share of what they were when the substep started; see `look_back`."""
    if rods[k, GAP_LAW] == SOFT:
        gap = add_scaled(gap, -share, rotate(frame, load_at(work, k, OLD)))
    return gap, add_scaled(bend, -share, load_at(work, k, OLD + 3))


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
    gap, bend = apart(joints, j, load(motion.position, left), load4(motion.quaternion, left), load(motion.position, right),
                      load4(motion.quaternion, right))
    if b < 1.0:
        x_a, q_a = place_before(bodies, left, motion, past)
        x_b, q_b = place_before(bodies, right, motion, past)
        early, earlier = apart(joints, j, x_a, q_a, x_b, q_b)
        gap = sub(scale(4.0 / 3.0, gap), scale(1.0 / 3.0, early))
        bend = sub(scale(4.0 / 3.0, bend), scale(1.0 / 3.0, earlier))
    store_at(work, k, OLD, gap)
    store_at(work, k, OLD + 3, sub(bend, load_at(rods, k, REST)))


@kernel
def place_before(bodies, k, motion, past):
    """Position and quaternion of body `k` one substep before."""
    if bodies.kind[k] == FIXED:
        return load(motion.position, k), load4(motion.quaternion, k)
    return load_at(past, k, PAST_POSITION), (past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2],
                                             past[k, PAST_TURN + 3])


@kernel
def apart(joints, j, x_a, q_a, x_b, q_b):
    """Gap of a rod along its left frame's axes [m], and its bend and twist [-], for bodies at `x`, `q`."""
    gap = sub(add(x_b, rotate(q_b, load(joints.anchor_b, j))), add(x_a, rotate(q_a, load(joints.anchor_a, j))))
    frame = qmul(q_a, load4(joints.frame_a, j))
    return unrotate(frame, gap), bend_twist(relative(frame, qmul(q_b, load4(joints.frame_b, j))))


@kernel
def lever(joints, j, work, side):
    """From the centre of the left (0) or right (1) link of rod `j` to where they meet."""
    return load_at(work, joints.rod[j], R_OUTER if side == max(joints.outer[j], 0) else R_INNER)


@merged
def pull_rod(joints, j, bodies, work, impulse, body, h):
    """Let the links of rod `j` feel how its pull turns with them. Writes: body at both links

    A force f at the lever r turns a link by r x f, which changes by f x (r x d_phi) as the link turns: a stiffness
    (f.r) 1 - r f^T, against turning where the rope pulls outwards. Newton's method needs it to converge on a taut rope, and
    on one that is pushed together; what remains at its end is the same without it. Taken as if f lay along r. Of a push, two
    of which act on a link, only as much as its inertia can bear: beyond that the link buckles within the substep.
    """
    force = load_at(impulse, j, 0)
    for side in range(2):
        b = joints.body[j, side]
        if bodies.inverse_mass[b] > 0.0:
            r = lever(joints, j, work, side)
            s = h * (dot(force, r) if side == 1 else -dot(force, r))
            if s < 0.0:
                s = max(s, -PUSHED * bodies.inertia[b, 0]) if bodies.link[b] == 1 else 0.0
            if s != 0.0:
                t = s / dot(r, r)
                K = (s - t * r[0] * r[0], s - t * r[1] * r[1], s - t * r[2] * r[2], -t * r[0] * r[1], -t * r[0] * r[2],
                     -t * r[1] * r[2])
                stiffen(body, b, 1.0, K)


@kernel
def stiffen(body, b, s, K):
    """Add s K to what resists the turning of body `b`. Writes: body at `b`"""
    for c in range(6):
        body[b, PULLED + c] += s * K[c]
    body[b, 21] += s * K[0]
    body[b, 28] += s * K[1]
    body[b, 35] += s * K[2]
    body[b, 27] += s * K[3]
    body[b, 33] += s * K[4]
    body[b, 34] += s * K[5]


@merged
def fold_rod(joints, j, rods, ports, motion, work, body, h):
    """Fold the outer link of rod `j` and all beyond it into the inner one. Writes: work at its rod, body at the inner"""
    k, side = joints.rod[j], joints.outer[j]
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    G = (load_at(work, k, RATE), load_at(work, k, RATE + 3), load_at(work, k, RATE + 6))
    zero, none = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    K = weighted_square(G, load_at(work, k, KAPPA))
    if ports.inverse_mass[b] > 0.0:
        A = (body[b, 0], body[b, 7], body[b, 14], body[b, 6], body[b, 12], body[b, 13])
        B = ((body[b, 18], body[b, 24], body[b, 30]), (body[b, 19], body[b, 25], body[b, 31]),
             (body[b, 20], body[b, 26], body[b, 32]))
        C = (body[b, 21], body[b, 28], body[b, 35], body[b, 27], body[b, 33], body[b, 34])
        B, C = shift(A, B, C, load_at(work, k, R_OUTER))
        if side == 0 and rods[k, GAP_LAW] == SOFT:
            B, C = lean(A, B, C, load_at(work, k, ALONG), load_at(work, k, ASIDE))
        W, A, E, F = let_turn(A, B, C, K)
    else:  # what does not turn takes all of the bend
        m, B, C, W, E, F = joints.anvil[j], (zero, zero, zero), none, none, (zero, zero, zero), K
        A = (m, m, m, 0.0, 0.0, 0.0)
    store_mat(work, k, SHIFTED, B)
    store_row6(work, k, AROUND, C)
    store_row6(work, k, TURN, W)
    if rods[k, GAP_LAW] != RIGID:
        if ports.inverse_mass[b] > 0.0 or joints.anvil[j] > 0.0:
            M = give_way(rods, k, work, joints, j, motion, A, h)
        else:
            M, A = none, hold_gap(rods, k, work, joints, j, motion, h)
        store_row6(work, k, MEET, M)
        store_row6(work, k, HAT, A)
        A, E, F = let_part(A, E, F, M)
    else:
        store_row6(work, k, HAT, A)
    if ports.inverse_mass[a] > 0.0:
        if side == 1 and rods[k, GAP_LAW] == SOFT:
            E, F = lean(A, E, F, load_at(work, k, ALONG), neg(load_at(work, k, ASIDE)))
        E, F = at_centre(A, E, F, load_at(work, k, R_INNER))
        add_mass(body, a, A, E, F)


@merged
def give_way(rods, k, work, joints, j, motion, A, h):
    """M of a gap that stretches and shears, or slides along one direction. Writes: work (Gamma)"""
    if rods[k, GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        s = 1.0 / dot(d, sym_mul(A, d))
        return s * d[0] * d[0], s * d[1] * d[1], s * d[2] * d[2], s * d[0] * d[1], s * d[0] * d[2], s * d[1] * d[2]
    return sym_inverse(sym_add(hold_gap(rods, k, work, joints, j, motion, h), A))


@merged
def hold_gap(rods, k, work, joints, j, motion, h):
    """Gamma^-1 of a gap that stretches and shears. Writes: work (Gamma)"""
    stiff = scale(h * (h + rods[k, LAG]), load_at(rods, k, STRETCH))
    d = axes(qmul(load4(motion.quaternion, joints.body[j, 0]), load4(joints.frame_a, j)))
    store_row6(work, k, GAMMA_GAP, weighted_square(d, (1.0 / stiff[0], 1.0 / stiff[1], 1.0 / stiff[2])))
    return weighted_square(d, stiff)


@kernel
def slide_of(joints, j, rods, motion):
    """Direction along which the gap of rod `j` is free, world frame."""
    k = joints.rod[j]
    side = 1 if rods[k, GAP_LAW] == SLIDING_RIGHT else 0
    return rotate(load4(motion.quaternion, joints.body[j, side]), load_at(rods, k, SLIDE))


@merged
def add_mass(body, a, A, E, F):
    """Writes: body at `a`"""
    body[a, 0] += A[0]
    body[a, 7] += A[1]
    body[a, 14] += A[2]
    body[a, 6] += A[3]
    body[a, 12] += A[4]
    body[a, 13] += A[5]
    for c in range(3):
        body[a, 18 + c] += E[c][0]
        body[a, 24 + c] += E[c][1]
        body[a, 30 + c] += E[c][2]
    body[a, 21] += F[0]
    body[a, 28] += F[1]
    body[a, 35] += F[2]
    body[a, 27] += F[3]
    body[a, 33] += F[4]
    body[a, 34] += F[5]


@kernel
def store_mat(table, k, c, m):
    store_at(table, k, c, m[0])
    store_at(table, k, c + 3, m[1])
    store_at(table, k, c + 6, m[2])
