"""What an island notes at the end of a substep: mean forces, rates, deflections, work of motions, bounces."""

from .._jit import kernel, stage
from ..equations.rigid.carried_impulse import carried_impulse
from ..equations.rigid.soft_constraint import deflection
from ..math.mat3 import turned_vec
from ..math.vec3 import add, add_scaled, cross, dot, load, scale, store
from ..model.bodies import DRIVEN
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import ROD, SPRING
from ..model.rods import ALONG, GAP_LAW, RATE, SOFT
from ..model.rows import ARM_A, ARM_B, GAMMA, IMPULSE, LEANT, REBOUND, SPIN_RATE, VELOCITY
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..solvers.chain.measure import energy_before, rod_energy
from ..solvers.chain.place import aside, lever, load_mat
from ..solvers.rows.contact_end import bounce_contact, keep_contact, rebounds, sum_contact, work_on
from ..solvers.rows.drive import is_motor
from ..solvers.rows.joint import coordinate_rates, reaction, total_impulse
from .ports import load_at, row_speed
from .prepare import has_joints

BOUNCES, SETTLED = 20, 1e-9
"""Sweeps of an impact at most, and the change of speed [m/s] that ends them."""


@kernel
def motion_work(rows, r, impulse, kind, motion, a, b):
    """Work [J] that a driven body does through row `r`."""
    work = 0.0
    if kind[a] == DRIVEN:
        n, arm = load_at(rows.table, r, 0), load_at(rows.table, r, ARM_A)
        work += impulse * (dot(n, load(motion.velocity, a)) + dot(arm, load(motion.angular_velocity, a)))
    if kind[b] == DRIVEN:
        n, arm = load_at(rows.table, r, 0), load_at(rows.table, r, ARM_B)
        work -= impulse * (dot(n, load(motion.velocity, b)) + dot(arm, load(motion.angular_velocity, b)))
    return work


@kernel
def finish_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, b):
    """What drives, joints and springs note after a substep `h` of a step `dt` [s]; `b` as newton.py has it, else 1.

    Impulses are b h F: `h` and `dt` are given less by that share. Writes: as `note_rows`
    """
    if has_joints(islands, i) or islands.first_spring[i] < islands.first_spring[i + 1]:
        note_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, b)


@stage
def note_rows(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, islands: Islands,
              outcome: Outcome, i: int, h: float, dt: float, b: float) -> None:
    """The same where there are any. Writes: as `finish_drives`, `finish_joints` and `finish_springs`"""
    finish_drives(linkage.joints, drivetrain, movers, islands, outcome, i, h, dt, b)
    finish_joints(linkage, drivetrain, movers, islands, outcome, i, dt, b)
    finish_springs(springwork, movers, islands, outcome, i, h, dt, b)


@kernel
def finish_joints(linkage, drivetrain, movers, islands, outcome, i, dt, b):
    """Mean reactions and rates. Writes: linkage.state.force, .torque, drivetrain.place.rate, outcome.work"""
    joints, state, rows, work = linkage.joints, linkage.state, linkage.rows, linkage.work
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:
            finish_rod(linkage, j, movers, outcome, i, dt, b)
            continue
        force, torque = reaction(joints, j, state, rows, work, drivetrain.lean)
        store(state.force, j, add_scaled(load(state.force, j), 1.0 / dt, force))
        store(state.torque, j, add_scaled(load(state.torque, j), 1.0 / dt, torque))
        coordinate_rates(joints, j, movers.motion, drivetrain.rows, drivetrain.place)
        left, right = joints.body[j, 0], joints.body[j, 1]
        if movers.bodies.kind[left] == DRIVEN or movers.bodies.kind[right] == DRIVEN:
            for r in range(work.count[j]):
                impulse = total_impulse(joints, j, r, state, drivetrain.lean) / b
                outcome.work[i] += motion_work(rows, 6 * j + r, impulse, movers.bodies.kind, movers.motion, left, right)


@kernel
def finish_rod(linkage, j, movers, outcome, i, dt, b):
    """Mean force on the right link and moment in the left one's axes.

    Writes: linkage.state.force, .torque, .carried, outcome.work
    """
    joints, state = linkage.joints, linkage.state
    force = add_scaled(load_at(state.impulse, j, 0), 1.0, load_at(state.relaxed, j, 0))
    moment = load_at(state.impulse, j, 3)
    soft = linkage.rods.table[joints.rod[j], GAP_LAW] == SOFT
    if joints.outer[j] < 0 and soft:  # its rows lie along the gap's own axes
        rows = linkage.rows.table
        force = add(add(scale(force[0], load_at(rows, 6 * j, 0)), scale(force[1], load_at(rows, 6 * j + 1, 0))),
                    scale(force[2], load_at(rows, 6 * j + 2, 0)))
    store(state.force, j, add_scaled(load(state.force, j), 1.0 / dt, force))
    store(state.torque, j, add_scaled(load(state.torque, j), 1.0 / dt, moment))
    for side in range(2):
        if movers.bodies.kind[joints.body[j, side]] == DRIVEN:
            outcome.work[i] += driven_work(linkage, j, 1 - side, movers, force, moment, soft, b)


