"""Light links that hold something heavy swing as a pendulum, keep its energy, and never stand still."""

from math import cos, pi, sin, sqrt

import pytest
from energy import EnergyGuard
from oracle_tools import about
from scipy.special import ellipk

import pliant as pl

LINKS, LENGTH, START = 6, 0.1, 1.0  # [-, m, rad from hanging]
REACH = LINKS * LENGTH


def pendulum(joint: type, mass: float) -> pl.World:
    """A ball of `mass` [kg], its centre at the last joint, on links of 1 kg; let go in a straight line."""
    scene, parent, along = pl.Scene(), pl.WORLD, (sin(START), 0.0, -cos(START))
    turn = about((0, -1, 0), START - pi / 2)
    for k in range(LINKS + 1):
        here = tuple((k * LENGTH) * a for a in along)
        if k == LINKS:
            body = pl.Body("end", pl.Sphere(0.05), mass=mass, position=here, collide=False)
        else:
            middle = tuple((k + 0.5) * LENGTH * a for a in along)
            body = pl.Body(f"link{k}", pl.Box(0.9 * LENGTH, 0.02, 0.02), mass=1.0, position=middle, quaternion=turn,
                           collide=False)
        scene.add(body)
        scene.add(joint(f"joint{k}", parent, body, anchor=here, axis=(0, 1, 0)))
        parent = body
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("joint", [pl.Revolute, pl.Spherical])
@pytest.mark.parametrize("mass", [1e3, 1e4, 1e5])
def test_heavy_ends_swing_as_a_pendulum(mass, joint):
    """Oracle: T = 4 sqrt(L / g) K(sin(a / 2)) for a point at the end of a line without mass; links of mass m make n m / M
    of difference, and the steps between which it passes some 1e-4. Energy by the helper, and no more lost than it may gain."""
    world, zeros, before = pendulum(joint, mass), [], REACH
    guard, period = EnergyGuard(world), 4.0 * sqrt(REACH / 9.81) * ellipk(sin(0.5 * START) ** 2)
    while len(zeros) < 3:
        report = world.step()
        guard(world)
        assert report.drift <= 1e-5 and not report.warnings
        now = report.energy
        assert now.total - guard.start >= -1e-3 * guard.kinetic
        x = world["end"].position[0]
        if x * before < 0.0:
            zeros.append(world.time - world.dt * x / (x - before))
        before = x
    allowed = LINKS / mass + 1e-4
    assert zeros[2] - zeros[0] == pytest.approx(period, rel=allowed)
    assert zeros[0] == pytest.approx(0.25 * period, rel=allowed)
