"""Soft things that touch gain no energy in any step, also where their rows cannot be solved in time."""

import numpy as np
import pytest

import pliant as pl
from pliant.couple.soft.energy import MUCH
from pliant.equations.rigid.point_masses import rigid_motion

EPS = np.finfo(float).eps


def two_slabs(young: float, mass: float) -> pl.World:
    """Two slabs of 10 x 10 x 5 cm on each other on the ground, a box of 7 x 7 cm falling on them."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(2):
        scene.add(pl.Solid(f"slab{k}", pl.Box(0.1, 0.1, 0.05), spacing=0.025, position=(0.003 * k, 0, 0.026 + 0.052 * k),
                           material=pl.Material(1000.0, young, poisson=0.3)))
    scene.add(pl.Body("box", pl.Box(0.07, 0.07, 0.1), mass=mass, position=(0, 0, 0.156)))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize(("young", "mass"), [(1e7, 20.0), (1e7, 200.0), (1e8, 20.0)])
def test_no_step_gains(young, mass):
    """Oracle: energy less work never rises by more than what one step may leave untouched (MUCH of all that moves and strains
    and of a step of free fall) and what lifts the slabs out of where they have sunk; these cases were thrown up by 1e2 to
    1e4 J. The box neither falls through nor flies."""
    world = two_slabs(young, mass)
    now = world.energy()
    before, fall, deep = now.total - now.work, 0.5 * (mass + 1.0) * (9.81 * world.dt) ** 2, 0.0
    for _ in range(24):
        report = world.step()
        now = report.energy
        lift = 9.81 * max(deep, report.penetration)  # of the two slabs, 1 kg
        assert now.total - now.work - before <= MUCH * (now.kinetic + now.elastic + fall) + lift
        before, deep = now.total - now.work, report.penetration
        assert 0.05 < world["box"].position[2] < 0.16


@pytest.mark.parametrize("flat", [False, True])
def test_the_rigid_motion_has_all_momentum(flat):
    """Oracle: sums over the points, to rounding; what is left moves nothing and turns nothing."""
    rng = np.random.default_rng(4)
    mass, position, velocity = rng.uniform(0.1, 2.0, 30), rng.normal(size=(30, 3)), rng.normal(size=(30, 3))
    position[:, 2] *= not flat
    left = velocity - rigid_motion(position, velocity, mass)
    size = float(mass @ np.linalg.norm(velocity, axis=1)) * np.abs(position).max()
    assert np.abs(mass @ left).max() <= 100 * EPS * size
    assert np.abs((mass[:, None] * np.cross(position, left)).sum(axis=0)).max() <= 1000 * EPS * size


def test_a_rigid_motion_is_its_own():
    """Oracle: v + w x r, to rounding."""
    rng = np.random.default_rng(5)
    mass, position = rng.uniform(0.1, 2.0, 30), rng.normal(size=(30, 3))
    velocity = np.array((1.0, -2.0, 0.5)) + np.cross((0.3, 2.0, -1.0), position)
    assert np.abs(rigid_motion(position, velocity, mass) - velocity).max() <= 1e3 * EPS * np.abs(velocity).max()
