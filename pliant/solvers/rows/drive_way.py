"""Drives along the way that their coordinates go in the move: limits end where they should, and what holds a speed does.

Equations: equations/rigid/coordinate_way.py, limit_end.py.
"""

from ..._jit import kernel, stage
from ...equations.rigid.coordinate_way import stray
from ...equations.rigid.joint_coordinates import cross_angles, swing_angle, twist_angle, unwrap
from ...math.quat import conj, load4, qmul
from ...math.vec3 import dot, load, sub
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.joints import (
    ANGLE,
    CROSS_FIRST,
    CROSS_SECOND,
    LIMIT_HIGH,
    LIMIT_LOW,
    ROTATION,
    ROTOR,
    SPIN,
    TRAVEL,
    Joints,
)
from ...model.rows import BIAS, GAMMA, HALFWAY, HIGH, LOW, RELAXED, STRAYS
from ...model.sets import Drivetrain
from .drive import is_limit, yield_to_limits
from .drive_halves import coordinate_speed
from .joint import joint_frames


@stage
def aim_ways(drivetrain: Drivetrain, joints: Joints, motion: Motion, islands: Islands, i: int, h: float) -> float:
    """Let drives ask for the way that their coordinates go to where the bodies have come to; returns by how much limits, and
    what holds a speed, miss theirs [m or rad]. Writes: law, lean"""
    drives, law, lean, worst = drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, 0.0
    last, more = -1, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, rule = drives.coordinate[k], drives.law[k]
        if c != last:  # drives of a coordinate follow each other
            last, more = c, 0.0
            if acts(drivetrain, joints, motion, islands, i, m, h):
                speed, before = coordinate_speed(drivetrain, joints, motion, c), drivetrain.place.value[c]
                now = value_now(joints, drivetrain.coordinates, c, motion, before + h * speed)
                more = stray(before, now, speed, h) - lean[c, STRAYS]
                lean[c, STRAYS] += more
        if rule != ROTOR:  # which only its speeds tell of
            law[k, BIAS] += more
        if is_met(drivetrain, joints, motion, k) and not abs(more) * h <= worst:
            worst = abs(more) * h  # also when it is not a number
    if worst > 0.0:
        yield_to_limits(drives, law, islands, i)
    return worst


@kernel
def acts(drivetrain, joints, motion, islands, i, first, h):
    """Whether anything acts along the coordinate whose drives begin at place `first`, or may where it goes in `h` [s]: not
    limits that are far; and it has a place, which the axes of a ball have not."""
    drives, c = drivetrain.drives, drivetrain.drives.coordinate[islands.drive[first]]
    kind = drivetrain.coordinates.kind[c]
    if kind == SPIN or kind == ROTATION:
        return False
    for m in range(first, islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.coordinate[k] != c:
            break
        sign = 1.0 if drives.law[k] == LIMIT_HIGH else -1.0
        if not is_limit(drives.law[k]) or drivetrain.state.impulse[k] != 0.0 or not is_far(
                joints, drivetrain.coordinates, c, motion, h, sign * (drives.rest[k] - drivetrain.place.value[c])):
            return True
    return False


@kernel
def is_met(drivetrain, joints, motion, k):
    """Whether drive `k` is rigid and pushes, between its bounds or as a limit, or is a limit that should."""
    law, pushed, rule = drivetrain.law.table, drivetrain.state.impulse[k], drivetrain.drives.law[k]
    if law[k, GAMMA] > 0.0:
        return False
    if law[k, LOW] < pushed < law[k, HIGH]:
        return True
    speed = coordinate_speed(drivetrain, joints, motion, drivetrain.drives.coordinate[k]) + law[k, BIAS]
    return (rule == LIMIT_HIGH and speed > 0.0) or (rule == LIMIT_LOW and speed < 0.0)


@kernel
def is_far(joints, coordinates, c, motion, h, left):
    """Whether an angle `c` with so much `left` to its limit [rad] cannot have come there in `h` [s]: it turns no faster than
    its bodies do against each other, twice that as their speeds change within the move."""
    j = coordinates.joint[c]
    turns = sub(load(motion.angular_velocity, joints.body[j, 1]), load(motion.angular_velocity, joints.body[j, 0]))
    return coordinates.kind[c] != TRAVEL and left > 0.0 and left * left > 4.0 * h * h * dot(turns, turns)


@kernel
def value_now(joints, coordinates, c, motion, about):
    """Value [m or rad] of a coordinate `c` that may have limits or be held, nearest to `about`."""
    j, kind = coordinates.joint[c], coordinates.kind[c]
    if kind == ANGLE:
        q_a = qmul(load4(motion.quaternion, joints.body[j, 0]), load4(joints.frame_a, j))
        q_b = qmul(load4(motion.quaternion, joints.body[j, 1]), load4(joints.frame_b, j))
        return unwrap(twist_angle(qmul(conj(q_a), q_b)), about)
    _, _, d, (x_a, y_a, z_a), (x_b, _, z_b) = joint_frames(joints, j, motion)
    if kind == TRAVEL:
        return dot(z_a, d)
    if kind == CROSS_FIRST or kind == CROSS_SECOND:
        first, second = cross_angles(x_a, y_a, z_a, x_b, z_b)
        return unwrap(first if kind == CROSS_FIRST else second, about)
    return swing_angle(z_a, z_b)[0]


@kernel
def stop_at_limits(drivetrain, islands, i):
    """Let limits that have pushed before the move take what speed is left towards them after it. Writes: law"""
    law = drivetrain.law.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if is_limit(drivetrain.drives.law[k]) and law[k, HALFWAY] != 0.0:
            law[k, RELAXED] = 0.0
