"""A robot with servos, geared motors and coil springs that stands on a soft mat: all its drives are solved, nothing is told.

Oracle: it stands still, and its wheels bear its weight.
"""

import pytest

import pliant as pl


def test_it_stands_and_nothing_is_told():
    """Servos of light hubs come nearer by a fifth in a sweep: after ten, in every step, a speed of 0.1 m/s was missing."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    robot = scene.add(pl.Robot.from_urdf(pl.asset("scout.urdf"), name="scout", position=(0, 0, 0.47)))
    scene.add(pl.Solid("mat", pl.Box(1.6, 1.4, 0.1), spacing=0.2, position=(0, 0, 0.05),
                       material=pl.Material(density=300, young=3e5, poisson=0.2)))
    world = pl.World(scene)
    assert not world.run(1.5).warnings
    for _ in range(30):
        report = world.step()
        assert not report.warnings
    assert report.energy.kinetic < 1e-3
    weight = 9.81 * sum(world[part.name].mass for part in robot.parts() if isinstance(part, pl.Body))
    c = world.contacts
    borne = sum(-force[2] if a == "mat" else force[2] for a, b, force in zip(c.a, c.b, c.force, strict=True)
                if "mat" in (a, b) and "ground" not in (a, b))
    assert abs(borne) == pytest.approx(weight, rel=1e-3)  # what still swings a little
