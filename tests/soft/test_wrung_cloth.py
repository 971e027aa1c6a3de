"""Cloth wrung by its ends does not pass through itself, or it is said. Oracle: every edge against every triangle."""

import numpy as np
from crossings import crossings

import pliant as pl


def wrung(turns: float, size: tuple[float, float], spacing: float, thickness: float, material) -> pl.World:
    """A strip whose ends are turned against each other in 4 s."""
    scene = pl.Scene(gravity=(0, 0, 0))
    cloth = scene.add(pl.Cloth("strip", pl.Sheet(*size, spacing), thickness, material=material))
    scene.pin(cloth.vertices(cloth.rest[:, 1] < -0.499 * size[1]))
    scene.pin(cloth.vertices(cloth.rest[:, 1] > 0.499 * size[1]), motion=pl.Motion(
        [0, 4], positions=[(0, 0, 0), (0, -0.05, 0)], rotations=[(0, 0, 0), (0, 2.0 * np.pi * turns, 0)]))
    return pl.World(scene, threads=1)


def test_its_folds_hold_each_other_apart():
    """A turn in 3 s: no edge through a triangle at any time, and no warning. Edges that stood out by less than the slop of
    contacts passed through each other after 2.2 s."""
    world = wrung(1.5, (0.2, 0.6), 0.02, 0.002, pl.Material(500, 1e5, poisson=0.3))
    faces = np.array(world.scene["strip"].faces)
    for k in range(180):
        assert not world.step().warnings
        assert k % 6 or crossings(world["strip"].positions, faces) == 0
    assert world._engine.state.soft_contacts.count[0] > 20


def test_what_passes_through_itself_is_told():
    """Three turns of a sheet half as wide as it is long: more than cells of 3 cm can follow. The warning says since when, and
    where, to two cells' width: from the step before on, edges lead through triangles all the time."""
    world = wrung(3.0, (0.3, 0.6), 0.03, 0.004, "cotton")
    faces = np.array(world.scene["strip"].faces)
    through, told = [], ""
    while world.time < 3.5 and not told:
        told = " ".join(world.step().warnings)
        through.append(crossings(world["strip"].positions, faces))
    assert "'strip' has passed through itself at t = " in told and "take finer cells" in told
    began = round(float(told.split("t = ")[1].split(" s")[0]) / world.dt)
    assert min(through[began - 1:]) > 0  # contacts are found where a step begins
    assert through[:15] == [0] * 15
    place = np.array([float(x) for x in told.split("at (")[1].split(")")[0].split(",")])
    assert np.abs(world["strip"].positions - place).max(axis=1).min() < 0.06
