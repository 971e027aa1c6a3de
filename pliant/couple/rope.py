"""One Newton step of an island that is nothing but ropes and what hangs on their ends, in two passes over its links.

The same as placing, releasing, sweeping, moving and measuring one after another (newton.py), which is nine passes: a link
then falls out of the cache between two of them once a rope is long. Leaves to root each rod is placed, its outer link
folded, and what it lacks handed inward; back from the root the answers come, and what has its answer moves and is measured
at once. Answers are changes of speed since the last Newton step, which is what stiffness of a pull asks for. Along a rope
the mass that is folded inward goes from rod to rod without being stored; other bodies keep theirs in the tree's table.
"""

from math import sqrt

from .._jit import kernel, merged, stage
from ..equations.rigid.levered_push import stiffness_of, torque_of, turned_levers
from ..equations.rigid.tree_elimination import factor6, row6
from ..math.mat3 import mat_vec, sym_add, turned_vec, weighted_square
from ..math.quat import load4, rotate, third_axis
from ..math.sym3 import sym_mul, turned_diagonal
from ..math.vec3 import add, add_scaled, cross, dot, load, mul, neg, scale, store, sub
from ..model.bodies import DYNAMIC, OWN, PASSED
from ..model.islands import Islands
from ..model.joints import ROD
from ..model.rods import ALONG, ASIDE_INNER, GAMMA_GAP, GAP_LAW, RATE, RAW_BEND, RAW_GAP, SOFT
from ..model.rows import AROUND_AXIS, GIVEN, MOMENTUM, PUSH, PUSHED_ASIDE
from ..model.sets import Linkage, Movers
from ..solvers.chain.factor import add_mass, fold_link, link_mass, mass_at, pull_on, seen_inside
from ..solvers.chain.measure import miss_of
from ..solvers.chain.place import keep_place, let_slide, load_mat, see_rod, stiffness_over
from ..solvers.chain.solve import answer_rod, hand_inward
from ..solvers.tree.solve import answer_root
from .move import levers
from .ports import load_at, store_at
from .predict import begin_mover, loose_speeds, move_body


