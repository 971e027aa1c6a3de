"""The twisted rod stays straight below Greenhill's moment and buckles above it."""

import numpy as np
from ropes.oracle_buckling import greenhill_clamped

import pliant as pl

LENGTH, BEND, TWIST, TENSION = 1.0, 1e-3, 1e-3, 0.2
CRITICAL = greenhill_clamped(LENGTH, BEND, TENSION)
"""[N m]; ends clamped, one of them slides."""


def turned(share: float, hold: float) -> pl.World:
    """The scene with its end turned in 4 s to `share` of the critical moment, then held."""
    scene = pl.load("plectoneme")
    angle = share * CRITICAL * LENGTH / TWIST
    motion = pl.Motion([0.0, 4.0], rotations=[(0.0, 0.0, 0.0), (angle, 0.0, 0.0)])
    changed = pl.Scene(gravity=scene.gravity, drag=scene.drag)
    for thing in scene:
        changed.add(thing.replace(motion=motion) if thing.name == "spindle" else thing)
    world = pl.World(changed)
    world.run(4.0 + hold)
    return world


def drawn_in(world: pl.World) -> float:
    """How far the ends have come together [m]."""
    points = world["rod"].positions
    return LENGTH - float(points[-1, 0] - points[0, 0])


def test_below_the_threshold_it_stays_straight_and_bears_the_moment():
    """Oracle: GJ times the twist; the slight bow of the rod at rest stays slight."""
    world = turned(0.97, hold=4.0)
    np.testing.assert_allclose(np.abs(world["rod"].twisting_moment[1:-1]), 0.97 * CRITICAL, rtol=1e-3)
    assert drawn_in(world) < 1e-3
    assert np.abs(world["rod"].positions[:, 1:]).max() < 0.01 * LENGTH


def test_above_the_threshold_it_buckles_and_its_ends_come_together():
    """Oracle: Greenhill's moment for clamped ends under tension."""
    world, most = turned(1.04, hold=1.0), 0.0
    for _ in range(300):
        world.step()
        most = max(most, drawn_in(world))
    assert most > 0.1 * LENGTH


def test_the_scene_as_it_stands_buckles_soon_after_the_threshold():
    """Oracle: the moment reaches the threshold at a computed time; the bow then grows by itself within a second or two."""
    world = pl.World(pl.load("plectoneme"))
    rate = 37.69911184307752 / 12.0
    when = CRITICAL * LENGTH / TWIST / rate
    world.run(12.0, each=lambda w: drawn_in(w) > 0.05)
    assert when < world.time < when + 2.0
