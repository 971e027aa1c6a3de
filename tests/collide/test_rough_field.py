"""Contacts with rough height fields: the distance to their mesh. Oracles: trimesh, coal, brute force."""

import coal
import numpy as np
import pytest
import trimesh
from field_meeting import CELLS, LYING, SIDE, SIZES, Meeting, rough, turn

from pliant.compile.hulls import field_triangles
from pliant.compile.mass_properties import rotation_matrix
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE


@pytest.mark.parametrize("height", [0.005, 0.03, 0.1])
def test_a_sphere_on_rough_ground_is_as_far_as_its_nearest_point(height):
    """Oracle: trimesh's closest point on the same triangles."""
    rng = np.random.default_rng(3)
    heights = rough(4, height)
    field = Meeting(SPHERE, heights, frame=tuple(turn(rng)))
    turned = rotation_matrix(field.shapes.quaternion[0])
    mesh = trimesh.Trimesh(*field_triangles(heights, (SIDE, SIDE)), process=False)
    columns = rng.uniform(-0.6, 0.6, (100, 2))
    met = 0
    for x, y in columns:
        wanted, centre, gap = rng.uniform(-0.002, 0.01), np.array([x, y, 0.6]), 1.0
        while gap > wanted + 1e-4:  # nothing can be met on the way down by less than the distance
            nearest, distance, _ = trimesh.proximity.closest_point(mesh, centre[None])
            gap = distance[0] - 0.12
            centre[2] -= gap - wanted
        nearest, distance, _ = trimesh.proximity.closest_point(mesh, centre[None])
        gap = distance[0] - 0.12
        n = field.at(turned @ centre)
        if abs(gap - field.work.pairs.margin[0]) < 1e-9:
            continue
        assert (n > 0) == (gap < field.work.pairs.margin[0])
        if n:
            k = field.separation.argmin()
            assert abs(field.separation[k] - gap) < 1e-12
            outward = turned @ (centre - nearest[0]) / distance[0]
            assert np.abs(field.normal[k] - outward).max() < 1e-9
            met += 1
    assert met > 30


def coal_mesh(vertices, triangles):
    corners, faces, mesh = coal.StdVec_Vec3s(), coal.StdVec_Triangle(), coal.BVHModelOBBRSS()
    for p in vertices:
        corners.append(p)
    for t in triangles:
        faces.append(coal.Triangle(*(int(k) for k in t)))
    mesh.beginModel(len(triangles), len(vertices))
    mesh.addSubModel(corners, faces)
    mesh.endModel()
    return mesh


COAL = {CAPSULE: coal.Capsule(0.08, 0.3), CYLINDER: coal.Cylinder(0.12, 0.1), BOX: coal.Box(0.3, 0.2, 0.12)}


@pytest.mark.parametrize("kind", [CAPSULE, CYLINDER, BOX])
def test_shapes_lowered_onto_rough_ground_touch_when_another_library_says_so(kind):
    """Oracle: coal's distance to the same triangles; at touch the least separation is zero as well.

    The shape is lowered until coal sees 1e-5 m; a gap of g is then seen under at most a factor 1 / cos of the angle
    between two normals that meet at the same point, so it must be found between -1e-5 and 1e-4.
    """
    rng = np.random.default_rng(5)
    heights = rough(6, 0.02)
    field, ground = Meeting(kind, heights), coal_mesh(*field_triangles(heights, (SIDE, SIDE)))
    for _ in range(60):
        q = np.array(LYING) if rng.uniform() < 0.5 else turn(rng)
        x, y = rng.uniform(-0.5, 0.5, 2)

        def distance(z, x=x, y=y, q=q):
            pose = coal.Transform3s(rotation_matrix(q), np.array([x, y, z]))
            return coal.distance(
                COAL[kind], pose, ground, coal.Transform3s(), coal.DistanceRequest(), coal.DistanceResult()
            )

        low, high = -0.2, 0.6
        for _ in range(30):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if distance(middle) > 1e-5 else (middle, high)
        assert field.at((x, y, high), q) > 0
        assert -1e-5 < field.separation.min() < 1e-4
        field.at((x, y, high - 2e-3), q)
        assert field.separation.min() > -2e-3 - 1e-5  # a depth of d along n takes a way of d / n_z down


