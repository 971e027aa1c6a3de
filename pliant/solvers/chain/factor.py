"""Rods placed and folded: Jacobians where the links are, what the rows aim at, and the factor towards the inner link."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import store_row6
from ...equations.rod.chain_elimination import at_centre, let_part, let_turn, shift
from ...equations.rod.darboux_vector import bend_twist, rate_matrix, relative
from ...math.mat3 import mat_vec, sym_inverse, weighted_square
from ...math.quat import axes, load4, qmul, rotate, third_axis, unrotate
from ...math.sym3 import store6, sym_mul
from ...math.vec3 import add, add_scaled, cross, dot, load, mul, norm, scale, sub
from ...model.rods import (
    AROUND,
    BEND,
    BETA,
    GAMMA_GAP,
    GAP_LAW,
    HAT,
    KAPPA,
    LAG,
    MEET,
    R_INNER,
    R_OUTER,
    RATE,
    RAW_BEND,
    RAW_GAP,
    REST,
    RIGID,
    RIGID_ENOUGH,
    SCALE,
    SHIFTED,
    SLIDE,
    SLIDING,
    SLIDING_RIGHT,
    SOFT,
    STRETCH,
    TURN,
)
from ...model.rows import PULLED


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

    They meet at the right link's point; where the left one slides along the right, at the left link's.
    """
    a, b = joints.body[j, 0], joints.body[j, 1]
    q_a, q_b = load4(motion.quaternion, a), load4(motion.quaternion, b)
    r_a, r_b = rotate(q_a, load(joints.anchor_a, j)), rotate(q_b, load(joints.anchor_b, j))
    gap = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    if rods[joints.rod[j], GAP_LAW] == SLIDING_RIGHT:
        r_b = sub(r_b, gap)
    else:
        r_a = add(r_a, gap)
    return r_a, r_b, gap, qmul(q_a, load4(joints.frame_a, j)), qmul(q_b, load4(joints.frame_b, j))


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
    beta = h / (h + lag)
    work[k, BETA] = beta
    work[k, BETA + 1] = beta if rods[k, GAP_LAW] != RIGID else 1.0
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    parting = sub(add(load(motion.velocity, b), cross(w_b, r_b)), add(load(motion.velocity, a), cross(w_a, r_a)))
    store_at(work, k, RAW_GAP, sub(scale(1.0 / h, gap), parting))
    bend = sub(bend_twist(p), load_at(rods, k, REST))
    store_at(work, k, RAW_BEND, sub(scale(1.0 / h, bend), mat_vec(G, sub(w_b, w_a))))


@kernel
def lever(joints, j, work, side):
    """From the centre of the left (0) or right (1) link of rod `j` to where they meet."""
    return load_at(work, joints.rod[j], R_OUTER if side == max(joints.outer[j], 0) else R_INNER)


@merged
def pull_rod(joints, j, ports, work, impulse, body, h):
    """Let the links of rod `j` feel how its pull turns with them. Writes: body at both links

    A force f at the lever r turns a link by r x f, which changes by f x (r x d_phi) as the link turns: a stiffness
    (f.r) 1 - r f^T, against turning where the rope pulls outwards. Newton's method needs it to converge on a taut rope;
    what remains at its end is the same without it. Taken where it is positive, and as if f lay along r.
    """
    force = load_at(impulse, j, 0)
    for side in range(2):
        b = joints.body[j, side]
        if ports.inverse_mass[b] > 0.0:
            r = lever(joints, j, work, side)
            s = dot(force, r) if side == 1 else -dot(force, r)
            if s > 0.0:
                s *= h
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
    if ports.inverse_mass[b] > 0.0:
        A = (body[b, 0], body[b, 7], body[b, 14], body[b, 6], body[b, 12], body[b, 13])
        B = ((body[b, 18], body[b, 24], body[b, 30]), (body[b, 19], body[b, 25], body[b, 31]),
             (body[b, 20], body[b, 26], body[b, 32]))
        C = (body[b, 21], body[b, 28], body[b, 35], body[b, 27], body[b, 33], body[b, 34])
        B, C = shift(A, B, C, load_at(work, k, R_OUTER))
    else:
        m, zero = joints.anvil[j], (0.0, 0.0, 0.0)
        n = 1e4 * m * rods[k, SCALE] * rods[k, SCALE]  # nothing light is beside it: bends are never rigid
        A, B, C = (m, m, m, 0.0, 0.0, 0.0), (zero, zero, zero), (n, n, n, 0.0, 0.0, 0.0)
    store_mat(work, k, SHIFTED, B)
    store_row6(work, k, AROUND, C)
    W, A, E, F = let_turn(A, B, C, weighted_square(G, load_at(work, k, KAPPA)))
    store_row6(work, k, TURN, W)
    store_row6(work, k, HAT, A)
    if rods[k, GAP_LAW] != RIGID:
        M = give_way(rods, k, work, joints, j, motion, A, h)
        store_row6(work, k, MEET, M)
        A, E, F = let_part(A, E, F, M)
    if ports.inverse_mass[a] > 0.0:
        E, F = at_centre(A, E, F, load_at(work, k, R_INNER))
        add_mass(body, a, A, E, F)


