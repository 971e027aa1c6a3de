"""The broad phase finds what brute force finds, and its overlap tests grow little faster than the scene."""

import time

import numpy as np

from pliant.collide.detect import detect
from pliant.collide.pairs import find_pairs
from pliant.collide.persist import grow
from pliant.collide.work import SLOP, collide_work
from pliant.compile.hulls import pack_fields, pack_hulls
from pliant.model.bodies import DRIVEN, DYNAMIC, FIXED, Bodies, Motion
from pliant.model.contacts import Contacts
from pliant.model.schema import allocate, fill
from pliant.model.shapes import BOX, PLANE, SPHERE, Excluded, Shapes

DT = 1.0 / 60.0


def cloud(n, rng, spread, kinds=(DYNAMIC,)):
    """Boxes of half lengths 0.02 to 0.2 m, turned at random, in a cube of side `spread` [m]; the last of them are on
    shared bodies."""
    bodies, motion = allocate(Bodies, n + 1), allocate(Motion, n + 1)
    bodies.kind[0] = FIXED
    bodies.kind[1:] = rng.choice(kinds, n)
    motion.position[1:] = rng.uniform(0.0, spread, (n, 3))
    turns = rng.normal(size=(n + 1, 4))
    motion.quaternion[:] = turns / np.linalg.norm(turns, axis=1)[:, None]
    motion.velocity[1:] = rng.normal(size=(n, 3))
    motion.angular_velocity[1:] = rng.normal(size=(n, 3))
    shapes = allocate(Shapes, n)
    shapes.kind[:] = BOX
    shapes.body[:] = np.arange(1, n + 1)
    shapes.body[n - n // 10 :] = shapes.body[: n // 10]
    shapes.quaternion[:, 0] = 1.0
    shapes.size[:] = rng.uniform(0.02, 0.2, (n, 3))
    shapes.data[:] = -1
    return bodies, shapes, motion


def excluding(pairs):
    return fill(Excluded, pair=sorted(min(p) * 2**32 + max(p) for p in pairs))


def brute_force(bodies, shapes, excluded, motion):
    """All pairs whose boxes, grown by what they may travel, overlap and that may touch: written without the engine."""
    half, centre = [], []
    for i, b in enumerate(shapes.body):
        w, x, y, z = motion.quaternion[b]
        turn = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])
        reach = np.linalg.norm(motion.velocity[b]) + np.linalg.norm(motion.angular_velocity[b]) * np.linalg.norm(
            shapes.size[i]
        )
        half.append(np.abs(turn) @ shapes.size[i] + 0.5 * min(SLOP, 0.05 * shapes.size[i].min()) + DT * reach)
        centre.append(motion.position[b])
    half, centre = np.array(half), np.array(centre)
    forbidden = set(excluded.pair.tolist())
    found = []
    for i in range(len(half)):
        near = (np.abs(centre[i + 1 :] - centre[i]) <= half[i + 1 :] + half[i]).all(axis=1)
        for j in i + 1 + np.flatnonzero(near):
            a, b = sorted((int(shapes.body[i]), int(shapes.body[j])))
            movable = bodies.kind[a] == DYNAMIC or bodies.kind[b] == DYNAMIC
            if a != b and movable and a * 2**32 + b not in forbidden:
                found.append((i, int(j)))
    return found


def pairs_of(bodies, shapes, excluded, motion, work):
    n = find_pairs(bodies, shapes, excluded, motion, work.extents, work.places, work.tree, work.pairs, DT)
    return [tuple(p) for p in work.pairs.shape[:n].tolist()]


def test_pairs_equal_brute_force_while_everything_moves():
    rng = np.random.default_rng(1)
    for n, spread in ((1, 1.0), (2, 0.2), (5, 0.4), (60, 1.2), (300, 2.5)):
        bodies, shapes, motion = cloud(n, rng, spread, (DYNAMIC, DYNAMIC, FIXED, DRIVEN))
        excluded = excluding({tuple(sorted(p)) for p in rng.integers(1, n + 1, (3 * n, 2)).tolist()})
        work = collide_work(shapes, pack_hulls([]), pack_fields([]), 40 * n + 10)
        for _ in range(4):
            expected = brute_force(bodies, shapes, excluded, motion)
            assert pairs_of(bodies, shapes, excluded, motion, work) == expected
            motion.position[1:] += rng.normal(size=(n, 3)) * 0.1 * spread
        if n == 300:
            assert len(expected) > 100


