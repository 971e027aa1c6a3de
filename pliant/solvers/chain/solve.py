"""One exact solve of rods: what their rows lack, leaves to root, and back."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import row6
from ...math.mat3 import mat_vec, turned_vec, weighted_square
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, cross, dot, mul, neg, norm, scale, sub
from ...model.rods import (
    ALONG,
    AROUND,
    ASIDE_INNER,
    ASIDE_OUTER,
    FELT,
    GAMMA_GAP,
    GAP_LAW,
    HAT,
    KAPPA,
    LACK_BEND,
    LACK_GAP,
    MEET,
    R_INNER,
    R_OUTER,
    RATE,
    RAW_BEND,
    RAW_GAP,
    RIGID,
    SHIFTED,
    SOFT,
    TURN,
    WANT,
)
from ...model.rows import AIMING, ANSWERING, PUSH, RELAXING
from .place import aside, lever, load_mat


@merged
def gather_rod(joints, j, rods, ports, speeds, work, body, state, mode):
    """What rod `j` lacks, folded into its inner link; a relaxing sweep lets rigid gaps rest where they are.

    `speeds`: velocity and angular velocity of the outer link, then of the inner. Writes: work at its rod, body at the inner
    """
    k, side, table = joints.rod[j], joints.outer[j], work.table
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    sign = 1.0 if side == 1 else -1.0
    e, lack = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if mode != ANSWERING:
        e, lack = lacks(rods, k, speeds, sign, work, state.impulse, j, mode)
    z_v, z, moves = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), ports.inverse_mass[b] > 0.0
    if moves:
        z_v, z = load_at(body, b, PUSH), load_at(body, b, PUSH + 3)
        if mode == ANSWERING and is_zero(z_v) and is_zero(z):  # nothing beyond was pushed
            for c in range(LACK_GAP, FELT + 3):
                table[k, c] = 0.0
            store_at(table, k, LACK_BEND, z)
            return
    store_at(table, k, LACK_BEND, lack)
    G, kappa = load_mat(table, k, RATE), load_at(table, k, KAPPA)
    factors = row6(table, k, TURN), load_mat(table, k, SHIFTED), row6(table, k, AROUND), row6(table, k, HAT)
    want, torque = hand_inward(rods, k, work, moves, z_v, z, e, scale(sign, turned_vec(G, lack)), weighted_square(G, kappa),
                               factors, load_at(table, k, R_OUTER), load_at(table, k, R_INNER))
    if ports.inverse_mass[a] > 0.0:
        store_at(body, a, PUSH, sub(load_at(body, a, PUSH), want))
        store_at(body, a, PUSH + 3, sub(load_at(body, a, PUSH + 3), torque))


@merged
def lacks(rods, k, speeds, sign, work, impulse, j, mode):
    """(s e, kappa q less the moment there is) of rod `k`, joint `j`."""
    v_b, w_b, v_a, w_a = speeds
    r_b, r_a = load_at(work.table, k, R_OUTER), load_at(work.table, k, R_INNER)
    e = sub(add(v_a, cross(w_a, r_a)), add(v_b, cross(w_b, r_b)))
    turning = add(scale(sign, mat_vec(load_mat(work.table, k, RATE), sub(w_b, w_a))), load_at(work.table, k, RAW_BEND))
    if rods[k, GAP_LAW] == SOFT:
        tilting = dot(load_at(work.give, k, ASIDE_INNER), w_a) - dot(load_at(work.give, k, ASIDE_OUTER), w_b)
        e = add_scaled(e, tilting, load_at(work.give, k, ALONG))
        e = add_scaled(e, -sign, sym_mul(row6(work.give, k, GAMMA_GAP), load_at(impulse, j, 0)))
    if rods[k, GAP_LAW] == SOFT or mode == AIMING:
        e = add_scaled(e, -sign, load_at(work.table, k, RAW_GAP))
    return e, sub(neg(mul(load_at(work.table, k, KAPPA), turning)), load_at(impulse, j, 3))


@merged
def hand_inward(rods, k, work, moves, z_v, z, e, psi, K, factors, r_b, r_a):
    """(f, tau at its centre) that the inner link of rod `k` has to bear before it answers.

    `z_v`, `z`: impulses that the outer link bears, if it moves; `e` = s e; `factors` = W, B', C', A^. Writes: work at the rod
    """
    table, soft, (W, B, C, hat) = work.table, rods[k, GAP_LAW] == SOFT, factors
    if moves:
        z = sub(z, cross(r_b, z_v))
        if soft:
            z = add_scaled(z, -dot(load_at(work.give, k, ALONG), z_v), load_at(work.give, k, ASIDE_OUTER))
    bent, moved = sym_mul(W, psi), sym_mul(W, z)
    felt = add(bent, moved)
    want, u = add(sym_mul(hat, e), sub(mat_vec(B, felt), z_v)), e
    store_at(table, k, LACK_GAP, e)
    store_at(table, k, WANT, want)
    store_at(table, k, FELT, felt)
    if rods[k, GAP_LAW] != RIGID:
        given = sym_mul(row6(work.give, k, MEET), want)
        u = sub(e, given)
        want = sub(want, sym_mul(hat, given))
    tau = psi
    if moves:
        tau = sub(sym_mul(C, bent), sym_mul(K, sub(moved, sym_mul(W, turned_vec(B, u)))))
    if soft:
        tau = add_scaled(tau, dot(load_at(work.give, k, ALONG), want), load_at(work.give, k, ASIDE_INNER))
    return want, add(tau, cross(r_a, want))


@merged
def scatter_rod(joints, j, rods, ports, work, body, state, mode, booked):
    """Impulses of rod `j`, if booked, and the answer of its outer link; returns the largest change of speed it made [m/s].

    Writes: state, body at the outer link
    """
    k, side, table = joints.rod[j], joints.outer[j], work.table
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    sign, G, kappa = 1.0 if side == 1 else -1.0, load_mat(table, k, RATE), load_at(table, k, KAPPA)
    v_a, w_a, holds = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), ports.inverse_mass[a] > 0.0
    if holds:
        v_a, w_a = load_at(body, a, PUSH), load_at(body, a, PUSH + 3)
    twist = turned_vec(G, mul(kappa, mat_vec(G, w_a)))
    u, force, v_b, w_b = answer_rod(rods, k, work, holds, v_a, w_a, twist)
    if ports.inverse_mass[b] > 0.0:
        store_at(body, b, PUSH, v_b)
        store_at(body, b, PUSH + 3, w_b)
    if booked == 0.0:
        return 0.0
    moment = sub(load_at(table, k, LACK_BEND), mul(kappa, mat_vec(G, scale(sign, sub(w_b, w_a)))))
    if mode == RELAXING and rods[k, GAP_LAW] != SOFT:
        store_at(state.relaxed, j, 0, add_scaled(load_at(state.relaxed, j, 0), booked * sign, force))
    else:
        store_at(state.impulse, j, 0, add_scaled(load_at(state.impulse, j, 0), booked * sign, force))
    store_at(state.impulse, j, 3, add_scaled(load_at(state.impulse, j, 3), booked, moment))
    return norm(u)


@merged
def answer_rod(rods, k, work, holds, v_a, w_a, twist):
    """(u, f, v_b, w_b) of rod `k` where its inner link, if it moves, answers by v_a, w_a; `twist` = K w_a."""
    table, soft, u = work.table, rods[k, GAP_LAW] == SOFT, load_at(work.table, k, LACK_GAP)
    force, hat, W, B = load_at(table, k, WANT), row6(table, k, HAT), row6(table, k, TURN), load_mat(table, k, SHIFTED)
    w_b = load_at(table, k, FELT)
    if holds:
        x = add(v_a, cross(w_a, load_at(table, k, R_INNER)))
        if soft:
            x = add_scaled(x, dot(load_at(work.give, k, ASIDE_INNER), w_a), load_at(work.give, k, ALONG))
        carried = sym_mul(W, twist)
        w_b = add(w_b, carried)
        force = add(add(force, sym_mul(hat, x)), mat_vec(B, carried))
        u = add(u, x)
    if rods[k, GAP_LAW] != RIGID:
        given = sym_mul(row6(work.give, k, MEET), force)
        u = sub(u, given)
        force = sub(force, sym_mul(hat, given))
    w_b = sub(w_b, sym_mul(W, turned_vec(B, u)))
    v_b = sub(u, cross(w_b, load_at(table, k, R_OUTER)))
    if soft:
        v_b = add_scaled(v_b, -dot(load_at(work.give, k, ASIDE_OUTER), w_b), load_at(work.give, k, ALONG))
    return u, force, v_b, w_b


@kernel
def push_rod(joints, j, rods, ports, work, impulse, body):
    """Let the coming solve start from the impulse that rod `j` has. Writes: body at its links

    Not by pushing its links, whose speeds would be lost again in the difference to what is much heavier.
    """
    k = joints.rod[j]
    force, turning = load_at(impulse, j, 0), turned_vec(load_mat(work.table, k, RATE), load_at(impulse, j, 3))
    for side in range(2):
        b, sign = joints.body[j, side], 1.0 if side == 1 else -1.0
        if ports.inverse_mass[b] > 0.0:
            torque = add(turning, cross(lever(joints, j, work.table, side), force))
            if rods[k, GAP_LAW] == SOFT:
                torque = add_scaled(torque, dot(load_at(work.give, k, ALONG), force), aside(joints, j, work.give, side))
            store_at(body, b, PUSH, add_scaled(load_at(body, b, PUSH), sign, force))
            store_at(body, b, PUSH + 3, add_scaled(load_at(body, b, PUSH + 3), sign, torque))


@kernel
def is_zero(v):
    return v[0] == 0.0 and v[1] == 0.0 and v[2] == 0.0
