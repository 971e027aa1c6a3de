"""Rigid rows of joints: up to six, solved together by a small Cholesky factor; and the rows of what they leave free."""

from ..._jit import kernel, merged
from ...couple.ports import answer_row, load_at, push_row, row_speed, store_at, write_jacobian
from ...equations.rigid.joint_coordinates import (
    cross_angles,
    rotation_rate_row,
    rotation_vector,
    swing_angle,
    twist_angle,
    unwrap,
)
from ...equations.rigid.joint_rows import bow, tilt_row, travel_row
from ...equations.rigid.tree_elimination import add6, factor6, row6, solve_rows, store_row6
from ...math.quat import axes, conj, load4, qmul, rotate
from ...math.vec3 import add, add_scaled, dot, load, norm, scale, sub
from ...model.joints import (
    ANGLE,
    CROSS_FIRST,
    CROSS_SECOND,
    CYLINDRICAL,
    FIXED_JOINT,
    PRISMATIC,
    REVOLUTE,
    ROTATION,
    SPIN,
    TRAVEL,
    UNIVERSAL,
)
from ...model.rows import AIM, ANSWER, APART, ARM_A, ARM_B, BASE, LEANT, LEVER, MISSING, RESPONSE

FAR = 0.01
"""A joint found further apart than this [m], as after a teleport, is pulled together and not closed at once."""
PULL_SPEED = 3.0
"""How fast [m/s]."""


@merged
def prepare_ahead(joints, j, motion, rows, work, h, grown):
    """As `prepare_joint`, closing in advance by what the last substep found to be missing beyond its aim, `grown` times.

    That is h^2 times what changes little from substep to substep; where it is known, most need not aim twice.
    """
    table, found = work.table, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if grown > 0.0:
        found = add6(row6(table, j, AIM), -1.0, row6(table, j, BASE))
    gap = prepare_joint(joints, j, motion, rows, work, h, 1.0)
    store_row6(table, j, BASE, row6(table, j, AIM))
    if gap <= FAR:
        store_row6(table, j, AIM, add6(row6(table, j, AIM), grown, found))
    return gap


@merged
def prepare_joint(joints, j, motion, rows, work, h, curved):
    """Rigid rows of joint `j` and what they aim at; returns its gap [m]. Writes: rows 6j to 6j + 5, work at `j`

    How bodies answer along them is left to `answer_joint`.

    `curved` is 1 where the rows lie at the start of a substep, so that anchors will leave their tangents, else 0.
    """
    a, b, kind = joints.body[j, 0], joints.body[j, 1], joints.kind[j]
    r_a, r_b, d, (x_a, y_a, z_a), (x_b, y_b, z_b) = joint_frames(joints, j, motion)
    store_at(work.table, j, LEVER, r_b)
    gap = joint_gap(kind, d, x_a, y_a)
    work.table[j, APART] = gap
    w_a, w_b = load(motion.angular_velocity, a), load(motion.angular_velocity, b)
    bowed = scale(curved, sub(bow(w_b, r_b, h), bow(w_a, add(r_a, d), h)))
    if curved == 0.0 and kind != PRISMATIC and kind != CYLINDRICAL:
        r_a = sub(r_a, d)  # d is closed along fixed axes then: as a lever, the pull of a knot would spin thin links by it
    count = travel(rows, 6 * j, x_a, d, bowed, r_a, r_b, work, j, 0, h)
    count = travel(rows, 6 * j, y_a, d, bowed, r_a, r_b, work, j, count, h)
    if kind != PRISMATIC and kind != CYLINDRICAL:
        count = travel(rows, 6 * j, z_a, d, bowed, r_a, r_b, work, j, count, h)
    if kind == REVOLUTE or kind == PRISMATIC or kind == FIXED_JOINT or kind == CYLINDRICAL:
        count = tilt(rows, 6 * j, x_a, z_b, work, j, count, h)
        count = tilt(rows, 6 * j, y_a, z_b, work, j, count, h)
    if kind == PRISMATIC or kind == FIXED_JOINT:
        count = tilt(rows, 6 * j, x_a, y_b, work, j, count, h)
    if kind == UNIVERSAL:
        count = tilt(rows, 6 * j, z_a, x_b, work, j, count, h)
    work.count[j] = count
    work.taken[j] = count
    if gap > FAR:
        for r in range(count):
            work.table[j, AIM + r] *= min(1.0, PULL_SPEED * h / gap)
    return gap


@merged
def answer_joint(joints, j, ports, rows, work):
    """How the two bodies of joint `j` answer along its rows, each alone. Writes: rows 6j to 6j + 5"""
    for r in range(work.count[j]):
        answer_row(rows, 6 * j + r, ports, joints.body[j, 0], joints.body[j, 1])


