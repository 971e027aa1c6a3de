"""Rows whose exact solve has failed are swept as if it had never been tried. Oracle: a world that only sweeps."""

import numpy as np

import pliant as pl
from pliant.couple.soft.exact import ExactRows
from pliant.couple.soft.many import ManyRows
from pliant.couple.soft.substep import CONTRARY


def jerked() -> pl.World:
    """A bar that hangs on a body, after some steps in which its ties have come to bear it, at the start of a jerk."""
    scene = pl.Scene()
    scene.add(pl.Body("post", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 0.0, 0.2), collide=False))
    scene.pin("post")
    bar = scene.add(pl.Solid("bar", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material=pl.Material(1000.0, 1e6, poisson=0.3)))
    load = scene.add(pl.Body("load", pl.Box(0.1, 0.1, 0.1), mass=5.0, position=(0.0, 0.0, -0.2), collide=False))
    scene.attach(load, bar.vertices(lambda x: x[:, 2] < -0.149), name="hook")
    scene.attach("post", bar.vertices(lambda x: x[:, 2] > 0.149), name="hold")
    world = pl.World(scene, threads=1)
    for _ in range(5):
        world.step()
    world["load"].velocity = (0.0, 0.0, -3.0)
    return world


def test_a_failed_solve_leaves_no_trace(monkeypatch):
    """Both begin with the same impulses of ties; one first solves all rows, changing them by the whole jerk, and gives up."""
    tried, swept = jerked(), jerked()
    assert np.abs(tried._engine.state.ties.impulse).max() > 0.0
    np.testing.assert_array_equal(tried["bar"].positions, swept["bar"].positions)
    solve, calls = ExactRows.solve, []

    def give_up(self, *args):
        calls.append(solve(self, *args))
        return 2.0 * CONTRARY

    with monkeypatch.context() as patch:
        patch.setattr(ExactRows, "solve", give_up)
        patch.setattr(ManyRows, "take", lambda *args: False)
        tried.step()
    assert calls
    with monkeypatch.context() as patch:
        patch.setattr(ExactRows, "take", lambda *args: False)
        patch.setattr(ManyRows, "take", lambda *args: False)
        swept.step()
    for name in ("bar", "load"):
        one, other = tried[name], swept[name]
        for field in ("positions", "velocities") if name == "bar" else ("position", "velocity", "angular_velocity"):
            np.testing.assert_allclose(getattr(one, field), getattr(other, field), rtol=0, atol=1e-12)
    np.testing.assert_allclose(tried["hook"].force, swept["hook"].force, rtol=1e-9)
