"""What becomes of a substep of bodies, joints and contacts: kept, taken again, slowed, or stood still."""

from math import inf, sqrt

from .._jit import kernel, stage
from ..math.vec3 import norm
from ..model.islands import Islands, Outcome
from ..model.joints import DC_MOTOR, POSITION_MOTOR, VELOCITY_MOTOR
from ..model.rows import IMPULSE
from ..model.sets import Sets
from ..solvers.rows.contact_pair import step_back
from ..solvers.rows.drive_halves import braked_at_once, drive_work
from .finish import drives_work
from .given import given_work
from .giving import note_giving
from .manner import GAPING, TURN, Manner, Settings, Substep, turned
from .move import energy_of, has_driven, kinetic_of, push_work, raised
from .prepare import rescale, stop_fixed
from .spring_energy import LITTLE, SUMS, TREMBLE, give_up, hangs, slow, total_mass, work_at_the_end
from .weigh import UNMET, closing_work, pushed_back

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
"""A substep of jointed bodies that touch something may gain so much of the kinetic energy [-], and 1 J for each kilogram."""
NEARBY = 1e-3
"""And so much [-] where no contact pushes: joints of what swings past something are solved at first order, and lose."""
TORN = 2.0
"""One that cannot be halved any more has torn a joint if that gapes so many times more than before [-]: aiming leads away."""


@stage
def stand_still(sets: Sets, islands: Islands, outcome: Outcome, i: int, gap: float, h: float) -> bool:
    """Let an island stand where it was; returns whether it does. Writes: motion, impulses, outcome"""
    stand = give_up(sets, islands, outcome, i, h, 0.0, True)
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
def is_wild(sets, islands, outcome, i, h, gravity, energy, few):
    """Take out what jointed bodies that touch something gain beyond measure; returns whether they stand, as that was too much.

    What is pushed out of something is lifted, by STILL at most, and sweeps leave a little; where contacts on light bodies that
    bear heavy ones are not solved, light ones would gain more and more. Where few contacts could not be met, as of a limb
    wedged between two others, all but what is lifted comes from nowhere. Writes: motion, impulses
    """
    movers, linkage, drivetrain = sets.movers, sets.linkage, sets.drivetrain
    gain = energy_of(movers, islands, i, gravity) - energy - push_work(movers, islands, i, h)
    gain -= drive_work(linkage.joints, drivetrain, movers.motion, islands, i)
    most = WILD * kinetic_of(movers, islands, i, (1.0 + STILL * norm(gravity)) / WILD)
    if few and outcome.residual[i] > UNMET:
        most = min(most, max(raised(movers, islands, i, gravity), 0.0))
    stand = not gain <= most and give_up(sets, islands, outcome, i, h, gain - most, not gain < inf)
    if stand:
        forget(sets, islands, i)
    return stand


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
    stand = slow(movers, islands, outcome, i, h, gain, hangs(movers, linkage, springwork, touch, islands, i))
    if stand:
        forget(sets, islands, i)
    outcome.residual[i] = max(outcome.residual[i], sqrt(gain / mass))
    return stand


@kernel
def work_of_driven(sets, islands, i):
    """Work [J] of bodies moved from outside, through joints and drives, as it is counted. Writes: movers.history.given"""
    if not has_driven(sets.movers, islands, i):
        return 0.0
    note_giving(sets, islands, i, 0.0)
    return given_work(sets.movers, islands, i, 0.0)


@kernel
def judge_driven(sets, islands, outcome, i, looped, settings, substep, apart):
    """As `judge`, of joints with drives, which do work: whether little came from nowhere, by their work at once and, up to
    STRAY, by that which is told; and bodies of loops turned little.

    Loops must not lose energy either; trees may, as velocities that were set against joints and impacts at limits do.
    Writes: motion, impulses, outcome
    """
    movers, linkage, drivetrain, gravity = sets.movers, sets.linkage, sets.drivetrain, settings.gravity
    h, finest = substep.h, substep.finest
    angle = turned(movers, islands, i, h) if looped else 0.0
    gain = energy_of(movers, islands, i, gravity) - substep.energy - push_work(movers, islands, i, h)
    given, stopped, rubbed, counted = drives_work(linkage.joints, drivetrain, movers.motion, islands, i, h)
    gain -= work_of_driven(sets, islands, i)
    back = pushed_back(drivetrain, islands, i, h)
    back_up = back + closing_work(sets, islands, i, gravity, apart, h)
    gain -= min(back_up, max(raised(movers, islands, i, gravity), 0.0))
    told = gain - counted if stopped == 0.0 and not finest else 0.0
    gain -= given - rubbed if finest else given + stopped
    share = POWERED if stopped == 0.0 and is_powered(drivetrain, islands, i) else STRAY
    most = share * (kinetic_of(movers, islands, i, STILL * norm(gravity)) + back)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        most += FAINT * abs(drivetrain.state.impulse[islands.drive[m]])
    if finest:
        most += STRUCK * braked_at_once(drivetrain, islands, i)
    off = abs(gain) if looped and settings.drag == 0.0 else gain
    off = max(off, told * (share / STRAY))
    steady, calm = off <= most and angle <= TURN, off * LONGER <= most and 2.0 * angle <= TURN
    stand = finest and not gain <= most and give_up(sets, islands, outcome, i, h, gain, not gain < inf)
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
    if not substep.finest and strays_in_air(sets, islands, i, substep.h, settings.gravity, substep.energy):
        return False, False, False
    return True, True, is_wild(sets, islands, outcome, i, substep.h, settings.gravity, substep.energy, manner.few)


@kernel
def strays_in_air(sets, islands, i, h, gravity, energy):
    """Whether joints have given the bodies of an island energy [J] in a substep in which no contact pushes."""
    movers, work = sets.movers, sets.touch.work
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if work.table[islands.contact[m], IMPULSE] != 0.0:
            return False
    gain = energy_of(movers, islands, i, gravity) - energy - push_work(movers, islands, i, h)
    gain -= drive_work(sets.linkage.joints, sets.drivetrain, movers.motion, islands, i) + work_of_driven(sets, islands, i)
    return gain > NEARBY * kinetic_of(movers, islands, i, STILL * norm(gravity))


@stage
def give_back(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, gain: float, torn: bool, miss: float) -> bool:
    """Let free bodies and trees give up what they gained; whether they stand, which misses so much [m/s].

    Writes: motion, impulses, outcome
    """
    _, linkage, drivetrain, springwork, touch = sets
    stand = give_up(sets, islands, outcome, i, h, gain, torn)
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
    stand = substep.finest and (torn or gain > most) and give_back(
        sets, islands, outcome, i, substep.h, gain, torn, gap / substep.h)
    return steady, calm, stand
