"""The substeps of an island: predict, sweep the rows to their goals, move, relax.

A substep solves the rows with a push back of positions, moves the bodies by the velocities found, and sweeps once more
without the push back, so that correcting a position leaves no speed behind.
"""

from .._jit import entry, kernel
from ..equations.rigid.free_rotation import turn
from ..equations.rigid.soft_constraint import deflection
from ..math.quat import load4, store4
from ..math.sym3 import load6, store6, sym_mul, turned_diagonal
from ..math.vec3 import add_scaled, dot, load, norm, scale, store
from ..model.bodies import DRIVEN, Bodies, Motion, Push
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import SPRING, Coordinates, CoordinateState, Drives, DriveState, Joints, JointState
from ..model.ports import Ports
from ..model.rows import ContactWork, JointWork, Law, Rows
from ..model.shapes import Shapes
from ..model.springs import Springs, SpringState
from ..solvers.rows.contact import (
    advance_contact, bounce_contact, keep_contact, meet, prepare_contact, solve_contact, sum_contact, warm_start_contact,
)
from ..solvers.rows.drive import prepare_drive, solve_drive, warm_start_drive
from ..solvers.rows.joint import (
    coordinate_rates, prepare_coordinates, prepare_joint, reaction, solve_joint, warm_start_joint,
)
from ..solvers.rows.spring import prepare_spring, solve_spring, warm_start_spring
from .ports import load_at


@entry
def solve_islands(bodies: Bodies, ports: Ports, motion: Motion, push: Push, joints: Joints, joint_state: JointState,
                  joint_rows: Rows, joint_work: JointWork, coordinates: Coordinates, coordinate_state: CoordinateState,
                  coordinate_rows: Rows, drives: Drives, drive_state: DriveState, drive_law: Law, springs: Springs,
                  spring_state: SpringState, spring_rows: Rows, spring_law: Law, shapes: Shapes, contacts: Contacts,
                  contact_rows: Rows, contact_work: ContactWork, islands: Islands, outcome: Outcome,
                  first: int, last: int, dt: float, substeps: int, iterations: int, tolerance: float,
                  gravity: tuple, drag: float) -> None:
    """Advance islands `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those islands"""
    h = dt / substeps
    for i in range(first, last):
        begin_island(islands, i, joint_state, drive_state, spring_state, outcome)
        for s in range(substeps):
            outcome.work[i] += predict(bodies, ports, motion, push, islands, i, gravity, drag, h)
            if s == 0:
                prepare_contacts(islands, i, contacts, shapes, ports, motion, contact_rows, contact_work)
            drift = prepare_joints(islands, i, joints, coordinates, ports, motion, joint_rows, joint_work,
                                   coordinate_rows, coordinate_state, h)
            outcome.drift[i] = max(outcome.drift[i], drift)
            prepare_soft(islands, i, springs, drives, ports, motion, coordinate_state, drive_state, spring_rows, spring_law, drive_law, h)
            outcome.work[i] += warm_start(islands, i, joints, joint_state, joint_rows, joint_work, coordinates,
                                          coordinate_rows, drives, drive_state, springs, spring_state, spring_rows,
                                          contacts, shapes, contact_rows, contact_work, motion)
            for relaxed in (False, True):
                for sweep in range(iterations):
                    residual, work = sweep_rows(
                        islands, i, joints, joint_state, joint_rows, joint_work, coordinates, coordinate_rows, drives,
                        drive_state, drive_law, springs, spring_state, spring_rows, spring_law, motion, h, relaxed)
                    residual = max(residual, sweep_contacts(islands, i, contacts, shapes, contact_rows, contact_work, motion, h, relaxed))
                    outcome.work[i] += work
                    outcome.iterations[i] += 1
                    if residual < tolerance:
                        break
                if not relaxed:
                    outcome.residual[i] = max(outcome.residual[i], residual)
                    move_contacts(islands, i, contacts, shapes, contact_rows, contact_work, motion, h)
                    move(bodies, motion, islands, i, h)
            outcome.work[i] += finish_joints(islands, i, bodies.kind, joints, joint_state, joint_rows, joint_work,
                                             coordinate_rows, coordinate_state, motion, dt)
            outcome.work[i] += finish_soft(islands, i, bodies.kind, joints, coordinates, coordinate_rows, drives, drive_state,
                                           drive_law, springs, spring_state, spring_rows, spring_law, motion, h, dt)
            outcome.work[i] += finish_contacts(islands, i, bodies.kind, contacts, shapes, contact_rows, contact_work,
                                               motion, gravity, dt, s == substeps - 1)


