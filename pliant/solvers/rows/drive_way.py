"""Drives along the way that their coordinates go in the move: limits end where they should, and what holds a speed does.

Equations: equations/rigid/coordinate_way.py, limit_end.py.
"""

from math import inf

from ..._jit import kernel, stage
from ...equations.rigid.coordinate_way import stray
from ...equations.rigid.joint_coordinates import cross_angles, swing_angle, twist_angle, unwrap
from ...math.quat import conj, load4, qmul
from ...math.vec3 import dot, load, norm, sub
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
def aim_ways(drivetrain: Drivetrain, joints: Joints, motion: Motion, islands: Islands, i: int, h: float, halves: bool) -> float:
    """Let drives ask for the way that their coordinates go to where the bodies have come to, limits alone if others do not push
    in `halves`; returns by how much limits, and what holds a speed, miss theirs [m or rad]. Writes: law, lean"""
    drives, law, lean, worst = drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, 0.0
    last, more, speed, acting = -1, 0.0, 0.0, False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, rule = drives.coordinate[k], drives.law[k]
        if c != last:  # drives of a coordinate follow each other
            last, acting = c, acts(drivetrain, joints, motion, islands, i, m, h, halves)
            if acting:
                speed, before = coordinate_speed(drivetrain, joints, motion, c), drivetrain.place.value[c]
                now = value_now(joints, drivetrain.coordinates, c, motion, before + h * speed)
                more = stray(before, now, speed, h) - lean[c, STRAYS]
                lean[c, STRAYS] += more
        if acting and rule != ROTOR and (halves or is_limit(rule)):  # a rotor knows its speeds alone
            law[k, BIAS] += more
            missed = h * missing(law, k, rule, drivetrain.state.impulse[k], speed + law[k, BIAS])
            if not missed <= worst:
                worst = missed  # also when it is not a number
    if worst > 0.0:
        yield_to_limits(drives, law, islands, i)
    return worst


@kernel
def acts(drivetrain, joints, motion, islands, i, first, h, halves):
    """Whether anything acts along the coordinate whose drives begin at place `first`, or may where it goes in `h` [s]: a limit
    that it may reach, or in `halves` any drive; and it has a place, which the axes of a ball have not."""
    drives, c = drivetrain.drives, drivetrain.drives.coordinate[islands.drive[first]]
    kind = drivetrain.coordinates.kind[c]
    if kind == SPIN or kind == ROTATION:
        return False
    for m in range(first, islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.coordinate[k] != c:
            break
        if is_limit(drives.law[k]):
            left = drives.rest[k] - drivetrain.place.value[c]
            left = left if drives.law[k] == LIMIT_HIGH else -left
            if drivetrain.state.impulse[k] != 0.0 or not left > reach_of(joints, drivetrain.coordinates, c, motion, h):
                return True
        elif halves:
            return True
    return False


@kernel
def missing(law, k, rule, pushed, off):
    """By how much [m/s or rad/s] drive `k`, `off` what it asks for, misses that, if it is rigid and has `pushed` between
    its bounds, or is a limit that should have."""
    if law[k, GAMMA] > 0.0:
        return 0.0
    if law[k, LOW] < pushed < law[k, HIGH]:
        return abs(off)
    return max(off if rule == LIMIT_HIGH else -off if rule == LIMIT_LOW else 0.0, 0.0)


@kernel
def reach_of(joints, coordinates, c, motion, h):
    """How far a coordinate `c` can have gone in `h` [s] at most [rad]; of what slides that is not asked.

    An angle turns no faster than its bodies do against each other, and free rotation changes their speeds w by w^2 a second at
    most; twice that, as w may grow.
    """
    j = coordinates.joint[c]
    first, second = load(motion.angular_velocity, joints.body[j, 0]), load(motion.angular_velocity, joints.body[j, 1])
    apart = norm(sub(second, first)) + h * (dot(first, first) + dot(second, second))
    return 2.0 * h * apart if coordinates.kind[c] != TRAVEL else inf


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
