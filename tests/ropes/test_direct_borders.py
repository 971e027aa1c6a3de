"""Borders of direct ropes: what cannot be is refused or told when it is asked for, never taken in silence.

Oracle: the rule itself; messages hold the words listed beside each case, and refusals leave the state as it was.
"""

import numpy as np
import pytest
from direct import rope_scene
from test_direct_bad_input import said

import pliant as pl

ASIDE = np.array([0.0, 0.3, 0.0])


def ring(turn: float, n: int = 16) -> pl.Scene:
    a = np.arange(n) * 2 * np.pi / n
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Rope("r", path=np.c_[np.cos(a), np.sin(a), 0 * a], points=n, radius=0.01, mass=0.3, bend=0.1, twist=0.1,
                      closed=True, closure_twist=turn))
    return scene


def test_more_twist_than_a_ring_can_tell():
    """A joint tells half a turn, and bears more and more up to a quarter: 16 joints 8 pi, and the warning from 16 pi/2 on.

    As many points are advised as turn by an eighth each: 16.5 pi / (pi/4) = 66, 9 pi / (pi/4) = 36.
    """
    with pytest.raises(pl.SceneError) as error:
        pl.World(ring(16.5 * np.pi))
    said(error, "Rope 'r' closure_twist half a turn 66 points")
    (told,) = pl.World(ring(-9.0 * np.pi)).warnings
    assert "Rope 'r': closure_twist" in told and "36 points" in told
    assert not pl.World(ring(7.9 * np.pi)).warnings
    assert not pl.World(ring(8.5 * np.pi, 18)).warnings


@pytest.mark.parametrize("far,turn,expected", [("clamp", 40.0, "52 points"), ("clamp", 31.0, ""), ("ball", 40.0, "")])
def test_more_twist_than_a_motion_can_give(far, turn, expected):
    """20 elements, clamped at the other end too, take 10 pi; one that turns freely is turned as often as one likes.

    As many points are advised as turn by an eighth each, and one more: 40 / (pi/4) = 50.9.
    """
    scene = rope_scene()
    scene.pin("r.start", clamp=True, motion=pl.Motion([0.0, 1.0], rotations=[(0, 0, 0), (turn, 0, 0)]))
    scene.pin("r.end", clamp=far == "clamp")
    warnings = pl.World(scene).warnings
    assert [expected in word and "'r.start'" in word for word in warnings] == [True] * bool(expected)


@pytest.mark.parametrize("method", ["direct", "impulse", "compliant"])
def test_a_ball_is_not_turned(method):
    """A motion's rotations on a pin without clamp turn nothing: refused, for bodies too."""
    motion = pl.Motion([0.0, 1.0], rotations=[(0, 0, 0), (1, 0, 0)])
    scene = rope_scene(method=method)
    scene.pin("r.start", motion=motion)
    with pytest.raises(pl.SceneError) as error:
        pl.World(scene)
    said(error, "Pin 'r.start-pin' rotations clamp=True")
    scene = pl.Scene()
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0))
    scene.pin("b", motion=motion)
    with pytest.raises(pl.SceneError, match="rotations"):
        pl.World(scene)


def held_world(*holds) -> pl.World:
    scene = rope_scene(points=11)
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0, position=(1, 0, 0), collide=False))
    for hold in holds:
        hold(scene)
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    world.run(0.05)
    return world


HOLDS = {
    "pin": lambda s: s.pin("r.start", name="it"),
    "end": lambda s: s.attach("r.end", "b", name="it"),
    "body first": lambda s: s.attach("b", "r.end", name="it"),
    "by arc": lambda s: s.pin("r@0", name="it"),
    "middle": lambda s: s.pin("r@0.5", name="it"),
    "joint": lambda s: s.add(pl.Spherical("it", "r.end", "b", anchor=(1, 0, 0))),
}


@pytest.mark.parametrize("case", list(HOLDS))
def test_a_held_rope_is_not_torn_away(case):
    """Where it is held it stays; the rest may be moved, as far as elements keep their length."""
    world = held_world(HOLDS[case])
    before, hashed = world["r"].positions, world.hash()
    with pytest.raises(pl.SceneError) as error:
        world["r"].positions = before + ASIDE
    said(error, "Rope 'r' positions 0.3 m 'it' move")
    assert world.hash() == hashed
    world["r"].positions = before
    assert world.run(0.05).drift < 1e-9


def test_a_held_rope_follows_its_body():
    """The body first, then the rope after it: all of it may be moved."""
    world = held_world(HOLDS["end"])
    before = world["r"].positions
    world["b"].position = world["b"].position + ASIDE
    world["r"].positions = before + ASIDE
    assert world.run(0.1).drift < 1e-9
    np.testing.assert_allclose(world["r"].positions, before + ASIDE, atol=1e-9)


