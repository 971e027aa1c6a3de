"""Soft things that touch go on with the same bits when they are saved and restored anywhere, reset, or given more threads."""

import numpy as np
import pytest

import pliant as pl
from pliant.record.snapshot import named_arrays

MORE = 20
"""Steps that are compared after a restore."""


def tilted(axis: tuple[float, float, float], angle: float) -> tuple[float, ...]:
    """A quaternion."""
    return (float(np.cos(angle / 2)), *(float(np.sin(angle / 2)) * np.array(axis)))


def on_ground(*things, friction: float = 0.6) -> pl.Scene:
    scene = pl.Scene()
    for one in (pl.Ground(friction=friction), *things):
        scene.add(one)
    return scene


def tipping_block() -> pl.Scene:
    """Rubber that falls over."""
    return on_ground(pl.Solid("block", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material="rubber", position=(0.0, 0.0, 0.165),
                              quaternion=tilted((0, 1, 0), 0.25), friction=0.6))


def pad_under_a_box() -> pl.Scene:
    """Which lands on it."""
    return on_ground(pl.Solid("pad", pl.Box(0.4, 0.4, 0.1), spacing=0.1, material="rubber", position=(0.0, 0.0, 0.051)),
                     pl.Body("box", pl.Box(0.2, 0.2, 0.1), mass=5.0, position=(0.0, 0.0, 0.16)))


def cloth_on_a_ball() -> pl.Scene:
    """From which it slides."""
    return on_ground(pl.Body("ball", pl.Sphere(0.2), mass=5.0, position=(0.0, 0.0, 0.2)),
                     pl.Cloth("cloth", pl.Sheet(0.8, 0.8, 0.1), 0.004, position=(0.03, 0.0, 0.41)))


def cloth_on_a_hub() -> pl.Scene:
    """A flag on a motor."""
    scene = pl.Scene()
    hub = scene.add(pl.Body("hub", pl.Cylinder(0.05, 0.4), mass=1.0, position=(0.0, 0.0, 1.0)))
    scene.add(pl.Revolute("axle", pl.WORLD, hub, anchor=(0, 0, 1), axis=(0, 0, 1), motor=pl.VelocityMotor(4.0, 5.0)))
    flag = scene.add(pl.Cloth("flag", pl.Sheet(0.4, 0.3, 0.1), 0.002, position=(0.25, 0.0, 1.0),
                              quaternion=tilted((1, 0, 0), np.pi / 2)))
    scene.attach(flag.vertices(flag.placed()[:, 0] < 0.0501), hub)
    return scene