@kernel
def joint_frames(joints, j, motion):
    """Levers, offset d and the two frames' axes of joint `j`, world frame."""
    a, b = joints.body[j, 0], joints.body[j, 1]
    q_a, q_b = load4(motion.quaternion, a), load4(motion.quaternion, b)
    r_a, r_b = rotate(q_a, load(joints.anchor_a, j)), rotate(q_b, load(joints.anchor_b, j))
    d = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
    return r_a, r_b, d, axes(qmul(q_a, load4(joints.frame_a, j))), axes(qmul(q_b, load4(joints.frame_b, j)))


@kernel
def joint_gap(kind, d, x_a, y_a):
    """Distance [m] between what should coincide."""
    if kind == PRISMATIC or kind == CYLINDRICAL:
        return norm((dot(x_a, d), dot(y_a, d), 0.0))
    return norm(d)


@kernel
def joint_width(joints, j, motion):
    """How far joint `j` gapes [m]."""
    _, _, d, (x_a, y_a, _), _ = joint_frames(joints, j, motion)
    return joint_gap(joints.kind[j], d, x_a, y_a)


@merged
def close_joint(joints, j, motion, work, h):
    """Aim again, by what the joint gapes where the bodies have come to; returns that gap [m or rad]. Writes: work at `j`"""
    kind = joints.kind[j]
    if work.table[j, APART] > FAR:
        return 0.0
    _, _, d, (x_a, y_a, z_a), (x_b, y_b, z_b) = joint_frames(joints, j, motion)
    work.table[j, AIM] += dot(x_a, d) / h
    work.table[j, AIM + 1] += dot(y_a, d) / h
    count, worst = 2, joint_gap(kind, d, x_a, y_a)
    if kind != PRISMATIC and kind != CYLINDRICAL:
        work.table[j, AIM + 2] += dot(z_a, d) / h
        count = 3
    if kind == REVOLUTE or kind == PRISMATIC or kind == FIXED_JOINT or kind == CYLINDRICAL:
        work.table[j, AIM + count] += dot(x_a, z_b) / h
        work.table[j, AIM + count + 1] += dot(y_a, z_b) / h
        worst = max(worst, abs(dot(x_a, z_b)), abs(dot(y_a, z_b)))
        count += 2
    if kind == PRISMATIC or kind == FIXED_JOINT:
        work.table[j, AIM + count] += dot(x_a, y_b) / h
        worst = max(worst, abs(dot(x_a, y_b)))
    if kind == UNIVERSAL:
        work.table[j, AIM + count] += dot(z_a, x_b) / h
        worst = max(worst, abs(dot(z_a, x_b)))
    return worst


@kernel
def travel(rows, first, e, d, bowed, r_a, r_b, work, j, count, h):
    """Add a row that forbids travel along `e`; returns the new count."""
    gap, n, arm_a, arm_b = travel_row(e, d, r_a, r_b)
    write_jacobian(rows, first + count, n, arm_a, arm_b)
    work.table[j, AIM + count] = (gap + dot(e, bowed)) / h
    return count + 1


@kernel
def tilt(rows, first, e_a, f_b, work, j, count, h):
    """Add a row that keeps two axes at right angles; returns the new count."""
    slant, arm = tilt_row(e_a, f_b)
    write_jacobian(rows, first + count, (0.0, 0.0, 0.0), arm, arm)
    work.table[j, AIM + count] = slant / h
    return count + 1


@kernel
def factor_alone(rows, j, tree, count):
    """Factor of J M^-1 J^T of a joint, as its two bodies answer alone. Writes: tree.joint at `j`"""
    for r in range(count):
        k = 6 * j + r
        n, arm_a, arm_b = load_at(rows.table, k, 0), load_at(rows.table, k, ARM_A), load_at(rows.table, k, ARM_B)
        for s in range(r + 1):
            k = 6 * j + s
            parting = sub(load_at(rows.table, k, ANSWER + 6), load_at(rows.table, k, ANSWER))
            turning = dot(arm_b, load_at(rows.table, k, ANSWER + 9)) - dot(arm_a, load_at(rows.table, k, ANSWER + 3))
            tree.joint[j, 6 * r + s] = dot(n, parting) + turning
    factor6(tree.joint, j, count)


@kernel
def warm_start_joint(joints, j, impulse, motion, rows, work):
    """Writes: velocities"""
    for r in range(work.count[j]):
        push_row(rows, 6 * j + r, motion, joints.body[j, 0], joints.body[j, 1], impulse[j, r])


