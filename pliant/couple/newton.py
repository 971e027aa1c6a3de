"""The implicit substep of an island with ropes: predict, place all rows where that leads, solve, move, until joints close.

With a number b, v+ = v' + b h M^-1 (f + J^T F) and x+ = x' + b h v+: implicit Euler has b = 1 and starts from where the
bodies are, BDF2 has b = 2/3 and starts from x' = (4 x_n - x_n-1)/3, v' = (4 v_n - v_n-1)/3. So both are one and the same
substep of length b h from another start. Rotations do the same with angular momenta, which makes the gyroscopic torque
implicit. Rows are linearised where the bodies have come to, C + J (x - x_k) with x - x_k = b h (v - v_k): Newton's method.
"""

from math import sqrt

from .._jit import kernel, merged, stage
from ..equations.rigid.levered_push import stiffness_of, torque_of, turned_levers
from ..equations.rigid.tree_elimination import cholesky
from ..math.quat import from_rotation_vector, load4, qmul, qnormalize, rotate, store4, third_axis, unrotate
from ..math.sym3 import load6, store6, sym_mul, turned_diagonal
from ..math.vec3 import add_scaled, dot, load, mul, scale, store, sub
from ..model.bodies import (
    DRIVEN,
    OWN,
    PAST_MOMENTUM,
    PAST_POSITION,
    PAST_SPIN,
    PAST_STEP,
    PAST_TURN,
    PAST_VELOCITY,
    TURNS,
)
from ..model.islands import Islands, Outcome
from ..model.joints import ROD
from ..model.rows import AIM, AROUND_AXIS, FROM, FROM_TURN, GIVEN, MOMENTUM, QUATERNION, SPIN_RATE, SPUN
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..solvers.chain.factor import begin_link, fold_rod, pull_rod, stiffen
from ..solvers.chain.measure import rod_miss
from ..solvers.chain.place import look_back, place_rod
from ..solvers.chain.solve import push_rod
from ..solvers.loop.closure import factor_loops, rod_rows
from ..solvers.rows.drive import prepare_drive
from ..solvers.rows.joint import close_joint, factor_alone, lean_on_joint, prepare_coordinates, prepare_joint
from ..solvers.rows.spring import prepare_spring
from ..solvers.tree.factor import begin_body, fold_joint
from .move import levers
from .ports import load_at, row_speed, store_at
from .sweep import sweep, warm_start

NEWTONS = 12
"""How often an implicit substep places its rows."""
CLOSE = 3e-7
"""Largest gap of a joint, over the length of a rope's element, or bend [rad], that ends it."""

CLOSE_TOUCHED = 1e-5
"""The same where there are contacts, whose sweeps end before that and whose next substep is near."""
STILL, SHARE, LEAST = 1e-4, 1e-2, 1e-9
"""Largest turn of a link in the last of them [rad], and as a share of its turn in the substep [-]: gaps are quadratic in
turns and say too little of them, of small ones above all."""


@stage
def newton(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch, islands: Islands,
           outcome: Outcome, i: int, h: float, b: float, iterations: int, tolerance: float, gravity: tuple,
           drag: float) -> float:
    """One implicit substep; returns what joints still miss [-]. Writes: motion, impulses, scratch"""
    step, miss = b * h, 1.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if linkage.joints.kind[islands.joint[m]] == ROD:
            look_back(linkage.joints, islands.joint[m], linkage.rods.table, movers.bodies, movers.motion, movers.history.table,
                      linkage.rod_work, b)
    predict(movers, islands, i, h, b, gravity, drag)
    move_from(movers, islands, i, step)
    touched = islands.first_contact[i] < islands.first_contact[i + 1]
    for _ in range(NEWTONS):
        place_rows(movers, linkage, drivetrain, springwork, islands, i, step)
        release(movers, linkage, islands, i, step)
        warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
        sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, step, iterations, tolerance, False)
        turned, turning = move_from(movers, islands, i, step)
        still = touched or turned < min(STILL, SHARE * turning + LEAST)
        before, miss = miss, misses(movers, linkage, islands, i, step)
        if (still and miss < (CLOSE_TOUCHED if touched else CLOSE)) or not miss < 1e3 * before:
            break
    return miss


