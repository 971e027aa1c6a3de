"""A stack of ten boxes comes to rest and stays."""

import numpy as np

import pliant as pl

SIDE = 0.2  # [m]


def stack() -> pl.World:
    """Ten boxes a millimetre apart."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(10):
        scene.add(pl.Body(f"box{k}", pl.Box(SIDE, SIDE, SIDE), mass=1.0, position=(0, 0, (k + 0.5) * (SIDE + 1e-3))))
    return pl.World(scene)


def speeds(world: pl.World) -> list[float]:
    return [np.linalg.norm(world[n].velocity) for n in world.body_names]


def test_stack_stands():
    """Oracle: rest. Below 1 mm/s after two seconds, and nowhere else than there by more than 1 mm afterwards."""
    world = stack()
    world.run(2.0)
    assert max(speeds(world)) < 1e-3
    start, _ = world.body_poses()
    report = world.run(60.0)
    end, _ = world.body_poses()
    assert np.abs(end - start).max() < 1e-3
    assert max(speeds(world)) < 1e-3
    assert report.penetration < 2e-3


def test_each_box_bears_those_above():
    """Oracle: weights; contact k carries (10 - k) m g, to 1 % of one box's weight after two seconds."""
    world = stack()
    world.run(2.0)
    forces = np.zeros(10)
    for _ in range(30):
        world.step()
        c = world.contacts
        for a, b, f in zip(c.a, c.b, c.force, strict=True):
            names = {a, b} - {"ground"}
            lower = 0 if len(names) == 1 else max(int(n[3:]) for n in names)
            forces[lower] += abs(f[2]) / 30
    assert np.allclose(forces, 9.81 * np.arange(10, 0, -1), atol=0.01 * 9.81)


def test_a_leaning_stack_falls():
    """Oracle: statics; a box whose centre stands beyond the edge of the one below must fall, just inside it must not."""
    for overhang, falls in ((0.48, False), (0.52, True)):
        scene = pl.Scene()
        scene.add(pl.Ground())
        scene.add(pl.Body("base", pl.Box(SIDE, SIDE, SIDE), fixed=True, position=(0, 0, SIDE / 2)))
        scene.add(pl.Body("top", pl.Box(SIDE, SIDE, SIDE), mass=1.0, position=(overhang * SIDE, 0, 1.5 * SIDE)))
        world = pl.World(scene)
        world.run(2.0)
        assert (world["top"].position[2] < 1.2 * SIDE) == falls, overhang
