"""One exact solve of rods: what their rows lack, leaves to root, and back."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import row6
from ...math.mat3 import mat_vec, turned_vec
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, cross, dot, load, mul, neg, norm, scale, sub
from ...model.rods import (
    ALONG,
    AROUND,
    ASIDE,
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
from .factor import lever


@merged
def gather_rod(joints, j, rods, ports, motion, work, body, state, mode):
    """What rod `j` lacks, folded into its inner link; a relaxing sweep lets rigid gaps rest where they are.

    Writes: work at its rod, body at both links
    """
    k, side = joints.rod[j], joints.outer[j]
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    r_b, r_a = load_at(work, k, R_OUTER), load_at(work, k, R_INNER)
    sign = 1.0 if side == 1 else -1.0
    G = load_mat(work, k, RATE)
    e, lack = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if mode != ANSWERING:
        w_b, w_a = load(motion.angular_velocity, b), load(motion.angular_velocity, a)
        parting = sub(add(load(motion.velocity, b), cross(w_b, r_b)), add(load(motion.velocity, a), cross(w_a, r_a)))
        e = neg(parting)
        if rods[k, GAP_LAW] == SOFT:
            e = add_scaled(e, sign * dot(load_at(work, k, ASIDE), w_a if side == 1 else w_b), load_at(work, k, ALONG))
        turning = add(scale(sign, mat_vec(G, sub(w_b, w_a))), load_at(work, k, RAW_BEND))
        if rods[k, GAP_LAW] == SOFT or mode == AIMING:
            e = add_scaled(e, -sign, load_at(work, k, RAW_GAP))
        if rods[k, GAP_LAW] == SOFT:
            e = add_scaled(e, -sign, sym_mul(row6(work, k, GAMMA_GAP), load_at(state.impulse, j, 0)))
        lack = sub(neg(mul(load_at(work, k, KAPPA), turning)), load_at(state.impulse, j, 3))
    store_at(work, k, LACK_GAP, e)
    store_at(work, k, LACK_BEND, lack)
    psi = scale(sign, turned_vec(G, lack))
    z_v, z = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if ports.inverse_mass[b] > 0.0:
        z_v = load_at(body, b, PUSH)
        z = load_at(body, b, PUSH + 3)
        if mode == ANSWERING and is_zero(z_v) and is_zero(z):  # nothing beyond was pushed
            store_at(work, k, WANT, z)
            store_at(work, k, FELT, z)
            return
        z = sub(z, cross(r_b, z_v))
        if side == 0 and rods[k, GAP_LAW] == SOFT:
            z = add_scaled(z, -dot(load_at(work, k, ALONG), z_v), load_at(work, k, ASIDE))
    W, B, kappa = row6(work, k, TURN), load_mat(work, k, SHIFTED), load_at(work, k, KAPPA)
    bent, moved = sym_mul(W, psi), sym_mul(W, z)
    felt = add(bent, moved)
    want = add(sym_mul(row6(work, k, HAT), e), sub(mat_vec(B, felt), z_v))
    store_at(work, k, WANT, want)
    store_at(work, k, FELT, felt)
    if ports.inverse_mass[a] > 0.0:
        u = e
        if rods[k, GAP_LAW] != RIGID:
            given = sym_mul(row6(work, k, MEET), want)
            u = sub(e, given)
            want = sub(want, sym_mul(row6(work, k, HAT), given))
        moved = sub(moved, sym_mul(W, turned_vec(B, u)))
        tau = psi
        if ports.inverse_mass[b] > 0.0:
            tau = sub(sym_mul(row6(work, k, AROUND), bent), turned_vec(G, mul(kappa, mat_vec(G, moved))))
        if side == 1 and rods[k, GAP_LAW] == SOFT:
            tau = add_scaled(tau, dot(load_at(work, k, ALONG), want), load_at(work, k, ASIDE))
        store_at(body, a, PUSH, sub(load_at(body, a, PUSH), want))
        store_at(body, a, PUSH + 3, sub(load_at(body, a, PUSH + 3), add(tau, cross(r_a, want))))


@merged
def scatter_rod(joints, j, rods, ports, work, body, state, mode, booked):
    """Impulses of rod `j`, booked or not, and the answer of its outer link; returns the largest change of speed it made [m/s].

    Writes: state, body at the outer link
    """
    k, side = joints.rod[j], joints.outer[j]
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    r_b, r_a = load_at(work, k, R_OUTER), load_at(work, k, R_INNER)
    sign = 1.0 if side == 1 else -1.0
    u, w_a, w_b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), load_at(work, k, FELT)
    force, hat, W = load_at(work, k, WANT), row6(work, k, HAT), row6(work, k, TURN)
    B, G, kappa = load_mat(work, k, SHIFTED), load_mat(work, k, RATE), load_at(work, k, KAPPA)
    if ports.inverse_mass[a] > 0.0:
        w_a = load_at(body, a, PUSH + 3)
        u = add(load_at(body, a, PUSH), cross(w_a, r_a))
        if side == 1 and rods[k, GAP_LAW] == SOFT:
            u = add_scaled(u, dot(load_at(work, k, ASIDE), w_a), load_at(work, k, ALONG))
        carried = sym_mul(W, turned_vec(G, mul(kappa, mat_vec(G, w_a))))
        w_b = add(w_b, carried)
        force = add(add(force, sym_mul(hat, u)), mat_vec(B, carried))
    u = add(u, load_at(work, k, LACK_GAP))
    if rods[k, GAP_LAW] != RIGID:
        given = sym_mul(row6(work, k, MEET), force)
        u = sub(u, given)
        force = sub(force, sym_mul(hat, given))
    w_b = sub(w_b, sym_mul(W, turned_vec(B, u)))
    if ports.inverse_mass[b] > 0.0:
        v_b = sub(u, cross(w_b, r_b))
        if side == 0 and rods[k, GAP_LAW] == SOFT:
            v_b = add_scaled(v_b, -dot(load_at(work, k, ASIDE), w_b), load_at(work, k, ALONG))
        store_at(body, b, PUSH, v_b)
        store_at(body, b, PUSH + 3, w_b)
    moment = sub(load_at(work, k, LACK_BEND), mul(kappa, mat_vec(G, scale(sign, sub(w_b, w_a)))))
    if mode == RELAXING and rods[k, GAP_LAW] != SOFT:
        store_at(state.relaxed, j, 0, add_scaled(load_at(state.relaxed, j, 0), booked * sign, force))
    else:
        store_at(state.impulse, j, 0, add_scaled(load_at(state.impulse, j, 0), booked * sign, force))
    store_at(state.impulse, j, 3, add_scaled(load_at(state.impulse, j, 3), booked, moment))
    return norm(u)


@kernel
def push_rod(joints, j, rods, ports, work, impulse, body):
    """Let the coming solve start from the impulse that rod `j` has. Writes: body at its links

    Not by pushing its links, whose speeds would be lost again in the difference to what is much heavier.
    """
    k = joints.rod[j]
    force, G = load_at(impulse, j, 0), load_mat(work, k, RATE)
    turning = turned_vec(G, load_at(impulse, j, 3))
    for side in range(2):
        b, sign = joints.body[j, side], 1.0 if side == 1 else -1.0
        if ports.inverse_mass[b] > 0.0:
            torque = add(turning, cross(lever(joints, j, work, side), force))
            if side == 0 and rods[k, GAP_LAW] == SOFT:
                torque = add_scaled(torque, dot(load_at(work, k, ALONG), force), load_at(work, k, ASIDE))
            store_at(body, b, PUSH, add_scaled(load_at(body, b, PUSH), sign, force))
            store_at(body, b, PUSH + 3, add_scaled(load_at(body, b, PUSH + 3), sign, torque))


@kernel
def is_zero(v):
    return v[0] == 0.0 and v[1] == 0.0 and v[2] == 0.0


@kernel
def load_mat(table, k, c):
    return load_at(table, k, c), load_at(table, k, c + 3), load_at(table, k, c + 6)
