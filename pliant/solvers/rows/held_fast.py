"""Which contacts drives hold that do not yield: what these hold does not answer until they give way, but answers then.

A contact whose normal answers nothing with such a drive held answers nothing without it either, unless the coordinate of the
drive moves its point along the normal by itself: no other coordinate does.
"""

from ..._jit import kernel
from ...math.quat import load4, rotate
from ...math.vec3 import add, cross, dot, load, norm, sub
from ...model.joints import ANGLE, TRAVEL
from ...model.rows import BOUND, GAMMA, INSIDE

ALONG = 1e-6
"""Speeds along a normal below so much of what they could be [-] are none."""


@kernel
def is_held(drivetrain, joints, motion, islands, i, point, n):
    """Whether a drive that trees take, and that does not yield below its bounds, would move a `point` along `n`."""
    drives, law, found = drivetrain.drives, drivetrain.law.table, False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if law[k, BOUND] == INSIDE and law[k, GAMMA] == 0.0:
            found |= moves_along(drivetrain.coordinates, drives.coordinate[k], joints, motion, point, n)
    return found


@kernel
def moves_along(coordinates, c, joints, motion, point, n):
    """Whether coordinate `c` may move a `point` along `n`, if that hangs on its joint."""
    kind, j = coordinates.kind[c], coordinates.joint[c]
    child = joints.body[j, 1]
    q = load4(motion.quaternion, child)
    axis = rotate(q, rotate(load4(joints.frame_b, j), (0.0, 0.0, 1.0)))
    if kind == TRAVEL:
        return abs(dot(axis, n)) > ALONG
    arm = sub(point, add(load(motion.position, child), rotate(q, load(joints.anchor_b, j))))
    return kind != ANGLE or abs(dot(cross(axis, arm), n)) > ALONG * norm(arm)
