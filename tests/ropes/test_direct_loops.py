"""Direct ropes that close loops: slings, rings, driven pins; and what they refuse."""

import numpy as np
import pytest

import pliant as pl

G = 9.81


def sling(mass: float, rope_mass: float, corners, velocity=(0.0, 0.0, 0.0)) -> pl.World:
    """A body hung by ropes of 15 points from pins one metre above `corners` (n, 2) and so far aside."""
    scene = pl.Scene()
    scene.add(pl.Body("load", pl.Box(0.2, 0.2, 0.2), mass=mass, position=(0, 0, -0.1), collide=False, velocity=velocity))
    for k, (x, y) in enumerate(corners):
        scene.add(pl.Rope(f"r{k}", path=[(x, y, 1), (0, 0, 0)], points=15, radius=0.01, mass=rope_mass, bend=1e-5, twist=1e-5))
        scene.pin(f"r{k}.start")
        scene.attach(f"r{k}.end", "load")
    return pl.World(scene)


@pytest.mark.parametrize("mass,rope_mass", [(10.0, 0.01), (1000.0, 0.01), (1000.0, 0.05)])
def test_a_sling_bears_up_to_a_hundred_thousand_of_its_masses(mass, rope_mass):
    """Statics: two ropes at 45 degrees each pull m g / sqrt 2; their own weight and sag add less than their mass's share."""
    world = sling(mass, rope_mass, [(-1, 0), (1, 0)])
    world.run(0.5)
    tension = np.mean([world[name].tension.mean() for name in ("r0", "r1")])
    assert tension == pytest.approx(mass * G / np.sqrt(2.0), rel=2.0 * rope_mass / mass + 1e-3)
    assert abs(world["load"].position[2] + 0.1) < 1e-3


def test_a_pushed_sling_swings_across_and_keeps_its_length():
    """A pendulum one metre below the line of its pins: at small angles z = l cos(a), and no rope stretches."""
    world = sling(1000.0, 0.05, [(-1, 0), (1, 0)], velocity=(0.0, 0.3, 0.0))
    report = world.run(1.0)
    assert report.stretch < 1e-6
    assert np.abs(world["load"].position[0]) < 1e-6
    energy = world.energy()
    assert energy.total - energy.work <= 0.5 * 1000.0 * 0.3**2 + 1e-3 * 0.5 * 1000.0 * 0.3**2 - 1000.0 * G * 0.1 + 2 * 0.05 * G


@pytest.mark.parametrize("turn", [1.0, 2.0 * np.pi, 20.0])
def test_a_ring_is_twisted_evenly_over_many_turns(turn):
    """Closed form: turn / L all round, energy GJ turn^2 / 2L beside the bending's.

    2 sin(a/2) cos(b/2) for the twist a of a joint that bends by b is at most (a^2 + b^2) / 8 off, its square twice that.
    """
    n, stiffness = 64, 0.1
    a = np.arange(n) * 2 * np.pi / n
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Rope("ring", path=np.c_[np.cos(a), np.sin(a), 0 * a], points=n, radius=0.01, mass=0.3, bend=stiffness,
                      twist=stiffness, closed=True, closure_twist=turn))
    ring = pl.World(scene)["ring"]
    length = ring.length
    expected = 0.5 * stiffness * turn**2 / length + 0.5 * stiffness * (2 * np.pi) ** 2 / length
    each = (turn**2 + (2 * np.pi) ** 2) / n**2
    np.testing.assert_allclose(ring.twist, turn / length, rtol=each / 8)
    assert ring.energy.elastic.sum() == pytest.approx(expected, rel=each / 4)


def test_the_work_of_a_driven_pin_is_what_the_rope_gains():
    """A free rope drawn by a motion that starts smoothly: all its energy is that pin's work, to the order of the step."""
    scene = pl.Scene(gravity=(0, 0, 0))
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=11, radius=0.01, mass=0.4, bend=0.01, twist=0.01))
    times = np.linspace(0.0, 1.0, 201)
    scene.pin(rope.start, motion=pl.Motion(times, positions=np.c_[-0.5 * times**2, 0 * times, 0 * times]))
    world = pl.World(scene, dt=1 / 200, substeps=1)
    world.run(1.0)
    energy = world.energy()
    assert energy.total == pytest.approx(0.5 * 0.4, rel=0.01)
    assert energy.work == pytest.approx(energy.total, rel=0.01)


def test_energy_counts_only_what_gives_way():
    """With rigid shear and soft stretch a hanging rope's elastic energy is sum T^2 l / 2EA: here (m g)^2 L / 6EA."""
    scene = pl.Scene(drag=20.0)
    scene.add(pl.Rope("r", path=[(0, 0, 0), (0, 0, -1)], points=41, radius=0.01, mass=0.5, bend=1e-4, twist=1e-4, stretch=1e3))
    scene.pin("r.start")
    world = pl.World(scene)
    world.run(3.0)
    assert world.energy().elastic == pytest.approx((0.5 * G) ** 2 / 6e3, rel=0.01)


@pytest.mark.parametrize("fields,words", [
    ({"break_tension": 5.0}, "break_tension"),
    ({"path": [(0, 0, 0), (1, 0, 0)], "closed": True}, "three or more"),
    ({"rest": (0.0, 100.0, 0.0)}, "take more points"),
    ({"stretch": [np.inf] * 10, "length": 0.5}, "does not stretch"),
])
def test_refused(fields, words):
    scene = pl.Scene()
    with pytest.raises(pl.SceneError, match=words):
        scene.add(pl.Rope("r", **{"path": [(0, 0, 0), (1, 0, 0)], "points": 11, "radius": 0.01, "mass": 0.1, "bend": 0.1,
                                  "twist": 0.1, **fields}))
        pl.World(scene)