def squeezed(material: str, way: float) -> pl.Scene:
    """By a press that comes down so far [m]; strained so much that its second derivative is taken, and kept."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Solid("block", pl.Box(0.2, 0.2, 0.2), spacing=0.1, material=material, position=(0.0, 0.0, 0.1), friction=0.8))
    scene.add(pl.Body("table", pl.Box(0.6, 0.6, 0.1), fixed=True, position=(0.0, 0.0, -0.05)))
    down = pl.Motion([0.0, 0.5, 3.0], positions=[(0, 0, 0), (0, 0, -way), (0, 0, -way)], smooth=True)
    scene.add(pl.Body("press", pl.Box(0.6, 0.6, 0.1), motion=down, position=(0.0, 0.0, 0.25), friction=0.8))
    return scene


def squeezed_jelly() -> pl.Scene:
    """To a fifth of its height: some cells come inside out."""
    return squeezed("jelly", 0.16)


def squeezed_rubber() -> pl.Scene:
    """That hardly changes its volume."""
    return squeezed("near-incompressible", 0.04)


def patch_ball() -> pl.Scene:
    """Thrown to the ground: its relief lags behind by a step."""
    return on_ground(pl.Solid("ball", pl.PatchMesh.sphere(0.1, 20), position=(0.0, 0.0, 0.105), velocity=(1.0, 0.0, 0.0)))


def mixed_stack() -> pl.Scene:
    """Of fine and coarse blocks in turn."""
    return on_ground(*(pl.Solid(f"block{k}", pl.Box(0.2, 0.2, 0.1), spacing=(0.05, 0.1)[k % 2], material="rubber",
                                position=(0.03 * k, 0.0, 0.0505 + 0.101 * k), friction=0.6) for k in range(3)))


def sail() -> pl.Scene:
    """Held along two edges, in the wind."""
    scene = pl.Scene()
    sheet = scene.add(pl.Cloth("sail", pl.Sheet(1.0, 1.0, 0.2), 0.001, position=(0, 0, 1), quaternion=tilted((0, 1, 0), 1.5)))
    scene.pin(sheet.vertices(np.abs(sheet.rest[:, 0]) > 0.499), name="mast")
    scene.add(pl.Wind("wind", (10.0, 0.0, 0.0)))
    return scene


def tyre_on_a_motor() -> pl.Scene:
    """A square one, tied to its hub."""
    hub = pl.Body("hub", pl.Cylinder(0.05, 0.1), mass=2.0, position=(0.0, 0.0, 0.11), quaternion=tilted((1, 0, 0), np.pi / 2))
    tyre = pl.Solid("tyre", pl.Box(0.2, 0.1, 0.2), spacing=0.05, material="rubber", position=(0.0, 0.0, 0.11))
    scene = on_ground(hub, tyre, pl.Body("car", pl.Box(0.1, 0.3, 0.05), mass=3.0, position=(0.0, 0.3, 0.11), collide=False))
    scene.attach(tyre.vertices(np.linalg.norm(tyre.rest[:, [0, 2]], axis=1) < 0.06), hub)
    scene.add(pl.Revolute("axle", "car", hub, anchor=(0, 0, 0.11), axis=(0, 1, 0), motor=pl.VelocityMotor(3.0, 5.0)))
    return scene


def pushed_plate() -> pl.Scene:
    """Onto a jelly, so hard that its first step is taken again."""
    scene = on_ground(pl.Solid("jelly", pl.Box(0.2, 0.15, 0.1), spacing=0.05, material="jelly", position=(0.0, 0.0, 0.0501)),
                      pl.Body("plate", pl.Box(0.3, 0.3, 0.02), mass=1.0, position=(0.0, 0.0, 0.115)))
    scene.add(pl.Load("push", "plate", force=(0, 0, -200)))
    return scene


SCENES = {one.__name__: one for one in (
    tipping_block, pad_under_a_box, cloth_on_a_ball, cloth_on_a_hub, squeezed_jelly, squeezed_rubber, patch_ball, mixed_stack,
    sail, tyre_on_a_motor, pushed_plate)}


def hashes(world: pl.World, steps: int) -> list[str]:
    return [world.step().hash for _ in range(steps)]


@pytest.mark.parametrize("build", SCENES.values(), ids=SCENES)
def test_restored_reset_or_on_two_threads_the_run_has_the_same_bits(build, tmp_path):
    """Oracle: the hashes of the uninterrupted run, and every array of the state where it ends."""
    world = pl.World(build(), threads=1)
    run, others = [], []
    for k in range(3):
        run += hashes(world, 13)
        world.save(tmp_path / f"{k}")
        others.append((len(run), pl.World.restore(tmp_path / f"{k}")))
    run += hashes(world, MORE)
    for done, restored in others:
        assert hashes(restored, len(run) - done) == run[done:]
        for (name, one), (_, same) in zip(named_arrays(world._engine.state), named_arrays(restored._engine.state), strict=True):
            assert np.array_equal(one, same), name
    world.reset()
    assert hashes(world, len(run)) == run
    assert hashes(pl.World(build(), threads=2), len(run)) == run


def test_the_squeezed_block_keeps_its_second_derivative():
    """What the test above is about: one that was made steps ago, at another place than where the solid is."""
    world = pl.World(squeezed_rubber(), threads=1)
    kept = 0
    for _ in range(60):
        before = world._engine.state.soft.curved_at.copy()
        world.step()
        soft = world._engine.state.soft
        kept += soft.curved_for[0] > 0.0 and np.array_equal(before, soft.curved_at)
    assert kept > 10 and not np.array_equal(soft.curved_at, world["block"].positions)


def test_the_first_step_after_a_restore_has_the_bits_of_the_run(tmp_path):
    """Oracle: the hash of the uninterrupted run. What was solved for before the save is not there after it."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.5))
    for k in range(2):
        scene.add(pl.Solid(f"cube{k}", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, 2e5, poisson=0.3),
                           position=(0.02 * k, 0.0, 0.08 + 0.13 * k), quaternion=(0.96, 0.2, 0.15, 0.1), friction=0.5))
    world = pl.World(scene, threads=1)
    for _ in range(12):
        world.run(4 * world.dt)
        world.save(tmp_path / "world")
        restored = pl.World.restore(tmp_path / "world")
        assert restored.step().hash == world.step().hash
    assert len(world.contacts.a), "they touch"


def test_contacts_that_have_all_let_go_know_nothing_of_those_before(tmp_path):
    """Oracle: the hash of the uninterrupted run. A capsule hits a cube in the air, and as they part none of
    their contacts pushes; a step of Newton's method was then one that was found in the step before."""
    def unit(*q: float) -> tuple[float, ...]:
        return tuple(np.array(q) / np.linalg.norm(q))

    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Solid("cube", pl.Box(0.2, 0.2, 0.2), spacing=0.1, material=pl.Material(804.68, 54503.45, poisson=0.29),
                       method="quasi-newton", friction=0.74, position=(0.0, 0.1, 0.75),
                       quaternion=unit(-0.08, 0.02, 0.46, 0.89)))
    scene.add(pl.Body("capsule", pl.Capsule(0.09, 0.1), mass=0.818, velocity=(-1.0, 0.0, 0.0),
                      position=(0.5, 0.01, 0.75), quaternion=unit(-0.58, -0.31, 0.26, -0.7)))
    world, touches = pl.World(scene, threads=1), []
    for _ in range(24):
        world.save(tmp_path / "world")
        restored = pl.World.restore(tmp_path / "world")
        assert restored.step().hash == world.step().hash
        touches.append(len(world.contacts.a))
    assert max(touches) > 0 and touches[-1] == 0, "they touch, and part"
