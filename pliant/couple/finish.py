"""What an island notes at the end of a substep: mean forces, rates, deflections, work of motions, bounces."""

from .._jit import kernel, stage
from ..equations.rigid.carried_impulse import carried_impulse
from ..equations.rigid.soft_constraint import deflection
from ..math.quat import load4, unrotate
from ..math.vec3 import add
from ..model.bodies import DRIVEN
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import FRICTION, LATCH, ROD, SPRING, VELOCITY_MOTOR
from ..model.rows import AT_FIRST, BEGAN, GAMMA, IMPULSE, SET_OUT
from ..model.sets import Movers, Sets, Touch
from ..solvers.rows.contact import bound_frictions
from ..solvers.rows.contact_end import keep_contact, sum_contact, work_on
from ..solvers.rows.drive import is_limit, is_motor
from ..solvers.rows.drive_halves import coordinate_speed, work_in_halves, work_of_drive
from ..solvers.rows.joint import coordinate_rates, reaction
from .bounce import BOUNCES, SETTLED, bounce_contacts, has_bounced
from .given import given_work
from .giving import note_giving, rod_push, sum_drives
from .move import has_driven
from .ports import load_at, row_speed, store_at
from .prepare import has_joints
from .spring_energy import holds_springs

FAR = 1.0
"""Way in a substep [m or rad] up to which motors are held to what their coordinates show."""
STRIKES = 1e-6
"""A coordinate that came to its limit faster [m/s or rad/s] was stopped by it."""


@kernel
def finish_rows(sets, islands, outcome, i, h, dt, b, late):
    """What drives, joints and springs note after a substep `h` of a step `dt` [s]; `b` as newton.py has it, 0 elsewhere.

    There impulses are b h F, and `h` is given less by that share. Of joints only what came `late` is still to be noted, where
    `note_reactions` has seen to the rest. Writes: as `note_rows`
    """
    if has_joints(islands, i) or islands.first_spring[i] < islands.first_spring[i + 1]:
        note_rows(sets, islands, outcome, i, h, dt, b, True, late)


@stage
def note_rows(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, dt: float, b: float, implicit: bool,
              late: bool) -> float:
    """The same where there are any; returns `strayed_work`.

    Writes: as `finish_drives`, `finish_joints` and `finish_springs`, outcome.work
    """
    movers, linkage, drivetrain, springwork = sets.movers, sets.linkage, sets.drivetrain, sets.springwork
    strayed = strayed_work(linkage.joints, drivetrain, movers.motion, islands, i, h, implicit) if b == 0.0 else 0.0
    if has_driven(movers, islands, i):
        note_giving(sets, islands, i, b)
        outcome.work[i] += given_work(movers, islands, i, b)
    finish_drives(linkage.joints, drivetrain, movers, islands, outcome, i, h, dt, b)
    finish_joints(linkage, drivetrain, movers, islands, i, dt, b, late)
    finish_springs(springwork, islands, i, h, dt, b)
    return strayed


@kernel
def note_reactions(linkage, drivetrain, islands, i):
    """What joints have done before the move, and what drives lean on them, along rows that will be laid anew after it.

    Writes: linkage.work, drivetrain.lean
    """
    sum_drives(drivetrain, islands, i, False)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        force, torque = reaction(linkage.joints, j, linkage.state, linkage.rows, linkage.work, drivetrain.lean, 1.0, 0.0)
        store_at(linkage.work.table, j, AT_FIRST, force)
        store_at(linkage.work.table, j, AT_FIRST + 3, torque)


@kernel
def finish_joints(linkage, drivetrain, movers, islands, i, dt, b, late):
    """Mean reactions and rates. Writes: linkage.state.force, .torque, .own, .carried, drivetrain.place.rate, .lean"""
    joints, state, rows, work = linkage.joints, linkage.state, linkage.rows, linkage.work
    sum_drives(drivetrain, islands, i, late)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:
            finish_rod(linkage, movers.motion, j, dt, b)
            continue
        force, torque = reaction(joints, j, state, rows, work, drivetrain.lean, 0.0 if late else 1.0, 1.0)
        if late:
            force, torque = add(load_at(work.table, j, AT_FIRST), force), add(load_at(work.table, j, AT_FIRST + 3), torque)
        add_mean(state.force, j, 0, state.carried, 0, force, dt, b)
        add_mean(state.torque, j, 0, state.carried, 3, torque, dt, b)
        coordinate_rates(joints, j, movers.motion, drivetrain.rows, drivetrain.place)


