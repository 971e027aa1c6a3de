"""What rods say of where their links are: what they still miss, how far they gape, the energy they hold."""

from ..._jit import kernel, merged
from ...couple.ports import load_at
from ...equations.rigid.tree_elimination import row6
from ...equations.rod.darboux_vector import relative
from ...equations.rod.mean_axis import gap_energy
from ...equations.rod.twist_angle import strain_of
from ...math.mat3 import mat_vec
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, dot, load, mul, neg, norm, scale, sub
from ...model.rods import (
    BEND,
    GAMMA_GAP,
    GAP_LAW,
    LAG,
    RATE,
    RAW_BEND,
    RAW_GAP,
    REST,
    RIGID,
    RIGID_BESIDE,
    SCALE,
    SLIDING,
    SOFT,
    STRETCH,
)
from .place import gap_axis, is_straight, less_before, load_mat, parting, rod_frames, slide_of

BENT = 1e-6
"""A rod that turns by less than this [rad] when free is straight."""


@merged
def rod_miss(joints, j, rods, motion, impulse, work, h):
    """How far rod `j` is from what its rows were linearised to be: gap over an element's length, or bend [rad].

    A rope that stretches is judged by how much the gap differs from what was solved for, and where a mass stands for what
    does not move, by how much that still gives way.
    """
    k, table, a, b = joints.rod[j], work.table, joints.body[j, 0], joints.body[j, 1]
    v_a, w_a, v_b, w_b = load(motion.velocity, a), load(motion.angular_velocity, a), load(motion.velocity, b), load(
        motion.angular_velocity, b)
    turning = add(load_at(table, k, RAW_BEND), mat_vec(load_mat(table, k, RATE), sub(w_b, w_a)))
    return miss_of(joints, j, rods, motion, impulse, work, h, v_a, w_a, v_b, w_b, turning)


@merged
def miss_of(joints, j, rods, motion, impulse, work, h, v_a, w_a, v_b, w_b, turning):
    """The same where the left and right link were solved for to move so, and the bend over h to come to `turning`."""
    k, table, give = joints.rod[j], work.table, work.give
    _, _, gap, q_a, q_b = rod_frames(joints, j, rods, motion)
    bend, aim = sub(strain_of(relative(q_a, q_b)), load_at(rods, k, REST)), scale(h, turning)
    folded = is_straight(rods, k) and dot(bend, bend) > 2.0
    if rods[k, GAP_LAW] >= SLIDING:
        d = slide_of(joints, j, rods, motion)
        gap = add_scaled(gap, -dot(d, gap), d)
    elif rods[k, GAP_LAW] != RIGID or joints.outer[j] < 0:
        solved = add(load_at(table, k, RAW_GAP), parting(joints, j, rods, work, v_a, w_a, v_b, w_b))
        gap = sub(gap, scale(h, solved))
        if joints.anvil[j] > 0.0 and joints.outer[j] >= 0:
            gap = add_scaled(gap, h, add(solved, sym_mul(row6(give, k, GAMMA_GAP), load_at(impulse, j, 0))))
    if rods[k, LAG] > 0.0:
        gap, bend = less_before(rods, k, give, q_a, q_b, gap, bend, rods[k, LAG] / (h + rods[k, LAG]))
    if folded and dot(bend, aim) < 0.0:
        bend = neg(bend)  # it has passed half a turn
    miss = sub(bend, aim)
    if rods[k, BEND] + rods[k, BEND + 2] == 0.0:
        miss = (0.0, 0.0, 0.0)
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
    bend = sub(strain_of(relative(q_a, q_b)), load_at(rods, k, REST))
    energy = 0.5 * dot(load_at(rods, k, BEND), mul(bend, bend))
    if rods[k, GAP_LAW] == SOFT:
        d, _ = gap_axis(rods, k, q_a, q_b)
        across, along = rods[k, STRETCH], rods[k, STRETCH + 2]
        energy += gap_energy(gap, d, held(across, along), held(along, across))
    return energy


@kernel
def held(stiffness, other):
    """The stiffness of a gap one way, none if it stands for what is rigid beside the `other`: that holds no energy.

    What Newton's method leaves of a gap is nothing beside a way that is soft; times a million it would be joules.
    """
    return stiffness if stiffness < 0.5 * RIGID_BESIDE * other else 0.0


@kernel
def rod_fold(joints, j, rods, motion):
    """sin^2 of half the angle by which rod `j` turns [-]: of all of it where it is bent when free, else of its twist alone.

    A half turn is the most that it can tell, 1 here: beyond, it takes the shorter way, and a bent rest shape or a twist
    jumps. A straight rod that only bends is as bent either way. Nothing of one that is limp.
    """
    k = joints.rod[j]
    if rods[k, BEND] + rods[k, BEND + 2] == 0.0:
        return 0.0
    _, _, _, q_a, q_b = rod_frames(joints, j, rods, motion)
    p = relative(q_a, q_b)
    if abs(rods[k, REST]) + abs(rods[k, REST + 1]) < BENT:
        return p[3] * p[3]
    return p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
