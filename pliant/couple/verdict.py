"""What becomes of a substep of bodies, joints and contacts: kept, taken again, slowed, or stood still."""

from math import inf, sqrt

from .._jit import kernel, stage
from ..math.quat import load4
from ..math.vec3 import add, dot, load, norm
from ..model.islands import Islands, Outcome
from ..model.joints import DC_MOTOR, POSITION_MOTOR, VELOCITY_MOTOR
from ..model.rows import IMPULSE, SPIN_RATE, VELOCITY
from ..model.sets import Sets
from ..solvers.rows.contact_pair import step_back
from ..solvers.rows.drive_halves import braked_at_once, work_by_ends
from .finish import drives_work
from .manner import GAPING, TURN, Manner, Settings, Substep, turned
from .move import energy_of, give_up, has_driven, kinetic_of, push_on, push_work, pushed, raised
from .ports import load_at
from .prepare import rescale, stop_fixed
from .spring_energy import LITTLE, MUCH, SUMS, TREMBLE, hangs, slow, total_mass, work_at_the_end
from .weigh import closing_work, pushed_back, work_of_driven

STEADY = 1e-5
"""A substep of free bodies and trees whose energy changes by more, of its kinetic energy [-], is taken again in halves."""
STRAY, POWERED = 1e-4, 1e-6
"""The same of joints with drives, the work of these counted; and of motors with bounds or a voltage, where no limit acts: they
may turn about from one step to the next, each time a little is gained, and that adds up."""
STILL = 0.1
"""To that kinetic energy is added the weight lifted by this [m], so that what hangs still is not divided by nothing."""
FAINT = 1e-8
"""And what their impulses do at this speed [m/s or rad/s], where they hold something at rest."""
STRUCK = 0.1
"""And in the finest substep this share [-] of what drives take by braking at once, as motors without bound do: that is told by
the speeds before and after, but happens at some time of the substep, among forces that change these speeds too. What limits
take is not counted there at all: with them nothing may rise."""
LONGER = 8.0
"""How many times more energy a substep of twice the length gains or loses, at second order; it is tried only if that passes."""
WILD = 0.1
"""Where contacts on joints are swept, which ends before they are met, a substep may gain so much of the kinetic energy [-], and
1 J for each kilogram, and is not halved for less: a rover at rest on 19 contacts hopped when it was."""
TORN = 2.0
"""One that cannot be halved any more has torn a joint if that gapes so many times more than before [-]: aiming leads away."""


@stage
def stand_still(sets: Sets, islands: Islands, outcome: Outcome, i: int, gap: float, h: float) -> bool:
    """Let an island stand where it was; returns whether it does. Writes: motion, impulses, outcome"""
    movers = sets.movers
    stand = give_up(movers, islands, i, 0.0, True)
    if stand:
        forget(sets, islands, i)
        outcome.residual[i] = max(outcome.residual[i], gap / h if gap < inf else 1.0 / h)
    return stand


@kernel
def forget(sets, islands, i):
    """Take away all impulses of an island, what infinite ones have done to bodies that do not move, and how contacts went on.

    Writes: impulses, velocities of fixed bodies, touch.work
    """
    movers, linkage, drivetrain, springwork, touch = sets
    rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 0.0)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        step_back(islands.contact[m], touch.work)
    stop_fixed(movers, linkage, springwork, touch, islands, i)


@kernel
def judge_touching(sets, islands, outcome, i, gravity, substep, few):
    """As `judge`, of jointed bodies that touch something: whether they have gained what no push, drive or driven body did.

    Impulses change kinetic energy by the mean of the speeds at both ends of a substep, and contacts and joints give none by
    these: what pushes penetrations out leaves no speed. Writes: motion, impulses, outcome
    """
    movers, linkage, springwork, touch = sets.movers, sets.linkage, sets.springwork, sets.touch
    now, mass, h = kinetic_of(movers, islands, i, 0.0), total_mass(movers, islands, i), substep.h
    before = substep.energy - energy_of(movers, islands, i, gravity) + now + raised(movers, islands, i, gravity)
    gain = now - before - kick_work(movers, islands, i, gravity, h) - work_of_driven(sets, islands, i)
    gain -= work_by_ends(linkage.joints, sets.drivetrain, movers.motion, islands, i)
    most, swept = MUCH * max(now, before) + 0.5 * TREMBLE * TREMBLE * mass, not few and presses(touch, islands, i)
    if swept:
        most = WILD * now + mass
    steady = gain <= most or now <= most
    if steady or not (substep.finest or swept) or has_driven(movers, islands, i):
        return steady or swept, swept or gain * LONGER <= most, False
    stand = slow(movers, islands, i, h, gain, hangs(movers, linkage, springwork, touch, islands, i))
    if stand:
        forget(sets, islands, i)
    outcome.residual[i] = max(outcome.residual[i], sqrt(min(gain, now) / mass) if gain < inf else inf)
    return True, True, stand


