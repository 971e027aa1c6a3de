"""How orientations ahead of a substep turn, and the angular velocities that they come from."""

from math import atan2, sqrt

from ..._jit import kernel
from ...math.quat import from_rotation_vector, qmul, qnormalize
from ...math.vec3 import scale


@kernel
def turned_by(q, w, h):
    """The orientation `q` after `h` [s] at `w` [rad/s, world axes]."""
    return qnormalize(qmul(from_rotation_vector(scale(h, w)), q))


@kernel
def nudged(q, r):
    """`q` turned by 2 atan(|r| / 2), about the rotation vector `r` [rad] in its own axes: never by more than a half turn."""
    x, y, z = 0.5 * r[0], 0.5 * r[1], 0.5 * r[2]
    t = x * x + y * y + z * z
    s = 1.0 - t * (0.5 - 0.375 * t) if t < 1e-5 else 1.0 / sqrt(1.0 + t)  # the series leaves 5/16 t^3, below rounding
    return (
        s * (q[0] - q[1] * x - q[2] * y - q[3] * z),
        s * (q[1] + q[0] * x + q[2] * z - q[3] * y),
        s * (q[2] + q[0] * y + q[3] * x - q[1] * z),
        s * (q[3] + q[0] * z + q[1] * y - q[2] * x),
    )


@kernel
def rotation_vector(q):
    """Rotation vector [rad] of a unit quaternion, the shorter way."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    t = q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if t < 1e-4:  # 2 asin(s) / s in t = s^2; leaves 2 * 63/2816 t^5, below rounding
        s = 2.0 + t * (1.0 / 3.0 + t * (3.0 / 20.0 + t * (5.0 / 56.0 + t * (35.0 / 576.0))))
    else:
        size = sqrt(t)
        s = 2.0 * atan2(size, abs(q[0])) / size
    s *= sign
    return s * q[1], s * q[2], s * q[3]


@kernel
def rate_between(before, after, h):
    """Angular velocity [rad/s, world axes] that turns `before` to `after` in `h` [s]: (20), turned to world axes."""
    return scale(1.0 / h, rotation_vector(qmul(after, (before[0], -before[1], -before[2], -before[3]))))