@kernel
def is_rope(bodies, joints, islands, i):
    """Whether an island is nothing but rods that make trees, and no body in it is loose."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1]:
        return False
    only = islands.first_contact[i] == islands.first_contact[i + 1]
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        only &= bodies.tree[islands.body[m]] >= 0 or bodies.kind[islands.body[m]] != DYNAMIC
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        only &= joints.kind[islands.joint[m]] == ROD and joints.outer[islands.joint[m]] >= 0
    return only


@stage
def solve_rope(movers: Movers, linkage: Linkage, islands: Islands, i: int, step: float) -> tuple:
    """(how far links have turned [rad], and in the whole substep, what joints still miss [-]).

    Writes: motion, impulses, scratch; answers are left in linkage.tree
    """
    body, part, zero = linkage.tree.body, movers.bodies.tree, (0.0, 0.0, 0.0)
    first, last = islands.first_joint[i], islands.first_joint[i + 1]
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if part[islands.body[m]] == 0 or part[islands.body[m]] == 1:
            begin(movers, islands.body[m], linkage.tree, step)
    mass, push = link_mass(movers.bodies, 0, zero), (zero, zero)
    for m in range(first, last):
        mass, push = fold(movers, linkage, islands.joint[m], step, mass, push)
    largest, fastest, worst = 0.0, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if part[k] == 1:
            factor6(body, k, 6)
            answer_root(k, linkage.tree)
            away, speed = take(movers, k, load_at(body, k, PUSH), load_at(body, k, PUSH + 3), step)
            largest, fastest = away if not away <= largest else largest, max(fastest, speed)
    answer = (zero, zero)
    for back in range(last - first):
        away, speed, miss, answer = unfold(movers, linkage, islands.joint[last - 1 - back], step, answer)
        if not away <= largest:
            largest = away  # also when it is not a number
        if not miss <= worst:
            worst = miss
        fastest = max(fastest, speed)
    return 2.0 * sqrt(largest), step * sqrt(fastest), worst


@merged
def begin(movers, k, tree, step):
    """Inertia of body `k` and the impulse by which it lacks the speeds that it has where no rod acts. Writes: ports, tree"""
    begin_mover(movers, k, tree, step)
    if movers.bodies.link[k] == 1:
        z_v, z = lacking(movers, k, third_axis(load4(movers.motion.quaternion, k)), step)
    else:
        v, w = loose_speeds(movers, k, step)
        inertia = turned_diagonal(load4(movers.motion.quaternion, k), load(movers.bodies.inertia, k))
        z_v = scale(movers.bodies.mass[k], sub(v, load(movers.motion.velocity, k)))
        z = sym_mul(inertia, sub(w, load(movers.motion.angular_velocity, k)))
    store_at(tree.body, k, PUSH, z_v)
    store_at(tree.body, k, PUSH + 3, z)


@merged
def lacking(movers, k, d, step):
    """Impulse and angular impulse by which link `k`, whose axis is `d`, lacks the speeds that it has where no rod acts.

    As `predict.link_spin` has them, times its inertia, which for the spin about its axis is small.
    """
    bodies, motion, start, turning = movers.bodies, movers.motion, movers.start.table, movers.push.turning
    w, m, across, around = load(motion.angular_velocity, k), bodies.mass[k], bodies.inertia[k, 0], bodies.inertia[k, 2]
    z_v = scale(m, sub(load_at(start, k, GIVEN), load(motion.velocity, k)))
    z = add_scaled(load_at(start, k, MOMENTUM), -across, w)
    axial = around * (start[k, AROUND_AXIS] - dot(w, d))
    z = add_scaled(z, axial - dot(z, d), d)
    if start[k, PUSHED_ASIDE] > 0.0:
        q = load4(motion.quaternion, k)
        z_v = add_scaled(z_v, step, rotate(q, load_at(turning, k, OWN)))
        z = add_scaled(z, step, rotate(q, load_at(turning, k, OWN + 3)))
        z = add_scaled(z, step, torque_of(turned_levers(q, levers(turning, k))))
    return z_v, z


@merged
def fold(movers, linkage, j, step, mass, push):
    """Place rod `j`, fold its outer link, and hand inward what it lacks; `mass` and `push` are those of a link PASSED.

    Returns those of the inner link, if it is PASSED. Writes: scratch of the rod, and of other links, impulse of what slides
    """
    joints, rods, work, body, bodies = linkage.joints, linkage.rods.table, linkage.rod_work, linkage.tree.body, movers.bodies
    k, side, table, part = joints.rod[j], joints.outer[j], work.table, movers.bodies.tree
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    sign, moves = 1.0 if side == 1 else -1.0, bodies.inverse_mass[b] > 0.0
    force = let_slide(joints, j, rods, movers.motion, linkage.state.impulse)
    r_b, r_a, G, kappa, gap, bend = see_rod(joints, j, rods, movers.motion, work.give, step)
    keep_place(table, k, r_b, r_a, G)
    store_at(table, k, RAW_BEND, bend)
    if rods[k, GAP_LAW] == SOFT:
        store_at(table, k, RAW_GAP, gap)
    if part[b] != PASSED:
        mass, push = mass_at(body, b), (load_at(body, b, PUSH), load_at(body, b, PUSH + 3))
    A, B, C = mass
    if moves:
        C = sym_add(C, pull_on(bodies, b, scale(sign * step, force), r_b))
    K = weighted_square(G, kappa)
    factors, A, E, F = fold_link(joints, j, rods, movers.motion, work, moves, (A, B, C), r_b, K, step)
    e, lack = scale(-sign, gap), scale(-1.0, mul(kappa, bend))
    kept = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if joints.anvil[j] > 0.0:
        e, lack, kept = lean_on(linkage, j, sign, e, lack, force, G, r_a)
    psi, (z_v, z) = scale(sign, turned_vec(G, lack)), push
    want, torque = hand_inward(rods, k, work, moves, z_v, z, e, psi, K, factors, r_b, r_a)
    if bodies.inverse_mass[a] == 0.0:
        return mass, push
    A, B, F = seen_inside(rods, k, work.give, A, E, F, r_a)
    C = sym_add(F, pull_on(bodies, a, scale(-sign * step, force), r_a))
    want, torque = add(want, kept[0]), add(torque, kept[1])
    if part[a] != PASSED:
        add_mass(body, a, (A, B, C))
        store_at(body, a, PUSH, sub(load_at(body, a, PUSH), want))
        store_at(body, a, PUSH + 3, sub(load_at(body, a, PUSH + 3), torque))
        return mass, push
    d = third_axis(load4(movers.motion.quaternion, a))
    own, _, around = link_mass(bodies, a, d)
    z_v, z = lacking(movers, a, d, step)
    C = sym_add(C, around)
    if movers.start.table[a, PUSHED_ASIDE] > 0.0:
        C = sym_add(C, turning_of(movers, a, step))
    return (sym_add(A, own), B, C), (sub(z_v, want), sub(z, torque))


@kernel
def turning_of(movers, k, step):
    """Stiffness against turning of what pushes body `k` from outside, over a substep [kg m2]."""
    s = stiffness_of(turned_levers(load4(movers.motion.quaternion, k), levers(movers.push.turning, k)))
    h = step * step
    return h * s[0], h * s[1], h * s[2], h * s[3], h * s[4], h * s[5]


@merged
def lean_on(linkage, j, sign, e, lack, force, G, r_a):
    """What rod `j` lacks beside the impulse that it keeps, and that impulse on its inner link; the outer one does not move."""
    k, give, moment = linkage.joints.rod[j], linkage.rod_work.give, load_at(linkage.state.impulse, j, 3)
    push = scale(sign, force)
    torque = add(scale(sign, turned_vec(G, moment)), cross(r_a, push))
    if linkage.rods.table[k, GAP_LAW] == SOFT:
        e = sub(e, sym_mul(row6(give, k, GAMMA_GAP), push))
        torque = add_scaled(torque, dot(load_at(give, k, ALONG), push), load_at(give, k, ASIDE_INNER))
    return e, sub(lack, moment), (push, torque)


@merged
def take(movers, k, dv, dw, step):
    """Let body `k` have its answer and move; returns as `move_body`. Writes: motion at `k`"""
    store(movers.motion.velocity, k, add(load(movers.motion.velocity, k), dv))
    store(movers.motion.angular_velocity, k, add(load(movers.motion.angular_velocity, k), dw))
    return move_body(movers, k, step)


@merged
def unfold(movers, linkage, j, step, answer):
    """Impulses of rod `j`; its outer link moves; returns as `move_body`, what the rod still misses, and that link's answer.

    `answer`: of the inner link, if it is PASSED. Writes: impulses of `j`, motion and scratch of its outer link
    """
    joints, rods, work, body, impulse = (linkage.joints, linkage.rods.table, linkage.rod_work, linkage.tree.body,
                                         linkage.state.impulse)
    k, side, part, bodies = joints.rod[j], joints.outer[j], movers.bodies.tree, movers.bodies
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    sign, holds, zero = 1.0 if side == 1 else -1.0, bodies.inverse_mass[a] > 0.0, (0.0, 0.0, 0.0)
    v_a, w_a = answer
    if not holds:
        v_a, w_a = zero, zero
    elif part[a] != PASSED:
        v_a, w_a = load_at(body, a, PUSH), load_at(body, a, PUSH + 3)
    G, kappa = load_mat(work.table, k, RATE), stiffness_over(rods, k, step)
    bent = mat_vec(G, w_a)
    _, force, v_b, w_b = answer_rod(rods, k, work, holds, v_a, w_a, turned_vec(G, mul(kappa, bent)))
    away, speed = 0.0, 0.0
    if bodies.inverse_mass[b] > 0.0:
        away, speed = take(movers, b, v_b, w_b, step)
        if part[b] != PASSED:
            store_at(body, b, PUSH, v_b)
            store_at(body, b, PUSH + 3, w_b)
    else:
        v_b, w_b = zero, zero
    turning = add_scaled(load_at(work.table, k, RAW_BEND), sign, sub(mat_vec(G, w_b), bent))
    force = scale(sign, force)
    if joints.anvil[j] > 0.0:
        force = add(load_at(impulse, j, 0), force)
    store_at(impulse, j, 0, force)
    store_at(impulse, j, 3, neg(mul(kappa, turning)))
    (v_l, w_l), (v_r, w_r) = ((v_a, w_a), (v_b, w_b)) if side == 1 else ((v_b, w_b), (v_a, w_a))
    return away, speed, miss_of(joints, j, rods, movers.motion, impulse, work, step, v_l, w_l, v_r, w_r, turning), (v_b, w_b)


@kernel
def forget_rope(movers, linkage, islands, i):
    """No impulse left on bodies, and none of velocities alone on rods. Writes: tree.body, linkage.state.relaxed"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.tree[k] == 0 or movers.bodies.tree[k] == 1:
            for c in range(6):
                linkage.tree.body[k, PUSH + c] = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            linkage.state.relaxed[islands.joint[m], r] = 0.0
