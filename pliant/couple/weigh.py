"""No energy out of nothing where springs are: what a substep gains beyond the work done on it is weighed.

Equations: spring_energy.py. Implicit Euler moves by the velocities at the end of a substep. So what a motor does there is its
impulse times the way of its coordinate over h, and what a driven body does its impulses times its speeds: by these springs
never gain, whatever their stiffness, if all rows are met. That is what is taken off here, and what `Energy.work` counts.
"""

from math import inf, sqrt

from .._jit import kernel, stage
from ..equations.rigid.limit_end import led_back
from ..math.vec3 import norm
from ..model.bodies import DRIVEN
from ..model.islands import Islands, Outcome
from ..model.joints import LATCH, SPRING
from ..model.rows import BIAS, HALFWAY, SET_OUT
from ..model.sets import Sets
from ..solvers.rows.contact_end import work_on
from ..solvers.rows.contact_pair import step_back
from ..solvers.rows.drive import is_limit
from ..solvers.rows.drive_halves import coordinate_speed
from ..solvers.rows.spring import spring_length
from .finish import way_work
from .given import given_work
from .giving import note_giving
from .manner import Substep
from .move import energy_of, has_driven, kinetic_of, push_work, raised
from .prepare import stop_fixed
from .spring_energy import LITTLE, MUCH, SUMS, TREMBLE, halt, hangs, slow, stored_after, total_mass, work_at_the_end

HALTED = 0.11
"""What a substep in which all stands is off at least [m/s], so that it is told; not of what flies on, or would only tremble."""
CLOSING = 2.0
"""How many times as far as joints gape what they move goes at most [-], as on levers."""
RESTS = 1e-7
"""Speed [m/s] of what all but rests: a gain of as much is rounding, of which none can be taken out of what does not move."""
UNMET = 1.0
"""Few contacts that are left further off [m/s] are not met."""


@kernel
def work_done(sets, islands, i, h):
    """Work [J] of motors, latches that draw, and driven bodies in a substep, as it is counted. Writes: movers.history.given"""
    movers, linkage, drivetrain, touch = sets.movers, sets.linkage, sets.drivetrain, sets.touch
    work = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        after = coordinate_speed(drivetrain, linkage.joints, movers.motion, drivetrain.drives.coordinate[k])
        work += way_work(drivetrain, k, after, h)
    if has_driven(movers, islands, i):
        note_giving(sets, islands, i, 0.0)
        work += given_work(movers, islands, i, 0.0)
        for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
            for side in range(2):
                if movers.bodies.kind[touch.work.body[islands.contact[m], side]] == DRIVEN:
                    work += work_on(islands.contact[m], movers.motion, touch.work, side)
    return work


@kernel
def pushed_back(drivetrain, islands, i, h):
    """Work [J] that limits and latches may do on what was beyond them when the substep began, by what they pushed with in the
    move; of latches beyond what is counted: springs pull harder at its end than what holds them there at rest is told by."""
    work = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        rule, law = drivetrain.drives.law[k], drivetrain.law.table
        if is_limit(rule) or rule == LATCH:
            back = law[k, BIAS] if rule == LATCH else led_back(
                drivetrain.lean.table[drivetrain.drives.coordinate[k], SET_OUT] - drivetrain.drives.rest[k], h)
            done = max(-law[k, HALFWAY] * back, -drivetrain.state.impulse[k] * back)
            work += max(done - way_work(drivetrain, k, 0.0, h), 0.0)
    return work


@kernel
def closing_work(sets, islands, i, gravity, apart, h):
    """Work [J] that joints may do which stood `apart` [m] when a substep `h` [s] began, against weight and springs: what is
    drawn there by a micrometre and rests would else seem to gain that, be put back, and so on for ever."""
    drivetrain, springwork, pull = sets.drivetrain, sets.springwork, total_mass(sets.movers, islands, i) * norm(gravity)
    if not apart < inf:
        return 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        pull += abs(springwork.state.impulse[islands.spring[m]]) / h
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        pull += abs(drivetrain.state.impulse[k]) / h if drivetrain.drives.law[k] == SPRING else 0.0
    return CLOSING * apart * pull