@kernel
def order_of(movers, islands, i, h):
    """The number b of an island: 2/3 where all its bodies look back to a substep as long and nothing touches, else 1."""
    if islands.first_contact[i] < islands.first_contact[i + 1]:
        return 1.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN and movers.history.table[k, PAST_STEP] != h:
            return 1.0
    return 2.0 / 3.0


@merged
def predict(movers, islands, i, h, b, gravity, drag):
    """Where the substep starts from, what forces from outside give, and velocities to guess with.

    Writes: movers.start, velocities
    """
    bodies, motion, push, start, past = movers.bodies, movers.motion, movers.push, movers.start.table, movers.history.table
    step = b * h
    keep = 1.0 / (1.0 + step * drag)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        x, q = load(motion.position, k), load4(motion.quaternion, k)
        v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
        if bodies.kind[k] == DRIVEN:
            x = add_scaled(x, h - step, v)
            q = qnormalize(qmul(from_rotation_vector(scale(h - step, w)), q))
            store_from(start, k, x, q, v, (0.0, 0.0, 0.0))
            continue
        spin = rotate(q, mul(load(bodies.inertia, k), unrotate(q, w)))
        shove = add_scaled(gravity, bodies.inverse_mass[k], load(push.force, k))
        torque, axis = load(push.torque, k), third_axis(q)
        around = dot(w, axis)
        if b < 1.0:
            before, early = load_at(past, k, PAST_VELOCITY), load_at(past, k, PAST_SPIN)
            x = sub(scale(4.0 / 3.0, x), scale(1.0 / 3.0, load_at(past, k, PAST_POSITION)))
            q = looking_back(q, past, k)
            spin = sub(scale(4.0 / 3.0, spin), scale(1.0 / 3.0, load_at(past, k, PAST_MOMENTUM)))
            store(motion.velocity, k, sub(scale(2.0, v), before))
            store(motion.angular_velocity, k, sub(scale(2.0, w), early))
            v = sub(scale(4.0 / 3.0, v), scale(1.0 / 3.0, before))
            p = (past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2], past[k, PAST_TURN + 3])
            around = (4.0 * around - dot(early, third_axis(p))) / 3.0
        start[k, AROUND_AXIS] = keep * around + step * bodies.inverse_inertia[k, 2] * dot(torque, axis)
        store_from(start, k, x, q, add_scaled(scale(keep, v), step, shove), add_scaled(scale(keep, spin), step, torque))


@kernel
def looking_back(q, past, k):
    """(4 q_n - q_n-1) / 3, the two taken with the same sign, made unit."""
    p0, p1, p2, p3 = past[k, PAST_TURN], past[k, PAST_TURN + 1], past[k, PAST_TURN + 2], past[k, PAST_TURN + 3]
    sign = 1.0 if q[0] * p0 + q[1] * p1 + q[2] * p2 + q[3] * p3 >= 0.0 else -1.0
    return qnormalize((4.0 * q[0] - sign * p0, 4.0 * q[1] - sign * p1, 4.0 * q[2] - sign * p2, 4.0 * q[3] - sign * p3))


@kernel
def store_from(start, k, x, q, v, momentum):
    """Writes: start at `k`"""
    store_at(start, k, FROM, x)
    start[k, FROM_TURN] = q[0]
    start[k, FROM_TURN + 1] = q[1]
    start[k, FROM_TURN + 2] = q[2]
    start[k, FROM_TURN + 3] = q[3]
    store_at(start, k, GIVEN, v)
    store_at(start, k, MOMENTUM, momentum)


