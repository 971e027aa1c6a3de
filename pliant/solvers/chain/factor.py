"""Links folded into their neighbours: what resists them where they are, and the factor towards the inner link."""

from ..._jit import kernel, merged
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import store_row6
from ...equations.rod.chain_elimination import at_centre, lean, let_part, let_turn, shift
from ...equations.rod.mean_axis import gap_softness, gap_stiffness
from ...math.mat3 import sym_add, sym_inverse, weighted_square
from ...math.quat import load4, third_axis
from ...math.sym3 import store6, sym_mul
from ...math.vec3 import dot, neg, scale
from ...model.rods import (
    ALONG,
    AROUND,
    ASIDE_INNER,
    ASIDE_OUTER,
    GAMMA_GAP,
    GAP_LAW,
    HAT,
    KAPPA,
    LAG,
    MEET,
    R_INNER,
    R_OUTER,
    RATE,
    RIGID,
    SHIFTED,
    SLIDING,
    SOFT,
    STRETCH,
    TURN,
)
from ...model.rows import PULLED
from .place import lever, load_mat, slide_of

PUSHED = 0.45
"""Most of a link's inertia across that a push at one of its ends may take away [-]: below one half."""
TINY = 1e-300
"""In place of the square of a lever that is zero [m2]."""


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
def pull_rod(joints, j, bodies, work, impulse, body, h):
    """Let the links of rod `j` feel how its pull turns with them. Writes: body at both links"""
    force = load_at(impulse, j, 0)
    for side in range(2):
        b = joints.body[j, side]
        if bodies.inverse_mass[b] > 0.0:
            pull = scale(h if side == 1 else -h, force)
            stiffen(body, b, 1.0, pull_on(bodies, b, pull, lever(joints, j, work.table, side)))


@merged
def pull_on(bodies, b, pull, r):
    """How the `pull` [N s2] that a rod has on link `b` at the lever r turns with it: stiffness against turning [kg m2].

    A force f at the lever r turns a link by r x f, which changes by f x (r x d_phi) as the link turns: a stiffness
    (f.r) 1 - r f^T, against turning where the rope pulls outwards. Newton's method needs it to converge on a taut rope, and
    on one that is pushed together; what remains at its end is the same without it. Taken as if f lay along r. Of a push, two
    of which act on a link, only as much as its inertia can bear: beyond that the link buckles within the substep.
    """
    s = dot(pull, r)
    if s < 0.0:
        s = max(s, -PUSHED * bodies.inertia[b, 0]) if bodies.link[b] == 1 else 0.0
    t = s / max(dot(r, r), TINY)
    return (s - t * r[0] * r[0], s - t * r[1] * r[1], s - t * r[2] * r[2], -t * r[0] * r[1], -t * r[0] * r[2],
            -t * r[1] * r[2])


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
    k, table, side = joints.rod[j], work.table, joints.outer[j]
    b, a = joints.body[j, side], joints.body[j, 1 - side]
    G, moves = load_mat(table, k, RATE), ports.inverse_mass[b] > 0.0
    (_, _, C, _), A, E, F = fold_link(joints, j, rods, motion, work, moves, mass_at(body, b), load_at(table, k, R_OUTER),
                                      weighted_square(G, load_at(table, k, KAPPA)), h)
    store_row6(table, k, AROUND, C)
    if ports.inverse_mass[a] > 0.0:
        add_mass(body, a, seen_inside(rods, k, work.give, A, E, F, load_at(table, k, R_INNER)))


