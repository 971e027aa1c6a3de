"""Ropes whose ends are held further apart than they are long, or pushed together while they are straight, and come back."""

import numpy as np
import pytest
from direct import within
from energy import EnergyGuard
from oracles import G

import pliant as pl

OVER, SLACK, MASS = 0.2, 0.1, 0.1


def drawn(method: str, speed: float, clamp: bool = False, over: float = OVER) -> tuple[pl.World, float]:
    """(1 m of rope, laid with 0.1 m of slack, one end of which goes `over` [m] beyond its length and back; when it is back)."""
    scene, way = pl.Scene(drag=3.0), (SLACK + over) / speed
    scene.add(pl.Rope("r", [(0, 0, 0), (1.0 - SLACK, 0, 0)], 21, 0.005, length=1.0, mass=MASS, bend=1e-3, twist=1e-3,
                      method=method))
    scene.pin("r.start", clamp=clamp)
    scene.pin("r.end", clamp=clamp, motion=pl.Motion([0.0, 0.2, 0.2 + way, 0.4 + way, 0.4 + 2.0 * way],
                                                     [(f * (SLACK + over), 0, 0) for f in (0, 0, 1, 1, 0)]))
    return pl.World(scene, dt=1 / 60, threads=1), 0.4 + 2.0 * way


@pytest.mark.parametrize("clamp", [False, True], ids=["pinned", "clamped"])
@pytest.mark.parametrize("speed", [0.1, 1.0, 10.0])
def test_a_compliant_rope_follows_and_recovers(speed, clamp):
    """Oracles: geometry while it is overdrawn, straight but for the sag w L^2 / (8 T) and stretched alike all along; no energy
    from nowhere ever; and, settled again, the very shape of a rope that was not drawn."""
    world, back = drawn("compliant", speed, clamp)
    guard, told, held = EnergyGuard(world), set(), back - (SLACK + OVER) / speed - 0.02
    while world.time < back + 5.0:
        before, report = world.time, world.step()
        guard(world)
        told |= set(report.warnings)
        if before < held <= world.time:
            line = np.linspace(0.0, 1.0 + OVER, 21)
            sag = MASS * G * (1.0 + OVER) / (8.0 * world["r"].tension.min())
            within("place", np.abs(world["r"].positions - np.outer(line, (1, 0, 0))).max(), 1.1 * sag + 1e-6)
    (text,) = told if speed < 10.0 else [text for text in told if "is torn" in text]
    assert "its ends are held 1.0" in text and "t = " in text
    other, _ = drawn("compliant", speed, clamp, over=-0.9 * SLACK)
    other.run(world.time)
    left = np.exp(-0.5 * 3.0 * 5.0)  # of a swing, after 5 s of drag
    within("shape", np.abs(world["r"].positions - other["r"].positions).max(), left)
    within("stretch", report.stretch, 1e-6)


def test_a_direct_rope_says_once_that_it_gapes():
    """One warning, that of the step in which it began, with time, place and cause; none when it is back. Oracle: the motion."""
    world, back = drawn("direct", 0.5)
    told = []
    while world.time < back + 0.1:
        told += [text for text in world.step().warnings if text not in told]
    (text,) = told
    when = float(text.split("t = ")[1].split()[0])
    within("time it began [s]", abs(when - (0.2 + SLACK / 0.5)), 1.01 * world.dt)
    assert "'r.end-pin' gapes by" in text and "at (1" in text and "Rope 'r' is 1 m long" in text
    assert not world.step().warnings


@pytest.mark.parametrize("speed", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("slack", [0.0, 1e-6, 1e-4])
def test_a_straight_compliant_rope_that_is_pushed_together(slack, speed):
    """It bows out, by its weight's leave; oracle: no energy from nowhere (kilojoules, once) and its length."""
    scene = pl.Scene()
    scene.add(pl.Rope("r", [(0, 0, 0), (1.0 - slack, 0, 0)], 21, 0.005, length=1.0, mass=MASS, bend=1e-3, twist=1e-3,
                      method="compliant"))
    scene.pin("r.start")
    scene.pin("r.end", motion=pl.Motion([0.0, 0.2, 0.2 + 0.2 / speed], [(0, 0, 0), (0, 0, 0), (-0.2, 0, 0)]))
    world = pl.World(scene, dt=1 / 60, threads=1)
    guard = EnergyGuard(world)
    while world.time < 0.5 + 0.2 / speed:
        assert not world.step().warnings
        guard(world)
    within("stretch", world.step().stretch, 1e-6)