@kernel
def finish_rod(linkage, motion, j, dt, b):
    """Mean force on the right link and moment in the left one's axes. Writes: linkage.state.force, .torque, .own, .carried"""
    state, body = linkage.state, linkage.joints.body
    force, moment = rod_push(linkage, j)
    add_mean(state.force, j, 0, state.carried, 0, force, dt, b)
    add_mean(state.torque, j, 0, state.carried, 3, moment, dt, b)
    for side in range(2):
        own = unrotate(load4(motion.quaternion, body[j, side]), force)
        add_mean(state.own, j, 3 * side, state.carried, 6 + 3 * side, own, dt, b)


@kernel
def add_mean(mean, j, first, carried, column, impulse, dt, b):
    """What of `impulse` and earlier ones has acted in a substep, to a mean over `dt` [s]. Writes: mean, carried at `j`"""
    for c in range(3):
        carried[j, column + c] = carried_impulse(carried[j, column + c], impulse[c], b)
        mean[j, first + c] += carried[j, column + c] / dt


@kernel
def finish_drives(joints, drivetrain, movers, islands, outcome, i, h, dt, b):
    """Mean efforts, deflections and work of motors. Writes: drivetrain.state, outcome.work"""
    drives, state, law = drivetrain.drives, drivetrain.state, drivetrain.law
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, impulse = drives.coordinate[k], state.impulse[k]
        j = drivetrain.coordinates.joint[c]
        state.carried[k] = carried_impulse(state.carried[k], impulse, b)
        state.effort[k] += state.carried[k] / dt
        if is_motor(drives.law[k]):
            after = row_speed(drivetrain.rows, c, movers.motion, joints.body[j, 0], joints.body[j, 1])
            outcome.work[i] += 0.5 * state.carried[k] * (drivetrain.place.rate[c] + after)
        if drives.law[k] == SPRING:
            state.deflection[k] = deflection(drives.stiffness[k], drives.damping[k], state.deflection[k],
                                             law.table[k, GAMMA], impulse, h)


@kernel
def strayed_work(joints, drivetrain, motion, islands, i, h, implicit):
    """Work [J] of motors that the speeds at both ends of a substep do not tell, before `finish_drives` counts by these; and of
    latches."""
    drives, work, sprung = drivetrain.drives, 0.0, holds_springs(drivetrain.drives, islands, i)
    struck = strikes_limit(drivetrain, islands, i)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drives.coordinate[k]
        after = coordinate_speed(drivetrain, joints, motion, c)
        if is_motor(drives.law[k]):
            done = work_of_drive(drivetrain, k, after) if struck and not implicit else (
                way_work(drivetrain, k, after, h) if sprung else motor_work(drivetrain, k, after, h, implicit))
            work += done - 0.5 * drivetrain.state.impulse[k] * (drivetrain.place.rate[c] + after)
        elif drives.law[k] == LATCH:
            work += way_work(drivetrain, k, after, h)
    return work


