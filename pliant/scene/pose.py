"""Places in space: position and unit quaternion (w, x, y, z), composed in plain Python."""

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

from .thing import Quaternion, Vector


class Pose(NamedTuple):
    """A frame in another frame."""

    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)

    def point(self, p: Vector) -> Vector:
        """A point of this frame, seen from outside."""
        x, y, z = turned(self.quaternion, p)
        return self.position[0] + x, self.position[1] + y, self.position[2] + z

    def local(self, p: Vector) -> Vector:
        """A point seen from outside, in this frame."""
        d = (p[0] - self.position[0], p[1] - self.position[1], p[2] - self.position[2])
        return turned(inverted(self.quaternion), d)

    def then(self, inner: "Pose") -> "Pose":
        """The frame `inner`, given in this frame, seen from outside."""
        return Pose(self.point(inner.position), product(self.quaternion, inner.quaternion))

    def inverse(self) -> "Pose":
        """The outside as this frame sees it."""
        back = inverted(self.quaternion)
        x, y, z = turned(back, self.position)
        return Pose((-x, -y, -z), back)


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """First `b`, then `a`; made unit."""
    if a == (1.0, 0.0, 0.0, 0.0):
        return b
    if b == (1.0, 0.0, 0.0, 0.0):
        return a
    q = (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
    length = sqrt(sum(c * c for c in q))
    return q[0] / length, q[1] / length, q[2] / length, q[3] / length


def inverted(q: Quaternion) -> Quaternion:
    """The turn back."""
    return q[0], -q[1], -q[2], -q[3]


def turned(q: Quaternion, v: Vector) -> Vector:
    """The vector `v` turned by `q`."""
    w, x, y, z = q
    tx, ty, tz = 2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])
    return v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx


def from_rotation_vector(r) -> Quaternion:
    """The turn about `r` by its length [rad]."""
    x, y, z = (float(c) for c in r)
    angle = sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    s = sin(0.5 * angle) / angle
    return cos(0.5 * angle), s * x, s * y, s * z


def rotation_vector(q: Quaternion) -> Vector:
    """The rotation vector [rad] of a turn, the short way round."""
    w, x, y, z = q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    length = sqrt(x * x + y * y + z * z)
    scale = 2.0 if length < 1e-9 else 2.0 * atan2(length, w) / length
    return scale * x, scale * y, scale * z


def frame_along(axis: Vector, second: Vector | None = None) -> Quaternion:
    """A frame whose z axis lies along the unit vector `axis`, and x along `second` if given."""
    if second is None:
        if axis == (0.0, 0.0, 1.0):
            return 1.0, 0.0, 0.0, 0.0
        least = min(range(3), key=lambda k: abs(axis[k]))
        e = [1.0 if k == least else 0.0 for k in range(3)]
        along = sum(a * b for a, b in zip(axis, e, strict=True))
        second = (e[0] - along * axis[0], e[1] - along * axis[1], e[2] - along * axis[2])
    length = sqrt(sum(c * c for c in second))
    x = (second[0] / length, second[1] / length, second[2] / length)
    y = (axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0])
    return _from_axes(x, y, axis)


def _from_axes(x, y, z) -> Quaternion:
    """The quaternion of a frame with axes x, y, z: the largest of four ways, so that no root is taken of nothing."""
    trace = x[0] + y[1] + z[2]
    candidates = (trace, x[0] - y[1] - z[2], y[1] - x[0] - z[2], z[2] - x[0] - y[1])
    best = candidates.index(max(candidates))
    s = 2.0 * sqrt(1.0 + candidates[best])
    if best == 0:
        q = (0.25 * s, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s)
    elif best == 1:
        q = ((y[2] - z[1]) / s, 0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s)
    elif best == 2:
        q = ((z[0] - x[2]) / s, (y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s)
    else:
        q = ((x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s)
    return q
