"""A rope inside a body, which it does not touch, is told once, with where. Oracle: where it is laid, by hand."""

import pytest

import pliant as pl


def world_of(*things, z: float = 0.0, method: str = "direct", **more) -> pl.World:
    """A taut rope from x = -1 to 1 m at a height, and things in its way or beside it; no gravity."""
    scene = pl.Scene(gravity=(0, 0, 0))
    rope = scene.add(pl.Rope("line", path=[(-1, 0, z), (1, 0, z)], points=21, radius=0.005, material="hemp rope", method=method,
                             **more))
    scene.pin(rope.start)
    for thing in things:
        scene.add(thing)
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("method", ["direct", "compliant"])
def test_a_rope_through_a_drum_is_told_once(method):
    drum = pl.Body("drum", pl.Cylinder(0.2, 0.3), position=(0.5, 0, 0), fixed=True)
    said = [text for text in world_of(drum, method=method).run(2.5).warnings if "inside 'drum'" in text]
    assert len(said) == 1 and "Rope 'line' is inside 'drum', 1.35 m from its start: ropes touch nothing" in said[0]
    for clear in (world_of(drum, z=0.16, method=method), world_of(drum, method=method, collide=False),
                  world_of(drum.replace(collide=False), method=method)):
        assert not any("inside" in text for text in clear.step().warnings)


def test_what_comes_into_it_later_is_told_later_and_again_after_a_reset():
    """Oracle: a box of 0.2 m at 1 m/s, 1 m above the rope, is in it from 0.9 s to 1.1 s; looks at 1/60 s, 61/60 s, …"""
    box = pl.Body("box", pl.Box(0.2, 0.2, 0.2), position=(0.3, 0, 1.0), velocity=(0, 0, -1), mass=1.0)
    world = world_of(box)
    assert world.step().warnings == ()
    (said,) = world.run(1.5).warnings
    assert said.startswith("At t = 1.01667 s Rope 'line' is inside 'box'")
    world.reset()
    assert world.step().warnings == ()
    (again,) = world.run(1.2).warnings  # from the 61st of 73 steps on, after the first alone
    assert again.partition(" [in ")[::2] == (said.partition(" [in ")[0], "13 steps, first at t = 1.017 s]")


def test_what_holds_a_rope_may_have_its_end_inside():
    """A ball of 0.3 m about the end, which is attached in its middle: so much of the rope as the ball is large is its own."""
    ball = pl.Body("ball", pl.Sphere(0.15), position=(1, 0, 0), mass=1.0)
    assert world_of(ball, pl.Attachment("hold", "line.end", "ball", at=(0, 0, 0))).run(1.1).warnings == ()
    assert any("inside 'ball'" in text for text in world_of(ball).step().warnings)