@merged
def move_from(movers, islands, i, step):
    """Move all bodies by their velocities from where the substep starts.

    Returns how far links have turned at most [rad], against where they were before this call and in the whole substep.
    Writes: motion.position, .quaternion
    """
    motion, start, largest, fastest = movers.motion, movers.start.table, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, add_scaled(load_at(start, k, FROM), step, load(motion.velocity, k)))
        q = (start[k, FROM_TURN], start[k, FROM_TURN + 1], start[k, FROM_TURN + 2], start[k, FROM_TURN + 3])
        turn = from_rotation_vector(scale(step, load(motion.angular_velocity, k)))
        q, p = qnormalize(qmul(turn, q)), load4(motion.quaternion, k)
        store4(motion.quaternion, k, q)
        if movers.bodies.link[k] == 1:
            away = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 + (q[2] - p[2]) ** 2 + (q[3] - p[3]) ** 2
            if not away <= largest:
                largest = away  # also when it is not a number
            w = load(motion.angular_velocity, k)
            fastest = max(fastest, dot(w, w))
    return 2.0 * sqrt(largest), step * sqrt(fastest)


@stage
def place_rows(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, islands: Islands, i: int,
               step: float) -> None:
    """All rows and factors where the bodies have come to. Writes: movers.ports, linkage, drivetrain, springwork"""
    bodies, motion, tree, joints = movers.bodies, movers.motion, linkage.tree, linkage.joints
    rods, work = linkage.rods.table, linkage.rod_work
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if bodies.link[k] == 1:
            begin_link(bodies, k, motion, movers.ports, tree.body)
        else:
            inertia = turned_diagonal(load4(motion.quaternion, k), load(bodies.inverse_inertia, k))
            store6(movers.ports.inverse_inertia, k, inertia)
        if bodies.tree[k] >= 0:
            if bodies.link[k] == 0:
                begin_body(bodies, k, motion, tree)
            if movers.push.turning[k, TURNS] > 0.0:
                stiffness = stiffness_of(turned_levers(load4(motion.quaternion, k), levers(movers.push.turning, k)))
                stiffen(tree.body, k, step * step, stiffness)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:  # all that pulls an outer link has been placed when that link is folded
            place_rod(joints, j, rods, motion, work, step)
            if joints.outer[j] >= 0:
                pull_rod(joints, j, bodies, work, linkage.state.impulse, tree.body, step)
                fold_rod(joints, j, rods, movers.ports, motion, work, tree.body, step)
            else:
                rod_rows(joints, j, rods, movers.ports, work, linkage.rows, linkage.work, step)
            continue
        prepare_joint(joints, j, movers.ports, motion, linkage.rows, linkage.work, step, 0.0)
        for r in range(linkage.work.count[j]):
            speed = row_speed(linkage.rows, 6 * j + r, motion, joints.body[j, 0], joints.body[j, 1])
            linkage.work.table[j, AIM + r] -= speed
        if joints.coordinates[j] > 0:
            factor_alone(linkage.rows, j, tree, linkage.work.count[j])
            place_coordinates(movers, linkage, drivetrain, j, step)
        if joints.outer[j] >= 0:
            fold_joint(joints, j, movers.ports, linkage.rows, linkage.work, tree)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] == 1:
            cholesky(tree.body, islands.body[m], 6)
    factor_loops(linkage, bodies.tree, movers.ports, motion, islands, i)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        prepare_spring(springwork.springs, islands.spring[m], springwork.state, movers.ports, motion, springwork.rows,
                       springwork.law, step, 1.0)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        prepare_drive(drivetrain.drives, islands.drive[m], drivetrain.place, drivetrain.state, drivetrain.law, step)


