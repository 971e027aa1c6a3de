"""No energy out of nothing: what a substep of springs gains without work it is taken again for, or gives up.

Implicit Euler loses energy where springs pull; pushing ones that buckle gain some, as do rows that were ended before they met,
and left alone such errors may feed each other. What is little is taken out of the motion at once, what is much after the
substep has been halved as often as it can be:

    v := v_r + s (v - v_r)        s^2 = 1 - gain / K        K the kinetic energy of v - v_r

where v_r is the rigid motion of the island with its momentum and angular momentum, which are kept; nothing where it hangs on
what does not move. Where that motion has too little to give, the bodies stand where the substep began, but for v_r there.
"""

from math import sqrt

from .._jit import kernel, stage
from ..equations.rigid.soft_constraint import deflection
from ..math.mat3 import sym_inverse
from ..math.quat import conj, load4, qmul, qnormalize, rotate, store4, unrotate
from ..math.sym3 import sym_mul, turned_diagonal
from ..math.vec3 import add, add_scaled, cross, dot, load, mul, scale, store, sub
from ..model.bodies import DRIVEN, DYNAMIC
from ..model.islands import Islands, Outcome
from ..model.joints import SPRING
from ..model.rows import GAMMA, POSITION, QUATERNION
from ..model.sets import Sets
from ..solvers.rows.spring import spring_length
from .course import note_given
from .move import go_back, has_driven, move, push_on, pushed, row4
from .ports import load_at

MUCH, LITTLE = 1e-3, 1e-6
"""Shares of the kinetic energy [-]: a substep that gains more than the first is halved, more than the second gives it up."""
SUMS = 2e-14
"""Share of all energies that is rounding [-]."""
TREMBLE = 1e-3
"""Speed [m/s] at which sweeps of contacts leave what bears on them trembling."""
UNWATCHED = -1.0
"""Said in place of the elastic energy [J] of islands without springs."""


@kernel
def holds_springs(drives, islands, i):
    """Whether springs are in an island, also in its joints."""
    found = islands.first_spring[i] < islands.first_spring[i + 1]
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        found |= drives.law[islands.drive[m]] == SPRING
    return found


@kernel
def stored_before(movers, drivetrain, springwork, islands, i):
    """Elastic energy [J] of an island before a substep, or UNWATCHED: as it was left, and where springs are drawn further, as
    they are."""
    if not holds_springs(drivetrain.drives, islands, i):
        return UNWATCHED
    energy, drives = 0.0, drivetrain.drives
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        drawn = spring_length(springwork.springs, k, movers.motion) - springwork.springs.rest_length[k]
        drawn = max(abs(drawn), abs(springwork.state.deflection[k]))
        energy += 0.5 * springwork.springs.stiffness[k] * drawn * drawn
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.law[k] == SPRING:
            drawn = max(abs(wound(drivetrain, k)), abs(drivetrain.state.deflection[k]))
            energy += 0.5 * drives.stiffness[k] * drawn * drawn
    return energy


@kernel
def wound(drivetrain, k):
    """How far [m or rad] the spring of drive `k` is from rest, or from its limit, where its joint was placed last."""
    return drivetrain.place.value[drivetrain.drives.coordinate[k]] - drivetrain.drives.rest[k]


@kernel
def stored_after(movers, drivetrain, springwork, islands, i, h):
    """The same after a substep: as impulses have it, and where springs are drawn further, as they are."""
    springs, drives, energy = springwork.springs, drivetrain.drives, 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        drawn = spring_length(springs, k, movers.motion) - springs.rest_length[k]
        said = deflection(springs.stiffness[k], springs.damping[k], springwork.state.deflection[k],
                          springwork.law.table[k, GAMMA], springwork.state.impulse[k], h)
        drawn = max(abs(drawn), abs(said))
        energy += 0.5 * springs.stiffness[k] * drawn * drawn
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.law[k] == SPRING:
            said = deflection(drives.stiffness[k], drives.damping[k], drivetrain.state.deflection[k],
                              drivetrain.law.table[k, GAMMA], drivetrain.state.impulse[k], h)
            drawn = max(abs(wound(drivetrain, k)), abs(said))
            energy += 0.5 * drives.stiffness[k] * drawn * drawn
    return energy


@kernel
def work_at_the_end(movers, islands, i, h):
    """Work [J] of pushes as implicit Euler moves, by the velocities at the end: what slows down against them loses less so."""
    motion, work = movers.motion, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if pushed(movers.push, k):
            force, torque = push_on(movers.push, k, load4(motion.quaternion, k))
            work += h * (dot(force, load(motion.velocity, k)) + dot(torque, load(motion.angular_velocity, k)))
    return work


@kernel
def hangs(movers, linkage, springwork, touch, islands, i):
    """Whether an island holds on to anything that does not move, or stands on it."""
    kind, found = movers.bodies.kind, False
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        for side in range(2):
            found |= kind[springwork.springs.body[islands.spring[m], side]] != DYNAMIC
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for side in range(2):
            found |= kind[linkage.joints.body[islands.joint[m], side]] != DYNAMIC
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        for side in range(2):
            found |= kind[touch.work.body[islands.contact[m], side]] != DYNAMIC
    return found


@kernel
def total_mass(movers, islands, i):
    """[kg]"""
    mass = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        mass += movers.bodies.mass[islands.body[m]]
    return mass


