"""Contacts with a plane against closed forms: deepest points, continuity of rolling, both orders of the pair."""

import numpy as np
import pytest

from pliant.collide.detect import detect
from pliant.collide.work import SLOP, collide_work
from pliant.compile.hulls import convex_hull, pack_fields, pack_hulls
from pliant.compile.mass_properties import rotation_matrix
from pliant.model.bodies import FIXED, Bodies, Motion
from pliant.model.contacts import Contacts
from pliant.model.schema import allocate
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, HULL, PLANE, SPHERE, Excluded, Shapes

RADIUS, HALF = 0.12, 0.05
SIZES = {
    SPHERE: (RADIUS, 0.0, 0.0),
    CAPSULE: (RADIUS, HALF, 0.0),
    BOX: (0.1, 0.2, 0.3),
    CYLINDER: (RADIUS, HALF, 0.0),
    HULL: (0.0, 0.0, 0.0),
}
POINTS = np.random.default_rng(0).normal(size=(60, 3)) * 0.1


class Meeting:
    """One shape and one plane, which is the first or the second of the pair."""

    def __init__(self, kind, plane_first=True, points=POINTS):
        self.plane, self.other = (0, 1) if plane_first else (1, 0)
        self.kind = kind
        self.bodies, self.motion, self.shapes = allocate(Bodies, 2), allocate(Motion, 2), allocate(Shapes, 2)
        self.bodies.kind[0] = FIXED
        self.motion.quaternion[:, 0] = self.shapes.quaternion[:, 0] = 1.0
        self.shapes.kind[[self.plane, self.other]] = PLANE, kind
        self.shapes.body[self.other] = 1
        self.shapes.size[self.other] = SIZES[kind]
        self.shapes.data[:] = -1
        self.shapes.data[self.other] = 0 if kind == HULL else -1
        self.hull = convex_hull(points)
        self.hulls, self.fields = pack_hulls([self.hull]), pack_fields([])
        self.work = collide_work(self.shapes, self.hulls, self.fields, 32)
        self.contacts = allocate(Contacts, 32)

    def at(self, position, quaternion=(1.0, 0.0, 0.0, 0.0)):
        """Contacts as (feature, position, normal from the plane, separation)."""
        self.motion.position[1], self.motion.quaternion[1] = position, quaternion
        c, none = self.contacts, allocate(Excluded, 0)
        n = detect(self.bodies, self.shapes, self.hulls, self.fields, none, self.motion, c, self.work, 1.0 / 60.0)
        sign = 1.0 if self.plane == 0 else -1.0
        assert (c.shape[:n] == (0, 1)).all()
        return [(int(c.feature[k]), c.position[k].copy(), sign * c.normal[k], c.separation[k]) for k in range(n)]


def depth_of(meeting, quaternion, normal):
    """How far the shape reaches from its middle against `normal`, by its support function."""
    local = rotation_matrix(quaternion).T @ normal
    if meeting.kind == SPHERE:
        return RADIUS
    if meeting.kind == CAPSULE:
        return RADIUS + HALF * abs(local[2])
    if meeting.kind == BOX:
        return np.abs(local) @ SIZES[BOX]
    if meeting.kind == CYLINDER:
        return RADIUS * np.hypot(local[0], local[1]) + HALF * abs(local[2])
    return (-meeting.hull.vertices @ local).max()


def turn(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def about(axis, angle):
    return np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * np.asarray(axis, float))])


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", list(SIZES))
def test_the_deepest_point_is_exact(kind, first):
    """Oracle: the support function of each shape, for planes and shapes turned at random."""
    rng = np.random.default_rng(2)
    meeting = Meeting(kind, first)
    for _ in range(40):
        tilt, spin = turn(rng), turn(rng)
        meeting.shapes.quaternion[meeting.plane] = tilt
        meeting.shapes.position[meeting.plane] = origin = rng.normal(size=3)
        normal = rotation_matrix(tilt)[:, 2]
        gap = rng.uniform(-0.02, 0.9) * meeting.work.extents.slop[meeting.other]
        position = origin + (depth_of(meeting, spin, normal) + gap) * normal + np.cross(normal, rng.normal(size=3))
        found = meeting.at(position, spin)
        assert abs(min(c[3] for c in found) - gap) < 1e-14
        for _, point, n, separation in found:
            assert np.abs(n - normal).max() < 1e-15
            assert abs((point - origin) @ normal - 0.5 * separation) < 2e-15  # midway
        above = meeting.at(position + 2.0 * SLOP * normal, spin)
        assert above == []


