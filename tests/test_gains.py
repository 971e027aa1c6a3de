"""What is told of energy from nowhere: as much as was put in unseen, around what got it; nothing else is. Oracle: m v^2 / 2."""

import re

import numpy as np
import pytest

import pliant as pl
from pliant.report import Report


def two_apart() -> pl.World:
    """A pendulum, and a ball of 2 kg that flies at 3 m/s, far away; nothing weighs."""
    scene = pl.Scene(gravity=(0, 0, 0))
    bob = scene.add(pl.Body("bob", pl.Sphere(0.1), mass=1.0, position=(0.5, 0, 0), velocity=(0, 1, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, bob, anchor=(0, 0, 0), axis=(0, 0, 1)))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0, position=(50, 0, 0), velocity=(3, 0, 0)))
    return pl.World(scene)


def quickened(world: pl.World, monkeypatch, by: float) -> None:
    """Let every step give the ball so much speed [m/s], as one that is wrongly solved might."""
    step, velocity = world._engine.step, world._engine.state.motion.velocity

    def faulty(*settings) -> None:
        step(*settings)
        velocity[world._places["ball"].body, 0] += by

    monkeypatch.setattr(world._engine, "step", faulty)


def told(report: Report) -> list[str]:
    return [text for text in report.warnings if "from nowhere" in text]


@pytest.mark.parametrize("by", [0.2, 1.0])
def test_as_much_is_told_as_came(by, monkeypatch):
    """Once, with the joules to the digits shown, and the body that got them."""
    world = two_apart()
    for _ in range(10):
        assert not told(world.step())
    with monkeypatch.context() as patch:
        quickened(world, patch, by)
        (text,) = told(world.step())
    joules = 0.5 * 2.0 * ((3.0 + by) ** 2 - 3.0**2)
    assert float(re.match(r"\S+", text)[0]) == pytest.approx(joules, rel=5e-3)  # three digits
    assert "around 'ball':" in text
    assert not told(world.step())


def test_little_by_little_adds_up(monkeypatch):
    """What a step gains by itself is too little to tell; it is told once all of it is a thousandth of the kinetic energy."""
    world, by = two_apart(), 0.0004
    world.step()
    begun, steps = world.energy().kinetic, 1
    quickened(world, monkeypatch, by)
    while not told(world.step()):
        steps += 1
        assert steps < 100
    gain = (3.0 + by * steps) ** 2 - 9.0  # of 2 kg, halved
    faint = 0.5 * 3.0 * 0.01**2  # what 3 kg have at a speed that is not told
    assert 0.001 * begun + faint < gain < 0.00102 * begun + faint + 2.0 * by * (3.0 + by * steps)


@pytest.mark.parametrize("put", ["velocity", "position"])
def test_what_is_put_elsewhere_is_no_gain(put):
    """Neither is a control that drives, a state that is restored, or a world set back."""
    world = two_apart()
    world.run(0.2)
    setattr(world["ball"], put, np.array([9.0, 0, 0]) + getattr(world["ball"], put))
    assert not told(world.run(0.2))
    world.reset()
    assert not told(world.run(0.2))


def test_a_restored_state_is_no_gain(tmp_path):
    """Of a world that has come to little since, into that world and into a new one."""
    world = two_apart()
    world.save(tmp_path / "fast")
    world["ball"].velocity = (0, 0, 0)
    world.run(0.2)
    assert not told(world.restore(tmp_path / "fast").run(0.2))
    assert not told(pl.World.restore(tmp_path / "fast").run(0.2))


def test_motors_and_springs_may_drive():
    """What a motor does is work, what a spring lets go was stored: neither is told."""
    scene = pl.Scene()
    arm = scene.add(pl.Body("arm", pl.Box(0.6, 0.05, 0.05), mass=2.0, position=(0.3, 0, 1)))
    scene.add(pl.Revolute("hinge", pl.WORLD, arm, anchor=(0, 0, 1), axis=(0, 1, 0),
                          motor=pl.VelocityMotor(9.0, max_effort=50.0)))
    shot = scene.add(pl.Body("shot", pl.Sphere(0.05), mass=0.1, position=(5, 0, 2)))
    scene.add(pl.Spring("bow", pl.WORLD, shot, stiffness=1e4, rest_length=0.1, at_a=(5, 0, 1.5)))
    assert not told(pl.World(scene).run(3.0))


def wind() -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.6, 0.1), thickness=0.002))
    scene.add(pl.Wind("wind", (0, 0, 10)))
    return pl.World(scene)


def lift() -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Body("plate", pl.Box(0.5, 0.5, 0.05), mass=5.0))
    scene.add(pl.Prismatic("rail", pl.WORLD, "plate", axis=(0, 0, 1), motor=pl.VelocityMotor(2.0, 300.0)))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 0.075)))
    return pl.World(scene, substeps=2)


def latch() -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Body("bolt", pl.Box(0.3, 0.05, 0.05), mass=0.46))
    scene.add(pl.Prismatic("rail", pl.WORLD, "bolt", axis=(0, 1, 0), motor=pl.VelocityMotor(1.0, 31.0)))
    scene.add(pl.Latch("latch", "rail", at=0.036, hold=50.0))
    scene.add(pl.Body("far", pl.Sphere(0.05), mass=1.0, position=(9, 0, 0)))
    return pl.World(scene)


@pytest.mark.parametrize("world", [wind, lift, latch])
def test_work_that_is_counted_at_first_order_is_no_gain(world):
    """Air that blows cloth, a motor that lifts a box in few substeps, a latch that draws back against its motor."""
    assert not told(world().run(0.5))
