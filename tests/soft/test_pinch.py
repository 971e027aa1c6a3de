"""Cloth in a vice: rows that contradict each other must not throw it about, nor count as work what nothing gave way to."""

import pytest

import pliant as pl


@pytest.mark.parametrize("room", [0.0, 0.003, 0.004, 0.006])
def test_a_sheet_gripped_by_two_driven_plates_stays_between_them(room):
    """Oracle: speed. Nothing moves faster than 0.3 m/s by itself (jaws and lift); a sheet 4 mm thick that is thrown about does.

    In 1.5 s of closing and lifting it falls below its corners at most; ten times what a fall through its own half width gives
    is allowed for the flapping of its free part.
    """
    scene = pl.Scene()
    scene.add(pl.Cloth("sheet", pl.Sheet(0.5, 0.5, 0.03), thickness=0.004, material=pl.Material(300, 1e5, poisson=0.3),
                       position=(0, 0, 0.5)))
    for name, side in (("lower", -1), ("upper", 1)):
        close = -side * (0.02 - 0.5 * room)
        scene.add(pl.Body(name, pl.Box(0.1, 0.1, 0.02), position=(0.2, 0, 0.5 + 0.03 * side), friction=1.0,
                          motion=pl.Motion([0, 0.2, 1.5], [(0, 0, 0), (0, 0, close), (0, 0, close + 0.3)])))
    world, fastest, work = pl.World(scene, threads=1), 0.0, 0.0
    for _ in range(90):
        energy = world.step().energy
        fastest, work = max(fastest, 2.0 * energy.kinetic / world["sheet"].mass), max(work, abs(energy.work))
    assert fastest < 10.0 * 2.0 * 9.81 * 0.25
    # what jaws can have done at most: lift all of it, and stretch all of it, half as wide as long, by as far as they went
    assert work < world["sheet"].mass * 9.81 * 0.3 + 0.5 * 1e5 * 0.004 * 0.5**2 * (0.3 / 0.25) ** 2
