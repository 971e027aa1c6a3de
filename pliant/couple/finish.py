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
from ..model.rows import GAMMA, LEANT, SET_OUT
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..solvers.chain.place import aside, lever, load_mat
from ..solvers.rows.contact_end import keep_contact, sum_contact, work_on
from ..solvers.rows.drive import coordinate_speed, is_motor, work_of_drive
from ..solvers.rows.joint import coordinate_rates, reaction, total_impulse
from .bounce import bounce_contacts, has_bounced
from .given import begin_giving, give, give_row, given_work
from .ports import load_at, row_speed
from .prepare import has_joints

FAR = 1.0
"""Way in a substep [m or rad] up to which motors are held to what their coordinates show."""


@kernel
def finish_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, b):
    """What drives, joints and springs note after a substep `h` of a step `dt` [s]; `b` as newton.py has it, 0 elsewhere.

    There impulses are b h F: `h` and `dt` are given less by that share. Writes: as `note_rows`
    """
    if has_joints(islands, i) or islands.first_spring[i] < islands.first_spring[i + 1]:
        note_rows(movers, linkage, drivetrain, springwork, islands, outcome, i, h, dt, b, True)


@stage
def note_rows(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, islands: Islands,
              outcome: Outcome, i: int, h: float, dt: float, b: float, implicit: bool) -> float:
    """The same where there are any; returns `strayed_work`.

    Writes: as `finish_drives`, `finish_joints` and `finish_springs`, outcome.work
    """
    strayed = strayed_work(linkage.joints, drivetrain, movers.motion, islands, i, h, implicit) if b == 0.0 else 0.0
    begin_giving(movers, islands, i, b)
    finish_drives(linkage.joints, drivetrain, movers, islands, outcome, i, h, dt, b)
    finish_joints(linkage, drivetrain, movers, islands, i, dt)
    finish_springs(springwork, movers, islands, i, h, dt)
    outcome.work[i] += given_work(movers, islands, i, b)
    return strayed


@kernel
def finish_joints(linkage, drivetrain, movers, islands, i, dt):
    """Mean reactions and rates. Writes: linkage.state.force, .torque, drivetrain.place.rate, movers.history.given"""
    joints, state, rows, work = linkage.joints, linkage.state, linkage.rows, linkage.work
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:
            finish_rod(linkage, j, movers, dt)
            continue
        force, torque = reaction(joints, j, state, rows, work, drivetrain.lean)
        store(state.force, j, add_scaled(load(state.force, j), 1.0 / dt, force))
        store(state.torque, j, add_scaled(load(state.torque, j), 1.0 / dt, torque))
        coordinate_rates(joints, j, movers.motion, drivetrain.rows, drivetrain.place)
        left, right = joints.body[j, 0], joints.body[j, 1]
        if movers.bodies.kind[left] == DRIVEN or movers.bodies.kind[right] == DRIVEN:
            for r in range(work.count[j]):
                give_row(movers, rows, 6 * j + r, total_impulse(joints, j, r, state, drivetrain.lean), left, right)


@kernel
def finish_rod(linkage, j, movers, dt):
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
            give_rod(linkage, j, side, movers.history.given, force, moment, soft)


@kernel
def give_rod(linkage, j, side, given, force, moment, soft):
    """What the driven body that is the left (0) or right (1) one of rod `j` gives. Writes: given"""
    joints, work, sign = linkage.joints, linkage.rod_work, 1.0 if side == 0 else -1.0
    bending = turned_vec(load_mat(work.table, joints.rod[j], RATE), moment)
    torque = add(bending, cross(lever(joints, j, work.table, side), force))
    if soft:
        torque = add_scaled(torque, dot(load_at(work.give, joints.rod[j], ALONG), force), aside(joints, j, work.give, side))
    give(given, joints.body[j, side], scale(sign, force), scale(sign, torque))


@kernel
def finish_drives(joints, drivetrain, movers, islands, outcome, i, h, dt, b):
    """Mean efforts, deflections and work of motors. Writes: drivetrain.state, .lean, outcome.work, movers.history.given"""
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
        give_row(movers, drivetrain.rows, c, impulse, joints.body[j, 0], joints.body[j, 1])


