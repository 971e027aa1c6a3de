"""Stiff solids that nothing touches turn as they should in the iterations that come as default. Oracle: Newton's method
at the minimum of the same step; energy, of which implicit Euler makes none."""

import numpy as np
import pytest

import pliant as pl


def spinning(kind, method, rate):
    """A cube in empty space that turns at `rate` [rad/s]."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Solid("cube", pl.Box(0.2, 0.2, 0.2), spacing=0.1, material=kind, method=method))
    world = pl.World(scene)
    world["cube"].velocities = np.cross((0, 0.6 * rate, 0.8 * rate), world["cube"].positions)
    return world


def hanging(method):
    """A bar pinned along the middle line of one end, let go level."""
    scene = pl.Scene()
    bar = scene.add(pl.Solid("bar", pl.Box(0.5, 0.05, 0.05), spacing=0.05, position=(0.25, 0, 1), method=method))
    scene.pin(bar.vertices(lambda x: (x[:, 0] < -0.2499) & (x[:, 2] < 0.0)))
    return pl.World(scene)


@pytest.mark.parametrize("kind", ["silicone", "rubber"])
@pytest.mark.parametrize("rate", [3.0, 30.0])
def test_a_turning_solid_gains_nothing_and_goes_where_newton_finds_it(kind, rate):
    world, exact = spinning(kind, "projective", rate), spinning(kind, "newton", rate)
    energy = world.energy().total
    for _ in range(12):
        before, energy = energy, world.step().energy.total
        exact.step()
        assert energy <= before * (1.0 + 1e-12)
    away = np.abs(world["cube"].positions - exact["cube"].positions).max()
    assert away <= 1e-3 * 0.2 * rate * world.time, "within a thousandth of the way that its corners have come"


def test_a_stiff_bar_swings_down_as_newton_finds_it():
    """Two dozen steps bring it from level past the vertical."""
    world, exact = hanging("projective"), hanging("newton")
    for _ in range(24):
        world.step(), exact.step()
    tip, other = world["bar"].positions[:, 0], exact["bar"].positions[:, 0]
    assert other.min() < -0.1, "it is past the vertical"
    assert np.abs(tip - other).max() <= 1e-3 * 0.5
