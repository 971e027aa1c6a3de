"""Limits of joints, met where the bodies have come to.

Equation: equations/rigid/limit_end.py.
"""

from math import inf

from ..._jit import kernel, stage
from ...equations.rigid.joint_coordinates import cross_angles, swing_angle, twist_angle, unwrap
from ...equations.rigid.limit_end import limit_end
from ...math.quat import conj, load4, qmul
from ...math.vec3 import dot, load, norm, sub
from ...model.bodies import Motion
from ...model.islands import Islands
from ...model.joints import ANGLE, CROSS_FIRST, LIMIT_HIGH, TRAVEL, Joints
from ...model.rows import BIAS, HALFWAY, RELAXED
from ...model.sets import Drivetrain
from .drive import is_limit, yield_to_limits
from .joint import joint_frames


@stage
def aim_limits(drivetrain: Drivetrain, joints: Joints, motion: Motion, islands: Islands, i: int, h: float) -> float:
    """Aim at what limits are missed by where the bodies have come to; returns the most of it [m or rad]. Writes: law"""
    drives, law, worst, last = drivetrain.drives, drivetrain.law.table, 0.0, -1
    now, reach, known = 0.0, 0.0, False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if not is_limit(drives.law[k]):
            continue
        c, sign = drives.coordinate[k], 1.0 if drives.law[k] == LIMIT_HIGH else -1.0
        before = drivetrain.place.value[c]
        if c != last:  # drives of a coordinate follow each other
            reach, known, last = reach_of(joints, drivetrain.coordinates, c, motion, h), False, c
        if drivetrain.state.impulse[k] == 0.0 and sign * (drives.rest[k] - before) > reach:
            continue
        if not known:
            now, known = value_now(joints, drivetrain.coordinates, c, motion, before), True
        end = sign * (now - drives.rest[k])
        missed = end - limit_end(sign * (before - drives.rest[k]), h)
        if missed > 0.0 or drivetrain.state.impulse[k] != 0.0:
            law[k, BIAS] += sign * missed / h
            if not abs(missed) <= worst:
                worst = abs(missed)  # also when it is not a number
    if worst > 0.0:
        yield_to_limits(drives, law, islands, i)
    return worst


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
def value_now(joints, coordinates, c, motion, before):
    """Value [m or rad] of a coordinate `c` that may have limits, nearest to what it was `before`."""
    j, kind = coordinates.joint[c], coordinates.kind[c]
    _, _, d, (x_a, y_a, z_a), (x_b, _, z_b) = joint_frames(joints, j, motion)
    if kind == TRAVEL:
        return dot(z_a, d)
    if kind == CROSS_FIRST:
        return unwrap(cross_angles(x_a, y_a, z_a, x_b, z_b)[0], before)
    if kind == ANGLE:
        q_a = qmul(load4(motion.quaternion, joints.body[j, 0]), load4(joints.frame_a, j))
        q_b = qmul(load4(motion.quaternion, joints.body[j, 1]), load4(joints.frame_b, j))
        return unwrap(twist_angle(qmul(conj(q_a), q_b)), before)
    return swing_angle(z_a, z_b)[0]


@kernel
def stop_at_limits(drivetrain, islands, i):
    """Let limits that have pushed before the move take what speed is left towards them after it. Writes: law"""
    law = drivetrain.law.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if is_limit(drivetrain.drives.law[k]) and law[k, HALFWAY] != 0.0:
            law[k, RELAXED] = 0.0