def test_pairs_do_not_depend_on_the_scratch():
    rng = np.random.default_rng(2)
    bodies, shapes, motion = cloud(200, rng, 2.0)
    none = allocate(Excluded, 0)
    used = collide_work(shapes, pack_hulls([]), pack_fields([]), 4000)
    for _ in range(5):
        pairs_of(bodies, shapes, none, motion, used)
        motion.position[1:] = rng.uniform(0.0, 2.0, (200, 3))
    new = collide_work(shapes, pack_hulls([]), pack_fields([]), 4000)
    assert pairs_of(bodies, shapes, none, motion, used) == pairs_of(bodies, shapes, none, motion, new)


def test_overlap_tests_grow_little_faster_than_the_scene():
    """Uniform clouds of constant density, in space and in a layer: tests ~ n^p, p < 1.3, 100 to 3,200 shapes."""
    none = allocate(Excluded, 0)
    for flat in (False, True):
        rng = np.random.default_rng(3)
        tests, times, sizes = [], [], [100, 200, 400, 800, 1600, 3200]
        for n in sizes:
            bodies, shapes, motion = cloud(n, rng, 0.5 * (n**0.5 if flat else n ** (1 / 3)))
            if flat:
                motion.position[:, 2] *= 0.01
            motion.velocity[:] = motion.angular_velocity[:] = 0.0
            work = collide_work(shapes, pack_hulls([]), pack_fields([]), 20 * n)
            pairs_of(bodies, shapes, none, motion, work)
            start = time.perf_counter()
            find_pairs(bodies, shapes, none, motion, work.extents, work.places, work.tree, work.pairs, DT)
            times.append(time.perf_counter() - start)
            tests.append(int(work.pairs.count[4]))
        exponent = np.polyfit(np.log(sizes), np.log(tests), 1)[0]
        growth = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        print(f"{'layer' if flat else 'cloud'}: tests {tests}, exponent {exponent:.2f}; "
              f"time {[f'{1e6 * t:.0f} us' for t in times]}, exponent {growth:.2f}")
        assert exponent < 1.3
        assert tests[-1] < 0.04 * 3200 * 3199 / 2  # brute force


def test_planes_meet_only_what_may_reach_them():
    n = 3
    bodies, motion, shapes = allocate(Bodies, n + 1), allocate(Motion, n + 1), allocate(Shapes, n + 1)
    bodies.kind[0] = FIXED
    motion.quaternion[:, 0] = shapes.quaternion[:, 0] = 1.0
    shapes.kind[:] = SPHERE, SPHERE, PLANE, SPHERE
    shapes.body[:] = 1, 2, 0, 3
    shapes.size[:, 0] = 0.1
    shapes.data[:] = -1
    motion.position[1:, 2] = 0.1, 5.0, 0.6
    motion.velocity[3, 2] = -40.0  # 0.67 m a step
    motion.position[1:, 0] = 0.0, 2.0, 4.0
    work = collide_work(shapes, pack_hulls([]), pack_fields([]), 10)
    assert pairs_of(bodies, shapes, allocate(Excluded, 0), motion, work) == [(0, 2), (2, 3)]


def test_a_table_too_small_says_so_and_can_be_grown():
    rng = np.random.default_rng(4)
    bodies, shapes, motion = cloud(40, rng, 0.5)
    shapes.kind[:] = SPHERE
    shapes.size[:] = 0.05, 0.0, 0.0
    none, hulls, fields = allocate(Excluded, 0), pack_hulls([]), pack_fields([])
    roomy, wide = allocate(Contacts, 4000), collide_work(shapes, hulls, fields, 4000)
    before = detect(bodies, shapes, hulls, fields, none, motion, roomy, wide, DT)
    roomy.impulse[:before] = rng.uniform(size=before)
    tight = grow(roomy, 4000)
    motion.position[1:] = motion.position[1:] * 0.8
    after = detect(bodies, shapes, hulls, fields, none, motion, roomy, wide, DT)
    assert after > before > 5
    for capacity in (before, before + 1, (before + after) // 2, after - 1):
        small = type(tight)(*(a[: max(1, capacity)].copy() if a is not tight.count else a.copy() for a in tight))
        narrow = collide_work(shapes, hulls, fields, capacity)
        needed = detect(bodies, shapes, hulls, fields, none, motion, small, narrow, DT)
        assert needed > capacity and small.count[0] == needed
        assert detect(bodies, shapes, hulls, fields, none, motion, small, narrow, DT) == needed
        large = grow(small, 4000)
        assert detect(bodies, shapes, hulls, fields, none, motion, large, wide, DT) == after
        for one, other in zip(large, roomy, strict=True):
            assert np.array_equal(one[:after], other[:after])
