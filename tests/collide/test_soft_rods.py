"""Thin rods against triangles of cloth and solids: heights by hand, crossings by brute force, the nearest way out."""

import numpy as np
import pytest
import trimesh
from seeds import SOFT_RODS
from soft_calls import Tables, sheet

from pliant.collide.soft.persist import END_BODY, FEATURES, SPINE_EDGE
from pliant.collide.soft.spines import SLENDER, THIN
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, SPHERE

DT, OFFSET, RADIUS, HALF = 0.01, 0.002, 0.004, 0.11
LYING = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
"""Turns an axis along z to x."""


def kinds_of(rows):
    return rows.key // (2 * FEATURES**2)


def places_of(rows, tables):
    """Where the triangles of contacts are touched [m] (n, 3)."""
    return np.einsum("kc,kcx->kx", rows.weight[:, 3:], tables.motion.position[rows.mover[:, 3:]])


def cube(half):
    """Vertices and triangles of a cube, eight cells along each edge."""
    mesh = trimesh.creation.box((2.0 * half,) * 3).subdivide().subdivide().subdivide()
    return np.array(mesh.vertices), np.array(mesh.faces)


def over_a_sheet(height, kind=CAPSULE, velocity=(0, 0, 0), across=0.013):
    """A rod along x over a flat sheet of cells of 5 cm, whose edges it crosses away from vertices."""
    tables = Tables()
    tables.shape(tables.mover((0.007, across, height), LYING, velocity=velocity), kind, (RADIUS, HALF))
    tables.thing(*sheet(8, 8, 0.05), offset=OFFSET)
    tables.build()
    return tables


@pytest.mark.parametrize("kind", [CAPSULE, CYLINDER])
def test_a_level_rod_lies_on_every_edge_that_it_crosses_and_on_its_ends(kind):
    """Oracle: edges at x = 0.05 k and diagonals between, under a rod from -0.103 to 0.117 m, and two ends; one height."""
    tables = over_a_sheet(0.0065, kind)
    tables.detect(DT)
    rows = tables.rows()
    ends, edges = rows.key[kinds_of(rows) == END_BODY], kinds_of(rows) == SPINE_EDGE
    assert len(ends) == 2 and edges.sum() == 10  # five across, at -0.1 to 0.1, and five diagonals, at 0.013 beside them
    assert rows.separation == pytest.approx(0.0065 - RADIUS - OFFSET, abs=1e-12)
    assert np.abs(rows.normal - (0.0, 0.0, -1.0)).max() < 1e-12
    places = places_of(rows, tables)
    assert np.abs(places[edges, 1] - 0.013).max() < 1e-12
    straight = places[edges, 0][np.abs(places[edges, 0] / 0.05 - np.round(places[edges, 0] / 0.05)) < 1e-9]
    assert np.sort(straight) == pytest.approx([-0.1, -0.05, 0.0, 0.05, 0.1], abs=1e-12)


def test_a_rod_pushed_through_a_sheet_is_kept_on_its_side():
    """Oracle: the height of the axis less radius and offset, above and below the sheet; tolerance: rounding."""
    tables = over_a_sheet(0.0065)
    for height in np.linspace(0.0065, -0.02, 20):
        tables.motion.position[1, 2] = height
        tables.detect(DT)
        rows = tables.rows()
        own = kinds_of(rows) >= SPINE_EDGE
        assert own.sum() == 12 and rows.separation[own] == pytest.approx(height - RADIUS - OFFSET, abs=1e-12)


