"""Islands do not disturb each other: what stands far from something that spins has the same bits as without it."""

import numpy as np
import pytest

import pliant as pl


def stand(spin: float | None) -> pl.World:
    """A stack, a sprung pendulum, and a bar on a hinge that spins against a post 50 m away, if it is there at all."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(3):
        scene.add(pl.Body(f"b{k}", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0.02 * k, 0, 0.12 + 0.21 * k)))
    scene.add(pl.Body("bob", pl.Sphere(0.1), mass=1.0, position=(3, 0, 1)))
    scene.add(pl.Spring("s", pl.WORLD, "bob", at_a=(3, 0.4, 2), stiffness=100.0, damping=1.0))
    if spin is not None:
        scene.add(pl.Body("bar", pl.Box(1.0, 0.05, 0.05), mass=1.0, position=(50.5, 0, 1), angular_velocity=(0, 0, spin),
                          velocity=(0, 0.5 * spin, 0)))
        scene.add(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(50, 0, 1), axis=(0, 0, 1)))
        scene.add(pl.Body("post", pl.Cylinder(0.05, 0.5), fixed=True, position=(49.2, 0, 1)))
    return pl.World(scene)


@pytest.mark.parametrize("spin", [3.0, 60.0, 100.0])
def test_far_apart(spin):
    """Oracle: the same things alone, to the bit; the bar stops at the post."""
    alone, world = stand(None), stand(spin)
    for _ in range(90):
        alone.step()
        world.step()
        for name in ("b0", "b1", "b2", "bob"):
            assert np.array_equal(alone[name].position, world[name].position)
            assert np.array_equal(alone[name].contact_force, world[name].contact_force)
    assert abs(world["hinge"].angle) < 3.2


def lie(far: str | None, loaded: bool) -> pl.World:
    """A jelly, a sheet and a pad, `loaded` by a box, each falling for itself, and something far away that asks for substeps."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("jelly", pl.Box(0.3, 0.2, 0.2), spacing=0.1, material="jelly", position=(0, 0, 0.3)))
    scene.add(pl.Cloth("sheet", pl.Sheet(0.5, 0.5, 0.1), thickness=0.004, position=(2, 0, 0.3)))
    scene.add(pl.Solid("pad", pl.Box(0.3, 0.2, 0.2), spacing=0.1, material="rubber", position=(4, 0, 0.12)))
    if loaded:
        scene.add(pl.Body("load", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(4, 0, 0.3)))
    if far == "box":
        scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(50, 0, 0.3)))
    elif far == "rope":
        rope = scene.add(pl.Rope("rope", path=[(50, 0, 2), (51, 0, 2)], points=12, radius=0.01, material="steel rope"))
        scene.pin(rope.start)
    elif far == "hinge":
        scene.add(pl.Body("bar", pl.Box(0.3, 0.05, 0.05), mass=1.0, position=(50.15, 0, 1)))
        scene.add(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(50, 0, 1), axis=(0, 1, 0), motor=pl.VelocityMotor(100, 100)))
    elif far == "cloth":
        scene.add(pl.Body("table", pl.Cylinder(0.15, 0.2), fixed=True, position=(50, 0, 0.1)))
        scene.add(pl.Cloth("cloth", pl.Sheet(0.8, 0.8, 0.04), thickness=0.004, material="cotton", position=(50, 0, 0.4)))
    elif far == "ball":
        scene.add(pl.Cloth("ball", octahedron(0.1), thickness=0.001, pressure=300.0, method="position", position=(50, 0, 1)))
    return pl.World(scene)


def octahedron(radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners [m] (6, 3) and faces (8, 3), outwards."""
    corners = radius * np.concatenate([np.eye(3), -np.eye(3)])
    faces = [(a, b, c) if (a < 3) ^ (b < 3) ^ (c < 3) else (a, c, b) for a in (0, 3) for b in (1, 4) for c in (2, 5)]
    return corners, np.array(faces)


@pytest.mark.parametrize("far", ["box", "rope", "hinge", "cloth", "ball"])
@pytest.mark.parametrize("loaded", [False, True])
def test_soft_things_far_apart(far, loaded):
    """Oracle: the same things alone, to the bit; the cloth over a table has steps that are taken again, the ball short ones."""
    alone, world = lie(None, loaded), lie(far, loaded)
    for _ in range(60):
        alone.step()
        world.step()
        for name in ("jelly", "sheet", "pad"):
            assert np.array_equal(alone[name].positions, world[name].positions)
            assert np.array_equal(alone[name].contact_force, world[name].contact_force)


def hits(which: tuple[int, ...]) -> pl.World:
    """Pairs of planks, 50 m from each other, that meet askew at different speeds: their steps are taken in 1, 4 or 16 parts."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for k, speed in enumerate((5.0, 5.0, 3.0, 0.5)):
        turn = np.random.default_rng(k).normal(size=(2, 4))
        turn /= np.linalg.norm(turn, axis=1)[:, None]
        for name, one, place, down in (("a", turn[0], (50 * k, 0, 0), 0), ("b", turn[1], (50 * k + 0.15, 0.05, 0.6), -speed)):
            if k in which:
                scene.add(pl.Body(f"{name}{k}", pl.Box(0.6, 0.2, 0.1), mass=1.0, position=place, velocity=(0, 0, down),
                                  quaternion=tuple(one)))
    return pl.World(scene)


def test_hits_apart():
    """Oracle: each pair alone, to the bit, though others go in other parts of a step; and none passes through."""
    world, alone, parts = hits((0, 1, 2, 3)), [hits((k,)) for k in range(4)], set()
    for _ in range(60):
        world.step()
        for k, one in enumerate(alone):
            parts.add(one.step().substeps)
            for name in (f"a{k}", f"b{k}"):
                assert np.array_equal(one[name].position, world[name].position)
                assert np.array_equal(one[name].quaternion, world[name].quaternion)
                assert np.array_equal(one[name].contact_force, world[name].contact_force)
    assert parts == {8, 16}, "steps were taken whole and in 16 parts"
    assert all(world[f"a{k}"].velocity[2] < 0.0 for k in range(4))