@pytest.mark.parametrize("kind", [CYLINDER, CAPSULE])
def test_a_wheel_rolls_on_the_two_ends_of_its_lowest_generator(kind):
    meeting = Meeting(kind)
    lying = about((1, 0, 0), 0.5 * np.pi)
    for angle in np.linspace(0.0, 7.0, 101):
        q = np.array(lying)
        s, c = np.sin(0.5 * angle), np.cos(0.5 * angle)
        spun = np.array([c * q[0], c * q[1], -s * q[1], s * q[0]])  # lying * spin about its own axis
        found = meeting.at((0.3, 0.2, RADIUS), spun)
        assert [f[0] for f in found] == [0, 1]
        ends = np.array([f[1] for f in found])
        assert np.abs(ends - [[0.3, 0.2 - HALF, 0.0], [0.3, 0.2 + HALF, 0.0]]).max() < 1e-15
        assert max(abs(f[3]) for f in found) < 1e-15


def test_a_cylinder_tips_from_its_cap_to_its_side_without_a_jump():
    """The least separation follows r sin + h cos of the tilt; the points spread round the middle when it stands."""
    meeting = Meeting(CYLINDER)
    for tilt in np.concatenate([[0.0, 1e-7, 1e-5, 0.99e-4, 1.01e-4, 1e-3], np.linspace(0.01, 3.13, 300), [np.pi]]):
        height = RADIUS * np.sin(tilt) + HALF * abs(np.cos(tilt))
        found = meeting.at((0.0, 0.0, height), about((0.6, 0.8, 0.0), tilt))
        # while four turning points stand for the deepest one they may be up to 45 degrees away from it
        blind = RADIUS * 1e-4 * (1.0 - np.sqrt(0.5))
        assert -1e-15 < min(f[3] for f in found) < (blind if np.sin(tilt) < 1e-4 else 1e-15)
        if np.sin(tilt) < 0.01:
            points = np.array([f[1][:2] for f in found])
            angles = np.sort(np.arctan2(points[:, 1], points[:, 0]))
            assert len(found) in (4, 5)
            assert np.diff(np.append(angles, angles[0] + 2.0 * np.pi)).max() < 0.5 * np.pi + 1e-2


def test_a_standing_cylinder_turns_its_points_with_it():
    meeting = Meeting(CYLINDER)
    for angle in (0.0, 0.3, 1.0):
        found = meeting.at((0.0, 0.0, HALF), about((0, 0, 1), angle))
        assert [f[0] for f in found] == [6, 7, 8, 9]
        point = found[0][1]
        assert np.abs(point - [RADIUS * np.cos(angle), RADIUS * np.sin(angle), 0.0]).max() < 1e-15


def test_a_box_stands_on_four_corners_and_tips_on_two():
    meeting = Meeting(BOX)
    x, y, z = SIZES[BOX]
    corners = {tuple(np.round(f[1], 12)) for f in meeting.at((0.0, 0.0, z))}
    assert corners == {(sx * x, sy * y, 0.0) for sx in (-1, 1) for sy in (-1, 1)}
    tilt = 0.3
    found = meeting.at((0.0, 0.0, x * np.sin(tilt) + z * np.cos(tilt)), about((0, 1, 0), tilt))
    assert len(found) == 2 and max(abs(f[3]) for f in found) < 1e-15


def test_a_hull_of_many_low_vertices_keeps_four_that_span_them():
    """A prism of 48 sides standing on its cap: the kept square has at least 90 % of the area of the largest one."""
    angles = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    ring = np.stack([0.2 * np.cos(angles), 0.2 * np.sin(angles), np.zeros(48)], axis=1)
    up = np.array([0.0, 0.0, 0.1])
    meeting = Meeting(HULL, points=np.vstack([ring + up, ring - up]))
    found = meeting.at((0.0, 0.0, 0.1))
    points = np.array([f[1][:2] for f in found])
    points = points[np.argsort(np.arctan2(points[:, 1], points[:, 0]))]
    x, y = points.T
    area = 0.5 * abs((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    assert len(found) == 4 and area > 0.9 * 2.0 * 0.2**2
    assert [f[0] for f in meeting.at((0.0, 0.0, 0.1))] == [f[0] for f in found]


def test_a_fast_shape_gets_contacts_before_it_arrives():
    meeting = Meeting(SPHERE)
    meeting.motion.velocity[1] = 0.0, 0.0, -12.0  # 0.2 m a step
    slop = meeting.work.extents.slop[1]
    assert len(meeting.at((0.0, 0.0, RADIUS + 0.2 + 0.99 * slop))) == 1
    assert len(meeting.at((0.0, 0.0, RADIUS + 0.2 + 1.01 * slop))) == 0
