"""Rows on coordinates of joints: springs, dampers, dry friction, limits, motors, latches. Each law is one branch."""

from math import inf, sqrt

from ..._jit import kernel
from ...couple.ports import push_row
from ...equations.rigid.dc_motor import dc_motor_row, rotor_goes_on, rotor_row
from ...equations.rigid.limit_end import PUSH_BACK, led_back
from ...equations.rigid.rigid_pair import rigid_pair
from ...equations.rigid.soft_constraint import softness
from ...math.quat import load4, rotate
from ...math.vec3 import add, load, norm, sub
from ...model.joints import (
    CATCHES,
    CYLINDRICAL,
    DAMPER,
    DC_MOTOR,
    DRAWS,
    FRICTION,
    HOLDS,
    LIMIT_HIGH,
    LIMIT_LOW,
    POSITION_MOTOR,
    PRISMATIC,
    ROTOR,
    SPRING,
    TRAVEL,
    VELOCITY_MOTOR,
)
from ...model.rows import BIAS, BOUND, GAMMA, HIGH, LOW, RELAXED, SWEPT
from .row import set_law, solve_row

STALL = 3e4
"""Acceleration [m/s2] that a motor without bound can give to what it moves, where that touches something or is in a loop."""


@kernel
def prepare_drive(drives, k, coordinate, state, law, h):
    """The law of drive `k` at its coordinate's value and rate. Writes: law, and the impulse of what does not act"""
    c, rule = drives.coordinate[k], drives.law[k]
    value, rest, most = coordinate.value[c], drives.rest[k], drives.max_effort[k] * h
    if rule == SPRING or rule == DAMPER:
        soft = softness(drives.stiffness[k], drives.damping[k], h)
        bias = soft.beta / h * (value - rest)
        state.deflection[k] = value - rest
        set_law(law, k, bias, bias, soft.gamma, -inf, inf)
    elif rule == POSITION_MOTOR:
        soft = softness(drives.stiffness[k], drives.damping[k], h)
        bias = soft.beta / h * (value - state.target[k])
        if abs(bias) <= drives.max_rate[k]:  # it would run no faster without load
            set_law(law, k, bias, bias, soft.gamma, -most, most)
        else:
            prepare_cruise(drives, k, state.target[k] - value, coordinate.rate[c], law, most, h)
    elif rule == VELOCITY_MOTOR:
        bias = within(-state.target[k], drives.max_rate[k])
        set_law(law, k, bias, bias, 0.0, -most, most)
    elif rule == DC_MOTOR:
        prepare_voltage(drives, k, state, law, most, h)
    elif rule == ROTOR:
        bias, gamma = rotor_row(drives.inertia[k], coordinate.rate[c])
        set_law(law, k, bias, bias, gamma, -inf, inf)
    elif rule == FRICTION:
        set_law(law, k, 0.0, 0.0, 0.0, -most, most)
    elif rule == LIMIT_LOW:
        over = value - rest
        set_law(law, k, over / h if over > 0.0 else led_back(over, h), max(over, 0.0) / h, 0.0, 0.0, inf)
    elif rule == LIMIT_HIGH:
        over = value - rest
        set_law(law, k, over / h if over < 0.0 else led_back(over, h), min(over, 0.0) / h, 0.0, -inf, 0.0)
    else:
        prepare_latch(law, k, value - rest, coordinate.rate[c], state.engaged[k], most, h)
    state.impulse[k] = within_law(law.table, k, state.impulse[k])


@kernel
def prepare_cruise(drives, k, way, rate, law, most, h):
    """A position motor so far, `way`, from its target that it would run beyond the largest rate allowed: it holds that one, and
    pushes there no harder than its spring and damper would. Writes: law at `k`"""
    sign, fastest = 1.0 if way > 0.0 else -1.0, drives.max_rate[k]
    pull, damping = drives.stiffness[k] * abs(way), drives.damping[k]
    forward = h * max(pull - damping * sign * rate, pull - (drives.stiffness[k] * h + damping) * fastest)
    forward = min(forward, most)
    set_law(law, k, -sign * fastest, -sign * fastest, 0.0, -most if way > 0.0 else -forward, forward if way > 0.0 else most)


@kernel
def within(value, bound):
    """`value`, no larger than `bound` either way."""
    return min(max(value, -bound), bound)


@kernel
def prepare_voltage(drives, k, state, law, most, h):
    """The law of DC motor `k` for `h` [s], its impulse at `most`. Writes: law at `k`"""
    volt = within(state.target[k], drives.rest[k])
    bias, gamma = dc_motor_row(drives.gain[k], volt, drives.damping[k], h)
    given = within(h * drives.gain[k] * volt, most)
    low, high = (given, given) if gamma == 0.0 else (-most, most)
    set_law(law, k, bias, bias, gamma, low, high)


