"""Bars between fixed points, nearly or exactly straight: they hang still, pull as statics says, and gain nothing."""

from math import atan2, cos, sin, sqrt

import numpy as np
import pytest
from oracle_tools import G

import pliant as pl

LENGTH, MASS = 1.0, 1.0  # of a bar [m], [kg]


def places(bars: int, slack: float) -> np.ndarray:
    """Where the ends of two or three bars are that hang between points `slack` [-] nearer than their lengths, (n + 1, 3)."""
    span = bars * LENGTH * (1.0 - slack)
    run = (span - (bars - 2) * LENGTH) / 2
    sag = sqrt(max(LENGTH**2 - run**2, 0.0))
    return np.array([(0, 0, 0), (run, 0, -sag), *([(run + LENGTH, 0, -sag)] if bars == 3 else []), (span, 0, 0)])


def hung(bars: int, slack: float) -> pl.World:
    """Bars on ball joints, at rest."""
    scene, ends, before = pl.Scene(), places(bars, slack), pl.WORLD
    for k in range(bars):
        a, b = ends[k], ends[k + 1]
        lean = -atan2(b[2] - a[2], b[0] - a[0])
        scene.add(pl.Body(f"bar{k}", pl.Box(0.9 * LENGTH, 0.05, 0.05), mass=MASS, position=tuple((a + b) / 2), collide=False,
                          quaternion=(cos(lean / 2), 0, sin(lean / 2), 0)))
        scene.add(pl.Spherical(f"joint{k}", before, f"bar{k}", anchor=tuple(a)))
        before = f"bar{k}"
    scene.add(pl.Spherical("last", before, pl.WORLD, anchor=tuple(ends[-1])))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("slack", [1e-6, 1e-5, 3e-4, 1e-3, 3e-3, 1e-2, 0.1])
@pytest.mark.parametrize("bars", [2, 3])
def test_taut_bars_hang_still(bars, slack):
    """Oracle: statics. Any such shape is at rest, by symmetry; half of the weight hangs on the last joint, and moments about
    the other end of the last bar say how it pulls, H sag = V run - w run / 2. A gap of 1e-8 m, which counts as closed,
    lets the middle go by that through the slope."""
    world, (run, _, sag) = hung(bars, slack), abs(places(bars, slack)[1])
    start = np.array([world[f"bar{k}"].position for k in range(bars)])
    world.run(2.0)
    now = np.array([world[f"bar{k}"].position for k in range(bars)])
    assert np.abs(now - start).max() < 1e-8 * run / sag
    assert world.energy().kinetic < 1e-12
    up = 0.5 * bars * MASS * G
    pull = (up - 0.5 * MASS * G) * run / sag
    assert np.abs(world["last"].force) == pytest.approx([pull, 0.0, up], rel=1e-4, abs=1e-4 * pull)


@pytest.mark.parametrize("slack", [0.0, 1e-12])
@pytest.mark.parametrize("bars", [2, 3])
def test_straight_bars_gain_nothing(bars, slack):
    """Oracle: conservation. Nothing but infinite forces could hold these; a substep may gain 1e-5 of the kinetic energy, with
    the weights lifted by 0.1 m added, and no more."""
    world = hung(bars, slack)
    start, allowed = world.energy().total, 0.0
    for _ in range(120):
        report = world.step()
        allowed += 1e-5 * report.substeps * (report.energy.kinetic + 0.1 * G * MASS * bars)
        assert report.energy.total - start <= allowed
        assert report.drift <= 1e-4