@merged
def prepare_coordinates(joints, j, coordinates, ports, motion, rows, state, pushed):
    """Rows and values of the coordinates of joint `j`, and how bodies answer along them if they are to be `pushed`.

    Writes: rows, state.value at its coordinates
    """
    a, b = joints.body[j, 0], joints.body[j, 1]
    q_a = qmul(load4(motion.quaternion, a), load4(joints.frame_a, j))
    q_b = qmul(load4(motion.quaternion, b), load4(joints.frame_b, j))
    x_a, y_a, z_a = axes(q_a)
    x_b, _, z_b = axes(q_b)
    zero = (0.0, 0.0, 0.0)
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        kind, before = coordinates.kind[c], state.value[c]
        n, arm_a, arm_b, value = zero, z_a, z_a, 0.0
        if kind == TRAVEL:
            r_a = rotate(load4(motion.quaternion, a), load(joints.anchor_a, j))
            r_b = rotate(load4(motion.quaternion, b), load(joints.anchor_b, j))
            d = sub(add(load(motion.position, b), r_b), add(load(motion.position, a), r_a))
            value, n, arm_a, arm_b = travel_row(z_a, d, r_a, r_b)
        elif kind == ANGLE:
            value = unwrap(twist_angle(qmul(conj(q_a), q_b)), before)
        elif kind == CROSS_FIRST:
            value = unwrap(cross_angles(x_a, y_a, z_a, x_b, z_b)[0], before)
        elif kind == CROSS_SECOND:
            value, arm_a, arm_b = unwrap(cross_angles(x_a, y_a, z_a, x_b, z_b)[1], before), x_b, x_b
        elif kind == ROTATION:
            f = rotation_vector(qmul(conj(q_a), q_b))
            axis = coordinates.axis[c]
            value = f[axis]
            arm = rotate(q_a, rotation_rate_row(f, unit(axis)))
            arm_a, arm_b = arm, arm
        elif kind == SPIN:
            arm = rotate(q_a, unit(coordinates.axis[c]))
            arm_a, arm_b = arm, arm
        else:
            value, arm = swing_angle(z_a, z_b)
            arm_a, arm_b = arm, arm
        write_jacobian(rows, c, n, arm_a, arm_b)
        if pushed:
            answer_row(rows, c, ports, a, b)
        state.value[c] = value


@kernel
def lean_on_joint(joints, j, joint_rows, work, tree, rows, lean):
    """Let the joint's own rigid rows react at once to a push along its coordinates, as its two bodies answer.

    A motor on the hinge of a door turns the door about the hinge and not about its centre of mass: without this the
    sweeps would have to find that out. Writes: rows (answers, responses) and lean at the coordinates of joint `j`, work
    """
    count, first = work.count[j], 6 * j
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        parting = sub(load_at(rows.table, c, ANSWER + 6), load_at(rows.table, c, ANSWER))
        w_a, w_b = load_at(rows.table, c, ANSWER + 3), load_at(rows.table, c, ANSWER + 9)
        for r in range(count):
            k = first + r
            speed = dot(load_at(joint_rows.table, k, 0), parting) + dot(load_at(joint_rows.table, k, ARM_B), w_b)
            speed -= dot(load_at(joint_rows.table, k, ARM_A), w_a)
            work.table[j, MISSING + r] = speed
            lean.table[c, r] = speed
        solve_rows(tree.joint, j, count, work.table, j, MISSING)
        for r in range(count):
            y = work.table[j, MISSING + r]
            rows.table[c, RESPONSE] -= y * lean.table[c, r]
            lean.table[c, r] = -y
            for e in range(ANSWER, ANSWER + 12):
                rows.table[c, e] -= y * joint_rows.table[first + r, e]


@kernel
def unit(axis):
    """The unit vector of an axis 0, 1, 2."""
    return 1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0


@merged
def coordinate_rates(joints, j, motion, rows, state):
    """Writes: state.rate at the coordinates of joint `j`"""
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        state.rate[c] = row_speed(rows, c, motion, joints.body[j, 0], joints.body[j, 1])


@kernel
def total_impulse(joints, j, r, state, lean, before, after):
    """Impulse of rigid row `r` of joint `j` in this substep, `before` times that before the move and `after` times that after
    it, with what its drives lean on it."""
    impulse = before * state.impulse[j, r] + after * state.relaxed[j, r]
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        impulse += lean.table[c, r] * lean.table[c, LEANT]
    return impulse


@kernel
def reaction(joints, j, state, rows, work, lean, before, after):
    """(force [N s], torque about the anchor [N m s]) of the impulses of joint `j` on its child, as total_impulse has them."""
    force, torque, along = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 3
    if joints.kind[j] == PRISMATIC or joints.kind[j] == CYLINDRICAL:
        along = 2
    for r in range(along):  # these pull at the anchor
        impulse = total_impulse(joints, j, r, state, lean, before, after)
        force = add_scaled(force, impulse, load_at(rows.table, 6 * j + r, 0))
    for r in range(along, work.count[j]):
        impulse = total_impulse(joints, j, r, state, lean, before, after)
        torque = add_scaled(torque, impulse, load_at(rows.table, 6 * j + r, ARM_B))
    return force, torque