@kernel
def look_back_rotor(drives, k, state, law):
    """Let rotor `k` go on with a third of its last change, as all masses do in a substep of BDF2. Writes: law at `k`"""
    if drives.law[k] == ROTOR:
        law[k, BIAS] += rotor_goes_on(drives.inertia[k], state.carried[k])
        law[k, RELAXED] = law[k, BIAS]


@kernel
def bound_motors(movers, joints, drivetrain, islands, i, h):
    """Bound motors without bound by what would give all bodies of their island the acceleration STALL.

    What touches the ground cannot follow a motor through it, nor a loop through a limit or another motor; one of the two has to
    give way. Writes: law, impulses beyond it
    """
    drives, law, state, bodies = drivetrain.drives, drivetrain.law.table, drivetrain.state, movers.bodies
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if not is_motor(drives.law[k]) or drives.max_effort[k] < inf or drives.law[k] == ROTOR:
            continue
        c, most = drives.coordinate[k], 0.0
        j = drivetrain.coordinates.joint[c]
        child = joints.body[j, 1]
        q = load4(movers.motion.quaternion, child)
        anchor = add(load(movers.motion.position, child), rotate(q, load(joints.anchor_b, j)))
        for n in range(islands.first_body[i], islands.first_body[i + 1]):
            b = islands.body[n]
            lever = 1.0
            if drivetrain.coordinates.kind[c] != TRAVEL and bodies.mass[b] > 0.0:
                x, y, z = load(bodies.inertia, b)
                lever = norm(sub(load(movers.motion.position, b), anchor)) + sqrt((x + y + z) / bodies.mass[b])
            most += bodies.mass[b] * lever
        law[k, LOW], law[k, HIGH] = max(law[k, LOW], -STALL * h * most), min(law[k, HIGH], STALL * h * most)
        state.impulse[k] = within_law(law, k, state.impulse[k])


@kernel
def yield_to_limits(drives, law, islands, i):
    """Let motors without bound ask for no more speed than limits of their coordinates leave, and brake nothing that comes to
    these: neither would give way, and what each of the two did could not be told.

    Writes: law
    """
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.law[k] != VELOCITY_MOTOR or drives.max_effort[k] < inf:
            continue
        for n in range(islands.first_drive[i], islands.first_drive[i + 1]):
            stop = islands.drive[n]
            if drives.coordinate[stop] == drives.coordinate[k]:
                if drives.law[stop] == LIMIT_LOW and law[k, BIAS] > law[stop, BIAS]:
                    law[k, HIGH] = 0.0
                elif drives.law[stop] == LIMIT_HIGH and law[k, BIAS] < law[stop, BIAS]:
                    law[k, LOW] = 0.0
                if drives.law[stop] == LIMIT_LOW:
                    law[k, BIAS] = min(law[k, BIAS], law[stop, BIAS])
                    law[k, RELAXED] = min(law[k, RELAXED], law[stop, RELAXED])
                elif drives.law[stop] == LIMIT_HIGH:
                    law[k, BIAS] = max(law[k, BIAS], law[stop, BIAS])
                    law[k, RELAXED] = max(law[k, RELAXED], law[stop, RELAXED])


@kernel
def within_law(law, k, impulse):
    """An impulse within the bounds of law `k`."""
    return min(max(impulse, law[k, LOW]), law[k, HIGH])


@kernel
def prepare_latch(law, k, over, rate, engaged, most, h):
    """A latch brakes what comes to its place so that it stops there, draws back what runs past, and holds what is there.

    Writes: law at `k`
    """
    if engaged != HOLDS and engaged != CATCHES and engaged != DRAWS:
        set_law(law, k, 0.0, 0.0, 0.0, 0.0, 0.0)
    elif engaged == CATCHES and over * rate < 0.0:
        set_law(law, k, over / h, over / h, 0.0, 0.0 if over > 0.0 else -most, most if over > 0.0 else 0.0)
    else:
        set_law(law, k, PUSH_BACK * over / h, 0.0, 0.0, -most, most)


@kernel
def is_motor(rule):
    """Whether a law does work from outside; a rotor gives back what it takes."""
    return rule == VELOCITY_MOTOR or rule == POSITION_MOTOR or rule == DC_MOTOR or rule == ROTOR


@kernel
def is_limit(rule):
    """Whether a law is that of a limit."""
    return rule == LIMIT_LOW or rule == LIMIT_HIGH


