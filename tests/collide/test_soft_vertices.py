"""Contacts of vertices with bodies: against all pairs, under rigid motion, from step to step, in a table too small."""

import numpy as np
import pytest
from convex_calls import random_quaternion, rotation
from soft_calls import Tables, sheet
from test_soft_points import signed

from pliant.collide.soft.persist import FEATURES, grow
from pliant.collide.soft.sliding import STAYS
from pliant.math.quat import qmul
from pliant.model.bodies import FIXED
from pliant.model.schema import allocate
from pliant.model.shapes import BOX, CAPSULE, CYLINDER, FIELD, HULL, PLANE, SPHERE
from pliant.model.soft_contacts import CLOSED, SoftContacts

DT = 0.01


def crowd(random):
    """One shape of each kind around the origin, on bodies that move, and two crumpled sheets among them."""
    tables = Tables()
    sizes = {PLANE: (), SPHERE: (0.4,), CAPSULE: (0.2, 0.5), BOX: (0.3, 0.5, 0.2), CYLINDER: (0.4, 0.3), HULL: (),
             FIELD: (1.5, 1.2)}
    for kind, size in sizes.items():
        body = tables.mover(random.uniform(-0.6, 0.6, 3), random_quaternion(random), *random.normal(size=(2, 3)),
                            kind=FIXED if kind in (PLANE, FIELD) else 0)
        tables.shape(body, kind, size, random.uniform(-0.2, 0.2, 3), random_quaternion(random),
                     random.normal(size=(12, 3)) * 0.3, random.uniform(-0.1, 0.1, (6, 5)))
    points, faces = sheet(12, 10, 0.1)
    for offset in (0.004, 0.01):
        tables.thing(points + random.normal(size=points.shape) * 0.05 + random.uniform(-0.3, 0.3, 3), faces,
                     random.normal(size=points.shape), offset=offset)
    return tables


def placed(tables, i):
    """Rotation matrix and origin of a shape."""
    shapes, motion = tables.shape_table, tables.motion
    body = shapes.body[i]
    turn = rotation(motion.quaternion[body])
    return turn @ rotation(shapes.quaternion[i]), motion.position[body] + turn @ shapes.position[i]


def expected(tables):
    """Every pair of shape and vertex within its margin, of sheets as much wider as they stir: separation and normal."""
    shapes, motion, surfaces, out = tables.shape_table, tables.motion, tables.surfaces, {}
    for i in range(len(shapes.kind)):
        body, (turn, origin) = shapes.body[i], placed(tables, i)
        for k, offset in enumerate(surfaces.offset):
            nodes = surfaces.node[surfaces.first_node[k]:surfaces.first_node[k + 1]]
            beside = motion.velocity[nodes] - motion.velocity[nodes].mean(axis=0)
            stir = 0.0 if surfaces.closed[k] == CLOSED else np.sqrt((beside**2).sum(axis=1).mean())
            for v in nodes:
                p = motion.position[v]
                carried = motion.velocity[body] + np.cross(motion.angular_velocity[body], p - motion.position[body])
                margin = tables.skin.slop[k] + DT * (stir + np.linalg.norm(motion.velocity[v] - carried))
                local = turn.T @ (p - origin)
                kind, size = shapes.kind[i], shapes.size[i]
                d, n = signed(kind, size, local, tables.hull_table, tables.fields)
                if d - offset <= margin:
                    out[i, v] = d - offset, turn @ n
    return out