@kernel
def rigid_motion(movers, islands, i, held):
    """(centre of mass [m], its velocity [m/s], angular velocity [rad/s]) of an island's rigid motion; none if it is `held`."""
    bodies, motion, zero = movers.bodies, movers.motion, (0.0, 0.0, 0.0)
    centre, velocity, mass, turning = zero, zero, 0.0, zero
    if held:
        return centre, velocity, turning
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        mass += bodies.mass[k]
        centre = add_scaled(centre, bodies.mass[k], load(motion.position, k))
        velocity = add_scaled(velocity, bodies.mass[k], load(motion.velocity, k))
    centre, velocity = scale(1.0 / mass, centre), scale(1.0 / mass, velocity)
    spin, xx, yy, zz, xy, xz, yz = zero, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        q, one, arm = load4(motion.quaternion, k), bodies.mass[k], sub(load(motion.position, k), centre)
        own = turned_diagonal(q, load(bodies.inertia, k))
        spin = add(spin, rotate(q, mul(load(bodies.inertia, k), unrotate(q, load(motion.angular_velocity, k)))))
        spin = add_scaled(spin, one, cross(arm, load(motion.velocity, k)))
        square = dot(arm, arm)
        xx += own[0] + one * (square - arm[0] * arm[0])
        yy += own[1] + one * (square - arm[1] * arm[1])
        zz += own[2] + one * (square - arm[2] * arm[2])
        xy += own[3] - one * arm[0] * arm[1]
        xz += own[4] - one * arm[0] * arm[2]
        yz += own[5] - one * arm[1] * arm[2]
    return centre, velocity, sym_mul(sym_inverse((xx, yy, zz, xy, xz, yz)), spin)


@kernel
def keep_share(movers, islands, i, rigid, share):
    """Keep a `share` [-] of the motion beside the `rigid` one; returns the kinetic energy [J] that all of it had.

    Writes: velocities, but of driven bodies
    """
    bodies, motion, energy = movers.bodies, movers.motion, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if bodies.kind[k] == DRIVEN:
            continue
        v = add(rigid[1], cross(rigid[2], sub(load(motion.position, k), rigid[0])))
        dv, dw = sub(load(motion.velocity, k), v), sub(load(motion.angular_velocity, k), rigid[2])
        turning = unrotate(load4(motion.quaternion, k), dw)
        energy += 0.5 * bodies.mass[k] * dot(dv, dv) + 0.5 * dot(turning, mul(load(bodies.inertia, k), turning))
        store(motion.velocity, k, add_scaled(v, share, dv))
        store(motion.angular_velocity, k, add_scaled(rigid[2], share, dw))
    return energy


@kernel
def slow(movers, islands, outcome, i, h, gain, held):
    """Take `gain` [J] out of the motion beside the rigid one, or `halt`; whether it did. Writes: motion, as `note_given`"""
    note_given(movers, islands, outcome, i)
    rigid = rigid_motion(movers, islands, i, held)
    kinetic = keep_share(movers, islands, i, rigid, 1.0)
    if gain < kinetic:
        keep_share(movers, islands, i, rigid, sqrt(1.0 - gain / kinetic))
        return False
    halt(movers, islands, i, h, held)
    return True


@stage
def give_up(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, gain: float, torn: bool) -> bool:
    """As `slow`, of what has no springs, and of all motion where that beside the rigid one is too little: the bodies stand if a
    joint is `torn`, or if they have not so much to give.

    Joints that hold at some velocities hold at slower ones. Where a body is moved from outside it may have put that energy in,
    and nothing is done. Returns whether they stand. Writes: motion, as `note_given`
    """
    movers, linkage, _, springwork, touch = sets
    if has_driven(movers, islands, i):
        return False
    held = hangs(movers, linkage, springwork, touch, islands, i)
    if not torn:
        held = held or not gain < keep_share(movers, islands, i, rigid_motion(movers, islands, i, held), 1.0)
        return slow(movers, islands, outcome, i, h, gain, held)
    note_given(movers, islands, outcome, i)
    halt(movers, islands, i, h, held)
    return True


@kernel
def halt(movers, islands, i, h, held):
    """Go back to where a substep began, but for the rigid motion there; one driven body carries all others. Writes: motion"""
    go_back(movers, islands, i)
    motion, carrier, rigid = movers.motion, -1, rigid_motion(movers, islands, i, held)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] == DRIVEN:
            carrier = k if carrier == -1 else -2
    if carrier >= 0:
        rigid = load(motion.position, carrier), load(motion.velocity, carrier), load(motion.angular_velocity, carrier)
    keep_share(movers, islands, i, rigid, 0.0)
    if carrier != -1:
        move(movers, islands, i, h)
    if carrier >= 0:
        turn_along(movers, islands, i, carrier)


@kernel
def turn_along(movers, islands, i, carrier):
    """Put all bodies of an island where the driven body `carrier` has brought them since the substep began, turning with it.

    Each along its own velocity, joints would gape by (w h)^2 / 2 of its distance in every substep. Writes: motion
    """
    motion, start = movers.motion, movers.start.table
    centre, before = load(motion.position, carrier), load_at(start, carrier, POSITION)
    turned = qmul(load4(motion.quaternion, carrier), conj(row4(start, carrier, QUATERNION)))
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            store(motion.position, k, add(centre, rotate(turned, sub(load_at(start, k, POSITION), before))))
            store4(motion.quaternion, k, qnormalize(qmul(turned, row4(start, k, QUATERNION))))
    rigid = centre, load(motion.velocity, carrier), load(motion.angular_velocity, carrier)
    keep_share(movers, islands, i, rigid, 0.0)
