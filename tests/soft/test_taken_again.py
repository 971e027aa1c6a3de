"""Steps of soft things that gained energy are taken again a bounded number of times, and not in ways that have just failed."""

import numpy as np
import pytest

import pliant as pl
from pliant.couple.soft.again import Manner, take_again
from pliant.couple.soft.pace import HOLD, MOST, Pace


class Tried:
    """A step that gains as a table says, in place of an engine and its solver of soft things."""

    def __init__(self, gains: dict[Manner, float], pushing: bool) -> None:
        self.gains, self.buffer = gains, np.zeros(1)
        self.manner, self.manners = Manner(), []
        self.pushing = {0} if pushing else set()
        self.gained = {0: gains[Manner()]}

    def hasten(self, i: int, times: int, sunk: bool) -> None:
        """As SoftSolver has it."""
        self.manner = Manner(times, sunk)

    def advance(self) -> None:
        """As Engine has it."""
        self.manners.append(self.manner)
        gain = self.gains[self.manner]
        self.gained = {0: gain} if gain > 0.0 else {}

    def take(self) -> list[Manner]:
        """The manners that it is taken again in."""
        take_again(self, self, self.buffer.copy())
        return self.manners


def test_what_pushing_out_brought_is_taken_again_without_it():
    """And in no more substeps than before, for these push faster."""
    gains = {Manner(): 0.5, Manner(0, True): 0.0}
    assert Tried(gains, pushing=True).take() == [Manner(0, True)]


def test_other_gains_are_taken_again_in_shorter_substeps():
    """The last of them pushes nothing out."""
    gains = {Manner(): 0.5, Manner(1, False): 0.2, Manner(2, True): 0.0}
    assert Tried(gains, pushing=False).take() == [Manner(1, False), Manner(2, True)]


def test_the_try_that_gains_least_counts():
    """It is taken once more where it is not the last, which makes four in all."""
    gains = {Manner(): 0.5, Manner(0, True): 0.1, Manner(2, True): 0.3}
    assert Tried(gains, pushing=True).take() == [Manner(0, True), Manner(2, True), Manner(0, True)]


def test_what_has_sunk_in_is_left_so_for_a_while_then_tried():
    """Steps between two tries cost what a plain step costs, and substeps become fewer meanwhile."""
    pace = Pace()
    pace._table, thing = np.array([[4.0, 1.0, 4.0, 0.0]]), [0]
    pace.hasten(thing, 1, 0, True)
    seen = []
    for _ in range(HOLD + 2):
        seen.append((pace.sunk(thing), pace.probes(thing)))
        pace.settle(thing, 1, 0.0, True)
    # the step that is taken again itself, HOLD more, then a try
    assert seen == [(True, False)] * HOLD + [(False, True), (False, False)]
    assert pace.of(thing, 1) < 4


@pytest.mark.parametrize("start", [0.11, 0.1101, 0.111])
def test_a_towel_that_fell_in_a_heap_lies_there_in_few_substeps(start):
    """A vertex that others hold below a triangle that it was above was pushed both ways: every step was taken thrice, in 4, 8
    and 16 substeps, at 240 ms. How the towel crumples differs by its `start` and even by rounding. Oracle: a step that gains
    nothing is not taken again, and takes no more substeps than sweeps may ask for, MOST times the plan, which is one; a
    tenth of the steps may gain something, as vertices still slip past each other."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.2))
    scene.add(pl.Body("rail", pl.Capsule(0.03, 0.8), quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0), position=(0, 0, 1.2),
                      fixed=True, friction=0.1))
    scene.add(pl.Cloth("towel", pl.Sheet(1.0, 0.4, 0.025), thickness=0.004, material=pl.Material(density=400, young=2e5),
                       bend=1e-5, position=(start, 0, 1.24), friction=0.1))
    world = pl.World(scene, threads=1)
    world.run(2.5)
    assert world.substeps == 1
    assert sum(world.step().substeps > MOST for _ in range(30)) <= 3