@merged
def give_way(rods, k, work, joints, j, motion, A, h):
    """M of a gap that stretches and shears, or slides along one direction. Writes: work (Gamma)"""
    frame = qmul(load4(motion.quaternion, joints.body[j, 0]), load4(joints.frame_a, j))
    if rods[k, GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        s = 1.0 / dot(d, sym_mul(A, d))
        return s * d[0] * d[0], s * d[1] * d[1], s * d[2] * d[2], s * d[0] * d[1], s * d[0] * d[2], s * d[1] * d[2]
    stiff = scale(h * (h + rods[k, LAG]), load_at(rods, k, STRETCH))
    d = axes(frame)
    store_row6(work, k, GAMMA_GAP, weighted_square(d, (1.0 / stiff[0], 1.0 / stiff[1], 1.0 / stiff[2])))
    held = weighted_square(d, (stiff[0], stiff[1], stiff[2]))
    return sym_inverse((held[0] + A[0], held[1] + A[1], held[2] + A[2], held[3] + A[3], held[4] + A[4], held[5] + A[5]))


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


@merged
def rod_miss(joints, j, rods, motion, work, h):
    """How far rod `j` is from what its rows were linearised to be: gap over an element's length, or bend [rad].

    A rope that stretches is judged by how much the gap differs from what was solved for.
    """
    k = joints.rod[j]
    a, b, side = joints.body[j, 0], joints.body[j, 1], joints.outer[j]
    r_a, r_b, gap, q_a, q_b = rod_frames(joints, j, rods, motion)
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    bend = sub(bend_twist(relative(q_a, q_b)), load_at(rods, k, REST))
    G = (load_at(work, k, RATE), load_at(work, k, RATE + 3), load_at(work, k, RATE + 6))
    miss = sub(bend, scale(h, add(load_at(work, k, RAW_BEND), mat_vec(G, sub(w_b, w_a)))))
    if rods[k, BEND] + rods[k, BEND + 2] == 0.0:
        miss = (0.0, 0.0, 0.0)
    if rods[k, GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        gap = add_scaled(gap, -dot(d, gap), d)
    elif rods[k, GAP_LAW] != RIGID:
        before, beyond = load_at(work, k, R_OUTER), load_at(work, k, R_INNER)
        r_a, r_b = (beyond, before) if side == 1 else (before, beyond)
        parting = sub(add(load(motion.velocity, b), cross(w_b, r_b)), add(load(motion.velocity, a), cross(w_a, r_a)))
        gap = sub(gap, scale(h, add(load_at(work, k, RAW_GAP), parting)))
    return max(norm(gap) / rods[k, SCALE], norm(miss))


@kernel
def rod_gap(joints, j, rods, motion):
    """How far the links of rod `j` are apart [m], but along where they slide."""
    _, _, gap, _, _ = rod_frames(joints, j, rods, motion)
    if rods[joints.rod[j], GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        gap = add_scaled(gap, -dot(d, gap), d)
    return norm(gap)


@kernel
def rod_energy(joints, j, rods, motion):
    """Elastic energy of rod `j` [J]."""
    k = joints.rod[j]
    _, _, gap, q_a, q_b = rod_frames(joints, j, rods, motion)
    bend, along = sub(bend_twist(relative(q_a, q_b)), load_at(rods, k, REST)), unrotate(q_a, gap)
    energy = 0.5 * dot(load_at(rods, k, BEND), mul(bend, bend))
    if rods[k, GAP_LAW] == SOFT:
        for c in range(3):
            if rods[k, STRETCH + c] < RIGID_ENOUGH:
                energy += 0.5 * rods[k, STRETCH + c] * along[c] * along[c]
    return energy


@kernel
def store_mat(table, k, c, m):
    store_at(table, k, c, m[0])
    store_at(table, k, c + 3, m[1])
    store_at(table, k, c + 6, m[2])
