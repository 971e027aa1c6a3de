"""What becomes of an implicit substep of an island with ropes: kept, taken again another way, or stopped.

A substep whose joints miss, or that has made energy after a kick, is taken again in halves; one that was jolted, without
looking back; one that cannot be halved any more and gains is stopped.
"""

from math import pi, sqrt

from .._jit import kernel, stage
from ..math.quat import load4, rotate
from ..math.vec3 import add, add_scaled, cross, dot, load, norm, scale, store, sub
from ..model.bodies import DRIVEN, DYNAMIC, FIXED, PAST_VELOCITY
from ..model.islands import Islands
from ..model.joints import ROD
from ..model.rods import SCALE
from ..model.rows import POSITION, QUATERNION, SPIN_RATE, VELOCITY
from ..model.sets import Sets
from ..solvers.chain.measure import rod_energy, rod_fold, rod_gap
from ..solvers.loop.closure import hardness
from ..solvers.rows.joint import joint_width
from .move import energy_of, kinetic_of, push_along
from .ports import load_at, row_speed
from .ways import is_touched

KEEP, HALVE, FORGET, JOLTED, STOP = range(5)
"""Verdicts: keep it, take it again in halves, take it again without looking back, keep it but do not look back to it, stop."""
JOLT, KNOCK, KICK, FELT = 0.125, 0.01, 0.03, 0.25
"""Share of the kinetic energies before and after by which velocities may miss where they led before the scheme stops looking
back [-], of a rope that whirls by w h in a substep (w h)^4 / 2; the same where these energies differ by that share of what is
missed, which a rope that whirls does not know: where it looks back, and where it does not, since what slides from rest leads
neither to where it was nor to a free fall."""
SURPLUS, ROUNDING = 5e-4, 1e-8
"""Share of the kinetic energy that a substep of implicit Euler, as after a kick or a jolt, may add before it is taken again in
halves [-], and of all energy what is no more than rounding, over that."""
CLOSED = 3e-7
"""Gap that counts as closed, over the length of an element [-]."""
DIGITS = 64 * 2.2e-16
"""What places are rounded by, of their distance from the origin [-]."""
RISE = 1e-3
"""The same of a hastened substep of BDF2, before it is taken again without looking back [-]."""
LEAST_SHARE = 2.0 / 3.0
"""Impulses are as many times those of forces through a substep at least [-], b of newton.py."""
FOLDED = 0.5
"""sin^2 of half the angle that a rod is turned by, see `rod_fold`, above which substeps of BDF2 are judged by energy too."""
TUMBLE = pi
"""Change of a link's spin, times the substep [rad], that is taken for a whole turn too many: rods tell turns up to a half, and
Newton's method may find links where they belong, but as if they had turned there by a turn more."""


@kernel
def judge(sets, islands, i, b, h, gravity, met, finest, hastened):
    """What becomes of a substep: its joints have `met`, or not; it can be halved unless it is the `finest`.

    Newton's method `hastened` may have come to another of several answers, and so may what is folded.
    """
    movers, linkage = sets.movers, sets.linkage
    if not finest and not met:
        return HALVE
    apart = not is_touched(islands, i)
    jolted, tumbled = is_jolted(movers, islands, i, b, h, gravity)
    jolted &= apart
    if (jolted or tumbled) and b < 1.0:
        return FORGET
    if not finest and tumbled:
        return HALVE
    doubted = hastened or is_folded(movers, linkage, islands, i) if b < 1.0 else not finest
    judged = apart and doubted and not is_wound(movers, islands, i)
    if judged and gains(sets, islands, i, gravity, h, b, RISE if b < 1.0 else SURPLUS):
        return FORGET if b < 1.0 else HALVE
    if not met and gains(sets, islands, i, gravity, h, b, 0.0):
        return STOP
    return JOLTED if jolted else KEEP


