"""Spheres and capsules in closed form: a point and each shape, two segments, points on a shared line."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add, add_scaled, cross, dot, neg, norm, perpendicular, scale, sub
from .convex_points import FIRST_END, LAST_END, SINGLE, emit

PARALLEL = 0.02
"""Sine of the angle below which two touching lines share two points."""


@kernel
def point_to_box(c, half):
    """Signed distance [m] and its gradient at `c`, in the frame of a box."""
    ox, oy, oz = abs(c[0]) - half[0], abs(c[1]) - half[1], abs(c[2]) - half[2]
    sx, sy, sz = 1.0 if c[0] >= 0.0 else -1.0, 1.0 if c[1] >= 0.0 else -1.0, 1.0 if c[2] >= 0.0 else -1.0
    if ox <= 0.0 and oy <= 0.0 and oz <= 0.0:
        if ox >= oy and ox >= oz:
            return ox, (sx, 0.0, 0.0)
        if oy >= oz:
            return oy, (0.0, sy, 0.0)
        return oz, (0.0, 0.0, sz)
    d = (sx * max(ox, 0.0), sy * max(oy, 0.0), sz * max(oz, 0.0))
    distance = norm(d)
    return distance, scale(1.0 / distance, d)


@kernel
def point_to_cylinder(c, radius, half):
    """Signed distance [m] and its gradient at `c`, in the frame of a cylinder along z."""
    across = sqrt(c[0] * c[0] + c[1] * c[1])
    out = (c[0] / across, c[1] / across, 0.0) if across > 1e-300 else (1.0, 0.0, 0.0)
    up = 1.0 if c[2] >= 0.0 else -1.0
    side, end = across - radius, abs(c[2]) - half
    if side <= 0.0 and end <= 0.0:
        if side >= end:
            return side, out
        return end, (0.0, 0.0, up)
    side, end = max(side, 0.0), max(end, 0.0)
    distance = sqrt(side * side + end * end)
    return distance, (side / distance * out[0], side / distance * out[1], end / distance * up)


@kernel
def point_to_segment(c, half):
    """Distance [m] and its gradient at `c`, to the segment from -half to half along z."""
    d = (c[0], c[1], c[2] - min(max(c[2], -half), half))
    distance = norm(d)
    if distance < 1e-300:
        return 0.0, (1.0, 0.0, 0.0)
    return distance, scale(1.0 / distance, d)


@kernel
def point_in_hull(c, plane, first, last):
    """The largest signed distance [m] of `c` to a plane of the hull, and that plane's normal: exact inside."""
    best, normal = -1e300, (0.0, 0.0, 1.0)
    for j in range(first, last):
        n = (plane[j, 0], plane[j, 1], plane[j, 2])
        height = dot(n, c) - plane[j, 3]
        if height > best:
            best, normal = height, n
    return best, normal


@kernel
def segment_segment(half_a, c, d, half_b):
    """Parameters [m] along z and along the unit vector `d` of the nearest points of two segments about 0 and `c`."""
    b = d[2]
    e, f = c[2], dot(d, c)
    det = 1.0 - b * b
    s = 0.0
    if det > 1e-14:
        s = min(max((e - b * f) / det, -half_a), half_a)
    t = b * s - f
    if t > half_b or t < -half_b:
        t = min(max(t, -half_b), half_b)
        s = min(max(b * t + e, -half_a), half_a)
    return s, t


@kernel
def shared_line(a0, a1, radius_a, b0, b1, radius_b, normal, margin, point, feature):
    """Points at both ends of the stretch that two nearly parallel segments share; 0 when they are not, or share none.

    The stretch runs along a; at its ends the gap along the normal between the two lines is taken.
    """
    along, other = sub(a1, a0), sub(b1, b0)
    length_a, length_b = norm(along), norm(other)
    if length_a < 1e-9 * length_b or length_b < 1e-9 * length_a or length_a < 1e-300:
        return 0
    along, other = scale(1.0 / length_a, along), scale(1.0 / length_b, other)
    largest = along[0]
    if abs(along[1]) > abs(largest):
        largest = along[1]
    if abs(along[2]) > abs(largest):
        largest = along[2]
    if largest < 0.0:
        # One direction for one line, whichever face it was read from: the ends keep their codes.
        along, a0 = neg(along), a1
    turned = dot(cross(along, other), normal)
    tilt_a, tilt_b = dot(along, normal), dot(other, normal)
    if abs(turned) > PARALLEL or abs(tilt_a) > 5.0 * PARALLEL or abs(tilt_b) > 5.0 * PARALLEL:
        return 0
    t0, t1 = dot(sub(b0, a0), along), dot(sub(b1, a0), along)
    low, high = max(min(t0, t1), 0.0), min(max(t0, t1), length_a)
    if high - low <= 1e-6 * min(length_a, length_b):
        return 0
    count = 0
    for k in range(2):
        t = low if k == 0 else high
        pa = add_scaled(a0, t, along)
        pb = add_scaled(b0, (t - t0) * length_b / (t1 - t0), other)
        gap = dot(sub(pb, pa), normal) - radius_a - radius_b
        if gap <= margin:
            # Halfway sideways as well: the two lines are not quite one above the other.
            middle = scale(0.5, add(pa, pb))
            reach = 0.5 * (radius_a - radius_b)
            count = emit(point, feature, count, middle, reach, normal, gap, FIRST_END if k == 0 else LAST_END)
    return count


@kernel
def capsule_capsule(size_a, frame, size_b, margin, point, feature):
    """Points between two capsules, the first along z about the origin; one, or two when they lie side by side."""
    c, d = frame[0], frame[3]
    s, t = segment_segment(size_a[1], c, d, size_b[1])
    pa, pb = (0.0, 0.0, s), add_scaled(c, t, d)
    v = sub(pb, pa)
    distance = norm(v)
    gap = distance - size_a[0] - size_b[0]
    if gap > margin:
        return 0
    if distance > 1e-12 * (size_a[0] + size_b[0] + size_a[1] + size_b[1]):
        normal = scale(1.0 / distance, v)
    else:
        # The axes cross: the way out is at right angles to both.
        normal = cross((0.0, 0.0, 1.0), d)
        length = norm(normal)
        normal = scale(1.0 / length, normal) if length > 1e-7 else perpendicular(d)
        if dot(normal, c) < 0.0:
            normal = neg(normal)
    ends = add_scaled(c, -size_b[1], d), add_scaled(c, size_b[1], d)
    bottom, top = (0.0, 0.0, -size_a[1]), (0.0, 0.0, size_a[1])
    count = shared_line(bottom, top, size_a[0], ends[0], ends[1], size_b[0], normal, margin, point, feature)
    if count == 2:
        return count
    return emit(point, feature, 0, pa, size_a[0] + 0.5 * gap, normal, gap, SINGLE)