@kernel
def place_coordinates(movers, linkage, drivetrain, j, step):
    """Coordinates of joint `j` as they were where the substep started from. Writes: drivetrain.rows, .lean, .place"""
    joints = linkage.joints
    prepare_coordinates(joints, j, drivetrain.coordinates, movers.ports, movers.motion, drivetrain.rows, drivetrain.place)
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        speed = row_speed(drivetrain.rows, c, movers.motion, joints.body[j, 0], joints.body[j, 1])
        drivetrain.place.value[c] -= step * speed
    lean_on_joint(joints, j, linkage.rows, linkage.work, linkage.tree, drivetrain.rows, drivetrain.lean)


@merged
def release(movers, linkage, islands, i, step):
    """Velocities before any row acts, and no impulse on what a tree solves exactly. Writes: velocities, linkage.state

    Where a tree reaches what does not move a second time it knows that only as something heavy: there the impulse is
    kept, so that the weight shrinks with what is still missing.
    """
    motion, start, turning = movers.motion, movers.start.table, movers.push.turning
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            store_at(linkage.tree.body, k, SPUN, load(motion.angular_velocity, k))
            v, momentum = load_at(start, k, GIVEN), load_at(start, k, MOMENTUM)
            if turning[k, TURNS] > 0.0:
                q = load4(motion.quaternion, k)
                v = add_scaled(v, step * movers.ports.inverse_mass[k], rotate(q, load_at(turning, k, OWN)))
                momentum = add_scaled(momentum, step, rotate(q, load_at(turning, k, OWN + 3)))
                momentum = add_scaled(momentum, step, torque_of(turned_levers(q, levers(turning, k))))
            store(motion.velocity, k, v)
            if movers.bodies.link[k] == 1:
                store(motion.angular_velocity, k, link_spin(movers.bodies, k, motion, start, momentum))
            else:
                store(motion.angular_velocity, k, sym_mul(load6(movers.ports.inverse_inertia, k), momentum))
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.anvil[j] > 0.0 and linkage.joints.kind[j] == ROD:
            push_rod(linkage.joints, j, linkage.rods.table, movers.ports, linkage.rod_work, linkage.state.impulse,
                     linkage.tree.body)
        elif linkage.joints.anvil[j] == 0.0:
            for r in range(6):
                linkage.state.impulse[j, r] = 0.0
                linkage.state.relaxed[j, r] = 0.0


@merged
def misses(movers, linkage, islands, i, step):
    """What the joints of trees still miss. Writes: linkage.work (scratch)"""
    joints, worst = linkage.joints, 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:
            one = rod_miss(joints, j, linkage.rods.table, movers.motion, linkage.state.impulse, linkage.rod_work, step)
        else:
            one = close_joint(joints, j, movers.motion, linkage.work, step)
        if not one <= worst:
            worst = one  # also when it is not a number
    return worst


@merged
def link_spin(bodies, k, motion, start, momentum):
    """Angular velocity [rad/s] of a link before its rods act, with the momentum given.

    A round body keeps its spin about its own axis, which therefore is carried along as a number: taken from the momentum,
    it would be the small difference of large numbers, more so the thinner the rope.
    """
    d = third_axis(load4(motion.quaternion, k))
    given = load_at(start, k, MOMENTUM)
    axial = start[k, AROUND_AXIS] + bodies.inverse_inertia[k, 2] * dot(sub(momentum, given), d)
    s = bodies.inverse_inertia[k, 0]
    return add_scaled(scale(s, momentum), axial - s * dot(momentum, d), d)


@kernel
def remember(movers, islands, i, h):
    """The start of the substep becomes what the next one looks back to; `h` = 0: nothing does. Writes: movers.history"""
    bodies, start, past = movers.bodies, movers.start.table, movers.history.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(13):
            past[k, c] = start[k, c]
        q = (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2], start[k, QUATERNION + 3])
        spin = rotate(q, mul(load(bodies.inertia, k), unrotate(q, load_at(start, k, SPIN_RATE))))
        store_at(past, k, PAST_MOMENTUM, spin)
        past[k, PAST_STEP] = h