@kernel
def warm_start_drive(drives, k, coordinates, joints, state, motion, rows):
    """Push by the impulse kept. Writes: velocities"""
    c = drives.coordinate[k]
    j = coordinates.joint[c]
    push_row(rows, c, motion, joints.body[j, 0], joints.body[j, 1], state.impulse[k])


@kernel
def solve_drive(drivetrain, k, joints, joint_state, motion, islands, i, h, relaxed, follow):
    """Returns |d lambda| response. Writes: state.impulse, velocities, and bounds of friction by a share `follow` of how its
    reaction changed"""
    drives = drivetrain.drives
    c = drives.coordinate[k]
    j = drivetrain.coordinates.joint[c]
    if follow > 0.0 and drives.law[k] == FRICTION and drives.gain[k] > 0.0:
        friction_bounds(drivetrain, k, joints, j, joint_state, islands, i, h, relaxed, follow)
    return solve_row(drivetrain.rows, c, drivetrain.law, k, drivetrain.state.impulse, motion, joints.body[j, 0],
                     joints.body[j, 1], relaxed)


@kernel
def displace_before(drivetrain, islands, i, m, relaxed):
    """Of the rigid drive at place `m` and each before it on its coordinate that is not at a bound either let one go there, as
    they ask for different speeds. Speeds stay as they are. Writes: impulses"""
    law, impulse, coordinate = drivetrain.law.table, drivetrain.state.impulse, drivetrain.drives.coordinate
    k, at = islands.drive[m], RELAXED if relaxed else BIAS
    if law[k, GAMMA] > 0.0 or not law[k, LOW] < impulse[k] < law[k, HIGH]:
        return
    for n in range(m - 1, islands.first_drive[i] - 1, -1):
        other = islands.drive[n]
        if coordinate[other] != coordinate[k]:  # drives of a coordinate follow each other
            return
        if law[other, BOUND] == SWEPT and law[other, GAMMA] == 0.0 and law[other, LOW] < impulse[other] < law[other, HIGH]:
            part_pair(law, impulse, k, other, at)


@kernel
def part_pair(law, impulse, k, other, at):
    """Let one of two rigid drives on a coordinate that ask for different speeds go to its bound, and the other bear the rest;
    returns which has gone, -1 if neither can. Equation: equations/rigid/rigid_pair.py. Writes: impulse"""
    both = impulse[k] + impulse[other]
    gone, mine = rigid_pair(law[other, at], law[other, LOW], law[other, HIGH], law[k, at], both)
    if law[k, LOW] < mine < law[k, HIGH]:
        impulse[other], impulse[k] = gone, mine
        return other
    gone, mine = rigid_pair(law[k, at], law[k, LOW], law[k, HIGH], law[other, at], both)
    if law[other, LOW] < mine < law[other, HIGH]:
        impulse[k], impulse[other] = gone, mine
        return k
    return -1


@kernel
def friction_bounds(drivetrain, k, joints, j, joint_state, islands, i, h, relaxed, follow):
    """Bounds, for `h` [s], of friction that follows the reaction of its joint `j`, by a share `follow` of what it has changed.

    Writes: law at `k`
    """
    drives, law = drivetrain.drives, drivetrain.law.table
    most = drives.max_effort[k] * h + drives.gain[k] * carried(drivetrain, joints, j, joint_state, islands, i, relaxed)
    most = law[k, HIGH] + follow * (most - law[k, HIGH]) if law[k, HIGH] < inf else most
    law[k, LOW], law[k, HIGH] = -most, most


@kernel
def carried(drivetrain, joints, j, state, islands, i, relaxed):
    """Size of the joint's reaction force before the move of this substep, or until its end if `relaxed` [N s]: its first rows,
    which hold positions, and what drives lean on these."""
    rows, after = 2 if joints.kind[j] == PRISMATIC or joints.kind[j] == CYLINDRICAL else 3, 1.0 if relaxed else 0.0
    x, y = state.impulse[j, 0] + after * state.relaxed[j, 0], state.impulse[j, 1] + after * state.relaxed[j, 1]
    z = state.impulse[j, 2] + after * state.relaxed[j, 2] if rows == 3 else 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        if drivetrain.coordinates.joint[c] == j:
            lean, pushed = drivetrain.lean.table, drivetrain.state.impulse[k]
            x, y = x + lean[c, 0] * pushed, y + lean[c, 1] * pushed
            z += lean[c, 2] * pushed if rows == 3 else 0.0
    return sqrt(x * x + y * y + z * z)
