"""Two fingers of three hinges press a cylinder on a palm, slanted: motors do work, and nothing else gives energy."""

from math import cos, pi, sin

import pliant as pl

LENGTHS, EFFORT, FLUSH = (0.045, 0.03, 0.022), 1.0, 5e-4


def hand():
    scene = pl.Scene(gravity=(0, 0, -9.81))
    scene.add(pl.Control("close", -0.2, 2.0, 0))
    scene.add(pl.Body("palm", pl.Box(0.1, 0.09, 0.025), fixed=True, friction=0.7))
    scene.add(pl.Body("held", pl.Cylinder(0.02, 0.12), mass=0.2, position=(0.035, 0, 0.0327), friction=0.7,
                      quaternion=(cos(pi / 4), sin(pi / 4), 0, 0)))
    for f, y in enumerate((-0.033, -0.011)):
        x, parent = 0.05, "palm"
        for j, length in enumerate(LENGTHS):
            link = f"link_{f}{j}"
            scene.add(pl.Body(link, pl.Box(0.92 * length, 0.016, 0.014), mass=0.03, position=(x + 0.5 * length, y, 0),
                              friction=0.7))
            scene.add(pl.Revolute(f"hinge_{f}{j}", parent, link, anchor=(x, y, 0), axis=(0, -1, 0), limits=(-0.1, 1.7),
                                  motor=pl.PositionMotor({"close": 1.0}, 3.0, 0.05, EFFORT / (j + 1))))
            x, parent = x + length, link
    return pl.World(scene)


def test_fingers_that_press_a_cylinder_slanted_do_not_enter_it_and_give_no_energy():
    """What the motors press with at most, times the overlap that is allowed, is what contacts may give back."""
    world = hand()
    least, push = world.energy().total, 2 * EFFORT * (1 + 1 / 2 + 1 / 3) / min(LENGTHS)
    for _ in range(150):
        world.control["close"] = min(1.6, world.time)
        report = world.step()
        now = report.energy.total - report.energy.work
        least = min(least, now)
        assert report.penetration < FLUSH, report.time
        assert now <= least + push * FLUSH, report.time
