"""What is told of limits that are overrun: by as much as they are, when they are; nothing of what was built or put
beyond them. Oracle: the angle or the way that a step is made to end with."""

import re

import numpy as np
import pytest

import pliant as pl
from pliant.report import Report

LIMIT = 0.5


def arm(kind=pl.Revolute, **more) -> pl.World:
    """A link, which weighs nothing, on a joint with limits."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("link", pl.Box(0.4, 0.1, 0.1), mass=1.0, position=(0.2, 0, 0), collide=False))
    scene.add(kind("joint", pl.WORLD, "link", anchor=(0, 0, 0), axis=(0, 0, 1), **{"limits": (-LIMIT, LIMIT), **more}))
    return pl.World(scene)


def swing(world: pl.World, angle: float) -> None:
    """Teleport the link about its joint."""
    c, s = np.cos(0.5 * angle), np.sin(0.5 * angle)
    world["link"].position, world["link"].quaternion = (0.2 * np.cos(angle), 0.2 * np.sin(angle), 0), (c, 0, 0, s)


def put(world: pl.World, value: float, monkeypatch) -> None:
    """Let a step end with the joint there, as one that is wrongly solved might."""
    step = world._engine.step

    def faulty(*settings) -> None:
        step(*settings)
        world._engine.state.coordinates.value[0] = value

    monkeypatch.setattr(world._engine, "step", faulty)


def told(report: Report) -> list[str]:
    return [text for text in report.warnings if "beyond its limit" in text]


@pytest.mark.parametrize(("kind", "unit"), [(pl.Revolute, "rad"), (pl.Prismatic, "m")])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("over", [0.9e-3, 1.1e-3, 0.042])
def test_as_much_is_told_as_it_is(over, sign, kind, unit, monkeypatch):
    """From a millimetre or a milliradian on, of either limit; no more once it is back."""
    world = arm(kind)
    assert not told(world.step())
    with monkeypatch.context() as patch:
        put(world, sign * (LIMIT + over), patch)
        for _ in range(2):
            found = told(world.step())
            assert len(found) == (over > 1e-3)
            for text in found:
                assert text.startswith("'joint' is beyond its limit by ") and f" {unit} at t = {world.time:.6g} s: take" in text
                assert float(re.search(r"by (\S+)", text)[1]) == pytest.approx(over, rel=0.05)  # two digits
    assert not told(world.step())


def test_what_is_put_beyond_a_limit_is_led_back_without_a_word(monkeypatch):
    """It is told again from when it was back, or if it goes further than it was put."""
    world = arm()
    world.step()
    for _ in range(2):
        swing(world, 0.8)
        while world["joint"].angle > LIMIT + 1e-4:
            assert not told(world.step())
    swing(world, 0.8)
    with monkeypatch.context() as patch:
        put(world, 0.85, patch)
        assert len(told(world.step())) == 1
    world.reset()
    with monkeypatch.context() as patch:
        put(world, 0.51, patch)
        assert len(told(world.step())) == 1
        swing(world, 0.51)  # a teleport of what was beyond already is no excuse
        assert len(told(world.step())) == 1


def test_what_is_built_beyond_a_limit_is_led_back_without_a_word(tmp_path):
    """Also after a reset, and in a world that was saved on the way back."""
    world = arm(limits=(0.3, 0.5))
    for _ in range(2):
        assert not told(world.step())
        world.save(tmp_path / "world")
        assert not told(pl.World.restore(tmp_path / "world").step())
        assert not told(world.run(1.0))
        assert world["joint"].angle == pytest.approx(0.3, abs=1e-3)
        world.reset()