def test_a_fast_rod_is_met_at_every_edge_that_it_will_cross():
    """Rods that fly into a sheet at random, and turn. Oracle: brute force over the middle of edges where both are at the end of
    the step; of these each has a contact, with a gap that the way closes."""
    random, crossed = np.random.default_rng(SOFT_RODS), 0
    for _ in range(60):
        tables = over_a_sheet(random.uniform(0.02, 0.1), velocity=(*random.uniform(-2, 2, 2), -random.uniform(5, 15)),
                              across=random.uniform(-0.05, 0.05))
        tables.motion.angular_velocity[1] = random.uniform(-20.0, 20.0, 3)
        tables.detect(DT)
        rows = tables.rows()
        found = {int(key) // 2 % FEATURES for key in rows.key[kinds_of(rows) == SPINE_EDGE]}
        x, v, spin = (getattr(tables.motion, name)[1] for name in ("position", "velocity", "angular_velocity"))
        now = x + np.outer((-1.0, 1.0), (HALF, 0.0, 0.0))
        p, q = now + DT * (v + np.cross(spin, now - x))
        for e, (i, j) in enumerate(tables.surfaces.edge):
            a, b = tables.motion.position[i], tables.motion.position[j]
            s, t = _crossing(p, q, a, b)
            if 0.0 < s < 1.0 and 0.0 < t < 1.0 and p[2] + s * (q[2] - p[2]) < -0.01:
                early = _crossing(*now, a, b)
                if 0.0 < early[0] < 1.0 and 0.0 < early[1] < 1.0:
                    crossed += 1
                    assert e in found
    assert crossed > 100


def _crossing(p, q, a, b):
    """Shares at which two lines cross as seen from above; of parallel ones negative."""
    if abs(np.cross(q - p, b - a)[2]) < 1e-9:
        return -1.0, -1.0
    return np.linalg.solve(np.stack([(q - p)[:2], (a - b)[:2]], axis=1), (a - p)[:2])


@pytest.mark.parametrize(("place", "out"), [
    ((0.01, 0.013, 0.09), (0, 0, 1)), ((0.01, 0.013, -0.09), (0, 0, -1)), ((0.01, 0.091, 0.013), (0, 1, 0))])
def test_a_rod_in_a_solid_is_pushed_out_the_nearest_way(place, out):
    """Oracle: 9 to 10 mm deep under one face of a cube; every contact that holds it leads out there, by how deep it is."""
    tables = Tables()
    tables.shape(tables.mover(place, LYING), CAPSULE, (RADIUS, 0.05))
    tables.thing(*cube(0.1), closed=1, offset=0.0)
    tables.build()
    tables.detect(DT)
    rows = tables.rows()
    deep = rows.separation < 0.0
    assert deep.sum() >= 2
    assert np.abs(rows.normal[deep] + out).max() < 1e-12
    assert rows.separation[deep] == pytest.approx(np.dot(place, out) - 0.1 - RADIUS, abs=1e-12)


def test_a_rod_under_a_slab_is_outside():
    """Oracle: its axis is 1 mm more than its radius below the lower face: no contact is deep, however thin the slab is."""
    tables = Tables()
    points, faces = cube(0.1)
    tables.shape(tables.mover((0.01, 0.013, -0.01 - RADIUS - 0.001), LYING), CAPSULE, (RADIUS, 0.05))
    tables.thing(points * (1.0, 1.0, 0.1), faces, closed=1, offset=0.0)
    tables.build()
    tables.detect(DT)
    assert tables.rows().separation.min() == pytest.approx(0.001, abs=1e-12)


@pytest.mark.parametrize(("kind", "size"), [(CAPSULE, (RADIUS, 0.08)), (CYLINDER, (RADIUS, 0.08)), (BOX, (0.002, 0.002, 0.08))])
def test_no_contact_of_a_rod_outside_a_solid_is_deep(kind, size):
    """Rods beside and above a cube, at random, that fly and turn fast. Oracle: brute force over points of the axis,
    all of which are farther from the cube than the rod is thick; of what is negative rounding alone is left. Some are about
    to be met."""
    random, met = np.random.default_rng([SOFT_RODS, kind]), 0
    points, faces = cube(0.1)
    for _ in range(150):
        tables, turn = Tables(), random.normal(size=4)
        turn /= np.linalg.norm(turn)
        place = random.uniform(-0.2, 0.2, 3)
        rotation = trimesh.transformations.quaternion_matrix(turn)[:3, :3]
        axis = place + np.outer(np.linspace(-1.0, 1.0, 400), rotation[:, 2] * size[-1])
        if np.linalg.norm(np.maximum(np.abs(axis) - 0.1, 0.0), axis=1).min() < 2.0 * size[0]:
            continue
        mover = tables.mover(tuple(place), tuple(turn), velocity=tuple(-20.0 * place + random.normal(size=3)))
        tables.shape(mover, kind, size)
        tables.thing(points, faces, closed=1, offset=0.0)
        tables.build()
        tables.motion.angular_velocity[mover] = random.uniform(-20.0, 20.0, 3)
        tables.detect(DT)
        rows = tables.rows()
        own = kinds_of(rows) >= SPINE_EDGE
        met += own.any()
        assert rows.separation[own].min(initial=0.0) > -1e-9, (place, turn)
    assert met > 20


def test_only_what_is_thin_and_slender_has_a_spine():
    """Oracle: THIN of the mean edge, SLENDER; where nothing is thin, nothing is looked at."""
    edge = 0.05 * (2.0 + np.sqrt(2.0)) / 3.0  # of a large sheet; of a small one rims weigh more
    for kind, size, has in ((CAPSULE, (0.2 * edge, 0.1), True), (CAPSULE, (1.1 * THIN * edge, 0.1), False),
                            (CYLINDER, (0.005, 0.9 * SLENDER * 0.005), False), (SPHERE, (0.002,), False),
                            (BOX, (0.002, 0.002, 0.1), True), (BOX, (0.03, 0.03, 0.1), False)):
        tables = Tables()
        tables.shape(tables.mover((0.0, 0.0, 1.0)), kind, size)
        tables.thing(*sheet(20, 20, 0.05), offset=OFFSET)
        tables.build()
        assert tables.detect.stout != has