def named(rows):
    """Shape and vertex of each contact of a vertex and a body."""
    names = (rows.key // 2).tolist()
    return {(name // FEATURES, name % FEATURES): k for k, name in enumerate(names) if name < FEATURES**2}


@pytest.mark.parametrize("seed", range(6))
def test_all_that_may_touch_and_nothing_else(seed):
    """Oracle: every pair of shape and vertex, one by one; tolerance: rounding, for normals over the distance. What is met by
    another face comes to lie on that, and is met by its nearest point once everything goes the other way."""
    tables = crowd(np.random.default_rng(seed))
    tables.build(excluded=[(3, 100), (1, 50)])
    wanted = expected(tables)
    wanted = {name: value for name, value in wanted.items() if name not in {(2, 100), (0, 50)}}
    tables.detect(DT)
    rows = tables.rows()
    found = named(rows)
    assert found.keys() <= wanted.keys() and len(found) > 200
    assert (np.diff(rows.key) > 0).all()
    slid = set(wanted) - set(found)  # those that come to lie on a face in the next step
    for (i, v), k in found.items():
        separation, normal = wanted[i, v]
        thing = 0 if v < tables.surfaces.node[tables.surfaces.first_node[1]] else 1
        if abs(rows.separation[k] - separation) > 1e-13:
            comes_to_lie(tables, i, v, thing, rows.normal[k], rows.separation[k])
            slid.add((i, v))
            continue
        distance = abs(separation + tables.surfaces.offset[thing])
        assert np.linalg.norm(rows.normal[k] - normal) < 1e-13 + 4e-15 / distance
        assert rows.mover[k].tolist() == [tables.shape_table.body[i], -1, -1, v, -1, -1]
        assert rows.weight[k].tolist() == [1, 0, 0, 1, 0, 0] and rows.shape[k] == i and rows.friction[k] == 0.5
        middle = tables.motion.position[v] - normal * (tables.surfaces.offset[thing] + 0.5 * separation)
        assert np.linalg.norm(rows.position[k] - middle) < 1e-12
    for velocities in (tables.motion.velocity, tables.motion.angular_velocity):
        velocities *= -1.0
    tables.detect(DT)
    rows = tables.rows()
    found = named(rows)
    for name in slid:
        separation, normal = wanted[name]
        assert rows.separation[found[name]] == pytest.approx(separation, abs=1e-13)


def comes_to_lie(tables, i, v, thing, normal, separation):
    """A vertex that is met by another face than its nearest point's must come to lie on that within the step."""
    shapes, motion, (turn, origin) = tables.shape_table, tables.motion, placed(tables, i)
    kind, size, body = shapes.kind[i], shapes.size[i], shapes.body[i]
    n, p, offset = turn.T @ normal, turn.T @ (motion.position[v] - origin), tables.surfaces.offset[thing]
    if kind == CYLINDER:
        farthest = size[0] * np.hypot(n[0], n[1]) + size[1] * abs(n[2])
    else:
        farthest = size @ abs(n) if kind == BOX else (tables.hull_table.vertex @ n).max()
    assert kind in (BOX, CYLINDER, HULL) and separation == pytest.approx(n @ p - farthest - offset, abs=1e-12)
    carried = motion.velocity[body] + np.cross(motion.angular_velocity[body], motion.position[v] - motion.position[body])
    end = p + turn.T @ (motion.velocity[v] - carried) * DT
    beside, _ = signed(kind, size, end - (n @ end - farthest) * n, tables.hull_table, tables.fields)
    assert beside <= STAYS * tables.skin.slop[thing] + offset and separation >= -tables.skin.slop[thing]


def test_nothing_depends_on_where_the_world_stands():
    """Oracle: the same crowd turned and shifted as a whole; tolerance: rounding. The order of contacts is the same too.

    Triangles meet round shapes by GJK, which stops when the square of the distance is known to 1e-12 of itself: directions
    to sqrt(1e-12), and points with them, a metre away at most.
    """
    random = np.random.default_rng(9)
    tables = crowd(random)
    tables.build()
    tables.detect(DT)
    before = SoftContacts(*(np.array(one) for one in tables.rows()))
    q, shift = random_quaternion(random), random.uniform(-2, 2, 3)
    turn, motion = rotation(q), tables.motion
    for k in range(len(motion.position)):
        motion.position[k] = turn @ motion.position[k] + shift
        motion.quaternion[k] = qmul(tuple(q), tuple(motion.quaternion[k]))
    motion.velocity[:], motion.angular_velocity[:] = motion.velocity @ turn.T, motion.angular_velocity @ turn.T
    tables.detector(allocate(SoftContacts, 4096))
    tables.detect(DT)
    after = tables.rows()
    assert (after.key == before.key).all()
    assert np.abs(after.separation - before.separation).max() < 1e-12
    faces = after.mover[:, 4] >= 0
    turned, moved = np.abs(after.normal - before.normal @ turn.T), np.abs(after.position - before.position @ turn.T - shift)
    assert turned[~faces].max() < 1e-10 and moved[~faces].max() < 1e-12
    assert turned[faces].max() < 2e-6 and moved[faces].max() < 2e-6


def test_history_follows_the_key():
    """Oracle: a dictionary by key, while things and bodies move at random."""
    random = np.random.default_rng(11)
    tables = crowd(random)
    tables.build()
    known: dict[int, tuple] = {}
    for _ in range(30):
        tables.motion.position[:] += 0.01 * random.normal(size=tables.motion.position.shape)
        count = tables.detect(DT)
        rows = tables.rows()
        assert count == len(rows.key)
        for k, key in enumerate(rows.key.tolist()):
            impulse, force, age = known.get(key, (np.zeros(3), np.zeros(3), -1))
            assert (rows.impulse[k] == impulse).all() and (rows.force[k] == force).all() and rows.age[k] == age + 1
        rows.impulse[:], rows.force[:] = random.normal(size=(2, count, 3))
        known = {int(key): (rows.impulse[k].copy(), rows.force[k].copy(), int(rows.age[k])) for k, key in enumerate(rows.key)}
    assert max(age for *_, age in known.values()) > 20


def test_a_table_that_is_too_small_keeps_its_contacts_until_it_is_grown():
    """Oracle: a table that was large enough from the start."""
    pair = []
    for capacity in (24, 4096):
        tables = Tables()
        tables.shape(tables.mover((0.0, 0.0, 0.5)), SPHERE, (0.5,))
        tables.thing(*sheet(12, 12, 0.05))
        tables.build(capacity=capacity)
        assert 0 < tables.detect(DT) <= 24
        tables.rows().impulse[:] = 1.0
        tables.motion.position[1, 2] = 0.4
        pair.append(tables)
    small, large = pair
    old, needed = small.contacts.key.copy(), small.detect(DT)
    assert needed == large.detect(DT) > 24
    assert small.detect(DT) == needed
    used = np.count_nonzero(old)
    assert (small.contacts.key[:used] == old[:used]).all() and small.contacts.key[used] < 0
    small.detector(grow(small.contacts, needed))
    assert small.detect(DT) == needed
    for one, other in zip(small.rows(), large.rows(), strict=True):
        assert (one == other).all()
    assert small.rows().impulse.any()


def test_two_immovable_things_get_no_contact():
    tables = Tables()
    tables.shape(0, PLANE)
    points, faces = sheet(2, 2, 0.1)
    first = tables.thing(points, faces)
    tables.kind[first] = FIXED
    tables.build()
    assert tables.detect(DT) == 8