@merged
def fold_link(joints, j, rods, motion, work, moves, mass, r_b, K, h):
    """(W, B', C', A^) of rod `j`, and what remains of its outer link's mass at the joint, turning and gap eliminated.

    Writes: W, B', A^ of the rod, and of a gap that gives way M and Gamma
    """
    k, table, zero, none = joints.rod[j], work.table, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    A, B, C = mass
    if moves:
        B, C = shift(A, B, C, r_b)
        if rods[k, GAP_LAW] == SOFT:
            B, C = lean(A, B, C, load_at(work.give, k, ALONG), load_at(work.give, k, ASIDE_OUTER))
        W, A, E, F = let_turn(A, B, C, K)
    else:  # what does not turn takes all of the bend
        m, B, C, W, E, F = joints.anvil[j], (zero, zero, zero), none, none, (zero, zero, zero), K
        A = (m, m, m, 0.0, 0.0, 0.0)
    store_row6(table, k, TURN, W)
    store_at(table, k, SHIFTED, B[0])
    store_at(table, k, SHIFTED + 3, B[1])
    store_at(table, k, SHIFTED + 6, B[2])
    hat = A
    if rods[k, GAP_LAW] != RIGID:
        if moves or joints.anvil[j] > 0.0:
            M = give_way(joints, j, rods, k, motion, work.give, A, h)
        else:
            M, hat = none, hold_gap(rods, k, work.give, h)
        store_row6(work.give, k, MEET, M)
        A, E, F = let_part(hat, E, F, M)
    store_row6(table, k, HAT, hat)
    return (W, B, C, hat), A, E, F


@merged
def seen_inside(rods, k, give, A, E, F, r_a):
    """(A, B, C) of what is folded into the inner link of rod `k`, seen from that link's centre."""
    if rods[k, GAP_LAW] == SOFT:
        E, F = lean(A, E, F, load_at(give, k, ALONG), neg(load_at(give, k, ASIDE_INNER)))
    E, F = at_centre(A, E, F, r_a)
    return A, E, F


@merged
def give_way(joints, j, rods, k, motion, give, A, h):
    """M of a gap that stretches and shears, or slides along one direction. Writes: give (Gamma)"""
    if rods[k, GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        s = 1.0 / dot(d, sym_mul(A, d))
        return s * d[0] * d[0], s * d[1] * d[1], s * d[2] * d[2], s * d[0] * d[1], s * d[0] * d[2], s * d[1] * d[2]
    return sym_inverse(sym_add(hold_gap(rods, k, give, h), A))


@kernel
def hold_gap(rods, k, give, h):
    """Gamma^-1 of a gap that stretches and shears. Writes: give (Gamma)"""
    s, d = h * (h + rods[k, LAG]), load_at(give, k, ALONG)
    across, along = s * rods[k, STRETCH], s * rods[k, STRETCH + 2]
    store_row6(give, k, GAMMA_GAP, gap_softness(d, across, along))
    return gap_stiffness(d, across, along)


@kernel
def link_mass(bodies, k, d):
    """(A, B, C) of link `k` alone, whose axis is `d`, seen from its centre."""
    m, s, zero = bodies.mass[k], bodies.inertia[k, 0], (0.0, 0.0, 0.0)
    t = bodies.inertia[k, 2] - s
    C = (s + t * d[0] * d[0], s + t * d[1] * d[1], s + t * d[2] * d[2], t * d[0] * d[1], t * d[0] * d[2], t * d[1] * d[2])
    return (m, m, m, 0.0, 0.0, 0.0), (zero, zero, zero), C


@merged
def mass_at(body, b):
    """(A, B, C) of body `b` with all that has been folded into it."""
    return ((body[b, 0], body[b, 7], body[b, 14], body[b, 6], body[b, 12], body[b, 13]),
            ((body[b, 18], body[b, 24], body[b, 30]), (body[b, 19], body[b, 25], body[b, 31]),
             (body[b, 20], body[b, 26], body[b, 32])),
            (body[b, 21], body[b, 28], body[b, 35], body[b, 27], body[b, 33], body[b, 34]))


@merged
def add_mass(body, a, mass):
    """Writes: body at `a`"""
    A, B, C = mass
    body[a, 0] += A[0]
    body[a, 7] += A[1]
    body[a, 14] += A[2]
    body[a, 6] += A[3]
    body[a, 12] += A[4]
    body[a, 13] += A[5]
    for c in range(3):
        body[a, 18 + c] += B[c][0]
        body[a, 24 + c] += B[c][1]
        body[a, 30 + c] += B[c][2]
    body[a, 21] += C[0]
    body[a, 28] += C[1]
    body[a, 35] += C[2]
    body[a, 27] += C[3]
    body[a, 33] += C[4]
    body[a, 34] += C[5]
