"""Coordinates that joints leave free: travel, angle, the two angles of a cross, rotation vector, swing.

With the frames of joint_rows.py and the relative quaternion p = conj(q_a) q_b:

    angle        2 atan2(p_z, p_w)                                    rate (w_b - w_a).z_a
    cross        first atan2(x_b.y_a, x_b.x_a)                        rate (w_b - w_a).z_a
                 second atan2((z_a x z_b).x_b, z_a.z_b)               rate (w_b - w_a).x_b
    rotation     log(p) = 2 atan2(|v|, w) v / |v|, p = (w, v)         rate: row k of the inverse left Jacobian below
    swing        angle between z_a and z_b                            rate (w_b - w_a).(z_a x z_b)/|z_a x z_b|

The rotation vector f of p obeys df/dt = B (w_b - w_a) in the parent's frame with
B = I - [f]x/2 + (1/|f|^2 - cot(|f|/2)/(2|f|)) [f]x^2;
its row along a unit axis e is B^T e = e + f x e/2 + c f x (f x e).

An angle is known modulo a turn; `unwrap` keeps the count: a spring wound two turns remembers both.

Source: [PaperB] equations 3, 4 and its reference 11
Check: tests/equations/test_joint_coordinates.py
"""

from math import acos, atan2, pi, tan

from ..._jit import kernel
from ...math.vec3 import add, cross, dot, norm, scale


@kernel
def twist_angle(p):
    """Angle [rad] in (-pi, pi] of the relative quaternion `p` about z."""
    return wrap(2.0 * atan2(p[3], p[0]))


@kernel
def cross_angles(x_a, y_a, z_a, x_b, z_b):
    """The two angles [rad] of a universal joint."""
    return atan2(dot(x_b, y_a), dot(x_b, x_a)), atan2(dot(cross(z_a, z_b), x_b), dot(z_a, z_b))


@kernel
def rotation_vector(p):
    """Rotation vector [rad] of the relative quaternion `p`, the short way round."""
    sign = -1.0 if p[0] < 0.0 else 1.0
    v = (sign * p[1], sign * p[2], sign * p[3])
    length = norm(v)
    if length < 1e-9:
        return scale(2.0, v)
    return scale(2.0 * atan2(length, sign * p[0]) / length, v)


@kernel
def rotation_rate_row(f, e):
    """Arm of the rate of the component of the rotation vector `f` along the unit axis `e`, parent's frame: B^T e."""
    angle = norm(f)
    if angle < 1e-4:
        c = 1.0 / 12.0
    else:
        c = 1.0 / (angle * angle) - 0.5 / (angle * tan(0.5 * angle))
    return add(add(e, scale(0.5, cross(f, e))), scale(c, cross(f, cross(f, e))))


@kernel
def swing_angle(z_a, z_b):
    """Angle [rad] between the two axes and the unit axis about which it grows."""
    axis = cross(z_a, z_b)
    s = norm(axis)
    if s < 1e-9:
        return acos(min(1.0, max(-1.0, dot(z_a, z_b)))), (1.0, 0.0, 0.0)
    return atan2(s, dot(z_a, z_b)), scale(1.0 / s, axis)


@kernel
def wrap(angle):
    """The same angle [rad] within (-pi, pi]."""
    turns = (angle + pi) / (2.0 * pi)
    whole = float(int(turns)) - (1.0 if turns < 0.0 else 0.0)
    wrapped = angle - 2.0 * pi * whole
    return wrapped + 2.0 * pi if wrapped <= -pi else wrapped


@kernel
def unwrap(angle, before):
    """The angle [rad] equal to `angle` modulo a turn that is nearest to `before`."""
    return before + wrap(angle - before)