@kernel
def presses(touch, islands, i):
    """Whether a contact of an island pushes."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        found |= touch.work.table[islands.contact[m], IMPULSE] != 0.0
    return found


@kernel
def kick_work(movers, islands, i, gravity, h):
    """Work [J] of forces from outside in a substep of `h` [s] as kinetic energies tell it: by the speeds at both its ends."""
    bodies, motion, start, work = movers.bodies, movers.motion, movers.start.table, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        v = add(load(motion.velocity, k), load_at(start, k, VELOCITY))
        work += 0.5 * h * bodies.mass[k] * dot(gravity, v)
        if pushed(movers.push, k):
            force, torque = push_on(movers.push, k, load4(motion.quaternion, k))
            work += 0.5 * h * (dot(force, v) + dot(torque, add(load(motion.angular_velocity, k), load_at(start, k, SPIN_RATE))))
    return work


@kernel
def hold_down(sets, islands, outcome, i, h, gravity, energy, lifted):
    """Take out what bodies that touch each other gain beyond what contacts have `lifted` [J]; returns whether they stand.

    To push something out raises it, and leaves no speed. Where contacts of heavy bodies on light ones are not met, these are
    shot away otherwise. Writes: motion, impulses, outcome
    """
    movers, linkage, springwork, touch = sets.movers, sets.linkage, sets.springwork, sets.touch
    gain = energy_of(movers, islands, i, gravity) - energy - min(lifted, max(raised(movers, islands, i, gravity), 0.0))
    gain -= max(push_work(movers, islands, i, h), work_at_the_end(movers, islands, i, h))
    mass, kinetic = total_mass(movers, islands, i), kinetic_of(movers, islands, i, 0.0)
    if not (gain > LITTLE * kinetic + SUMS * abs(energy) + 0.5 * TREMBLE * TREMBLE * mass and gain < inf) or (
            has_driven(movers, islands, i)):
        return False
    stand = slow(movers, islands, i, h, gain, hangs(movers, linkage, springwork, touch, islands, i))
    if stand:
        forget(sets, islands, i)
    outcome.residual[i] = max(outcome.residual[i], sqrt(gain / mass))
    return stand


@kernel
def judge_driven(sets, islands, outcome, i, looped, settings, substep, apart):
    """As `judge`, of joints with drives, which do work: whether little came from nowhere, and bodies of loops turned little.

    Loops must not lose energy either; trees may, as velocities that were set against joints and impacts at limits do.
    Writes: motion, impulses, outcome
    """
    movers, linkage, drivetrain, gravity = sets.movers, sets.linkage, sets.drivetrain, settings.gravity
    h, finest = substep.h, substep.finest
    angle = turned(movers, islands, i, h) if looped else 0.0
    gain = energy_of(movers, islands, i, gravity) - substep.energy - push_work(movers, islands, i, h)
    given, stopped, rubbed = drives_work(linkage.joints, drivetrain, movers.motion, islands, i, h)
    gain -= given - rubbed if finest else given + stopped
    gain -= work_of_driven(sets, islands, i)
    back = pushed_back(drivetrain, islands, i, h)
    back_up = back + closing_work(sets, islands, i, gravity, apart, h)
    gain -= min(back_up, max(raised(movers, islands, i, gravity), 0.0))
    share = POWERED if stopped == 0.0 and is_powered(drivetrain, islands, i) else STRAY
    most = share * (kinetic_of(movers, islands, i, STILL * norm(gravity)) + back)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        most += FAINT * abs(drivetrain.state.impulse[islands.drive[m]])
    if finest:
        most += STRUCK * braked_at_once(drivetrain, islands, i)
    off = abs(gain) if looped and settings.drag == 0.0 else gain
    steady, calm = off <= most and angle <= TURN, off * LONGER <= most and 2.0 * angle <= TURN
    stand = finest and not gain <= most and give_up(movers, islands, i, gain, not gain < inf)
    if stand:
        forget(sets, islands, i)
        outcome.residual[i] = max(outcome.residual[i], norm(gravity))
    return steady, calm, stand


@kernel
def is_powered(drivetrain, islands, i):
    """Whether a motor of an island has a bound, or pushes by a voltage."""
    drives, found = drivetrain.drives, False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        rule = drives.law[k]
        found |= rule == DC_MOTOR or ((rule == VELOCITY_MOTOR or rule == POSITION_MOTOR) and drives.max_effort[k] < inf)
    return found


@stage
def judge_bound(sets: Sets, islands: Islands, outcome: Outcome, i: int, manner: Manner, settings: Settings, substep: Substep,
                lifted: float, apart: float) -> tuple:
    """The same of what is driven or touches something. Writes: motion, impulses, outcome"""
    if manner.driven:
        return judge_driven(sets, islands, outcome, i, manner.looped, settings, substep, apart)
    if manner.uneven:
        return True, True, hold_down(sets, islands, outcome, i, substep.h, settings.gravity, substep.energy, lifted)
    return judge_touching(sets, islands, outcome, i, settings.gravity, substep, manner.few)


@stage
def give_back(sets: Sets, islands: Islands, outcome: Outcome, i: int, gain: float, torn: bool, miss: float) -> bool:
    """Let free bodies and trees give up what they gained; whether they stand, which misses so much [m/s].

    Writes: motion, impulses, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    stand = give_up(movers, islands, i, gain, torn)
    if stand:
        rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 0.0)
        outcome.residual[i] = max(outcome.residual[i], miss)
    return stand


@kernel
def judge(sets, islands, outcome, i, manner, settings, substep, lifted, gap, apart):
    """(whether free bodies and trees have kept their energy, whether they would in a substep of twice the length, whether
    they stand where they were because the finest substep gained what it cannot give up, or tore joints).

    Writes: motion, impulses, outcome
    """
    movers, gravity = sets.movers, settings.gravity
    if manner.driven or manner.uneven or manner.wary:
        return judge_bound(sets, islands, outcome, i, manner, settings, substep, lifted, apart)
    if not manner.free:
        return True, True, False
    gain = energy_of(movers, islands, i, gravity) - substep.energy - push_work(movers, islands, i, substep.h)
    gain -= work_of_driven(sets, islands, i)
    most = STEADY * kinetic_of(movers, islands, i, STILL * norm(gravity)) if settings.drag == 0.0 else inf
    steady, calm, torn = abs(gain) <= most, abs(gain) * LONGER <= most, not gap < TORN * max(GAPING, apart)
    stand = substep.finest and (torn or gain > most) and give_back(sets, islands, outcome, i, gain, torn, gap / substep.h)
    return steady, calm, stand
