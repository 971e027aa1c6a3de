"""Ropes of all methods in one world: the same bits by any threads and from files."""

from math import pi

import numpy as np
import pytest

import pliant as pl

METHODS = ("direct", "impulse", "position", "compliant")
SOFT = pl.Material(density=1200.0, young=0.05e6, shear=0.1e6)
"""Paper A's rope."""


def herd(threads: int) -> pl.World:
    """Ropes of all methods side by side, more than enough to be shared among threads."""
    scene = pl.Scene()
    for k in range(12):
        rope = scene.add(pl.Rope(f"r{k}", path=[(0, k, 0), (1.4, k, 0)], points=9, radius=0.015, material=SOFT,
                                 method=METHODS[k % 4]))
        scene.pin(rope.start)
        scene.add(pl.Body(f"b{k}", pl.Sphere(0.05), mass=0.3, position=(1.45, k, 0)))
        scene.attach(rope.end, f"b{k}", at=(-0.05, 0, 0))
    return pl.World(scene, dt=1 / 100, substeps=2, threads=threads)


def test_a_rope_says_its_mass_however_it_is_held():
    """Oracle: rho pi r^2 l, and the mass as given, to the rounding of sums; halves of elements at held ends count."""
    world = herd(1)
    for k, method in enumerate(METHODS):
        assert world[f"r{k}"].mass == pytest.approx(1200.0 * pi * 0.015**2 * 1.4, rel=1e-14), method
        given = pl.Scene()
        given.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=[0, 0.2, 0.5, 1], radius=0.01, mass=0.3, bend=1, twist=1,
                          method=method))
        assert pl.World(given)["r"].mass == pytest.approx(0.3, rel=1e-14), method


def test_threads_change_no_bit():
    """Oracle: equal bits of 12 islands, 200 movers, by all methods."""
    assert len({herd(threads).run(0.3).hash for threads in (1, 2, 3)}) == 1


def test_a_saved_world_goes_on_with_the_same_bits(tmp_path):
    world = herd(1)
    world.run(0.2)
    world.save(tmp_path / "herd.npz")
    again = pl.World.restore(tmp_path / "herd.npz")
    assert np.array_equal(again["r1"].tension, world["r1"].tension), "readings come from the state"
    assert world.run(0.2).hash == again.run(0.2).hash
    world.reset()
    assert world.run(0.2).hash == herd(1).run(0.2).hash