@kernel
def begin_island(islands, i, joint_state, drive_state, spring_state, outcome):
    """Writes: outcome, and the means over the step, to zero"""
    outcome.iterations[i] = 0
    outcome.residual[i] = 0.0
    outcome.drift[i] = 0.0
    outcome.work[i] = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        store(joint_state.force, islands.joint[m], (0.0, 0.0, 0.0))
        store(joint_state.torque, islands.joint[m], (0.0, 0.0, 0.0))
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        drive_state.effort[islands.drive[m]] = 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        spring_state.effort[islands.spring[m]] = 0.0


@kernel
def predict(bodies, ports, motion, push, islands, i, gravity, drag, h):
    """Velocities under the forces from outside; returns the work of pushes [J]. Writes: velocities, ports.inverse_inertia"""
    work, keep = 0.0, 1.0 / (1.0 + h * drag)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if bodies.kind[k] == DRIVEN:
            continue
        store6(ports.inverse_inertia, k, turned_diagonal(load4(motion.quaternion, k), load(bodies.inverse_inertia, k)))
        v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
        kick = scale(h * bodies.inverse_mass[k], load(push.force, k))
        twist = scale(h, sym_mul(load6(ports.inverse_inertia, k), load(push.torque, k)))
        work += h * (dot(load(push.force, k), add_scaled(v, 0.5, kick)) + dot(load(push.torque, k), add_scaled(w, 0.5, twist)))
        v = add_scaled(add_scaled(v, 1.0, kick), h, gravity)
        store(motion.velocity, k, scale(keep, v))
        store(motion.angular_velocity, k, scale(keep, add_scaled(w, 1.0, twist)))
    return work


@kernel
def move(bodies, motion, islands, i, h):
    """Positions by velocities, orientations by free rotation. Writes: motion"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, add_scaled(load(motion.position, k), h, load(motion.velocity, k)))
        q, w = turn(load4(motion.quaternion, k), load(motion.angular_velocity, k), load(bodies.inertia, k),
                    load(bodies.inverse_inertia, k), h)
        store4(motion.quaternion, k, q)
        store(motion.angular_velocity, k, w)


@kernel
def prepare_contacts(islands, i, contacts, shapes, ports, motion, rows, work):
    """Writes: rows, work"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        prepare_contact(contacts, islands.contact[m], shapes, ports, motion, rows, work)


@kernel
def prepare_joints(islands, i, joints, coordinates, ports, motion, rows, work, coordinate_rows, coordinate_state, h):
    """Returns the largest gap [m]. Writes: rows, work, coordinate_rows, coordinate_state.value"""
    gap = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        gap = max(gap, prepare_joint(joints, j, ports, motion, rows, work, h))
        prepare_coordinates(joints, j, coordinates, ports, motion, coordinate_rows, coordinate_state)
    return gap


@kernel
def prepare_soft(islands, i, springs, drives, ports, motion, coordinate_state, drive_state, spring_rows, spring_law, drive_law, h):
    """Writes: spring_rows, spring_law, drive_law, drive_state.impulse"""
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        prepare_spring(springs, islands.spring[m], ports, motion, spring_rows, spring_law, h)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        prepare_drive(drives, islands.drive[m], coordinate_state, drive_state, drive_law, h)


@kernel
def warm_start(islands, i, joints, joint_state, joint_rows, joint_work, coordinates, coordinate_rows, drives,
               drive_state, springs, spring_state, spring_rows, contacts, shapes, contact_rows, contact_work, motion):
    """Push all rows by the impulses they had; returns the work of motors [J]. Writes: velocities, contact_work.approach"""
    work = 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        meet(contacts, islands.contact[m], shapes, motion, contact_rows, contact_work)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        warm_start_joint(joints, islands.joint[m], joint_state, motion, joint_rows, joint_work)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        warm_start_spring(springs, islands.spring[m], spring_state, motion, spring_rows)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        work += warm_start_drive(drives, islands.drive[m], coordinates, joints, drive_state, motion, coordinate_rows)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        warm_start_contact(contacts, islands.contact[m], shapes, motion, contact_rows, contact_work)
    return work


