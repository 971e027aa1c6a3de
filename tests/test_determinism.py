"""One run has one set of bits: for any number of threads, beside other islands, and after save and restore."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

ROOT = Path(__file__).resolve().parent.parent


def swing(scene: pl.Scene, k: int) -> None:
    """A double pendulum with a spring, at its own place."""
    y = 2.0 * k
    scene.add(pl.Body(f"upper{k}", pl.Box(0.4, 0.05, 0.05), mass=1.0, position=(0.2, y, 3)))
    scene.add(pl.Body(f"lower{k}", pl.Capsule(0.05, 0.3), mass=0.5, position=(0.4, y, 2.8)))
    scene.add(pl.Revolute(f"top{k}", pl.WORLD, f"upper{k}", anchor=(0, y, 3), axis=(0, 1, 0), friction=0.01))
    scene.add(pl.Spherical(f"elbow{k}", f"upper{k}", f"lower{k}", anchor=(0.4, y, 3)))
    scene.add(pl.Spring(f"spring{k}", pl.WORLD, f"lower{k}", stiffness=20.0, at_a=(1, y, 3)))


def heap(scene: pl.Scene, k: int) -> None:
    """Three boxes that fall on each other."""
    for n in range(3):
        at = (4 + 0.04 * n, 2.0 * k, 0.3 + 0.3 * n)
        scene.add(pl.Body(f"box{k}_{n}", pl.Box(0.3, 0.2, 0.2), mass=1.0 + n, position=at, angular_velocity=(0.3, k, 0)))


def crowd(swings: int = 3, heaps: int = 3, **options) -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(swings):
        swing(scene, k)
    for k in range(heaps):
        heap(scene, k)
    return pl.World(scene, **options)


def test_one_hash_for_any_number_of_threads_and_on_repeat(monkeypatch):
    """Oracle: equal bits, of so many bodies that every number of threads but one shares their islands, but in the few steps
    that some take in parts."""
    hashes, steps = set(), 60
    for threads in (1, 2, 2, 5):
        world, shared = crowd(swings=12, heaps=14, threads=threads), []
        pool = world._engine.pool
        if pool is not None:
            share = pool.map
            monkeypatch.setattr(pool, "map", lambda work, ranges, share=share, shared=shared: (
                shared.append(len(ranges)), share(work, ranges))[1])
        for _ in range(steps):
            world.step()
        assert len(shared) > 0.8 * steps and set(shared) == {threads} if threads > 1 else not shared
        hashes.add(world.hash())
    assert len(hashes) == 1


def bits(world: pl.World, names) -> list[bytes]:
    """Of the motion of some bodies."""
    bodies = [world[n] for n in names]
    return [np.concatenate([b.position, b.quaternion, b.velocity, b.angular_velocity]).tobytes() for b in bodies]


@pytest.mark.parametrize("kind", ["swing", "heap"])
def test_islands_do_not_disturb_each_other(kind):
    """Oracle: the bits of an island's motion with and without other islands in the scene."""
    alone = crowd(1, 0) if kind == "swing" else crowd(0, 1)
    among = crowd(3, 3)
    alone.run(1.0)
    among.run(1.0)
    assert bits(alone, alone.body_names) == bits(among, alone.body_names)


def test_another_island_in_trouble_is_no_trouble():
    """Oracle: as above, while a neighbour is kicked so hard that its substeps are halved."""
    calm, wild = crowd(2, 1), crowd(2, 1)
    wild["lower1"].angular_velocity = (300.0, 0, 500.0)
    wild["upper1"].velocity = (0, 50.0, 0)
    calm.run(0.5)
    wild.run(0.5)
    names = ["upper0", "lower0", "box0_0", "box0_1", "box0_2"]
    assert bits(calm, names) == bits(wild, names)


def test_a_restored_world_continues_with_the_same_bits(tmp_path):
    """Oracle: the run that was never interrupted; contacts, controls and time included."""
    world = crowd()
    world.run(0.5)
    world.save(tmp_path / "half.pliant")
    other = pl.World.restore(tmp_path / "half.pliant")
    assert other.hash() == world.hash() and other.time == world.time
    for _ in range(30):
        assert world.step().hash == other.step().hash


def test_a_world_is_not_changed_by_being_looked_at():
    """Oracle: equal bits with and without reading everything there is to read."""
    plain, watched = crowd(2, 2), crowd(2, 2)

    def look(w):
        _ = w.contacts, w.energy(), w.hash(), w.body_poses(), w["top0"].force, w["spring0"].force, w["box0_0"].contact_force

    plain.run(0.5)
    watched.run(0.5, each=look)
    assert plain.hash() == watched.hash()


SMALL = """
import numpy as np, pliant as pl
scene = pl.Scene()
scene.add(pl.Ground())
scene.add(pl.Body("box", pl.Box(0.2, 0.3, 0.2), mass=1.0, position=(0, 0, 0.0998), velocity=(0.5, 0, 0)))
scene.add(pl.Body("ball", pl.Sphere(0.1), mass=1.0, position=(0.25, 0.02, 0.0999)))
scene.add(pl.Body("arm", pl.Capsule(0.05, 0.4), mass=1.0, position=(2, 0, 2)))
scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(2, 0, 2.2), axis=(0, 1, 0), motor=pl.VelocityMotor(1.0, 5.0)))
scene.add(pl.Spring("spring", pl.WORLD, "ball", stiffness=50.0, at_a=(0, 0, 1)))
world = pl.World(scene, substeps=2, threads=1)
for _ in range(4):
    world.step()
for body in (world[name] for name in world.body_names):
    print(*(repr(float(x)) for x in (*body.position, *body.velocity, *body.angular_velocity)))
"""


def test_without_the_compiler_the_result_is_the_same():
    """Oracle: the compiled run, to 1e-9: contracted multiply-adds round differently.

    The bodies start a little way into the ground, so that no decision, touching or not, hangs on a rounding.
    """
    results = []
    for extra in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        done = subprocess.run([sys.executable, "-c", SMALL], env={**os.environ, **extra, "PYTHONPATH": str(ROOT)},
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
        results.append(np.array([float(x) for x in done.stdout.split()]))
    assert len(results[0]) == 27 and np.abs(results[0] - results[1]).max() < 1e-9
