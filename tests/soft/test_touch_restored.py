"""Solids that tumble over each other go on with the same bits when they are saved and restored anywhere."""

import pliant as pl


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
