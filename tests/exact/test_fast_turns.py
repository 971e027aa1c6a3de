"""What turns far in a step does not pass what stands in its way, and readings tell all that it gave there."""

from math import asin, cos, sin, sqrt

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

DISTANCE = 0.8
"""Of the post from the hinge [m]."""


def bar_and_post(half: float, radius: float, rate: float, angle: float, dt: float) -> pl.World:
    """A bar of 1 kg, 1 m and `half` its thickness [m] on a hinge that turns at `rate` [rad/s] against a fixed post of
    `radius` [m] at `angle` [rad]."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("bar", pl.Box(1.0, 2 * half, 2 * half), mass=1.0, position=(0.5, 0, 0), angular_velocity=(0, 0, rate),
                      velocity=(0, 0.5 * rate, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(0, 0, 0), axis=(0, 0, 1)))
    scene.add(pl.Body("post", pl.Cylinder(radius, 0.5), fixed=True, position=(DISTANCE * cos(angle), DISTANCE * sin(angle), 0)))
    return pl.World(scene, dt=dt)


@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
@pytest.mark.parametrize("rate", [20.0, 40.0, 100.0])
@pytest.mark.parametrize(("half", "radius"), [(0.025, 0.05), (0.01, 0.01)])
def test_a_bar_stops_at_a_post(half, radius, rate, dt):
    """Oracle: the angle at which bar and post touch, for posts at all angles; contacts stop it within the gap
    of 5 mm at which shapes at rest have contacts. Its angular momentum goes into them: the sum of F r dt is I w, to 3 %, as r
    may be anywhere on the flat side of the post."""
    touching, reach = asin((half + radius) / DISTANCE), sqrt(DISTANCE**2 - (half + radius) ** 2)
    inertia = (1.0 + (2 * half) ** 2) / 12.0 + 0.25
    for angle in np.linspace(0.6, 3.0, 9):
        world, pushed = bar_and_post(half, radius, rate, angle, dt), 0.0
        guard, across = EnergyGuard(world), np.array([-sin(angle - touching), cos(angle - touching), 0.0])
        for _ in range(round(0.5 / dt)):
            world.step()
            guard(world)
            pushed -= dt * reach * float(across @ world["bar"].contact_force)
        assert world["hinge"].angle == pytest.approx(angle - touching, abs=0.005 / DISTANCE)
        assert pushed == pytest.approx(inertia * rate, rel=0.03)