@kernel
def strayed_work(joints, drivetrain, motion, islands, i, h, implicit):
    """Work [J] of motors that the speeds at both ends of a substep do not tell, before `finish_drives` counts by these."""
    drives, work = drivetrain.drives, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if is_motor(drives.law[k]):
            c = drives.coordinate[k]
            after = coordinate_speed(drivetrain, joints, motion, c)
            counted = 0.5 * drivetrain.state.impulse[k] * (drivetrain.place.rate[c] + after)
            work += motor_work(drivetrain, k, after, h, implicit) - counted
    return work


@kernel
def motor_work(drivetrain, k, after, h, implicit):
    """Work [J] of motor `k` in a substep that has ended `after` which its coordinate goes so fast.

    What impulses do before the move and after it is told by the speeds there. Beyond that, a motor does its impulse times the
    way that its coordinate goes. Along a line that is h times the last speed with implicit Euler, else it lies between that and
    h times the mean of both ends. Beyond that joints have moved it: held back at the dead point of a crank it does not
    move, and has a speed all the same at the end of every substep. What turns by more than FAR cannot be told from where it is.
    """
    c = drivetrain.drives.coordinate[k]
    other = after if implicit else 0.5 * (drivetrain.place.rate[c] + after)
    went = (drivetrain.place.value[c] - drivetrain.lean.table[c, SET_OUT]) / h
    stray = went - min(max(went, min(other, after)), max(other, after)) if h * max(abs(other), abs(after)) < FAR else 0.0
    return work_of_drive(drivetrain, k, after) + drivetrain.state.impulse[k] * stray


@kernel
def drives_work(joints, drivetrain, motion, islands, i, h):
    """Work [J] of an island's motors, as it is counted, and of its other drives in a substep of two halves that has ended."""
    work, last, after = 0.0, -1, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        if c != last:  # drives of a coordinate follow each other
            after, last = coordinate_speed(drivetrain, joints, motion, c), c
        if is_motor(drivetrain.drives.law[k]):
            work += motor_work(drivetrain, k, after, h, False)
        else:
            work += work_of_drive(drivetrain, k, after)
    return work


@kernel
def drive_work(joints, drivetrain, motion, islands, i):
    """Work [J] of all drives of an island in a substep, by how they change kinetic energies."""
    work, last, after = 0.0, -1, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        if c != last:
            after, last = coordinate_speed(drivetrain, joints, motion, c), c
        work += work_of_drive(drivetrain, k, after)
    return work


@kernel
def finish_springs(springwork, movers, islands, i, h, dt):
    """Mean efforts and deflections. Writes: springwork.state, movers.history.given"""
    springs, state, law = springwork.springs, springwork.state, springwork.law
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        state.effort[k] += state.impulse[k] / dt
        state.deflection[k] = deflection(springs.stiffness[k], springs.damping[k], state.deflection[k], law.table[k, GAMMA],
                                         state.impulse[k], h)
        give_row(movers, springwork.rows, k, state.impulse[k], springs.body[k, 0], springs.body[k, 1])


@kernel
def finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, grown, parted):
    """Bounce above the `threshold` [m/s], unless they have `parted` already, add up, and after the last substep keep, for one
    that is `grown` times as long [-].

    Writes: velocities, touch, contacts, outcome.work
    """
    if islands.first_contact[i] < islands.first_contact[i + 1]:
        note_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, grown, parted)


@stage
def note_contacts(touch: Touch, contacts: Contacts, movers: Movers, islands: Islands, outcome: Outcome, i: int,
                  threshold: float, dt: float, last: bool, grown: float, parted: bool) -> None:
    """The same where there are any. Writes: velocities, touch, contacts, outcome.work"""
    work, kind = touch.work, movers.bodies.kind
    bounced = has_bounced(work, islands, i) if parted else bounce_contacts(work, movers.motion, islands, i, threshold)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        for side in range(2):
            if kind[work.body[k, side]] == DRIVEN:
                outcome.work[i] += work_on(k, movers.motion, work, side)
        sum_contact(k, work, bounced)
        if last:
            keep_contact(contacts, k, work, dt, grown)