@kernel
def is_jolted(movers, islands, i, b, h, gravity):
    """(Whether velocities have come out far from where they led, as when a slack rope is drawn taut or a hold is torn along,
    whether a link has tumbled).

    BDF2 looks back: of what it looks back to beyond a jolt a third comes again, as a rebound, or undone. Turning counts with
    what there is, lest a rope that only twists be judged by rounding, but not with what is missed. Where it does not look back,
    velocities lead to where they are or to a free fall: what is let go has no jolt.
    """
    bodies, motion, start, past = movers.bodies, movers.motion, movers.start.table, movers.history.table
    missed, whole, change, tumble, mass, far = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        v, before = load(motion.velocity, k), load_at(start, k, VELOCITY)
        if b < 1.0:
            miss = squared(sub(v, sub(scale(2.0, before), load_at(past, k, PAST_VELOCITY))))
        else:
            miss = min(squared(sub(v, before)), squared(sub(v, add_scaled(before, h, gravity))))
        mass, far = mass + bodies.mass[k], max(far, squared(load_at(start, k, POSITION)))
        missed += bodies.mass[k] * miss
        whole += bodies.mass[k] * (squared(v) + squared(before) + 8.0 * h * h * squared(gravity))
        change += bodies.mass[k] * (squared(v) - squared(before))
        least = min(bodies.inertia[k, 0], min(bodies.inertia[k, 1], bodies.inertia[k, 2]))
        w, spin = load(motion.angular_velocity, k), load_at(start, k, SPIN_RATE)
        whole += least * (squared(w) + squared(spin))
        if bodies.link[k] == 1:
            tumble = max(tumble, squared(sub(w, spin)))
    whole += 2.0 * rounded(mass, far, h)
    knock = KNOCK if b < 1.0 else KICK
    jolted = missed > JOLT * whole or (missed > knock * whole and abs(change) > FELT * missed)
    return jolted, h * h * tumble > TUMBLE * TUMBLE


@kernel
def is_folded(movers, linkage, islands, i):
    """Whether a rod is turned so far that it may pass half a turn: there its moment changes sign, and BDF2 may gain by that."""
    most = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if linkage.joints.kind[islands.joint[m]] == ROD:
            most = max(most, rod_fold(linkage.joints, islands.joint[m], linkage.rods.table, movers.motion))
    return most > FOLDED


@kernel
def is_wound(movers, islands, i):
    """Whether a body that a motion drives turns: what it gives to a rope is not known before the substep ends."""
    wound = False
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        wound |= movers.bodies.kind[k] == DRIVEN and squared(load(movers.motion.angular_velocity, k)) > 0.0
    return wound


@kernel
def squared(v):
    return dot(v, v)


@kernel
def gains(sets, islands, i, gravity, h, b, share):
    """Whether a substep has made energy that nothing gave, beyond a `share` of what is kinetic, or what is no number.

    With a share, also beyond what the strongest pull does over a gap that counts as closed.
    """
    movers, linkage = sets.movers, sets.linkage
    surplus, kinetic, _ = surplus_of(sets, islands, i, gravity, h, share * ROUNDING)
    slack = strongest(linkage, islands, i) * CLOSED / (b * h) if share > 0.0 else 0.0
    mass, far = 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        mass, far = mass + movers.bodies.mass[k], max(far, squared(load(movers.motion.position, k)))
    return not surplus <= share * (kinetic + rounded(mass, far, h)) + slack


@kernel
def rounded(mass, far, h):
    """Kinetic energy [J] of what moves as places, the root of `far` [m2] away, are rounded: no share of less counts."""
    return 0.5 * mass * far * (DIGITS / h) ** 2


@kernel
def strongest(linkage, islands, i):
    """Largest impulse of a rod times the length of its element [N s m]."""
    most = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.kind[j] == ROD:
            most = max(most, norm(load_at(linkage.state.impulse, j, 0)) * linkage.rods.table[linkage.joints.rod[j], SCALE])
    return most


@stage
def surplus_of(sets: Sets, islands: Islands, i: int, gravity: tuple, h: float, rounding: float) -> tuple:
    """(energy [J] that a substep has made and nothing gave, what is kinetic [J], velocity [m/s] of who sees it so).

    Seen by who moves with what is driven: that does no work on what it holds. Where several driven places move apart they
    may have given what the whole island has at twice their speed. Writes: motion, twice, to what it was
    """
    movers, linkage, drivetrain, springwork = sets.movers, sets.linkage, sets.drivetrain, sets.springwork
    u, apart, mass = driven_speed(movers, linkage, islands, i)
    given = 2.0 * mass * apart * apart + mass * norm(gravity) * norm(u) * h + push_along(movers, islands, i, h)
    given += pulled_work(movers, linkage, islands, i, u) if apart > 0.0 else 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drivetrain.drives.coordinate[islands.drive[m]]
        j = drivetrain.coordinates.joint[c]
        speed = row_speed(drivetrain.rows, c, movers.motion, linkage.joints.body[j, 0], linkage.joints.body[j, 1])
        given += abs(drivetrain.state.impulse[islands.drive[m]] * speed)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        speed = row_speed(springwork.rows, k, movers.motion, springwork.springs.body[k, 0], springwork.springs.body[k, 1])
        given += abs(springwork.state.impulse[k] * speed)
    kinetic = kinetic_of(movers, islands, i, norm(gravity) * h * h * norm(gravity))
    after = whole_energy(movers, linkage, islands, i, gravity, u)
    exchange(movers, islands, i)
    before = whole_energy(movers, linkage, islands, i, gravity, u)
    exchange(movers, islands, i)
    return after - before - given - rounding * (abs(after) + abs(before)), kinetic, u