def test_a_sliding_end_may_be_slid():
    """Along its axis, not across."""
    world = held_world(lambda s: s.pin("r.start", slide=(1, 0, 0), name="it"))
    before = world["r"].positions
    world["r"].positions = before + ASIDE[[1, 0, 2]]
    assert world.run(0.05).drift < 1e-9
    with pytest.raises(pl.SceneError, match=r"positions tears it 0\.3 m"):
        world["r"].positions = before + ASIDE + ASIDE[[1, 0, 2]]


def test_elements_that_do_not_stretch_are_not_stretched():
    """Points further apart or nearer by more than 1 % are refused; of a rope that stretches they are taken."""
    world = held_world()
    points = world["r"].positions
    for share in (0.98, 1.02, 2.0):
        with pytest.raises(pl.SceneError) as error:
            world["r"].positions = share * points
        said(error, "Rope 'r' positions element 0.1 m stretch")
    scene = rope_scene(points=11, stretch=50.0, shear=50.0)
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    world["r"].positions = 1.1 * points
    stretched = 0.9  # of it: half elements at free ends bear nothing
    assert world["r"].energy.elastic.sum() == pytest.approx(0.5 * 50.0 * 0.1**2 * stretched, rel=1e-9)


def test_at_is_for_bodies():
    """A point in b's frame means nothing where b is a place on a rope."""
    for b in ("r.end", "r@0.5"):
        scene = rope_scene()
        scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0, position=(1, 0, 0), collide=False))
        scene.attach("b", b, at=(0, 0, 0.1))
        with pytest.raises(pl.SceneError) as error:
            pl.World(scene)
        said(error, f"at '{b}' rope leave")


@pytest.mark.parametrize("names", [("r.end", "r@1.0"), ("r@1.0", "r.end")])
def test_an_end_has_one_holder_by_any_name(names):
    scene = rope_scene()
    for k, name in enumerate(names):
        scene.pin(name, name=f"p{k}")
    with pytest.raises(pl.SceneError, match="is held by 'p0' already"):
        pl.World(scene)


@pytest.mark.parametrize("method", ["direct", "impulse", "compliant"])
def test_holders_say_where_they_hold(method):
    """Oracle: the rope's own points, and the motion."""
    scene = rope_scene(9.81, method=method)
    scene.pin("r.start", name="left", motion=pl.Motion([0.0, 1.0], positions=[(0, 0, 0), (0, 0, 0.5)]))
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=0.2, position=(1, 0, 0), collide=False))
    scene.attach("r.end", "b", name="right")
    world = pl.World(scene, dt=0.005, threads=1)
    world.run(0.2)
    np.testing.assert_allclose(world["left"].position, [0, 0, 0.1], atol=1e-12)
    np.testing.assert_allclose(world["right"].position, world["r"].positions[-1], atol=1e-12)
    np.testing.assert_allclose(world["right"].position, world["b"].position, atol=1e-4)
    with pytest.raises(AttributeError):
        world["left"].position = (0, 0, 0)


def first_told(world: pl.World, steps: int = 10) -> str:
    """The first warning, or why it diverged; the state stays finite either way."""
    for _ in range(steps):
        try:
            warnings = world.step().warnings
        except pl.Diverged as error:
            warnings = (f"{error.thing} {error.reason}",)
        assert np.isfinite(world["r"].positions).all() and np.isfinite(world["r"].velocities).all()
        if warnings:
            return warnings[0]
    return "nothing"


@pytest.mark.parametrize("substeps", [1, "auto"])
@pytest.mark.parametrize("speed,gap", [(0.5, 0.005), (10.0, 0.1), (1000.0, 10.0)])
def test_an_end_torn_away_is_named(speed, gap, substeps):
    """Oracle: the motion. After 10 ms a rope of 1 m is held 1 m + v dt apart: said at once, by the pin's or the rope's name."""
    scene = rope_scene()
    scene.pin("r.start")
    scene.pin("r.end", motion=pl.Motion([0.0, 1.0], positions=[(0, 0, 0), (speed, 0, 0)]), name="hand")
    told = first_told(pl.World(scene, dt=0.01, substeps=substeps, threads=1), 1)
    assert f"'hand' gapes by {gap:.2g} m at t = 0.01 s, at (1" in told \
        or f"r is 1 m long and does not stretch, but what holds its ends goes {1.0 + gap:.4g} m apart" in told


def test_a_body_torn_off_its_rope_is_refused():
    """Moved alone by 0.5 m: the next step names the attachment and the distance, and goes once the rope is there too."""
    world = held_world(lambda s: s.attach("r.end", "b", name="knot"))
    world["b"].position = world["b"].position + ASIDE
    for _ in range(2):
        with pytest.raises(pl.SceneError) as error:
            world.step()
        said(error, "t = 0.05 s 'knot' gapes by 0.3 m move positions")
    world["r"].positions = world["r"].positions + np.outer(np.arange(11) < 10, ASIDE)  # its end is read where it is held
    assert world.run(0.1).drift < 1e-9
