"""Forces and moments of ropes of points are means over a step, whatever its substeps, as what holds their ends is."""

import numpy as np
import pytest
from direct import within
from oracles import G

import pliant as pl

DT = 1 / 60
METHODS = ["impulse", "position", "compliant"]


def snatched(method: str, substeps: int) -> pl.World:
    """1 kg falls into a rope of 12 points."""
    scene, way = pl.Scene(), np.array([0.0, -np.sqrt(0.84), 0.4])
    scene.add(pl.Rope("r", [(0, 0, 0), way], 12, 0.004, mass=0.1, bend=0.02, twist=0.02, method=method))
    scene.add(pl.Body("b", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=way, collide=False))
    scene.pin("r.start", name="pin")
    scene.attach("r.end", "b", name="ball")
    return pl.World(scene, dt=DT, substeps=substeps, threads=1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("substeps", [8, 32])
def test_tension_is_that_of_the_end_that_is_held(method, substeps):
    """Oracle: the pin bears what the first element pulls and half of its weight, as means of the same step; and so the ball.

    Components are along axes that turn: means of vectors within an angle a of each other are shorter by a^2 / 8 at most.
    """
    world, worst, most, turned = snatched(method, substeps), 0.0, 0.0, 0.0
    half = 0.5 * 0.1 / 11 * np.array([0.0, 0.0, G])
    for _ in range(50):
        before = world["r"].quaternions
        world.step()
        rope, turns = world["r"], np.abs((before * world["r"].quaternions).sum(axis=1)).clip(max=1.0)
        forces = np.hypot(rope.tension, np.linalg.norm(rope.shear_force, axis=1))
        for name, k, sign in (("pin", 0, 1.0), ("ball", -1, -1.0)):
            held = float(np.linalg.norm(world[name].force - sign * half if k == 0 else world[name].force + half))
            worst, most = max(worst, abs(held - forces[k])), max(most, held)
        turned = max(turned, float(2.0 * np.arccos(turns).max()))
    assert most > 30.0, "it is not snatched any more"
    within("force that the element does not know", worst / most, turned**2 / 8.0 + 1e-9)


@pytest.mark.parametrize("method", ["compliant", "direct"])
def test_means_are_of_whole_steps_where_these_are_taken_in_parts(method, monkeypatch):
    """A paddle spins on a rope, over a post. Oracle: momentum, in every step: the pin gives what weight does not explain."""
    scene, mass, body, parts = pl.Scene(), 0.1, 1.0, []
    scene.add(pl.Body("post", pl.Box(0.1, 0.1, 0.1), position=(1, 0.1, 1.7), fixed=True))
    scene.add(pl.Rope("r", [(0, 0, 2), (1, 0, 2)], 11, 0.004, mass=mass, bend=0.02, twist=0.02, method=method, collide=False))
    scene.add(pl.Body("b", pl.Box(0.6, 0.04, 0.04), mass=body, position=(1, 0, 2), angular_velocity=(0, 0, 90.0)))
    scene.pin("r.start", name="pin")
    scene.attach("r.end", "b")
    world = pl.World(scene, dt=DT, threads=1)
    find = world._engine.find_contacts
    monkeypatch.setattr(world._engine, "find_contacts", lambda dt: (parts.append(dt), find(dt)))
    v, worst, most = None, 0.0, 0.0
    for _ in range(8):
        world.step()
        now, points = body * world["b"].velocity, world["r"].velocities
        now = now + mass * 0.5 * (points[1:] + points[:-1]).mean(axis=0)
        if v is not None:
            told = (now - v) / DT + (mass + body) * np.array([0.0, 0.0, G])
            worst, most = max(worst, float(np.abs(told - world["pin"].force).max())), max(most, float(np.abs(told).max()))
        v = now
    assert min(parts) < 0.9 * DT, "it is not taken in parts any more"
    within("force that momentum does not know", worst / most, 1e-5)
