"""The swing against the exact motion of the same chain of rigid links, and its tip against the converged rope."""

import sys
from pathlib import Path

import numpy as np

import pliant as pl

sys.path.append(str(Path(__file__).parents[1] / "ropes"))

from energy import EnergyGuard
from oracle_chain import Chain, motion
from oracles import SWING, SWING_TIP_CONVERGED

EYE = np.array([0.0, 0.0, 3.2])


def tip_at(seconds: float, dt: float, substeps: int) -> np.ndarray:
    """Of the scene, from its eye [m]."""
    world = pl.World(pl.load("swing"), dt=dt, substeps=substeps)
    world.run(seconds)
    return world["rope"].positions[-1] - EYE


def test_it_is_paper_a_s_rope():
    rope = pl.load("swing")["rope"]
    world = pl.World(pl.load("swing"))
    assert abs(world["rope"].length - SWING.length) < 1e-12 and rope.radius == SWING.radius
    energy = world["rope"].energy
    assert np.isclose(energy.gravity.sum(), SWING.mass * 9.81 * EYE[2], rtol=1e-12)


def test_the_tip_follows_the_chain_with_an_error_of_second_order():
    """Oracle: the chain of 50 links in its angles, by DOP853; BDF2's error falls with the square of the substep."""
    chain = Chain(50, SWING.length, SWING.mass, SWING.radius, SWING.bending)
    exact = motion(chain, [0.6])[0, -1]
    errors = [np.linalg.norm(tip_at(0.6, 1 / 60, n)[[0, 2]] - exact) for n in (4, 8, 16)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 1.6).all(), (errors, orders)
    assert errors[1] < 1e-3 * SWING.length


def test_the_tip_after_a_second_is_near_the_rope_s():
    """Oracle: chains of 400 and 800 links, extrapolated. 50 links are off by 0.24 % of the length, substeps of 2.1 ms by
    at most as much again."""
    tip = tip_at(1.0, 1 / 60, 8)
    assert abs(tip[1]) < 1e-12
    assert np.linalg.norm(tip[[0, 2]] - SWING_TIP_CONVERGED) < 2 * 0.0024 * SWING.length


def test_it_makes_no_energy_and_keeps_its_length():
    world = pl.World(pl.load("swing"))
    world.on_step(EnergyGuard(world))
    worst = 0.0
    for _ in range(300):
        world.step()
        worst = max(worst, abs(world["rope"].length / SWING.length - 1.0))
    assert worst < 1e-4