@kernel
def sweep_rows(islands, i, joints, joint_state, joint_rows, joint_work, coordinates, coordinate_rows, drives,
               drive_state, drive_law, springs, spring_state, spring_rows, spring_law, motion, h, relaxed):
    """Visit springs, drives and joints once; (largest |d lambda| response, work of motors [J]). Writes: impulses, velocities"""
    residual, work = 0.0, 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        change = solve_spring(springs, islands.spring[m], spring_state, motion, spring_rows, spring_law, relaxed)
        residual = max(residual, change)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        change, done = solve_drive(drives, islands.drive[m], coordinates, joints, joint_state, drive_state, motion,
                                   coordinate_rows, drive_law, h, relaxed)
        residual = max(residual, change)
        work += done
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        change = solve_joint(joints, islands.joint[m], joint_state, motion, joint_rows, joint_work, relaxed)
        residual = max(residual, change)
    return residual, work


@kernel
def sweep_contacts(islands, i, contacts, shapes, rows, work, motion, h, relaxed):
    """Visit contacts once; returns the largest |d lambda| response. Writes: work.impulse, velocities"""
    residual = 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        residual = max(residual, solve_contact(contacts, islands.contact[m], shapes, motion, rows, work, h, relaxed))
    return residual


@kernel
def move_contacts(islands, i, contacts, shapes, rows, work, motion, h):
    """Writes: work.gap, work.slip"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        advance_contact(contacts, islands.contact[m], shapes, motion, rows, work, h)


@kernel
def motion_work(rows, r, impulse, kind, motion, a, b):
    """Work [J] that a driven body does through row `r`."""
    work = 0.0
    if kind[a] == DRIVEN:
        n, arm = load_at(rows.jacobian, r, 0), load_at(rows.jacobian, r, 3)
        work += impulse * (dot(n, load(motion.velocity, a)) + dot(arm, load(motion.angular_velocity, a)))
    if kind[b] == DRIVEN:
        n, arm = load_at(rows.jacobian, r, 0), load_at(rows.jacobian, r, 6)
        work -= impulse * (dot(n, load(motion.velocity, b)) + dot(arm, load(motion.angular_velocity, b)))
    return work


@kernel
def finish_joints(islands, i, kind, joints, state, rows, work, coordinate_rows, coordinate_state, motion, dt):
    """Mean reactions and rates; returns the work of motions [J]. Writes: state.force, .torque, coordinate_state.rate"""
    done = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        force, torque = reaction(j, state, rows, work)
        store(state.force, j, add_scaled(load(state.force, j), 1.0 / dt, force))
        store(state.torque, j, add_scaled(load(state.torque, j), 1.0 / dt, torque))
        coordinate_rates(joints, j, motion, coordinate_rows, coordinate_state)
        for r in range(work.count[j]):
            done += motion_work(rows, 6 * j + r, state.impulse[j, r], kind, motion, joints.body[j, 0], joints.body[j, 1])
    return done


@kernel
def finish_soft(islands, i, kind, joints, coordinates, coordinate_rows, drives, drive_state, drive_law, springs,
                spring_state, spring_rows, spring_law, motion, h, dt):
    """Mean efforts and deflections; returns the work of motions [J]. Writes: drive_state, spring_state"""
    done = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, impulse = drives.coordinate[k], drive_state.impulse[k]
        j = coordinates.joint[c]
        drive_state.effort[k] += impulse / dt
        if drives.law[k] == SPRING:
            drive_state.deflection[k] = deflection(drives.stiffness[k], drives.damping[k], drive_law.bias[k],
                                                   drive_law.gamma[k], impulse, h)
        done += motion_work(coordinate_rows, c, impulse, kind, motion, joints.body[j, 0], joints.body[j, 1])
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        impulse = spring_state.impulse[k]
        spring_state.effort[k] += impulse / dt
        spring_state.deflection[k] = deflection(springs.stiffness[k], springs.damping[k], spring_law.bias[k],
                                                spring_law.gamma[k], impulse, h)
        done += motion_work(spring_rows, k, impulse, kind, motion, springs.body[k, 0], springs.body[k, 1])
    return done


@kernel
def finish_contacts(islands, i, kind, contacts, shapes, rows, work, motion, gravity, dt, last):
    """Bounce, add up, and after the last substep keep; returns the work of motions [J]. Writes: velocities, work, contacts"""
    done = 0.0
    threshold = 2.0 * dt * norm(gravity)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        a, b = shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]]
        bounced = bounce_contact(contacts, k, shapes, motion, rows, work, threshold)
        for r in range(3):
            done += motion_work(rows, 3 * k + r, work.impulse[k, r], kind, motion, a, b)
        sum_contact(k, work, bounced)
        if last:
            keep_contact(contacts, k, rows, work)
    return done