class StandingCylinder:
    """Oracle: how far a nearly upright cylinder must be lifted to clear a rough field, by brute force.

    Over each triangle the ground less the cap is linear, so it is largest at a corner under the cap or on the rim; on
    the rim it is looked for at every 2 pi / 20,000.
    """

    ANGLES = np.linspace(0.0, 2.0 * np.pi, 20_000, endpoint=False)

    def __init__(self, heights):
        self.heights = heights
        grid = np.linspace(-0.5 * SIDE, 0.5 * SIDE, CELLS)
        self.corners = np.stack((*np.meshgrid(grid, grid, indexing="ij"), heights), axis=-1).reshape(-1, 3)
        step = SIDE / (CELLS - 1)
        across = np.diff(heights, axis=0) / step, np.diff(heights, axis=1) / step
        self.steepest = float(np.hypot(abs(across[0]).max(), abs(across[1]).max()))

    def ground(self, x, y):
        """Height of the surface [m], cells cut from corner (i, j) to (i + 1, j + 1)."""
        u, v = ((a + 0.5 * SIDE) * (CELLS - 1) / SIDE for a in (x, y))
        i, j = u.astype(int), v.astype(int)
        u, v, h = u - i, v - j, self.heights
        right = h[i, j] + u * (h[i + 1, j] - h[i, j]) + v * (h[i + 1, j + 1] - h[i + 1, j])
        left = h[i, j] + v * (h[i, j + 1] - h[i, j]) + u * (h[i + 1, j + 1] - h[i, j + 1])
        return np.where(u >= v, right, left)

    def overlap(self, position, quaternion):
        """[m] upwards, negative above the ground; the axis must point up."""
        radius, half, _ = SIZES[CYLINDER]
        x, y, z = rotation_matrix(np.asarray(quaternion)).T
        middle = np.asarray(position) - half * z
        rim = middle + radius * (np.cos(self.ANGLES)[:, None] * x + np.sin(self.ANGLES)[:, None] * y)
        on_rim = (self.ground(rim[:, 0], rim[:, 1]) - rim[:, 2]).max()
        d = self.corners - middle
        up = d @ z / z[2]  # above the cap along the vertical
        foot = d - up[:, None] * (0.0, 0.0, 1.0)
        under = (foot**2).sum(axis=1) < radius**2
        return max(on_rim, up[under].max()) if under.any() else on_rim


@pytest.mark.parametrize("height", [0.005, 0.02])
def test_a_standing_cylinder_on_rough_ground_is_as_deep_as_brute_force_says(height):
    """Oracle: the lift that clears the ground. A contact of depth d along n is cleared by a lift of d / n_z.

    So the deepest contact lies between lift * cos(steepest slope) and the lift. The oracle misses at most half a step of
    the rim times the slope, in a relief whose normals turn by 2 * steepest; a point is looked for straight along the
    axis, so a tilt moves it by tilt * lift, times the bend.
    """
    rng = np.random.default_rng(11)
    heights = rough(12, height)
    field, oracle = Meeting(CYLINDER, heights), StandingCylinder(heights)
    slope, tilt = oracle.steepest, 0.04
    met = 0
    for _ in range(300):
        x, y = rng.uniform(-0.6, 0.6, 2)
        q = np.array([1.0, *rng.uniform(-0.5, 0.5, 2) * tilt, rng.normal()])
        q /= np.linalg.norm(q)
        wanted = rng.uniform(-0.001, 0.004)
        z = 1.0 + oracle.overlap((x, y, 1.0), q) - wanted
        lift = oracle.overlap((x, y, z), q)
        assert abs(lift - wanted) < 1e-12
        missed = np.pi / len(oracle.ANGLES) * SIZES[CYLINDER][0] * (slope + tilt) + 2.0 * slope * tilt * abs(lift)
        if field.at((x, y, z), q) == 0:
            assert lift < -field.work.pairs.margin[0] * np.cos(np.arctan(slope))
            continue
        depth = -field.separation.min()
        least, most = sorted((lift, lift * np.cos(np.arctan(slope))))
        assert least - missed <= depth <= most + missed
        met += 1
    assert met > 200


def test_a_box_given_as_a_hull_meets_rough_ground_as_a_box():
    rng = np.random.default_rng(9)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * SIZES[BOX]
    box, hull = Meeting(BOX, rough(6, 0.03)), Meeting(HULL, rough(6, 0.03), points=corners)
    met = 0
    for x, y in rng.uniform(-0.6, 0.6, (300, 2)):
        pose = (x, y, rng.uniform(0.05, 0.2)), turn(rng)
        assert (box.at(*pose) > 0) == (hull.at(*pose) > 0)
        if len(box.separation):
            assert abs(box.separation.min() - hull.separation.min()) < 1e-12
            met += 1
    assert met > 100