@kernel
def strikes_limit(drivetrain, islands, i):
    """Whether a limit of an island stops something in this substep: that it happens at once is told by speeds alone."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        found |= is_limit(drivetrain.drives.law[k]) and drivetrain.state.impulse[k] != 0.0 and (
            abs(drivetrain.place.rate[drivetrain.drives.coordinate[k]]) > STRIKES)
    return found


@kernel
def way_work(drivetrain, k, after, h):
    """Work [J] of drive `k` beside springs: its impulse times the way that its coordinate goes, over h; of latches what they
    draw alone, and none of drives that are neither. What turns by more than FAR goes on as fast as it does `after` that."""
    rule, c = drivetrain.drives.law[k], drivetrain.drives.coordinate[k]
    went = (drivetrain.place.value[c] - drivetrain.lean.table[c, SET_OUT]) / h if h * abs(after) < FAR else after
    work = drivetrain.state.impulse[k] * went
    return work if is_motor(rule) else max(work, 0.0) if rule == LATCH else 0.0


@kernel
def motor_work(drivetrain, k, after, h, implicit):
    """Work [J] of motor `k` in a substep that has ended `after` which its coordinate goes so fast.

    With implicit Euler an impulse does force times way, less half of what it speeds its coordinate up by: that goes the whole
    way as fast as at its end. Speeds amid the substep tell nothing: contacts that push out, or yield, are as fast there alone.
    """
    went = mean_rate(drivetrain, k, after, h)
    if implicit:
        return drivetrain.state.impulse[k] * (went - 0.5 * (after - drivetrain.law.table[k, BEGAN]))
    return work_in_halves(drivetrain, k, went, after)


@kernel
def mean_rate(drivetrain, k, after, h):
    """Rate [m/s or rad/s] at which the coordinate of drive `k` went its way. What turns by more than FAR cannot be told from
    where it is, and is said to have gone as it does `after` that."""
    c = drivetrain.drives.coordinate[k]
    moved = drivetrain.place.value[c] - drivetrain.lean.table[c, SET_OUT]
    return moved / h if h * abs(after) < FAR else after


@kernel
def drives_work(joints, drivetrain, motion, islands, i, h):
    """(work [J] of an island's drives but for limits in a substep of two halves that has ended, as kinetic energies change by
    it at once, what limits have taken [J, <= 0]: together they give none, what friction has given in that work [J, >= 0]: it
    should give none, and that work [J] with what motors that hold a speed do as it is counted).

    Motors do more along their way only as far as that does not lie between where speeds at both ends lead: there joints have
    moved them, as at the dead point of a crank.
    """
    work, stopped, given, counted, last, after, stray = 0.0, 0.0, 0.0, 0.0, -1, 0.0, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        if c != last:  # drives of a coordinate follow each other
            after, last = coordinate_speed(drivetrain, joints, motion, c), c
            mean, went = 0.5 * (drivetrain.place.rate[c] + after), mean_rate(drivetrain, k, after, h)
            stray = went - min(max(went, min(mean, after)), max(mean, after)) if h * abs(mean) < FAR else 0.0
        if is_limit(drivetrain.drives.law[k]):
            stopped += work_of_drive(drivetrain, k, after)
        else:
            done = work_of_drive(drivetrain, k, after)
            done_along = done + (drivetrain.state.impulse[k] * stray if is_motor(drivetrain.drives.law[k]) else 0.0)
            work += done_along
            holds = drivetrain.drives.law[k] == VELOCITY_MOTOR
            counted += motor_work(drivetrain, k, after, h, False) if holds else done_along
            given += max(done, 0.0) if drivetrain.drives.law[k] == FRICTION else 0.0
    return work, min(stopped, 0.0), given, counted


@kernel
def finish_springs(springwork, islands, i, h, dt, b):
    """Mean efforts and deflections. Writes: springwork.state"""
    springs, state, law = springwork.springs, springwork.state, springwork.law
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        state.carried[k] = carried_impulse(state.carried[k], state.impulse[k], b)
        state.effort[k] += state.carried[k] / dt
        state.deflection[k] = deflection(springs.stiffness[k], springs.damping[k], state.deflection[k], law.table[k, GAMMA],
                                         state.impulse[k], h)


@kernel
def finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, grown, parted, gravity, energy):
    """Bounce above the `threshold` [m/s], with no more `energy` [J] than that, unless they have `parted` already, add up, and
    after the last substep keep, for one that is `grown` times as long [-].

    Writes: velocities, touch, contacts, outcome.work
    """
    if islands.first_contact[i] < islands.first_contact[i + 1]:
        note_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, grown, parted, gravity, energy)


@stage
def note_contacts(touch: Touch, contacts: Contacts, movers: Movers, islands: Islands, outcome: Outcome, i: int,
                  threshold: float, dt: float, last: bool, grown: float, parted: bool, gravity: tuple, energy: float) -> None:
    """The same where there are any. Writes: velocities, touch, contacts, outcome.work"""
    work, kind = touch.work, movers.bodies.kind
    bounced = has_bounced(work, islands, i) if parted else bounce_contacts(work, movers, islands, i, threshold, gravity, energy)
    if bounced and not parted:
        for _ in range(BOUNCES):
            if bound_frictions(touch, movers.motion, islands, i) < SETTLED:
                break
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        for side in range(2):
            if kind[work.body[k, side]] == DRIVEN:
                outcome.work[i] += work_on(k, movers.motion, work, side)
        sum_contact(k, work, 1.0)
        if bounced:  # an impact is over and not a guess for the next substep
            store_at(work.table, k, IMPULSE, (0.0, 0.0, 0.0))
        if last:
            keep_contact(contacts, k, work, dt, grown)