@stage
def weigh(sets: Sets, islands: Islands, outcome: Outcome, i: int, gravity: tuple, substep: Substep, stored: float,
          lifted: float) -> tuple:
    """(whether a substep of springs has gained less than much of the energy it had in motion and height, and `stored` [J] in
    springs, whether it would in one of twice the length, whether its bodies stand where they were).

    Gives up what it has gained, but for what contacts have `lifted` [J] and limits pushed back, against weight and springs
    alone, if it is little, if it is the finest, or where something touches. What contacts do that are not met they do not do
    to springs: it comes from nowhere. Writes: motion, impulses, touch.work, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    h, energy, finest = substep.h, substep.energy, substep.finest
    if not abs(energy) + stored < inf:  # what began without a number is to be told, not slowed
        return True, True, False
    after, held = energy_of(movers, islands, i, gravity), stored_after(movers, drivetrain, springwork, islands, i, h)
    given = max(push_work(movers, islands, i, h), work_at_the_end(movers, islands, i, h))
    given += work_done(sets, islands, i, h)
    height = raised(movers, islands, i, gravity)
    if not outcome.residual[i] < UNMET:
        lifted = min(lifted, max(height, 0.0))
    lifted = min(lifted + pushed_back(drivetrain, islands, i, h), max(height + held - stored, 0.0))
    gain = after + held - energy - stored - given - lifted
    kinetic, touched = kinetic_of(movers, islands, i, 0.0), islands.first_contact[i] < islands.first_contact[i + 1]
    sums = SUMS * (abs(after) + abs(energy) + held + stored + kinetic + abs(given))
    trembles = TREMBLE if touched else RESTS
    sums += 0.5 * trembles * trembles * total_mass(movers, islands, i)
    steady, calm = gain <= MUCH * kinetic + sums, gain * 8.0 <= MUCH * kinetic + sums
    if not (steady or finest or (touched and gain < kinetic)) or gain <= LITTLE * kinetic + sums:
        return steady, calm, False
    is_held = hangs(movers, linkage, springwork, touch, islands, i)
    stand = slow(movers, islands, i, h, gain, is_held)
    speed = sqrt(abs(gain) / total_mass(movers, islands, i)) if gain < 1e300 else 1e300
    if stand and (speed > TREMBLE or has_driven(movers, islands, i)):
        rest(sets, islands, outcome, i, h, gravity, energy + stored)
    elif stand:  # what lies still is borne by what was found, which all but rounding agrees with
        let_contacts_stand(touch, islands, i)
    speed = max(speed, HALTED) if stand and is_held and speed > TREMBLE else speed
    outcome.residual[i] = max(outcome.residual[i], speed)
    outcome.unruly[i] = max(outcome.unruly[i], speed)
    return steady or touched, calm or touched, stand


@stage
def carry(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, gravity: tuple, energy: float, miss: float) -> bool:
    """Let an island of springs, which tore joints, stand where it was with `energy` [J] or go on with the driven body that
    carries it; always True. Writes: motion, impulses, touch.work, outcome"""
    movers = sets.movers
    halt(movers, islands, i, h, True)
    rest(sets, islands, outcome, i, h, gravity, energy)
    outcome.residual[i] = max(outcome.residual[i], miss)
    outcome.unruly[i] = max(outcome.unruly[i], miss)
    return True


@kernel
def rest(sets, islands, outcome, i, h, gravity, energy):
    """Impulses of an island that has halted: springs pull as they are drawn, and nothing else does. What driven bodies have
    done beyond that is all that it has gained since it had `energy` [J]. Writes: impulses, touch.work, outcome.work"""
    movers, linkage, drivetrain, springwork, touch = sets
    stop_fixed(movers, linkage, springwork, touch, islands, i)
    pull_as_drawn(movers, drivetrain, springwork, islands, i, h)
    let_contacts_stand(touch, islands, i)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            linkage.state.impulse[islands.joint[m], r] = 0.0
            linkage.state.relaxed[islands.joint[m], r] = 0.0
    if has_driven(movers, islands, i):
        now = energy_of(movers, islands, i, gravity) + stored_after(movers, drivetrain, springwork, islands, i, h)
        given = work_done(sets, islands, i, h)
        outcome.work[i] += max(now - energy - given, 0.0)


@kernel
def let_contacts_stand(touch, islands, i):
    """Contacts as they were when the substep began. Writes: touch.work"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        step_back(islands.contact[m], touch.work)


@kernel
def pull_as_drawn(movers, drivetrain, springwork, islands, i, h):
    """Impulses of springs as they are drawn where their bodies have halted; other drives have none. Writes: impulses"""
    springs, drives = springwork.springs, drivetrain.drives
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        before = springwork.state.deflection[k]
        drawn = before
        if has_driven(movers, islands, i):
            drawn = spring_length(springs, k, movers.motion) - springs.rest_length[k]
        springwork.state.impulse[k] = -h * springs.stiffness[k] * drawn - springs.damping[k] * (drawn - before)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        pull = -h * drives.stiffness[k] * drivetrain.state.deflection[k] if drives.law[k] == SPRING else 0.0
        drivetrain.state.impulse[k] = pull
