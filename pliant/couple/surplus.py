"""What driven joints gain beyond the work of their motors, substep after substep: it is noted, and taken out of the motion.

A substep errs by h^3 of its energy, up and down as links swing, which a scheme of two equal halves gives back; but where motors
turn about at their bounds it keeps some, always of the same sign, and thousands of reversals add up. So each island has an
account, kept at its first drive,

    S := S + (E_1 - E_0) - W        W the work of motors, driven bodies and forces from outside, and what passive drives took

and where S > 0, min(S, MOST K) of the motion beside the rigid one are taken out, as spring_energy.py does; K is its kinetic
energy.
Swinging errors are taken out no more than once: what follows has that as credit, S < 0. While all motors hold speeds within
their bounds nothing is taken: the speeds are to be these, and the account waits.
"""

from math import sqrt

from .._jit import kernel, stage
from ..model.islands import Islands
from ..model.joints import LATCH, ROTOR, VELOCITY_MOTOR
from ..model.rows import HIGH, LOW
from ..model.sets import Sets
from ..solvers.rows.drive import is_limit, is_motor
from ..solvers.rows.drive_halves import coordinate_speed, work_of_drive
from ..solvers.rows.joint import coordinate_rates
from .move import energy_of, has_driven
from .spring_energy import hangs, keep_share, rigid_motion

ROUNDING = 1e-11
"""Share of the energies below which there is no surplus [-]: rotors behind gears take and give much more than they keep."""
MOST = 1e-3
"""Share of the kinetic energy [-] that a substep takes out at most: it changes no speed by more than half of that."""


@stage
def settle_surplus(sets: Sets, islands: Islands, i: int, gravity: tuple, energy: float, worked: float) -> None:
    """Note what island `i` has gained in a substep that began with `energy` [J], `worked` [J] put in, and take it out.

    Driven bodies lead others at speeds of their own, which must stay: nothing is taken out beside them.
    Writes: drivetrain.state.surplus, velocities, drivetrain.place.rate
    """
    movers, linkage, drivetrain = sets.movers, sets.linkage, sets.drivetrain
    motors, held = motors_of(drivetrain, islands, i)
    if motors == 0 or has_driven(movers, islands, i):
        return
    now, taken = energy_of(movers, islands, i, gravity), taken_by_drives(linkage.joints, drivetrain, movers.motion, islands, i)
    surplus = now - energy - worked - taken
    if abs(surplus) <= ROUNDING * (abs(now) + abs(energy) + abs(worked) + abs(taken)):
        surplus = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        surplus += drivetrain.state.surplus[islands.drive[m]]
        drivetrain.state.surplus[islands.drive[m]] = 0.0
    if surplus > 0.0 and held < motors:
        surplus -= take_out(sets, islands, i, surplus)
    drivetrain.state.surplus[islands.drive[islands.first_drive[i]]] = surplus


@kernel
def motors_of(drivetrain, islands, i):
    """How many motors island `i` has, and how many of them hold a speed within their bounds."""
    motors, held, law = 0, 0, drivetrain.law.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        rule, pushed = drivetrain.drives.law[k], drivetrain.state.impulse[k]
        motors += 1 if is_motor(rule) and rule != ROTOR else 0
        held += 1 if rule == VELOCITY_MOTOR and law[k, LOW] < pushed < law[k, HIGH] else 0
    return motors, held


@kernel
def taken_by_drives(joints, drivetrain, motion, islands, i):
    """Work [J] of friction, dampers and limits in a substep that has ended; limits give none."""
    work, stopped = 0.0, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        rule = drivetrain.drives.law[k]
        if is_motor(rule) or rule == LATCH:
            continue
        done = work_of_drive(drivetrain, k, coordinate_speed(drivetrain, joints, motion, drivetrain.drives.coordinate[k]))
        if is_limit(rule):
            stopped += done
        else:
            work += done
    return work + min(stopped, 0.0)


@kernel
def take_out(sets, islands, i, surplus):
    """Slow the motion beside the rigid one; returns the energy [J] that it gave. Writes: velocities, drivetrain.place.rate"""
    movers, linkage, drivetrain = sets.movers, sets.linkage, sets.drivetrain
    rigid = rigid_motion(movers, islands, i, hangs(movers, linkage, sets.springwork, sets.touch, islands, i))
    kinetic = keep_share(movers, islands, i, rigid, 1.0)
    taken = min(surplus, MOST * kinetic)
    if taken > 0.0:
        keep_share(movers, islands, i, rigid, sqrt(1.0 - taken / kinetic))
        for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
            coordinate_rates(linkage.joints, islands.joint[m], movers.motion, drivetrain.rows, drivetrain.place)
    return taken