@kernel
def driven_work(linkage, j, side, movers, force, moment, soft, b):
    """Work [J] of what is driven through rod `j`: on the other link, its left (0) or right (1) one, and on the rod itself.

    Writes: linkage.state.carried
    """
    joints, state, work, start = linkage.joints, linkage.state, linkage.rod_work, movers.start.table
    k, sign = joints.body[j, side], 1.0 if side == 1 else -1.0
    bending = turned_vec(load_mat(work.table, joints.rod[j], RATE), moment)
    torque = add(bending, cross(lever(joints, j, work.table, side), force))
    if soft:
        torque = add_scaled(torque, dot(load_at(work.give, joints.rod[j], ALONG), force), aside(joints, j, work.give, side))
    for c in range(3):
        state.carried[j, c] = carried_impulse(state.carried[j, c], sign * force[c], b)
        state.carried[j, 3 + c] = carried_impulse(state.carried[j, 3 + c], sign * torque[c], b)
    v = add(load(movers.motion.velocity, k), load_at(start, k, VELOCITY))
    w = add(load(movers.motion.angular_velocity, k), load_at(start, k, SPIN_RATE))
    rods = linkage.rods.table
    stored = rod_energy(joints, j, rods, movers.motion) - energy_before(joints, j, rods, start)
    return 0.5 * (dot(load_at(state.carried, j, 0), v) + dot(load_at(state.carried, j, 3), w)) + stored


@kernel
def finish_drives(joints, drivetrain, movers, islands, outcome, i, h, dt, b):
    """Mean efforts and deflections. Writes: drivetrain.state, .lean, outcome.work"""
    drives, state, law, lean = drivetrain.drives, drivetrain.state, drivetrain.law, drivetrain.lean
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        lean.table[drives.coordinate[islands.drive[m]], LEANT] = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, impulse = drives.coordinate[k], state.impulse[k]
        j = drivetrain.coordinates.joint[c]
        state.effort[k] += impulse / dt
        lean.table[c, LEANT] += impulse
        if is_motor(drives.law[k]):
            after = row_speed(drivetrain.rows, c, movers.motion, joints.body[j, 0], joints.body[j, 1])
            state.carried[k] = carried_impulse(state.carried[k], impulse, b)
            outcome.work[i] += 0.5 * state.carried[k] * (drivetrain.place.rate[c] + after)
        if drives.law[k] == SPRING:
            state.deflection[k] = deflection(drives.stiffness[k], drives.damping[k], state.deflection[k],
                                             law.table[k, GAMMA], impulse, h)
        outcome.work[i] += motion_work(drivetrain.rows, c, impulse / b, movers.bodies.kind, movers.motion,
                                       joints.body[j, 0], joints.body[j, 1])


@kernel
def finish_springs(springwork, movers, islands, outcome, i, h, dt, b):
    """Mean efforts and deflections. Writes: springwork.state, outcome.work"""
    springs, state, law = springwork.springs, springwork.state, springwork.law
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        state.effort[k] += state.impulse[k] / dt
        state.deflection[k] = deflection(springs.stiffness[k], springs.damping[k], state.deflection[k], law.table[k, GAMMA],
                                         state.impulse[k], h)
        outcome.work[i] += motion_work(springwork.rows, k, state.impulse[k] / b, movers.bodies.kind, movers.motion,
                                       springs.body[k, 0], springs.body[k, 1])


@kernel
def bounce_contacts(work, motion, islands, i, threshold):
    """Let all that met fast enough part again, together; whether any did. Writes: work, velocities

    All contacts that press ask for v_n >= e |v_n before|, e of each its own, and push no more than that takes. With one and
    the same e for all of them this keeps e^2 of the energy of the impact (Moreau), if they are met together: hence sweeps.
    """
    found, first, last = False, islands.first_contact[i], islands.first_contact[i + 1]
    for m in range(first, last):
        k = islands.contact[m]
        work.table[k, REBOUND] = rebounds(k, work, threshold)
        found |= work.table[k, REBOUND] > 0.0
    for _ in range(BOUNCES if found else 0):
        change = 0.0
        for m in range(first, last):
            k = islands.contact[m]
            if work.table[k, IMPULSE] > 0.0 or work.table[k, REBOUND] > 0.0:
                change = max(change, bounce_contact(k, motion, work, work.table[k, REBOUND]))
        if change < SETTLED:
            break
    return found


@kernel
def finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last):
    """Bounce above the `threshold` [m/s], add up, and after the last substep keep.

    Writes: velocities, touch, contacts, outcome.work
    """
    if islands.first_contact[i] < islands.first_contact[i + 1]:
        note_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last)


@stage
def note_contacts(touch: Touch, contacts: Contacts, movers: Movers, islands: Islands, outcome: Outcome, i: int,
                  threshold: float, dt: float, last: bool) -> None:
    """The same where there are any. Writes: velocities, touch, contacts, outcome.work"""
    work, kind = touch.work, movers.bodies.kind
    bounced = bounce_contacts(work, movers.motion, islands, i, threshold)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        for side in range(2):
            if kind[work.body[k, side]] == DRIVEN:
                outcome.work[i] += work_on(k, movers.motion, work, side)
        sum_contact(k, work, bounced)
        if last:
            keep_contact(contacts, k, work, dt)