@kernel
def slow_down(sets, islands, i, gravity, h):
    """Slow all bodies of an island by one factor until they have given up what a substep made; whether they had so much.

    Seen by who moves with what is driven. Writes: motion
    """
    movers = sets.movers
    surplus, _, u = surplus_of(sets, islands, i, gravity, h, 0.0)
    kinetic = kinetic_of(movers, islands, i, 0.0) + seen_moving(movers, islands, i, u)
    if not 0.0 <= surplus < kinetic:
        return False
    keep = sqrt(1.0 - surplus / kinetic)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            store(movers.motion.velocity, k, add_scaled(scale(1.0 - keep, u), keep, load(movers.motion.velocity, k)))
            store(movers.motion.angular_velocity, k, scale(keep, load(movers.motion.angular_velocity, k)))
    return True


@kernel
def driven_speed(movers, linkage, islands, i):
    """(velocity [m/s] of a driven place that joints hold to, how fast others move away from it [m/s], mass [kg])."""
    motion, joints, u, apart, found, stands, mass = movers.motion, linkage.joints, (0.0, 0.0, 0.0), 0.0, False, False, 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        for side in range(2):
            kind = movers.bodies.kind[joints.body[j, side]]
            stands |= kind == FIXED
            if kind == DRIVEN:
                v = place_speed(joints, j, side, motion)
                if not found:
                    u, found = v, True
                apart = max(apart, norm(sub(v, u)))
    if stands:
        apart = max(apart, norm(u))
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        mass += movers.bodies.mass[islands.body[m]]
    return u, apart, mass


@kernel
def pulled_work(movers, linkage, islands, i, u):
    """What is driven or stands may have given [J] through its joints, as seen moving at `u` [m/s].

    Ropes that are drawn out take it up as they stretch; where they cannot, as their holds give way.
    """
    joints, work = linkage.joints, 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        for side in range(2):
            if movers.bodies.kind[joints.body[j, side]] != DYNAMIC:
                away = norm(sub(place_speed(joints, j, side, movers.motion), u))
                work += away * norm(load_at(linkage.state.impulse, j, 0)) / LEAST_SHARE
    return work


@kernel
def place_speed(joints, j, side, motion):
    """Velocity [m/s] of the place on the left (0) or right (1) body of joint `j`."""
    k = joints.body[j, side]
    arm = rotate(load4(motion.quaternion, k), load(joints.anchor_a if side == 0 else joints.anchor_b, j))
    return add(load(motion.velocity, k), cross(load(motion.angular_velocity, k), arm))


@kernel
def whole_energy(movers, linkage, islands, i, gravity, u):
    """Kinetic as seen moving at `u` [m/s], of gravity and of rods [J]."""
    energy = energy_of(movers, islands, i, gravity) + seen_moving(movers, islands, i, u)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.kind[j] == ROD:
            energy += rod_energy(linkage.joints, j, linkage.rods.table, movers.motion)
        if hardness(linkage.joints, j) > 0.0 and (linkage.joints.kind[j] != ROD or linkage.joints.outer[j] < 0):
            energy += held_energy(linkage.joints, j, linkage.rods.table, movers.motion)
    return energy


@kernel
def held_energy(joints, j, rods, motion):
    """What joint `j`, that closes a loop or holds as a spring, has taken up by giving way [J]."""
    gap = joint_width(joints, j, motion) if joints.kind[j] != ROD else rod_gap(joints, j, rods, motion)
    return 0.5 * hardness(joints, j) * gap * gap


@kernel
def seen_moving(movers, islands, i, u):
    """What is kinetic for who moves at `u` [m/s], beyond what it is for who stands [J]."""
    energy = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        energy += movers.bodies.mass[k] * (0.5 * dot(u, u) - dot(u, load(movers.motion.velocity, k)))
    return energy


@kernel
def exchange(movers, islands, i):
    """Swap the motion with that of the start of the substep. Writes: motion, movers.start"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(3):
            start[k, POSITION + c], motion.position[k, c] = motion.position[k, c], start[k, POSITION + c]
            start[k, VELOCITY + c], motion.velocity[k, c] = motion.velocity[k, c], start[k, VELOCITY + c]
            start[k, SPIN_RATE + c], motion.angular_velocity[k, c] = motion.angular_velocity[k, c], start[k, SPIN_RATE + c]
        for c in range(4):
            start[k, QUATERNION + c], motion.quaternion[k, c] = motion.quaternion[k, c], start[k, QUATERNION + c]
