"""A direct rope of 1,000 elements holds 1,000 times its own weight: tension and stretch, hanging still and swinging.

Its time a step is measured by `pliant bench ropes`.
"""

import numpy as np
import oracles
import pytest
from direct import CLOSE, within
from oracles import G

import pliant as pl

N, MASS, LENGTH, TIMES, STEP = 1000, 0.5, 10.0, 1000.0, 1.0 / 60.0


def laden(angle: float, drag: float = 0.0, **rope) -> pl.World:
    """A rope of 10 m and 0.5 kg with 500 kg at its end, `angle` [rad] from the vertical."""
    scene, end = pl.Scene(drag=drag), LENGTH * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    scene.add(pl.Rope("r", path=[(0, 0, 0), end], points=N + 1, radius=0.01, mass=MASS, bend=1e-2, twist=1e-2, **rope))
    scene.add(pl.Body("load", pl.Sphere(0.2), mass=TIMES * MASS, position=end, collide=False))
    scene.pin("r.start")
    scene.attach("r.end", "load", at=(0, 0, 0))
    return pl.World(scene, dt=STEP, substeps=1, threads=1)


def test_it_hangs_still():
    """Oracle: tension in the middle of an element is the weight below it, from the first step on; lengths stay."""
    world = laden(0.0)
    below = G * MASS * (TIMES + 1.0 - (np.arange(N) + 0.5) / N)
    for _ in range(30):
        report = world.step()
        within("tension over the weight below", np.abs(world["r"].tension / below - 1.0).max(), 1e-9)
        within("stretch", report.stretch, CLOSE)
    within("where the load is [m]", np.abs(world["load"].position - [0, 0, -LENGTH]).max(), CLOSE * LENGTH / N)


def test_it_swings():
    """Oracles: no element stretches beyond what Newton's method leaves; at the bottom T = m g (3 - 2 cos a).

    The rope's mass moves the period and tension by about its share, 1e-3; the load's own inertia by (2/5) (r/L)^2 = 1.6e-4.
    """
    amplitude = 1.0
    world, most, tension = laden(amplitude), 0.0, 0.0
    for _ in range(round(oracles.pendulum_period(LENGTH, amplitude) / 2.0 / STEP)):
        most = max(most, world.step().stretch)
        tension = max(tension, float(world["r"].tension[-1]))
    within("stretch", most, CLOSE)
    within("tension at the bottom", abs(tension / oracles.pendulum_tension(TIMES * MASS, amplitude) - 1.0), 2e-3)


@pytest.mark.parametrize("stretching", [5e4, 5e6])
def test_it_stretches_as_it_should(stretching):
    """Oracle: closed form of a rope that stretches under its load and its own weight: the tip, and the whole length."""
    rate = np.sqrt(stretching / (LENGTH * TIMES * MASS))  # of the load on its rope [rad/s]: damped critically it is gone by 20
    world = laden(0.0, drag=2.0 * rate, stretch=stretching, shear=stretching)
    world.run(20.0 / rate)
    exact = float(oracles.hanging_stretch(LENGTH, LENGTH, MASS, stretching, TIMES * MASS * G))
    within("sinking of the load", abs((-world["load"].position[2] - LENGTH) / exact - 1.0), 1e-6)
    within("length", abs((world["r"].length - LENGTH) / exact - 1.0), 1e-6)
